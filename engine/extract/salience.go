package extract

import (
	"math"

	"github.com/somnograph/somnograph/internal/english"
)

// salience combines cues: each one found closes a share of the distance to 1,
//
//	S = 1 − (1 − base)·Π(1 − weight)
//
// so that it never exceeds 1. Small talk and questions are scaled down.
func salience(all []Sentence, said []Statement, entities int) float64 {
	const base = 0.15
	words := 0
	for _, s := range all {
		words += len(s.Words)
	}
	if words == 0 {
		return 0
	}
	c := cuesOf(all)
	left := 1 - base
	for _, w := range []float64{
		c.preference * 0.30, c.identity * 0.30, c.commitment * 0.25, c.decision * 0.30, c.correction * 0.25,
		c.emphasis * 0.20, c.danger * 0.30, c.number * 0.15, c.date * 0.15, statementWeight(said), entityWeight(entities, words),
	} {
		left *= 1 - w
	}
	s := 1 - left
	switch {
	case c.questions == len(all):
		s *= 0.5
	case words <= 4 && c.date+c.number+c.correction == 0 && len(said) == 0:
		s *= 0.6
	}
	if c.smallTalk && len(said) == 0 && c.date == 0 && words < 12 {
		s *= 0.4
	}
	return s
}

// statementWeight is the weight of the statements; a functional one has the highest.
func statementWeight(said []Statement) float64 {
	w := 0.0
	for _, s := range said {
		if s.Functional {
			return 0.25
		}
		w = 0.12
	}
	return w
}

// entityWeight is the weight of the entities, by their number relative to that of the words.
func entityWeight(entities, words int) float64 {
	return 0.25 * math.Min(1, 5*float64(entities)/float64(words+4))
}

// cues are the cues found in a text; each is 0 or 1.
type cues struct {
	preference, identity, commitment, decision, correction, emphasis, danger, number, date float64
	questions                                                                              int
	smallTalk                                                                              bool
}

var (
	preferenceWords = english.WordSet("prefer prefers preferred favorite favourite love loves hate hates dislike dislikes allergic enjoy enjoys rather fan vegetarian vegan")
	identityWords   = english.WordSet("birthday born married engaged divorced pregnant wife husband daughter son lives live moved works hired fired retired graduated promoted diagnosed named called address")
	commitWords     = english.WordSet("promise promised deadline due must todo appointment scheduled booked reminder remind agreed commit committed owe")
	decisionWords   = english.WordSet("decided decide decision chose chosen agreed approved rejected resolved concluded")
	correctionWords = english.WordSet("actually correction instead wrong mistaken changed renamed replaced cancelled canceled postponed rescheduled")
	emphasisWords   = english.WordSet("important importantly critical crucial essential urgent remember never always absolutely extremely especially vital key")
	dangerWords     = english.WordSet("danger dangerous unsafe emergency died death injury injured hospital fire leak breach outage failed failure lost broken crash crashed stolen fraud warning poison allergy")
	smallTalkWords  = english.WordSet("hi hey hello thanks thank bye goodbye lol haha cool nice great awesome wow ok okay sure yes yeah yep welcome congrats cheers good morning night sounds glad")
)

func cuesOf(all []Sentence) cues {
	var c cues
	total, idle := 0, 0
	for _, s := range all {
		if s.Question {
			c.questions++
		}
		for i, w := range s.Words {
			total++
			next := ""
			if i+1 < len(s.Words) {
				next = s.Words[i+1].Low
			}
			setCue(&c.preference, preferenceWords[w.Low] || w.Low == "can't" && next == "stand")
			setCue(&c.identity, identityWords[w.Low] || w.Low == "name" && i > 0)
			setCue(&c.commitment, commitWords[w.Low] || w.Low == "i'll" || w.Low == "we'll" || (w.Low == "need" || w.Low == "have") && next == "to" || w.Low == "will" && i > 0)
			setCue(&c.decision, decisionWords[w.Low])
			setCue(&c.correction, correctionWords[w.Low] || w.Low == "no" && next == "longer")
			setCue(&c.emphasis, emphasisWords[w.Low] || w.allCapitals() && len(w.Text) > 4)
			setCue(&c.danger, dangerWords[w.Low])
			setCue(&c.number, isNumber(w.Low) || isNumberWord(w.Low) && w.Low != "one")
			setCue(&c.date, calendar[w.Low] && w.Low != "may" && w.Low != "am" && w.Low != "sun" && w.Low != "march" && w.Low != "fall" || isDate(w.Low) || isClock(s.Words, i))
			if smallTalkWords[w.Low] {
				idle++
			}
		}
	}
	c.smallTalk = idle > 0 && (idle*4 >= total || total < 6)
	return c
}

func setCue(cue *float64, seen bool) {
	if seen {
		*cue = 1
	}
}
