package extract

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
	"github.com/somnograph/somnograph/internal/english/pasted"
)

// Text reads the entities, the main statement, the type and the salience of a text. It never
// fails: a text in which it finds nothing is EPISODIC, of low salience and without entities.
func Text(text string, h Hints) Result {
	all := sentences(text)
	r := Result{Entities: entitiesOf(all, h)}
	stated := all
	if own := pasted.Own(text); own != text {
		stated = sentences(own) // what is pasted states nothing, and is no rule
	}
	said := statements(text, stated, h)
	r.Statement = mainStatement(said)
	r.Type = typeOf(stated, said, h)
	r.Salience = salience(all, said, len(r.Entities))
	return r
}

// typeOf chooses the type of a text: PROCEDURAL for rules and instructions, SEMANTIC for a text
// about a statement or a preference, otherwise EPISODIC.
func typeOf(all []Sentence, said []Statement, h Hints) graph.Type {
	switch {
	case !h.NoRules && isProcedural(all):
		return graph.Procedural
	case len(said) > 0 && len(all) <= 3:
		if len(all) > 1 && !mainStatement(said).Functional && tellsEvent(all[0]) {
			return graph.Episodic
		}
		if momentary(all, mainStatement(said)) {
			return graph.Episodic
		}
		return graph.Semantic
	case lasting(all):
		return graph.Semantic
	}
	return graph.Episodic
}

// tellsEvent reports a sentence about an event of the past.
func tellsEvent(s Sentence) bool {
	return slices.ContainsFunc(s.Words, func(w Word) bool {
		return pastTense[w.Low] || timeWords[w.Low] && w.Low != "now" || w.Low == "last" || w.Low == "ago"
	})
}

var pastTense = english.WordSet("went was were did had came saw met bought took made got gave found told said left felt ran visited happened arrived finished started")

var (
	imperatives = wordLists.Set("imperatives")
	ruleCues    = []string{"how to", "make sure", "be sure to", "step 1", "step one", "in order to", "the procedure", "the rule is", "as a rule", "rule of thumb", "whenever", "the steps are", "here is how", "here's how"}
)

// isProcedural recognises rules and instructions: an imperative with "always" or "never", a list
// of steps, "to X, do Y", "when X, do Y", "before you X, Y".
func isProcedural(all []Sentence) bool {
	for i, s := range all {
		if s.Question || len(s.Words) < 3 || i > 4 || inverted(s.Words) || inWork(s.Words) {
			continue
		}
		line := lowerLine(s.Words)
		for _, cue := range ruleCues {
			if strings.HasPrefix(line, cue+" ") || strings.Contains(line, ", "+cue+" ") {
				return true
			}
		}
		ws := s.Words
		if announcesRule(ws) {
			return true
		}
		for k := range ws[:len(ws)-2] {
			if ws[k].SignAfter == ':' && k < 3 {
				ws = ws[k+1:] // IMPORTANT: never share it
				break
			}
		}
		if len(ws) < 2 {
			continue
		}
		first, second := ws[0].Low, ws[1].Low
		switch {
		case (first == "always" || first == "never") && !isPronoun(second) && (imperatives[second] || isVerbForm(second)):
			return true
		case first == "to" && len(all) <= 4 && followedByImperative(ws):
			return true
		case (first == "when" || first == "before" || first == "after" || first == "if" || first == "once") && followedByImperative(ws):
			return true
		case (first == "first" || first == "then" || first == "finally" || isNumber(first) && ws[0].SignAfter == '.') && imperatives[second]:
			return true
		case statesRule(ws):
			return true
		case first == "don't" && !notCommands[second] && len(ws) > 3, first == "do" && second == "not" && len(ws) > 4 && !notCommands[ws[2].Low]:
			return true
		case imperatives[first] && !notCommands[second] && s.Words[0].first && saysWhen(ws):
			return true
		}
	}
	return false
}

// inverted reports a statement with its verb before its subject: "never have I been so tired".
func inverted(ws []Word) bool {
	return ws[0].Low == "never" && auxiliaries[ws[1].Low] && subjects[ws[2].Low]
}

// inWork reports what is so in a game or a work of fiction: "in the game you must always roll twice".
func inWork(ws []Word) bool {
	for i := 0; i+2 < len(ws) && i < 12; i++ {
		if ws[i].Low == "in" && (isPronoun(ws[i+1].Low) || ws[i+1].Low == "the" || ws[i+1].Low == "a" || ws[i+1].Low == "this" || ws[i+1].Low == "that") && works[ws[i+2].Low] {
			return true
		}
	}
	return false
}

var (
	subjects    = english.WordSet("i we he she they you")
	works       = english.WordSet("game novel story book film movie play series show campaign comic script sitcom musical opera song tale fairytale dream quest episode")
	notCommands = english.WordSet("forget worry know think want mind understand like have get need see feel remember believe care even you i")
	ruleNouns   = english.WordSet("rule rules procedure checklist policy protocol steps recipe")
)

// announcesRule reports a heading that announces a rule ("New rule for spending: …").
func announcesRule(ws []Word) bool {
	for i := 0; i < len(ws)-2 && i < 6; i++ {
		if ws[i].SignAfter == ':' {
			return slices.ContainsFunc(ws[:i+1], func(w Word) bool { return ruleNouns[w.Low] })
		}
	}
	return false
}

// saysWhen reports a command that says when it applies.
func saysWhen(ws []Word) bool {
	return slices.ContainsFunc(ws[2:], func(w Word) bool {
		switch w.Low {
		case "always", "never", "before", "until", "unless", "whenever", "every", "each":
			return true
		}
		return false
	})
}

func isPronoun(low string) bool { _, ok := english.PronounOf(low); return ok }

// isVerbForm guesses that a word is a verb in its base form.
func isVerbForm(low string) bool {
	return !commonWords[low] || imperatives[low] || len(verbs[low]) > 0
}

// followedByImperative finds an imperative after the comma or colon that ends the first clause.
func followedByImperative(ws []Word) bool {
	for i := 1; i+1 < len(ws); i++ {
		if ws[i].SignAfter == ',' || ws[i].SignAfter == ':' {
			next := ws[i+1].Low
			return imperatives[next] && !isPronoun(next)
		}
	}
	return false
}

// statesRule reads "X must always be Y" and "we must always X".
func statesRule(ws []Word) bool {
	for i := 1; i+1 < len(ws); i++ {
		switch ws[i].Low {
		case "must":
			return ws[i+1].Low != "have" && ws[0].Low != "i" && ws[0].Low != "it" && ws[0].Low != "he" && ws[0].Low != "she"
		case "always", "never":
			if ws[i-1].Low == "should" || ws[i-1].Low == "must" {
				return true
			}
		}
	}
	return false
}

// lowerLine returns a sentence in lower case with its commas.
func lowerLine(ws []Word) string {
	var b strings.Builder
	for _, w := range ws {
		b.WriteString(w.Low)
		if w.SignAfter == ',' {
			b.WriteByte(',')
		}
		b.WriteByte(' ')
	}
	return b.String()
}
