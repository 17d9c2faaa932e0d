package dialogue

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/somnograph/somnograph/internal/english"
)

// Words and phrases that only keep a conversation going, and those that may also answer a question.
const (
	acknowledges = `got it|gotcha|understood|noted|i see|makes sense|you bet|no problem|no worries|you'?re welcome|my pleasure|` +
		`lol|haha|hehe|wow|cool|great|nice|awesome|hm+|mm+|uh|um|oh|ah|aha|well|so|then|and|but|` +
		`thanks|thank you|thx|ty|cheers|a lot|very much|so much|please|hi|hello|hey|bye|goodbye|good (?:morning|evening|night)|see you|` +
		`sorry to hear (?:that|it)|i'?m sorry|sorry|apologies|pardon|oops|whoops|for (?:that|this)`
	answers = `yes|yeah|yep|yup|no|nope|nah|ok|okay|okey|k|kk|sure|exactly|correct|right|indeed|true|absolutely|definitely|certainly|agreed|alright|all right|fine|good|` +
		`perfect|of course|sounds good|will do|that'?s right|that'?s correct`
)

var (
	saysNothing = regexp.MustCompile(`^(?:(?:` + acknowledges + `)(?:\W+|$))+$`)
	onlyAgrees  = regexp.MustCompile(`^(?:(?:` + acknowledges + `|` + answers + `)(?:\W+|$))+$`)
)

// Filler reports whether a turn says nothing of its own: "Got it, thanks!", "…". The yes of a user may answer a question; that of an
// assistant only agrees.
func Filler(text string, assistant bool) bool {
	if english.Wordless(text) {
		return !strings.ContainsFunc(text, unicode.IsDigit) && len(text) < 64
	}
	text = strings.TrimFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return saysNothing.MatchString(text) || assistant && onlyAgrees.MatchString(text)
}
