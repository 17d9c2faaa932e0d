package sleep_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// A dry run lists the steps of a sleep and changes nothing. The sleep after it takes those
// steps.
func TestDryRunListsItsSteps(t *testing.T) {
	l := fixture.NewLife(t)
	before := l.Digest()
	var dry, wet *engine.SleepReport
	var did []engine.SleepStep
	l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
		var err error
		if dry, err = e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: true, DryRun: true}); err != nil {
			t.Fatal(err)
		}
		if l.Digest() != before {
			t.Fatal("a dry run changed something")
		}
		if wet, err = e.Sleep(ctx, engine.Loopback(), fixture.DeepSleep); err != nil {
			t.Fatal(err)
		}
		if did, err = e.SleepSteps(ctx, engine.Loopback(), wet.ID, 1000); err != nil {
			t.Fatal(err)
		}
	})
	if len(wet.Planned) > 0 {
		t.Error("a sleep lists what it would do")
	}
	for _, s := range dry.Planned {
		if s.Why() == "" || len(s.From) == 0 && s.Verb != engine.StepSparsify {
			t.Errorf("%+v: why %q", s, s.Why())
		}
	}
	of := func(steps []engine.SleepStep, v engine.StepVerb) (out []string) {
		for _, s := range steps {
			if s.Verb == v {
				out = append(out, fmt.Sprint(s.Phase, slices.Sorted(slices.Values(s.From)), s.To))
			}
		}
		slices.Sort(out)
		return out
	}
	for _, v := range []engine.StepVerb{engine.StepArchive, engine.StepMerge} {
		planned, done := of(dry.Planned, v), of(did, v)
		if len(planned) == 0 || !slices.Equal(planned, done) {
			t.Errorf("%s: planned %v, did %v", v, planned, done)
		}
	}
	// A derived memory has no id before it is written.
	planned := map[graph.ID]bool{}
	for _, s := range dry.Planned {
		for _, id := range s.From {
			planned[id] = true
		}
	}
	for _, s := range did {
		for _, id := range s.From {
			if s.Verb == engine.StepDistil && !planned[id] {
				t.Errorf("%s was distilled, and no plan named it", id)
			}
		}
	}
}
