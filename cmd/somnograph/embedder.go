package main

import (
	"context"
	"fmt"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/provider"
)

// openEmbedder opens the embedder of the configuration. A remote one whose dimension
// is not given is asked for it once.
func openEmbedder(ctx context.Context, c config.Embedder) (models.Embedder, error) {
	e, err := provider.Open(ctx, provider.Config{
		Kind: provider.Kind(c.Kind), URL: c.URL, Model: c.Model, Key: c.Token, Dimension: c.Dimension,
		QueryPrefix: c.QueryPrefix, PassagePrefix: c.PassagePrefix,
	})
	if err != nil {
		return nil, fmt.Errorf("the embedder %s can't be opened: %w; embedder.dimension lets it be away at the start", c.Kind, err)
	}
	return e, nil
}
