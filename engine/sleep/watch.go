package sleep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// watchEvery is how often a watcher looks; this server's own sleeps wake it up.
const watchInterval = time.Second

// watchers is who listens to the sleeps of a tenant.
type watchers struct {
	mu      sync.Mutex
	count   int
	stop    context.CancelFunc
	stopped chan struct{} // closed when the last watcher has ended
	wake    chan struct{} // nil: nobody ever listened
}

// nudge lets a watcher look now.
func (w *watchers) notify() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default: // it is awake already, or nobody listens
	}
}

// watch lets a tenant's sleeps be watched until ctx ends, from now on.
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

// sleepWatch is what a watcher has told so far.
type watcher struct {
	svc *Service
	t   *tenant

	lastEnded graph.ID // the last report that has ended
	running   runState // of the sleep under way; the zero value: none
}

// sight is what is known of a sleep under way.
type runState struct {
	report graph.ID
	at     time.Time // instant of its cycle
	phase  int
	plans  int
	done   int
	undo   int // notes of undoing that were read
}

// begin looks where things stand: what is new is counted from here.
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
		s.t.progress.send(progressOf(current, nil), true)
		return nil
	})
}

// lastEnded is the newest report that has ended; empty: there is none.
func lastEndedReport(r graph.Reader) (graph.ID, error) {
	for before := graph.ID(""); ; {
		notes, err := r.Notes(graph.NoteSleep, before, true, 2)
		if err != nil || len(notes) == 0 {
			return "", err
		}
		for _, note := range notes {
			stored, err := readReport(note)
			if err != nil || !stored.Report.CompletedAt.IsZero() {
				return note.ID, err
			}
			before = note.ID
		}
	}
}

func runStateOf(c *checkpoint) runState {
	return runState{report: c.ID, at: c.At, phase: c.Phase, plans: len(c.Plans), done: c.Done, undo: c.UndoNotes}
}

// progressOf is how far a cycle is.
func progressOf(c *checkpoint, steps []Step) Progress {
	p := Progress{Report: c.ID, Phase: PhaseReport, Total: 1, Steps: steps}
	if phases := phasesOf(c.Report.Kind); c.Phase < len(phases) {
		p.Phase, p.Done, p.Total = phases[c.Phase].name, c.Done, 0
		if c.Phase < len(c.Plans) {
			p.Total = c.Plans[c.Phase].Steps
		}
	}
	return p
}

// run looks again and again until ctx ends.
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
			s.svc.Log.Warn("[SLEEP] sleeps can't be watched now; will look again", "tenant", s.t.Scope.Tenant, "error", err)
		}
	}
}

// look reads what is new on one snapshot, then tells it.
func (s *watcher) poll(ctx context.Context) error {
	var over []storedReport
	var ends [][]Step // steps of those that were not told yet
	var current *checkpoint
	var steps []Step
	next := *s
	err := s.t.View(ctx, func(r graph.Reader) (err error) {
		next, over, ends, steps = *s, nil, nil, nil
		if current, err = readCheckpoint(r); err != nil {
			return err
		}
		notes, err := r.Notes(graph.NoteSleep, s.lastEnded, false, graph.MaxPage)
		if err != nil {
			return err
		}
		for _, note := range notes {
			stored, err := readReport(note)
			if err != nil {
				return err
			}
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
			over, ends, next.lastEnded = append(over, *stored), append(ends, rest), note.ID
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
		s.t.progress.send(Progress{Report: kept.Report.ID, Phase: PhaseReport, Done: 1, Total: 1, Steps: ends[i]}, true)
		s.t.reports.send(kept.Report, false)
	}
	switch {
	case current == nil:
		s.t.progress.clear()
	case next.running != s.running:
		s.t.progress.send(progressOf(current, steps), true)
	}
	*s = next
	return nil
}

// stepsOf reads the steps of a sleep out of its notes of undoing, from one to before
// another. What can't be rolled back any more is not told.
func stepsOf(r graph.Reader, at time.Time, report graph.ID, from, to int) ([]Step, error) {
	var steps []Step
	for number := from; number < to; number++ {
		id, err := undoNoteID(at, report, number)
		if err != nil {
			return nil, err
		}
		note, err := r.Note(graph.NoteUndo, id)
		if errors.Is(err, graph.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var u struct{ Steps []Step }
		if err := json.Unmarshal(note.Data, &u); err != nil {
			return nil, fmt.Errorf("%w: undo note: %w", graph.ErrIntegrity, err)
		}
		steps = append(steps, u.Steps...)
	}
	return slices.Clip(steps), nil
}
