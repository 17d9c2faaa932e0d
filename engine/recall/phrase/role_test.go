package phrase_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine/recall/phrase"
)

func TestServes(t *testing.T) {
	for _, x := range []struct {
		role, statement string
		want            bool
	}{
		{"accountant", "Olga does my taxes.", true},
		{"cleaner", "Vera cleans our flat.", true},
		{"teacher", "Bram teaches me the cello.", true},
		{"gardener", "My cousin looks after our garden.", true},
		{"hairdresser", "Nils cuts my hair.", true},
		{"accountant", "Olga sang in my choir.", false},
		{"accountant", "I do my taxes myself.", false},
		{"accountant", "Olga no longer does my taxes.", false},
		{"cleaner", "Vera cleans the station.", false},
		{"hairdresser", "Nils met me at the bank.", false},
		{"neighbour", "Olga does my taxes.", false},
		{"dentist", "Olga fixed the dent in our car.", false},
		{"guitarist", "Ole plays us the guitar.", true},
	} {
		if got := phrase.Serves(x.role, x.statement); got != x.want {
			t.Errorf("%s, %q: %v, want %v", x.role, x.statement, got, x.want)
		}
	}
}

// The nouns of two attributes of one narrow group mean the same thing.
func TestAnAttributeInOtherNounsIsTheSame(t *testing.T) {
	for _, x := range []struct {
		question, text string
		other          bool
	}{
		{"What is my blood type?", "My blood group is A positive.", false},
		{"What is my blood type?", "My blood pressure is high.", true},
		{"What is my passport code?", "My passport number is K22.", false},
		{"What is the name of my cello teacher?", "Bram teaches me the cello.", false},
		{"What is the name of my cello teacher?", "My cello has a new string.", true},
	} {
		a, ok := phrase.AttributeOf(x.question)
		if !ok || a.Other(x.text) != x.other {
			t.Errorf("%s %q: other is not %v", x.question, x.text, x.other)
		}
	}
}
