package extract

import "testing"

func TestTimeLike(t *testing.T) {
	for text, want := range map[string]bool{
		"14:30": true, "3pm": true, "3 pm": true, "at 9": true, "at nine": true, "5 o'clock": true, "noon": true, "Tuesday": true, "on Tuesday": true,
		"5 May": true, "May 5": true, "the 5th": true, "5th of May": true, "2026-05-04": true, "in 2026": true, "tomorrow": true, "next week": true,
		"the end of May": true, "every Friday": true, "this month": true, "mid March": true,
		"red": false, "5": false, "5 dogs": false, "at nine desks": false, "at home": false, "may": false, "march home": false, "in Berlin": false,
		"next door": false, "the fifth wheel": false, "2026": false, "": false, "a fall": false,
	} {
		var ws []Word
		if ss := sentences(text); len(ss) > 0 {
			ws = ss[0].Words
		}
		if got := timeLike(ws); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestBeforeTime(t *testing.T) {
	for text, want := range map[string]string{
		"Berlin four years ago": "Berlin", "Berlin a few years ago": "Berlin", "Oslo in 2020": "Oslo", "Acme for three years": "Acme", "Rome last spring": "Rome",
		"Cork yesterday": "Cork", "Hull next week": "Hull", "the old town": "the old town", "tea for two": "tea for two", "the last bus": "the last bus",
		"Ghent in May": "Ghent", "a flat in Ghent": "a flat in Ghent", "yesterday": "yesterday",
	} {
		ws := sentences(text)[0].Words
		n := wordsBeforeTime(ws)
		if got := text[:ws[n-1].End]; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestObjectEndsWithItsClause(t *testing.T) {
	for text, want := range map[string]string{
		"tea because it is warm":          "tea",
		"tea, not coffee":                 "tea",
		"tea and I love it":               "tea",
		"tea and cake":                    "tea and cake",
		"May 5, 2023 at noon":             "May 5, 2023 at noon",
		"the red one now":                 "the red one",
		"Orbit to start a studio":         "Orbit",
		"Oslo these days":                 "Oslo",
		"12 % of it":                      "12 % of it",
		"hiking and my food is ramen":     "hiking",
		"hiking and my dog":               "hiking and my dog",
		"a b c d e f g h i j k l m n o p": "a b c d e f g h i j k l",
	} {
		ws := objectOf(sentences(text)[0].Words)
		if got := text[ws[0].Start:ws[len(ws)-1].End]; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
