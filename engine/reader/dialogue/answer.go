package dialogue

import (
	"regexp"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/toponym"
	"github.com/somnograph/somnograph/internal/english"
)

var (
	yes    = regexp.MustCompile(`^(?:yes|yeah|yep|yup|exactly|correct|right|indeed|that'?s (?:right|correct|true)|i (?:do|am))(?:\W+(?:yes|exactly|correct|that'?s (?:right|correct|true)|i do|i am|it is|thanks|thank you))*$`)
	leadIn = regexp.MustCompile(`(?i)^(?:(?:so|and|but|then|ok|okay|well|great|nice|thanks|just to (?:be sure|confirm|check)|by the way|to confirm|oh|right|also)[\s,:]+)+`)
	tag    = regexp.MustCompile(`(?i)[\s,]+(?:right|correct|yes|is that (?:right|correct|true)|am i right|(?:don't|aren't|isn't|doesn't) (?:you|it|she|he|they))$`)
	checks = regexp.MustCompile(`(?i)^is (?:that|this|it) (?:right|correct|true)$`)
	// now are the words of a question that its answer leaves out.
	now = regexp.MustCompile(`(?i)\s+(?:now|currently|these days|at the moment|right now|then)$`)
	// open are the questions to which a value is the answer.
	open = regexp.MustCompile(`(?i)^(?:(where) do you (live|work|study)|(what)(?:'s| is) your ((?:[a-z-]+ ){0,2}[a-z-]+)|(when)(?:'s| is) your ((?:[a-z-]+ ){0,2}[a-z-]+)|(how old) are (you)|(who)(?:'s| is) your ((?:[a-z-]+ ){0,2}[a-z-]+))$`)
)

// vague are words with which a question asks for more, or for something else, than what its statement says.
var vague = english.WordSet("ever else other another before still also too more already again any anything anyone anybody anywhere anymore something someone everything or not yet it this that these those " +
	"there here he she they him them if when because which who whom whose how why what me i my mine us we just only even")

// does are the verbs of which yes states what the user does.
var does = english.WordSet("speak own play love like drive eat drink prefer teach use")

// settled are the verbs of which yes states what the user does if a place or an employer with a name follows: "Do you live near the sea?" asks for
// less than where.
var settled = map[string]map[string]bool{"live": english.WordSet("in"), "work": english.WordSet("at for in"), "study": english.WordSet("at in")}

// moments are the words after "a" with which a question is about the moment.
var moments = english.WordSet("bit little few while moment minute lot")

// attributes are what a value is an answer about: its last word.
var attributes = english.WordSet("name surname nickname email phone number birthday anniversary budget address city hometown town country title employer company size height weight age " +
	"timezone flight train appointment meeting standup exam wedding interview deadline manager boss dentist doctor landlord lawyer wife husband partner employer teacher therapist physio colour color food drink " +
	"team band author book film movie song artist bank insurer airline password code pin plate language")

// states are the words after "are you" of which yes states what the user is.
var states = english.WordSet("a an from based allergic married vegan vegetarian single divorced called named")

// Answered returns the statement that the answer of a user makes of the question before it, in the words of the user: "And you live in
// Ulm?" with "exactly" is "I live in Ulm.", "So where do you work now?" with "Siemens" is "I work at Siemens.". "No" makes none.
func Answered(asked, answer string) (string, bool) {
	asked = strings.TrimSpace(strings.ReplaceAll(asked, "’", "'"))
	sentences := sentencesOf(asked)
	if len(sentences) == 0 || !strings.HasSuffix(asked, "?") || strings.Count(asked, "?") > 1 || len(answer) > 60 {
		return "", false
	}
	question := func(i int) string { return strings.Trim(leadIn.ReplaceAllString(sentences[i], ""), " ?!.") }
	last := question(len(sentences) - 1)
	if yes.MatchString(plain(answer)) {
		if checks.MatchString(last) && len(sentences) > 1 {
			last = question(len(sentences) - 2)
		}
		return confirmed(now.ReplaceAllString(tag.ReplaceAllString(last, ""), ""))
	}
	return stated(now.ReplaceAllString(last, ""), answer)
}

// confirmed returns what the answer yes to a plain question says.
func confirmed(asked string) (string, bool) {
	all := strings.Fields(asked)
	if len(all) < 3 || len(all) > 10 || strings.ContainsAny(asked, ",;:\"?") || slices.ContainsFunc(all, func(w string) bool {
		w = strings.ToLower(w)
		return vague[w] || strings.HasSuffix(w, "n't")
	}) {
		return "", false
	}
	for i, w := range all[1:] {
		if before := strings.ToLower(all[i]); strings.EqualFold(w, "to") && before != "allergic" && before != "married" {
			return "", false // "Do you like to travel?"
		}
	}
	low := strings.Fields(strings.ToLower(asked))
	if slices.Contains(low[2:], "you") || slices.Contains(low[2:], "yourself") {
		return "", false // "Does she live near you?"
	}
	rest := func(from int) string {
		out := slices.Clone(all[from:])
		for i, w := range out {
			if strings.EqualFold(w, "your") {
				out[i] = "my"
			}
		}
		return strings.Join(out, " ") + "."
	}
	switch {
	case low[0] == "do" && low[1] == "you" && does[low[2]] && len(all) > 3:
		return "I " + rest(2), true
	case low[0] == "do" && low[1] == "you" && settles(all, 2):
		return "I " + rest(2), true
	case low[0] == "you" && settles(all, 1):
		return "I " + rest(1), true
	case len(low) > 3 && (low[2] == "a" || low[2] == "an" || low[1] == "a") && (moments[low[2]] || moments[low[3]]):
		return "", false // "Are you a bit tired?"
	case low[0] == "are" && low[1] == "you" && (states[low[2]] || kindOfWord(low[2], false) == number && low[len(low)-1] == "old"):
		return "I am " + rest(2), true
	case low[0] == "you" && does[low[1]]:
		return "I " + rest(1), true
	case low[0] == "you" && low[1] == "are" && states[low[2]]:
		return "I am " + rest(2), true
	case low[0] == "you're" && states[low[1]]:
		return "I am " + rest(1), true
	case (low[0] == "is" || low[0] == "are") && low[1] == "your":
		if i := said(all, 3); i > 0 {
			return "My " + strings.Join(all[2:i], " ") + " " + low[0] + " " + rest(i), true
		}
	case low[0] == "does" && low[1] == "your" && len(all) > 5 && settles(all, 3):
		verb := low[3] + "s"
		if low[3] == "study" {
			verb = "studies"
		}
		return "My " + all[2] + " " + verb + " " + rest(4), true
	case low[0] == "your":
		if i := slices.Index(low, "is"); i > 1 && i < 5 && said(all, i+1) == i+1 {
			return "My " + rest(1), true
		}
	}
	return "", false
}

// settles reports whether a verb of settled is at a place, with a name after it.
func settles(all []string, at int) bool {
	return len(all) > at+2 && settled[strings.ToLower(all[at])][strings.ToLower(all[at+1])] && kindOfWord(all[at+2], true) == name
}

// said returns where the words of a question say what its subject is: the first name, number or date, with the preposition before it; 0:
// nowhere.
func said(all []string, from int) int {
	for i := from; i < len(all) && i < from+2; i++ {
		low := strings.ToLower(all[i])
		switch {
		case prepositions[low] && low != "of" && low != "for":
			if i+1 < len(all) && kindOfWord(all[i+1], true) != words {
				return i
			}
			return 0
		case low == "called" || low == "named" || kindOfWord(all[i], true) != words:
			return i
		}
	}
	return 0
}

// units are the words that may follow a number in an answer.
var units = english.WordSet("euro euros dollar dollars pound pounds francs eur usd gbp chf kg km m cm kilo kilos years minutes hours days weeks am pm")

// stated returns the statement that a value makes of a question.
func stated(asked, answer string) (string, bool) {
	found := open.FindStringSubmatch(asked)
	v, ok := valueOf(answer)
	if found == nil || !ok || strings.ContainsAny(answer, "!?…") || v.kind == name && common(v.text) || v.unit != "" && !units[strings.ToLower(v.unit)] || v.determiner != "" && v.kind != name {
		return "", false
	}
	var what string
	for i := 1; i < len(found); i += 2 {
		if found[i] != "" {
			what = strings.ToLower(found[i+1])
		}
	}
	if slices.ContainsFunc(strings.Fields(what), func(w string) bool {
		return vague[w] || prepositions[w]
	}) {
		return "", false
	}
	if all := strings.Fields(what); len(all) > 0 && found[1] == "" && found[7] == "" && !attributes[all[len(all)-1]] && all[0] != "favourite" && all[0] != "favorite" {
		return "", false
	}
	if ordinary := v.kind == name && !strings.Contains(v.text, " ") && extract.EnglishWord(strings.ToLower(v.text)) && !extract.PlaceName(strings.ToLower(v.text)) && !extract.GivenName(strings.ToLower(v.text)); ordinary {
		return "", false // the first word of an answer has a capital anyway
	}
	with := func(fitting string) string {
		if v.preposition != "" {
			fitting = v.preposition
		}
		return fitting + " " + v.determiner + v.text + "."
	}
	switch {
	case found[1] != "":
		where := "at"
		place := extract.PlaceName(strings.ToLower(v.text))
		switch {
		case what == "live" && v.preposition == "" && !strings.Contains(v.text, " ") && (extract.GivenName(strings.ToLower(v.text)) && !place || toponym.Town(v.text) < leastTown):
			return "", false
		case what == "live" || place:
			where = "in"
		}
		return "I " + what + " " + with(where), v.kind == name && (v.preposition == "" || v.preposition == "in" || v.preposition == "at" || v.preposition == "near" || v.preposition == "for")
	case found[3] != "":
		return "My " + what + " is " + v.determiner + v.text + ".", v.preposition == "" && v.kind != code
	case found[5] != "":
		when := "on"
		switch {
		case v.kind == number && (v.isClock() || strings.Contains(v.text, ":")):
			when = "at"
		case v.kind == date && len(strings.Fields(v.text)) == 1:
			when = "in"
		case v.kind != weekday && v.kind != date:
			return "", false
		}
		return "My " + what + " is " + with(when), v.preposition == "" || v.preposition == "on" || v.preposition == "at" || v.preposition == "in"
	case found[7] != "":
		return "I am " + v.text + " years old.", v.kind == number && v.unit == "" && v.before == "" && amountMarks(v.text) == "" && !strings.ContainsAny(v.text, ":.,")
	}
	return "My " + what + " is " + v.text + ".", v.kind == name && v.before == ""
}

// leastTown is the probability of a town from which a word is an answer to "Where do you live?".
const leastTown = 0.3
