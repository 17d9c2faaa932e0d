package evaluation

import (
	"math"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12 {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestScoreRecallByHand(t *testing.T) {
	s := ScoreRecall([]int{1, 2, 6, 11, 0})
	near(t, "at 1", s.At1, 1.0/5)
	near(t, "at 5", s.At5, 2.0/5)
	near(t, "at 10", s.At10, 3.0/5)
	near(t, "MRR", s.MRR, (1+0.5+1.0/6)/5)
	if s := ScoreRecall(nil); s != (RecallScore{}) {
		t.Errorf("of none: %+v", s)
	}
}

func TestScoreDriftByHand(t *testing.T) {
	s := ScoreDrift([]Injection{
		{Untouched: true, Asserted: true, Seen: true},
		{Untouched: true, Outranked: true, Floored: true, Asserted: true},
		{Untouched: true, Outranked: true, Labelled: true},
		{Outranked: true, Labelled: true}, // a changed belief is lost, however it is marked
	})
	near(t, "untouched", s.Untouched, 0.75)
	near(t, "answered", s.Answered, 0.25)
	near(t, "warned", s.Warned, 0.5)
	near(t, "seen", s.Seen, 0.5)
	near(t, "floored", s.Floored, 0.5)
	if s := ScoreDrift(nil); s != (DriftScore{}) {
		t.Errorf("of none: %+v", s)
	}
}

func TestScoreCorrectionByHand(t *testing.T) {
	near(t, "share", ScoreCorrection([]Corrected{
		{Applied: true, New: true},
		{Applied: true, New: true, OldAsNew: true},
		{Applied: true},
		{New: true},
	}), 0.25)
	near(t, "of none", ScoreCorrection(nil), 0)
}

func TestScoreRepeatByHand(t *testing.T) {
	near(t, "share", ScoreRepeat([]bool{true, false, true, true}), 0.75)
	near(t, "of none", ScoreRepeat(nil), 0)
}

func TestScoreNightsByHand(t *testing.T) {
	gold, noise := ScoreNights([]Remains{{true, true}, {true, false}, {false, true}, {false, false}, {false, false}, {false, false}}, 1)
	near(t, "gold", gold, 0.5)
	near(t, "noise", noise, 0.5) // one of four left, and one made of noise
	gold, noise = ScoreNights(nil, 0)
	near(t, "gold of none", gold, 0)
	near(t, "noise of none", noise, 0)
}

func TestScoreKeptByHand(t *testing.T) {
	near(t, "share", ScoreKept([]Kept{{3, 3}, {2, 0}, {0, 0}}), 0.6)
}

func TestRPrecisionByHand(t *testing.T) {
	hits := []bool{true, false, true, true}
	near(t, "of 2", RPrecision(hits, 2), 0.5)
	near(t, "of 4", RPrecision(hits, 4), 0.75)
	near(t, "fewer hits than r", RPrecision(hits, 6), 0.5)
	near(t, "nothing relevant", RPrecision(hits, 0), 1)
}

func TestScoreForgettingByHand(t *testing.T) {
	near(t, "moved", ScoreForgetting([]int{1, 3}, []int{1, 0}), 0.5)
	near(t, "moved up", ScoreForgetting([]int{0}, []int{10}), 1)
}

func TestScoreAgreementByHand(t *testing.T) {
	near(t, "share", ScoreAgreement([][]graph.ID{{"a", "b"}, {"c", "d"}}, [][]graph.ID{{"b", "a"}, {"x", "c"}}), 0.75)
}

func TestCosineByHand(t *testing.T) {
	near(t, "same way", cosine([]float32{1, 0}, []float32{5, 0}), 1)
	near(t, "half way", cosine([]float32{1, 0}, []float32{1, 1}), math.Sqrt(0.5))
	near(t, "nothing", cosine([]float32{0, 0}, []float32{1, 1}), 0)
}

func TestOverlapCountsContentWordsByTheirStems(t *testing.T) {
	for _, x := range []struct {
		question, text string
		without        []string
		want           float64
	}{
		{"Where does Marta live?", "Marta lives in Ghent", nil, 1},
		{"Where does Marta live?", "Marta lives in Ghent", []string{"Marta"}, 1},
		{"Which town does Marta call home?", "Marta lives in Ghent", nil, 0.25},
		{"Which town does Marta call home?", "Marta lives in Ghent", []string{"Marta"}, 0},
		{"What is Marta's city?", "Marta lives in Ghent", nil, 0.5},
		{"What is it?", "It is what it is", nil, 0},
	} {
		near(t, x.question, Overlap(x.question, x.text, x.without...), x.want)
	}
}

func TestContainsWholeWords(t *testing.T) {
	for _, x := range []struct {
		text, phrase string
		want         bool
	}{
		{"The code is 4471.", "4471", true}, {"The code is 44712", "4471", false}, {"on 14 May, at noon", "14 May", true},
		{"on 14 and in May", "14 May", false}, {"Marta's flat", "Marta", true}, {"anything", "", true},
	} {
		if got := contains(x.text, x.phrase); got != x.want {
			t.Errorf("contains(%q, %q) = %v", x.text, x.phrase, got)
		}
	}
}

func TestAnswersFor(t *testing.T) {
	view := func(id graph.ID, kind graph.SourceKind, text string) *engine.View {
		return &engine.View{Memory: &graph.Memory{ID: id, SourceKind: kind, Content: text}}
	}
	hits := []engine.Hit{
		{Memory: view("a", graph.FromUser, "Marta lives in Ghent")},
		{Memory: view("b", graph.FromConsolidation, "Marta lives in Turku")},
		{Memory: view("c", graph.FromConsolidation, "Marta, a glazier, lives in Ghent")},
		{Memory: view("d", graph.FromUser, "Marta lives in Ghent")},
	}
	// Another memory with the same text does not answer for a fact; a distilled one does.
	if got := rankOf(hits, "d", "Marta", "Ghent"); got != 3 {
		t.Errorf("rank %d, want 3", got)
	}
	if got := rankOf(hits, "x", "Marta", "Bergen"); got != 0 {
		t.Errorf("rank %d, want none", got)
	}
	byID := map[graph.ID]*engine.View{}
	put := func(v *engine.View, s graph.Status, into graph.ID) {
		v.State.Status, v.Consolidated = s, into
		byID[v.ID] = v
	}
	put(hits[0].Memory, graph.Active, "")
	put(hits[3].Memory, graph.Consolidated, "c")
	put(hits[2].Memory, graph.Active, "")
	put(view("e", graph.FromUser, "Marta has a kiln"), graph.Consolidated, "c")
	put(view("f", graph.FromUser, "Marta sings"), graph.Archived, "")
	for id, want := range map[graph.ID]bool{"a": true, "d": true, "e": false, "f": false, "none": false} {
		key := map[graph.ID]string{"e": "kiln"}[id]
		if key == "" {
			key = "Ghent"
		}
		if got := isKept(byID, id, key); got != want {
			t.Errorf("%s is held: %v, want %v", id, got, want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	for _, x := range []struct {
		value float64
		goal  Goal
		want  string
	}{
		{0.9, Goal{">=", 0.9}, "PASS"}, {0.89, Goal{">=", 0.9}, "SHORT"}, {0.9, Goal{">", 0.9}, "SHORT"}, {0.91, Goal{">", 0.9}, "PASS"},
		{0.05, Goal{"<=", 0.05}, "PASS"}, {0.06, Goal{"<=", 0.05}, "SHORT"}, {0, Goal{}, ""},
	} {
		if got := (Figure{Value: x.value, Goal: x.goal}).Verdict(); got != x.want {
			t.Errorf("%v against %+v: %q, want %q", x.value, x.goal, got, x.want)
		}
	}
}

func TestNovelPrecisionByHand(t *testing.T) {
	hits := []string{"The pump leaks.", "the pump leaks", "The pump leaks 4 litres.", "It rained.", "It rained on the pump."}
	near(t, "share", NovelPrecision(hits, []bool{true, true, true, false, true}), 3.0/5)
	near(t, "of none", NovelPrecision(nil, nil), 0)
}
