package main

import (
	"fmt"
	"log/slog"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
)

// openEmbedder opens the embedder of the configuration.
func openEmbedder(c config.Embedder, _ *slog.Logger) (models.Embedder, error) {
	if c.Kind != "hashed" {
		return nil, fmt.Errorf("embedder.kind %s can't be used yet", c.Kind)
	}
	return hashed.New(), nil
}
