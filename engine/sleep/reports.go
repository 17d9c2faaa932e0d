package sleep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// storedReport is a stored morning report, with the data that a rollback needs. It does not
// hold the user of a consolidation, because an erasure would not find the name there.
type storedReport struct {
	Report    Report    `json:"report"`
	At        time.Time `json:"at"`
	UndoNotes int       `json:"undo"`
	Namespace string    `json:"namespace,omitempty"` // of a consolidation; empty: all namespaces
}

// putReport stores the report.
func putReport(tx graph.Tx, c *checkpoint) error {
	kept := storedReport{Report: c.Report, At: c.At, UndoNotes: c.UndoNotes}
	if c.Input != nil {
		kept.Namespace = c.Input.Namespace
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteSleep, ID: c.ID, At: c.Report.StartedAt, Data: data})
}

func readReport(n *graph.Note) (*storedReport, error) {
	var r storedReport
	if err := json.Unmarshal(n.Data, &r); err != nil {
		return nil, fmt.Errorf("%w: sleep report: %w", graph.ErrIntegrity, err)
	}
	return &r, nil
}

// listReports reads at most limit reports in the order of their ids, after the report with the
// id after.
func listReports(r graph.Reader, after graph.ID, descending bool, limit int) ([]*storedReport, error) {
	notes, err := r.Notes(graph.NoteSleep, after, descending, limit)
	if err != nil {
		return nil, err
	}
	reports := make([]*storedReport, len(notes))
	for i, note := range notes {
		if reports[i], err = readReport(note); err != nil {
			return nil, err
		}
	}
	return reports, nil
}

// SleepReports lists morning reports, newest first, after the report with the id after, at
// most first (0: 20). It also reports whether there are more. The report of a running sleep
// is included.
func (svc *Service) SleepReports(ctx context.Context, c workspace.Caller, first int, after graph.ID) ([]Report, bool, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, false, err
	}
	first, err := workspace.PageSize("first", first, 20)
	if err != nil {
		return nil, false, err
	}
	var stored []*storedReport
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		stored, err = listReports(r, after, true, min(first+1, graph.MaxPage))
		return err
	})
	if err != nil {
		return nil, false, err
	}
	var out []Report
	for _, x := range stored[:min(first, len(stored))] {
		out = append(out, x.Report)
	}
	return out, len(stored) > first, nil
}

// SleepReport returns one morning report; MEMORY_NOT_FOUND if there is none.
func (svc *Service) SleepReport(ctx context.Context, c workspace.Caller, id graph.ID) (*Report, error) {
	var stored *storedReport
	err := svc.report(ctx, c, id, func(_ graph.Reader, r *storedReport) error { stored = r; return nil })
	if err != nil {
		return nil, err
	}
	return &stored.Report, nil
}

// report reads a report, and passes it to fn with its snapshot.
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

// maxListedSteps is the maximum number of steps that SleepSteps lists.
const maxListedSteps = 1000

// SleepSteps lists the steps of a sleep in order, at most first (0: 200, up to 1,000).
// Steps are kept as long as the sleep can be rolled back, 7 days.
func (svc *Service) SleepSteps(ctx context.Context, c workspace.Caller, report graph.ID, first int) ([]Step, error) {
	first, err := workspace.PageSize("first", first, 200)
	if err != nil {
		return nil, err
	}
	first = min(first, maxListedSteps)
	var steps []Step
	err = svc.report(ctx, c, report, func(r graph.Reader, stored *storedReport) error {
		// The report of a running sleep does not hold the number of notes yet.
		for number := 0; len(steps) < first; number++ {
			u, err := readUndo(r, stored.At, report, number)
			if known, err := graph.Found(err); !known {
				return err
			}
			steps = append(steps, u.Steps...)
		}
		return nil
	})
	return steps[:min(first, len(steps))], err
}

// OwnersLeft returns the owners whose clustering the time of a sleep cut off or did not reach, at most first (0: 200),
// the one to go on with first. One that has no memory any more is left out.
func (svc *Service) OwnersLeft(ctx context.Context, c workspace.Caller, report graph.ID, first int) ([]grouping.Owner, error) {
	first, err := workspace.PageSize("first", first, maxListed)
	if err != nil {
		return nil, err
	}
	t, err := svc.openWhole(ctx, c)
	if err != nil {
		return nil, err
	}
	var owners []grouping.Owner
	err = svc.report(ctx, c, report, func(_ graph.Reader, r *storedReport) (err error) {
		owners, err = svc.groups.OwnersLeft(t.Tenant, r.At, r.Report.ID, r.Report.OwnersLeft)
		return err
	})
	return owners[:min(first, len(owners))], err
}

// lastLooked is the number of reports among which LastSleep looks for the last that ended.
const lastLooked = 8

// LastSleep returns how long the last sleep of a tenant took, and its budget; ok is false if there
// was none. A budget of 0 means none.
func (svc *Service) LastSleep(ctx context.Context, scope graph.Scope) (took, budget time.Duration, ok bool, err error) {
	err = svc.Store.View(ctx, scope, func(r graph.Reader) error {
		reports, err := listReports(r, "", true, lastLooked)
		for _, x := range reports {
			if x.Report.CompletedAt.IsZero() {
				continue
			}
			for _, p := range x.Report.Phases {
				took += p.Duration
			}
			budget, ok = x.Report.MaxTime, true
			return nil
		}
		return err
	})
	return took, budget, ok, err
}
