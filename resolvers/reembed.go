package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

func (r mutation) Reembed(ctx context.Context, input gql.ReembedInput) (*gql.Reembedding, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	return reembedding(r.verbs.Reembed(ctx, c, engine.ModelSpec{
		Kind: input.Kind, URL: or(input.URL, ""), Model: or(input.Model, ""), Token: or(input.Token, ""), Dimension: or(input.Dimension, 0),
		QueryPrefix: or(input.QueryPrefix, ""), PassagePrefix: or(input.PassagePrefix, ""),
	}))
}

func (r query) Reembedding(ctx context.Context) (*gql.Reembedding, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	return reembedding(r.verbs.Reembedding(ctx, c))
}

func reembedding(x *engine.Reembedding, err error) (*gql.Reembedding, error) {
	if err != nil {
		return nil, err
	}
	return &gql.Reembedding{
		Model: null[string](x.Model), Done: x.Done, Total: x.Total, Running: x.Running, Complete: x.Complete, Failure: null[string](x.Failure),
	}, nil
}
