package request

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// artefacts are what an assistant makes again and again, besides the parts of an answer.
var artefacts = lemmas(`email mail message invoice letter commit branch test function variable class file comment document report date price time number amount unit
	name measurement temperature distance code script query migration error log diff patch request issue ticket spec estimate update translation draft post caption note
	identifier constant import type config docs documentation changelog newsletter tab space indentation whitespace quote notation spelling
	endpoint schema module component method command log dependency tool library framework thing output`)

// Artefact reports a word for what an assistant makes again and again: "emails", "commit messages", "code". A thing that can be counted
// is meant in general in the plural only.
func Artefact(low string) bool {
	one := english.Singular(low)
	return (artefacts[english.Lemma(one)] || parts[english.Lemma(one)]) && (one != low || massNouns[low])
}

var massNouns = english.WordSet("code documentation docs spelling indentation whitespace output markdown jargon slang prose mail email")

// verbs are those of requests about a manner, and bases the same by their lemmas.
var verbs, bases = func() (map[string]bool, map[string]string) {
	all, byLemma := map[string]bool{}, map[string]string{}
	for _, set := range []map[string]bool{speechVerbs, formVerbs, layoutVerbs, frameVerbs, boundVerbs, omitVerbs, asksFirst, english.WordSet("use keep be stop quit call address refer stick leave apologise apologize avoid make think")} {
		for v := range set {
			all[v], byLemma[english.Lemma(v)] = true, v
		}
	}
	return all, byLemma
}()

// Base returns the base form of a verb among those of a set, and the word itself if the set has none.
func Base(low string, among map[string]bool) string {
	if among[low] {
		return low
	}
	for _, suffix := range []string{"ing", "ed", "d"} {
		stem, ok := strings.CutSuffix(low, suffix)
		for _, v := range []string{stem, stem + "e", english.Undouble(stem)} {
			if ok && among[v] {
				return v
			}
		}
	}
	return low
}

// Based returns words that begin with a verb with that verb in its base form: "used bullet points", "not using jargon".
func Based(w []Word) []Word {
	out := slices.Clone(w)
	if len(out) == 0 {
		return out
	}
	if out[0].Low = Base(out[0].Low, verbs); !verbs[out[0].Low] && bases[english.Lemma(out[0].Low)] != "" {
		out[0].Low = bases[english.Lemma(out[0].Low)]
	}
	return out
}

// Asked reports whether what is asked for in a frame, as with "I'd like you to", is about the manner of all that the reader
// does. once: the frame is mostly one of requests for once ("can you").
func Asked(w []Word, once bool) bool {
	if once && len(w) > 0 && momentaryEnd(w) {
		return false
	}
	w = firstClause(w)
	if len(w) > 1 && w[0].Low == "avoid" && !particular(w) {
		return wayOrPart(w[1:])
	}
	if len(w) < 2 || !Lasting(w) {
		return false
	}
	verb, rest := w[0].Low, w[1:]
	switch {
	case verb == "use", formVerbs[verb], omitVerbs[verb]:
		return wayOrPart(rest)
	case verb == "leave", verb == "stick":
		return len(rest) > 1 && wayOrPart(rest[1:])
	case verb == "be":
		return !slices.ContainsFunc(rest, func(x Word) bool { return !degrees[x.Low] && !styleWords[x.Low] && x.Low != "with" && x.Low != "me" }) &&
			!(once && slices.ContainsFunc(rest, func(x Word) bool {
				return x.Low == "specific" || x.Low == "precise" || x.Low == "clear" || x.Low == "explicit"
			}))
	case verb == "call", verb == "keep", verb == "stop", verb == "quit", verb == "address", verb == "refer", asksFirst[verb]:
		return verb != "keep" || wayOrPart(rest)
	case speechVerbs[verb]:
		if direct := toMe(rest); inManner(direct) {
			return !once || verb != "explain" && verb != "express" && verb != "phrase" && verb != "word"
		}
	}
	n := general(rest)
	return n > 0 && slices.ContainsFunc(rest[:n], func(x Word) bool { return Artefact(x.Low) })
}

// wayOrPart reports a manner or a part of answers among the words of an object.
func wayOrPart(w []Word) bool {
	n := general(w)
	return n > 0 && (ofStyle(w, n) || plural(w) && slices.ContainsFunc(w[:n], isPart) || slices.ContainsFunc(w[:n], func(x Word) bool { return Artefact(x.Low) }))
}

// Styled reports a word for what answers may be like: "short", "detailed".
func Styled(low string) bool { return styleWords[low] || low == "long" }

// Ways reports a verb of the manner of answering with its object: "apologise", "repeat my question", "add disclaimers".
func Ways(w []Word) bool {
	if len(w) == 0 || momentaryEnd(w) {
		return false
	}
	verb := english.Lemma(w[0].Low)
	switch {
	case mannerVerbs[verb] && !mouthVerbs[verb]:
		return true
	case shaperVerbs[verb] && len(w) == 2 && w[1].Low == "yourself":
		return true
	case shaperVerbs[verb], mouthVerbs[verb]:
		return slices.ContainsFunc(object(w[1:]), isPart) && !(len(w) > 1 && (w[1].Low == "the" || pointing[w[1].Low]))
	case w[0].Low == "be":
		return len(w) > 1 && inStyle(w[1:]) && !particular(w[1:])
	}
	return false
}

var (
	mannerVerbs, shaperVerbs = lemmasOf(manners), lemmasOf(shapers)
	// mouthVerbs are verbs of manner that are mostly about one occasion.
	mouthVerbs = lemmas("talk speak say answer reply respond explain address word phrase joke shout thank greet guess assume curse swear nag")
)

// Mouths reports a verb of saying or writing: "answer", "speak".
func Mouths(low string) bool { return mouthVerbs[english.Lemma(low)] || speechVerbs[low] }

func lemmasOf(set map[string]bool) map[string]bool {
	out := map[string]bool{}
	for w := range set {
		out[english.Lemma(w)] = true
	}
	return out
}

var measures = lemmas("date time price number amount unit measurement temperature distance weight height length speed name currency")

// Measures reports in which unit or notation things of a kind are to be given: "give temperatures in Celsius".
func Measures(w []Word) bool {
	if len(w) < 4 || !layoutVerbs[w[0].Low] {
		return false
	}
	n := general(w[1:])
	return n > 0 && n+2 < len(w) && measures[english.Lemma(english.Singular(w[n].Low))] && english.Singular(w[n].Low) != w[n].Low && (w[n+1].Low == "in" || w[n+1].Low == "as") && inManner(w[n+1:])
}

// InWay reports things of a kind and the manner in which they are wanted: "invoices in Dutch", "my answers short".
func InWay(w []Word) bool {
	w = firstClause(w)
	if len(w) > 0 && (w[0].Low == "my" || w[0].Low == "your") {
		w = w[1:]
	}
	n := 0
	for n < len(w) && !w[n].Preposition && !manner[w[n].Low] && !styleWords[w[n].Low] && w[n].Low != "to" {
		n++
	}
	if n == 0 || n > 3 || n == len(w) || w[0].Determiner || english.StopWord(w[0].Low) || !Artefact(w[n-1].Low) || particular(w[n:]) {
		return false
	}
	return inManner(w[n:]) && w[n].Low != "with" || inStyle(w[n:]) || bounds(w[n:])
}
