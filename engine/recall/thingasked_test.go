package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
)

var eyes = []string{
	"The deed of the house is with the notary Brandt.", "My cousin Ida lives in Ghent with her twins.", "I'm allergic to shellfish.", "Our anniversary is on 14 June.", "The spare key is under the third flowerpot.",
	"My shift on Thursdays ends at 22:00.", "I drive a red Fiat 500.", "The boiler was serviced by Mr. Jankowski.", "Aunt Lotte's favourite flowers are peonies.", "Our son Emil plays ice hockey on Saturdays.",
	"Emil's coach is called Sven.", "The bike is locked in the cellar.", "We adopted a greyhound named Comet.", "Comet is afraid of thunder.", "The vet is Dr. Solheim.", "My locker code is 3310.",
}

func inUser(in *engine.SearchInput) { in.User = "ana" }

// A question for an attribute of a thing, or for what was done to it, is not surely answered by memories that do not speak of that.
func TestAThingThatNobodySpeaksOfHasNoSureAnswer(t *testing.T) {
	w := enginetest.New(t)
	for _, s := range eyes {
		w.Remember(s, by("ana"))
		w.Clock.Advance(5 * time.Hour)
	}
	for _, question := range []string{"What colour are my eyes?", "What's my cat called?", "When was the boiler installed?", "What size are my gloves?", "Where was the wardrobe bought?"} {
		if r := w.Search(question, inUser); !r.NoMatch && !r.Unsure {
			t.Errorf("%q is surely answered: %q", question, r.Hits[0].Memory.Content)
		}
	}
	if r := w.Search("What's our dog called?", inUser); r.Unsure {
		t.Errorf("a greyhound is no dog: %q", r.Hits[0].Memory.Content)
	}
	for question, answer := range map[string]string{"What colour is my car?": "Fiat", "When was the boiler serviced?": "Jankowski", "When was the boiler last serviced?": "Jankowski", "What is our dog called?": "Comet", "Where is the bike locked?": "cellar"} {
		r := w.Search(question, inUser)
		if len(r.Hits) == 0 || r.Unsure && answer != "Fiat" || !strings.Contains(r.Hits[0].Memory.Content, answer) {
			t.Errorf("%q: %+v", question, r.Hits)
		}
	}
}
