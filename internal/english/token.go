package english

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a token is.
type Kind uint8

const (
	Word     Kind = iota + 1 // letters, digits and marks
	Number                   // ASCII digits, with the signs between them that the Cut keeps
	Unspaced                 // a run in a script without spaces between words (Han, Kana, Hangul, Thai …); not with Parts
	Sign                     // one punctuation mark, symbol or control character
	Break                    // the end of a line, "\n"
)

// Token is a part of a text.
type Token struct {
	Text       string // text[Start:End], as written
	Start, End int    // byte offsets in the text
	Kind       Kind
	Compound   bool // a Word or Number with a sign inside
}

// IsWord reports a token that is no punctuation: a Word, a Number or an Unspaced run.
func (t Token) IsWord() bool { return t.Kind <= Unspaced }

// Lower returns the text of the token in lower case with straight apostrophes.
func (t Token) Lower() string { return Lower(t.Text) }

// Cut is how finely [Tokens] cuts a text into words. Each Cut is a refinement of the next.
type Cut uint8

const (
	// Parts are runs of letters, digits and marks of any script: "don", "t", "5", "30", "main", "go".
	Parts Cut = iota
	// Words have an apostrophe between two letters, and one of - : / . between two digits:
	// "don't", "5:30", "2023-05-08", but "main" and "go".
	Words
	// Names have one of . _ - @ / & ' between any two letters or digits, and one of , : between
	// two digits: "well-known", "main.go", "bob@acme.com", "AT&T", "1,000". Plus signs or a number
	// sign may follow a letter at the end: "C++", "C#", "LGBTQ+".
	Names
)

// Tokens cuts a text into tokens, in order. What is not part of a token is white space
// other than "\n".
func Tokens(text string, cut Cut) iter.Seq[Token] {
	return func(yield func(Token) bool) { scan(text, cut, yield) }
}

func scan(text string, cut Cut, yield func(Token) bool) {
	for i := 0; i < len(text); {
		c := text[i]
		if c == ' ' {
			i++
			continue
		}
		t := Token{Start: i}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case cut != Parts && unspaced(r):
			t.Kind, t.End = Unspaced, endOfUnspaced(text, i+size)
		case inWord(r):
			t.Kind, t.End, t.Compound = word(text, i, cut)
		case r == '\n':
			t.Kind, t.End = Break, i+1
		case unicode.IsSpace(r):
			i += size
			continue
		default:
			t.Kind, t.End = Sign, i+size
		}
		t.Text = text[i:t.End]
		if !yield(t) {
			return
		}
		i = t.End
	}
}

// word reads the Word or Number at text[i:], which begins with a word character.
func word(text string, i int, cut Cut) (kind Kind, end int, compound bool) {
	start, last := i, rune(0) // last is the character before i
	kind = Number
	for i < len(text) {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case cut != Parts && unspaced(r):
			return kind, i, compound
		case inWord(r):
			if !digit(r) {
				kind = Word
			}
			last = r
			i += size
			continue
		case cut != Parts && sign(r):
			next, n := utf8.DecodeRuneInString(text[i+size:])
			if !inWord(next) || unspaced(next) || !joins(last, r, next, cut) {
				break
			}
			if !digit(next) {
				kind = Word
			}
			last, compound = next, true
			i += size + n
			continue
		}
		break
	}
	if n := tail(text[start:i], text[i:], last); cut == Names && n > 0 {
		return Word, i + n, true
	}
	return kind, i, compound
}

// tail returns how many bytes of rest belong to the word before it: the signs of C++, C#
// and LGBTQ+. last is the last character of the word.
func tail(word, rest string, last rune) int {
	n := 0
	switch {
	case strings.HasPrefix(rest, "#"):
		n = 1
	case strings.HasPrefix(rest, "+"):
		n = len(rest) - len(strings.TrimLeft(rest, "+"))
	}
	if n == 0 || !unicode.IsLetter(last) {
		return 0
	}
	if next, _ := utf8.DecodeRuneInString(rest[n:]); !inWord(next) {
		return n
	}
	if len(word) <= 2 && letters(word) && rest[:n] != "+" { // C++11
		return min(n, 2)
	}
	return 0
}

// sign reports a sign that some Cut keeps inside a word.
func sign(r rune) bool {
	switch r {
	case '.', '_', '-', '@', '/', '\'', '’', '&', ',', ':':
		return true
	}
	return false
}

// joins reports whether a sign keeps the word characters around it in one word.
func joins(last, sign, next rune, cut Cut) bool {
	switch sign {
	case ',':
		return cut == Names && digit(last) && digit(next)
	case ':':
		return digit(last) && digit(next)
	case '\'', '’':
		return cut == Names || unicode.IsLetter(last) && unicode.IsLetter(next)
	case '-', '/', '.':
		return cut == Names || digit(last) && digit(next)
	}
	return cut == Names
}

// endOfUnspaced returns where a run of an unspaced script ends that began before i.
func endOfUnspaced(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unspaced(r) && !unicode.IsMark(r) {
			break
		}
		i += size
	}
	return i
}

// inWord reports a letter, a digit or a mark on one of them.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// unspaced reports a character of a script that writes no spaces between words.
func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func digit(r rune) bool { return '0' <= r && r <= '9' }

// letters reports a text of ASCII letters only.
func letters(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}
