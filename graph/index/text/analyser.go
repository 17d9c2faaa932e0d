package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxTerm is the longest term in bytes; what is longer is cut there.
const maxTerm = 64

// Analyser turns text into terms, the same way for memories and for questions:
//
//	NFKC → tokens (see tokens.go) → case fold → accents stripped → stop words
//	dropped → English stem (Snowball "Porter 2") for words of ASCII letters
//
// A token that is put together from parts (main.go, v2.3, bob@acme.com, camelCase)
// gives the whole and its parts, so either finds it. Text in a script that does
// not separate words gives overlapping pairs of characters.
//
// An Analyser is not safe for concurrent use.
type Analyser struct {
	fold  cases.Caser
	env   *snowballstem.Env
	parts []string // scratch of compound
	emit  func(term string)
}

func New() *Analyser {
	return &Analyser{fold: cases.Fold(), env: snowballstem.NewEnv("")}
}

// EachTerm calls emit for every term of text, in order, repeats included. A term may
// share the bytes of text: who keeps it must clone it.
func (a *Analyser) EachTerm(text string, emit func(term string)) {
	if !isASCII(text) {
		text = norm.NFKC.String(text)
		text = apostrophes.Replace(text)
	}
	a.emit = emit
	a.split(text)
	a.emit = nil
	a.env.SetCurrent("") // no word outlives its memory
	clear(a.parts[:cap(a.parts)])
}

// Terms are those of a text, repeats included.
func (a *Analyser) Terms(text string) []string {
	var out []string
	a.EachTerm(text, func(term string) { out = append(out, strings.Clone(term)) })
	return out
}

// NameTokens answers the words of a name or text, folded; capital says whether each
// began with a capital.
func (a *Analyser) NameTokens(text string) (tokens []string, capital []bool) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !inWord(r) }) {
		first, _ := utf8.DecodeRuneInString(word)
		if t := a.folded(word); t != "" {
			tokens, capital = append(tokens, strings.Clone(t)), append(capital, unicode.IsUpper(first))
		}
	}
	return tokens, capital
}

// apostrophes are the signs that people write for one.
var apostrophes = strings.NewReplacer("\u2019", "'", "\u2018", "'", "\u02bc", "'", "\u2032", "'")

// plain folds a token and emits it as it is, neither stopped nor stemmed.
func (a *Analyser) plain(token string) {
	if t := a.folded(token); t != "" {
		a.emit(cut(t))
	}
}

// word folds a token without connectors and emits its stem unless it is a stop word.
func (a *Analyser) word(token string) {
	t := a.folded(token)
	if t == "" || stopWords[t] {
		return
	}
	a.emit(cut(a.stem(t)))
}

// folded is the token without case and accents.
func (a *Analyser) folded(token string) string {
	if isASCII(token) {
		return strings.ToLower(token)
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

// stem is the English stem of a folded word; anything but ASCII letters is left.
func (a *Analyser) stem(t string) string {
	if len(t) < 3 || len(t) > maxTerm {
		return t
	}
	for i := 0; i < len(t); i++ {
		if t[i] < 'a' || t[i] > 'z' {
			return t
		}
	}
	a.env.SetCurrent(t)
	english.Stem(a.env)
	return a.env.Current()
}

// cut shortens a term to maxTerm bytes at a rune's edge.
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

// inWord reports whether r belongs to a word: a letter, a digit or a mark on one.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// unsegmented reports whether r is written without spaces between words.
func unsegmented(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
