package conflict

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// verbGroup is a verb group: auxiliaries, negation, adverbs and the main verb.
type verbGroup struct {
	verb        string
	participle  string // the participle after "be" or "get"
	be          bool
	progressive bool
	negated     bool
	never       bool
	ended       bool
	hedged      bool
	could       bool // "could not"
	frequency   int8
	tense       tense
	modality    modality
	end         int // index of the first token after it
}

var (
	rareWords  = english.WordSet("rarely seldom hardly barely scarcely")
	oftenWords = english.WordSet("always often frequently constantly regularly usually daily")
	// emphaticAfterNot are words after a "not" that negates nothing: "not only", "not sure", "not
	// bad".
	emphaticAfterNot = english.WordSet("only just merely simply sure certain bad necessarily uncommon unusual everyone everything all every quite that exactly too so entirely mention")
	stopVerbs        = lemmas("stop quit cease")
	startVerbs       = lemmas("start begin keep continue resume")
	failVerbs        = lemmas("fail refuse forget neglect decline")
	hedgeVerbs       = lemmas("want plan hope intend wish aim try consider think dream imagine pretend promise expect need wonder suggest recommend propose")
	opinionVerbs     = lemmas("think believe know guess suppose feel confirm realize say mention hear find remember claim insist argue announce tell doubt wonder assume imagine pretend dream suspect note notice understand admit")
	deniedOpinions   = lemmas("think believe suppose feel guess")
)

// readVerbGroup reads the verb group that begins at v.
func readVerbGroup(t []token, v int) verbGroup {
	var g verbGroup
	i := v
	aux := func() bool { return i > v }
	for ; i < len(t); i++ {
		x := t[i]
		switch {
		case x.punctuation || x.used:
			return g.finish(i)
		case x.low == "not" || x.low == "never":
			if next := lowAt(t, i+1); x.low == "not" && emphaticAfterNot[next] {
				if next == "sure" || next == "certain" || next == "necessarily" || next == "everyone" || next == "all" || next == "every" || next == "entirely" || next == "exactly" || next == "always" {
					g.modality = notAsserted
				}
				i++
				continue
			}
			g.negated = !g.negated
			g.never = g.never || x.low == "never"
			continue
		case x.low == "no" && lowAt(t, i+1) == "longer":
			g.negated, g.ended = true, true
			i++
			continue
		case rareWords[x.low]:
			g.frequency = -1
			continue
		case oftenWords[x.low] && !(g.be && x.low == "daily"):
			g.frequency = 1
			continue
		case x.low == "once" || x.low == "formerly" || x.low == "previously" || x.low == "originally":
			if x.low != "once" || i+1 < len(t) && t[i+1].finite {
				g.tense = past
				continue
			}
			return g.finish(i)
		case x.low == "probably" || x.low == "maybe" || x.low == "perhaps" || x.low == "almost" || x.low == "nearly":
			if x.low != "probably" {
				g.modality = notAsserted
			}
			continue
		case x.low == "used" && lowAt(t, i+1) == "to" && !g.be:
			g.tense = past
			g.verb = "-"
			i++
			continue
		case x.is(formOfBe):
			if g.verb != "" && g.verb != "-" {
				return g.finish(i)
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
				g.verb, g.progressive = "hav", true
				return g.finish(i + 1)
			}
			if lowAt(t, i+1) == "to" && i+2 < len(t) {
				g.modality = obligation
				if x.low == "had" {
					g.tense = past
				}
				i++
				continue
			}
			if p := afterAdverbs(t, i+1); p < len(t) && isParticiple(t[p]) && !(nounish[t[p].lem] && !t[p].past) {
				g.tense = perfect
				if x.low == "had" {
					g.tense = past
				}
				continue
			}
			if x.low == "had" && g.tense != perfect {
				g.tense = past
			}
			g.verb = "have"
			return g.finish(i + 1)
		case x.is(formOfDo):
			if p := afterAdverbs(t, i+1); p < len(t) && (t[p].verb || t[p].is(formOfHave) || t[p].is(formOfBe)) && isBaseForm(t[p]) {
				if x.low == "did" {
					g.tense = past
				}
				continue
			}
			if x.low == "did" {
				g.tense = past
			}
			g.verb = "do"
			return g.finish(i + 1)
		case x.is(modal):
			switch x.low {
			case "will", "shall":
				g.tense = future
			case "can":
				g.modality = max(g.modality, ability)
			case "could":
				if lowAt(t, i+1) != "not" {
					g.modality = notAsserted
				}
				g.could, g.tense = true, past
			case "should", "must":
				g.modality = max(g.modality, obligation)
			default:
				g.modality = notAsserted
			}
			continue
		case g.be && x.low == "going" && lowAt(t, i+1) == "to" && i+2 < len(t) && t[i+2].verb && isBaseForm(t[i+2]) && !determiners[lowAt(t, i+2)]:
			g.tense, g.be = future, false
			i++
			continue
		case g.be && (x.low == "able" || x.low == "unable") && lowAt(t, i+1) == "to":
			g.modality = max(g.modality, ability)
			g.negated = g.negated != (x.low == "unable")
			g.be = false
			i++
			continue
		case g.be && (x.low == "supposed" || x.low == "required" || x.low == "obliged") && lowAt(t, i+1) == "to":
			g.modality, g.be = max(g.modality, obligation), false
			i++
			continue
		case g.be && x.ing && x.verb:
			g.progressive, g.be, g.verb = true, false, x.lem
		case g.be && x.past && x.verb:
			g.participle, g.verb = x.lem, "be"
			if x.lem == "call" && lowAt(t, i+1) == "off" {
				g.participle = "cancel"
				return g.finish(i + 2)
			}
			return g.finish(i + 1)
		case x.is(adverb) && x.low != "so" && x.low != "both" && x.low != "all" || strings.HasSuffix(x.low, "ly") && len(x.low) > 4 && !x.verb && (x.low != "early" && x.low != "friendly" && x.low != "lonely" && x.low != "family" && x.low != "weekly" && x.low != "monthly" && x.low != "italy"):
			if g.verb != "" && g.verb != "-" {
				return g.finish(i)
			}
			if g.be && lowAt(t, i+1) == "" && !x.is(adverb) {
				return g.finish(i)
			}
			continue
		case g.be:
			return g.finish(i)
		case x.verb && (!x.upper || i == v):
			if x.past && g.tense == present && !aux() {
				g.tense = past
			}
			g.verb = x.lem
			if x.ing {
				g.progressive = true
			}
		default:
			return g.finish(i)
		}
		if g.progressive && !g.be && i == v && g.tense == past {
			g.tense = present
		}
		end := g.govern(t, i+1)
		return g.finish(end)
	}
	return g.finish(i)
}

// govern reads the verb that the main verb governs: "stopped smoking", "need to leave". next is the
// index after the main verb. It returns the index after the verb group.
func (g *verbGroup) govern(t []token, next int) int {
	gerund := next < len(t) && t[next].ing && t[next].verb
	infinitive := lowAt(t, next) == "to" && next+1 < len(t) && t[next+1].verb
	take := func(n int) { // the last of the next n tokens is the verb
		next += n
		g.verb = t[next-1].lem
	}
	switch {
	case g.verb == giveKey && lowAt(t, next) == "up" && next+1 < len(t) && t[next+1].ing && t[next+1].verb:
		g.negated, g.ended, g.tense = !g.negated, true, present
		take(2)
	case stopVerbs[g.verb] && gerund:
		g.negated, g.ended, g.tense = !g.negated, true, present
		take(1)
	case startVerbs[g.verb] && gerund:
		g.tense = present
		take(1)
	case (startVerbs[g.verb] || g.verb == "tend" || g.verb == manageKey || g.verb == "happen") && infinitive && isBaseForm(t[next+1]):
		take(2)
	case g.verb == decideKey && (lowAt(t, next) == "to" || lowAt(t, next) == "not" && lowAt(t, next+1) == "to"):
		if lowAt(t, next) == "not" {
			g.negated = !g.negated
			next++
		}
		if next+1 < len(t) && t[next+1].verb {
			take(2)
			if endingVerbs[g.verb] == nil && g.tense != future {
				g.tense = present
			}
		}
	case failVerbs[g.verb] && infinitive:
		g.negated = !g.negated
		take(2)
	case (g.verb == "need" || g.verb == "ought") && infinitive:
		g.modality = max(g.modality, obligation)
		take(2)
	case g.verb == "get" && next < len(t) && t[next].past && t[next].verb:
		g.participle, g.verb, g.tense = t[next].lem, "be", present
		next++
	case g.verb == takeKey && lowAt(t, next) == "place":
		g.verb = "happen"
		next++
	case hedgeVerbs[g.verb] && (lowAt(t, next) == "to" || next < len(t) && t[next].ing || lowAt(t, next) == "about" || lowAt(t, next) == "of"):
		g.hedged = true
	}
	return next
}

var idiomVerbs = lemmas("wait help believe imagine complain thank emphasize recommend overstate")

// finish completes a verb group that ends before the token at end.
func (g verbGroup) finish(end int) verbGroup {
	g.end = end
	if g.could && (idiomVerbs[g.verb] || g.be || g.verb == "agree" || g.verb == "care") {
		g.modality = notAsserted // "couldn't agree more"
	}
	if g.modality == ability && g.negated {
		switch {
		case idiomVerbs[g.verb]: // "can't wait", "can't help but"
			g.modality = notAsserted
		case g.verb == "stand" || g.verb == "bear":
			g.verb, g.modality, g.negated = "hat", asserted, false
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

func lowAt(t []token, i int) string {
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

func isParticiple(t token) bool {
	return verbs[t.lem] && (t.past || t.low == "put" || t.low == "set" || t.low == "cut" || t.low == "read" || t.low == "quit" || t.low == "become" || t.low == "come" || t.low == "run") || t.low == "been"
}
