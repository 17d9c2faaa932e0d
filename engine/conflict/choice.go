package conflict

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

// choice is a preference of one thing over another, in any wording: "would rather fly than take
// the train", "trains suit her more than planes".
type choice struct {
	who                 string
	preferred, rejected []string // lemmas; rejected is empty if it is not named
	switched            bool     // "switched to": chosen, not necessarily preferred
}

// choiceWords are words that express a choice.
var choiceWords = english.WordSet("rather sooner better more over beats suits prefer prefers favour favours favor favors switched changed converted")

// likingVerbs are verbs before "better than" and "more than".
var likingVerbs = lemmas("like love enjoy fancy care appreciate")

// pickingVerbs are verbs of choosing one thing over another.
var pickingVerbs = lemmas("choose pick take favour favor select go")

// travelNouns maps ways to travel and to communicate to one noun each.
var travelNouns = keysOfWords("travelNouns")

// choices reads a preference of one thing over another.
func (p *parser) choices(t []token) (c choice, ok bool) {
	for i, x := range t {
		if !x.is(choiceWord) || i == 0 {
			continue
		}
		switch x.low {
		case "rather", "sooner":
			if !(t[i-1].low == "would" || t[i-1].low == "'d" || t[i-1].low == "much" && i > 1 && (t[i-2].low == "would" || t[i-2].low == "'d")) {
				continue
			}
			return p.choiceAround(t[:i-1], t[i+1:], "than")
		case "better", "more":
			if lowAt(t, i+1) != "than" {
				continue
			}
			for j := 1; j < i; j++ {
				switch {
				case likingVerbs[t[j].lem] && t[j].verb:
					return p.choiceAround(t[:j], slices.Concat(t[j+1:i], t[i+1:]), "than")
				case t[j].low == "suits" || t[j].low == "suit":
					who := t[j+1 : i]
					return p.choice(who, t[:j], t[i+2:])
				}
			}
		case "over":
			for j := 1; j < i; j++ {
				if pickingVerbs[t[j].lem] && (t[j].verb || t[j-1].is(modal)) && i-j > 1 {
					return p.choiceAround(t[:j], t[j+1:], "over")
				}
			}
		case "beats":
			me := slices.IndexFunc(t, func(x token) bool { return x.low == "me" })
			if end := slices.IndexFunc(t, func(x token) bool { return x.low == "for" }); end > i && me > end {
				return p.choice(t[me:me+1], t[:i], t[i+1:end])
			}
		case "prefer", "prefers", "favour", "favours", "favor", "favors":
			return p.choiceAround(t[:i], t[i+1:], "over", "to", "than")
		default: // switched to
			for j := i + 1; j < len(t) && j < i+3; j++ {
				if t[j].low == "to" {
					c, ok := p.choice(t[:i], t[j+1:], nil)
					c.switched = true
					return c, ok
				}
			}
		}
	}
	return choice{}, false
}

// choiceAround reads a choice whose two options are separated by one of the words after.
func (p *parser) choiceAround(who, t []token, after ...string) (choice, bool) {
	for i, x := range t {
		if i > 0 && slices.Contains(after, x.low) {
			return p.choice(who, t[:i], t[i+1:])
		}
	}
	return p.choice(who, t, nil)
}

// choice makes a choice of its parts; ok is false if the person or the preferred option is
// missing.
func (p *parser) choice(who, good, bad []token) (choice, bool) {
	var c choice
	for _, x := range who {
		switch k := pronoun(x.low); {
		case x.is(doubtWord) && x.low != "would":
			return c, false
		case k == "@i" || k == "@we" || x.low == "user":
			k = p.selfKey()
			c.who = k
		case k != "":
			return c, false
		case x.is(stopWord), x.is(adverb), x.punctuation, x.low == "far":
		case x.upper || x.first:
			c.who = x.lem
		default:
			return c, false
		}
	}
	c.preferred, c.rejected = optionWords(good), optionWords(bad)
	return c, c.who != "" && len(c.preferred) > 0
}

// optionWords returns the lemmas that distinguish an option.
func optionWords(t []token) (out []string) {
	for i, x := range t {
		if x.punctuation || i > 0 && (x.is(clauseEndWord) || x.low == "for" || x.low == "when" || x.low == "if" || x.low == "in" && (lowAt(t, i+1) == "every" || lowAt(t, i+1) == "all")) {
			break
		}
		if x.is(stopWord|adverb) || optionVerbs[x.lem] || x.low == "far" || x.low == "time" || x.low == "everywhere" {
			continue
		}
		w := x.lem
		if m, ok := travelNouns[w]; ok {
			w = m
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// optionVerbs do not distinguish an option.
var optionVerbs = lemmas("go take get have do use travel be")

// compareChoices compares two choices.
func compareChoices(x, y *choice) Result {
	if sameWho(x.who, y.who) && !(x.switched && y.switched) && (x.opposes(y) || y.opposes(x) || x.otherKind(y)) {
		return Result{scoreSlot, KindObject}
	}
	return Result{}
}

// opposes reports that o rejects what c prefers.
func (c *choice) opposes(o *choice) bool {
	if c.switched || o.switched || !overlap(c.preferred, o.rejected) || overlap(c.preferred, o.preferred) {
		return false
	}
	return len(c.rejected) == 0 && isSubset(c.preferred, o.rejected) || overlap(c.rejected, o.preferred)
}

// otherKind reports two kinds of one thing: dark mode, light mode.
func (c *choice) otherKind(o *choice) bool {
	if len(c.preferred) == 0 || len(o.preferred) == 0 || len(c.preferred) > 2 || len(c.preferred) != len(o.preferred) || len(c.rejected)+len(o.rejected) > 0 {
		return false
	}
	n := len(c.preferred) - 1
	x, y := c.preferred[0], o.preferred[0]
	return (n == 0 || c.preferred[n] == o.preferred[n]) && (areOpposed(x, y) || sameKind(x, y))
}

func overlap(x, y []string) bool {
	return slices.ContainsFunc(x, func(w string) bool { return slices.Contains(y, w) })
}
