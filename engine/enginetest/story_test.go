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

// action carries out one statement. It returns a refusal, the error of an engine verb that the
// story may expect, or an error that ends the story.
type action func(context.Context, *storyRun) error

// step is a parsed statement.
type step struct {
	statement
	action action
}

// expects reports whether a step is an expectation, and whether it expects an error.
func (s step) expects() (anything, anError bool) {
	if s.verb != "expect" {
		return false, false
	}
	return true, len(s.rest) > 0 && s.rest[0].text == "error"
}

// refusal is the error of an engine verb.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// storyRun is the state of a running story.
type storyRun struct {
	world   *World
	steps   []step
	current int // index of the current step

	ids      map[string]graph.ID
	marks    map[string]time.Time
	states   map[string]string
	presents map[string]string // of the same names
	reports  map[string]graph.ID

	// Results of the last verb of each kind.
	refused      error
	remembered   *engine.RememberResult
	found        *engine.SearchResult
	facts        []engine.ClaimView
	factsAsked   bool
	context      *prompt.Result
	adjudication *engine.Adjudication
	report       *engine.SleepReport

	skipCrashes bool // run without crashes
}

// Run runs a story and fails the test at the first statement that fails.
func Run(t *testing.T, file, text string) {
	t.Helper()
	if err := Play(t, file, text); err != nil {
		t.Fatal(err)
	}
}

// Play runs a story in its own world, which ends with the test. The error names file and line.
func Play(t testing.TB, file, text string) error {
	t.Helper()
	steps, err := parse(file, text)
	if err != nil {
		return err
	}
	return newPlay(t, steps, Options{}).run(t.Context(), len(steps))
}

// RunWithRemoteVectors runs a story in a world whose index holds no vectors. The story must
// pass there too.
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
	// Timers must not matter: reads apply expiry themselves.
	o.Sweep, o.Recess, o.SleepBatch = 24*time.Hour, NewFakeArchive(), 1
	w := With(t, o)
	return &storyRun{world: w, steps: steps, ids: map[string]graph.ID{}, marks: map[string]time.Time{}, states: map[string]string{}, presents: map[string]string{}, reports: map[string]graph.ID{}}
}

// run executes the first n steps.
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

// parse parses a story. An error names the line.
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
			return nil, &storyError{s.file, s.line, fmt.Errorf("unknown verb %q", s.verb)}
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

// nameOf is the name of a memory in the story; its id if it has none.
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
