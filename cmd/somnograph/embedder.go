package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/chat"
	"github.com/somnograph/somnograph/engine/models/crossencoder"
	"github.com/somnograph/somnograph/engine/models/provider"
)

// openEmbedder opens the configured embedder and shows the progress of a download on w. A
// remote one is asked for its dimension where none is configured. If it is away, the dimension is that of the known
// model.
func openEmbedder(ctx context.Context, c config.Embedder, known string, w io.Writer, watch watchers) (models.Embedder, error) {
	e, err := provider.Open(ctx, provider.Config{
		Kind: provider.Kind(c.Kind), URL: c.URL, Model: c.Model, Key: c.Token, Dimension: c.Dimension, Known: known,
		QueryPrefix: c.QueryPrefix, PassagePrefix: c.PassagePrefix, Models: c.ModelsDir, Progress: fetching(w, time.Now),
		Observer: watch.models,
	})
	switch {
	case err == nil:
		return e, nil
	case c.Kind == string(provider.Static):
		return nil, fmt.Errorf("the embedder %s can't be opened: %w", c.Kind, err)
	}
	return nil, fmt.Errorf("the embedder %s can't be opened: %w; start it, or give the dimension of its vectors with --embedder-dimension, then the server starts without it", c.Kind, err)
}

// fetching shows the download of the files of a model.
func fetching(w io.Writer, now func() time.Time) func(file string, done, total int64) {
	var shown *progress
	var of string
	return func(file string, done, total int64) {
		if shown == nil || of != file {
			shown, of = newProgress(w, "fetching "+file, max(total, done), now), file
		}
		shown.at(done, fmt.Sprintf("%d MiB", done>>20))
		if done == total {
			shown.end()
		}
	}
}

// openOther returns a function that opens another embedding model, for a switch to it. Static
// models of the hub are kept in the configured directory. The model must be one of the configuration.
func openOther(c *config.Config, watch watchers) func(context.Context, engine.ModelSpec) (models.Embedder, func(), error) {
	return func(ctx context.Context, s engine.ModelSpec) (models.Embedder, func(), error) {
		if !mayUse(c, s) {
			return nil, nil, errNotAllowed
		}
		e, err := provider.Open(ctx, provider.Config{
			Kind: provider.Kind(s.Kind), URL: s.URL, Model: s.Model, Key: s.Token, Dimension: s.Dimension,
			QueryPrefix: s.QueryPrefix, PassagePrefix: s.PassagePrefix, Models: c.Embedder.ModelsDir, Observer: watch.models,
		})
		if err != nil {
			return nil, nil, err
		}
		return e, func() { _ = provider.Close(e) }, nil // closing idle connections can't fail
	}
}

// openChat opens the configured language model; nil: there is none. It makes no call.
func openChat(c config.Chat, watch watchers) (models.Chat, error) {
	if c.URL == "" {
		return nil, nil
	}
	m, err := chat.New(chat.Config{URL: c.URL, Model: c.Model, Key: c.Token})
	if err != nil {
		return nil, fmt.Errorf("chat.url: %w", err)
	}
	return models.ObserveChat(m, watch.models), nil
}

// openReranker opens the configured cross-encoder; nil: there is none. It makes no call.
func openReranker(c config.Reranker, watch watchers) (models.Reranker, error) {
	if c.URL == "" {
		return nil, nil
	}
	m, err := crossencoder.New(crossencoder.Config{URL: c.URL, Model: c.Model, Key: c.Token})
	if err != nil {
		return nil, fmt.Errorf("reranker.url: %w", err)
	}
	return models.BreakRerank(models.ObserveRerank(m, watch.models), models.BreakerOptions{}), nil
}
