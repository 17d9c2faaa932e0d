package models

import (
	"context"

	"github.com/somnograph/somnograph/engine/breaker"
)

// Reranker scores texts by how well they answer a query, reading both together. It is more
// accurate than vectors, and too slow for more than a few texts. Implementations are safe for
// concurrent use.
type Reranker interface {
	// Name identifies the model.
	Name() string
	// Rerank returns a score in [0,1] for each text, in order. Errors are *Error if the model
	// failed, ErrOpen, or the error of ctx.
	Rerank(ctx context.Context, question string, texts []string) ([]float64, error)
}

type rerankBreaker struct {
	Reranker
	guard *Guard[[]float64]
}

// BreakRerank is Breaker for a Reranker.
func BreakRerank(r Reranker, o BreakerOptions) Reranker {
	return &rerankBreaker{r, NewGuard[[]float64](o, "RERANKER")}
}

// Breaker is the circuit breaker.
func (b *rerankBreaker) Breaker() *breaker.Breaker { return b.guard.Breaker() }

func (b *rerankBreaker) Rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	return b.guard.Do(func() ([]float64, error) { return b.Reranker.Rerank(ctx, question, texts) })
}
