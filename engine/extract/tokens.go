package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a run of letters and digits with what holds them together inside.
type word struct {
	text       string
	low        string // lower case, straight apostrophes, without a possessive
	start, end int    // bytes
	first      bool   // begins a sentence
	own        bool   // had a possessive 's or s'
	after      rune   // the sign right behind it, 0 where there is only space
	before     rune   // the last sign between the word before and it, 0 where there is none
}

// capital reports whether the word begins with an upper-case letter.
func (w word) capital() bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	return unicode.IsUpper(r)
}

// shouted reports whether it has at least two letters, all of them upper-case.
func (w word) shouted() bool {
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

// mixed reports an upper-case letter behind a lower-case one (GitHub), which no plain
// word has.
func (w word) mixed() bool {
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
	words    []word
	question bool
	loud     bool // ends with !
}

// sentences cuts a text into sentences and words.
func sentences(text string) []sentence {
	var out []sentence
	var s sentence
	start := -1
	var before, prev, sign rune // sign: the last one since a word ended
	end := func(r rune) {
		if len(s.words) > 0 {
			s.question, s.loud = r == '?', r == '!'
			out = append(out, s)
		} else if n := len(out); n > 0 {
			out[n-1].question = out[n-1].question || r == '?'
		}
		s = sentence{}
	}
	flush := func(at int, r rune) {
		if start < 0 {
			return
		}
		w := word{text: text[start:at], start: start, end: at, first: len(s.words) == 0, before: before}
		if r != 0 && !unicode.IsSpace(r) {
			w.after = r
		}
		w.low = strings.ReplaceAll(strings.ToLower(w.text), "’", "'")
		if cut, ok := strings.CutSuffix(w.low, "'s"); ok {
			w.low, w.own = cut, true
			w.text = w.text[:strings.LastIndexAny(w.text, "'’")]
			w.end = w.start + len(w.text)
		} else if r == '\'' || r == '’' {
			w.own = strings.HasSuffix(w.low, "s")
		}
		if s.words == nil {
			s.words = make([]word, 0, min(64, 1+len(text[start:])/6)) // a word and its space, about
		}
		s.words = append(s.words, w)
		start = -1
	}
	for i, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) {
			if start < 0 {
				start, before, sign = i, sign, 0
			}
			prev = r
			continue
		}
		next := following(text[i:])
		if start >= 0 && holds(prev, r, next) {
			prev = r
			continue
		}
		if start < 0 && r == '/' && (prev == 0 || unicode.IsSpace(prev)) && unicode.IsLetter(next) {
			start, before, sign = i, 0, 0 // an absolute path
			prev = r
			continue
		}
		flush(i, r)
		if !unicode.IsSpace(r) {
			sign = r
		}
		if r == '\n' || r == '!' || r == '?' || r == '…' || r == '.' && ends(text[:i], next) {
			end(r)
		}
		prev = r
	}
	flush(len(text), 0)
	end('.')
	return out
}

// following is the character behind the one that rest begins with.
func following(rest string) rune {
	_, size := utf8.DecodeRuneInString(rest)
	r, _ := utf8.DecodeRuneInString(rest[size:])
	if r == utf8.RuneError {
		return 0
	}
	return r
}

// holds reports whether the sign r keeps a word together.
func holds(prev, r, next rune) bool {
	in := func(x rune) bool { return unicode.IsLetter(x) || unicode.IsDigit(x) }
	switch r {
	case '\'', '’', '-', '_', '@', '&':
		return in(prev) && in(next)
	case '/':
		return in(prev) && in(next)
	case '.':
		// file.go, 3.5, 14.30 – but not the end of a sentence without a space.
		return in(prev) && in(next) && (!unicode.IsUpper(next) || !unicode.IsLower(prev))
	case ':', ',':
		return unicode.IsDigit(prev) && unicode.IsDigit(next)
	case '+', '#':
		return unicode.IsLetter(prev) && !in(next) || prev == '+' && r == '+' && !in(next)
	}
	return false
}

// ends reports whether a full stop behind before ends the sentence.
func ends(before string, next rune) bool {
	if next != 0 && !unicode.IsSpace(next) && next != '"' && next != '”' && next != ')' && !unicode.IsUpper(next) {
		return false
	}
	at := strings.LastIndexFunc(before, func(r rune) bool { return unicode.IsSpace(r) || r == '(' })
	last := strings.ToLower(before[at+1:])
	if (at < 0 || before[at] == '\n') && len(last) < 3 && isNumber(last) {
		return false // 1. the number of a step
	}
	return !abbreviations[last] && (len(last) != 1 || last == "i" || !unicode.IsLetter(rune(last[0])))
}

var abbreviations = set("mr mrs ms dr prof st mt vs etc e.g i.e approx no jr sr inc ltd co corp dept est fig")

// set makes a set of the words in a list.
func set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}
