package monitor

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Source reads indicators of the server that the engine can't know, such as the age of a backup.
type Source func(ctx context.Context, now time.Time) []alarm.Reading

// Restorer restores damaged records from a backup.
type Restorer interface {
	// Restore restores memories of a tenant, and returns how many it restored.
	Restore(ctx context.Context, scope graph.Scope, ids []graph.ID) (int, error)
}

// Sleeps reads morning reports.
type Sleeps interface {
	// LastSleep returns how long the last sleep of a tenant took, and its budget; ok is false if
	// there was none. A budget of 0 means none.
	LastSleep(ctx context.Context, scope graph.Scope) (took, budget time.Duration, ok bool, err error)
}

// Buffer reads the working buffer.
type Buffer interface {
	// Waiting returns the number of turns of a tenant that wait to leave L0.
	Waiting(t *workspace.Tenant) int
}

// Options configure a Service. All may be zero.
type Options struct {
	// Interval is the time between refreshes on the machine's clock; 0: only calls of Refresh.
	Interval time.Duration
	Sources  []Source
	// Kept is a file for alarms of the server that the store does not take, as on a full disk, so that a restart
	// goes on with them; empty: none.
	Kept     string
	Restorer Restorer // nil: damaged records stay blocked until the data directory is restored
	// Notify is called with every change of an alarm. It must not block. Tenant is empty for the
	// server.
	Notify func(graph.Tenant, alarm.Event)
	Parts  map[string]workspace.Readiness // further parts of the server, by name
	Sleeps Sleeps
	Buffer Buffer
	// Elapsed is a clock for durations; nil: time.Now.
	Elapsed func() time.Time
}

// Service watches the server. It is safe for concurrent use.
type Service struct {
	*workspace.Space
	options Options

	refreshing sync.Mutex // one refresh at a time
	keeping    sync.Mutex // one writer of the file Options.Kept at a time
	measuring  sync.Mutex // one reading of the disk at a time

	mu     sync.Mutex // protects what follows
	scopes map[graph.Tenant]*watched
	probed bool      // a refresh has ended
	at     time.Time // of the last refresh

	events workspace.Broadcast[Event]
}

// serverTenant is the key of the server in Service.scopes.
const serverTenant graph.Tenant = ""

// watched is what the service knows of the server or of a tenant.
type watched struct {
	scope   graph.Scope
	state   alarm.State
	unsaved map[graph.ID]alarm.Alarm // changes that the store has not taken yet
	saving  sync.Mutex               // one writer of these at a time: an older change must not replace a later one
	canary  []CanaryResult           // of the server, oldest first

	// Of a tenant:
	strict              map[string]workspace.Required // consent that namespaces require
	consentEnded        time.Time                     // when the last alarm of a violation of consent ended before the start
	scrubbed            graph.Cursor                  // how far the scrub has come
	feedRead, notesRead bool                          // the scrub has read all of the feed and all notes once
	damaged             map[graph.ID]bool             // memories that failed their checksum
	// Entities and relations that failed their checksum, kinds of notes of which one did, memories of whose edges one did, and the feed.
	damagedRows map[graph.Row]bool
	feedDamaged bool // a change of the feed failed its checksum since the scrub began at its start
	// How far the scrub of notes has come: a place in graph.NoteKinds, and the last note of that kind.
	notesOf    int
	notesAfter graph.ID
	deep       time.Time // last time of the expensive readings
}

// New makes a service and reads the active alarms, so that their actions go on. It starts the
// refreshes.
func New(ctx context.Context, ws *workspace.Space, o Options) (*Service, error) {
	if o.Elapsed == nil {
		o.Elapsed = time.Now
	}
	svc := &Service{Space: ws, options: o, scopes: map[graph.Tenant]*watched{}}
	names, err := ws.Store.Tenants(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := svc.open(ctx, graph.ServerScope()); err != nil {
		return nil, err
	}
	for _, name := range names {
		if _, err := svc.open(ctx, graph.Scope{Tenant: name}); err != nil {
			return nil, err
		}
	}
	svc.govern()
	if o.Interval > 0 {
		if err := ws.Spawn(func() { svc.refreshQuietly(); ws.Every(o.Interval, svc.refreshQuietly) }); err != nil {
			return nil, err
		}
		if err := ws.Spawn(func() { ws.Every(min(diskInterval, o.Interval), svc.watchDisk) }); err != nil {
			return nil, err
		}
	}
	return svc, nil
}

func (svc *Service) refreshQuietly() {
	if err := svc.Refresh(svc.Ctx); err != nil && svc.Ctx.Err() == nil {
		svc.Log.Warn("[ALARM] the indicators could not all be read", "error", err)
	}
}

// keyOf is the key of a scope in Service.scopes.
func keyOf(s graph.Scope) graph.Tenant {
	if s.IsServer() {
		return serverTenant
	}
	return s.Tenant
}

// open returns what is known of a scope, and reads it from the store at first.
func (svc *Service) open(ctx context.Context, scope graph.Scope) (*watched, error) {
	svc.mu.Lock()
	w := svc.scopes[keyOf(scope)]
	svc.mu.Unlock()
	if w != nil {
		return w, nil
	}
	w = &watched{scope: scope.Whole(), unsaved: map[graph.ID]alarm.Alarm{}, strict: map[string]workspace.Required{}, damaged: map[graph.ID]bool{}, damagedRows: map[graph.Row]bool{}}
	if err := svc.load(ctx, w); err != nil {
		return nil, err
	}
	svc.mu.Lock()
	defer svc.mu.Unlock()
	if other := svc.scopes[keyOf(scope)]; other != nil {
		return other, nil
	}
	svc.scopes[keyOf(scope)] = w
	return w, nil
}

// Refresh reads every indicator once, and raises, changes and ends alarms. It goes on after an
// error, and returns the first.
func (svc *Service) Refresh(ctx context.Context) error {
	svc.refreshing.Lock()
	defer svc.refreshing.Unlock()
	ctx = audit.As(ctx, "alarm")
	now := svc.Now()
	server, err := svc.open(ctx, graph.ServerScope())
	if err == nil {
		readings := svc.serverReadings(ctx, server, now)
		svc.agree(ctx, server, now)
		svc.takeServer(ctx, server, readings, now)
	}
	names, failed := svc.tenants(ctx)
	if err == nil {
		err = failed
	}
	for _, name := range names {
		w, failed := svc.open(ctx, graph.Scope{Tenant: name})
		var readings []alarm.Reading
		if failed == nil {
			readings, failed = svc.tenantReadings(ctx, w, now)
			svc.take(ctx, w, readings, now)
		}
		if err == nil {
			err = failed
		}
	}
	svc.mu.Lock()
	svc.probed, svc.at = true, now
	svc.mu.Unlock()
	return err
}

func (svc *Service) tenants(ctx context.Context) ([]graph.Tenant, error) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	return svc.Store.Tenants(ctx)
}

// take feeds readings into the state of a scope, and acts on what changes. It ignores readings of
// a server that shuts down, whose parts no longer answer.
func (svc *Service) take(ctx context.Context, w *watched, readings []alarm.Reading, now time.Time) {
	if ctx.Err() != nil {
		return
	}
	svc.publish(ctx, w, svc.step(w, readings, now))
	svc.act(ctx, w, now)
}

// takeServer is take for the server. It reads the disk last, because the other readings may have taken minutes.
func (svc *Service) takeServer(ctx context.Context, w *watched, readings []alarm.Reading, now time.Time) {
	if ctx.Err() != nil {
		return
	}
	events := svc.step(w, readings, now)
	svc.publish(ctx, w, append(events, svc.stepDisk(w, svc.Now(), false)...))
	svc.act(ctx, w, now)
}

// step feeds readings into the state of a scope.
func (svc *Service) step(w *watched, readings []alarm.Reading, now time.Time) []alarm.Event {
	svc.mu.Lock()
	defer svc.mu.Unlock()
	before := slices.Clone(w.state.Active)
	events := w.state.Step(readings, now, func() graph.ID {
		id, err := svc.NewID(now)
		if err != nil {
			svc.Log.Error("[ALARM] no id could be made", "error", err)
		}
		return id
	})
	w.note(events)
	for _, a := range w.state.Active { // an alarm learns its reason without an event
		if i := slices.IndexFunc(before, func(b alarm.Alarm) bool { return b.ID == a.ID }); i >= 0 && before[i] != a {
			w.unsaved[a.ID] = a
		}
	}
	return events
}

// publish stores, logs and announces events, and puts the guards in force.
func (svc *Service) publish(ctx context.Context, w *watched, events []alarm.Event) {
	if len(events) > 0 {
		svc.govern()
	}
	svc.save(ctx, w)
	svc.tell(w, events)
	svc.notify(w, events)
}

// notify tells the server of events.
func (svc *Service) notify(w *watched, events []alarm.Event) {
	if svc.options.Notify == nil {
		return
	}
	for _, e := range events {
		svc.options.Notify(keyOf(w.scope), e)
	}
}

// tell logs and announces events.
func (svc *Service) tell(w *watched, events []alarm.Event) {
	for _, e := range events {
		svc.log(w, e)
		svc.events.Send(Event{Tenant: keyOf(w.scope), Event: e}, false)
	}
}

// agree takes over what other servers on the store did to the alarms that all servers share. They have
// notified whom they must.
func (svc *Service) agree(ctx context.Context, w *watched, now time.Time) {
	stored, err := svc.sharedAlarms(ctx, w)
	if err != nil {
		if ctx.Err() == nil {
			svc.Log.Warn("[ALARM] the alarms of other servers can't be read", "error", err)
		}
		return
	}
	svc.mu.Lock()
	stored = slices.DeleteFunc(stored, func(a alarm.Alarm) bool { _, newer := w.unsaved[a.ID]; return newer })
	foreign, own := w.state.Agree(stored, now)
	w.note(own)
	svc.mu.Unlock()
	svc.tell(w, foreign)
	if len(foreign) > 0 {
		svc.govern()
	}
	svc.publish(ctx, w, own)
}

func (svc *Service) log(w *watched, e alarm.Event) {
	a := e.Alarm
	args := []any{"id", a.ID, "indicator", a.Indicator, "severity", a.Severity, "tenant", keyOf(w.scope), "message", a.Message}
	if a.Subject != "" {
		args = append(args, "subject", a.Subject)
	}
	if a.Action != alarm.None {
		args = append(args, "action", a.Action)
	}
	switch {
	case e.Change == alarm.Ended:
		svc.Log.Info("[ALARM] ended", append(args, "by", a.EndedBy)...)
	case a.Severity == alarm.Critical:
		svc.Log.Error("[ALARM] "+string(e.Change), args...)
	default:
		svc.Log.Warn("[ALARM] "+string(e.Change), args...)
	}
}
