package monitor

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Event is a change of an alarm of a tenant; an empty tenant is the server.
type Event struct {
	Tenant graph.Tenant
	alarm.Event
}

// Input selects alarms.
type Input struct {
	Ended bool // also those that have ended
	First int  // 0: 50
}

// Alarms lists the alarms of the caller's tenant and of the server, newest first. Of those that have ended it lists
// only what it holds itself while the store is away. FORBIDDEN if the caller sees only a part of the tenant.
func (svc *Service) Alarms(ctx context.Context, c workspace.Caller, in Input) ([]alarm.Alarm, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	first, err := workspace.PageSize("first", in.First, 50)
	if err != nil {
		return nil, err
	}
	var out []alarm.Alarm
	for _, scope := range []graph.Scope{graph.ServerScope(), c.Scope().Whole()} {
		w, err := svc.open(ctx, scope)
		if err != nil {
			return nil, svc.PublicError(err)
		}
		svc.mu.Lock()
		out = append(out, w.state.Active...)
		waiting := maps.Clone(w.unsaved) // the store may be short of space
		svc.mu.Unlock()
		if !in.Ended {
			continue
		}
		for _, a := range waiting {
			if !a.Active() {
				out = append(out, a)
			}
		}
		n := 0
		err = svc.Store.View(ctx, scope, func(r graph.Reader) error {
			return eachAlarm(r, func(a alarm.Alarm) bool {
				if _, newer := waiting[a.ID]; !newer && !a.Active() {
					out = append(out, a)
					n++
				}
				return n < first
			})
		})
		if err != nil && !errors.Is(err, graph.ErrUnavailable) {
			return nil, svc.PublicError(err)
		}
	}
	slices.SortFunc(out, func(a, b alarm.Alarm) int { return cmp.Or(b.Since.Compare(a.Since), cmp.Compare(b.ID, a.ID)) })
	return out[:min(first, len(out))], nil
}

// Reset ends an active alarm with its action. It begins again only if it becomes worse, or is
// healthy in between. An alarm of the server needs SERVER_ADMIN.
func (svc *Service) Reset(ctx context.Context, c workspace.Caller, id graph.ID) (*alarm.Alarm, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	if err := c.Require(access.MemoryCurate, "", "ending an alarm"); err != nil {
		return nil, err
	}
	for _, scope := range []graph.Scope{c.Scope().Whole(), graph.ServerScope()} {
		w, err := svc.open(ctx, scope)
		if err != nil {
			return nil, svc.PublicError(err)
		}
		svc.mu.Lock()
		known := slices.ContainsFunc(w.state.Active, func(a alarm.Alarm) bool { return a.ID == id })
		svc.mu.Unlock()
		if !known {
			continue
		}
		if scope.IsServer() {
			if err := c.Require(access.ServerAdmin, "id", "ending an alarm of the server"); err != nil {
				return nil, err
			}
		}
		svc.mu.Lock()
		e, done := w.state.Reset(id, c.Principal(), svc.Now())
		if done {
			w.note([]alarm.Event{e})
		}
		svc.mu.Unlock()
		if done {
			svc.publishReset(ctx, w, e)
			return &e.Alarm, nil
		}
	}
	return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "names no active alarm: see the query alarms")
}

// resetTimeout is how long a reset waits until it is stored.
const resetTimeout = 2 * time.Second

// publishReset is publish of a reset. The action has ended at once; a store that is slow or away takes the change later.
func (svc *Service) publishReset(ctx context.Context, w *watched, e alarm.Event) {
	svc.govern()
	stored := make(chan struct{})
	err := svc.Spawn(func() { // also when the caller does not wait
		defer close(stored)
		svc.save(context.WithoutCancel(ctx), w)
	})
	if err != nil {
		svc.Log.Warn("[ALARM] the server ends before a reset is stored", "error", err)
		close(stored)
	}
	wait := time.NewTimer(resetTimeout)
	defer wait.Stop()
	select {
	case <-stored:
	case <-wait.C:
	}
	svc.tell(w, []alarm.Event{e})
	svc.notify(w, []alarm.Event{e})
}

// Watch streams the changes of the alarms of the caller's tenant and of the server from now on,
// the active ones first. A slow reader misses the oldest pending changes.
func (svc *Service) Watch(ctx context.Context, c workspace.Caller) (<-chan Event, error) {
	live := svc.events.Subscribe(ctx, svc.Ctx)
	active, err := svc.Alarms(ctx, c, Input{First: graph.MaxPage})
	if err != nil {
		return nil, err
	}
	out := make(chan Event)
	go func() {
		defer close(out)
		send := func(e Event) bool {
			select {
			case out <- e:
				return true
			case <-ctx.Done():
				return false
			}
		}
		told := map[graph.ID]bool{}
		for _, a := range slices.Backward(active) {
			told[a.ID] = true
			if !send(Event{Tenant: c.Tenant, Event: alarm.Event{Change: alarm.Began, Alarm: a}}) {
				return
			}
		}
		for e := range live {
			if e.Change == alarm.Began && told[e.Alarm.ID] { // it began between the subscription and the list
				continue
			}
			if (e.Tenant == serverTenant || e.Tenant == c.Tenant) && !send(e) {
				return
			}
		}
	}()
	return out, nil
}

// Figure is an indicator with its last value and its history.
type Figure struct {
	alarm.Indicator
	Subject string
	Value   float64
	At      time.Time
	Band    alarm.Severity
	Points  []alarm.Point // oldest first
}

// worse compares which of two values of an indicator is the worse one; 0: neither.
func (f Figure) worse(than Figure) int {
	if f.HigherIsBetter {
		return cmp.Compare(than.Value, f.Value)
	}
	return cmp.Compare(f.Value, than.Value)
}

// Verdict is the health of the server and of one tenant.
type Verdict struct {
	Status  alarm.Severity // of the worst active alarm; empty: healthy
	Reason  string         // a sentence or two; without an alarm it names the worst figure outside of its healthy band
	Alarm   *alarm.Alarm   // that decides; nil: none
	Figures []Figure       // in the order of the catalogue; of one that concerns the server and the tenant the worse
	At      time.Time      // of the last refresh; zero: none yet
}

// Verdict returns the health of a tenant and of the server, as of the last refresh.
func (svc *Service) Verdict(tenant graph.Tenant) Verdict {
	svc.mu.Lock()
	defer svc.mu.Unlock()
	v := Verdict{At: svc.at}
	var active []alarm.Alarm
	for _, key := range []graph.Tenant{serverTenant, tenant} {
		w := svc.scopes[key]
		if w == nil {
			continue
		}
		active = append(active, w.state.Active...)
		v.Figures = append(v.Figures, w.figures()...)
	}
	place := map[string]int{}
	for n, i := range alarm.Catalogue {
		place[i.Name] = n
	}
	slices.SortStableFunc(v.Figures, func(a, b Figure) int {
		return cmp.Or(cmp.Compare(place[a.Name], place[b.Name]), cmp.Compare(a.Subject, b.Subject), b.worse(a))
	})
	v.Figures = slices.CompactFunc(v.Figures, func(a, b Figure) bool { return a.Name == b.Name && a.Subject == b.Subject })
	worst, ok := alarm.Worst(active)
	switch {
	case ok:
		v.Status, v.Reason, v.Alarm = worst.Severity, worst.Message, &worst
	case !svc.probed:
		v.Reason = "The indicators have not been read yet."
	default:
		v.Reason = svc.unraised(serverTenant, tenant)
	}
	return v
}

// unraised is the reason of a verdict without an alarm: the worst figure outside of its healthy
// band, the first in the catalogue of equals, or that there is none. svc.mu is held.
func (svc *Service) unraised(keys ...graph.Tenant) string {
	reason, worst := "Every indicator is within its healthy band.", alarm.Healthy
	for _, i := range alarm.Catalogue {
		for _, key := range keys {
			w := svc.scopes[key]
			if w == nil {
				continue
			}
			for _, k := range slices.SortedFunc(maps.Keys(w.state.Series), func(a, b alarm.Key) int { return cmp.Compare(a.Subject, b.Subject) }) {
				if text, band := w.state.Unraised(k); k.Indicator == i.Name && band.Worse(worst) {
					reason, worst = text, band
				}
			}
		}
	}
	return reason
}

// figures are the series of a scope. svc.mu is held.
func (w *watched) figures() (out []Figure) {
	for k, s := range w.state.Series {
		i, _ := alarm.Find(k.Indicator)
		if len(s.Points) == 0 {
			continue
		}
		last := s.Points[len(s.Points)-1]
		f := Figure{Indicator: i, Subject: k.Subject, Value: last.Value, At: last.At, Band: i.Band(last.Value), Points: w.canaryPoints(k.Indicator)}
		if f.Points == nil {
			f.Points = slices.Clone(s.Points)
		}
		out = append(out, f)
	}
	return out
}

// Gauge is an active alarm or the last value of an indicator, for metrics.
type Gauge struct {
	Indicator string
	Severity  alarm.Severity // of an alarm
	Value     float64        // of an indicator: the worst of its subjects and tenants; of alarms: their number
}

// Gauges returns the last value of every indicator, and the number of active alarms by indicator
// and severity.
func (svc *Service) Gauges() (indicators, alarms []Gauge) {
	svc.mu.Lock()
	defer svc.mu.Unlock()
	values := map[string]float64{}
	counts := map[Gauge]int{}
	for _, w := range svc.scopes {
		for k, s := range w.state.Series {
			if len(s.Points) == 0 {
				continue
			}
			i, _ := alarm.Find(k.Indicator)
			v := s.Points[len(s.Points)-1].Value
			if before, seen := values[k.Indicator]; seen && (v > before) == i.HigherIsBetter {
				v = before
			}
			values[k.Indicator] = v
		}
		for _, a := range w.state.Active {
			counts[Gauge{Indicator: a.Indicator, Severity: a.Severity}]++
		}
	}
	for _, i := range alarm.Catalogue {
		if v, seen := values[i.Name]; seen {
			indicators = append(indicators, Gauge{Indicator: i.Name, Value: v})
		}
		for _, s := range []alarm.Severity{alarm.Info, alarm.Warning, alarm.Critical} {
			g := Gauge{Indicator: i.Name, Severity: s}
			if g.Value = float64(counts[g]); s != alarm.Info || g.Value > 0 {
				alarms = append(alarms, g)
			}
		}
	}
	return indicators, alarms
}
