package extract

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// Text reads one text: what it names, what it states, what kind of memory it is and
// how much it matters. It never fails; a text that says nothing it can read is an
// EPISODIC one of low salience without entities.
func Text(text string, h Hints) Result {
	all := sentences(text)
	said := statements(text, all, h)
	r := Result{Entities: names(all, h), Statement: mainOf(said)}
	r.Type = typeOf(all, said)
	r.Salience = salience(all, said, len(r.Entities))
	return r
}

// typeOf chooses the type of a text: rules and instructions are PROCEDURAL, a statement
// or a preference that the text is about is SEMANTIC, everything else happened.
func typeOf(all []sentence, said []Statement) graph.Type {
	switch {
	case procedural(all):
		return graph.Procedural
	case len(said) > 0 && len(all) <= 3:
		if len(all) > 1 && !mainOf(said).Functional && narrates(all[0]) {
			return graph.Episodic
		}
		return graph.Semantic
	}
	return graph.Episodic
}

// narrates reports a sentence that tells of something that happened.
func narrates(s sentence) bool {
	return slices.ContainsFunc(s.words, func(w word) bool {
		return pastTense[w.low] || timeWords[w.low] && w.low != "now" || w.low == "last" || w.low == "ago"
	})
}

var pastTense = english.WordSet("went was were did had came saw met bought took made got gave found told said left felt ran visited happened arrived finished started")

var (
	imperatives = english.WordSet("run use check make ensure open close click press install set add remove restart keep avoid write read turn put call ask send wait stop start remember never always deploy build test back copy rotate bring take measure clean store lock switch hold pull push lift tie log report rinse dry wear stay")
	howTo       = []string{"how to", "make sure", "be sure to", "step 1", "step one", "in order to", "the procedure", "the rule is", "as a rule", "rule of thumb", "whenever", "the steps are", "here is how", "here's how"}
)

// procedural recognises rules and instructions: an imperative with "always" or "never",
// a step list, "to X, do Y", "when X, do Y", "before you X, Y".
func procedural(all []sentence) bool {
	for i, s := range all {
		if s.question || len(s.words) < 3 || i > 4 {
			continue
		}
		line := plainLine(s.words)
		for _, cue := range howTo {
			if strings.HasPrefix(line, cue+" ") || strings.Contains(line, ", "+cue+" ") {
				return true
			}
		}
		ws := s.words
		if ruled(ws) {
			return true
		}
		for k := range ws[:len(ws)-2] {
			if ws[k].after == ':' && k < 3 {
				ws = ws[k+1:] // IMPORTANT: never share it
				break
			}
		}
		if len(ws) < 2 {
			continue
		}
		first, second := ws[0].low, ws[1].low
		switch {
		case (first == "always" || first == "never") && !isPronoun(second) && (imperatives[second] || verbForm(second)):
			return true
		case first == "to" && len(all) <= 4 && followedByImperative(ws):
			return true
		case (first == "when" || first == "before" || first == "after" || first == "if" || first == "once") && followedByImperative(ws):
			return true
		case (first == "first" || first == "then" || first == "finally" || isNumber(first) && ws[0].after == '.') && imperatives[second]:
			return true
		case obliges(ws):
			return true
		case first == "don't" && !mild[second] && len(ws) > 3, first == "do" && second == "not" && len(ws) > 4 && !mild[ws[2].low]:
			return true
		case imperatives[first] && !mild[second] && s.words[0].first && guarded(ws):
			return true
		}
	}
	return false
}

var (
	mild     = english.WordSet("forget worry know think want mind understand like have get need see feel remember believe care even you i")
	ruleWord = english.WordSet("rule rules procedure checklist policy protocol steps recipe")
)

// ruled reports a heading that announces a rule ("New rule for spending: …").
func ruled(ws []word) bool {
	for i := 0; i < len(ws)-2 && i < 6; i++ {
		if ws[i].after == ':' {
			return slices.ContainsFunc(ws[:i+1], func(w word) bool { return ruleWord[w.low] })
		}
	}
	return false
}

// guarded reports a command that says when it holds.
func guarded(ws []word) bool {
	return slices.ContainsFunc(ws[2:], func(w word) bool {
		switch w.low {
		case "always", "never", "before", "until", "unless", "whenever", "every", "each":
			return true
		}
		return false
	})
}

func isPronoun(low string) bool { _, ok := english.PronounOf(low); return ok }

// verbForm guesses that a word is a plain verb: it has none of the endings of others.
func verbForm(low string) bool {
	return !plain[low] || imperatives[low] || len(verbs[low]) > 0
}

// followedByImperative finds a verb of command behind the comma that ends the first
// clause.
func followedByImperative(ws []word) bool {
	for i := 1; i+1 < len(ws); i++ {
		if ws[i].after == ',' || ws[i].after == ':' {
			next := ws[i+1].low
			return imperatives[next] && !isPronoun(next)
		}
	}
	return false
}

// obliges reads "X must always be Y", "we always X before Y", "nobody may Z".
func obliges(ws []word) bool {
	for i := 1; i+1 < len(ws); i++ {
		switch ws[i].low {
		case "must":
			return ws[i+1].low != "have" && ws[0].low != "i" && ws[0].low != "it" && ws[0].low != "he" && ws[0].low != "she"
		case "always", "never":
			if ws[i-1].low == "should" || ws[i-1].low == "must" {
				return true
			}
		}
	}
	return false
}

// plainLine is a sentence in lower case with its commas.
func plainLine(ws []word) string {
	var b strings.Builder
	for _, w := range ws {
		b.WriteString(w.low)
		if w.after == ',' {
			b.WriteByte(',')
		}
		b.WriteByte(' ')
	}
	return b.String()
}
