package distil

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// Kind is the kind of a key fact.
type Kind string

// The kinds.
const (
	Subject Kind = "SUBJECT" // what a statement is about
	Number  Kind = "NUMBER"  // a number, a clock time, a version
	Date    Kind = "DATE"    // a day, a month, a year, an interval
	Name    Kind = "NAME"    // a named thing
	Object  Kind = "OBJECT"  // what a statement says, and every other content word
)

// factWeight is the weight of a fact of each kind in the choice of sentences.
var factWeight = map[Kind]float64{Subject: 2, Number: 3, Date: 3, Name: 3, Object: 1}

// Fact is a fact that a summary must keep.
type Fact struct {
	Kind Kind
	Text string // as written
	// Canonical is the form for comparison: names and subjects by extract.Canonical; objects also
	// without plurals and small words, with "not " first if negated; numbers by value with their
	// sign ("40%"); dates as 2026-03-03, 2026-03, 2026, first/last without an end that is open,
	// and ~ before a day for around it.
	Canonical string
}

// KeyFacts returns the facts that a source states, each once, in order. Relative times are read
// from its instant, and "I" as its speaker.
func KeyFacts(s Source) []Fact {
	var all []Fact
	for _, x := range read(s) {
		all = append(all, x.facts...)
	}
	return unique(all)
}

func (f Fact) same(o Fact) bool { return f.Kind == o.Kind && f.Canonical == o.Canonical }

// Missing returns the facts that no sentence of a text holds. Only absolute dates in the text
// count.
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

// sentence is a sentence with what was read in it.
type sentence struct {
	text       string    // as it can be used alone
	unusable   bool      // it has a time relative to an unknown instant, or unknown context
	undated    bool      // it is unusable for its time alone
	antecedent *sentence // the sentence that it needs as context
	question   bool
	negations  int
	content    []string        // words other than fillers, numbers, dates and negations, in the singular
	words      map[string]bool // all words, in the singular
	numbers    []string
	dates      []string
	names      []string // canonical
	statements []extract.Statement
	facts      []Fact
}

// holds reports whether the sentence has a fact.
func (s *sentence) holds(f Fact) bool {
	switch f.Kind {
	case Number:
		return slices.Contains(s.numbers, f.Canonical)
	case Date:
		return slices.Contains(s.dates, f.Canonical)
	}
	words, denied := strings.CutPrefix(f.Canonical, "not ")
	return (!denied || s.negations > 0) && s.hasAll(singularWords(words))
}

func (s *sentence) hasAll(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !s.words[w] })
}

// readFacts reads the facts of a sentence. names are those of the whole text.
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
		for _, x := range singularWords(w.Text) {
			s.words[x] = true
		}
		if w.Negates {
			s.negations++
		}
	}
	s.statements = extract.Statements(raw, extract.Hints{Speaker: speaker})
	counted := map[string]bool{} // words of numbers and times
	for i, w := range ws {
		if timed(w) || isNumber(w) {
			for _, x := range singularWords(w.Text) {
				counted[x] = true
			}
		}
		if isNumber(w) && !timed(w) {
			s.numbers = append(s.numbers, numberWithUnit(raw, ws, i))
		}
	}
	explained := map[string]bool{}
	for _, st := range s.statements {
		subject := singularWords(st.Subject)
		if !s.hasAll(subject) || !slices.ContainsFunc(subject, isContentWord) || slices.ContainsFunc(subject, func(x string) bool { return counted[x] }) {
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
			for _, x := range singularWords(n) {
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
		object := slices.DeleteFunc(singularWords(st.Object), func(x string) bool { return counted[x] || !isContentWord(x) })
		if len(object) > maxObject || !s.hasAll(object) || !slices.ContainsFunc(object, func(x string) bool { return !explained[x] }) {
			continue // its words are facts of their own
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
		x := strings.Join(singularWords(w.Text), " ")
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

// nameIn returns a canonical name as the sentence writes it; empty if it does not.
func nameIn(raw string, ws []extract.Word, name string) string {
	for i := range ws {
		rest := name
		for k := i; k < len(ws) && rest != ""; k++ {
			after, ok := strings.CutPrefix(rest, extract.Canonical(ws[k].Text))
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

// maxObject is the maximum number of words in an object that is one fact.
const maxObject = 4

// isNumber reports a number other than an ordinal.
func isNumber(w extract.Word) bool { return w.Number != "" && !isOrdinal(w.Low) }

func isOrdinal(low string) bool { _, ok := english.OrdinalWord(low); return ok }

// isContentWord reports a word with a meaning of its own.
func isContentWord(low string) bool { return !fillers[low] && !weakWords[low] && len(low) > 1 }

// numberWithUnit returns a number with the sign that it counts (%, €, $, £), am or pm, or its
// minus sign.
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
