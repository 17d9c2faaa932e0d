package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

func (r mutationResolver) Reembed(ctx context.Context, input gql.ReembedInput) (*gql.Reembedding, error) {
	return encodeReembedding(r.verbs.Reembed(ctx, caller(ctx), engine.ModelSpec{
		Kind: input.Kind, URL: valueOr(input.URL, ""), Model: valueOr(input.Model, ""), Token: valueOr(input.Token, ""), Dimension: valueOr(input.Dimension, 0),
		QueryPrefix: valueOr(input.QueryPrefix, ""), PassagePrefix: valueOr(input.PassagePrefix, ""),
	}))
}

func (r queryResolver) Reembedding(ctx context.Context) (*gql.Reembedding, error) {
	return encodeReembedding(r.verbs.Reembedding(ctx, caller(ctx)))
}

func encodeReembedding(x *engine.Reembedding, err error) (*gql.Reembedding, error) {
	if err != nil {
		return nil, err
	}
	return &gql.Reembedding{
		Model: nullable[string](x.Model), Done: x.Done, Total: x.Total, Running: x.Running, Complete: x.Complete, Failure: nullable[string](x.Failure),
	}, nil
}
