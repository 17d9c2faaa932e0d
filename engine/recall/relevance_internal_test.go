package recall

import (
	"math"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/engine/recall/phrase"
)

func TestTheBuiltInEmbedderHasTheScaleOfItsConstants(t *testing.T) {
	s, err := measureScale(t.Context(), hashed.New())
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(s.related-builtInRelated) > 0.005 || math.Abs(s.unrelated-builtInUnrelated) > 0.005 {
		t.Errorf("measured %.3f for related and %.3f for unrelated texts", s.related, s.unrelated)
	}
}

func TestCosinesOfAnotherModelAreScaled(t *testing.T) {
	s := scale{related: 0.9, unrelated: 0.7}
	for cosine, want := range map[float64]float64{0.9: builtInRelated, 0.7: builtInUnrelated, 0: 0, 0.8: (builtInRelated + builtInUnrelated) / 2} {
		if got := s.apply(cosine); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v becomes %v, want %v", cosine, got, want)
		}
	}
	if got := (scale{}).apply(0.3); got != 0.3 {
		t.Errorf("without a scale: %v", got)
	}
}

func TestQuestionsThatAskForAList(t *testing.T) {
	for question, want := range map[string]bool{
		"Which cities has Ada been to?":            true,
		"How many turtles does Bo have?":           true,
		"What books did she read?":                 true,
		"What are the names of the twins?":         true,
		"Which old paper maps do I own?":           true,
		"What do both of them like?":               true,
		"Which people came?":                       true,
		"Which ferry leaves at nine?":              true, // "leaves" may be a noun: such a question is not cut
		"Where is the will kept?":                  false,
		"What is the address of the bakery?":       false,
		"What does Mara's sister do?":              false,
		"When do the trains leave?":                false,
		"":                                         false,
		"What happened to the kayak on the lakes?": false,
		"What holds the Meridian audit back?":      false,
		"What makes me sneeze?":                    false,
		"What dishes do my guests like?":           true,
	} {
		if got := attribute.AsksForSeveral(question); got != want {
			t.Errorf("%q: %v", question, got)
		}
	}
}

func TestNamesOfAQuestion(t *testing.T) {
	for question, want := range map[string]struct{ names, others []string }{
		"What holds the Meridian audit back?":   {[]string{"Meridian"}, []string{"holds", "audit", "back"}},
		"Gideon rents a house in what?":         {nil, []string{"rents", "house"}},
		"Did I lend Ada Lind the drill of Ada?": {[]string{"Ada", "Lind"}, []string{"lend", "drill"}},
		"Where is it?":                          {},
	} {
		names, others := phrase.SplitNames(question)
		if !slices.Equal(names, want.names) || !slices.Equal(others, want.others) {
			t.Errorf("%q: %q and %q", question, names, others)
		}
	}
}
