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

// Where several servers have the store open, who listens here hears of every server's
// sleeps. All that is told of a sleep stands in the store: its cycle says where it is, its
// notes of undoing which steps it took, its report that it ended. So a watcher reads them,
// as long as somebody listens, and tells what is new since it last looked: nothing is lost
// and nothing told twice, whoever sleeps and whatever else is away. ADR 31.

// watchEvery is how often a watcher looks; this server's own sleeps wake it up.
const watchEvery = time.Second

// watchers is who listens to the sleeps of a tenant.
type watchers struct {
	mu      sync.Mutex
	count   int
	stop    context.CancelFunc
	stopped chan struct{} // closed when the last watcher has ended
	wake    chan struct{} // nil: nobody ever listened
}

// nudge lets a watcher look now.
func (w *watchers) nudge() {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default: // it is awake already, or nobody listens
	}
}

// watch lets a tenant's sleeps be watched until ctx ends, from now on.
func (svc *Service) watch(ctx context.Context, t *tenant) error {
	w := &t.sleep.watchers
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count == 0 {
		if w.stopped != nil {
			<-w.stopped
		}
		s := &sleepWatch{svc: svc, t: t}
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
type sleepWatch struct {
	svc *Service
	t   *tenant

	ended graph.ID // the last report that has ended
	under sight    // of the sleep under way; the zero value: none
}

// sight is what is known of a sleep under way.
type sight struct {
	report graph.ID
	at     time.Time // instant of its cycle
	phase  int
	plans  int
	done   int
	undo   int // notes of undoing that were read
}

// begin looks where things stand: what is new is counted from here.
func (s *sleepWatch) begin(ctx context.Context) error {
	return s.t.View(ctx, func(r graph.Reader) error {
		last, err := lastEnded(r)
		if err != nil {
			return err
		}
		s.ended = last
		under, err := readCycle(r)
		if err != nil || under == nil {
			return err
		}
		s.under = sightOf(under)
		s.t.sleep.progress.say(progressOf(under, nil), true)
		return nil
	})
}

// lastEnded is the newest report that has ended; empty: there is none.
func lastEnded(r graph.Reader) (graph.ID, error) {
	for before := graph.ID(""); ; {
		notes, err := r.Notes(graph.NoteSleep, before, true, 2)
		if err != nil || len(notes) == 0 {
			return "", err
		}
		for _, note := range notes {
			kept, err := readReport(note)
			if err != nil || !kept.Report.CompletedAt.IsZero() {
				return note.ID, err
			}
			before = note.ID
		}
	}
}

func sightOf(c *checkpoint) sight {
	return sight{report: c.ID, at: c.At, phase: c.Phase, plans: len(c.Plans), done: c.Done, undo: c.Undo}
}

// progressOf is how far a cycle is.
func progressOf(c *checkpoint, steps []SleepStep) SleepProgress {
	p := SleepProgress{Report: c.ID, Phase: PhaseReport, Total: 1, Steps: steps}
	if phases := phasesOf(c.Report.Kind); c.Phase < len(phases) {
		p.Phase, p.Done, p.Total = phases[c.Phase].name, c.Done, 0
		if c.Phase < len(c.Plans) {
			p.Total = c.Plans[c.Phase].Steps
		}
	}
	return p
}

// run looks again and again until ctx ends.
func (s *sleepWatch) run(ctx context.Context, wake <-chan struct{}) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-wake:
		}
		if err := s.look(ctx); err != nil && ctx.Err() == nil {
			s.svc.Log.Warn("[SLEEP] sleeps can't be watched now; will look again", "tenant", s.t.Scope.Tenant, "error", err)
		}
	}
}

// look reads what is new on one snapshot, then tells it.
func (s *sleepWatch) look(ctx context.Context) error {
	var over []reportNote
	var ends [][]SleepStep // steps of those that were not told yet
	var under *checkpoint
	var steps []SleepStep
	next := *s
	err := s.t.View(ctx, func(r graph.Reader) (err error) {
		next, over, ends, steps = *s, nil, nil, nil
		if under, err = readCycle(r); err != nil {
			return err
		}
		notes, err := r.Notes(graph.NoteSleep, s.ended, false, graph.MaxPage)
		if err != nil {
			return err
		}
		for _, note := range notes {
			kept, err := readReport(note)
			if err != nil {
				return err
			}
			if kept.Report.CompletedAt.IsZero() {
				continue
			}
			told := 0
			if kept.Report.ID == s.under.report {
				told = s.under.undo
			}
			rest, err := stepsOf(r, kept.At, kept.Report.ID, told, kept.Undo)
			if err != nil {
				return err
			}
			over, ends, next.ended = append(over, *kept), append(ends, rest), note.ID
		}
		next.under = sight{}
		if under == nil {
			return nil
		}
		next.under = sightOf(under)
		told := 0
		if under.ID == s.under.report {
			told = s.under.undo
		}
		steps, err = stepsOf(r, under.At, under.ID, told, under.Undo)
		return err
	})
	if err != nil {
		return err
	}
	for i, kept := range over {
		s.t.sleep.progress.say(SleepProgress{Report: kept.Report.ID, Phase: PhaseReport, Done: 1, Total: 1, Steps: ends[i]}, true)
		s.t.sleep.reports.say(kept.Report, false)
	}
	switch {
	case under == nil:
		s.t.sleep.progress.quiet()
	case next.under != s.under:
		s.t.sleep.progress.say(progressOf(under, steps), true)
	}
	*s = next
	return nil
}

// stepsOf reads the steps of a sleep out of its notes of undoing, from one to before
// another. What can't be rolled back any more is not told.
func stepsOf(r graph.Reader, at time.Time, report graph.ID, from, to int) ([]SleepStep, error) {
	var steps []SleepStep
	for number := from; number < to; number++ {
		id, err := undoNote(at, report, number)
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
		var u struct{ Steps []SleepStep }
		if err := json.Unmarshal(note.Data, &u); err != nil {
			return nil, fmt.Errorf("%w: undo note: %w", graph.ErrIntegrity, err)
		}
		steps = append(steps, u.Steps...)
	}
	return slices.Clip(steps), nil
}

// reportsBehind are the reports of sleeps that ended behind one, in order.
func (svc *Service) reportsBehind(ctx context.Context, t *tenant, after graph.ID) (reports []SleepReport, err error) {
	err = t.View(ctx, func(r graph.Reader) error {
		reports = nil
		for {
			notes, err := r.Notes(graph.NoteSleep, after, false, graph.MaxPage)
			if err != nil || len(notes) == 0 {
				return err
			}
			for _, note := range notes {
				after = note.ID
				kept, err := readReport(note)
				if err != nil {
					return err
				}
				if !kept.Report.CompletedAt.IsZero() {
					reports = append(reports, kept.Report)
				}
			}
		}
	})
	return reports, err
}
