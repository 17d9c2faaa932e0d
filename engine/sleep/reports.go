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
func (svc *Service) SleepReports(ctx context.Context, c workspace.Caller, first int, after graph.ID) ([]Report, bool, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, false, err
	}
	first, err := workspace.PageSize("first", first, 20)
	if err != nil {
		return nil, false, err
	}
	var out []Report
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		notes, err := r.Notes(graph.NoteSleep, after, true, min(first+1, graph.MaxPage))
		if err != nil {
			return err
		}
		for _, note := range notes {
			stored, err := readReport(note)
			if err != nil {
				return err
			}
			out = append(out, stored.Report)
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return out[:min(first, len(out))], len(out) > first, nil
}

// SleepReport answers one morning report; MEMORY_NOT_FOUND where there is none.
func (svc *Service) SleepReport(ctx context.Context, c workspace.Caller, id graph.ID) (*Report, error) {
	var stored *storedReport
	err := svc.report(ctx, c, id, func(_ graph.Reader, r *storedReport) error { stored = r; return nil })
	if err != nil {
		return nil, err
	}
	return &stored.Report, nil
}

// report reads a report and what goes with it on one snapshot.
func (svc *Service) report(ctx context.Context, c workspace.Caller, id graph.ID, fn func(graph.Reader, *storedReport) error) error {
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
		stored, err := readReport(note)
		if err != nil {
			return err
		}
		return fn(r, stored)
	})
}

// maxSteps is how many steps SleepSteps lists.
const maxListedSteps = 1000

// SleepSteps lists what a sleep did to which memories, in order, at most first (0: 200, up
// to 1,000). They are kept as long as the sleep can be rolled back, 7 days.
func (svc *Service) SleepSteps(ctx context.Context, c workspace.Caller, report graph.ID, first int) ([]Step, error) {
	first, err := workspace.PageSize("first", first, 200)
	if err != nil {
		return nil, err
	}
	first = min(first, maxListedSteps)
	var steps []Step
	err = svc.report(ctx, c, report, func(r graph.Reader, stored *storedReport) error {
		// Of one that runs, the report does not know yet how many notes there are.
		for number := 0; len(steps) < first; number++ {
			id, err := undoNoteID(stored.At, report, number)
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
			var u struct{ Steps []Step }
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
func (svc *Service) SleepStatus(ctx context.Context, c workspace.Caller) (*Status, error) {
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
	s := &Status{}
	err = t.View(ctx, func(r graph.Reader) error {
		current, err := readCheckpoint(r)
		if err != nil {
			return err
		}
		if current != nil {
			s.Running = &current.Report
			s.Done = current.Done
			if phases := phasesOf(current.Report.Kind); current.Phase < len(phases) {
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
		notes, err := r.Notes(graph.NoteSleep, "", true, 2)
		if err != nil {
			return err
		}
		for _, note := range notes {
			stored, err := readReport(note)
			if err != nil {
				return err
			}
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
		var previous lastSleep
		err = t.View(ctx, func(r graph.Reader) (err error) {
			_, err = lifecycle.ReadSetting(r, lastSleepSetting, &previous)
			return err
		})
		if err != nil {
			return nil, err
		}
		s.PressureAt = svc.options.Automatic.Pressure
		s.NextScheduled = svc.options.Automatic.nextAt(cmp.Or(previous.DeepAt, now))
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
