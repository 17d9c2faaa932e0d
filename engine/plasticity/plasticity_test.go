package plasticity

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestScore(t *testing.T) {
	d := Defaults()
	for _, c := range []struct {
		name string
		s    Signals
		with Coefficients
		want float64
	}{
		{"nothing", Signals{}, d, 0},
		{"salience", Signals{Salience: 1}, d, 1},
		{"ten uses", Signals{Usage: 10}, d, 0.7193685818395112},
		{"authority", Signals{Authority: 1}, d, 0.5},
		{"conflict", Signals{Conflict: 1}, d, -0.7},
		{"surprise", Signals{Surprise: 1}, d, 0.4},
		{"a plain write", Signals{Salience: 0.5, Authority: 0.8, Surprise: 0.3}, d, 1.02},
		{"all of it", Signals{0.9, 4, 0.8, 0.25, 0.6}, d, 1.8478313737302302},
		{"other coefficients", Signals{0.9, 4, 0.8, 0.25, 0.6}, Coefficients{2, 0.1, 1, 1.5, 0.2}, 2.5059437912434102},
		{"uses below 0 are none", Signals{Salience: 0.4, Usage: -7}, d, 0.4},
	} {
		near(t, c.name, Score(c.s, c.with), c.want)
	}
}

func TestValidate(t *testing.T) {
	if err := Defaults().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		field  string
		lo, hi float64
		at     func(*Coefficients) *float64
	}{
		{"alpha", 0.5, 2, func(c *Coefficients) *float64 { return &c.Alpha }},
		{"beta", 0.1, 0.5, func(c *Coefficients) *float64 { return &c.Beta }},
		{"gamma", 0.3, 1, func(c *Coefficients) *float64 { return &c.Gamma }},
		{"lambda", 0.5, 1.5, func(c *Coefficients) *float64 { return &c.Lambda }},
		{"delta", 0.2, 0.8, func(c *Coefficients) *float64 { return &c.Delta }},
	} {
		for _, fine := range []float64{c.lo, c.hi, (c.lo + c.hi) / 2} {
			k := Defaults()
			*c.at(&k) = fine
			if err := k.Validate(); err != nil {
				t.Errorf("%s %v: %v", c.field, fine, err)
			}
		}
		for _, bad := range []float64{c.lo - 1e-9, c.hi + 1e-9, -1, math.NaN(), math.Inf(1), math.Inf(-1)} {
			k := Defaults()
			*c.at(&k) = bad
			var e *graph.Error
			if err := k.Validate(); !errors.As(err, &e) || e.Field != c.field || e.Code != graph.CodeInvalidRequest {
				t.Errorf("%s %v: %v", c.field, bad, err)
			}
		}
	}
}

func TestEngraves(t *testing.T) {
	for _, c := range []struct {
		days, sessions       int
		confidence, conflict float64
		want                 bool
	}{
		{5, 3, 0.85, 0.19, true}, {50, 8, 1, 0, true},
		{4, 4, 1, 0, false}, {5, 2, 1, 0, false}, {5, 3, 0.8499, 0, false}, {5, 3, 0.85, 0.2, false}, {0, 0, 0, 1, false},
	} {
		if got := GatesOpen(c.days, c.sessions, c.confidence, c.conflict); got != c.want {
			t.Errorf("%d days, %d sessions, confidence %v, conflict %v: %v", c.days, c.sessions, c.confidence, c.conflict, got)
		}
	}
}

func TestReinforce(t *testing.T) {
	near(t, "by η", Reinforce(0.5, Eta, 0), 0.525)
	near(t, "a surprise", Reinforce(0.5, Eta, 1), 0.55)
	near(t, "from nothing", Reinforce(0, Eta, 0.4), 0.07)
	near(t, "full", Reinforce(1, Eta, 1), 1)
	near(t, "never above 1", Reinforce(0.5, 0.9, 1), 1)
}

func TestConfidence(t *testing.T) {
	for _, c := range []struct {
		name   string
		conf   float64
		s      Signals
		single bool
		want   float64
	}{
		{"a day of use", 0.7, Signals{Salience: 0.6, Authority: 0.8, Usage: 1}, false, 0.8046573590279973},
		{"some conflict", 0.5, Signals{Salience: 0.2, Authority: 0.4, Conflict: 0.3}, false, 0.521},
		{"too much conflict only takes", 0.5, Signals{Salience: 1, Authority: 1, Usage: 100, Conflict: 0.31}, false, 0.4907},
		{"not above 1", 0.99, Signals{Salience: 1, Authority: 1, Usage: 1000}, false, 1},
		{"not below 0", 0.01, Signals{Conflict: 1}, false, 0},
		{"one source, capped", 0.7, Signals{Salience: 0.6, Authority: 0.4, Usage: 3}, true, 0.7},
		{"one source, below its cap", 0.5, Signals{Salience: 0.6, Authority: 0.8}, true, 0.57},
		{"a single source lowers a higher confidence", 0.95, Signals{Authority: 0.4}, true, 0.7},
	} {
		near(t, c.name, Confidence(c.conf, c.s, c.single), c.want)
	}
}

// A single source of low authority can't engrave a memory, however often it is used.
func TestSingleWeakSourceNeverEngraves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Signals{
			Authority: rapid.Float64Range(0, 0.699).Draw(t, "authority"),
			Salience:  rapid.Float64Range(0, 1).Draw(t, "salience"),
		}
		conf := rapid.Float64Range(0, 1).Draw(t, "confidence")
		for s.Usage = 0; s.Usage < 400; s.Usage++ {
			conf = Confidence(conf, s, true)
		}
		if GatesOpen(400, 8, conf, 0) {
			t.Fatalf("engraved with confidence %v on authority %v", conf, s.Authority)
		}
	})
}

func signals(t *rapid.T) Signals {
	unit := rapid.Float64Range(0, 1)
	return Signals{unit.Draw(t, "S"), rapid.IntRange(0, 1e6).Draw(t, "U"), unit.Draw(t, "A"), unit.Draw(t, "C"), unit.Draw(t, "Δ")}
}

func TestScoreRisesWithAllButConflict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, c := signals(t), Defaults()
		base := Score(s, c)
		up := func(change func(*Signals)) float64 { x := s; change(&x); return Score(x, c) }
		if up(func(x *Signals) { x.Salience += 0.1 }) <= base || up(func(x *Signals) { x.Usage++ }) <= base ||
			up(func(x *Signals) { x.Authority += 0.1 }) <= base || up(func(x *Signals) { x.Surprise += 0.1 }) <= base {
			t.Fatalf("a stronger signal did not raise %v", base)
		}
		if up(func(x *Signals) { x.Conflict += 0.1 }) >= base {
			t.Fatal("conflict did not lower the score")
		}
	})
}

func TestUpdatedValuesStayInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := signals(t)
		eta := rapid.Float64Range(0, 1).Draw(t, "η")
		if got := Reinforce(s.Salience, eta, s.Surprise); got < s.Salience || got > 1 {
			t.Fatalf("reinforced from %v to %v", s.Salience, got)
		}
		conf := rapid.Float64Range(0, 1).Draw(t, "confidence")
		got := Confidence(conf, s, rapid.Bool().Draw(t, "single"))
		if got < 0 || got > 1 {
			t.Fatalf("confidence %v", got)
		}
		if s.Conflict > MaxConflict && got > conf {
			t.Fatalf("confidence rose from %v to %v under conflict %v", conf, got, s.Conflict)
		}
	})
}

func ExampleScore() {
	s := Signals{Salience: 0.8, Authority: 0.8, Surprise: 0.6}
	fmt.Printf("at write %.2f\n", Score(s, Defaults()))
	s.Usage = 3
	score := Score(s, Defaults())
	fmt.Printf("used three times %.2f, promoted %v\n", score, score > PromoteAt)
	// Output:
	// at write 1.44
	// used three times 1.86, promoted true
}
