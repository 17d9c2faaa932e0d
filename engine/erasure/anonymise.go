package erasure

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// placeholder replaces a person's name.
const placeholder = "someone"

// maxDigits is the maximum number of digits in a row. Doses have up to 4 digits; numbers
// that identify a person have more.
const maxDigits = 4

// knownStarters are words that are not names although they begin with a capital at the
// start of a sentence.
var knownStarters = english.WordSet(`a after all always an and any anyone as at avoid before both but by call check do don't
	each every everyone for give from he her his if in is it keep may must my never no nobody not of on once only or our
	please she should since some someone stop take that the their then there these they this those to until use
	wait we when where while who with without you your i i'm`)

// anonymise replaces the names in a text by a neutral word, as a whole and word by word, in
// any case. It also reports whether the result certainly names nobody. The result is
// uncertain if it contains a possible name, address or identifying number. An uncertain
// text is lost rather than kept with a name. ADR 17.
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
		for last+1 < len(words) && hidden[last+1] && strings.TrimSpace(text[words[last].End:words[last+1].Start]) == "" {
			last++ // adjacent words of one name
		}
		b.WriteString(text[from:words[at].Start])
		who := placeholder
		if words[at].startsSentence {
			who = "S" + who[1:]
		}
		b.WriteString(who)
		if s := words[last].Text; strings.HasSuffix(s, "'s") || strings.HasSuffix(s, "’s") {
			b.WriteString("'s")
		}
		from, at = words[last].End, last+1
	}
	b.WriteString(text[from:])
	out := b.String()
	return out, !slices.ContainsFunc(words, textWord.startsLowercase) && namesNobody(out)
}

// startsLowercase reports whether a word begins a sentence without a capital. A text in
// this style may also write names without capitals, so they can't be recognised.
func (w textWord) startsLowercase() bool {
	first, _ := utf8.DecodeRuneInString(w.Text)
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
		low := w.Lower()
		capital := low != strings.ReplaceAll(w.Text, "’", "'")
		if capital && strings.TrimSuffix(low, "'s") != placeholder && !knownStarters[low] {
			return false // a possible name
		}
	}
	return true
}

// textWord is a word of a text.
type textWord struct {
	english.Token
	canonical      string
	startsSentence bool // first word of a sentence
}

func wordsOf(text string) []textWord {
	var words []textWord
	opens := true
	for t := range english.Tokens(text, english.Words) {
		if t.IsWord() {
			words = append(words, textWord{t, extract.Canonical(t.Text), opens})
			opens = false
		} else {
			opens = opens || strings.Contains(".!?\n", t.Text)
		}
	}
	return words
}
