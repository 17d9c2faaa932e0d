package hashed

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxLabel is the maximum number of words in a speaker's label, before the colon.
const maxLabel = 3

// maxWord is the length in bytes at which a word is cut.
const maxWord = 48

// word is one word of a text, as a part of scratch.bytes.
type word struct {
	from, to  int  // the folded word
	capital   bool // capitalised inside a sentence, or part of a speaker's label
	digits    bool // contains a digit
	ideograms bool // a character, or a pair of characters, of a script without spaces
}

// split folds text and appends its words to s.words. A word is a run of letters and digits in
// lower case, with compatibility forms decomposed and accents removed. An apostrophe inside a
// word is dropped, together with a possessive s after it. Scripts without spaces give each
// character and each pair of adjacent characters.
func (s *scratch) split(text string) {
	s.bytes, s.words = s.bytes[:0], s.words[:0]
	if !ascii(text) {
		text = norm.NFKD.String(text)
	}
	from, start := -1, true // start of the word; whether a sentence begins here
	labelled := false       // a label is no longer possible
	var w word
	end := func() {
		if from < 0 {
			return
		}
		w.from, w.to = from, len(s.bytes)
		s.words = append(s.words, w)
		w, from, start = word{}, -1, false
	}
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case isLetter(r) && spaceless(r):
			end()
			s.ideogram(text[i:i+size], text[i+size:])
			start = false
		case isLetter(r) || isDigit(r):
			if from >= 0 && len(s.bytes)-from >= maxWord {
				break
			}
			if from < 0 {
				from = len(s.bytes)
				w.capital = !start && unicode.IsUpper(r)
			}
			w.digits = w.digits || isDigit(r)
			s.fold(r)
		case unicode.Is(unicode.Mn, r): // combining accent of the previous letter
		case from >= 0 && apostrophe(r):
			if n := possessive(text[i+size:]); n > 0 {
				size += n
			}
		default:
			end()
			if r == ':' && !labelled && len(s.words) <= maxLabel {
				s.label()
			}
			labelled = labelled || !unicode.IsSpace(r)
			if r == '.' || r == '!' || r == '?' || r == ':' || r == '\n' {
				start = true
			}
		}
		i += size
	}
	end()
}

// label marks the words so far as a speaker's label ("Ada Byron: …").
func (s *scratch) label() {
	for i := range s.words {
		s.words[i].capital = true
	}
}

// fold appends the lower-case form of r, with ligatures and stroked letters spelled out.
func (s *scratch) fold(r rune) {
	switch {
	case r >= 'A' && r <= 'Z':
		s.bytes = append(s.bytes, byte(r)+'a'-'A')
		return
	case r < utf8.RuneSelf:
		s.bytes = append(s.bytes, byte(r))
		return
	}
	r = unicode.ToLower(r)
	if plain, ok := spelled[r]; ok {
		s.bytes = append(s.bytes, plain...)
		return
	}
	s.bytes = utf8.AppendRune(s.bytes, r)
}

var spelled = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i", 'ς': "σ",
}

// ideogram adds a character and, if the next character is of a script without spaces too, the
// pair.
func (s *scratch) ideogram(char, rest string) {
	from := len(s.bytes)
	s.bytes = append(s.bytes, char...)
	s.words = append(s.words, word{from: from, to: len(s.bytes), ideograms: true})
	next, size := utf8.DecodeRuneInString(rest)
	if isLetter(next) && spaceless(next) {
		from = len(s.bytes)
		s.bytes = append(s.bytes, char...)
		s.bytes = append(s.bytes, rest[:size]...)
		s.words = append(s.words, word{from: from, to: len(s.bytes), ideograms: true})
	}
}

// possessive returns 1 if rest is an s at the end of the word, otherwise 0.
func possessive(rest string) int {
	if rest == "" || rest[0] != 's' && rest[0] != 'S' {
		return 0
	}
	if r, _ := utf8.DecodeRuneInString(rest[1:]); len(rest) > 1 && (isLetter(r) || isDigit(r)) {
		return 0
	}
	return 1
}

func apostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) || pictogram(r)
}

func isDigit(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9'
	}
	return unicode.IsNumber(r)
}

// spaceless reports whether the script of r has no spaces between words, or r is a pictogram.
func spaceless(r rune) bool {
	return r >= 0x0e00 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) || pictogram(r))
}

// pictogram reports whether r is a symbol that represents a word, such as an emoji.
func pictogram(r rune) bool { return r != utf8.RuneError && unicode.Is(unicode.So, r) }

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
