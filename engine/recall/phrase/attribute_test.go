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
		{"What colour are my eyes?", "Our anniversary is on 14 June.", true, true},
		{"What colour are my eyes?", "I have green eyes.", true, false},
		{"What's my cat called?", "Emil's coach is called Sven.", true, true},
		{"What's my cat called?", "Our cat is Miso.", true, false},
		{"When was the boiler installed?", "The boiler was serviced by Mr. Jankowski.", true, true},
		{"When was the boiler installed?", "They installed the boiler in 2019.", true, false},
		{"Where were the spare tyres stored?", "We store the spare tyres at Ulf's.", true, false},
		{"What grade is Emil in?", "", false, false}, {"Which countries have I visited?", "", false, false}, {"When was I born?", "", false, false}, {"What time is it now?", "", false, false},
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
