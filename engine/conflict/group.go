package conflict

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// group is a verb group: auxiliaries, negation, adverbs and the main verb.
type group struct {
	verb    string
	part    string // the participle behind "be" or "get"
	got     bool   // "got married"
	be      bool
	ing     bool
	neg     bool
	never   bool
	ended   bool
	hedged  bool
	started bool
	could   bool // "could not"
	freq    int8
	tense   tense
	mood    mood
	end     int // first token behind it
}

var rareWords = english.WordSet("rarely seldom hardly barely scarcely")

var oftenWords = english.WordSet("always often frequently constantly regularly usually daily")

// light negations that negate nothing: "not only", "not sure", "not bad".
var notNot = english.WordSet("only just merely simply sure certain bad necessarily uncommon unusual everyone everything all every quite that exactly too so entirely mention")

var stopVerbs = lemmas("stop quit cease")

var startVerbs = lemmas("start begin keep continue resume")

var failVerbs = lemmas("fail refuse forget neglect decline")

var hedgeVerbs = lemmas("want plan hope intend wish aim try consider think dream imagine pretend promise expect need wonder suggest recommend propose")

var opinionVerbs = lemmas("think believe know guess suppose feel confirm realize say mention hear find remember claim insist argue announce tell doubt wonder assume imagine pretend dream suspect note notice understand admit")

var rawOpinions = lemmas("think believe suppose feel guess")

// readGroup reads the verb group that begins at v.
func readGroup(t []token, v int) group {
	var g group
	i := v
	aux := func() bool { return i > v }
	for ; i < len(t); i++ {
		x := t[i]
		switch {
		case x.mark || x.used:
			g.end = i
			return g.done()
		case x.low == "not" || x.low == "never":
			if next := at(t, i+1); x.low == "not" && notNot[next] {
				if next == "sure" || next == "certain" || next == "necessarily" || next == "everyone" || next == "all" || next == "every" || next == "entirely" || next == "exactly" || next == "always" {
					g.mood = aside
				}
				i++
				continue
			}
			g.neg = !g.neg
			g.never = g.never || x.low == "never"
			continue
		case x.low == "no" && at(t, i+1) == "longer":
			g.neg, g.ended = true, true
			i++
			continue
		case rareWords[x.low]:
			g.freq = -1
			continue
		case oftenWords[x.low] && !(g.be && x.low == "daily"):
			g.freq = 1
			continue
		case x.low == "once" || x.low == "formerly" || x.low == "previously" || x.low == "originally":
			if x.low != "once" || i+1 < len(t) && finite(t[i+1]) {
				g.tense = past
				continue
			}
			g.end = i
			return g.done()
		case x.low == "probably" || x.low == "maybe" || x.low == "perhaps" || x.low == "almost" || x.low == "nearly":
			if x.low != "probably" {
				g.mood = aside
			}
			continue
		case x.low == "used" && at(t, i+1) == "to" && !g.be:
			g.tense = past
			g.verb = "-"
			i++
			continue
		case x.is(formOfBe):
			if g.verb != "" && g.verb != "-" {
				g.end = i
				return g.done()
			}
			g.be = true
			if x.low == "was" || x.low == "were" {
				g.tense = past
			}
			if x.low == "been" {
				g.tense = perfect
			}
			continue
		case x.is(formOfHave):
			if g.be && x.low == "having" {
				g.verb, g.ing = "hav", true
				g.end = i + 1
				return g.done()
			}
			if at(t, i+1) == "to" && i+2 < len(t) {
				g.mood = must
				if x.low == "had" {
					g.tense = past
				}
				i++
				continue
			}
			if p := afterAdverbs(t, i+1); p < len(t) && participle(t[p]) && !(nounish[t[p].lem] && !t[p].past) {
				g.tense = perfect
				if x.low == "had" {
					g.tense = past
				}
				continue
			}
			if x.low == "had" && g.tense != perfect {
				g.tense = past
			}
			g.verb, g.end = "have", i+1
			return g.done()
		case x.is(formOfDo):
			if p := afterAdverbs(t, i+1); p < len(t) && (t[p].verb || t[p].is(formOfHave) || t[p].is(formOfBe)) && baseForm(t[p]) {
				if x.low == "did" {
					g.tense = past
				}
				continue
			}
			if x.low == "did" {
				g.tense = past
			}
			g.verb, g.end = "do", i+1
			return g.done()
		case x.is(modal):
			switch x.low {
			case "will", "shall":
				g.tense = future
			case "can":
				g.mood = max(g.mood, can)
			case "could":
				if at(t, i+1) != "not" {
					g.mood = aside
				}
				g.could, g.tense = true, past
			case "should", "must":
				g.mood = max(g.mood, must)
			default:
				g.mood = aside
			}
			continue
		case g.be && x.low == "going" && at(t, i+1) == "to" && i+2 < len(t) && t[i+2].verb && baseForm(t[i+2]) && !determiners[at(t, i+2)]:
			g.tense, g.be = future, false
			i++
			continue
		case g.be && (x.low == "able" || x.low == "unable") && at(t, i+1) == "to":
			g.mood = max(g.mood, can)
			g.neg = g.neg != (x.low == "unable")
			g.be = false
			i++
			continue
		case g.be && (x.low == "supposed" || x.low == "required" || x.low == "obliged") && at(t, i+1) == "to":
			g.mood, g.be = max(g.mood, must), false
			i++
			continue
		case g.be && x.ing && x.verb:
			g.ing, g.be, g.verb = true, false, x.lem
		case g.be && x.past && x.verb:
			g.part, g.verb, g.end = x.lem, "be", i+1
			if x.lem == "call" && at(t, i+1) == "off" {
				g.part, g.end = cancelKey, i+2
			}
			return g.done()
		case x.is(adverb) && x.low != "so" && x.low != "both" && x.low != "all" || strings.HasSuffix(x.low, "ly") && len(x.low) > 4 && !x.verb && (x.low != "early" && x.low != "friendly" && x.low != "lonely" && x.low != "family" && x.low != "weekly" && x.low != "monthly" && x.low != "italy"):
			if g.verb != "" && g.verb != "-" {
				g.end = i
				return g.done()
			}
			if g.be && at(t, i+1) == "" && !x.is(adverb) {
				g.end = i
				return g.done()
			}
			continue
		case g.be:
			g.end = i
			return g.done()
		case x.verb && (!x.upper || i == v):
			if x.past && g.tense == present && !aux() {
				g.tense = past
			}
			g.verb = x.lem
			if x.ing {
				g.ing = true
			}
		default:
			g.end = i
			return g.done()
		}
		// a main verb was read at i: what governs another verb?
		next := i + 1
		if g.ing && !g.be && i == v && g.tense == past {
			g.tense = present
		}
		switch {
		case g.verb == "giv" && at(t, next) == "up" && next+1 < len(t) && t[next+1].ing && t[next+1].verb:
			g.neg, g.ended, g.tense = !g.neg, true, present
			g.verb = t[next+1].lem
			next += 2
		case stopVerbs[g.verb] && next < len(t) && t[next].ing && t[next].verb:
			g.neg, g.ended, g.tense = !g.neg, true, present
			g.verb = t[next].lem
			next++
		case startVerbs[g.verb] && next < len(t) && t[next].ing && t[next].verb:
			g.started, g.tense, g.verb = true, present, t[next].lem
			next++
		case (startVerbs[g.verb] || g.verb == tendKey || g.verb == manageKey || g.verb == happenKey) && at(t, next) == "to" && next+1 < len(t) && t[next+1].verb && baseForm(t[next+1]):
			g.verb = t[next+1].lem
			next += 2
		case g.verb == decideKey && (at(t, next) == "to" || at(t, next) == "not" && at(t, next+1) == "to"):
			if at(t, next) == "not" {
				g.neg = !g.neg
				next++
			}
			if next+1 < len(t) && t[next+1].verb {
				g.verb = t[next+1].lem
				next += 2
				if endings[g.verb] == nil && g.tense != future {
					g.tense = present
				}
			}
		case failVerbs[g.verb] && at(t, next) == "to" && next+1 < len(t) && t[next+1].verb:
			g.neg = !g.neg
			g.verb = t[next+1].lem
			next += 2
		case (g.verb == "need" || g.verb == oughtKey) && at(t, next) == "to" && next+1 < len(t) && t[next+1].verb:
			g.mood = max(g.mood, must)
			g.verb = t[next+1].lem
			next += 2
		case g.verb == "get" && next < len(t) && t[next].past && t[next].verb:
			g.part, g.got, g.verb, g.tense = t[next].lem, true, "be", present
			next++
		case g.verb == takeKey && at(t, next) == "place":
			g.verb = "happen"
			next++
		case hedgeVerbs[g.verb] && (at(t, next) == "to" || next < len(t) && t[next].ing || at(t, next) == "about" || at(t, next) == "of"):
			g.hedged = true
		}
		g.end = next
		return g.done()
	}
	g.end = i
	return g.done()
}

var decideKey = lemma("decide")

var idle = lemmas("wait help believe imagine complain thank emphasize recommend overstate")

func (g group) done() group {
	if g.could && (idle[g.verb] || g.be || g.verb == "agree" || g.verb == "care") {
		g.mood = aside // "couldn't agree more"
	}
	if g.mood == can && g.neg {
		switch {
		case idle[g.verb]: // "can't wait", "can't help but"
			g.mood = aside
		case g.verb == "stand" || g.verb == "bear":
			g.verb, g.mood, g.neg = "hat", fact, false
		}
	}
	if g.be && (g.verb == "" || g.verb == "-") {
		g.verb = "be"
	}
	if g.verb == "-" {
		g.verb = ""
	}
	return g
}

func at(t []token, i int) string {
	if i < 0 || i >= len(t) {
		return ""
	}
	return t[i].low
}

func afterAdverbs(t []token, i int) int {
	for i < len(t) && (t[i].is(adverb) || strings.HasSuffix(t[i].low, "ly") && !t[i].verb) {
		i++
	}
	return i
}

func participle(t token) bool {
	return verbs[t.lem] && (t.past || t.low == "put" || t.low == "set" || t.low == "cut" || t.low == "read" || t.low == "quit" || t.low == "become" || t.low == "come" || t.low == "run") || t.low == "been"
}
