// Package preface reads what stands before a statement in its sentence and is no part of it: "Good news from the doctor: …",
// "Funny, …", and what gives the statement to somebody else: "My sister said: …", "Rumour: …".
package preface

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Word is a word of a sentence.
type Word struct {
	Low         string // in lower case; a contraction is several words
	Sign        byte   // the sign before it, 0 if there is none
	Preposition bool
	Determiner  bool // or a possessive
	Timely      bool // a day, a date, a time or a part of the day
	Past, Third bool // a verb in the past tense, in the third person
	Reports     bool // a verb of saying
	Named       bool // a name
}

const (
	maxLabel     = 8 // words of an announcement
	maxInterject = 3 // words of an announcement without a noun that says that it is one
)

var (
	// announcing are nouns of which a label announces a statement of the speaker.
	announcing = english.WordSet("news update change correction announcement development result outcome fact confession surprise twist improvement progress info information reminder note")
	// hearsay are nouns of texts that state nothing about the speaker.
	hearsay = english.WordSet("rumour rumor gossip hearsay quote quotation lyrics joke riddle dream novel story tale poem song headline title caption script screenplay fiction")
	// says are verbs of saying besides those that a caller knows.
	says    = english.WordSet("texted messaged emailed mailed replied answered announced shouted whispered joked posted tweeted sang swore warned promised reads writes wrote texts replies called phoned quoted explained added")
	speaker = english.WordSet("i we")
	own     = english.WordSet("i we my our")
	// scopes begin what limits a statement, or what makes another one of it.
	scopes  = english.WordSet("if when while because although unless maybe perhaps possibly not no never every each all most some only except question example otherwise")
	objects = english.WordSet("it them him her those these that this")
)

// Label returns the number of words at the beginning of a clause that announce a statement or are an interjection, 0 if there are none.
// states reports that words have a subject and a verb.
func Label(words []Word, states func(from int) bool) int {
	at := slices.IndexFunc(words[min(1, len(words)):], func(w Word) bool { return w.Sign == ':' || w.Sign == '-' || w.Sign == ',' }) + 1
	if at == 0 || at > maxLabel || scopes[words[0].Low] || words[0].Preposition || !opens(words[at:]) || !states(at) {
		return 0
	}
	if slices.ContainsFunc(words[:at], func(w Word) bool { return w.Timely || scopes[w.Low] || hearsay[w.Low] }) {
		return 0
	}
	if announcing[head(words[:at]).Low] {
		return at
	}
	if words[at].Sign == ':' || !own[words[at].Low] || words[0].Determiner || at > 1 && (words[0].Low != "new" || at > maxInterject) || takesUp(words[at:]) {
		return 0
	}
	if words[0].Named && !speaker[words[at].Low] {
		return 0 // "Dana, my manager, …"
	}
	return at
}

// opens reports words that begin with a pronoun or a determiner, as most statements do.
func opens(words []Word) bool {
	p, pronoun := english.PronounOf(words[0].Low)
	return words[0].Determiner || pronoun && p.Case&(english.Subjective|english.Possessive) != 0
}

// head returns the noun of a label: the last word before a preposition.
func head(words []Word) Word {
	end := slices.IndexFunc(words, func(w Word) bool { return w.Preposition })
	if end <= 0 {
		end = len(words)
	}
	return words[end-1]
}

// takesUp reports a pronoun that stands for what is named before the words: "olives, I love them".
func takesUp(words []Word) bool {
	for i := 1; i < len(words) && words[i].Sign == 0; i++ {
		if objects[words[i].Low] && (i+1 == len(words) || words[i+1].Sign != 0) {
			return true
		}
	}
	return false
}

// Foreign returns the number of words of a sentence before what somebody other than the speaker says, up to a colon: "My sister
// said: …", "Rumour: …", "From my novel: …"; 0 if there are none.
func Foreign(words []Word) int {
	at := slices.IndexFunc(words, func(w Word) bool { return w.Sign == ':' })
	if at < 1 {
		return 0
	}
	intro := words[:at]
	for i := range intro {
		w := &intro[i]
		said := w.Reports && (w.Past || w.Third) || says[w.Low]
		if i > 0 && said && !intro[i-1].Determiner && !intro[i-1].Preposition && !speaker[intro[0].Low] && !speaker[intro[i-1].Low] {
			return at
		}
	}
	if hearsay[head(intro).Low] || intro[0].Preposition && slices.ContainsFunc(intro, func(w Word) bool { return hearsay[w.Low] || hearsay[strings.TrimSuffix(w.Low, "s")] }) {
		return at
	}
	return 0
}

// adjoined are participles that tell how or where the subject of the next clause is.
var adjoined = english.WordSet("based located compared given born called named dressed supposed tired bored excited worried interested pleased")

// Elided reports a clause of the past that leaves out its subject, the speaker: "Stepped on the scale today".
func Elided(words []Word) bool {
	if len(words) < 2 || !strings.HasSuffix(words[0].Low, "ed") || len(words[0].Low) < 5 || adjoined[words[0].Low] || words[1].Low == "by" || words[1].Sign != 0 {
		return false
	}
	return words[1].Preposition || words[1].Determiner || objects[words[1].Low]
}
