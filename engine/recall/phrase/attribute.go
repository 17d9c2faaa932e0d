package phrase

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/internal/english"
)

// owners are words before what a question asks for.
var owners = english.WordSet("my our his her their the")

// Attribute is what a question asks for in two words or more: "my favourite film", "the name of my accountant".
type Attribute struct {
	words []string // before the head: "favourite"
	head  string   // "film"
	of    string   // "accountant"; empty: the question does not say
	done  string   // what was done to it: "installed"; empty: no event is asked for
	apart bool     // the attribute does not stand before its thing: "what is my cat called"
}

// AttributeOf reads a question; ok is false if it asks for something else, or in one word, which is often said in other words ("What is my job?").
func AttributeOf(question string) (a Attribute, ok bool) {
	words := Words(question)
	if a, ok = ofThing(words); ok {
		return a, true
	}
	if len(words) > 1 && words[0] == "what" && (words[1] == "is" || words[1] == "are" || words[1] == "was") {
		words = slices.Delete(words, 1, 2)
	}
	if len(words) < 3 || words[0] != "what" || !owners[words[1]] {
		return a, false
	}
	words = words[2:]
	end := contentWords(words)
	if end == 0 {
		return a, false
	}
	a.words, a.head = words[:end-1], words[end-1]
	if rest := words[end:]; len(rest) > 0 && rest[0] == "of" {
		if rest = rest[1:]; len(rest) > 0 && owners[rest[0]] {
			rest = rest[1:]
		}
		n := contentWords(rest)
		if n == 0 {
			return a, false
		}
		a.of = rest[n-1]
	}
	return a, len(a.words) > 0 || a.of != ""
}

// ofThing reads a question for an attribute that stands apart from its thing: "what colour are my eyes", "what is my cat called", "when
// was the boiler installed".
func ofThing(words []string) (a Attribute, ok bool) {
	if len(words) < 4 {
		return a, false
	}
	last := words[len(words)-1]
	switch first := words[0]; {
	case first == "what" && last == "called": // "what's" is one word
		if words = words[1 : len(words)-1]; isBe(words[0]) {
			words = words[1:]
		}
		a.head = "name"
	case (first == "when" || first == "where") && (words[1] == "was" || words[1] == "were") && participle(last):
		a.done, words = last, words[2:len(words)-1]
		for len(words) > 1 && timeAdverbs[words[len(words)-1]] { // "when was the roof last repaired?"
			words = words[:len(words)-1]
		}
	case (first == "what" || first == "which") && isBe(words[2]) && !english.StopWord(words[1]):
		a.head, words = words[1], words[3:]
	default:
		return a, false
	}
	if len(words) < 2 || !owners[words[0]] || contentWords(words[1:]) != len(words)-1 {
		return a, false
	}
	a.of, a.apart = words[len(words)-1], true
	return a, true
}

// timeAdverbs stand between a thing and what was done to it.
var timeAdverbs = english.WordSet("last first finally originally initially most recently ever actually")

func isBe(w string) bool { return w == "is" || w == "are" || w == "was" || w == "were" }

func participle(w string) bool {
	return english.IrregularPast(w) || strings.HasSuffix(w, "ed") && !english.BaseInEd(w)
}

// contentWords returns how many words come before the first function word.
func contentWords(words []string) int {
	if n := slices.IndexFunc(words, english.StopWord); n >= 0 {
		return n
	}
	return len(words)
}

// Other reports that a text that has words of the question is about something else: it does not say whose attribute is asked for, or it
// has a word of the question directly before another noun than the one asked for ("my favourite colour"), but not one with the same meaning
// there ("blood group", asked as "blood type"). Who does something is said by what is done: "teaches" says "teacher".
func (a *Attribute) Other(text string) bool {
	words := Words(text)
	switch {
	case a.done != "" && !says(words, a.done) && !says(words, english.Lemma(a.done)):
		return true
	case a.apart && slices.ContainsFunc(words, a.oneKind):
		return false
	case a.of != "":
		return !says(words, a.of) && !slices.ContainsFunc(words, func(w string) bool { return makesRole(w, a.of) })
	case says(words, a.head):
		return false
	}
	for i, w := range words[:max(0, len(words)-1)] {
		if next := words[i+1]; slices.ContainsFunc(a.words, func(m string) bool { return english.Stem(m) == english.Stem(w) }) && !english.StopWord(next) && !slices.Contains(a.words, next) && !oneGroup(w, next, a.head) {
			return true
		}
	}
	return false
}

// oneKind reports whether a word is in the narrow group of the lexicon that has the name of the thing asked about: "greyhound" is a dog.
func (a *Attribute) oneKind(w string) bool {
	return !participle(w) && w != a.head && slices.ContainsFunc(narrowGroups(w), func(g uint16) bool {
		return slices.Contains(narrowGroups(a.of), g) && english.Stem(lexicon.NameOf(g)) == english.Stem(a.of)
	})
}

// OtherThing reports whether a text that states an attribute of the kind asked for states that of another thing: what the dog is called,
// where the question is about the cat.
func (a *Attribute) OtherThing(text string) bool {
	thing := *a
	thing.done = "" // what was done to it may be said in other words: a birthday says when somebody was born
	return a.apart && thing.Other(text)
}

// oneGroup reports whether the words of two attributes, "blood group" and "blood type", are in one narrow group of the lexicon, which
// makes the two nouns names of one thing.
func oneGroup(modifier, noun, other string) bool {
	return slices.ContainsFunc(narrowGroups(modifier), func(g uint16) bool {
		return slices.Contains(narrowGroups(noun), g) && slices.Contains(narrowGroups(other), g)
	})
}

// says reports whether words have a word in any form, or one that is related to it.
func says(words []string, word string) bool {
	related := lexicon.Related(word)
	return slices.ContainsFunc(words, func(w string) bool {
		return english.Stem(w) == english.Stem(word) || slices.Contains(related, w) || slices.Contains(related, english.Lemma(w))
	})
}
