package sleep

import (
	"cmp"
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Status is the state of a tenant's consolidation.
type Status struct {
	Running       *Report // nil: no sleep is running
	Phase         Phase   // of the running sleep
	Done, Total   int
	Interrupted   bool      // a sleep was interrupted, and the next one resumes it
	Last          *Report   // nil: there was no sleep
	NextScheduled time.Time // zero: no automatic sleeps
	ActiveL1      int       // ACTIVE memories in L1
	PressureAt    int       // ActiveL1 above which pressure starts a sleep
}

// SleepStatus returns the state of consolidation in the caller's tenant.
func (svc *Service) SleepStatus(ctx context.Context, c workspace.Caller) (*Status, error) {
	t, err := svc.openWhole(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	s := &Status{}
	var previous lastSleep
	err = t.View(ctx, func(r graph.Reader) error {
		if _, err := lifecycle.ReadSetting(r, lastSleepSetting, &previous); err != nil {
			return err
		}
		current, err := readCheckpoint(r)
		if err != nil {
			return err
		}
		if current != nil {
			s.Running = &current.Report
			s.Done = current.Done
			if phases := phasesOf(current); current.Phase < len(phases) {
				s.Phase = phases[current.Phase].name
			} else {
				s.Phase = PhaseReport
			}
			if len(current.Plans) > current.Phase {
				s.Total = current.Plans[current.Phase].Steps
			}
			s.Interrupted = current.Holder == "" || (current.Holder != svc.Holder && (svc.Exclusive() || !current.LeaseUntil.After(svc.Now())))
			if s.Interrupted {
				s.Running = nil
			}
		}
		reports, err := listReports(r, "", true, 2)
		if err != nil {
			return err
		}
		for _, stored := range reports {
			if !stored.Report.CompletedAt.IsZero() {
				s.Last = &stored.Report
				break
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	now := svc.Now()
	if svc.options.Automatic != nil {
		s.PressureAt = svc.options.Automatic.Pressure
		s.NextScheduled = svc.options.Automatic.NextAt(cmp.Or(previous.DeepAt, now))
		if s.NextScheduled.Before(now) {
			s.NextScheduled = now // it is overdue
		}
	}
	svc.Index.Docs(t.Scope, func(d *index.Doc) bool {
		if at, ok := graph.StateAt(d.History, d.ExpiresAt, now); ok && at.Status == graph.Active && at.Tier == graph.L1 {
			s.ActiveL1++
		}
		return true
	})
	return s, nil
}
