package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
)

// The answer shares no rare word with the question, but many with the memories that do.
func TestAccurateFindsWhatTheBestHitsTalkAbout(t *testing.T) {
	w := enginetest.New(t)
	for i, about := range []string{"the varnish of the stern", "the varnish of the keel", "the stern and the keel", "varnish for the stern", "the keel and its varnish"} {
		w.Remember(fmt.Sprintf("The kayak needs work on %s in week %d.", about, i))
	}
	answer := w.Remember("It also needs two weeks: varnish takes long on the stern, and on the keel longer still, says the boatyard.").Memory.ID
	for i := range 12 {
		w.Remember(fmt.Sprintf("The bakery needs %d loaves of rye at the harbour office.", i+20))
	}
	lead := func(with ...func(*engine.SearchInput)) float64 {
		own, other := 0.0, 0.0
		for _, h := range w.Search("What does the kayak need?", append(with, enginetest.Uncut, func(in *engine.SearchInput) { in.TopK = 18 })...).Hits {
			switch {
			case h.Memory.ID == answer:
				own = h.Score
			case strings.Contains(h.Memory.Content, "bakery"):
				other = max(other, h.Score)
			}
		}
		return own - other
	}
	if balanced, best := lead(), lead(accurate); best < balanced+0.03 {
		t.Errorf("its score is %.3f above the others in BALANCED and %.3f in ACCURATE", balanced, best)
	}
}

func TestTheRelevanceModelIsExplained(t *testing.T) {
	w := enginetest.New(t)
	for i := range 7 {
		w.Remember(fmt.Sprintf("The kayak leaks at seam %d.", i))
	}
	for _, h := range w.Search("Where does the kayak leak?", accurate).Hits {
		x := h.Explain()
		if x.Value != h.Score || len(x.Children) != 2 {
			t.Fatalf("score %v, explained as %+v", h.Score, x)
		}
		if want := 0.85*x.Children[1].Value + 0.15*x.Children[0].Value; want < h.Score-1e-9 {
			t.Errorf("score %v, its explanation says at least %v", h.Score, want)
		}
	}
}
