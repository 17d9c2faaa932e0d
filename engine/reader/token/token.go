// Package token cuts a text into words: contractions become several words, an idiom one, and so a value such as "half past nine".
package token

import (
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/quantity"
	"github.com/somnograph/somnograph/engine/reader/verb"
	"github.com/somnograph/somnograph/internal/english"
)

// Word is a word of a text, or several that mean one value ("half past nine").
type Word struct {
	Text       string
	Low        string // lower case; contractions are expanded
	Lem        string // the value in normal form, if Value
	Value      bool
	Class      byte // the quantity.Kind of a value, otherwise 0
	Start, End int
	Sign       byte // the sign before it: , ; : = ( " ' - or 0
	Quoted     bool
	Possessive bool // it had 's
}

// Reader reads words by lists of words in lower case and of their lemmas.
type Reader struct {
	Function, Adverb, Preposition, Determiner, Finite, Imperative map[string]bool
	ChangeLemma, StopLemma, MovesLemma                            map[string]bool
	Verbs                                                         verb.Table
	Quantities                                                    quantity.Reader
}

// cliticIs marks, until values are merged, a word whose 's stands for "is".
// cliticHas marks one whose 's stands for "has".
const cliticIs, cliticHas byte = 1, 2

// Scan cuts a text into words and merges those that form a value.
func (r *Reader) Scan(text string) []Word {
	words := make([]Word, 0, len(text)/4+2)
	var sign byte
	quoted := false
	for t := range english.Tokens(text, english.Names) {
		if !t.IsWord() {
			switch c := t.Text[0]; {
			case c == '"':
				quoted = !quoted
				sign = '"'
			case t.Text == "“" || t.Text == "«":
				quoted, sign = true, '"'
			case t.Text == "”" || t.Text == "»":
				quoted, sign = false, '"'
			case t.Text == "€" || t.Text == "$" || t.Text == "£" || t.Text == "¥":
				words = append(words, Word{Text: t.Text, Low: t.Text, Start: t.Start, End: t.End, Sign: sign, Quoted: quoted, Class: byte(quantity.Money)})
				sign = 0
			case c == '\'' && len(words) > 0 && t.Start == words[len(words)-1].End && strings.HasSuffix(words[len(words)-1].Low, "s") && t.End < len(text) && text[t.End] == ' ':
				words[len(words)-1].Possessive = true
			case c == '%':
				words = append(words, Word{Text: "%", Low: "percent", Start: t.Start, End: t.End, Quoted: quoted})
			case t.Text == "–" || t.Text == "—" || c == '-':
				if t.End < len(text) && text[t.End] == ' ' {
					sign = '-'
				}
			case c < 0x80 && c != '\'' && c != '_' && c != '*' && c != '`' && c != '.':
				sign = c
			}
			continue
		}
		words = appendWord(words, t, sign, quoted)
		sign = 0
	}
	r.resolveClitics(words)
	r.resolveHad(words)
	words = mergeIdioms(words)
	return r.mergeValues(words, text)
}

// appendWord appends the words of a token, with its contraction expanded.
func appendWord(words []Word, t english.Token, sign byte, quoted bool) []Word {
	low := t.Lower()
	w := Word{Text: t.Text, Low: low, Start: t.Start, End: t.End, Sign: sign, Quoted: quoted}
	base, clitic := english.Contraction(low)
	if base == "" && clitic != "" { // it stands apart: "Anna 's cat", "I 'll go"
		if clitic != "'s" {
			w.Low = english.Expand(clitic)
			return append(words, w)
		}
		if len(words) > 0 {
			words[len(words)-1].Possessive = true
		}
		return words
	}
	switch clitic {
	case "":
		if low == "cannot" {
			w.Low = "can"
			return append(words, w, Word{Text: "not", Low: "not", Start: t.Start, End: t.End, Quoted: quoted})
		}
		return append(words, w)
	case "'s":
		w.Low, w.Possessive = base, true
		w.Text = t.Text[:min(len(base), len(t.Text))]
		return append(words, w)
	}
	w.Low = english.Expand(base)
	w.Text = t.Text[:min(len(base), len(t.Text))]
	c := english.Expand(clitic)
	if clitic == "'d" {
		c = "would"
	}
	return append(words, w, Word{Text: c, Low: c, Start: t.Start, End: t.End, Quoted: quoted})
}

// resolveHad turns the "would" of 'd into "had" before a past participle: "he'd counted the interns".
func (r *Reader) resolveHad(words []Word) {
	for i := 1; i+1 < len(words); i++ {
		w, next := &words[i], i+1
		for next+1 < len(words) && r.Adverb[words[next].Low] {
			next++
		}
		if w.Low == "would" && w.Start == words[i-1].Start && r.Verbs.FormOf(words[next].Low) == verb.Past {
			w.Low, w.Text = "had", "had"
		}
	}
}

// resolveClitics turns possessives into "is" where 's stands for it: after a pronoun, or in a
// clause without another verb ("the ladder's in the shed"). Resolved words keep possessive
// false and are followed by a word "is" that is inserted by mergeValues.
func (r *Reader) resolveClitics(words []Word) {
	for i := range words {
		w := &words[i]
		if !w.Possessive {
			continue
		}
		if _, ok := english.PronounOf(w.Low); ok || lexicon.CliticHosts[w.Low] {
			w.Possessive, w.Class = false, cliticIs
			if r.hasDone(words[i+1:]) {
				w.Class = cliticHas
			}
			continue
		}
		if i+1 == len(words) || words[i+1].Sign != 0 {
			continue
		}
		found := false
		from, to := i, i+1
		for from > 0 && words[from].Sign != ',' {
			from--
		}
		for to < len(words) && words[to].Sign != ',' {
			to++
		}
		for j := from; j < to; j++ {
			if j != i && !(j == i+1 && (words[j].Low == "gone" || r.hasMoved(words[j:to]) || i > 0 && j+1 == to)) && !words[j].Possessive && (r.Finite[words[j].Low] || j > 0 && r.Verbs.FormOf(words[j].Low) == verb.Past || j > i+1 && r.Verbs.FormOf(words[j].Low) == verb.Third) {
				found = true
			}
			if j == 0 && i > 1 && r.Imperative[words[0].Low] {
				found = true
			}
		}
		next := words[i+1].Low
		if r.hasDone(words[i+1:]) {
			w.Possessive, w.Class = false, cliticHas
			continue
		}
		if !found && (r.Function[next] || r.Adverb[next] || i > 0 || quantity.IsNumeric(next) || next == "gone" || r.hasMoved(words[i+1:to]) || i+2 == to && r.Verbs.FormOf(next) == verb.Past || strings.HasSuffix(next, "ing")) {
			w.Possessive, w.Class = false, cliticIs
		}
	}
}

// mergeIdioms makes one word of each idiom of synonyms.txt.
func mergeIdioms(words []Word) []Word {
	for i := 0; i < len(words); i++ {
		for _, d := range lexicon.Idioms[words[i].Low] {
			if begins(words[i:], d.Words) {
				n := i + len(d.Words)
				words[i].Text, words[i].Low, words[i].End = d.As, d.As, words[n-1].End
				words = append(words[:i+1], words[n:]...)
				break
			}
		}
	}
	return words
}

// hasDone reports words after 's that make it "has": "been", and the participle of a verb of change that governs a noun: "my sister's left
// the band".
func (r *Reader) hasDone(words []Word) bool {
	if len(words) < 2 || words[0].Sign != 0 || words[1].Sign != 0 {
		return false
	}
	participle, next := &words[0], &words[1]
	if participle.Low == "been" || participle.Low == "got" {
		return true
	}
	lem := english.Lemma(participle.Low)
	if r.Verbs.FormOf(participle.Low) != verb.Past || lexicon.Acquires[lem] || !r.ChangeLemma[lem] && !r.StopLemma[lem] && !r.MovesLemma[lem] {
		return false
	}
	return r.Determiner[next.Low] || !r.Function[next.Low] && !r.Adverb[next.Low] && upper(next.Text)
}

// hasMoved reports the participle of a verb of change with a preposition or particle, which is no attribute of a noun: "my sister's moved to Leeds".
func (r *Reader) hasMoved(words []Word) bool {
	if len(words) < 3 || words[1].Sign != 0 || r.Verbs.FormOf(words[0].Low) != verb.Past || !r.ChangeLemma[english.Lemma(words[0].Low)] {
		return false
	}
	return r.Preposition[words[1].Low] || lexicon.Particles[words[1].Low]
}

// mergeValues merges the words of a value into one word with its normal form: numbers in words
// and digits, clock times ("half past nine", "9:30 am"), money, percent, amounts with a unit,
// dates and telephone numbers. It also inserts "is" or "has" after the words that resolveClitics marked.
func (r *Reader) mergeValues(words []Word, text string) []Word {
	out := words[:0:0]
	plain := make([]quantity.Word, len(words))
	for i := range words {
		plain[i] = quantity.Word{Low: words[i].Low, Sign: words[i].Sign}
	}
	for i := 0; i < len(words); {
		w := words[i]
		if w.Class == cliticIs || w.Class == cliticHas {
			low := "is"
			if w.Class == cliticHas {
				low = "has"
			}
			w.Class, w.End = 0, w.Start+len(w.Text)
			is := Word{Text: low, Low: low, Start: w.End, End: w.End, Quoted: w.Quoted}
			out = append(out, w, is)
			i++
			continue
		}
		previous, capital := "", false
		if len(out) > 0 {
			previous, capital = out[len(out)-1].Low, upper(out[len(out)-1].Text)
		}
		value, kind, n := r.Quantities.Value(plain[i:], previous, capital)
		if n == 0 {
			out = append(out, w)
			i++
			continue
		}
		last := words[i+n-1]
		w.End = last.End
		w.Text = text[w.Start:w.End]
		w.Low = strings.ToLower(w.Text)
		w.Lem, w.Class, w.Value = value, byte(kind), true
		out = append(out, w)
		i += n
	}
	return out
}

func upper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// begins reports that words begin with a phrase.
func begins(words []Word, phrase []string) bool {
	if len(phrase) > len(words) {
		return false
	}
	for i, w := range phrase {
		if w != "~" && words[i].Low != w {
			return false
		}
	}
	return true
}
