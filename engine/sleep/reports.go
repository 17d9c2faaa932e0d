package sleep

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// SleepReports lists morning reports, newest first, behind after, at most first (0: 20),
// and reports whether there are more. One that runs is among them.
func (svc *Service) SleepReports(ctx context.Context, c workspace.Caller, first int, after graph.ID) ([]SleepReport, bool, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, false, err
	}
	first, err := workspace.PageSize("first", first, 20)
	if err != nil {
		return nil, false, err
	}
	var out []SleepReport
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		notes, err := r.Notes(graph.NoteSleep, after, true, min(first+1, graph.MaxPage))
		if err != nil {
			return err
		}
		for _, note := range notes {
			kept, err := readReport(note)
			if err != nil {
				return err
			}
			out = append(out, kept.Report)
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return out[:min(first, len(out))], len(out) > first, nil
}

// SleepReport answers one morning report; MEMORY_NOT_FOUND where there is none.
func (svc *Service) SleepReport(ctx context.Context, c workspace.Caller, id graph.ID) (*SleepReport, error) {
	var kept *reportNote
	err := svc.report(ctx, c, id, func(_ graph.Reader, r *reportNote) error { kept = r; return nil })
	if err != nil {
		return nil, err
	}
	return &kept.Report, nil
}

// report reads a report and what goes with it on one snapshot.
func (svc *Service) report(ctx context.Context, c workspace.Caller, id graph.ID, fn func(graph.Reader, *reportNote) error) error {
	if err := c.WholeTenant(); err != nil {
		return err
	}
	if !id.Valid() {
		return graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	return svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		note, err := r.Note(graph.NoteSleep, id)
		if errors.Is(err, graph.ErrNotFound) {
			return &graph.Error{Code: graph.CodeMemoryNotFound, Field: "id", Message: "no sleep has this id", Cause: err}
		}
		if err != nil {
			return err
		}
		kept, err := readReport(note)
		if err != nil {
			return err
		}
		return fn(r, kept)
	})
}

// maxSteps is how many steps SleepSteps lists.
const maxSteps = 1000

// SleepSteps lists what a sleep did to which memories, in order, at most first (0: 200, up
// to 1,000). They are kept as long as the sleep can be rolled back, 7 days.
func (svc *Service) SleepSteps(ctx context.Context, c workspace.Caller, report graph.ID, first int) ([]SleepStep, error) {
	first, err := workspace.PageSize("first", first, 200)
	if err != nil {
		return nil, err
	}
	first = min(first, maxSteps)
	var steps []SleepStep
	err = svc.report(ctx, c, report, func(r graph.Reader, kept *reportNote) error {
		// Of one that runs, the report does not know yet how many notes there are.
		for number := 0; len(steps) < first; number++ {
			id, err := undoNote(kept.At, report, number)
			if err != nil {
				return err
			}
			note, err := r.Note(graph.NoteUndo, id)
			if errors.Is(err, graph.ErrNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			var u struct{ Steps []SleepStep }
			if err := json.Unmarshal(note.Data, &u); err != nil {
				return fmt.Errorf("%w: undo note: %w", graph.ErrIntegrity, err)
			}
			steps = append(steps, u.Steps...)
		}
		return nil
	})
	return steps[:min(first, len(steps))], err
}

// SleepStatus says where the consolidation of the caller's tenant stands.
func (svc *Service) SleepStatus(ctx context.Context, c workspace.Caller) (*SleepStatus, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	t, err := svc.open(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	s := &SleepStatus{}
	err = t.View(ctx, func(r graph.Reader) error {
		under, err := readCycle(r)
		if err != nil {
			return err
		}
		if under != nil {
			s.Running = &under.Report
			s.Done = under.Done
			if phases := phasesOf(under.Report.Kind); under.Phase < len(phases) {
				s.Phase = phases[under.Phase].name
			} else {
				s.Phase = PhaseReport
			}
			if len(under.Plans) > under.Phase {
				s.Total = under.Plans[under.Phase].Steps
			}
			s.Interrupted = under.Holder == "" || (under.Holder != svc.Holder && (svc.Exclusive() || !under.Until.After(svc.Now())))
			if s.Interrupted {
				s.Running = nil
			}
		}
		notes, err := r.Notes(graph.NoteSleep, "", true, 2)
		if err != nil {
			return err
		}
		for _, note := range notes {
			kept, err := readReport(note)
			if err != nil {
				return err
			}
			if !kept.Report.CompletedAt.IsZero() {
				s.Last = &kept.Report
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
		var before last
		err = t.View(ctx, func(r graph.Reader) (err error) { _, err = lifecycle.ReadSetting(r, lastSetting, &before); return err })
		if err != nil {
			return nil, err
		}
		s.PressureAt = svc.options.Automatic.Pressure
		s.NextScheduled = svc.options.Automatic.next(cmp.Or(before.Night, now))
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
