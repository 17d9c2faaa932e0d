package pattern

import (
	"slices"
	"testing"
)

// The steps of a workflow are in the words of the source that says most of what the others say.
func TestTheFullestWordingOfAWorkflow(t *testing.T) {
	found, refused := Find(onOwnDays(t, 0, .8, repeated(6, "First the lamp, then the new film, then the black curtain.", "First clean the lamp, then thread the new film, then draw the black curtain.", "Clean the lamp -> thread the new film -> draw the black curtain")...), nil)
	if len(found) != 1 || !slices.Equal(found[0].Actions, []string{"clean the lamp", "thread the new film", "draw the black curtain"}) {
		t.Errorf("%+v, refused %+v", found, refused)
	}
}

// The occasion before the first step is no part of it.
func TestTheOccasionIsNoPartOfTheFirstStep(t *testing.T) {
	for _, texts := range [][]string{
		{"Closing time: count the till, mop the floor, lock the shutter."},
		{"For the closing we count the till, then mop the floor, then lock the shutter."},
	} {
		found, refused := Find(onOwnDays(t, 0, .8, repeated(4, texts...)...), nil)
		if len(found) != 1 || len(found[0].Actions) != 3 || found[0].Actions[0] != "count the till" || len(found[0].Conditions) != 1 {
			t.Errorf("%q: %+v, refused %+v", texts, found, refused)
		}
	}
}
