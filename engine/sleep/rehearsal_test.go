package sleep_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
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
				to := s.To
				if v == engine.StepDistil {
					to = "" // a derived memory has no id before it is written
				}
				out = append(out, fmt.Sprint(s.Phase, slices.Sorted(slices.Values(s.From)), to))
			}
		}
		slices.Sort(out)
		return out
	}
	for _, v := range []engine.StepVerb{engine.StepStrengthen, engine.StepArchive, engine.StepMerge, engine.StepPromote, engine.StepEngrave, engine.StepDistil, engine.StepDream} {
		planned, done := of(dry.Planned, v), of(did, v)
		if len(planned) == 0 || !slices.Equal(planned, done) {
			t.Errorf("%s: planned %v, did %v", v, planned, done)
		}
	}
	figures := func(r *engine.SleepReport) string {
		return fmt.Sprint(r.Reinforced, r.Decayed, r.Pruned, r.Deduplicated, r.Promoted, r.Engraved, r.Dreamed, r.Recalled, r.Consolidated, r.Derived, r.InL1, r.Sparsified, r.TokensSaved, r.Balance, r.HealthBefore)
	}
	if figures(dry) != figures(wet) || math.Abs(*dry.HealthAfter-*wet.HealthAfter) > 1e-9 {
		t.Errorf("the dry run says\n%s, health %v, and the sleep\n%s, health %v", figures(dry), *dry.HealthAfter, figures(wet), *wet.HealthAfter)
	}
}
