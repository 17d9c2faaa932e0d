package workspace

import (
	"context"

	"github.com/somnograph/somnograph/engine/conflict"
)

// Where the rules are in doubt whether two texts contradict each other, a language model
// may be asked. It can tip the scales and no more: ADR 35.
const (
	undecidedFrom = 0.2 // scores of the rules from here
	undecidedTo   = 0.7 // to here are in doubt
	judgeMoves    = 0.4 // how far the model moves a score at most
)

// Judgement is what a language model made of a doubt.
type Judgement struct {
	Model string  `json:"model"`
	Rules float64 `json:"rules"` // the score of the rules, [0,1]
	Said  float64 `json:"said"`  // the model's, [0,1]; 0.5 is no idea
	Score float64 `json:"score"` // that counts: at most 0.4 from the rules
}

// Undecided reports whether the rules, which gave a score, leave a doubt: it says neither
// yes nor no, or they found no contradiction and yet the two give different values.
func Undecided(score float64, a, b conflict.Analysis) bool {
	return score >= undecidedFrom && score <= undecidedTo || score < undecidedFrom && conflict.Differ(a, b)
}

// Judge asks the model about two texts that the rules are in doubt about.
func (ws *Space) Judge(ctx context.Context, a, b string, rules float64) (Judgement, error) {
	said, err := ws.Chat.Contradiction(ctx, a, b)
	if err != nil {
		return Judgement{}, err
	}
	moved := rules + judgeMoves*(2*said-1)
	return Judgement{Model: ws.Chat.Name(), Rules: rules, Said: said, Score: max(0, min(1, moved))}, nil
}
