package rank

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

func near(t testing.TB, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// list returns the parts in the order of the API.
func (p Parts) list() []float64 {
	return []float64{p.Semantic, p.Keyword, p.Recency, p.Importance, p.Project, p.Entity, p.Task}
}

func ptr(v float64) *float64 { return &v }

func TestWeightsByMode(t *testing.T) {
	for mode, raw := range map[Mode]Parts{
		Base:    {0.35, 0.20, 0.15, 0.10, 0.10, 0.05, 0.05}, // sum 1
		Answer:  {0.45, 0.25, 0.10, 0.10, 0.10, 0.05, 0},    // sum 1.05
		Manager: {0.15, 0.20, 0.25, 0.10, 0.20, 0.15, 0.15}, // sum 1.2
	} {
		sum := map[Mode]float64{Base: 1, Answer: 1.05, Manager: 1.2}[mode]
		w, err := WeightsFor(mode, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range w.list() {
			near(t, string(mode), got, raw.list()[i]/sum)
		}
	}
}

func TestOverrides(t *testing.T) {
	w, err := WeightsFor(Base, &Overrides{Semantic: ptr(0), Keyword: ptr(0), Recency: ptr(0), Importance: ptr(0), Project: ptr(0), Entity: ptr(0), Task: ptr(7)})
	if err != nil || w != (Parts{Task: 1}) {
		t.Errorf("task alone: %+v, %v", w, err)
	}
	w, err = WeightsFor(Answer, &Overrides{Keyword: ptr(0.2)})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the one that was set", w.Keyword, 0.2)
	near(t, "one that was not", w.Semantic, 0.45)
}

func TestWeightsRefuse(t *testing.T) {
	zero := ptr(0)
	for _, c := range []struct {
		field string
		mode  Mode
		o     *Overrides
	}{
		{"mode", "", nil}, {"mode", "answer", nil},
		{"weights.semantic", Base, &Overrides{Semantic: ptr(-1e-9)}},
		{"weights.keyword", Base, &Overrides{Keyword: ptr(math.NaN())}},
		{"weights.recency", Base, &Overrides{Recency: ptr(math.Inf(1))}},
		{"weights.importance", Base, &Overrides{Importance: ptr(math.Inf(-1))}},
		{"weights.project", Base, &Overrides{Project: ptr(-3)}},
		{"weights.entity", Base, &Overrides{Entity: ptr(-3)}},
		{"weights.task", Base, &Overrides{Task: ptr(-3)}},
		{"weights", Base, &Overrides{zero, zero, zero, zero, zero, zero, zero}},
		{"weights", Answer, &Overrides{Semantic: zero, Keyword: zero, Recency: zero, Importance: zero, Project: zero, Entity: zero}}, // task is 0 in ANSWER
		{"weights", Base, &Overrides{Semantic: ptr(math.MaxFloat64), Keyword: ptr(math.MaxFloat64)}},
	} {
		w, err := WeightsFor(c.mode, c.o)
		var e *graph.Error
		if !errors.As(err, &e) || e.Field != c.field || e.Code != graph.CodeInvalidRequest {
			t.Errorf("%s: %+v, %v", c.field, w, err)
		}
		if w != (Parts{}) {
			t.Errorf("%s: weights %+v beside an error", c.field, w)
		}
	}
}

// Accepted weights sum to 1, and a score with them is in [0,1].
func TestWeightsSumToOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		maybe := func(name string) *float64 {
			if !rapid.Bool().Draw(t, name+" set") {
				return nil
			}
			v := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 5e-324, 1e-300, 1e300, 1e-17})).Draw(t, name)
			return &v
		}
		o := &Overrides{Semantic: ptr(rapid.SampledFrom([]float64{5e-324, 1e-300, 0.3, 1e300}).Draw(t, "semantic"))}
		o.Keyword, o.Recency, o.Importance, o.Project, o.Entity, o.Task = maybe("k"), maybe("r"), maybe("i"), maybe("p"), maybe("e"), maybe("t")
		w, err := WeightsFor(rapid.SampledFrom([]Mode{Base, Answer, Manager}).Draw(t, "mode"), o)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, x := range w.list() {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("weight %v in %+v", x, w)
			}
			sum += x
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("weights sum to %v", sum)
		}
		unit := rapid.Float64Range(0, 1)
		p := Parts{unit.Draw(t, "a"), unit.Draw(t, "b"), unit.Draw(t, "c"), unit.Draw(t, "d"), unit.Draw(t, "e"), unit.Draw(t, "f"), unit.Draw(t, "g")}
		if s := Weighted(p, w); s < 0 || s > 1+1e-12 {
			t.Fatalf("score %v", s)
		}
	})
}

func TestSmallestPositiveWeight(t *testing.T) {
	zero := ptr(0)
	w, err := WeightsFor(Base, &Overrides{ptr(math.SmallestNonzeroFloat64), zero, zero, zero, zero, zero, zero})
	if err != nil || w != (Parts{Semantic: 1}) {
		t.Errorf("%+v, %v", w, err)
	}
}

func TestWeighted(t *testing.T) {
	p := Parts{Semantic: 0.8, Keyword: 0.5, Recency: 1, Importance: 0.6, Project: 1, Entity: 0.25, Task: 0.5}
	w, err := WeightsFor(Base, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "score", Weighted(p, w), 0.28+0.1+0.15+0.06+0.1+0.0125+0.025)
	near(t, "all ones", Weighted(Parts{1, 1, 1, 1, 1, 1, 1}, w), 1)
	near(t, "nothing", Weighted(Parts{}, w), 0)
}
