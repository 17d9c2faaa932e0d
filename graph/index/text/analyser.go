// Package text turns text into terms, the same way for memories and for queries, and answers
// what the index asks of a text besides: its names, how much of it is a question, and whether
// it is about the user. It reads nothing and keeps nothing.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/somnograph/somnograph/internal/english"
)

// maxTerm is the length in bytes at which a term is cut.
const maxTerm = 64

// Analyser turns text into terms:
//
//	NFKC → english.Names (see tokens.go) → case fold → accents stripped → stop words
//	dropped → English stem (Snowball "Porter 2") for words of ASCII letters
//
// A compound token (main.go, v2.3, bob@acme.com, camelCase) gives the whole and its
// parts, so that a search for either matches. Text in a script that does not separate
// words gives overlapping pairs of characters.
//
// An Analyser is not safe for concurrent use.
type Analyser struct {
	fold  cases.Caser
	parts []string          // scratch space of joined
	emit  func(term string) // set during EachTerm
}

func New() *Analyser {
	return &Analyser{fold: cases.Fold()}
}

// EachTerm calls emit for every term of text, in order, with repeats. A term may share
// the bytes of text: a caller that keeps it must clone it.
func (a *Analyser) EachTerm(text string, emit func(term string)) {
	if !isASCII(text) {
		text = norm.NFKC.String(text)
		text = apostrophes.Replace(text)
	}
	a.emit = emit
	a.split(text)
	a.emit = nil
	clear(a.parts[:cap(a.parts)]) // so that a pooled Analyser holds no word of an erased memory
}

// Terms answers the terms of a text, in order, with repeats.
func (a *Analyser) Terms(text string) []string {
	var out []string
	a.EachTerm(text, func(term string) { out = append(out, strings.Clone(term)) })
	return out
}

// NameTokens answers the words of a name or text without case and accents, and for each
// whether it began with a capital. Stop words are kept and nothing is stemmed.
func (a *Analyser) NameTokens(text string) (tokens []string, capital []bool) {
	for word := range english.Tokens(text, english.Parts) {
		if !word.IsWord() {
			continue
		}
		first, _ := utf8.DecodeRuneInString(word.Text)
		if t := a.folded(word.Text); t != "" {
			tokens, capital = append(tokens, strings.Clone(t)), append(capital, unicode.IsUpper(first))
		}
	}
	return tokens, capital
}

// apostrophes replaces the characters that are used as an apostrophe by ASCII 39.
var apostrophes = strings.NewReplacer("\u2019", "'", "\u2018", "'", "\u02bc", "'", "\u2032", "'")

// IsStopWord reports whether a folded token is a stop word.
func IsStopWord(token string) bool { return english.StopWord(token) }

// plain emits a folded token, stop word or not, without stemming it.
func (a *Analyser) plain(token string) {
	if t := a.folded(token); t != "" {
		a.emit(cut(t))
	}
}

// word emits the stem of a token without connectors unless the token is a stop word.
func (a *Analyser) word(token string) {
	t := a.folded(token)
	if t == "" || english.StopWord(t) {
		return
	}
	a.emit(cut(english.Stem(t)))
}

// folded returns the token without case and accents.
func (a *Analyser) folded(token string) string {
	if isASCII(token) {
		return english.Lower(token)
	}
	decomposed := norm.NFD.String(a.fold.String(token))
	kept := strings.Map(func(r rune) rune {
		if r >= 0x0300 && r <= 0x036f { // combining diacritical marks
			return -1
		}
		return r
	}, decomposed)
	return norm.NFC.String(kept)
}

// cut shortens a term to at most maxTerm bytes, at the start of a rune.
func cut(t string) string {
	if len(t) <= maxTerm {
		return t
	}
	n := maxTerm
	for n > 0 && !utf8.RuneStart(t[n]) {
		n--
	}
	return t[:n]
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
