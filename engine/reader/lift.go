package reader

import (
	"strings"

	"github.com/somnograph/somnograph/engine/reader/harm"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/rule"
	"github.com/somnograph/somnograph/engine/reader/standing"
)

// Rule says whether a text tells its reader how to act.
type Rule = rule.Rule

const (
	NoRule       = rule.None
	Request      = rule.Request  // asks politely for something that may be wanted once: "Please send me the report"
	StandingRule = rule.Standing // holds from now on: "Always answer in Dutch", "Please use tabs", "Prefer short answers"
)

// RuleIn returns the strongest rule that a text states, see standing.RuleIn. It reads the first 4096 bytes.
func RuleIn(text string) Rule { return standing.RuleIn(bounded(text)) }

// Lifts reports whether a text only lifts a standing rule: "You can stop answering in Dutch", "Feel free to use emojis". If it does, nothing of it
// is a rule where that rule stood.
func Lifts(text string) bool {
	l := standing.Lift(bounded(text))
	return l != nil && l.Only()
}

// lifts reports whether the later statement lifts or replaces the rule that the earlier one is.
func (p *Prepared) lifts(later *Prepared) bool {
	if p.lift != nil && p.lift.Back != "" { // what was gone back to is a rule until another one is given
		if later.lift != nil {
			return later.lift.Back != "" && later.lift.ReturnsFrom(rule.Act{Lemmas: []string{p.lift.Back}})
		}
		s, ok := standing.Only(bounded(later.statement.Text))
		return ok && RuleIn(later.statement.Text) == StandingRule && p.lift.ReturnsFrom(s.Act())
	}
	if later.lift == nil || len(p.clauses) == 0 || len(later.clauses) == 0 && later.lift.Back == "" || !p.english || RuleIn(p.statement.Text) != StandingRule {
		return false
	}
	s, ok := standing.Only(bounded(p.statement.Text))
	if ok && p.lift != nil && p.lift.Only() {
		return false // a permission is no rule that can be lifted
	}
	return ok && later.lift.Ends(s.Act(), s.Words)
}

// Lifted returns the words by which the statements are found that a statement may lift: the rules with another language, for "Go back to English", and what tells
// of a harm that is over.
func (p *Prepared) Lifted() (texts []string) {
	for i := range p.clauses {
		if words, r, ok := p.clauses[i].harmOver(); ok {
			texts = append(texts, strings.Join(harm.Cause(words, r), " "))
		}
	}
	manner := ""
	if p.lift != nil {
		manner = p.lift.Back
	} else if RuleIn(p.statement.Text) == StandingRule {
		if s, ok := standing.Only(bounded(p.statement.Text)); ok {
			manner = s.Act().Manner()
		}
	}
	if manner != "" {
		texts = append(texts, lexicon.Others(manner)...)
	}
	return texts[:min(len(texts), maxEnded)]
}
