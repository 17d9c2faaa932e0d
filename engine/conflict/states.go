package conflict

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// statesTable lists groups of states that exclude each other. A line is a group: its name, then
// the states, separated by bars, each with the words that express it; "_" joins the words of a
// phrase. "~" marks phrases that begin with a verb ("works part time"); the others follow "is". A
// group may have several lines.
//
//go:embed states.txt
var statesTable string

// state is a phrase of a group of states.
type state struct {
	group string
	pole  int
	poles int
	rest  []string // words after the first
	verb  bool     // the first word is a verb
}

var stateWords = func() map[string][]state {
	m := map[string][]state{}
	for _, line := range strings.Split(strings.TrimSpace(statesTable), "\n") {
		group, list, _ := strings.Cut(line, " ")
		poles := strings.Split(list, "|")
		for i, pole := range poles {
			for _, phrase := range strings.Fields(pole) {
				phrase, acts := strings.CutPrefix(phrase, "~")
				w := strings.Split(phrase, "_")
				m[w[0]] = append(m[w[0]], state{group, i, len(poles), w[1:], acts})
			}
		}
	}
	return m
}()

// lastingGroups are groups whose states are results of an act and last: "was closed" of a ticket
// says that it is closed.
var lastingGroups = english.WordSet("sale contract approval payment delivery arrival ticket plan lock validity progress")

// ticketNouns are things that are closed for good.
var ticketNouns = lemmas("ticket issue case bug incident request complaint dispute investigation account deal claim")

// statesOf reads the state of a thing: "the visa has expired", "the proposal was approved", "the
// committee approved the proposal".
func (p *parser) statesOf(t []token) []claim {
	var out []claim
	for i, x := range t {
		if i == 0 || !x.is(formOfBe|formOfHave) && !x.past && !(x.finite && x.is(stateVerb)) && !(x.is(formOfDo) && lowAt(t, i+1) == "not") {
			continue
		}
		if x.low == "'s" && !isCopula(t, i) {
			continue
		}
		return p.stateAt(t, i)
	}
	return out
}

// stateAt reads the state after the first verb of a sentence.
func (p *parser) stateAt(t []token, i int) []claim {
	denied, was, be, done := false, false, false, false
	j := i
	for ; j < len(t); j++ {
		x := t[j]
		switch {
		case x.low == "not" || x.low == "no" && lowAt(t, j+1) == "longer":
			if denied {
				return nil
			}
			denied = true
		case x.low == "longer":
		case x.is(formOfDo):
			done = true
		case be && stateParticiples[x.low] && j+1 < len(t) && stateWords[t[j+1].low] != nil:
		case x.is(formOfBe | formOfHave):
			was = was || x.low == "was" || x.low == "were" || x.low == "had"
			be = be || x.is(formOfBe)
		case x.is(adverb) && x.low != "once" && x.low != "never" && x.low != "almost" && x.low != "nearly" && x.low != "probably" || x.low == "again" || x.low == "full" || x.low == "part" || x.low == "now" || x.low == "still" || x.low == "yet":
		default:
			goto after
		}
	}
after:
	for _, x := range t[:i] {
		if x.is(doubtWord) || x.is(modal) {
			return nil
		}
	}
	if j >= len(t) {
		return nil
	}
	subject := t[:i]
	var out []claim
	word := t[j].low
	if done { // does not work
		if word += "s"; !isStateVerb(word) {
			word = t[j].low + "es"
		}
	}
	for _, s := range stateWords[word] {
		end := j + 1
		if !wordsFollow(t, end, s.rest) {
			continue
		}
		end += len(s.rest)
		event := t[j].past && t[j].verb && (lastingGroups[s.group] || s.group == "power" && be)
		about := subject
		if !s.verb && !be && (i != j || t[j].is(formOfHave)) { // has expired
			if !event {
				continue
			}
		}
		if s.verb { // works part time
			if be || was || i != j && !done && !t[i].is(formOfDo) || (s.group == "service" || s.group == "build") && (!t[0].is(determiner) || end < len(t) && !t[end].punctuation && !t[end].is(adverb)) {
				continue
			}
		} else if done {
			continue
		} else if i == j && !be { // the committee approved the proposal
			if !event || s.group == "progress" || s.group == "sale" || t[j].low == "settled" && !slices.ContainsFunc(t[end:], func(x token) bool { return payableNouns[x.lem] }) {
				continue
			}
			if s.group == "validity" {
				about = subject
			} else if about = firstPhrase(t[end:]); len(about) == 0 {
				continue
			}
		} else if end < len(t) && !mayFollowState(t[end]) {
			continue
		}
		if was && !event || s.poles != 2 && denied {
			continue
		}
		c := claim{attribute: "state of " + s.group, kind: ofState, subject: about, owner: p.owner(about)}
		if len(c.owner) == 0 || c.owner[0] == "@i" && len(c.owner) == 1 && !personGroups[s.group] {
			continue
		}
		if s.group == "ticket" != containsAny(c.owner, ticketNouns) && (s.group == "ticket" || s.group == "door") {
			continue
		}
		for k := end; k < len(t) && !t[k].punctuation && (be || i != j || s.verb) && !selfContainedGroups[s.group]; k++ {
			if k == end && reasonWords[t[k].low] {
				break
			}
			if t[k].low == "full" || t[k].low == "part" || t[k].low == "time" {
				continue
			}
			if t[k].used || isDayWord(t[k]) || !t[k].is(stopWord) {
				c.rest = append(c.rest, t[k].lem)
			}
		}
		pole := s.pole
		if denied {
			pole = 1 - pole
		}
		c.text = s.group + strconv.Itoa(pole)
		out = append(out, c)
	}
	return out
}

// payableNouns are things that are settled with money.
var payableNouns = lemmas("invoice bill debt account fee rent fine loan balance claim")

// stateParticiples may come between "is" and a state: stored encrypted, left open.
var stateParticiples = english.WordSet("stored kept left saved held sent marked considered currently set transmitted listed")

// personGroups are groups of states of persons.
var personGroups = english.WordSet("marriage love work hours pay training life household morning hand diet member presence")

// selfContainedGroups are groups whose states need no other words.
var selfContainedGroups = english.WordSet("household round")

// isStateVerb reports a word that begins a state as a verb.
func isStateVerb(low string) bool {
	return slices.ContainsFunc(stateWords[low], func(s state) bool { return s.verb })
}

// statingVerbs are the words that begin a state as a verb.
var statingVerbs = func() map[string]bool {
	m := map[string]bool{}
	for w := range stateWords {
		if isStateVerb(w) {
			m[w] = true
		}
	}
	return m
}()

// reasonWords are words after a state that introduce its reason or its beginning.
var reasonWords = english.WordSet("for because since due as by and but so again now until till")

func wordsFollow(t []token, i int, words []string) bool {
	return len(t)-i >= len(words) && slices.EqualFunc(t[i:i+len(words)], words, func(x token, w string) bool { return x.low == w })
}

func containsAny(list []string, set map[string]bool) bool {
	return slices.ContainsFunc(list, func(w string) bool { return set[w] })
}

// mayFollowState reports a token that may follow a state.
func mayFollowState(x token) bool {
	if _, day := weekdayOf(strings.TrimSuffix(x.low, "s")); day {
		return true
	}
	return x.punctuation || x.is(preposition|joining|adverb|clauseEndWord) || x.used || x.low == "again" || x.low == "now" || x.low == "anymore" || x.low == "today"
}
