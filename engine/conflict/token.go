package conflict

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// token is a word, a number or a punctuation mark.
type token struct {
	raw         string // as written
	low         string // lower case, contractions expanded ("n't" is "not")
	lem         string // see lemma
	upper       bool   // it begins with a capital inside a sentence
	first       bool   // first word of a sentence
	punctuation bool   // one of . ? , : with "." for the end of a line
	used        bool   // it is part of a value
	verb        bool   // a known verb
	finite      bool   // it can be the head of a verb group
	strong      bool   // a verb by its form alone: an auxiliary, or a past form
	past, ing   bool   // a past form; an -ing form
	code        bool   // not a word of a language: f(x), a[i], key=value
	class       class
}

// maxText is how many bytes of a text are read. A statement is near the beginning of its text, and
// a comparison must stay cheap.
const maxText = 2048

// tokenise cuts a text into tokens. Quotes, brackets and emphasis are dropped.
func tokenise(text string) []token { return tokeniseInto(nil, text) }

// tokeniseInto is tokenise with reuse of a slice.
func tokeniseInto(into []token, text string) []token {
	if len(text) > maxText {
		cut := maxText
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	if into == nil {
		into = make([]token, 0, len(text)/4+4)
	}
	t := tokeniser{text: unfenced(text), out: into[:0], sentenceStart: true}
	for x := range english.Tokens(t.text, english.Names) {
		if n := len(t.chunk); n > 0 && t.chunk[n-1].End < x.Start {
			t.endChunk()
		}
		switch x.Text {
		case "\n", "…":
			t.endChunk()
			t.addMark(".")
		case "—", "–":
			t.endChunk()
			t.addMark(",")
		default:
			t.chunk = append(t.chunk, x)
		}
	}
	t.endChunk()
	return t.out
}

// unfenced drops blocks of code between fences.
func unfenced(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	parts := strings.Split(text, "```")
	var b strings.Builder
	for i := 0; i < len(parts); i += 2 {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(parts[i])
	}
	return b.String()
}

// tokeniser reads a text in chunks. A chunk is a run without white space or dashes.
type tokeniser struct {
	text          string
	out           []token
	sentenceStart bool // the next word begins a sentence
	chunk         []english.Token
}

func (t *tokeniser) addMark(m string) {
	if n := len(t.out); n > 0 && t.out[n-1].punctuation && (t.out[n-1].low == "." || t.out[n-1].low == "?" || t.out[n-1].low == m) {
		return
	}
	t.out = append(t.out, token{raw: m, low: m, punctuation: true})
	t.sentenceStart = m == "." || m == "?"
}

// The signs that are dropped at the start and at the end of a chunk, and those that are marks at
// the end.
const (
	openSigns  = "\"'’`*_([{<>“‘-•#~|"
	closeSigns = "\"'’`*_)]}>|“”"
	endSigns   = ".,;:!?"
)

// endChunk reads the current chunk and begins a new one.
func (t *tokeniser) endChunk() {
	chunk := t.chunk
	if len(chunk) == 0 {
		return
	}
	t.chunk = chunk[:0]
	switch t.text[chunk[0].Start:chunk[len(chunk)-1].End] {
	case "-", "--", "->":
		t.addMark(",")
		return
	case "=":
		t.addMark(":")
		return
	}
	for len(chunk) > 0 && chunk[0].Kind == english.Sign && strings.Contains(openSigns, chunk[0].Text) {
		chunk = chunk[1:]
	}
	end := len(chunk)
	for end > 0 && chunk[end-1].Kind == english.Sign && (strings.Contains(closeSigns, chunk[end-1].Text) || strings.Contains(endSigns, chunk[end-1].Text)) {
		end--
	}
	abbreviated := false
	if end > 0 {
		word := strings.ReplaceAll(t.text[chunk[0].Start:chunk[end-1].End], "’", "'")
		abbreviated = english.Abbreviation(english.Lower(word))
		t.hyphened(word)
	}
	first := true
	for _, x := range chunk[end:] {
		switch {
		case !strings.Contains(endSigns, x.Text):
			continue
		case x.Text == "?" || x.Text == "," || x.Text == ":":
			t.addMark(x.Text)
		case !first || !abbreviated || x.Text != ".":
			t.addMark(".")
		}
		first = false
	}
}

// hyphened adds the word of a chunk. A number before a hyphen is a separate word: "10-15",
// "two-year".
func (t *tokeniser) hyphened(word string) {
	head, _, found := strings.Cut(word, "-")
	if found && head != "" && (head[0] >= '0' && head[0] <= '9' || isNumberWord(english.Lower(head))) && !isISODate(word) {
		for part := range strings.SplitSeq(word, "-") {
			if part != "" {
				t.word(part)
			}
		}
		return
	}
	t.word(word)
}

func isISODate(w string) bool {
	return len(w) >= 10 && w[4] == '-' && w[7] == '-' && digits(w[:4]) && digits(w[5:7]) && digits(w[8:10])
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// withoutApostrophe are contractions written without their apostrophe, and words for two.
var withoutApostrophe = wordLists.Keys("withoutApostrophe")

// word adds a word, with its contractions expanded.
func (t *tokeniser) word(w string) {
	base, clitic := english.Contraction(w)
	if base != "" && clitic != "" {
		if full := english.Expand(english.Lower(base)); !strings.EqualFold(full, base) {
			base = full
		}
		t.word(base)
		t.add(english.Expand(english.Lower(clitic)))
		return
	}
	if both, ok := withoutApostrophe[english.Lower(w)]; ok {
		first, second, _ := strings.Cut(both, "_")
		t.add(first)
		t.add(second)
		return
	}
	t.add(w)
}

func (t *tokeniser) add(w string) {
	if w == "" {
		return
	}
	if strings.ContainsAny(w, "()[]{}<>=;\\|") {
		t.out = append(t.out, token{raw: w, low: w, lem: w, code: true})
		t.sentenceStart = false
		return
	}
	r, _ := utf8.DecodeRuneInString(w)
	low := english.Lower(w)
	l := lookUp(low)
	t.out = append(t.out, token{
		raw: w, low: low, lem: l.lem, class: l.class, past: l.past, ing: l.ing, verb: l.verb,
		upper: unicode.IsUpper(r) && !t.sentenceStart && low != "i",
		first: t.sentenceStart,
	})
	classify(&t.out[len(t.out)-1])
	t.sentenceStart = false
}

// sentences cuts a text at full stops and question marks. question is set before a question mark.
func sentences(t []token) iter.Seq2[[]token, bool] {
	return func(yield func(sentence []token, question bool) bool) {
		for len(t) > 0 {
			end := slices.IndexFunc(t, func(x token) bool { return x.punctuation && (x.low == "." || x.low == "?") })
			if end < 0 {
				yield(t, false)
				return
			}
			if end > 0 && !yield(t[:end], t[end].low == "?") {
				return
			}
			t = t[end+1:]
		}
	}
}

// reporterNouns are sources whose reports count as facts: the lab says that.
var reporterNouns = lemmas("lab laboratory doctor dentist vet test scan contract label manual documentation calendar website sign certificate passport letter timetable register")

// withoutReporter drops "the lab says that" from the start of a sentence.
func withoutReporter(t []token) []token {
	if n := min(len(t), 5); n < 4 || !slices.ContainsFunc(t[1:n], func(x token) bool { return x.is(reportingVerb) }) {
		return t
	}
	i := 0
	for i < len(t) && (t[i].is(determiner) || t[i].upper || reporterNouns[t[i].lem]) && i < 4 {
		i++
	}
	if i == 0 || i+2 >= len(t) || !reporterNouns[t[i-1].lem] || !t[i].is(reportingVerb) {
		return t
	}
	if i++; t[i].low == "that" {
		i++
	}
	return t[i:]
}

// withPlainOrder puts "salmon is what I eat" and "what I eat is salmon" into plain word order, in
// a copy of the tokens.
func withPlainOrder(t []token) []token {
	for i := 1; i+3 < len(t); i++ {
		if t[i].low != "what" || !t[i-1].is(formOfBe) || !t[i+1].is(subjectForm) || i < 2 || !t[i+2].verb {
			continue
		}
		out := slices.Concat(t[i+1:i+3], t[:i-1], t[i+3:])
		out[0].first, out[2].first = true, false
		return out
	}
	if len(t) < 5 || t[0].low != "what" || !t[1].is(subjectForm) || !t[2].verb {
		return t
	}
	for i := 3; i < len(t)-1 && i < 6; i++ {
		if t[i].is(formOfBe) {
			out := slices.Concat(t[1:3], t[i+1:], t[3:i])
			out[0].first = true
			return out
		}
	}
	return t
}

// reportingVerbs are verbs after reporterNouns.
var reportingVerbs = english.WordSet("say says said show shows showed state states stated confirm confirms confirmed read reads")
