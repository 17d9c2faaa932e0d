package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// capital reports whether the word begins with an upper-case letter.
func (w Word) capital() bool {
	r, _ := utf8.DecodeRuneInString(w.Text)
	return unicode.IsUpper(r)
}

// allCapitals reports whether the word has at least two letters and all are upper-case.
func (w Word) allCapitals() bool {
	n := 0
	for _, r := range w.Text {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			n++
		}
	}
	return n > 1
}

// mixedCase reports an upper-case letter after a lower-case one (GitHub).
func (w Word) mixedCase() bool {
	lower := false
	for _, r := range w.Text {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = lower || unicode.IsLower(r)
	}
	return false
}

// sentences cuts a text into sentences and words.
func sentences(text string) []Sentence {
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
	out    []Sentence
	now    Sentence
	before rune // the last sign since a word ended
	path   int  // where an absolute path would start if the next word follows directly; 0 if none
}

// sign notes a sign. It may end the sentence.
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
	w := Word{Text: r.text[start:end], Start: start, End: end, first: len(r.now.Words) == 0, SignBefore: r.before}
	if c := runeAt(r.text, end); c != 0 && !unicode.IsSpace(c) {
		w.SignAfter = c
	}
	w.Low = english.Lower(w.Text)
	if cut, ok := strings.CutSuffix(w.Low, "'s"); ok {
		w.Low, w.Possessive = cut, true
		w.Text = w.Text[:strings.LastIndexAny(w.Text, "'’")]
		w.End = w.Start + len(w.Text)
	} else if w.SignAfter == '\'' || w.SignAfter == '’' {
		w.Possessive = strings.HasSuffix(w.Low, "s")
	}
	if r.now.Words == nil {
		r.now.Words = make([]Word, 0, min(64, 1+len(r.text[start:])/6)) // about six bytes a word, including its space
	}
	r.now.Words = append(r.now.Words, w)
	r.before, r.path = 0, 0
}

// end ends the current sentence with a sign.
func (r *sentenceReader) end(sign rune) {
	if len(r.now.Words) > 0 {
		r.now.Question = sign == '?'
		r.out = append(r.out, r.now)
	} else if n := len(r.out); n > 0 {
		r.out[n-1].Question = r.out[n-1].Question || sign == '?'
	}
	r.now = Sentence{}
}

// runeAt returns the character at text[i:], or 0 at the end.
func runeAt(text string, i int) rune {
	if i >= len(text) {
		return 0
	}
	c, _ := utf8.DecodeRuneInString(text[i:])
	return c
}

// runeBefore returns the character before text[i:]. i must not be 0.
func runeBefore(text string, i int) rune {
	c, _ := utf8.DecodeLastRuneInString(text[:i])
	return c
}
