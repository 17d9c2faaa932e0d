package text

import (
	"strings"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// split emits the terms of each token of text.
func (a *Analyser) split(text string) {
	for t := range english.Tokens(text, english.Names) {
		switch {
		case t.Kind == english.Unspaced:
			a.pairs(t.Text)
		case t.Kind == english.Number:
			a.number(t.Text)
		case t.Kind != english.Word:
		case !t.Compound:
			a.token(t.Text)
		default:
			a.compound(t.Text)
		}
	}
}

// compound emits the terms of a word with signs. Those at its end count after one or two
// letters only: C++ and C# are terms, LGBTQ+ gives the same as LGBTQ.
func (a *Analyser) compound(s string) {
	word := strings.TrimRight(s, "+#")
	if tail := s[len(word):]; len(word) <= 2 && letters(word) && (tail == "#" || strings.HasPrefix(tail, "++")) {
		a.plain(s[:len(word)+min(len(tail), 2)])
		return
	}
	a.run(word)
}

// run emits the terms of a word with connectors.
func (a *Analyser) run(s string) {
	for piece := range strings.SplitSeq(s, "/") {
		if piece = withoutClitics(piece); piece == "" {
			continue
		}
		if !strings.ContainsFunc(piece, connector) {
			a.token(piece)
			continue
		}
		a.joined(piece)
	}
}

// withoutClitics removes English clitics ('s, n't, 're …) from the end of s. The rest of
// don't or isn't is a stop word; for can't and won't the result is empty.
func withoutClitics(s string) string {
	for {
		base, clitic := english.Contraction(s)
		if clitic == "" {
			return s
		}
		if s = base; strings.EqualFold(clitic, "n't") || strings.EqualFold(clitic, "'t") {
			if s = strings.TrimRight(s, "nN"); strings.EqualFold(s, "ca") || strings.EqualFold(s, "wo") {
				return ""
			}
		}
	}
}

// number emits a number, time, date or numeric address as one term, without the commas
// that group digits, and each part of four digits (a year) as another.
func (a *Analyser) number(s string) {
	whole := strings.ReplaceAll(s, ",", "")
	a.plain(whole)
	if !strings.ContainsAny(whole, "-/.:") {
		return
	}
	for part := range strings.FieldsFuncSeq(whole, connector) {
		if len(part) == 4 {
			a.plain(part)
		}
	}
}

// joined emits the parts of a run with connectors and, before them, the whole where it is
// a name (bob@acme.com, main.go, snake_case, covid-19, AT&T), joined where it is two words
// with a hyphen or a name with an apostrophe. Initials (U.S.A) are emitted joined only.
func (a *Analyser) joined(s string) {
	a.parts = a.parts[:0]
	initials := true
	for part := range strings.FieldsFuncSeq(s, connector) {
		a.parts = append(a.parts, part)
		initials = initials && utf8.RuneCountInString(part) == 1
	}
	parts := a.parts
	switch {
	case len(parts) < 2:
	case initials || strings.IndexByte(s, '\'') >= 0: // U.S.A, O'Brien
		a.plain(strings.Join(parts, ""))
		if initials {
			return
		}
	case version(s): // v2.3.1 also matches 2.3.1
		a.plain(s)
		a.plain(s[1:])
		return
	case strings.ContainsAny(s, ".@_&") || strings.ContainsAny(s, "0123456789"):
		a.plain(s)
	case len(parts) == 2: // e-mail, on-line
		a.word(parts[0] + parts[1])
	}
	for _, part := range parts {
		if strings.IndexByte(s, '\'') >= 0 && len(part) == 1 {
			continue
		}
		a.token(part)
	}
}

// token emits a run without connectors: the word, and the parts of camelCase or of a word
// with a number at one end (10am, v2, gpt4).
func (a *Analyser) token(s string) {
	a.word(s)
	if cuts := humps(s); len(cuts) > 0 {
		from := 0
		for _, c := range cuts {
			a.word(s[from:c])
			from = c
		}
		a.word(s[from:])
		return
	}
	if c := digitEdge(s); c > 0 {
		a.word(s[:c])
		a.word(s[c:])
	}
}

// pairs emits the overlapping pairs of the characters of text, or the character itself if
// there is only one.
func (a *Analyser) pairs(text string) {
	first, second := -1, -1 // where the two characters before i begin
	for i := range text {
		if first >= 0 {
			a.plain(text[first:i])
		}
		first, second = second, i
	}
	a.plain(text[max(first, 0):])
}

// humps answers where camelCase is cut: before a capital that follows a small letter, and
// before the last of several capitals if a small letter comes next.
func humps(s string) []int {
	var cuts []int
	for i := 1; i < len(s); i++ {
		upper := 'A' <= s[i] && s[i] <= 'Z'
		if !upper {
			continue
		}
		last := s[i-1]
		switch {
		case 'a' <= last && last <= 'z':
			cuts = append(cuts, i)
		case 'A' <= last && last <= 'Z' && i+1 < len(s) && 'a' <= s[i+1] && s[i+1] <= 'z' && i+2 < len(s):
			cuts = append(cuts, i)
		}
	}
	return cuts
}

// digitEdge answers the only position where ASCII letters and digits meet, or 0.
func digitEdge(s string) int {
	at := 0
	for i := 1; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return 0
		}
		if digit(s[i-1]) != digit(s[i]) {
			if at > 0 {
				return 0
			}
			at = i
		}
	}
	return at
}

// version reports whether s is a version: a v and numbers with dots.
func version(s string) bool {
	return (s[0] == 'v' || s[0] == 'V') && digit(s[1]) && numeric(s[1:])
}

func connector(r rune) bool {
	switch r {
	case '.', '_', '-', '@', '/', '\'', '&', ',', ':':
		return true
	}
	return false
}

func numeric(s string) bool {
	for i := 0; i < len(s); i++ {
		if !digit(s[i]) && !connector(rune(s[i])) {
			return false
		}
	}
	return true
}

func letters(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
