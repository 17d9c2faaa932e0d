package enginetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// action is what one statement does. The error is either that of a verb of the engine,
// which the story may expect (a refusal), or the end of the story.
type action func(context.Context, *storyRun) error

// step is a statement that was understood.
type step struct {
	statement
	action action
}

// expects reports whether a step is an expectation, and whether of an error.
func (s step) expects() (anything, anError bool) {
	if s.verb != "expect" {
		return false, false
	}
	return true, len(s.rest) > 0 && s.rest[0].text == "error"
}

// refusal is the error with which a verb of the engine ended.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// storyRun is a story under way.
type storyRun struct {
	world   *World
	steps   []step
	current int // the step under way

	ids      map[string]graph.ID
	marks    map[string]time.Time
	states   map[string]string
	presents map[string]string // of the same names
	reports  map[string]graph.ID

	// What the last verb of each kind answered.
	refused      error
	remembered   *engine.RememberResult
	found        *engine.SearchResult
	context      *prompt.Result
	adjudication *engine.Adjudication
	report       *engine.SleepReport

	skipCrashes bool // crashes are left out
}

// Run plays a story and fails the test at the first statement that does not hold.
func Run(t *testing.T, file, text string) {
	t.Helper()
	if err := Play(t, file, text); err != nil {
		t.Fatal(err)
	}
}

// Play plays a story in a world of its own that ends with the test. The error names
// file and line.
func Play(t testing.TB, file, text string) error {
	t.Helper()
	steps, err := parse(file, text)
	if err != nil {
		return err
	}
	return newPlay(t, steps, Options{}).run(t.Context(), len(steps))
}

// RunWithRemoteVectors plays a story in a world whose index keeps no vectors. It must hold all the
// same.
func RunWithRemoteVectors(t *testing.T, file, text string) {
	t.Helper()
	steps, err := parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Vectors: func(s graph.Store) graph.VectorSearcher { return RemoteVectors{s} }}
	if err := newPlay(t, steps, o).run(t.Context(), len(steps)); err != nil {
		t.Fatal(err)
	}
}

func newPlay(t testing.TB, steps []step, o Options) *storyRun {
	// Nothing happens by the machine's clock: reads know by themselves what has expired.
	o.Sweep, o.Recess, o.SleepBatch = 24*time.Hour, NewFakeArchive(), 1
	w := With(t, o)
	return &storyRun{world: w, steps: steps, ids: map[string]graph.ID{}, marks: map[string]time.Time{}, states: map[string]string{}, presents: map[string]string{}, reports: map[string]graph.ID{}}
}

// run carries out the first n steps.
func (p *storyRun) run(ctx context.Context, n int) error {
	for i, s := range p.steps[:n] {
		p.current = i
		if _, ofAnError := s.expects(); p.refused != nil && !ofAnError {
			before := p.steps[i-1]
			return &storyError{before.file, before.line, fmt.Errorf("%s failed: %w", before.verb, p.refused)}
		}
		err := s.action(ctx, p)
		var r *refusal
		switch {
		case errors.As(err, &r):
			p.refused = r.err
		case err != nil:
			return &storyError{s.file, s.line, err}
		}
	}
	if p.refused != nil && n > 0 {
		last := p.steps[n-1]
		return &storyError{last.file, last.line, fmt.Errorf("%s failed: %w", last.verb, p.refused)}
	}
	return nil
}

// parse understands a story or names the line that it does not understand.
func parse(file, text string) ([]step, error) {
	statements, err := split(file, text)
	if err != nil {
		return nil, err
	}
	known := names{}
	var steps []step
	for _, s := range statements {
		read, is := verbs[s.verb]
		if !is {
			return nil, &storyError{s.file, s.line, fmt.Errorf("there is no verb %q", s.verb)}
		}
		p := newArguments(s.rest, known)
		a := read(p)
		if err := p.finish(); err != nil {
			return nil, &storyError{s.file, s.line, fmt.Errorf("%s: %w", s.verb, err)}
		}
		steps = append(steps, step{s, a})
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("%s: the story is empty", file)
	}
	return steps, nil
}

func (p *storyRun) scope() graph.Scope { return graph.Scope{Tenant: p.world.Caller.Tenant} }

// nameOf is what the story calls a memory; its id where it has no name.
func (p *storyRun) nameOf(id graph.ID) string {
	best := ""
	for n, x := range p.ids {
		if x == id && (best == "" || n < best) {
			best = n
		}
	}
	if best == "" {
		return string(id)
	}
	return best
}
