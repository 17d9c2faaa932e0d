package sleep

import (
	"context"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// SleepProgress is how far a sleep has come.
type Progress struct {
	Report      graph.ID
	Phase       Phase
	Done, Total int    // steps of the phase
	Steps       []Step // done since the last one
}

// SleepProgress streams how far sleeps have come, whichever server sleeps, until ctx ends.
// One that runs already is told first.
func (svc *Service) SleepProgress(ctx context.Context, c workspace.Caller) (<-chan Progress, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	t, err := svc.open(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	if err := svc.watchIfShared(ctx, t); err != nil {
		return nil, err
	}
	return t.progress.subscribe(ctx, svc.Ctx), nil
}

// MorningReports streams the report of every sleep that ends, whichever server slept: from
// now on, or those behind a report first. Who resumes behind the last one it had misses none
// and gets none twice.
func (svc *Service) MorningReports(ctx context.Context, c workspace.Caller, after graph.ID) (<-chan Report, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	if after != "" && !after.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	t, err := svc.open(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	if err := svc.watchIfShared(ctx, t); err != nil {
		return nil, err
	}
	live := t.reports.subscribe(ctx, svc.Ctx)
	if after == "" {
		return live, nil
	}
	stored, err := svc.reportsAfter(ctx, t, after)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	out := make(chan Report)
	go storedThenLive(ctx, stored, live, out)
	return out, nil
}

// resume hands on what is stored, then what comes in that was not among it.
func storedThenLive(ctx context.Context, stored []Report, live <-chan Report, out chan<- Report) {
	defer close(out)
	var last graph.ID
	send := func(r Report) bool {
		select {
		case out <- r:
			last = r.ID
			return true
		case <-ctx.Done():
			return false
		}
	}
	for _, r := range stored {
		if !send(r) {
			return
		}
	}
	for r := range live {
		if r.ID > last && !send(r) { // sleeps of a tenant end in the order of their ids
			return
		}
	}
}

// follow lets listeners hear of sleeps until ctx ends: those of this engine are told as
// they happen where it is alone, and else all are read from the store.
func (svc *Service) watchIfShared(ctx context.Context, t *tenant) error {
	if svc.Exclusive() {
		return nil
	}
	if err := svc.watch(ctx, t); err != nil {
		return svc.PublicError(err)
	}
	return nil
}

// reportsBehind are the reports of sleeps that ended behind one, in order.
func (svc *Service) reportsAfter(ctx context.Context, t *tenant, after graph.ID) (reports []Report, err error) {
	err = t.View(ctx, func(r graph.Reader) error {
		reports = nil
		for {
			notes, err := r.Notes(graph.NoteSleep, after, false, graph.MaxPage)
			if err != nil || len(notes) == 0 {
				return err
			}
			for _, note := range notes {
				after = note.ID
				stored, err := readReport(note)
				if err != nil {
					return err
				}
				if !stored.Report.CompletedAt.IsZero() {
					reports = append(reports, stored.Report)
				}
			}
		}
	})
	return reports, err
}
