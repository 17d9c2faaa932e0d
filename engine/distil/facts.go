package distil

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// Kind is what a key fact is.
type Kind string

// The kinds.
const (
	Subject Kind = "SUBJECT" // what a statement is about
	Number  Kind = "NUMBER"  // a number, a clock time, a version
	Date    Kind = "DATE"    // a day, a month, a year, an interval
	Name    Kind = "NAME"    // a named thing
	Object  Kind = "OBJECT"  // what is stated, and every other word that carries meaning
)

// factWeight is how much a fact of a kind counts for the choice of sentences.
var factWeight = map[Kind]float64{Subject: 2, Number: 3, Date: 3, Name: 3, Object: 1}

// Fact is something that a summary must keep.
type Fact struct {
	Kind Kind
	Text string // as written
	// Canonical compares: names and subjects as package extract folds them, objects also
	// without plurals and small words ("not " before what is denied), numbers by value with their sign ("40%"), dates as 2026-03-03, 2026-03,
	// 2026, first/last with an open end left out, ~ before a day that is near it.
	Canonical string
}

// KeyFacts are the facts that a source states, each once, in order. Relative times are
// read from its instant, and "I" as its speaker.
func KeyFacts(s Source) []Fact {
	var out []Fact
	for _, x := range read(s) {
		for _, f := range x.facts {
			if !slices.ContainsFunc(out, f.same) {
				out = append(out, f)
			}
		}
	}
	return out
}

func (f Fact) same(o Fact) bool { return f.Kind == o.Kind && f.Canonical == o.Canonical }

// Missing are the facts that no sentence of a text holds. Dates in the text must be
// absolute to count.
func Missing(text string, facts []Fact) []Fact {
	return missing(read(Source{Text: text}), facts)
}

func missing(all []*sentence, facts []Fact) []Fact {
	var out []Fact
	for _, f := range facts {
		if !slices.ContainsFunc(all, func(s *sentence) bool { return s.holds(f) }) {
			out = append(out, f)
		}
	}
	return out
}

// sentence is a sentence that was read.
type sentence struct {
	text       string    // ready to stand alone
	unusable   bool      // it can not: a time in it hangs on an instant that nobody knows
	antecedent *sentence // the one that it leans on
	question   bool
	negations  int
	content    []string        // stems of what is no filler, without numbers, dates and negations
	words      map[string]bool // stems of all words
	numbers    []string
	dates      []string
	names      []string // canonical
	statements []extract.Statement
	facts      []Fact
}

// holds reports whether a fact stands in the sentence.
func (s *sentence) holds(f Fact) bool {
	switch f.Kind {
	case Number:
		return slices.Contains(s.numbers, f.Canonical)
	case Date:
		return slices.Contains(s.dates, f.Canonical)
	}
	words, denied := strings.CutPrefix(f.Canonical, "not ")
	return (!denied || s.negations > 0) && s.has(stems(words))
}

func (s *sentence) has(stems []string) bool {
	return !slices.ContainsFunc(stems, func(w string) bool { return !s.words[w] })
}

// readFacts reads what a sentence says; names are those that the whole text names.
func readFacts(raw string, at time.Time, speaker string, names []string, question bool) *sentence {
	s := &sentence{text: raw, question: question, words: map[string]bool{}}
	found := timesIn(raw, at)
	ws := wordsOf(raw)
	timed := func(w extract.Word) bool {
		return slices.ContainsFunc(found, func(t timeExpression) bool { return w.Start >= t.start && w.End <= t.end })
	}
	add := func(kind Kind, text, canonical string) {
		f := Fact{kind, text, canonical}
		if canonical != "" && !slices.ContainsFunc(s.facts, f.same) {
			s.facts = append(s.facts, f)
		}
	}
	for _, w := range ws {
		for _, x := range stems(w.Text) {
			s.words[x] = true
		}
		if w.Negates {
			s.negations++
		}
	}
	s.statements = extract.Statements(raw, extract.Hints{Speaker: speaker})
	counted := map[string]bool{} // what numbers and times say already
	for i, w := range ws {
		if timed(w) || isNumber(w) {
			for _, x := range stems(w.Text) {
				counted[x] = true
			}
		}
		if isNumber(w) && !timed(w) {
			s.numbers = append(s.numbers, numberWithUnit(raw, ws, i))
		}
	}
	explained := map[string]bool{}
	for _, st := range s.statements {
		subject := stems(st.Subject)
		if !s.has(subject) || !slices.ContainsFunc(subject, isContentWord) || slices.ContainsFunc(subject, func(x string) bool { return counted[x] }) {
			continue
		}
		add(Subject, st.Subject, extract.Canonical(st.Subject))
		for _, x := range subject {
			explained[x] = true
		}
	}
	for _, n := range names {
		if text := nameIn(raw, ws, n); text != "" {
			s.names = append(s.names, n)
			add(Name, text, n)
			for _, x := range stems(n) {
				explained[x] = true
			}
		}
	}
	for _, t := range found {
		s.dates = append(s.dates, t.canonical)
		add(Date, raw[t.start:t.end], t.canonical)
	}
	for i, w := range ws {
		if isNumber(w) && !timed(w) {
			add(Number, w.Text, numberWithUnit(raw, ws, i))
		}
	}
	for _, st := range s.statements {
		object := slices.DeleteFunc(stems(st.Object), func(x string) bool { return counted[x] || !isContentWord(x) })
		if len(object) > maxObject || !s.has(object) || !slices.ContainsFunc(object, func(x string) bool { return !explained[x] }) {
			continue // its words stand by themselves
		}
		canonical := strings.Join(object, " ")
		if strings.HasPrefix(st.Predicate, "not_") && s.negations > 0 {
			canonical = "not " + canonical
		}
		add(Object, st.Object, canonical)
		for _, x := range object {
			explained[x] = true
		}
	}
	for _, w := range ws {
		if w.Negates || isNumber(w) || timed(w) || fillers[w.Low] {
			continue
		}
		x := strings.Join(stems(w.Text), " ")
		if x == "" {
			continue
		}
		s.content = append(s.content, x)
		if !explained[x] && isContentWord(w.Low) {
			add(Object, w.Text, x)
		}
	}
	return s
}

// nameIn is a canonical name as the sentence writes it; empty where it does not.
func nameIn(raw string, ws []extract.Word, name string) string {
	for i := range ws {
		rest := name
		for k := i; k < len(ws) && rest != ""; k++ {
			after, ok := strings.CutPrefix(rest, canonical(ws[k].Text))
			if !ok || after == rest || after != "" && after[0] != ' ' {
				break
			}
			if after == "" {
				return raw[ws[i].Start:ws[k].End]
			}
			rest = after[1:]
		}
	}
	return ""
}

// maxObject is how many words of an object are one fact.
const maxObject = 4

// isNumber reports a number that counts: "second" and "first" are words.
func isNumber(w extract.Word) bool { return w.Number != "" && !isOrdinal(w.Low) }

func isOrdinal(low string) bool { _, ok := english.OrdinalWord(low); return ok }

// isContentWord reports a word that means something by itself.
func isContentWord(low string) bool { return !fillers[low] && !weakWords[low] && len(low) > 1 }

// numberWithUnit is a number with the sign that says what it counts, and a clock with its half
// of the day.
func numberWithUnit(text string, ws []extract.Word, i int) string {
	w := ws[i]
	switch {
	case w.SignAfter == '%' || w.SignAfter == '€' || w.SignAfter == '$' || w.SignAfter == '£':
		return w.Number + string(w.SignAfter)
	case w.SignBefore == '€' || w.SignBefore == '$' || w.SignBefore == '£':
		return w.Number + string(w.SignBefore)
	case w.SignAfter == 0 && i+1 < len(ws) && (ws[i+1].Low == "am" || ws[i+1].Low == "pm"):
		return w.Number + ws[i+1].Low
	case strings.HasSuffix(" "+text[:w.Start], " -"), strings.HasSuffix(text[:w.Start], "−"):
		return "-" + w.Number
	}
	return w.Number
}
