// Package syntax cuts a sentence into clauses and finds the verb of a clause, by the forms and the places of its words.
package syntax

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/preface"
	"github.com/somnograph/somnograph/engine/reader/relative"
	"github.com/somnograph/somnograph/engine/reader/request"
	"github.com/somnograph/somnograph/engine/reader/verb"
	"github.com/somnograph/somnograph/engine/reader/wordclass"
	"github.com/somnograph/somnograph/internal/english"
)

// Word is a word of a sentence, or several that mean one value.
type Word struct {
	Text        string
	Low         string // in lower case; a contraction is several words
	Lem         string // its lemma, or the value in normal form
	Start, End  int    // byte offsets in the text
	Sign        byte   // the sign before it, 0 if there is none
	Quoted      bool
	Possessive  bool      // it had 's
	AfterAmount bool      // it follows "and" after a number or a time, so that it is no noun
	Form        verb.Form // as a verb of the table
	Class       wordclass.Class

	Function, Adverb, Preposition, Determiner, Finite bool // it is in these lists
	Reports                                           bool // a verb of saying
	Unit                                              bool // of an amount, or a currency
	Timely                                            bool // a day, a date, a time or a part of the day

	// What it is read as.
	Noun, Verb, Name bool // Name: one of neither a person nor a place
	Little           bool // a function word or an adverb
	Named            bool // a name of any kind
	Value            bool // a name, a number, a time or another value
	Number           bool // a number, a time or a day
}

// LongestClause bounds the words in which Split looks for a verb, at each sign. A longer clause ends at the next sign or conjunction.
const LongestClause = 256

// Split cuts a sentence into clauses: at a comma, a dash, a semicolon or a conjunction between
// two parts that both have a verb. It returns where each clause begins and ends, without
// the conjunction before it, and sets AfterAmount.
func Split(words []Word) (spans [][2]int) {
	from := 0
	for i := 1; i < len(words); i++ {
		w := &words[i]
		next := i
		switch {
		case w.Low == "and" || w.Low == "but" || w.Low == "so" && w.Sign != 0 || w.Low == "because" || w.Low == "while" && w.Sign != 0:
			next = i + 1
		case w.Sign == ',' || w.Sign == ';' || w.Sign == '-' || w.Sign == '(' || w.Sign == ':' && (i-from >= LongestClause || statesBefore(words[from:i])):
		default:
			continue
		}
		if next >= len(words) || i-from < LongestClause && !hasVerb(words[from:i]) && !(from == 0 && next == i && preface.Elided(Preface(words[:i]))) {
			continue
		}
		if w.Sign == ',' && i-from > 1 && len(words)-i == 2 && words[from].Form == verb.Base && request.Styled(words[i-1].Low) && request.Styled(w.Low) {
			w.Sign = 0 // "give me long, detailed answers"
			continue
		}
		if next > i && slices.ContainsFunc(words[from+1:i], func(w Word) bool { return w.Sign == ',' }) && (next+1 == len(words) || words[next+1].Sign != 0) {
			continue // "tea, coffee and milk"
		}
		end := next + 1
		for end < len(words) && end-next < LongestClause && words[end].Sign != ',' && words[end].Sign != ';' && words[end].Low != "and" && words[end].Low != "but" {
			end++
		}
		words[next].AfterAmount = next > i && (isAmount(words[from:i]) || bothThird(words[from:i], words[next:]))
		if i-from < LongestClause && !startsClause(words[next:end], next > i && w.Sign == 0 || w.Sign == ',' && opensRelative(words[from:i])) {
			continue
		}
		spans = append(spans, [2]int{from, i})
		from = next
	}
	return append(spans, [2]int{from, len(words)})
}

// statesBefore reports that the words before a colon are a clause: "the allergist tested me again: …".
func statesBefore(words []Word) bool {
	if OrdersWhat(words) || slices.ContainsFunc(words, func(w Word) bool { return w.Finite }) || words[len(words)-1].Form == verb.Past || preface.Elided(Preface(words)) {
		return true
	}
	at := VerbAt(words)
	return at > 0 && !words[0].Preposition && words[at].Form == verb.Past
}

// isAmount reports words that end with a number, a time or a number of units: a word after "and" that looks like a verb in the
// third person is one, "leaves at 7:40 and arrives at 8".
func isAmount(words []Word) bool {
	last := &words[len(words)-1]
	return last.Number || len(words) > 1 && words[len(words)-2].Number && last.Unit
}

// bothThird reports that a word after "and" is a verb in the third person as the one before it is: "lives in Hamburg and works as".
func bothThird(before, words []Word) bool {
	at, last := VerbAt(before), &before[len(before)-1]
	return len(words) > 2 && at > 0 && before[at].Form == verb.Third && words[0].Form == verb.Third && words[1].Preposition && (last.Named || !strings.HasSuffix(last.Low, "s"))
}

// opensRelative reports a relative clause between commas: "the lead, who sits in Oulu".
func opensRelative(words []Word) bool {
	return slices.ContainsFunc(words[1:], func(w Word) bool { return w.Sign == ',' && (w.Low == "who" || w.Low == "which") })
}

// startsClause reports whether words begin with a subject and have a verb, or with a verb.
func startsClause(words []Word, conjoined bool) bool {
	if !hasVerb(words) {
		return false
	}
	first := 0
	for conjoined && first < len(words)-1 && words[first].Adverb {
		first++ // "and also looks after"
	}
	f := words[first].Form
	if conjoined && f != verb.None && f != verb.Ing {
		return true
	}
	return VerbAt(words) > 0 || !conjoined && f == verb.Base || words[0].Finite
}

func hasVerb(words []Word) bool { return VerbAt(words) >= 0 }

// VerbAt returns the index of the first word of the verb group of a clause, -1 if there is none.
func VerbAt(words []Word) int {
	if len(words) > 2 && lexicon.Whoever[words[0].Low] {
		own := VerbAt(words[1:]) + 1 // the verb of the subject comes first: "whoever is on call carries the pager"
		if n := VerbAt(words[own+1:]); n >= 0 {
			return own + 1 + n
		}
		return own
	}
	if n := relative.Main(Relative(words)); n > 0 {
		return n
	}
	if OrdersWhat(words) {
		return 0
	}
	start := 0
	for start < len(words)-1 && (words[start].Adverb || words[start].Low == "not") {
		start++
	}
	for i := range words {
		w := &words[i]
		if w.Quoted != words[0].Quoted {
			continue
		}
		if i == start && start > 0 && (words[0].Low == "never" || words[0].Low == "always") && w.Noun && i+1 < len(words) && words[i+1].Sign == 0 && !subjectFollows(words[i+1:]) {
			return i // "Never shout at …"
		}
		if w.Finite && !(w.Low == "may" && upper(w.Text)) {
			return i
		}
		f := w.Form
		if f == verb.Past && i > start && reducedRelative(words[i+1:]) {
			continue // "The project known as Falcon is called Kestrel"
		}
		if i > 0 && f == verb.None && !w.Little && w.Sign == 0 && unknownVerb(words, i) && !verbFollows(words[i+1:]) {
			return i
		}
		if f == verb.None || f == verb.Ing || w.Name && i > 0 {
			continue
		}
		if i <= start {
			if f == verb.Base && !subjectFollows(words[i+1:]) || f == verb.Past || f == verb.Third && actsOnNext(words[i:]) {
				return i
			}
			continue
		}
		if i+1 < len(words) && words[i+1].Finite && f != verb.Past {
			continue
		}
		if f == verb.Third && !w.Reports && verbFollows(words[i+1:]) {
			continue // a plural: "new hires get", "in release builds assertions are off"
		}
		if f == verb.Base && PastInBase(words, i) {
			return i
		}
		prev := &words[i-1]
		for j := i - 1; j > 0 && (prev.Adverb || prev.Low == "not" || prev.Low == "no" && words[j+1].Low == "longer"); j-- {
			prev = &words[j-1]
		}
		if prev.Determiner || prev.Possessive || prev.Preposition && f != verb.Past {
			continue
		}
		p, pronoun := english.PronounOf(prev.Low)
		switch {
		case f == verb.Third && !pronoun, pronoun && p.Case&english.Subjective != 0, f == verb.Past && !prev.Function:
			return i
		case f == verb.Base && i > 2 && words[i-2].Low == "and" && upper(prev.Text) && upper(words[0].Text):
			return i // "Ana and Tom run the shop"
		case f == verb.Base && !prev.Function && strings.HasSuffix(prev.Low, "s") && !prev.Name:
			return i
		case prev.Low == "who" || prev.Low == "which":
			return i
		}
	}
	return -1
}

// OrdersWhat reports words that begin with a verb, of the table or not, before a clause that it governs: "Forget what I said".
func OrdersWhat(words []Word) bool {
	if len(words) < 4 || !words[0].Noun && !words[0].Verb || words[1].Low != "what" && words[1].Low != "everything" && words[1].Low != "whatever" || words[1].Sign != 0 {
		return false
	}
	p, pronoun := english.PronounOf(words[2].Low)
	return pronoun && p.Case&english.Subjective != 0 && words[0].Form != verb.Past && words[0].Form != verb.Ing
}

// actsOnNext reports that what follows the first word, in the third person, shows it to be a verb and no plural: an article or a
// pronoun that it governs, "loves it there", "runs the bakery".
func actsOnNext(words []Word) bool {
	switch {
	case len(words) < 2 || words[1].Sign != 0 || words[1].Finite:
		return false
	case lexicon.HardlyPlural[words[0].Low], words[0].AfterAmount:
		return true
	case hasVerb(words[1:]):
		return false
	}
	p, pronoun := english.PronounOf(words[1].Low)
	return words[1].Determiner || pronoun && p.Case&english.Subjective == 0 || words[1].Low == "it"
}

// reducedRelative reports that a participle before the words belongs to the subject: it governs a phrase, and the verb of
// the clause follows.
func reducedRelative(words []Word) bool {
	if len(words) < 3 || !words[0].Preposition {
		return false
	}
	for i := 1; i < len(words); i++ {
		w := &words[i]
		_, pronoun := english.PronounOf(w.Low)
		switch {
		case w.Sign != 0 || pronoun || lexicon.QuestionWords[w.Low] || w.Low == "that" || w.Low == "and" || w.Low == "but" || w.Low == "because" || w.Low == "so":
			return false
		case w.Low == "is" || w.Low == "are" || w.Low == "was" || w.Low == "were" || w.Low == "has" || w.Low == "will":
			return i > 1
		case i > 1 && i+1 < len(words) && w.Form == verb.Past && !words[i-1].Function:
			p, pronoun := english.PronounOf(words[i+1].Low)
			return words[i+1].Determiner || pronoun && p.Case&english.Subjective == 0 // "sent at midnight woke me"
		}
	}
	return false
}

// unknownVerb reports whether the word at i is a verb by its place: after "I" and the like, or
// after a name with the ending of the third person or the past tense, or after a noun in the singular.
func unknownVerb(words []Word, i int) bool {
	prev := &words[i-1]
	if p, ok := english.PronounOf(prev.Low); ok {
		return p.Case&english.Subjective != 0 && p.Case&english.Possessive == 0 && words[i].Noun
	}
	low := words[i].Low
	if thirdAfterNoun(words, i) || pastAfterNoun(words, i) || actsAfterNoun(words, i) {
		return true
	}
	return (i == 1 || i == 2 && words[0].Named && !words[1].Noun && upper(words[1].Text)) && !prev.Function && !prev.Adverb && upper(prev.Text) && !prev.Possessive && words[i].Noun && i+1 < len(words) &&
		(strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss") || strings.HasSuffix(low, "ed"))
}

// thirdAfterNoun reports a word with the ending of the third person between a noun in the singular and what
// a verb governs, in words without another verb: "the choir rehearses in …", "my desk faces the wall".
func thirdAfterNoun(words []Word, i int) bool {
	low, noun := words[i].Low, &words[i-1]
	if i < 2 || i+1 >= len(words) || !words[0].Determiner || len(low) < 5 || !strings.HasSuffix(low, "s") || strings.HasSuffix(low, "ss") || !words[i].Noun {
		return false
	}
	next := &words[i+1]
	if !noun.Noun || strings.HasSuffix(noun.Low, "s") || next.Sign != 0 || !next.Determiner && !next.Preposition {
		return false
	}
	return !slices.ContainsFunc(words[i+1:], func(w Word) bool {
		f := w.Form
		return w.Finite || f == verb.Third || f == verb.Past
	})
}

// pastAfterNoun reports a word with the ending of the past tense between a noun and a pronoun that it governs: "the airline
// rebooked me".
func pastAfterNoun(words []Word, i int) bool {
	if i < 2 || i+1 >= len(words) || words[i+1].Sign != 0 || !verb.EndsInEd(words[i].Low) || !words[i-1].Noun || !words[0].Determiner {
		return false
	}
	p, pronoun := english.PronounOf(words[i+1].Low)
	return pronoun && p.Case&english.Objective != 0 && p.Case&english.Subjective == 0
}

// PastInBase reports that the verb at i is in the past, although it has the form of the present: "the landlord put the rent up", "Yara quit".
func PastInBase(words []Word, i int) bool { return actsAfterNoun(words, i) || samePast(words, i) }

// actsAfterNoun reports a word with the ending of the past tense, or a verb whose past is its base form, between a noun in the singular
// and what it acts on, in words without another verb: "my doctor upped my dose", "the landlord put the rent up".
func actsAfterNoun(words []Word, i int) bool {
	if i < 2 || i+1 >= len(words) || !words[0].Determiner {
		return false
	}
	w, noun, next := &words[i], &words[i-1], &words[i+1]
	if !verb.EndsInEd(w.Low) && !lexicon.SamePast[w.Low] || !noun.Noun && !noun.Name && !words[i-2].Determiner || noun.Possessive || strings.HasSuffix(noun.Low, "s") || w.Sign != 0 || next.Sign != 0 {
		return false
	}
	p, pronoun := english.PronounOf(next.Low)
	if !next.Determiner && !(pronoun && p.Case&(english.Objective|english.Possessive) != 0 && next.Low != "it") {
		return false
	}
	return !slices.ContainsFunc(words[i+1:], func(w Word) bool {
		f := w.Form
		return w.Finite || f == verb.Third || f == verb.Past
	})
}

// samePast reports a verb whose past is its base form after a name at the beginning: "Yara quit".
func samePast(words []Word, i int) bool {
	name := &words[max(i-1, 0)]
	return (i == 1 || i == 2 && upper(words[0].Text) && words[1].Sign == 0) && lexicon.SamePast[words[i].Low] && words[i].Sign == 0 && upper(name.Text) && !upper(words[i].Text) && !name.Possessive &&
		!name.Function && !name.Adverb && name.Form == verb.None && !verbFollows(words[i+1:])
}

// verbFollows reports a verb that is no noun before any function word, sign or pronoun: the word
// before is no verb.
func verbFollows(words []Word) bool {
	for i := range words {
		w := &words[i]
		switch {
		case w.Finite && w.Low != "may" && w.Low != "might", i == 0 && lexicon.SurelyVerb[w.Low] && !upper(w.Text):
			return w.Sign == 0
		case w.Function || w.Sign != 0 || w.Quoted:
			return false
		}
	}
	return false
}

// subjectFollows reports whether a finite verb follows before any function word, so that the
// word before is a noun: "log level is debug", "rent is 950".
func subjectFollows(words []Word) bool {
	for i := range words {
		w := &words[i]
		if w.Finite {
			return true
		}
		if w.Function && !w.Preposition && !w.Determiner || w.Sign != 0 {
			return false
		}
		if i > 0 && w.Form == verb.Past && !english.Uninflected(w.Low) {
			return true
		}
		if i > 0 && i+1 < len(words) && w.Form == verb.Third && !strings.HasSuffix(words[i-1].Low, "s") {
			return true
		}
	}
	return false
}

// Relative returns the words of a clause as package relative sees them; nil if its subject can have no relative clause.
func Relative(words []Word) []relative.Word {
	if len(words) < relative.Least || !words[0].Determiner || !slices.ContainsFunc(words[1:], func(w Word) bool { return w.Determiner || relative.Begins(w.Low) }) {
		return nil
	}
	out := make([]relative.Word, len(words))
	for i := range words {
		w := &words[i]
		out[i] = relative.Word{
			Low: w.Low, Sign: i > 0 && w.Sign != 0, Determiner: w.Determiner, Preposition: w.Preposition, Finite: w.Finite, Verb: w.Form != verb.None,
			Third: w.Form == verb.Third, Name: w.Value || upper(w.Text) && w.Low != "i",
		}
	}
	return out
}

// Preface returns words as package preface sees them.
func Preface(words []Word) []preface.Word {
	out := make([]preface.Word, len(words))
	for i := range words {
		w := &words[i]
		out[i] = preface.Word{
			Low: w.Low, Sign: w.Sign, Preposition: w.Preposition, Determiner: w.Determiner || w.Possessive, Timely: w.Timely,
			Past: w.Form == verb.Past, Third: w.Form == verb.Third, Reports: w.Reports, Named: w.Named,
		}
	}
	return out
}

func upper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }
