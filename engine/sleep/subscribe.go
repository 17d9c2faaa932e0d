package sleep

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Progress is the progress of a sleep.
type Progress struct {
	Report      graph.ID
	Phase       Phase
	Done, Total int    // steps of the phase
	Steps       []Step // done since the last message
}

// SleepProgress streams the progress of sleeps on all servers, until ctx ends. The progress
// of a running sleep is sent first.
func (svc *Service) SleepProgress(ctx context.Context, c workspace.Caller) (<-chan Progress, error) {
	t, err := svc.openWatched(ctx, c)
	if err != nil {
		return nil, err
	}
	return t.progress.Subscribe(ctx, svc.Ctx), nil
}

// MorningReports streams the report of every sleep that ends, on all servers: from now on,
// or first the stored ones after the report with the id after. A client that resumes after
// its last report misses none and receives none twice.
func (svc *Service) MorningReports(ctx context.Context, c workspace.Caller, after graph.ID) (<-chan Report, error) {
	t, err := svc.openWatched(ctx, c)
	if err != nil {
		return nil, err
	}
	if after != "" && !after.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	live := t.reports.Subscribe(ctx, svc.Ctx)
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

// storedThenLive sends the stored reports, then the live ones that were not among them.
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

// openWatched opens the tenant of a caller that sees all of it. If several servers use the
// store, it starts a watcher until ctx ends; a single server sends messages directly.
func (svc *Service) openWatched(ctx context.Context, c workspace.Caller) (*tenant, error) {
	t, err := svc.openWhole(ctx, c)
	if err != nil || svc.Exclusive() {
		return t, err
	}
	if err := svc.watch(ctx, t); err != nil {
		return nil, svc.PublicError(err)
	}
	return t, nil
}

// reportsAfter returns the reports of ended sleeps after a report, in order.
func (svc *Service) reportsAfter(ctx context.Context, t *tenant, after graph.ID) (reports []Report, err error) {
	err = t.View(ctx, func(r graph.Reader) error {
		reports = nil
		for note, err := range graph.AllNotes(r, graph.NoteSleep, after, false) {
			if err != nil {
				return err
			}
			stored, err := readReport(note)
			if err != nil {
				return err
			}
			if !stored.Report.CompletedAt.IsZero() {
				reports = append(reports, stored.Report)
			}
		}
		return nil
	})
	return reports, err
}

// Ended says that a sleep has ended, and nothing of what it did.
type Ended struct {
	Sleep     graph.ID // its report
	StartedAt time.Time
}

// SleepsEnded streams that sleeps have ended, on all servers: from now on, or, unless since is zero, first
// those that began at that instant or later. Unlike the reports it is for every caller.
func (svc *Service) SleepsEnded(ctx context.Context, c workspace.Caller, since time.Time) (<-chan Ended, error) {
	t, err := svc.tenants.Open(ctx, c)
	if err == nil && !svc.Exclusive() {
		if err = svc.watch(ctx, t); err != nil {
			err = svc.PublicError(err)
		}
	}
	if err != nil {
		return nil, err
	}
	reports := t.reports.Subscribe(ctx, svc.Ctx)
	if !since.IsZero() {
		stored, err := svc.reportsSince(ctx, t, since)
		if err != nil {
			return nil, svc.PublicError(err)
		}
		both := make(chan Report)
		go storedThenLive(ctx, stored, reports, both)
		reports = both
	}
	out := make(chan Ended)
	go func() {
		defer close(out)
		for r := range reports {
			select {
			case out <- Ended{r.ID, r.StartedAt}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, nil
}

// reportsSince returns the reports of ended sleeps that began at an instant or later, in order.
func (svc *Service) reportsSince(ctx context.Context, t *tenant, since time.Time) (reports []Report, err error) {
	err = svc.Store.View(ctx, t.Scope.Whole(), func(r graph.Reader) error {
		reports = nil
		for note, err := range graph.AllNotes(r, graph.NoteSleep, "", true) {
			if err != nil {
				return err
			}
			stored, err := readReport(note)
			if err != nil {
				return err
			}
			if stored.Report.StartedAt.Before(since) {
				return nil
			}
			if !stored.Report.CompletedAt.IsZero() {
				reports = append(reports, stored.Report)
			}
		}
		return nil
	})
	slices.Reverse(reports)
	return reports, err
}
