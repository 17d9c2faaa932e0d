package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// word is a run of letters and digits with what holds them together inside.
type word struct {
	text       string
	low        string // lower case, straight apostrophes, without a possessive
	start, end int    // bytes
	first      bool   // begins a sentence
	possessive bool   // had a possessive 's or s'
	signAfter  rune   // the sign right behind it, 0 where there is only space
	signBefore rune   // the last sign between the word before and it, 0 where there is none
}

// capital reports whether the word begins with an upper-case letter.
func (w word) capital() bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	return unicode.IsUpper(r)
}

// allCapitals reports whether it has at least two letters, all of them upper-case.
func (w word) allCapitals() bool {
	n := 0
	for _, r := range w.text {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			n++
		}
	}
	return n > 1
}

// mixedCase reports an upper-case letter behind a lower-case one (GitHub), which no plain
// word has.
func (w word) mixedCase() bool {
	lower := false
	for _, r := range w.text {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = lower || unicode.IsLower(r)
	}
	return false
}

// sentence is a run of words up to the sign that ends it.
type sentence struct {
	words       []word
	question    bool
	exclamation bool // ends with !
}

// sentences cuts a text into sentences and words.
func sentences(text string) []sentence {
	r := sentenceReader{text: text}
	for t := range english.Tokens(text, english.Names) {
		switch t.Kind {
		case english.Sign, english.Break:
			r.sign(t)
		default:
			r.word(t)
		}
	}
	r.end('.')
	return r.out
}

// sentenceReader collects the sentences of a text.
type sentenceReader struct {
	text   string
	out    []sentence
	now    sentence
	before rune // the last sign since a word ended
	path   int  // where a slash stands that begins an absolute path if a word follows, plus 1
}

// sign notes a sign, which may end the sentence.
func (r *sentenceReader) sign(t english.Token) {
	c, _ := utf8.DecodeRuneInString(t.Text)
	if t.Kind == english.Sign {
		if c == '/' && (t.Start == 0 || unicode.IsSpace(runeBefore(r.text, t.Start))) {
			r.path = t.End
		}
		r.before = c
	}
	if english.EndsSentence(r.text, t.Start) {
		r.end(c)
	}
}

// word adds a token to the sentence. A full stop between a small letter and a capital
// ends the sentence there: "It was great.We went."
func (r *sentenceReader) word(t english.Token) {
	from := t.Start
	if t.Compound {
		for i := from; i < t.End; i++ {
			if r.text[i] == '.' && i > from && unicode.IsLower(runeBefore(r.text, i)) && unicode.IsUpper(runeAt(r.text, i+1)) {
				r.add(from, i)
				r.before = '.'
				if english.EndsSentence(r.text, i) {
					r.end('.')
				}
				from = i + 1
			}
		}
	}
	r.add(from, t.End)
}

func (r *sentenceReader) add(start, end int) {
	if r.path == start && start > 0 && unicode.IsLetter(runeAt(r.text, start)) {
		start, r.before = start-1, 0
	}
	w := word{text: r.text[start:end], start: start, end: end, first: len(r.now.words) == 0, signBefore: r.before}
	if c := runeAt(r.text, end); c != 0 && !unicode.IsSpace(c) {
		w.signAfter = c
	}
	w.low = english.Lower(w.text)
	if cut, ok := strings.CutSuffix(w.low, "'s"); ok {
		w.low, w.possessive = cut, true
		w.text = w.text[:strings.LastIndexAny(w.text, "'’")]
		w.end = w.start + len(w.text)
	} else if w.signAfter == '\'' || w.signAfter == '’' {
		w.possessive = strings.HasSuffix(w.low, "s")
	}
	if r.now.words == nil {
		r.now.words = make([]word, 0, min(64, 1+len(r.text[start:])/6)) // about six bytes a word, with its space
	}
	r.now.words = append(r.now.words, w)
	r.before, r.path = 0, 0
}

// end ends the sentence with a sign.
func (r *sentenceReader) end(sign rune) {
	if len(r.now.words) > 0 {
		r.now.question, r.now.exclamation = sign == '?', sign == '!'
		r.out = append(r.out, r.now)
	} else if n := len(r.out); n > 0 {
		r.out[n-1].question = r.out[n-1].question || sign == '?'
	}
	r.now = sentence{}
}

// runeAt returns the character at text[i:], 0 at the end.
func runeAt(text string, i int) rune {
	if i >= len(text) {
		return 0
	}
	c, _ := utf8.DecodeRuneInString(text[i:])
	return c
}

// runeBefore returns the character before text[i:], which is not the first.
func runeBefore(text string, i int) rune {
	c, _ := utf8.DecodeLastRuneInString(text[:i])
	return c
}
