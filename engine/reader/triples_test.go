package reader

import (
	"testing"

	"pgregory.net/rapid"
)

// TestAnyTripleIsRelated relates statements with triples of any text.
func TestAnyTripleIsRelated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9_. '-]{0,20}`))
		draw := func(name string) Statement {
			return Statement{Text: text.Draw(t, name), Speaker: "ana", Subject: text.Draw(t, name+" subject"), Predicate: text.Draw(t, name+" predicate"), Object: text.Draw(t, name+" object")}
		}
		if r := Relate(draw("first"), draw("second")); !(r.Certainty >= 0 && r.Certainty <= 1) || r.Veto == Failed {
			t.Errorf("%+v", r)
		}
	})
}
