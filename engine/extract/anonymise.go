package extract

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// What stands in an anonymised text in place of what could identify a person.
const (
	hiddenPerson  = "someone"
	hiddenName    = "[name]" // a word that may be a name
	hiddenDate    = "[date]"
	hiddenNumber  = "[number]"
	hiddenAddress = "[address]"
)

// maxDigits is the maximum number of digits in a row that are kept. Doses have up to 4
// digits; numbers that identify a person have more.
const maxDigits = 4

// minLeft is the number of words of its own that an anonymised text must keep, to say anything.
const minLeft = 3

// knownStarters are words that are not names although they begin with a capital at the
// start of a sentence.
var knownStarters = english.WordSet(`a after all always an and any anyone as at avoid before both but by call check do don't
	each every everyone for give from he her his if in is it keep may must my never no nobody not of on once only or our
	please she should since some someone stop take that the their then there these they this those to until use
	wait we when where while who with without you your i i'm`)

var (
	addresses = regexp.MustCompile(`\S*(?:@|://|\bwww\.)\S*`)
	numbers   = regexp.MustCompile(`\+?\p{Nd}(?:[ .\-/():+]*\p{Nd})*`)
	dateGlue  = regexp.MustCompile(`^(?:[ ,.]|of|the)*$`)
)

// Anonymise replaces what could identify a person in a text: the given names by "someone", as a
// whole and word by word, in any case, and every other word that may be a name, dates, addresses,
// and numbers of more than four digits by a word in brackets. It also reports whether the result
// certainly names nobody and still says something. It is uncertain of a text in a script without
// capitals, of one that begins a sentence without a capital, and of one with a word that may be a name in small letters.
func Anonymise(text string, names []string) (string, bool) {
	text = addresses.ReplaceAllStringFunc(text, func(s string) string { return hiddenAddress + trailing(s) })
	sure := !slices.ContainsFunc(wordsOf(text), textWord.startsLowercase) && !strings.ContainsFunc(text, withoutCase)
	text = hideNames(text, names)
	sure = sure && !mayNameInSmallLetters(text)
	text = hideDates(text)
	text = numbers.ReplaceAllStringFunc(text, func(s string) string {
		if countDigits(s) > maxDigits {
			return hiddenNumber
		}
		return s
	})
	text = hideCapitals(text)
	return text, sure && namesNobody(text) && countLeft(text) >= minLeft
}

// withoutCase reports whether a letter belongs to a script without capitals.
func withoutCase(r rune) bool {
	return unicode.IsLetter(r) && !unicode.IsLower(r) && !unicode.IsUpper(r)
}

// trailing returns the punctuation at the end of a text.
func trailing(s string) string { return s[len(strings.TrimRight(s, ".,;:!?)")):] }

func countDigits(s string) (n int) {
	for _, r := range s {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// hideNames replaces the names in a text.
func hideNames(text string, names []string) string {
	words := wordsOf(text)
	hidden := make([]bool, len(words))
	for _, name := range names {
		parts := strings.Fields(Canonical(name))
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
	return hideRuns(text, words, hidden, func(first textWord) string {
		if first.startsSentence {
			return "S" + hiddenPerson[1:]
		}
		return hiddenPerson
	})
}

// hideCapitals replaces the words that may be names: those with a capital, unless they begin a
// sentence and are known.
func hideCapitals(text string) string {
	words := wordsOf(text)
	hidden := make([]bool, len(words))
	for i, w := range words {
		hidden[i] = w.mayBeName()
	}
	return hideRuns(text, words, hidden, func(textWord) string { return hiddenName })
}

// mayBeName reports whether a word has a capital and is none of the words that begin a sentence.
func (w textWord) mayBeName() bool {
	low := w.Lower()
	capital := low != strings.ReplaceAll(w.Text, "’", "'")
	return capital && strings.TrimSuffix(low, "'s") != hiddenPerson && !knownStarters[low]
}

// hideDates replaces the name of a month or a day with the numbers next to it.
func hideDates(text string) string {
	words := wordsOf(text)
	hidden := make([]bool, len(words))
	named := func(w textWord) bool {
		low := w.Lower()
		_, day := english.Weekday(low)
		return (english.Month(low) != 0 || day) && low != w.Text
	}
	part := func(w textWord) bool {
		n := strings.TrimRight(w.Text, "stndrh")
		return n != "" && countDigits(n) == len(n) && len(n) <= maxDigits || named(w)
	}
	for i, w := range words {
		if !named(w) {
			continue
		}
		hidden[i] = true
		for k := i - 1; k >= 0 && part(words[k]) && dateGlue.MatchString(text[words[k].End:words[k+1].Start]); k-- {
			hidden[k] = true
		}
		for k := i + 1; k < len(words) && part(words[k]) && dateGlue.MatchString(text[words[k-1].End:words[k].Start]); k++ {
			hidden[k] = true
		}
	}
	return hideRuns(text, words, hidden, func(textWord) string { return hiddenDate })
}

// hideRuns replaces each run of hidden words by one word.
func hideRuns(text string, words []textWord, hidden []bool, by func(first textWord) string) string {
	var b strings.Builder
	from := 0
	for at := 0; at < len(words); {
		if !hidden[at] {
			at++
			continue
		}
		last := at
		for last+1 < len(words) && hidden[last+1] && strings.Trim(text[words[last].End:words[last+1].Start], " ,-") == "" {
			last++
		}
		b.WriteString(text[from:words[at].Start])
		b.WriteString(by(words[at]))
		if s := words[last].Text; strings.HasSuffix(s, "'s") || strings.HasSuffix(s, "’s") {
			b.WriteString("'s")
		}
		from, at = words[last].End, last+1
	}
	b.WriteString(text[from:])
	return b.String()
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
	if strings.Contains(text, "@") || strings.Contains(text, "://") || strings.Contains(text, "www.") || strings.ContainsFunc(text, withoutCase) {
		return false
	}
	for _, n := range numbers.FindAllString(text, -1) {
		if countDigits(n) > maxDigits {
			return false
		}
	}
	return !slices.ContainsFunc(wordsOf(text), textWord.mayBeName)
}

// countLeft counts the words of a text that do not stand for something hidden.
func countLeft(text string) (n int) {
	for _, h := range []string{hiddenName, hiddenDate, hiddenNumber, hiddenAddress} {
		text = strings.ReplaceAll(text, h, " ")
	}
	for _, w := range wordsOf(text) {
		if strings.TrimSuffix(w.Lower(), "'s") != hiddenPerson {
			n++
		}
	}
	return n
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
			words = append(words, textWord{t, Canonical(t.Text), opens})
			opens = false
		} else {
			opens = opens || strings.Contains(".!?\n", t.Text)
		}
	}
	return words
}
