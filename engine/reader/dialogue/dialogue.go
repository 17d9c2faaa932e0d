// Package dialogue reads turns that say something only together with the turn before them: the correction of a word ("Sorry, I meant 10."),
// the answer to a question ("yes", "Siemens"), and turns that say nothing ("Got it."). It completes the first two to whole statements
// in the words of the earlier turn. The functions are pure. The rules are for English.
package dialogue

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/somnograph/somnograph/internal/english"
)

// maxFragment is the number of words of a value that stands for a whole statement.
const maxFragment = 6

// backchannels are the words and phrases that only keep a conversation going.
var backchannels = regexp.MustCompile(`^(?:(?:` +
	`yes|yeah|yep|yup|no|nope|nah|ok|okay|okey|k|kk|sure|exactly|correct|right|indeed|true|absolutely|definitely|certainly|agreed|alright|all right|fine|` +
	`of course|got it|gotcha|understood|noted|i see|makes sense|sounds good|will do|you bet|no problem|no worries|you'?re welcome|my pleasure|` +
	`that'?s right|that'?s correct|thumbs up|lol|haha|hehe|wow|cool|great|nice|perfect|awesome|good|hm+|mm+|mhm|uh|um|oh|ah|aha|well|so|then|and|but|` +
	`thanks|thank you|thx|ty|cheers|a lot|very much|so much|please|hi|hello|hey|bye|goodbye|good (?:morning|evening|night)|see you|what|` +
	`sorry to hear (?:that|it)|i'?m sorry|sorry|apologies|pardon|oops|whoops|for (?:that|this)` +
	`)(?:\W+|$))+$`)

// Filler reports whether a text says nothing of its own: "Got it, thanks!", "yes", "…".
func Filler(text string) bool {
	if english.Wordless(text) {
		return !strings.ContainsFunc(text, unicode.IsDigit) && len(text) < 64
	}
	return backchannels.MatchString(plain(text))
}

// plain returns a text in lower case with plain apostrophes and without signs at its ends.
func plain(text string) string {
	return strings.TrimFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

var (
	// repairs are the words by which speakers announce that they correct what they just said. The first group holds a marker that
	// stands for nothing else.
	repairs = regexp.MustCompile(`(?i)^[\s*]*(?:(?:oh|ah|um|uh|well|hm+|sorry|apologies|pardon|no|nope|actually|so|(` +
		`oops|whoops|wait|hold on|correction|scratch that|strike that|my mistake|my bad|typo|i mean(?:t)?(?: to (?:say|write))?|make (?:that|it)|` +
		`(?:it|that) should (?:be|read|have been)|should (?:be|have been)|let me correct (?:that|myself)|that(?:'s| was| is) (?:wrong|a typo)` +
		`))(?:[\s,.:;!…–—-]+|$))+`)
	// resumed are the words that take the subject of the earlier statement up again.
	resumed = regexp.MustCompile(`(?i)^(?:it(?:'s| is| was)|that(?:'s| is)|they(?:'re| are)|it(?:'s| is) actually)\s+(?:actually\s+)?`)
	// afterthought are the words of a repair that follow the value: "10, I mean".
	afterthought = regexp.MustCompile(`(?i)[\s,]+(?:i mean(?:t)?|sorry|rather|actually|instead)$`)
	// contrast divides "10, not 9".
	contrast = regexp.MustCompile(`(?i)^(.+?),? (?:not|instead of|rather than) (.+)$`)
	// clausal are words of a clause with a subject or a verb of its own.
	clausal = english.WordSet("i you he she we they it is are was were am be been have has had do does did will would can could should shall may might must don't doesn't isn't won't not who whom which what when where why how if because")
)

// Repair is a correction of a word of an earlier statement.
type Repair struct {
	Value   string // the right words
	Instead string // the wrong words; empty: not said
	Sure    bool   // words announce a correction and nothing else
}

// Correction reads a turn that only corrects a word of the statement before it: "Sorry, I meant 10.", "Correction: it's in kv/prod/app.",
// "*B21".
func Correction(text string) (Repair, bool) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "’", "'"))
	if len(text) > 200 || strings.ContainsAny(text, "?\n") {
		return Repair{}, false
	}
	found := repairs.FindStringSubmatchIndex(text)
	star := strings.HasPrefix(text, "*") && strings.Count(text, "*") == 1
	if found == nil && !star {
		return Repair{}, false
	}
	r, rest := Repair{Sure: star}, strings.TrimLeft(text, "* ")
	if found != nil {
		r.Sure, rest = star || found[2] >= 0, text[found[1]:]
	}
	rest = strings.TrimRight(rest, " .!…*")
	if cut := resumed.FindString(rest); cut != "" {
		rest = rest[len(cut):]
	}
	if cut := afterthought.FindStringIndex(rest); cut != nil {
		rest, r.Sure = rest[:cut[0]], true
	}
	r.Value = rest
	if parts := contrast.FindStringSubmatch(rest); parts != nil {
		r.Value, r.Instead, r.Sure = parts[1], parts[2], true
	}
	return r, isFragment(r.Value) && (r.Instead == "" || isFragment(r.Instead))
}

// isFragment reports whether a text is a value and no statement.
func isFragment(text string) bool {
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > maxFragment || strings.ContainsAny(text, "?;!") || Filler(text) {
		return false
	}
	for i, w := range words {
		low := plain(w)
		timely := low == "am" && i > 0 && kindOfWord(words[i-1], true) == number || kindOfWord(w, true) == date
		if clausal[low] && !timely || strings.HasPrefix(low, "i'") || strings.HasPrefix(low, "it'") {
			return false
		}
	}
	return true
}

// Corrected returns the statement that a correction makes of an earlier text: its last sentence with a value of the kind of the right
// one, with the right one in its place. object returns what a sentence says of its subject, as it is written; it is replaced if words
// announce a correction and the kind of the value does not tell what it corrects.
func Corrected(earlier string, r Repair, object func(sentence string) string) (string, bool) {
	sentences := sentencesOf(earlier)
	for i := len(sentences) - 1; i >= 0; i-- {
		s := sentences[i]
		if strings.HasSuffix(s, "?") || Filler(s) {
			continue
		}
		if r.Instead != "" {
			if at := indexWords(s, r.Instead); at >= 0 {
				return replaced(s, at, at+len(r.Instead), r.Value), true
			}
			continue
		}
		value, kind := bare(r.Value)
		if from, to, ok := lastOfKind(s, kind, value); ok {
			return replaced(s, from, to, r.Value), true
		}
		if !r.Sure || i < len(sentences)-1 {
			continue
		}
		if what := object(s); what != "" {
			if at := indexWords(s, what); at > 0 {
				return replaced(s, at, at+len(what), r.Value), true
			}
		}
	}
	return "", false
}

// sentencesOf divides a text at the signs that end its sentences.
func sentencesOf(text string) (out []string) {
	from := 0
	for i, r := range text {
		if r == '\n' || (r == '.' || r == '!' || r == '?') && english.EndsSentence(text, i) {
			if s := strings.TrimSpace(text[from : i+1]); s != "" {
				out = append(out, s)
			}
			from = i + 1
		}
	}
	if s := strings.TrimSpace(text[from:]); s != "" {
		out = append(out, s)
	}
	return out
}

// indexWords returns where words stand in a text as whole words, the last time; -1: nowhere.
func indexWords(text, words string) int {
	low, find := strings.ToLower(text), strings.ToLower(words)
	if len(low) != len(text) || find == "" {
		return -1
	}
	for end := len(low); ; {
		at := strings.LastIndex(low[:end], find)
		if at < 0 {
			return -1
		}
		if !inWord(low, at) && !inWord(low, at+len(find)) {
			return at
		}
		end = at + len(find) - 1
	}
}

// inWord reports whether a place is within a word of a text.
func inWord(text string, at int) bool {
	letter := func(b byte) bool { return b >= 0x80 || unicode.IsLetter(rune(b)) || unicode.IsDigit(rune(b)) }
	return at > 0 && at < len(text) && letter(text[at-1]) && letter(text[at])
}

// replaced puts a value in the place of a part of a sentence. A preposition of the value replaces the one before the part; where none
// stands before it, the value needs none.
func replaced(s string, from, to int, value string) string {
	if first, rest, more := strings.Cut(value, " "); more && prepositions[strings.ToLower(first)] {
		before := strings.TrimRight(s[:from], " ")
		if at := strings.LastIndexByte(before, ' '); at >= 0 && prepositions[strings.ToLower(before[at+1:])] {
			from = at + 1
		} else {
			value = rest
		}
	}
	return s[:from] + value + s[to:]
}
