// Package provider opens the embedding model that a configuration names, with what
// calls over a network need: retries, a breaker, joint calls and a cache.
package provider

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/engine/models/hub"
	"github.com/somnograph/somnograph/engine/models/huggingface"
	"github.com/somnograph/somnograph/engine/models/openai"
	"github.com/somnograph/somnograph/engine/models/static"
)

// Kind names an adapter.
type Kind string

// The kinds.
const (
	Hashed      Kind = "hashed"      // built in; "" means it too
	HuggingFace Kind = "huggingface" // hub, inference endpoint, Text Embeddings Inference
	OpenAI      Kind = "openai"      // any OpenAI-compatible endpoint
	Static      Kind = "static"      // a static embedding model, from a directory or the hub
)

// Config says which model to open.
type Config struct {
	Kind  Kind
	URL   string // endpoint; Hugging Face: empty for the hub; static: a mirror of the hub
	Model string // static: the directory, or "hub:owner/model" with "@revision" or not
	Key   string // secret; never part of a spec or of an error
	// Dimension of the vectors; 0: the model is asked once, so it must be there when
	// it is opened. The built-in one has its own.
	Dimension                  int
	QueryPrefix, PassagePrefix string
	Base64                     bool // OpenAI: ask for vectors as bytes

	// Static models of the hub: where they are kept, empty for the user's cache; and who
	// is told how far a download is, nil for nobody.
	Models   string
	Progress func(file string, done, total int64)

	Retry   models.RetryOptions
	Breaker models.BreakerOptions
	Batch   models.BatchOptions
	Cache   int // vectors; 0: models.DefaultCache
}

// Open opens the model. A remote one is wrapped as Cache(Batch(Retry(Breaker(model)))).
// Without a dimension in c it is called once; *models.Error where that fails.
func Open(ctx context.Context, c Config) (models.Embedder, error) {
	var remote models.Embedder
	var err error
	switch c.Kind {
	case "", Hashed:
		m := hashed.New()
		switch {
		case c.URL != "" || c.Model != "" || c.Key != "":
			return nil, errors.New("models: the built-in model takes no URL, model or key")
		case c.Dimension != 0 && c.Dimension != m.Dimension():
			return nil, fmt.Errorf("models: the built-in model has dimension %d, not %d", m.Dimension(), c.Dimension)
		}
		return m, nil
	case Static:
		return openStatic(ctx, c)
	case HuggingFace:
		remote, err = huggingface.New(ctx, huggingface.Config{
			Model: c.Model, URL: c.URL, Key: c.Key, Dimension: c.Dimension, QueryPrefix: c.QueryPrefix, PassagePrefix: c.PassagePrefix,
		})
	case OpenAI:
		remote, err = openai.New(ctx, openai.Config{
			URL: c.URL, Model: c.Model, Key: c.Key, Dimension: c.Dimension, Base64: c.Base64, QueryPrefix: c.QueryPrefix, PassagePrefix: c.PassagePrefix,
		})
	default:
		return nil, unknown(c.Kind)
	}
	if err != nil {
		return nil, err
	}
	return models.Cache(models.Batch(models.Retry(models.Breaker(remote, c.Breaker), c.Retry), c.Batch), c.Cache), nil
}

// openStatic opens a model that is read into memory: there is nothing to retry, and a
// cache would save nothing.
func openStatic(ctx context.Context, c Config) (models.Embedder, error) {
	if c.QueryPrefix != "" || c.PassagePrefix != "" {
		return nil, errors.New("models: a static model takes no prefix")
	}
	name, remote := strings.CutPrefix(c.Model, "hub:")
	if !remote && (c.URL != "" || c.Key != "") {
		return nil, errors.New("models: a static model from a directory takes no URL or key")
	}
	dir := c.Model
	if remote {
		var err error
		if dir, err = fetch(ctx, c, name); err != nil {
			return nil, err
		}
	}
	m, err := static.Open(dir)
	if err != nil {
		return nil, err
	}
	if c.Dimension != 0 && c.Dimension != m.Dimension() {
		return nil, fmt.Errorf("models: the static model in %s has dimension %d, not %d", c.Model, m.Dimension(), c.Dimension)
	}
	return m, nil
}

// fetch answers the directory of a model of the hub.
func fetch(ctx context.Context, c Config, name string) (string, error) {
	at := c.Models
	if at == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("models: no directory to keep models in: %w", err)
		}
		at = filepath.Join(cache, "somnograph", "models")
	}
	return static.Fetch(ctx, hub.Hub{URL: c.URL, Token: c.Key, Dir: at, Progress: c.Progress}, name)
}

func unknown(k Kind) error {
	return fmt.Errorf("models: there is no kind %q; there are %s, %s, %s and %s", k, Hashed, Static, HuggingFace, OpenAI)
}

// Close closes what a model holds open, through all that is wrapped around it.
func Close(e models.Embedder) error {
	for {
		if c, ok := e.(interface{ Close() error }); ok {
			return c.Close()
		}
		w, ok := e.(interface{ Unwrap() models.Embedder })
		if !ok {
			return nil
		}
		e = w.Unwrap()
	}
}
