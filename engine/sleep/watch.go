package sleep

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// watchInterval is the interval between polls of a watcher. Sleeps of this server wake it
// earlier.
const watchInterval = time.Second

// watchers tracks the subscriptions to a tenant's sleeps.
type watchers struct {
	mu      sync.Mutex
	count   int
	stop    context.CancelFunc
	stopped chan struct{} // closed after the watcher has ended
	wake    chan struct{} // nil: there was no subscription yet
}

// notify wakes the watcher.
func (w *watchers) notify() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default: // it is already awake, or there is none
	}
}

// watch runs a watcher of the tenant's sleeps until ctx ends.
func (svc *Service) watch(ctx context.Context, t *tenant) error {
	w := &t.watchers
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count == 0 {
		if w.stopped != nil {
			<-w.stopped
		}
		s := &watcher{svc: svc, t: t}
		if err := s.begin(ctx); err != nil {
			return err
		}
		watching, stop := context.WithCancel(svc.Ctx)
		wake, stopped := make(chan struct{}, 1), make(chan struct{})
		err := svc.Spawn(func() {
			defer close(stopped)
			s.run(watching, wake)
		})
		if err != nil {
			stop()
			return err
		}
		w.stop, w.wake, w.stopped = stop, wake, stopped
	}
	w.count++
	context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.count--; w.count == 0 {
			w.stop()
		}
	})
	return nil
}

// watcher reports the sleeps of all servers on a store with several servers. All progress
// of a sleep is in the store: the checkpoint has its position, the undo notes have its
// steps, the report has its end. The watcher polls them while there are subscriptions and
// publishes the news since the last poll. No event is lost or sent twice, whichever server
// sleeps and whichever is down. ADR 31.
type watcher struct {
	svc *Service
	t   *tenant

	lastEnded graph.ID // the last report that has ended
	running   runState // the running sleep; the zero value: none
}

// runState is the published state of a running sleep.
type runState struct {
	report graph.ID
	at     time.Time // instant of its cycle
	phase  int
	plans  int
	done   int
	undo   int // number of undo notes that were read
}

// begin reads the present state. Later changes are published relative to it.
func (s *watcher) begin(ctx context.Context) error {
	return s.t.View(ctx, func(r graph.Reader) error {
		last, err := lastEndedReport(r)
		if err != nil {
			return err
		}
		s.lastEnded = last
		current, err := readCheckpoint(r)
		if err != nil || current == nil {
			return err
		}
		s.running = runStateOf(current)
		s.t.progress.Send(progressOf(current, nil), true)
		return nil
	})
}

// lastEndedReport returns the id of the newest report that has ended; empty if there is
// none.
func lastEndedReport(r graph.Reader) (graph.ID, error) {
	for before := graph.ID(""); ; {
		reports, err := listReports(r, before, true, 2)
		if err != nil || len(reports) == 0 {
			return "", err
		}
		for _, x := range reports {
			if before = x.Report.ID; !x.Report.CompletedAt.IsZero() {
				return before, nil
			}
		}
	}
}

func runStateOf(c *checkpoint) runState {
	return runState{report: c.ID, at: c.At, phase: c.Phase, plans: len(c.Plans), done: c.Done, undo: c.UndoNotes}
}

// progressOf returns the progress of a cycle.
func progressOf(c *checkpoint, steps []Step) Progress {
	p := Progress{Report: c.ID, Phase: PhaseReport, Total: 1, Steps: steps}
	if phases := phasesOf(c); c.Phase < len(phases) {
		p.Phase, p.Done, p.Total = phases[c.Phase].name, c.Done, 0
		if c.Phase < len(c.Plans) {
			p.Total = c.Plans[c.Phase].Steps
		}
	}
	return p
}

// run polls until ctx ends.
func (s *watcher) run(ctx context.Context, wake <-chan struct{}) {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-wake:
		}
		if err := s.poll(ctx); err != nil && ctx.Err() == nil {
			s.svc.Log.Warn("[SLEEP] watcher could not read the sleep reports; will retry", "tenant", s.t.Scope.Tenant, "error", err)
		}
	}
}

// poll reads the changes in one snapshot, then publishes them.
func (s *watcher) poll(ctx context.Context) error {
	var over []*storedReport
	var ends [][]Step // unpublished steps of each sleep in over
	var current *checkpoint
	var steps []Step
	next := *s
	err := s.t.View(ctx, func(r graph.Reader) (err error) {
		next, over, ends, steps = *s, nil, nil, nil
		if current, err = readCheckpoint(r); err != nil {
			return err
		}
		reports, err := listReports(r, s.lastEnded, false, graph.MaxPage)
		if err != nil {
			return err
		}
		for _, stored := range reports {
			if stored.Report.CompletedAt.IsZero() {
				continue
			}
			told := 0
			if stored.Report.ID == s.running.report {
				told = s.running.undo
			}
			rest, err := stepsOf(r, stored.At, stored.Report.ID, told, stored.UndoNotes)
			if err != nil {
				return err
			}
			over, ends, next.lastEnded = append(over, stored), append(ends, rest), stored.Report.ID
		}
		next.running = runState{}
		if current == nil {
			return nil
		}
		next.running = runStateOf(current)
		told := 0
		if current.ID == s.running.report {
			told = s.running.undo
		}
		steps, err = stepsOf(r, current.At, current.ID, told, current.UndoNotes)
		return err
	})
	if err != nil {
		return err
	}
	for i, kept := range over {
		s.t.progress.Send(Progress{Report: kept.Report.ID, Phase: PhaseReport, Done: 1, Total: 1, Steps: ends[i]}, true)
		s.t.reports.Send(kept.Report, false)
	}
	switch {
	case current == nil:
		s.t.progress.Clear()
	case next.running != s.running:
		s.t.progress.Send(progressOf(current, steps), true)
	}
	*s = next
	return nil
}

// stepsOf reads the steps in the undo notes of a sleep with numbers from from to before to.
// It skips deleted notes.
func stepsOf(r graph.Reader, at time.Time, report graph.ID, from, to int) ([]Step, error) {
	var steps []Step
	for number := from; number < to; number++ {
		u, err := readUndo(r, at, report, number)
		if errors.Is(err, graph.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		steps = append(steps, u.Steps...)
	}
	return slices.Clip(steps), nil
}
