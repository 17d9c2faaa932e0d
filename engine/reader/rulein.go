package reader

import (
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader/rule"
	"github.com/somnograph/somnograph/internal/english/pasted"
)

// Rule says whether a text tells its reader how to act.
type Rule = rule.Rule

const (
	NoRule       = rule.None
	Request      = rule.Request  // asks politely for something that may be wanted once: "Please send me the report"
	StandingRule = rule.Standing // holds from now on: "Always answer in Dutch", "Please use tabs", "Prefer short answers"
)

// foreign are the cues of sentences that state no rule of the speaker that lasts.
const foreign = cueFiction | cueReported | cueBounded | cueWish | cueDated

// RuleIn returns the strongest rule that a text states. A rule is an imperative with "always",
// "never", "don't", "prefer" or "avoid", a polite request about manners (see request.Lasting), what the reader should always or must never do, what
// the speaker prefers, or a request in a frame ("I'd like you to …", "you're not allowed to …") about what recurs or about a manner. What holds for a short time, what somebody else says, fiction and
// descriptions ("She always takes the tram") are no rules, and neither is what is pasted or quoted (see pasted.Spans). It reads the first 4096 bytes.
func RuleIn(text string) Rule {
	text = pasted.Own(bounded(text))
	words, best := scan(text), NoRule
	for len(words) > 0 {
		n, to := sentenceEnd(text, words), len(text)
		if n < len(words) {
			to = words[n].start
		}
		if of := words[:n]; !extract.AsksToBeReminded(text[of[0].start:to]) {
			s := sentenceOf(text[:to], of)
			best = max(best, s.Rule())
		}
		words = words[n:]
	}
	return best
}
