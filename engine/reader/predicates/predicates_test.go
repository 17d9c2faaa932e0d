package predicates

import (
	"testing"

	"github.com/somnograph/somnograph/engine/reader/frames"
)

func TestNames(t *testing.T) {
	for _, x := range []struct{ predicate, name, slot string }{
		{"lives in", "residence", "residence"},
		{"lives_in", "residence", "residence"},
		{"residence", "residence", "residence"},
		{"coaches", "coach", "coach"},
		{"is a fan of", "fan of", "fan of"},
	} {
		if name, slot := Name(x.predicate), Slot(x.predicate); name != x.name || slot != x.slot {
			t.Errorf("%q: name %q, slot %q", x.predicate, name, slot)
		}
	}
	if Name("likes") == Name("hates") || Slot("likes") != Slot("hates") {
		t.Errorf("likes and hates: names %q and %q, slots %q and %q", Name("likes"), Name("hates"), Slot("likes"), Slot("hates"))
	}
}

func TestValued(t *testing.T) {
	for predicate, want := range map[string]frames.Cardinality{"lives_in": frames.One, "log level": frames.One, "likes": frames.Many, "owns": frames.Many} {
		if got := Valued(predicate); got != want {
			t.Errorf("%q: %d, want %d", predicate, got, want)
		}
	}
}

func TestUndeclared(t *testing.T) {
	for predicate, want := range map[string]bool{"paints": true, "likes": true, "coaches": false, "lives in": false, "is": false, "": false} {
		if _, _, ok := Undeclared(predicate); ok != want {
			t.Errorf("%q: %v, want %v", predicate, ok, want)
		}
	}
}
