package sleep

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Automatic says when a tenant sleeps of itself. SPEC section 9.
type Automatic struct {
	// Hour and Minute are the time of day of the nightly deep sleep in Zone. The default is 02:00 UTC.
	Hour, Minute int
	Zone         *time.Location
	// Pressure is how many ACTIVE memories in L1 start a deep sleep. The default is 10,000.
	Pressure int
	// Look is how often it is looked whether a sleep is due. The default is 30 s.
	Look time.Duration
}

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
func (svc *Service) runAutomatic(t *tenant) {
	if svc.options.Automatic == nil {
		return
	}
	a := *svc.options.Automatic
	tick := time.NewTicker(a.Look)
	defer tick.Stop()
	for {
		select {
		case <-svc.Ctx.Done():
			return
		case <-tick.C:
		}
		if err := svc.sleepIfDue(svc.Ctx, t, a, t.Opened); err != nil && !errors.Is(err, context.Canceled) && graph.CodeOf(err) != graph.CodeSleepRunning {
			svc.Log.Warn("[SLEEP] an automatic sleep did not begin; will look again", "error", err)
		}
	}
}

// sleepIfDue starts the sleep that is due, and waits for it.
func (svc *Service) sleepIfDue(ctx context.Context, t *tenant, a Automatic, opened time.Time) error {
	kind, trigger, err := svc.due(ctx, t, a, opened)
	if err != nil || kind == "" {
		return err
	}
	n, err := svc.start(ctx, t, &checkpoint{Report: SleepReport{Kind: kind, Trigger: trigger, BudgetKept: true}})
	if err != nil {
		return err
	}
	_, err = svc.wait(ctx, n)
	return err
}

// due says which sleep is due now, if any.
func (svc *Service) due(ctx context.Context, t *tenant, a Automatic, opened time.Time) (kind SleepKind, trigger SleepTrigger, err error) {
	now := svc.Now()
	if now.Sub(opened) < settled {
		return "", "", nil
	}
	if err := t.Current(ctx); err != nil {
		return "", "", err
	}
	var before last
	var under *checkpoint
	edges := map[string]edge{}
	err = t.View(ctx, func(r graph.Reader) (err error) {
		if under, err = readCycle(r); err != nil {
			return err
		}
		if _, err = lifecycle.ReadSetting(r, lastSetting, &before); err != nil {
			return err
		}
		_, err = lifecycle.ReadSetting(r, edgesSetting, &edges)
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
	reasons, fresh := svc.reasons(t, a, before.At)
	start, changed := weigh(reasons, edges, now)
	if changed {
		err = t.Update(ctx, func(tx graph.Tx) error { return lifecycle.PutSetting(tx, edgesSetting, edges) })
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
func (svc *Service) reasons(t *tenant, a Automatic, since time.Time) ([]reason, bool) {
	l1, contradictions, related, fresh := 0, 0, 0, false
	episodes := map[string]int{}
	svc.Index.Docs(t.Scope, func(d *index.Doc) bool {
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
		if d.Conflict > lifecycle.ContestedAbove {
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
		{"asked", TriggerEvent, LightSleep, topicAsked, t.RecentTopics.Most()},
	}, fresh
}
