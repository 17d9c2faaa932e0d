package pattern

import (
	"slices"
	"strings"
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

// What has a pronoun or a colon in its first step may have no occasion before it.
func TestAFirstStepIsNotCut(t *testing.T) {
	for text, want := range map[string][2]string{
		"To close the bar count the cash you have":                    {},
		"To close the bar count the cash we have in the till":         {},
		"When the customer calls you back":                            {},
		"When the customer calls you back before noon":                {},
		"Rinse the rice: cold water":                                  {},
		"For the closing count the cash we keep in the till":          {},
		"To close the bar we count the cash we have":                  {"To close the bar", "count the cash we have"},
		"For a vaccination we weigh the dog":                          {"For a vaccination", "weigh the dog"},
		"When the guests arrive we take the coats you will see there": {"When the guests arrive", "take the coats you will see there"},
		"Walk routine: put the harness on":                            {"Walk routine", "put the harness on"},
		"Closing the shop: count the till":                            {"Closing the shop", "count the till"},
	} {
		if occasion, first, ok := occasionOfFirst(text); ok != (want[0] != "") || ok && (occasion != want[0] || first != want[1]) {
			t.Errorf("%q: %q, %q, %v", text, occasion, first, ok)
		}
	}
	for _, texts := range [][]string{
		{"To close the bar count the cash you have, then lock the till, then mop the floor.", "count the cash you have"},
		{"Rinse the rice: cold water, boil the stock, stir the pot.", ""},
	} {
		found, _ := Find(onOwnDays(t, 0, .8, repeated(4, texts[0])...), nil)
		for _, f := range found {
			if texts[1] != "" && !strings.Contains(f.Actions[0], texts[1]) || slices.Contains(f.Conditions, "Rinse the rice") {
				t.Errorf("%+v", f)
			}
		}
		if texts[1] != "" && len(found) != 1 {
			t.Errorf("%q: %+v", texts[0], found)
		}
	}
}
