package reader

import (
	"strings"

	"github.com/somnograph/somnograph/engine/reader/rule"
	"github.com/somnograph/somnograph/internal/english/pasted"
)

// oneSentence returns the sentence of a text that has only one.
func oneSentence(text string) (*rule.Sentence, bool) {
	text = pasted.Own(bounded(text))
	words := scan(text)
	if len(words) < 2 || len(words) > 60 {
		return nil, false
	}
	if sentenceEnd(text, words) < len(words) {
		return nil, false
	}
	return sentenceOf(text, words), true
}

// sentenceOf returns the words of a sentence of a text as package rule sees it.
func sentenceOf(text string, of []word) *rule.Sentence {
	return &rule.Sentence{
		Words: ruled(text, of), Question: strings.Contains(text[of[len(of)-1].end:], "?"),
		Foreign: func(from int) bool { return matchCues(of[from:])&foreign != 0 },
		Quotes:  func(to int) bool { return matchCues(of[:to])&cueQuoted != 0 },
	}
}

// Lifts reports whether a text only lifts a standing rule: "You can stop answering in Dutch", "Feel free to use emojis". If it does, nothing of it
// is a rule where that rule stood.
func Lifts(text string) bool {
	s, ok := oneSentence(text)
	if !ok {
		return false
	}
	l, ok := s.Lift()
	return ok && l.Chain == nil && !l.Bans
}

// liftOf returns what a text lifts or replaces, nil: nothing.
func liftOf(text string) *rule.Lift {
	s, ok := oneSentence(text)
	if !ok {
		return nil
	}
	if l, ok := s.Lift(); ok {
		return &l
	}
	return nil
}

// lifts reports whether the later statement lifts or replaces the rule that the earlier one is.
func (p *Prepared) lifts(later *Prepared) bool {
	if later.lift == nil || len(p.clauses) == 0 || len(later.clauses) == 0 || !p.english || RuleIn(p.statement.Text) != StandingRule {
		return false
	}
	s, ok := oneSentence(p.statement.Text)
	if ok && p.lift != nil && p.lift.Chain == nil && !p.lift.Bans {
		return false // a permission is no rule that can be lifted
	}
	return ok && later.lift.Ends(s.Act(), s.Words)
}
