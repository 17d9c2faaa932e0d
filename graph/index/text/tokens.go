package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// split cuts text into runs and emits the terms of each. A run consists of word
// characters with single connectors between two of them; a connector at the end of a
// run is punctuation. A run of an unsegmented script is a run of its own.
func (a *Analyser) split(text string) {
	// The current run: where it starts (−1: none), and whether it is simple, that is, only
	// ASCII letters and no capital after the first.
	start, simple := -1, true
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case r >= 0x0e00 && unsegmented(r):
			if start >= 0 {
				a.run(text[start:i], simple)
				start = -1
			}
			i += a.pairs(text[i:])
			continue
		case inWord(r):
			if start < 0 {
				start, simple = i, true
			}
			if r < 'a' || r > 'z' {
				simple = simple && i == start && r < utf8.RuneSelf && unicode.IsUpper(r)
			}
		case start >= 0 && connects(text, i, byte(r), r):
			simple = false
		case start >= 0:
			i += a.sign(text[start:i], text[i:], simple)
			start = -1
			continue
		}
		i += size
	}
	if start >= 0 {
		a.run(text[start:], simple)
	}
}

// connects reports whether the character at i joins the ones before and after it.
func connects(text string, i int, sign byte, r rune) bool {
	if r >= utf8.RuneSelf || i+1 >= len(text) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[i+1:])
	if !inWord(next) || unsegmented(next) {
		return false
	}
	switch sign {
	case '.', '_', '-', '@', '/', '\'', '&':
		last, _ := utf8.DecodeLastRuneInString(text[:i])
		return inWord(last)
	case ',', ':':
		return digit(text[i-1]) && digit(text[i+1])
	}
	return false
}

// sign ends a run at the character that rest begins with. "++" and "#" after one or two
// letters belong to the run, as in C++ and C#. It returns how many bytes of rest it consumed.
func (a *Analyser) sign(run, rest string, simple bool) int {
	if len(run) <= 2 && letters(run) {
		for _, tail := range [...]string{"++", "#"} {
			if strings.HasPrefix(rest, tail) {
				a.plain(run + tail)
				return len(tail)
			}
		}
	}
	a.run(run, simple)
	_, size := utf8.DecodeRuneInString(rest)
	return size
}

// run emits the terms of a run of word characters and connectors.
func (a *Analyser) run(s string, simple bool) {
	if simple {
		a.word(s)
		return
	}
	if !strings.ContainsAny(s, "._-@/'&,:") {
		a.token(s)
		return
	}
	if numeric(s) {
		a.number(s)
		return
	}
	for piece := range strings.SplitSeq(s, "/") {
		if piece = a.withoutClitics(piece); piece == "" {
			continue
		}
		if !strings.ContainsFunc(piece, connector) {
			a.token(piece)
			continue
		}
		a.compound(piece)
	}
}

// withoutClitics removes English clitics ('s, n't, 're …) from the end of s. The rest of
// don't or isn't is a stop word; for can't and won't the result is empty.
func (a *Analyser) withoutClitics(s string) string {
	for {
		at := strings.LastIndexByte(s[max(0, len(s)-3):], '\'')
		if at < 0 {
			return s
		}
		at += max(0, len(s)-3)
		tail := s[at+1:]
		if !clitic(tail) {
			return s
		}
		s = s[:at]
		if tail == "t" || tail == "T" {
			s = strings.TrimRight(s, "nN")
			if strings.EqualFold(s, "ca") || strings.EqualFold(s, "wo") {
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

// compound emits the parts of a run with connectors and, before them, the whole where it is
// a name (bob@acme.com, main.go, snake_case, covid-19, AT&T), joined where it is two words
// with a hyphen or a name with an apostrophe. Initials (U.S.A) are emitted joined only.
func (a *Analyser) compound(s string) {
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

// pairs emits the overlapping pairs of the run of unsegmented characters that text begins
// with, or the character itself if there is only one, and returns the run's length in bytes.
func (a *Analyser) pairs(text string) int {
	previous, end, count := -1, 0, 0
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !unsegmented(r) && !(count > 0 && unicode.IsMark(r)) {
			break
		}
		if previous >= 0 {
			a.plain(text[previous : end+size])
		}
		previous = end
		end += size
		count++
	}
	if count == 1 {
		a.plain(text[:end])
	}
	return end
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

// clitic reports whether s is an English clitic, as written after the apostrophe.
func clitic(s string) bool {
	switch strings.ToLower(s) {
	case "s", "t", "m", "d", "re", "ve", "ll":
		return true
	}
	return false
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
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
