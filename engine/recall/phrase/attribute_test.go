package phrase

import "testing"

func TestAttributeOf(t *testing.T) {
	for _, x := range []struct {
		question, text string
		ok, other      bool
	}{
		{"What is my favourite film?", "My favourite colour is green.", true, true},
		{"What is my favourite film?", "My favourite film is Amelie.", true, false},
		{"What is my favourite film?", "I like Amelie.", true, false},
		{"What's my collar size?", "My shirt collar is 41.", true, false},
		{"What is the name of my accountant?", "We adopted a cat named Miso.", true, true},
		{"What is the name of my accountant?", "My accountant is Femke.", true, false},
		{"What is the voltage of the lathe in the shed?", "The lathe is loud.", true, false},
		{"What is my job?", "", false, false}, {"What did I eat?", "", false, false}, {"Where is my blue coat?", "", false, false}, {"What is it?", "", false, false},
		{"What is Tim's surname?", "", false, false}, {"What", "", false, false}, {"", "", false, false}, {"What is the", "", false, false}, {"What is my of", "", false, false},
		{"What is the name of", "", false, false}, {"What is the name of the", "", false, false},
	} {
		a, ok := AttributeOf(x.question)
		if ok != x.ok || ok && a.Other(x.text) != x.other {
			t.Errorf("%q, %q: %+v, %v", x.question, x.text, a, ok)
		}
	}
}
