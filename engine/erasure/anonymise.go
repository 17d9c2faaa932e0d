package erasure

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/extract"
)

// placeholder replaces a person's name.
const placeholder = "someone"

// maxDigits is the maximum number of digits in a row. Doses have up to 4 digits; numbers
// that identify a person have more.
const maxDigits = 4

// knownStarters are words that are not names although they begin with a capital at the
// start of a sentence.
var knownStarters = func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(`a after all always an and any anyone as at avoid before both but by call check do don't
		each every everyone for give from he her his if in is it keep may must my never no nobody not of on once only or our
		please she should since some someone stop take that the their then there these they this those to until use
		wait we when where while who with without you your i i'm`) {
		words[w] = true
	}
	return words
}()

// anonymise replaces the names in a text by a neutral word, as a whole and word by word, in
// any case. It also reports whether the result certainly names nobody. The result is
// uncertain if it contains a possible name, address or identifying number. An uncertain
// text is lost rather than kept with a name. SPEC section 12; ADR 17.
func anonymise(text string, names []string) (string, bool) {
	words := wordsOf(text)
	hidden := make([]bool, len(words))
	for _, name := range names {
		parts := strings.Fields(extract.Canonical(name))
		for at := range words {
			for _, part := range parts {
				hidden[at] = hidden[at] || utf8.RuneCountInString(part) > 1 && words[at].canonical == part
			}
			if len(parts) > 0 && at+len(parts) <= len(words) && slices.EqualFunc(words[at:at+len(parts)], parts, func(w textWord, p string) bool { return w.canonical == p }) {
				for i := range parts {
					hidden[at+i] = true
				}
			}
		}
	}
	var b strings.Builder
	from := 0
	for at := 0; at < len(words); {
		if !hidden[at] {
			at++
			continue
		}
		last := at
		for last+1 < len(words) && hidden[last+1] && strings.TrimSpace(text[words[last].end:words[last+1].start]) == "" {
			last++ // adjacent words of one name
		}
		b.WriteString(text[from:words[at].start])
		who := placeholder
		if words[at].startsSentence {
			who = "S" + who[1:]
		}
		b.WriteString(who)
		if s := text[words[last].start:words[last].end]; strings.HasSuffix(s, "'s") || strings.HasSuffix(s, "’s") {
			b.WriteString("'s")
		}
		from, at = words[last].end, last+1
	}
	b.WriteString(text[from:])
	out := b.String()
	return out, !slices.ContainsFunc(words, func(w textWord) bool { return startsLowercase(text, w) }) && namesNobody(out)
}

// startsLowercase reports whether a word begins a sentence without a capital. A text in
// this style may also write names without capitals, so they can't be recognised.
func startsLowercase(text string, w textWord) bool {
	first, _ := utf8.DecodeRuneInString(text[w.start:w.end])
	return w.startsSentence && !unicode.IsUpper(first) && !unicode.IsDigit(first)
}

// namesNobody reports whether a text contains no possible name, address or identifying
// number.
func namesNobody(text string) bool {
	if strings.ContainsAny(text, "@") || strings.Contains(text, "://") || strings.Contains(text, "www.") {
		return false
	}
	digits := 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			if digits++; digits > maxDigits {
				return false
			}
		case strings.ContainsRune(" .-/()+:", r): // inside telephone numbers and dates
		default:
			digits = 0
		}
		if unicode.IsLetter(r) && !unicode.IsLower(r) && !unicode.IsUpper(r) {
			return false // names can't be recognised in a script without capitals
		}
	}
	for _, w := range wordsOf(text) {
		low := strings.ToLower(strings.ReplaceAll(text[w.start:w.end], "’", "'"))
		switch {
		case strings.TrimSuffix(low, "'s") == placeholder, knownStarters[low]:
		case low != strings.ReplaceAll(text[w.start:w.end], "’", "'"):
			return false // a possible name
		}
	}
	return true
}

// textWord is a run of letters, digits and inner apostrophes.
type textWord struct {
	start, end     int // bytes
	canonical      string
	startsSentence bool // first word of a sentence
}

func wordsOf(text string) []textWord {
	var words []textWord
	opens, start := true, -1
	end := func(at int) {
		if start < 0 {
			return
		}
		word := strings.TrimRight(text[start:at], "'’")
		words = append(words, textWord{start, start + len(word), extract.Canonical(word), opens})
		opens, start = false, -1
	}
	for i, r := range text {
		joins := start >= 0 && (r == '\'' || r == '’')
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || joins:
			if start < 0 {
				start = i
			}
		default:
			end(i)
			opens = opens || strings.ContainsRune(".!?\n", r)
		}
	}
	end(len(text))
	return words
}
