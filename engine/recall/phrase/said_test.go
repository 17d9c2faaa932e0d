package phrase_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine/recall/phrase"
)

func TestSaysValue(t *testing.T) {
	for _, x := range []struct {
		question, statement, other, third string
		objects                           []string
		want                              bool
	}{
		{"How far up does Runa live?", "Runa has an apartment on the seventh floor", "Runa moved into rooms on the seventh floor", "You find the door of Runa on the ground floor", nil, true},
		{"What is my boiler contract id?", "My boiler contract has the number RS-7002", "The contract of my boiler runs under RS-7002", "For repairs I quote contract LM-4410", nil, true},
		{"What is my boiler contract id?", "My boiler contract has the number RS-7003", "The contract of my boiler runs under RS-7002", "For repairs I quote contract LM-4410", nil, false},
		{"What is my boiler contract id?", "My boiler contract has the number LM-4410", "The contract of my boiler runs under LM-4410", "For repairs I quote contract LM-4410", nil, false},
		{"Where do I look for the tent?", "You will find the tent in the garage", "The tent is kept in the garage", "The tent is kept in the loft", []string{"in the garage"}, true},
		{"Where is the ladder?", "The ladder stands in the garage", "The tent is kept in the garage", "The tent is kept in the loft", []string{"in the garage"}, false},
	} {
		if got := phrase.SaysValue(x.question, x.statement, x.other, x.third, x.objects); got != x.want {
			t.Errorf("%s %q: %v, want %v", x.question, x.statement, got, x.want)
		}
	}
}

func TestBothName(t *testing.T) {
	for _, x := range []struct {
		question, a, b string
		want           bool
	}{
		{"At which level do I ring for Runa?", "Runa has rooms on the attic", "You find the door of Runa on the third floor", true},
		{"At which level do I ring for Runa?", "Runa has rooms on the attic", "You find the door of Odo on the third floor", false},
		{"Where do I ring?", "Runa has rooms on the attic", "Runa moved", false},
	} {
		if got := phrase.BothName(x.question, x.a, x.b); got != x.want {
			t.Errorf("%s %q, %q: %v, want %v", x.question, x.a, x.b, got, x.want)
		}
	}
}
