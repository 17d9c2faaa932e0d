package conflict

import (
	"testing"

	"pgregory.net/rapid"
)

func TestPredicateKeys(t *testing.T) {
	for p, want := range map[string]string{
		"lives_in": "liv in", "livesIn": "liv in", "LIVES_IN": "liv in", "lives in": "liv in",
		"42": "42", "0": "0", "住所": "住所", "يسكن": "يسكن", "": "", "_": "", "7_DAYS": "7 day",
	} {
		if got := predicateKey(p); got != want {
			t.Errorf("%q: %q, want %q", p, got, want)
		}
	}
}

// TestTriplesWithoutLettersAreCompared checks predicates, subjects and objects whose capitals and small letters are equal.
func TestTriplesWithoutLettersAreCompared(t *testing.T) {
	for _, x := range []string{"42", "住所", "7_8", "é", "ß", "İ", "🙂"} {
		a := Analyse(Statement{Text: "Kai lives in Tokyo.", Subject: "Kai", Predicate: x, Object: "Tokyo"})
		b := Analyse(Statement{Text: "Kai lives in Linz.", Subject: "Kai", Predicate: x, Object: "Linz"})
		if s := Compare(a, b).Score; s < 0 || s > 1 {
			t.Errorf("%q: %v", x, s)
		}
	}
}

// TestAnyTripleIsCompared compares statements with triples of any text.
func TestAnyTripleIsCompared(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9_. '-]{0,20}`))
		draw := func(name string) Statement {
			return Statement{Text: text.Draw(t, name), Subject: text.Draw(t, name+" subject"), Predicate: text.Draw(t, name+" predicate"), Object: text.Draw(t, name+" object")}
		}
		a, b := Analyse(draw("first")), Analyse(draw("second"))
		if s := Compare(a, b).Score; !(s >= 0 && s <= 1) {
			t.Errorf("score %v", s)
		}
	})
}
