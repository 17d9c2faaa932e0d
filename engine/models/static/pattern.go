package static

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// finder returns the byte ranges of all matches in a text, in order. No match is empty.
type finder func(text string) [][2]int

// stretch is a part of a text: a match, or the text between two matches.
type stretch struct {
	text  string
	match bool
}

// splitAt splits a text at the matches of a pattern. The behavior field decides how the
// matches are kept (library "tokenizers", SplitDelimiterBehavior).
func splitAt(steps []splitter, c component) ([]splitter, error) {
	find, err := finderOf(c.Pattern)
	if err != nil {
		return nil, fmt.Errorf("its pre-tokenizer Split: %w", err)
	}
	joins, there := behaviors[c.Behavior]
	if !there {
		return nil, fmt.Errorf("its pre-tokenizer Split has the behavior %q, which is not supported", c.Behavior)
	}
	return append(steps, func(text string, part func(string)) {
		var parts []string
		before := false // whether the stretch before is a match
		for i, s := range stretches(text, find) {
			match := s.match != c.Invert
			switch {
			case c.Behavior == "Removed" && match:
			case i > 0 && joins(before, match):
				parts[len(parts)-1] += s.text
			default:
				parts = append(parts, s.text)
			}
			before = match
		}
		for _, p := range parts {
			part(p)
		}
	}), nil
}

// behaviors report whether a stretch joins the one before it, by whether each is a match.
var behaviors = map[string]func(before, match bool) bool{
	"Removed":            func(bool, bool) bool { return false },
	"Isolated":           func(bool, bool) bool { return false },
	"Contiguous":         func(before, match bool) bool { return before == match },
	"MergedWithPrevious": func(before, match bool) bool { return match && !before },
	"MergedWithNext":     func(before, match bool) bool { return before && !match },
}

// isolated makes each match and each text between two matches a part.
func isolated(find finder) splitter {
	return func(text string, part func(string)) {
		for _, s := range stretches(text, find) {
			part(s.text)
		}
	}
}

// stretches splits a text into matches and the texts between them.
func stretches(text string, find finder) (out []stretch) {
	last := 0
	for _, m := range find(text) {
		if m[0] > last {
			out = append(out, stretch{text[last:m[0]], false})
		}
		out = append(out, stretch{text[m[0]:m[1]], true})
		last = m[1]
	}
	if last < len(text) {
		out = append(out, stretch{text[last:], false})
	}
	return out
}

// finderOf compiles a pattern.
func finderOf(p pattern) (finder, error) {
	switch {
	case p.String != nil && *p.String != "":
		return func(text string) (out [][2]int) {
			for at := 0; ; {
				i := strings.Index(text[at:], *p.String)
				if i < 0 {
					return out
				}
				out = append(out, [2]int{at + i, at + i + len(*p.String)})
				at += i + len(*p.String)
			}
		}, nil
	case p.Regex != nil && *p.Regex != "":
		return matcher(*p.Regex)
	}
	return nil, errors.New("it has no pattern")
}

// matcher compiles a regular expression. Tokenizer patterns use lookahead and the Unicode
// meaning of \s and \w, which the standard library does not support.
func matcher(expression string) (finder, error) {
	x, err := regexp2.Compile(expression, regexp2.None)
	if err != nil {
		return nil, fmt.Errorf("its pattern: %w", err)
	}
	return func(text string) (out [][2]int) {
		read, at := 0, 0 // the same position in characters and in bytes
		m, err := x.FindStringMatch(text)
		for err == nil && m != nil { // the only error is a timeout, and none is set
			at += width(text[at:], m.Index-read)
			to := at + width(text[at:], m.Length)
			if to > at {
				out = append(out, [2]int{at, to})
			}
			read, at = m.Index+m.Length, to
			m, err = x.FindNextMatch(m)
		}
		return out
	}, nil
}

// width returns the byte length of the first n characters of a text.
func width(text string, n int) int {
	at := 0
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}
