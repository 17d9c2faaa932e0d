package english

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestEndsSentence(t *testing.T) {
	// | stands after each character that ends a sentence
	for _, want := range []string{
		"Hi!| Who is it?| Me…| and you.|",
		"Mr. Lee came at 5 p.m. sharp, i.e. late.| He left.|",
		"1. Mix\n|2. Bake.|",
		"J. Smith has version 3.5 of main.go.|",
		"It was great.|We went.|",
		"(etc.) So did I.|",
		"It is \"done.|\"",
	} {
		text := strings.ReplaceAll(want, "|", "")
		var got strings.Builder
		for i, r := range text {
			got.WriteRune(r)
			if EndsSentence(text, i) {
				got.WriteByte('|')
			}
		}
		if got.String() != want {
			t.Errorf("%s, want %s", got.String(), want)
		}
	}
}

func TestContraction(t *testing.T) {
	for word, want := range map[string]string{
		"don't": "do n't", "Can't": "Ca n't", "won't": "wo n't", "I'm": "I 'm", "we're": "we 're", "they've": "they 've", "he'd": "he 'd",
		"Ann's": "Ann 's", "wouldn't've": "wouldn't 've", "ISN'T": "IS N'T", "o'clock": "o'clock ", "O'Brien": "O'Brien ", "plain": "plain ", "'s": " 's", "": " ",
	} {
		base, clitic := Contraction(word)
		if base+" "+clitic != want {
			t.Errorf("%q: %q and %q, want %q", word, base, clitic, want)
		}
	}
	for part, want := range map[string]string{"ca": "can", "wo": "will", "n't": "not", "'ll": "will", "'s": "'s", "do": "do"} {
		if got := Expand(part); got != want {
			t.Errorf("%q: %q, want %q", part, got, want)
		}
	}
}

func TestLemma(t *testing.T) {
	for _, family := range []string{
		"live lives living lived", "have has had having", "stop stops stopping stopped", "study studies studying studied", "be am is are was were been being",
		"child children", "cancel cancelled cancels", "go went gone goes", "buy bought", "meeting meetings", "sibling siblings", "use uses using used",
		"box boxes", "bus buses", "glass glasses", "wife wives", "movie movies", "lie lay lain", "feed fed",
	} {
		forms := strings.Fields(family)
		for _, w := range forms[1:] {
			if Lemma(w) != Lemma(forms[0]) {
				t.Errorf("%s gives %s, %s %s", forms[0], Lemma(forms[0]), w, Lemma(w))
			}
		}
	}
	for _, pair := range [][2]string{{"like", "live"}, {"meet", "meeting"}, {"wed", "wednesday"}, {"new", "news"}, {"us", "use"}, {"lay", "laid"}} {
		if Lemma(pair[0]) == Lemma(pair[1]) {
			t.Errorf("%v share a lemma", pair)
		}
	}
	for word, want := range map[string]string{"boats": "boat", "ladies": "lady", "glasses": "glass", "this": "this", "bus": "bus", "glass": "glass", "ties": "tie", "as": "as"} {
		if got := Singular(word); got != want {
			t.Errorf("singular of %s: %s, want %s", word, got, want)
		}
	}
	if !IrregularPast("went") || !IrregularPast("gone") || IrregularPast("go") || IrregularPast("walked") {
		t.Error("irregular past forms")
	}
	if !Uninflected("meeting") || Uninflected("meetings") {
		t.Error("uninflected words")
	}
}

func TestStem(t *testing.T) {
	for word, want := range map[string]string{"meetings": "meet", "running": "run", "after": "after", "is": "is", "café": "café", "don't": "don't", "Running": "Running"} {
		if got := Stem(word); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
}

func TestPronouns(t *testing.T) {
	for w := range strings.FieldsSeq(Pronouns) {
		if _, ok := PronounOf(w); !ok {
			t.Errorf("nothing is known of %s", w)
		}
	}
	if len(pronouns) != len(strings.Fields(Pronouns)) {
		t.Errorf("%d forms are known, %d are listed", len(pronouns), len(strings.Fields(Pronouns)))
	}
	for w, want := range map[string]Pronoun{
		"me": {"i", 1, false, Objective}, "ours": {"we", 1, true, Possessive}, "you": {"you", 2, false, Subjective | Objective},
		"her": {"she", 3, false, Objective | Possessive}, "themselves": {"they", 3, true, Reflexive},
	} {
		if got, ok := PronounOf(w); !ok || got != want {
			t.Errorf("%s: %+v", w, got)
		}
	}
	if _, ok := PronounOf("who"); ok {
		t.Error("who is a personal pronoun")
	}
}

func TestCalendar(t *testing.T) {
	for w, want := range map[string]time.Month{"january": 1, "may": 5, "sept": 9, "sep": 9, "dec": 12, "mar": 3, "june": 6, "jun": 6, "marching": 0, "": 0} {
		if got := Month(w); got != want {
			t.Errorf("%s: %v", w, got)
		}
	}
	if len(months) != 12+len(strings.Fields(ShortMonths)) || len(weekdays) != 7 || len(shortWeekdays) != len(strings.Fields(ShortWeekdays)) {
		t.Error("a name of the calendar is not read")
	}
	for w, want := range map[string]time.Weekday{"sunday": 0, "thursday": 4, "saturday": 6} {
		if got, ok := Weekday(w); !ok || got != want {
			t.Errorf("%s: %v", w, got)
		}
	}
	if _, ok := Weekday("thurs"); ok {
		t.Error("thurs is a full name")
	}
	if d, ok := ShortWeekday("thurs"); !ok || d != time.Thursday {
		t.Error("thurs is no short name")
	}
}

func TestNumbers(t *testing.T) {
	for w, want := range map[string]int{"zero": 0, "nineteen": 19, "twenty": 20, "ninety": 90} {
		if got, ok := NumberWord(w); !ok || got != want {
			t.Errorf("%s: %d", w, got)
		}
	}
	for w, want := range map[string]int{"first": 1, "twelfth": 12, "twentieth": 20, "thirtieth": 30} {
		if got, ok := OrdinalWord(w); !ok || got != want {
			t.Errorf("%s: %d", w, got)
		}
	}
	for n, want := range map[int]string{0: "zero", 7: "seven", 20: "twenty", 41: "forty-one", 99: "ninety-nine", 100: "", -1: ""} {
		if got := NumberName(n); got != want {
			t.Errorf("%d is %q", n, got)
		}
	}
	if n, ok := ScaleWord("thousand"); !ok || n != 1000 {
		t.Error("thousand")
	}
	for _, w := range []string{"", "some", "first"} {
		if _, ok := NumberWord(w); ok {
			t.Errorf("%q is a number", w)
		}
	}
}

func TestStopWords(t *testing.T) {
	for _, w := range []string{"the", "themselves", "didnt", "of"} {
		if !StopWord(w) {
			t.Errorf("%s is not a stop word", w)
		}
	}
	for _, w := range []string{"before", "after", "first", "last", "now", "never", "boat", ""} {
		if StopWord(w) {
			t.Errorf("%q is a stop word", w)
		}
	}
}

// Whatever the word, no function panics, and its parts are those of the word.
func TestAnyWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := anyText().Draw(t, "word")
		low := Lower(word)
		if Lower(low) != low && !strings.ContainsRune(word, 'İ') {
			t.Fatalf("%q is not in lower case", low)
		}
		if base, clitic := Contraction(low); base+clitic != low {
			t.Fatalf("%q and %q are not %q", base, clitic, low)
		}
		if s := Singular(low); len(s) > len(low) {
			t.Fatalf("the singular of %q is %q", low, s)
		}
		_, _ = Lemma(low), Stem(low)
		for i := range word {
			EndsSentence(word, i)
		}
	})
}
