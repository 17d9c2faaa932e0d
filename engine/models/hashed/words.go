package hashed

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxLabel is the words that may stand before the colon of a speaker's label.
const maxLabel = 3

// maxWord is the length in bytes at which a word is cut.
const maxWord = 48

// word is one word of a text, as a part of scratch.bytes.
type word struct {
	from, to  int  // the folded word
	capital   bool // begins with a capital letter, and not at the start of a sentence, or names the speaker
	digits    bool // holds a digit
	ideograms bool // a pair of characters of a script that writes no spaces
}

// split folds text and appends its words to s.words: runs of letters and digits,
// lower case, compatibility forms unfolded, accents stripped. An apostrophe inside a
// word is dropped with the possessive s behind it. Scripts that write no spaces
// give each character and each pair of neighbours.
func (s *scratch) split(text string) {
	s.bytes, s.words = s.bytes[:0], s.words[:0]
	if !ascii(text) {
		text = norm.NFKD.String(text)
	}
	from, start := -1, true // where the word began; whether a sentence begins here
	labelled := false       // whether what could be a label is over
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
		case unicode.Is(unicode.Mn, r): // an accent of the letter before
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

// label marks the words so far as the name of a speaker ("Ada Byron: …").
func (s *scratch) label() {
	for i := range s.words {
		s.words[i].capital = true
	}
}

// fold appends the lower-case form of r, Latin letters with a stroke or joined
// spelled out.
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

// ideogram adds a character and, where another of its kind follows, the pair.
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

// possessive is the length of an s that ends the word.
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

// spaceless reports whether the script of r writes no spaces between words, or r is
// a sign that stands for itself.
func spaceless(r rune) bool {
	return r >= 0x0e00 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) || pictogram(r))
}

// pictogram reports whether r is a sign that stands for a word.
func pictogram(r rune) bool { return r != utf8.RuneError && unicode.Is(unicode.So, r) }

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
