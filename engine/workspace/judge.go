package workspace

import (
	"context"

	"github.com/somnograph/somnograph/engine/conflict"
)

// If the rules can't decide whether two texts contradict each other, a language model may be
// asked. Its influence on the score is bounded: ADR 35.
const (
	undecidedFrom = 0.2 // lowest undecided score of the rules
	undecidedTo   = 0.7 // highest undecided score of the rules
	judgeMoves    = 0.4 // maximum change of a score by the model
)

// Judgement is the result of asking a language model about an undecided pair.
type Judgement struct {
	Model string  `json:"model"`
	Rules float64 `json:"rules"` // score of the rules, [0,1]
	Said  float64 `json:"said"`  // score of the model, [0,1]; 0.5: undecided
	Score float64 `json:"score"` // final score, at most 0.4 from Rules
}

// Undecided reports whether the score of the rules is neither yes nor no, or whether they
// found no contradiction although the texts give different values.
func Undecided(score float64, a, b conflict.Analysis) bool {
	return score >= undecidedFrom && score <= undecidedTo || score < undecidedFrom && conflict.Differ(a, b)
}

// Judge asks the model about two texts that the rules can't decide.
func (ws *Space) Judge(ctx context.Context, a, b string, rules float64) (Judgement, error) {
	said, err := ws.Chat.Contradiction(ctx, a, b)
	if err != nil {
		return Judgement{}, err
	}
	moved := rules + judgeMoves*(2*said-1)
	return Judgement{Model: ws.Chat.Name(), Rules: rules, Said: said, Score: max(0, min(1, moved))}, nil
}
