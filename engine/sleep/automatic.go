package sleep

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/schedule"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Automatic configures when a tenant sleeps automatically.
type Automatic = schedule.Automatic

const (
	lightInterval   = time.Hour       // between light sleeps
	startupDelay    = time.Minute     // time after the start of a server before its first automatic sleep
	relatedEpisodes = 5               // new episodes on one subject
	repeatedTopic   = 3               // times
	firingsSetting  = "sleep.reasons" // holds the last firing of each cause
)

// cause is a condition that can start a sleep, and the sleep that it starts.
type cause struct {
	schedule.Cause
	trigger Trigger
	kind    Kind
}

// runAutomatic checks periodically whether a sleep is due, until Close.
func (svc *Service) runAutomatic(t *tenant) {
	if svc.options.Automatic == nil {
		return
	}
	a := *svc.options.Automatic
	svc.Every(a.CheckEvery, func() {
		if err := svc.sleepIfDue(audit.As(svc.Ctx, "sleep"), t, a, t.Opened); err != nil && !errors.Is(err, context.Canceled) && graph.CodeOf(err) != graph.CodeSleepRunning {
			svc.Log.Warn("[SLEEP] automatic sleep did not start; will retry at the next check", "error", err)
		}
	})
}

// sleepIfDue starts the sleep that is due, if any, and waits for its end.
func (svc *Service) sleepIfDue(ctx context.Context, t *tenant, a Automatic, opened time.Time) error {
	kind, trigger, err := svc.dueSleep(ctx, t, a, opened)
	if err != nil || kind == "" {
		return err
	}
	fresh := &checkpoint{Report: Report{Kind: kind, Trigger: trigger, BudgetKept: true}}
	if err := svc.addClusters(ctx, t, fresh); err != nil {
		return err
	}
	run, err := svc.start(ctx, t, fresh)
	if err != nil {
		return err
	}
	_, err = svc.wait(ctx, run)
	return err
}

// dueSleep returns the sleep that is due now; an empty kind means none.
func (svc *Service) dueSleep(ctx context.Context, t *tenant, a Automatic, opened time.Time) (kind Kind, trigger Trigger, err error) {
	now := svc.Now()
	if now.Sub(opened) < startupDelay {
		return "", "", nil
	}
	if err := t.Current(ctx); err != nil {
		return "", "", err
	}
	var previous lastSleep
	var current *checkpoint
	edges := map[string]schedule.Firing{}
	err = t.View(ctx, func(r graph.Reader) (err error) {
		if current, err = readCheckpoint(r); err != nil {
			return err
		}
		if _, err = lifecycle.ReadSetting(r, lastSleepSetting, &previous); err != nil {
			return err
		}
		_, err = lifecycle.ReadSetting(r, firingsSetting, &edges)
		return err
	})
	switch {
	case err != nil:
		return "", "", err
	case current != nil: // an interrupted sleep is resumed, whatever its kind
		return current.Report.Kind, current.Report.Trigger, nil
	case !a.NextAt(cmp.Or(previous.DeepAt, opened)).After(now):
		return DeepSleep, TriggerSchedule, nil
	}
	reasons, fresh, err := svc.causes(ctx, t, a, previous.At)
	if err != nil {
		return "", "", err
	}
	plain := make([]schedule.Cause, len(reasons))
	for i, r := range reasons {
		plain[i] = r.Cause
	}
	start, changed := schedule.FirstToFire(plain, edges, now)
	if changed {
		err = t.Update(ctx, func(tx graph.Tx) error { return lifecycle.PutSetting(tx, firingsSetting, edges) })
	}
	if start >= 0 {
		return reasons[start].kind, reasons[start].trigger, err
	}
	if fresh && now.Sub(cmp.Or(previous.At, opened)) >= lightInterval {
		return LightSleep, TriggerSchedule, err
	}
	return "", "", err
}

// causes measures the causes since the last sleep, and reports whether anything is new.
func (svc *Service) causes(ctx context.Context, t *tenant, a Automatic, since time.Time) ([]cause, bool, error) {
	groups, err := svc.groups.Latest(ctx, t.Tenant)
	if err != nil {
		return nil, false, err
	}
	l1, contradictions, related, fresh := 0, 0, 0, false
	episodes, growing := map[string]int{}, groups.Growing()
	svc.Index.Docs(t.Scope, func(d *index.Doc) bool {
		s := d.History[len(d.History)-1]
		if s.Status != graph.Active {
			return true
		}
		growing.Add(d)
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
	var most grouping.Growth
	for _, g := range growing.Owners() {
		most.New, most.Joined = max(most.New, g.New), max(most.Joined, g.Joined)
	}
	on := func(name string, trigger Trigger, kind Kind, threshold, level int) cause {
		return cause{schedule.Cause{Name: name, Threshold: threshold, Level: level}, trigger, kind}
	}
	return []cause{
		on("pressure", TriggerPressure, DeepSleep, a.Pressure+1, l1),
		on("contradiction", TriggerEvent, LightSleep, 1, contradictions),
		on("episodes", TriggerEvent, LightSleep, relatedEpisodes, related),
		on("asked", TriggerEvent, LightSleep, repeatedTopic, t.RecentTopics.Most()),
		on("dense", TriggerEvent, LightSleep, grouping.EnoughJoined, most.Joined),
		on("new", TriggerPressure, LightSleep, grouping.EnoughNew, most.New),
		on("saturated", TriggerPressure, DeepSleep, a.Pressure/10+1, most.Joined),
	}, fresh, nil
}
