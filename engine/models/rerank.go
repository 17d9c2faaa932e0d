package models

import "context"

// Reranker reads a question together with each text and says how well the text answers
// it: better than two vectors can, and too slow for more than a few texts.
// Implementations are safe for concurrent use.
type Reranker interface {
	// Name identifies the model.
	Name() string
	// Rerank answers for each text, in order, how well it answers the question, in [0,1].
	// All or an error: *Error where the model answered wrongly or not at all, ErrOpen, or
	// the error of ctx.
	Rerank(ctx context.Context, question string, texts []string) ([]float64, error)
}

type rerankBreaker struct {
	Reranker
	guard *Guard[[]float64]
}

// BreakRerank is Breaker for a Reranker.
func BreakRerank(r Reranker, o BreakerOptions) Reranker {
	return &rerankBreaker{r, NewGuard[[]float64](o)}
}

func (b *rerankBreaker) Rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	return b.guard.Do(func() ([]float64, error) { return b.Reranker.Rerank(ctx, question, texts) })
}
