package graph

import (
	"testing"

	"pgregory.net/rapid"
)

func TestTrustAtLeast(t *testing.T) {
	base := Trust{.8, ConsentExplicit, Internal}
	with := func(change func(*Trust)) Trust { x := base; change(&x); return x }
	for _, c := range []struct {
		name               string
		other              Trust
		atLeast, atMostToo bool // base at least other, other at least base
	}{
		{"equal", base, true, true},
		{"less authority", with(func(x *Trust) { x.Authority = .05 }), true, false},
		{"weaker consent", with(func(x *Trust) { x.Consent = ConsentImplicit }), true, false},
		{"no consent", with(func(x *Trust) { x.Consent = ConsentNone }), true, false},
		{"more sensitive", with(func(x *Trust) { x.Sensitivity = Restricted }), true, false},
		{"less sensitive", with(func(x *Trust) { x.Sensitivity = Public }), false, true},
		{"more authority and weaker consent", with(func(x *Trust) { x.Authority, x.Consent = .9, ConsentImplicit }), false, false},
	} {
		if got := base.AtLeast(c.other); got != c.atLeast {
			t.Errorf("%s: at least is %v", c.name, got)
		}
		if got := c.other.AtLeast(base); got != c.atMostToo {
			t.Errorf("%s: the other at least is %v", c.name, got)
		}
	}
}

// AtLeast is a partial order, and Least the greatest trust below two.
func TestTrustIsALattice(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) Trust {
		return Trust{rapid.SampledFrom([]float64{0, .05, .8, .95}).Draw(t, "authority"), rapid.SampledFrom(Consents).Draw(t, "consent"), rapid.SampledFrom(Sensitivities).Draw(t, "sensitivity")}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := draw.Draw(t, "a"), draw.Draw(t, "b"), draw.Draw(t, "c")
		least := a.Least(b)
		switch {
		case !a.AtLeast(a):
			t.Fatal("not reflexive")
		case a.AtLeast(b) && b.AtLeast(a) && a != b:
			t.Fatal("two trusts are at least each other and differ")
		case a.AtLeast(b) && b.AtLeast(c) && !a.AtLeast(c):
			t.Fatal("not transitive")
		case !a.AtLeast(least) || !b.AtLeast(least):
			t.Fatalf("%v is above one of %v and %v", least, a, b)
		case a.AtLeast(c) && b.AtLeast(c) && !least.AtLeast(c):
			t.Fatalf("%v is below both of %v and %v, but not below %v", c, a, b, least)
		}
	})
}
