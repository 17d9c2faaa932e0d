package age

import "testing"

func TestYearsIn(t *testing.T) {
	number := func(low, value string) Word { return Word{Low: low, Value: value} }
	for _, x := range []struct {
		words     []Word
		years     float64
		plain, ok bool
	}{
		{[]Word{number("seven", "7")}, 7, true, true},
		{[]Word{number("7 years old", "7")}, 7, false, true},
		{[]Word{{Low: "a"}, {Low: "seven-year-old"}}, 7, false, true},
		{[]Word{{Low: "a"}, {Low: "twenty-one-year-old"}, {Low: "nurse"}}, 21, false, true},
		{[]Word{{Low: "a"}, number("seven year old", "7"), {Low: "girl"}}, 7, false, true},
		{[]Word{{Low: "aged"}, number("seven", "7")}, 7, false, true},
		{[]Word{{Low: "the"}, {Low: "age"}, {Low: "of"}, number("seven", "7")}, 7, false, true},
		{[]Word{number("six months", "6 month"), {Low: "old"}}, 0.5, false, true},
		{[]Word{number("8 years", "8 year"), {Low: "of"}, {Low: "age"}}, 8, false, true},
		{[]Word{number("seven", "7"), {Low: "and"}, {Low: "a"}, {Low: "half"}}, 7.5, true, true},
		{[]Word{number("8 years", "8 year"), {Low: "away"}}, 8, false, false},
		{[]Word{number("one", "1"), {Low: "of"}, number("seven", "7")}, 1, true, false},
		{[]Word{number("300", "300")}, 300, true, false},
		{[]Word{{Low: "group"}, number("eight", "8")}, 0, false, false},
		{nil, 0, false, false},
	} {
		years, plain, ok := yearsIn(x.words)
		if ok != x.ok || ok && (years != x.years || plain != x.plain) {
			t.Errorf("%v: %v, %v, %v", x.words, years, plain, ok)
		}
	}
}

func TestWhomIs(t *testing.T) {
	liv, my, daughter := Word{Low: "liv", Lemma: "liv", Name: true, Content: true}, Word{Low: "my"}, Word{Low: "daughter", Lemma: "daughter", Content: true}
	livs := liv
	livs.Possessive = true
	for _, x := range []struct {
		a, b      []Word
		same, all bool
	}{
		{[]Word{liv}, []Word{liv}, true, true},
		{[]Word{liv}, []Word{my, daughter, liv}, true, false},
		{[]Word{my, daughter}, []Word{my, daughter}, true, true},
		{[]Word{my, daughter}, []Word{{Low: "her"}, daughter}, false, false},
		{[]Word{my, daughter}, []Word{daughter}, true, true},
		{[]Word{my, daughter}, []Word{my, daughter, liv}, false, false},
		{[]Word{livs, daughter}, []Word{liv}, false, false},
		{[]Word{liv}, []Word{liv, {Low: "and"}, daughter}, false, false},
	} {
		if same, all := whomOf(x.a, "").is(whomOf(x.b, "")); same != x.same || all != x.all {
			t.Errorf("%v and %v: %v, %v", x.a, x.b, same, all)
		}
	}
}
