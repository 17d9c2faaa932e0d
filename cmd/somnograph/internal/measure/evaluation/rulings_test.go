package evaluation

import (
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/gate"
)

func TestLabelledWorldsAreComplete(t *testing.T) {
	w, kept, err := ReadWorlds()
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Rulings) < 200 || len(w.Beliefs) < 5 || len(kept.Rulings) < 60 {
		t.Errorf("%d rulings on %d worlds, %d kept", len(w.Rulings), len(w.Beliefs), len(kept.Rulings))
	}
	seen, texts := map[gate.Decision]int{}, map[string]bool{}
	for _, r := range slices.Concat(w.Rulings, kept.Rulings) {
		seen[r.Decision]++
		key := r.World + r.Evidence + r.Text
		if texts[key] {
			t.Errorf("%s twice: %s", r.World, r.Text)
		}
		texts[key] = true
	}
	for _, d := range []gate.Decision{gate.Stored, gate.Merged, gate.Replaced, gate.Rejected} {
		if seen[d] < 20 {
			t.Errorf("%d rulings expect %s", seen[d], d)
		}
	}
	for name, items := range evidence {
		var all []gate.Evidence
		for _, x := range items {
			all = append(all, gate.Evidence{Principal: x.Source, Grant: 1, Weight: x.Weight, Confidence: x.Confidence})
		}
		if reaches := gate.Quorum(all) >= 0.8; reaches != (name == "quorum" || name == "three") {
			t.Errorf("%s weighs %.2f", name, gate.Quorum(all))
		}
	}
}

func TestInvalidLabelledWorlds(t *testing.T) {
	for text, want := range map[string]string{
		"belief b Ann: Ann lives in Rome":                                                                   "outside a world",
		"world w\nbelief b Ann: Ann is 5\nbelief b Ann: Ann is 6":                                           "twice",
		"world w\nfact REPLACED b quorum Ann: Ann is 6":                                                     "has the wrong belief",
		"world w\nbelief b Ann: Ann is 5\nfact STORED b quorum Ann: Ann is 6":                               "has the wrong belief",
		"world w\nbelief b Ann: Ann is 5\nfact CHANGED b quorum Ann: Ann is 6":                              "unknown decision",
		"world w\nbelief b Ann: Ann is 5\nfact MERGED b hearsay Ann: Ann is 5":                              "unknown evidence",
		"world w\nsomething else":                                                                           "is not a world",
		"# a comment\n\nworld w\nbelief b ~: Ann is 5\nfact MERGED b one Ann: Ann is five\nfact STORED b x": "worlds/gate.txt:6",
	} {
		if _, err := readWorlds("gate.txt", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestScoreRulings(t *testing.T) {
	right, wrong, missed, folded := ScoreRulings([]Ruled{
		{gate.Replaced, gate.Replaced, "a", "a"},
		{gate.Replaced, gate.Replaced, "a", "b"}, // another belief
		{gate.Replaced, gate.Stored, "a", ""},
		{gate.Stored, gate.Stored, "", "new"},
		{gate.Stored, gate.Merged, "", "a"},
		{gate.Merged, gate.Replaced, "a", "a"}, // a true one
		{gate.Rejected, gate.Rejected, "a", "a"},
		{gate.Rejected, gate.Rejected, "a", "b"},
	})
	for name, x := range map[string][2]float64{"right": {right, 3.0 / 8}, "wrong": {wrong, 2.0 / 8}, "missed": {missed, 2.0 / 3}, "folded": {folded, 1.0 / 8}} {
		if x[0] != x[1] {
			t.Errorf("%s is %v, want %v", name, x[0], x[1])
		}
	}
}
