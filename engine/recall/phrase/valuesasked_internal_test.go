package phrase

import "testing"

func TestValueAskedBy(t *testing.T) {
	for question, want := range map[string]valueAsked{
		"When is our wedding?":             aTime,
		"On what day is the market?":       aTime,
		"Which month do we move in?":       aTime,
		"How many people are on our team?": aNumber,
		"How do I take my coffee?":         someValue,
		"Who manages the design team?":     aName,
		"Where is the key?":                aPlace,
		"What is the wifi password?":       someValue,
		"Is Leo left-handed?":              noValue,
		"harbour basin depth":              someValue,
		"":                                 someValue,
	} {
		if got := valueAskedBy(question); got != want {
			t.Errorf("%q: %v, want %v", question, got, want)
		}
	}
}

func TestSayAsked(t *testing.T) {
	for _, x := range []struct {
		question, first, second string
		says, both              bool
	}{
		{"Where is the meeting room?", "The meeting room is on the upper floor.", "The meeting went on for three hours.", true, false},
		{"Where do I live?", "I live in Oslo.", "I moved to Bergen.", true, true},
		{"When is our wedding?", "Our wedding is in June.", "We tasted a cake for the wedding.", true, false},
		{"When is our wedding?", "Our wedding is in June.", "The wedding is on 3 July.", true, true},
		{"How often does the newsletter go out?", "The newsletter goes out monthly.", "The newsletter is sent every two weeks.", true, true},
		{"Who is our accountant?", "Marta is our accountant.", "Marta sent the tax forms.", true, false},
		{"Who is our accountant?", "Marta is our accountant.", "Ivo does the books.", true, true},
		{"What coffee do I drink?", "I drink decaf.", "I'm back on regular coffee.", false, false},
		{"Am I single?", "I'm single since May.", "I met Ottilie.", false, false},
	} {
		if says, both := SayAsked(x.question, x.first, x.second); says != x.says || both != x.both {
			t.Errorf("%q, %q, %q: %v %v, want %v %v", x.question, x.first, x.second, says, both, x.says, x.both)
		}
	}
}
