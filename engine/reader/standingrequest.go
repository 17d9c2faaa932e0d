package reader

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
	degrees    = english.WordSet("more less very as quite rather fairly bit a too and but or")
	pointing   = english.WordSet("this that these those it him her them his their its here there again once")
	atOnce     = english.WordSet("quickly immediately urgently early shortly promptly only kindly really finally possibly probably daily")
	recurs     = english.WordSet("day week month year morning afternoon evening night weekday weekend hour quarter")
	partOfAll  = english.WordSet("for of from about in to at")
	ownNames   = english.WordSet("name pronouns nickname surname title")
	nameChains = english.WordSet("first last full given second middle preferred")
)

// lastingRequest reports whether a request, which begins with its verb, holds from now on.
func lastingRequest(w []word) bool {
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
	verb, rest := w[0].low, w[1:]
	switch {
	case verb == "be":
		return inStyle(rest)
	case verb == "stop":
		return len(rest) > 1 && strings.HasSuffix(rest[0].low, "ing") && aboutManner(rest[0].lem)
	case verb == "call":
		return named(rest)
	case verb == "address":
		return len(rest) > 1 && rest[0].low == "me" && (manner[rest[1].low] || isManner(&rest[1]))
	case verb == "refer":
		return len(rest) > 2 && rest[0].low == "to" && rest[1].low == "me" && manner[rest[2].low]
	case verb == "stick":
		return len(rest) > 1 && rest[0].low == "to" && general(rest[1:]) > 0
	case verb == "leave":
		return rest[0].low == "out" && general(rest[1:]) > 0 && plural(rest[1:])
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
		return n > 0 && n+1 < len(rest) && rest[n].low == "with"
	case speechVerbs[verb] && inManner(toMe(rest)):
		return true
	case layoutVerbs[verb] || speechVerbs[verb]:
		n := general(rest)
		return plural(rest[:n]) && inManner(rest[n:])
	}
	return false
}

// aboutManner reports whether a verb is about the manner of speech or the choice of means.
func aboutManner(lemma string) bool {
	return lemma == "use" || lemma == "apologise" || lemma == "apologize" || lemma == "refer" || omitVerbs[lemma] || speechVerbs[lemma] || formVerbs[lemma] || layoutVerbs[lemma] || frameVerbs[lemma]
}

// firstClause cuts the words at the first sign between them.
func firstClause(w []word) []word {
	for i := 1; i < len(w); i++ {
		if s := w[i].sign; s == ',' || s == ';' || s == ':' || s == '(' {
			w = w[:i]
		}
	}
	if n := len(w); n > 0 && (w[n-1].low == "please" || w[n-1].low == "thanks") {
		w = w[:n-1]
	}
	return w
}

func withoutPlease(w []word) []word {
	return slices.DeleteFunc(slices.Clone(w), func(x word) bool { return x.low == "please" })
}

// recurring reports that something is to be done each day, week, … of no particular ones.
func recurring(w []word) bool {
	for i := 1; i+1 < len(w); i++ {
		if (w[i].low == "every" || w[i].low == "each") && (recurs[w[i+1].low] || w[i+1].class == classWeekday) && !partOfAll[w[i-1].low] {
			return true
		}
	}
	return false
}

// particular reports words that point to one thing, person, or time.
func particular(w []word) bool {
	for i := range w {
		switch low := w[i].low; {
		case pointing[low], w[i].class == classWeekday, w[i].possessive:
			return true
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
func ofStyle(w []word, n int) bool {
	return slices.ContainsFunc(w[:min(n, len(w))], func(x word) bool { return styleNouns[x.low] || styleNouns[x.lem] })
}

// ofOwnName reports the name of the speaker after "my".
func ofOwnName(w []word) bool {
	for len(w) > 1 && nameChains[w[0].low] {
		w = w[1:]
	}
	return len(w) > 0 && ownNames[w[0].low]
}

// general returns the number of words of a general object at the beginning, 0: there is none.
func general(w []word) int {
	n := 0
	for n < len(w) && !tables.preposition[w[n].low] && !manner[w[n].low] && !isManner(&w[n]) && w[n].low != "when" && w[n].low != "and" && w[n].low != "or" {
		n++
	}
	if n == 0 {
		return 0
	}
	_, pronoun := english.PronounOf(w[0].low)
	switch first := w[0].low; {
	case first == "a" || first == "an" || first == "the":
		if !ofStyle(w[1:n], n) {
			return 0
		}
	case first == "my" || first == "your":
		return n
	case pronoun, tables.determiner[first], english.StopWord(first), w[0].value:
		return 0
	}
	if slices.ContainsFunc(w[:n], func(x word) bool { return x.value && strings.IndexFunc(x.text, unicode.IsLetter) < 0 }) {
		return 0 // gate 4
	}
	return n
}

// plural reports a general object in the plural among the words up to a preposition.
func plural(w []word) bool {
	n := general(w)
	return n > 0 && slices.ContainsFunc(w[:n], func(x word) bool {
		return strings.HasSuffix(x.low, "s") && !strings.HasSuffix(x.low, "ss") && english.Lemma(x.low) != x.low
	})
}

// toMe drops "to me" and "with me".
func toMe(w []word) []word {
	if len(w) > 2 && (w[0].low == "to" || w[0].low == "with") && w[1].low == "me" {
		return w[2:]
	}
	return w
}

// inManner reports that words say how: "in Dutch", "without jargon", "as bullet points", "simply".
func inManner(w []word) bool {
	switch {
	case len(w) == 0:
		return false
	case isManner(&w[0]):
		return true
	case len(w) < 2 || !manner[w[0].low] || w[0].low == "by" && w[1].value:
		return false
	}
	switch next := w[1].low; {
	case w[1].value && w[0].low == "in", next == "me" || next == "us":
		return false // in ten minutes
	case next == "a" || next == "an":
		return ofStyle(w[2:], 3) || w[0].low != "in" && plural(w[2:])
	}
	return true
}

// isManner reports an adverb of manner.
func isManner(w *word) bool {
	return strings.HasSuffix(w.low, "ly") && len(w.low) > 4 && !atOnce[w.low]
}

// inStyle reports words that do nothing but name a style: "brief", "more formal and direct", "under
// two lines".
func inStyle(w []word) bool {
	for len(w) > 0 && degrees[w[0].low] {
		w = w[1:]
	}
	return len(w) > 0 && styleWords[w[0].low]
}

// bounds reports a limit: "under 100 words", "to one paragraph".
func bounds(w []word) bool {
	return len(w) > 1 && (w[0].low == "under" || w[0].low == "below" || w[0].low == "within" || w[0].low == "to" || w[0].low == "at") &&
		slices.ContainsFunc(w[1:], func(x word) bool { return x.value || x.low == "a" || x.low == "an" || x.low == "one" })
}

// named reports what somebody wants to be called: "me Sam", "me by my first name".
func named(w []word) bool {
	if len(w) < 2 || w[0].low != "me" {
		return false
	}
	if w[1].low == "by" {
		return len(w) > 2 && w[2].low == "my"
	}
	for _, x := range w[1:] {
		if x.low == "not" || x.low == "instead" || x.low == "rather" {
			return true
		}
		first, size := utf8.DecodeRuneInString(x.text)
		if !unicode.IsUpper(first) || x.value || len(x.text) > size+1 && x.text == strings.ToUpper(x.text) || english.StopWord(x.low) {
			return false
		}
	}
	return true
}

// asksBefore reads "before deleting files", "me before you book flights" after a verb of asking.
func asksBefore(w []word) bool {
	for i := 0; i+1 < len(w) && i < 5; i++ {
		if w[i].low == "before" {
			return strings.HasSuffix(w[i+1].low, "ing") || w[i+1].low == "you"
		}
	}
	return false
}
