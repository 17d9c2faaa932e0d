package extract

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// happening reports a clause in the simple present that tells of one event: its verb names what is over at once, its subject is one
// definite thing or person, and nothing says that it happens again and again or under a condition. "CI fails on main" and "the client
// cancels the order" happened; "servers crash under load", "the office closes at six" and "our landlord refuses pets" hold. What a thing
// does to a definite object may be what it is for ("the key opens the shed"), so verbs that take an agent need a person or a group.
func happening(ws []Word, p predicate) bool {
	at := p.end - 1
	if at < 1 || p.own || slices.ContainsFunc(ws[:at], func(w Word) bool { return auxiliaryVerbs[strings.TrimSuffix(w.Low, "n't")] }) {
		return false
	}
	subject, rest := ws[:at], ws[p.end:]
	for len(subject) > 1 && (verbAdverbs[subject[len(subject)-1].Low] || strings.HasSuffix(subject[len(subject)-1].Low, "ly")) {
		subject = subject[:len(subject)-1]
	}
	if !definite(subject) || generic(rest) {
		return false
	}
	lemma := english.Lemma(p.verb)
	next := ""
	if len(rest) > 0 {
		next = rest[0].Low
	}
	switch {
	case pointVerbs[lemma]:
		return !rooted[lemma] || !placePrepositions[next] // "the key hangs behind the door", "the path vanishes behind the hill"
	case lemma == "get":
		return isPast(next)
	case goes[lemma]:
		return pointParticles[next]
	case lemma == "stop" || lemma == "start" || lemma == "begin":
		return next == "" || strings.HasSuffix(next, "ing") && len(next) > 4 || next == "to"
	}
	return agentVerbs[lemma] && len(rest) > 0 && (beforeNouns[next] || next == "to" || rest[0].capital()) && agent(subject)
}

// definite reports a subject that is one known thing or person: with a determiner or a possessor, a pronoun, or a name. What has no
// determiner and is in the plural is a kind.
func definite(subject []Word) bool {
	first, last := subject[0], subject[len(subject)-1]
	switch {
	case first.Low == "a" || first.Low == "an" || first.Low == "any" || first.Low == "some" || first.Low == "most" || first.Low == "many" || first.Low == "all" || first.Low == "no":
		return false
	case beforeNouns[first.Low] || first.Possessive || subjectPronouns[first.Low]:
		return true
	}
	return first.capital() && (english.Singular(last.Low) == last.Low || last.capital() && len(subject) > 1 || len(last.Low) < 4)
}

// agent reports a subject that decides: a person by kinship, work, name or pronoun, or a group.
func agent(subject []Word) bool {
	last := subject[len(subject)-1]
	singular := english.Singular(last.Low)
	return subjectPronouns[last.Low] || peopleWords[singular] || givenNames[last.Low] || orgEnds[singular] || pluralNouns[last.Low] || agentNouns[singular] ||
		len(subject) <= 2 && last.capital() && !software[last.Low] && strings.ToUpper(last.Text) != last.Text
}

// generic reports that what follows a verb is about a kind or holds under a condition: an object in the plural without a determiner
// ("refuses pets"), a phrase of such a noun ("for large files"), a bound ("under load"), a time of the clock or of the year, or how it
// mostly goes ("easily").
func generic(rest []Word) bool {
	for i, w := range rest {
		next := ""
		if i+1 < len(rest) {
			next = rest[i+1].Low
		}
		switch {
		case dispositions[w.Low] && i+1 == len(rest), seasons[w.Low], english.Month(w.Low) != 0 && w.capital(), w.Low == "within" || w.Low == "below" || w.Low == "above" || w.Low == "beyond":
			return true
		case (w.Low == "under" || w.Low == "with") && !beforeNouns[next], (w.Low == "at" || w.Low == "by") && i+1 < len(rest) && clockTime(rest[i+1]):
			return true
		case w.Low == "in" && i+1 < len(rest) && (isNumber(next) || isNumberWord(next)):
			return true
		case (w.Low == "before" || w.Low == "after" || w.Low == "during") && (next == "a" || next == "an"):
			return true
		}
	}
	return bareKind(rest)
}

// bareKind reports a noun phrase in the plural without a determiner, a number or a capital.
func bareKind(ws []Word) bool {
	open := true // a noun phrase may begin here
	for i, w := range ws {
		ends := i+1 == len(ws) || w.SignAfter != 0 || english.StopWord(ws[i+1].Low) || placePrepositions[ws[i+1].Low]
		switch {
		case beforeNouns[w.Low] || w.Possessive || isNumber(w.Low) || isNumberWord(w.Low):
			open = false
		case english.StopWord(w.Low) || placePrepositions[w.Low]:
			open = true
		case open && ends && !w.capital() && !strings.HasSuffix(w.Low, "ss") && (english.Singular(w.Low) != w.Low && !english.Uninflected(w.Low) || w.Low != "staff" && pluralNouns[w.Low]):
			return true
		}
	}
	return false
}

var (
	// pointVerbs name an event that is over at once and happens to its subject.
	pointVerbs = lemmaSet(wordLists.Words("pointVerbs"))
	// agentVerbs name a decision, or what somebody does once.
	agentVerbs = lemmaSet(wordLists.Words("agentVerbs"))
	// rooted are those of pointVerbs that also say where something is, or where it regularly comes.
	rooted = lemmaSet("hang arrive disappear vanish")
	// goes are verbs of which one of pointParticles makes an event.
	goes           = lemmaSet("go run fall come give shut blow")
	pointParticles = english.WordSet("out down off offline online apart through ill over bankrupt missing wrong live up away in")
	agentNouns     = wordLists.Set("agentNouns")
	seasons        = english.WordSet("spring summer autumn fall winter")
	dispositions   = english.WordSet("easily readily quickly slowly fast badly well early late")
)
