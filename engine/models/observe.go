package models

import (
	"context"
	"errors"
	"strconv"
)

// Purposes of a model, for an Observer.
const (
	PurposeEmbedder = "embedder"
	PurposeReranker = "reranker"
	PurposeChat     = "chat"
)

// Observer watches the calls of models. Its methods are safe for concurrent use.
type Observer interface {
	// Model is called before a call of the named model with a number of texts. The call runs with
	// the returned context. end is called with why it failed, see Failure; empty: it did not.
	Model(ctx context.Context, purpose, model string, texts int) (within context.Context, end func(failure string))
}

// Failure names the kind of an error: "open" (see ErrOpen), "cancelled", "timeout", the HTTP status of
// the model's answer, or "other". It is empty for nil.
func Failure(err error) string {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrOpen):
		return "open"
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.As(err, &e) && e.Status != 0:
		return strconv.Itoa(e.Status)
	}
	return "other"
}

// late returns the error of a call whose context a deadline of its callers ended as that of a deadline.
// Other errors stay as they are.
func late(ctx context.Context, err error) error {
	if errors.Is(err, context.Canceled) && errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return err
}

type observed struct {
	Embedder
	observer Observer
}

type observedWeigher struct {
	Weigher
	observer Observer
}

// Observe lets an observer watch an embedder; nil: the embedder as it is. The result is a Weigher
// if the embedder is one.
func Observe(e Embedder, o Observer) Embedder {
	if o == nil {
		return e
	}
	if w, ok := e.(Weigher); ok {
		return &observedWeigher{w, o}
	}
	return &observed{e, o}
}

// Unwrap returns the wrapped embedder.
func (x *observed) Unwrap() Embedder { return x.Embedder }

func (x *observed) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	ctx, end := x.observer.Model(ctx, PurposeEmbedder, x.Name(), len(texts))
	vectors, err := x.Embedder.Embed(ctx, texts, kind)
	err = late(ctx, err)
	end(Failure(err))
	return vectors, err
}

// Unwrap returns the wrapped embedder.
func (x *observedWeigher) Unwrap() Embedder { return x.Weigher }

func (x *observedWeigher) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	ctx, end := x.observer.Model(ctx, PurposeEmbedder, x.Name(), len(texts))
	vectors, err := x.Weigher.Embed(ctx, texts, kind)
	err = late(ctx, err)
	end(Failure(err))
	return vectors, err
}

func (x *observedWeigher) EmbedWeighted(ctx context.Context, text string, weight func(string) (float64, bool)) ([]float32, error) {
	ctx, end := x.observer.Model(ctx, PurposeEmbedder, x.Name(), 1)
	vector, err := x.Weigher.EmbedWeighted(ctx, text, weight)
	end(Failure(err))
	return vector, err
}

type observedReranker struct {
	Reranker
	observer Observer
}

// ObserveRerank is Observe for a Reranker.
func ObserveRerank(r Reranker, o Observer) Reranker {
	if o == nil || r == nil {
		return r
	}
	return &observedReranker{r, o}
}

func (x *observedReranker) Rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	ctx, end := x.observer.Model(ctx, PurposeReranker, x.Name(), len(texts))
	scores, err := x.Reranker.Rerank(ctx, question, texts)
	end(Failure(err))
	return scores, err
}

type observedChat struct {
	Chat
	observer Observer
}

// ObserveChat is Observe for a Chat.
func ObserveChat(c Chat, o Observer) Chat {
	if o == nil || c == nil {
		return c
	}
	return &observedChat{c, o}
}

func (x *observedChat) Contradiction(ctx context.Context, a, b string) (float64, error) {
	ctx, end := x.observer.Model(ctx, PurposeChat, x.Name(), 2)
	score, err := x.Chat.Contradiction(ctx, a, b)
	end(Failure(err))
	return score, err
}

func (x *observedChat) Summarise(ctx context.Context, texts []string, words int) (string, error) {
	ctx, end := x.observer.Model(ctx, PurposeChat, x.Name(), len(texts))
	summary, err := x.Chat.Summarise(ctx, texts, words)
	end(Failure(err))
	return summary, err
}

func (x *observedChat) Read(ctx context.Context, text string) (Extraction, error) {
	ctx, end := x.observer.Model(ctx, PurposeChat, x.Name(), 1)
	found, err := x.Chat.Read(ctx, text)
	end(Failure(err))
	return found, err
}
