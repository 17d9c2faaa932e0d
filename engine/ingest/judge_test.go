package ingest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
)

// Two statements that contradict each other, which the rules do not detect.
const (
	doubtful = "The kiln of the pottery runs at 1240 degrees."
	rivalTo  = "Nobody may heat the pottery kiln beyond 1180 degrees, so that is how hot it gets."
	clear    = "The kiln of the pottery runs at 1180 degrees."
)

// doubt adjudicates a fact on which the rules are undecided, with the given model.
func doubt(t *testing.T, c *fixture.ChatModel, fact string) (*enginetest.World, *engine.Adjudication) {
	t.Helper()
	o := enginetest.Options{}
	if c != nil {
		o.Chat = c
	}
	w := enginetest.With(t, o)
	w.Remember(doubtful, func(in *engine.RememberInput) { in.Subject = "pottery kiln" })
	a, err := w.Adjudicate(t.Context(), w.Caller, engine.AdjudicateInput{
		Fact: fact, Subject: "pottery kiln", Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{{Source: "a", Weight: 0.5, Confidence: 0.5}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w, a
}

func TestJudgeChangesScoreWithinBounds(t *testing.T) {
	_, alone := doubt(t, nil, rivalTo)
	if alone.Decision != gate.Stored || alone.Conflict != 0 || alone.Judge != nil || len(alone.Degraded) != 0 {
		t.Fatalf("the rules alone find the contradiction: %+v", alone)
	}
	for _, x := range []struct {
		says     float64
		conflict float64
		want     gate.Decision
	}{{1, 0.4, gate.Rejected}, {0.9, 0.32, gate.Rejected}, {0.85, 0.28, gate.Stored}, {0.5, 0, gate.Stored}, {0, 0, gate.Stored}} {
		w, a := doubt(t, &fixture.ChatModel{Verdict: x.says}, rivalTo)
		if a.Decision != x.want || a.Judge == nil || a.Judge.Model != "counsel" || a.Judge.Said != x.says || a.Judge.Rules != 0 || a.Judge.Score-x.conflict > 1e-9 || x.conflict-a.Judge.Score > 1e-9 || a.Conflict != a.Judge.Score {
			t.Errorf("answer %v: %+v, %+v", x.says, a, a.Judge)
		}
		log, _, err := w.Reconsolidations(t.Context(), w.Caller, nil, "", 1, "")
		if err != nil || len(log) != 1 || log[0].Judge == nil || *log[0].Judge != *a.Judge {
			t.Errorf("the log: %+v, %v", log, err)
		}
	}
}

// The model is not asked where the rules are certain.
func TestJudgeIsNotAskedIfRulesAreCertain(t *testing.T) {
	for _, fact := range []string{clear, doubtful} {
		c := &fixture.ChatModel{Verdict: 0}
		_, a := doubt(t, c, fact)
		if len(c.Calls) != 0 || a.Judge != nil {
			t.Errorf("%q: asked %q", fact, c.Calls)
		}
		if contradicts := fact == clear; contradicts != (a.Decision == gate.Rejected) {
			t.Errorf("%q: %+v", fact, a)
		}
	}
}

func TestRulesDecideWithoutJudge(t *testing.T) {
	c := &fixture.ChatModel{Err: errors.New("away")}
	w, a := doubt(t, c, rivalTo)
	if a.Decision != gate.Stored || a.Judge != nil || len(a.Degraded) != 1 || a.Degraded[0] != engine.PartChat {
		t.Errorf("%+v", a)
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{a.Current.ID}}); err != nil || c.Purged == 0 {
		t.Errorf("an erasure left the judgement of the model: %v", err)
	}
}

// The gate waits 2 s for a model that never answers.
func TestSlowJudgeTimesOut(t *testing.T) {
	c := &slowJudge{}
	w := enginetest.With(t, enginetest.Options{Chat: c})
	w.Remember(doubtful, func(in *engine.RememberInput) { in.Subject = "pottery kiln" })
	a, err := w.Adjudicate(t.Context(), w.Caller, engine.AdjudicateInput{
		Fact: rivalTo, Subject: "pottery kiln", Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{{Source: "a", Weight: 0.5, Confidence: 0.5}},
	})
	if err != nil || a.Decision != gate.Stored || len(a.Degraded) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	if c.patience <= 0 || c.patience > 2*time.Second {
		t.Errorf("it was given %v", c.patience)
	}
}

// slowJudge fails with a timeout at once, and records the time that it was given.
type slowJudge struct {
	models.Chat
	patience time.Duration
}

func (s *slowJudge) Name() string { return "slow" }

func (s *slowJudge) Contradiction(ctx context.Context, _, _ string) (float64, error) {
	until, bounded := ctx.Deadline()
	if bounded {
		s.patience = time.Until(until)
	}
	return 0, context.DeadlineExceeded
}
