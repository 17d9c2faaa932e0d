package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Automatic says when a tenant sleeps of itself. SPEC section 9.
type Automatic struct {
	// At is the time of day of the nightly deep sleep in Zone. The default is 02:00 UTC.
	Hour, Minute int
	Zone         *time.Location
	// Pressure is how many ACTIVE memories in L1 start a deep sleep. The default is 10,000.
	Pressure int
	// Look is how often it is looked whether a sleep is due. The default is 30 s.
	Look time.Duration
}

// Nightly is the usual: a deep sleep at 02:00 UTC, a light one every hour that brought
// something, and what events and pressure ask for.
func Nightly() Automatic { return Automatic{Hour: 2} }

func (a Automatic) withDefaults() Automatic {
	if a.Zone == nil {
		a.Zone = time.UTC
	}
	a.Pressure, a.Look = cmp.Or(a.Pressure, 10_000), cmp.Or(a.Look, 30*time.Second)
	return a
}

const (
	lightEvery   = time.Hour       // between light sleeps
	settled      = time.Minute     // how long a server is up before it sleeps of itself
	edgeApart    = time.Hour       // between two sleeps for the same reason
	edgeGrowth   = 11              // tenths to which the reason must have grown meanwhile
	relatedCalls = 5               // new episodes on one subject
	topicAsked   = 3               // times
	topicsKept   = 10_000          // topics counted between two sleeps
	edgesSetting = "sleep.reasons" // when each reason last started a sleep
)

// next is the first nightly sleep strictly after an instant.
func (a Automatic) next(after time.Time) time.Time {
	local := after.In(a.Zone)
	for day := 0; ; day++ {
		at := time.Date(local.Year(), local.Month(), local.Day()+day, a.Hour, a.Minute, 0, 0, a.Zone)
		if at.After(after) {
			return at.UTC()
		}
	}
}

// edge is when a reason last started a sleep, and how strong it was then.
type edge struct {
	At    time.Time `json:"at"`
	Level int       `json:"level"`
	Below bool      `json:"below"` // it has been weaker than it must be since
}

// rises reports whether a reason starts a sleep now: on its rising edge, at least an hour
// after it last did, and where it never fell only once it has grown by a tenth.
func (e edge) rises(level, threshold int, now time.Time) bool {
	if level < threshold || now.Sub(e.At) < edgeApart {
		return false
	}
	return e.At.IsZero() || e.Below || level*10 >= e.Level*edgeGrowth
}

// reason is something that may start a sleep.
type reason struct {
	name      string
	trigger   SleepTrigger
	kind      SleepKind
	threshold int
	level     int
}

// runAutomatic looks again and again whether a sleep is due, until Close. The tenant was
// opened at the instant.
func (e *Engine) runAutomatic(t *tenant) {
	if e.automatic == nil {
		return
	}
	a := *e.automatic
	tick := time.NewTicker(a.Look)
	defer tick.Stop()
	for {
		select {
		case <-e.ctx.Done():
			return
		case <-tick.C:
		}
		if err := e.sleepIfDue(e.ctx, t, a, t.opened); err != nil && !errors.Is(err, context.Canceled) && graph.CodeOf(err) != graph.CodeSleepRunning {
			e.log.Warn("[SLEEP] an automatic sleep did not begin; will look again", "error", err)
		}
	}
}

// sleepIfDue starts the sleep that is due, and waits for it.
func (e *Engine) sleepIfDue(ctx context.Context, t *tenant, a Automatic, opened time.Time) error {
	kind, trigger, err := e.due(ctx, t, a, opened)
	if err != nil || kind == "" {
		return err
	}
	n, err := e.fallAsleep(ctx, t, &cycle{Report: SleepReport{Kind: kind, Trigger: trigger, BudgetKept: true}})
	if err != nil {
		return err
	}
	_, err = e.awaken(ctx, n)
	return err
}

// due says which sleep is due now, if any.
func (e *Engine) due(ctx context.Context, t *tenant, a Automatic, opened time.Time) (kind SleepKind, trigger SleepTrigger, err error) {
	now := e.Now()
	if now.Sub(opened) < settled {
		return "", "", nil
	}
	if err := t.Current(ctx); err != nil {
		return "", "", err
	}
	var before last
	var under *cycle
	edges := map[string]edge{}
	err = t.View(ctx, func(r graph.Reader) (err error) {
		if under, err = readCycle(r); err != nil {
			return err
		}
		if _, err = readSetting(r, lastSetting, &before); err != nil {
			return err
		}
		_, err = readSetting(r, edgesSetting, &edges)
		return err
	})
	switch {
	case err != nil:
		return "", "", err
	case under != nil: // interrupted: it goes on, whatever it was
		return under.Report.Kind, under.Report.Trigger, nil
	case !a.next(cmp.Or(before.Night, opened)).After(now):
		return DeepSleep, TriggerSchedule, nil
	}
	reasons, fresh := e.reasons(t, a, before.At)
	start, changed := weigh(reasons, edges, now)
	if changed {
		err = t.Update(ctx, func(tx graph.Tx) error { return putSetting(tx, edgesSetting, edges) })
	}
	if start != nil {
		return start.kind, start.trigger, err
	}
	if fresh && now.Sub(cmp.Or(before.At, opened)) >= lightEvery {
		return LightSleep, TriggerSchedule, err
	}
	return "", "", err
}

// weigh finds the first reason that starts a sleep and keeps the edges in step.
func weigh(reasons []reason, edges map[string]edge, now time.Time) (start *reason, changed bool) {
	for i, r := range reasons {
		was := edges[r.name]
		switch {
		case start == nil && was.rises(r.level, r.threshold, now):
			start = &reasons[i]
			edges[r.name], changed = edge{At: now, Level: r.level}, true
		case r.level < r.threshold && !was.Below && !was.At.IsZero():
			was.Below = true
			edges[r.name], changed = was, true
		}
	}
	return start, changed
}

// reasons measures what may start a sleep since the last one, and reports whether
// anything is new.
func (e *Engine) reasons(t *tenant, a Automatic, since time.Time) ([]reason, bool) {
	l1, contradictions, related, fresh := 0, 0, 0, false
	episodes := map[string]int{}
	e.index.Docs(t.scope, func(d *index.Doc) bool {
		s := d.History[len(d.History)-1]
		if s.Status != graph.Active {
			return true
		}
		if s.Tier == graph.L1 {
			l1++
		}
		if !d.CreatedAt.After(since) {
			return true
		}
		fresh = true
		if d.Conflict > contested {
			contradictions++
		}
		if d.Type == graph.Episodic && d.Subject != "" {
			k := d.Namespace + "\x00" + d.User + "\x00" + d.Subject
			episodes[k]++
			related = max(related, episodes[k])
		}
		return true
	})
	return []reason{
		{"pressure", TriggerPressure, DeepSleep, a.Pressure + 1, l1},
		{"contradiction", TriggerEvent, LightSleep, 1, contradictions},
		{"episodes", TriggerEvent, LightSleep, relatedCalls, related},
		{"asked", TriggerEvent, LightSleep, topicAsked, t.asked.most()},
	}, fresh
}

// topics counts what is asked for between two sleeps.
type topics struct {
	mu    sync.Mutex
	times map[string]int
	top   int
}

// ask counts a question that people ask: by the entities that it names, else by its words.
func (q *topics) ask(text string, entities []graph.ID) {
	topic := strings.ToLower(strings.Join(strings.Fields(text), " "))
	if len(entities) > 0 {
		topic = fmt.Sprint(entities)
	}
	if topic == "" {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.times == nil {
		q.times = map[string]int{}
	}
	if _, counted := q.times[topic]; !counted && len(q.times) >= topicsKept {
		return
	}
	q.times[topic]++
	q.top = max(q.top, q.times[topic])
}

// most is how often the topic that was asked for most was asked for.
func (q *topics) most() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.top
}

// clear begins anew, behind a sleep or an erasure.
func (q *topics) clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.times, q.top = nil, 0
}
