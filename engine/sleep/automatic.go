package sleep

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Automatic configures when a tenant sleeps automatically.
type Automatic struct {
	// Hour and Minute are the time of day of the nightly deep sleep in Zone. The default is 02:00 UTC.
	Hour, Minute int
	Zone         *time.Location
	// Pressure is the number of ACTIVE memories in L1 above which a deep sleep starts. A tenth of
	// it is the number of new memories in one dense cluster above which one does. The default is
	// 10,000.
	Pressure int
	// CheckEvery is the interval between checks whether a sleep is due. The default is 30 s.
	CheckEvery time.Duration
}

func (a Automatic) withDefaults() Automatic {
	if a.Zone == nil {
		a.Zone = time.UTC
	}
	a.Pressure, a.CheckEvery = cmp.Or(a.Pressure, 10_000), cmp.Or(a.CheckEvery, 30*time.Second)
	return a
}

const (
	lightInterval     = time.Hour       // between light sleeps
	startupDelay      = time.Minute     // time after the start of a server before its first automatic sleep
	minFiringInterval = time.Hour       // between two sleeps for the same cause
	refiringGrowth    = 11              // tenths of the level at the last firing at which a cause fires again
	relatedEpisodes   = 5               // new episodes on one subject, or new memories in one dense cluster
	denseAbove        = 0.85            // density of a cluster whose new memories probably repeat it
	repeatedTopic     = 3               // times
	firingsSetting    = "sleep.reasons" // holds the last firing of each cause
)

// nextAt returns the first nightly sleep strictly after an instant.
func (a Automatic) nextAt(after time.Time) time.Time {
	local := after.In(a.Zone)
	for day := 0; ; day++ {
		at := time.Date(local.Year(), local.Month(), local.Day()+day, a.Hour, a.Minute, 0, 0, a.Zone)
		if at.After(after) {
			return at.UTC()
		}
	}
}

// firing records when a cause last started a sleep, and its level then.
type firing struct {
	At    time.Time `json:"at"`
	Level int       `json:"level"`
	Below bool      `json:"below"` // the level has been below the threshold since
}

// firesAgain reports whether a cause starts a sleep now. It fires on a rising edge, at
// least an hour after its last firing. If the level never fell below the threshold, it must
// have grown by a tenth.
func (e firing) firesAgain(level, threshold int, now time.Time) bool {
	if level < threshold || now.Sub(e.At) < minFiringInterval {
		return false
	}
	return e.At.IsZero() || e.Below || level*10 >= e.Level*refiringGrowth
}

// cause is a condition that can start a sleep.
type cause struct {
	name      string
	trigger   Trigger
	kind      Kind
	threshold int
	level     int
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
	run, err := svc.start(ctx, t, &checkpoint{Report: Report{Kind: kind, Trigger: trigger, BudgetKept: true}})
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
	edges := map[string]firing{}
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
	case !a.nextAt(cmp.Or(previous.DeepAt, opened)).After(now):
		return DeepSleep, TriggerSchedule, nil
	}
	reasons, fresh, err := svc.causes(ctx, t, a, previous.At)
	if err != nil {
		return "", "", err
	}
	start, changed := firstToFire(reasons, edges, now)
	if changed {
		err = t.Update(ctx, func(tx graph.Tx) error { return lifecycle.PutSetting(tx, firingsSetting, edges) })
	}
	if start != nil {
		return start.kind, start.trigger, err
	}
	if fresh && now.Sub(cmp.Or(previous.At, opened)) >= lightInterval {
		return LightSleep, TriggerSchedule, err
	}
	return "", "", err
}

// firstToFire returns the first cause that starts a sleep, and updates the firings in edges.
func firstToFire(reasons []cause, edges map[string]firing, now time.Time) (start *cause, changed bool) {
	for i, r := range reasons {
		was := edges[r.name]
		switch {
		case start == nil && was.firesAgain(r.level, r.threshold, now):
			start = &reasons[i]
			edges[r.name], changed = firing{At: now, Level: r.level}, true
		case r.level < r.threshold && !was.Below && !was.At.IsZero():
			was.Below = true
			edges[r.name], changed = was, true
		}
	}
	return start, changed
}

// causes measures the causes since the last sleep, and reports whether anything is new.
func (svc *Service) causes(ctx context.Context, t *tenant, a Automatic, since time.Time) ([]cause, bool, error) {
	groups, err := svc.groups.Latest(ctx, t.Tenant)
	if err != nil {
		return nil, false, err
	}
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
	return []cause{
		{"pressure", TriggerPressure, DeepSleep, a.Pressure + 1, l1},
		{"contradiction", TriggerEvent, LightSleep, 1, contradictions},
		{"episodes", TriggerEvent, LightSleep, relatedEpisodes, related},
		{"asked", TriggerEvent, LightSleep, repeatedTopic, t.RecentTopics.Most()},
		{"dense", TriggerEvent, LightSleep, relatedEpisodes, groups.MostJoined(denseAbove)},
		{"saturated", TriggerPressure, DeepSleep, a.Pressure/10 + 1, groups.MostJoined(denseAbove)},
	}, fresh, nil
}
