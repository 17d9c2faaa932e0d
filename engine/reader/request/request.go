// Package request tells requests that hold from now on from those for once.
package request

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// A polite request may be wanted once ("Please send me the report") or hold from now on ("Please
// answer in Dutch"). It holds if it is about the manner in which the reader acts, and about nothing
// in particular: its verb is one of speech, style or choice, and its object is general ("metric
// units", "your replies") and no single thing ("the file", "this", "my card").

var (
	speechVerbs = english.WordSet("answer reply respond write speak talk chat explain communicate phrase express word text")
	formVerbs   = english.WordSet("cite include format round spell indent capitalise capitalize abbreviate hyphenate")
	layoutVerbs = english.WordSet("give show list put sort order provide present state mark add quote group name measure convert display print write store save mention")
	frameVerbs  = english.WordSet("start begin end finish open close prefix sign")
	boundVerbs  = english.WordSet("limit restrict confine cap")
	omitVerbs   = english.WordSet("skip omit")
	asksFirst   = english.WordSet("ask check confirm warn consult")
	manner      = english.WordSet("in with using without as like by")

	// styleNouns are what a manner is a kind of. After "the" and "a" only they are general.
	styleNouns = english.WordSet(`tone style format language voice register spelling notation convention system clock calendar form manner accent dialect
		alphabet font case tense mood imperative scale standard comma name pronoun nickname surname title unit currency`)
	styleWords = english.WordSet(`brief concise short succinct terse formal informal polite direct honest precise specific critical casual friendly professional
		thorough explicit factual blunt frank simple plain readable clear consistent neutral objective detailed verbose candid structured small light tidy civil`)
	degrees    = english.WordSet("so more less very as quite rather fairly bit a too and but or")
	pointing   = english.WordSet("this that these those it him her them his their its here there again once")
	atOnce     = english.WordSet("quickly immediately urgently early shortly promptly only kindly really finally possibly probably daily")
	recurs     = english.WordSet("day week month year morning afternoon evening night weekday weekend hour quarter")
	partOfAll  = english.WordSet("for of from about in to at")
	ownNames   = english.WordSet("name pronouns nickname surname title")
	momentary  = english.WordSet("rush hurry worry need problem thanks matter doubt")
	works      = english.WordSet("song book film movie album tune poem motto slogan saying proverb title quote line lyric show mantra advice")
	nameChains = english.WordSet("first last full given second middle preferred")
)

// Word is a word of a request.
type Word struct {
	Text, Low, Lem          string // as written, in lower case, and its lemma
	Sign                    byte   // the sign before it: , ; : ( or another; 0: none
	Value                   bool   // it is a number, a time, or another value
	Weekday, Possessive     bool
	Preposition, Determiner bool
}

// Lasting reports whether a request, which begins with its verb, holds from now on.
func Lasting(w []Word) bool {
	w = firstClause(w)
	if len(w) < 2 {
		return false
	}
	if recurring(w) {
		return true
	}
	if particular(w) {
		return false
	}
	verb, rest := w[0].Low, w[1:]
	switch {
	case verb == "be":
		return inStyle(rest)
	case verb == "stop", verb == "quit":
		return Stops(w)
	case verb == "call":
		return named(rest)
	case verb == "address":
		return len(rest) > 1 && rest[0].Low == "me" && (manner[rest[1].Low] || isManner(&rest[1]))
	case verb == "refer":
		return len(rest) > 2 && rest[0].Low == "to" && rest[1].Low == "me" && manner[rest[2].Low]
	case verb == "stick":
		return len(rest) > 1 && rest[0].Low == "to" && general(rest[1:]) > 0
	case verb == "leave":
		return rest[0].Low == "out" && general(rest[1:]) > 0 && plural(rest[1:])
	case verb == "use":
		return general(rest) > 0
	case verb == "keep":
		n := general(rest)
		return n > 0 && (n < len(rest) && (bounds(rest[n:]) || inStyle(rest[n:])) || inStyle(rest[n-1:n]) && n > 1)
	case asksFirst[verb]:
		return asksBefore(rest)
	case formVerbs[verb] && general(rest) > 0, omitVerbs[verb] && plural(rest):
		return true
	case boundVerbs[verb]:
		n := general(rest)
		return n > 0 && n < len(rest) && bounds(rest[n:])
	case frameVerbs[verb]:
		n := general(rest)
		return n > 0 && n+1 < len(rest) && rest[n].Low == "with"
	case speechVerbs[verb] && inManner(toMe(rest)):
		return true
	case layoutVerbs[verb] || speechVerbs[verb]:
		n := general(rest)
		return plural(rest[:n]) && inManner(rest[n:])
	}
	return false
}

// Plain reports whether a request without "please" holds from now on: "Use metric units", "Be concise",
// "Answer in Dutch", "Call me Mo". It is stricter than Lasting: what one text or piece of work is to be like is
// asked for in the same way.
func Plain(w []Word) bool {
	reason := habit(w)
	w = firstClause(w)
	if reason && len(w) > 2 && w[0].Low == "keep" && w[1].Low == "it" {
		return inStyle(w[2:]) && !particular(w[2:]) // "it" is any answer
	}
	if len(w) < 2 || particular(w) {
		return false
	}
	verb, rest := w[0].Low, w[1:]
	switch {
	case verb == "be":
		return !slices.ContainsFunc(rest, func(x Word) bool { return !degrees[x.Low] && !styleWords[x.Low] }) && inStyle(rest)
	case verb == "call", verb == "address", verb == "keep", verb == "stop", verb == "quit":
		return Lasting(w)
	case verb == "use":
		n := general(rest)
		return n > 0 && (ofStyle(rest, n) || n > 1 && styleWords[rest[0].Low] && plural(rest))
	case formVerbs[verb] && verb != "include":
		return plural(rest)
	case speechVerbs[verb]:
		return inManner(toMe(rest)) && (rest[0].Low == "in" || rest[0].Low == "without" || isManner(&toMe(rest)[0]))
	}
	return false
}

// habit reports that what the speaker always does is the reason of a request: "Keep it short, I read on my phone". What is so at
// the moment is a reason for once: "I'm in a hurry", "I have a meeting".
func habit(w []Word) bool {
	at := slices.IndexFunc(w, func(x Word) bool { return x.Sign == ',' || x.Sign == ';' || x.Sign == '-' || x.Low == "because" })
	if at < 1 {
		return false
	}
	if w[at].Low == "because" || w[at].Low == "as" || w[at].Low == "since" {
		at++
	}
	return at+2 < len(w) && w[at].Low == "i" && !english.StopWord(w[at+1].Low) && !atTheMoment[w[at+1].Low] &&
		!strings.HasSuffix(w[at+1].Low, "ed") && !english.IrregularPast(w[at+1].Low) && !momentaryEnd(w)
}

// atTheMoment are verbs of what somebody does once.
var atTheMoment = english.WordSet("need want must got gotta think guess mean hope know leave")

// Without reports whether the words after "no" name what is unwanted from now on: "emojis", "calls before nine".
func Without(w []Word) bool {
	w = firstClause(w)
	return !particular(w) && general(w) > 0 && !momentary[w[0].Lem]
}

// Ever reports whether words that begin with "no" forbid what they name for good: "No spoilers, ever". A verb makes them a
// description: "no train ever came".
func Ever(w []Word) bool {
	n := len(w)
	return n > 2 && n < 8 && w[n-1].Low == "ever" && (w[n-1].Sign == ',' || plural(w[1:n-1])) &&
		!slices.ContainsFunc(w[1:n-1], func(x Word) bool { return english.StopWord(x.Low) && !x.Preposition })
}

// Preferred reports whether what somebody prefers is a form of answers: "bullet points over long paragraphs", "short answers". What
// a place, a meal or a book is like is none.
func Preferred(what string) bool {
	words := strings.Fields(strings.ToLower(what))
	n := slices.IndexFunc(words, func(w string) bool { return compared[w] })
	if n < 0 {
		n = len(words)
	}
	if n > 0 && n < len(words) && words[n] == "in" && !slices.ContainsFunc(words[n:], isFormOfAnswer) {
		return false
	}
	return n > 0 && n < 5 && !slices.ContainsFunc(words[:n], func(w string) bool { return pointing[w] || w == "the" }) &&
		(isFormOfAnswer(words[n-1]) || n > 1 && formHeads[words[n-1]] && answering[english.Lemma(words[n-2])])
}

var (
	compared  = english.WordSet("over to than instead rather not and or when if without in with from")
	unbounded = english.WordSet("jargon prose markdown code")
	formHeads = english.WordSet("point points form style format length list lists")
	answering = lemmas("answer reply response explanation summary bullet emoji emoticon disclaimer paragraph sentence heading markdown jargon example caveat code prose outline overview list")
)

func isFormOfAnswer(w string) bool {
	w = strings.Trim(w, ".,!;")
	one := english.Singular(w)
	return answering[english.Lemma(one)] && (one != w || unbounded[w])
}

// Titles reports whether words are a title of which the sentence says what it is: "(Always) look on the bright
// side is my favourite song".
func Titles(w []Word) bool {
	is := slices.IndexFunc(w, func(x Word) bool { return x.Low == "is" || x.Low == "was" })
	return is > 0 && slices.ContainsFunc(w[is:min(is+6, len(w))], func(x Word) bool { return works[x.Low] })
}

// AboutManner reports whether a verb is about the manner of speech or the choice of means.
func AboutManner(lemma string) bool {
	return lemma == "use" || lemma == "apologise" || lemma == "apologize" || lemma == "refer" || omitVerbs[lemma] || speechVerbs[lemma] || formVerbs[lemma] || layoutVerbs[lemma] || frameVerbs[lemma]
}

// firstClause cuts the words at the first sign between them.
func firstClause(w []Word) []Word {
	for i := 1; i < len(w); i++ {
		if s := w[i].Sign; s == ',' || s == ';' || s == ':' || s == '(' {
			w = w[:i]
		}
	}
	if n := len(w); n > 0 && (w[n-1].Low == "please" || w[n-1].Low == "thanks") {
		w = w[:n-1]
	}
	return w
}

// WithoutPlease returns the words without "please".
func WithoutPlease(w []Word) []Word {
	return slices.DeleteFunc(slices.Clone(w), func(x Word) bool { return x.Low == "please" })
}

// recurring reports that something is to be done each day, week, … of no particular ones.
func recurring(w []Word) bool {
	for i := 1; i+1 < len(w); i++ {
		if (w[i].Low == "every" || w[i].Low == "each") && (recurs[w[i+1].Low] || w[i+1].Weekday) && !partOfAll[w[i-1].Low] {
			return true
		}
	}
	return false
}

// particular reports words that point to one thing, person, or time.
func particular(w []Word) bool {
	for i := range w {
		switch low := w[i].Low; {
		case pointing[low], w[i].Weekday, w[i].Possessive:
			return true
		case low == "the" && i > 0 && w[i-1].Low == "all" && i+1 < len(w) && w[i+1].Low == "time": // as often as not
		case low == "the":
			if !ofStyle(w[i+1:], 3) {
				return true
			}
		case low == "my":
			if !ofOwnName(w[i+1:]) {
				return true
			}
		}
	}
	return false
}

// ofStyle reports a noun of style among the next n words.
func ofStyle(w []Word, n int) bool {
	return slices.ContainsFunc(w[:min(n, len(w))], func(x Word) bool { return styleNouns[x.Low] || styleNouns[x.Lem] })
}

// ofOwnName reports the name of the speaker after "my".
func ofOwnName(w []Word) bool {
	for len(w) > 1 && nameChains[w[0].Low] {
		w = w[1:]
	}
	return len(w) > 0 && ownNames[w[0].Low]
}

// general returns the number of words of a general object at the beginning, 0: there is none.
func general(w []Word) int {
	n := 0
	for n < len(w) && !w[n].Preposition && !manner[w[n].Low] && !isManner(&w[n]) && w[n].Low != "when" && w[n].Low != "and" && w[n].Low != "or" {
		n++
	}
	if n == 0 {
		return 0
	}
	_, pronoun := english.PronounOf(w[0].Low)
	switch first := w[0].Low; {
	case first == "a" || first == "an" || first == "the":
		if !ofStyle(w[1:n], n) {
			return 0
		}
	case first == "my" || first == "your":
		return n
	case pronoun, w[0].Determiner, english.StopWord(first), w[0].Value:
		return 0
	}
	if slices.ContainsFunc(w[:n], func(x Word) bool { return x.Value && strings.IndexFunc(x.Text, unicode.IsLetter) < 0 }) {
		return 0 // gate 4
	}
	return n
}

// plural reports a general object in the plural among the words up to a preposition.
func plural(w []Word) bool {
	n := general(w)
	return n > 0 && slices.ContainsFunc(w[:n], func(x Word) bool {
		return strings.HasSuffix(x.Low, "s") && !strings.HasSuffix(x.Low, "ss") && english.Lemma(x.Low) != x.Low
	})
}

// toMe drops "to me" and "with me".
func toMe(w []Word) []Word {
	if len(w) > 2 && (w[0].Low == "to" || w[0].Low == "with") && w[1].Low == "me" {
		return w[2:]
	}
	return w
}

// inManner reports that words say how: "in Dutch", "without jargon", "as bullet points", "simply".
func inManner(w []Word) bool {
	switch {
	case len(w) == 0:
		return false
	case isManner(&w[0]):
		return true
	case len(w) < 2 || !manner[w[0].Low] || w[0].Low == "by" && w[1].Value:
		return false
	}
	switch next := w[1].Low; {
	case w[1].Value && w[0].Low == "in", next == "me" || next == "us":
		return false // in ten minutes
	case next == "a" || next == "an":
		return ofStyle(w[2:], 3) || w[0].Low != "in" && plural(w[2:])
	}
	return true
}

// isManner reports an adverb of manner.
func isManner(w *Word) bool {
	return strings.HasSuffix(w.Low, "ly") && len(w.Low) > 4 && !atOnce[w.Low]
}

// inStyle reports words that do nothing but name a style: "brief", "more formal and direct", "under
// two lines".
func inStyle(w []Word) bool {
	for len(w) > 0 && degrees[w[0].Low] {
		w = w[1:]
	}
	return len(w) > 0 && styleWords[w[0].Low]
}

// bounds reports a limit: "under 100 words", "to one paragraph".
func bounds(w []Word) bool {
	return len(w) > 1 && (w[0].Low == "under" || w[0].Low == "below" || w[0].Low == "within" || w[0].Low == "to" || w[0].Low == "at") &&
		slices.ContainsFunc(w[1:], func(x Word) bool { return x.Value || x.Low == "a" || x.Low == "an" || x.Low == "one" })
}

// named reports what somebody wants to be called: "me Sam", "me by my first name".
func named(w []Word) bool {
	if len(w) < 2 || w[0].Low != "me" {
		return false
	}
	if w[1].Low == "by" {
		return len(w) > 2 && w[2].Low == "my"
	}
	for _, x := range w[1:] {
		if x.Low == "not" || x.Low == "instead" || x.Low == "rather" {
			return true
		}
		first, size := utf8.DecodeRuneInString(x.Text)
		if !unicode.IsUpper(first) || x.Value || len(x.Text) > size+1 && x.Text == strings.ToUpper(x.Text) || english.StopWord(x.Low) {
			return false
		}
	}
	return true
}

// asksBefore reads "before deleting files", "me before you book flights" after a verb of asking.
func asksBefore(w []Word) bool {
	for i := 0; i+1 < len(w) && i < 5; i++ {
		if w[i].Low == "before" {
			return strings.HasSuffix(w[i+1].Low, "ing") || w[i+1].Low == "you"
		}
	}
	return false
}
