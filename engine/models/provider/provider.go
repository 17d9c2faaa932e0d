// Package provider opens the embedding model of a configuration. Models behind a network are
// wrapped with retries, a circuit breaker, batching and a cache.
package provider

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/engine/models/hub"
	"github.com/somnograph/somnograph/engine/models/huggingface"
	"github.com/somnograph/somnograph/engine/models/openai"
	"github.com/somnograph/somnograph/engine/models/static"
)

// Kind is the name of an adapter.
type Kind string

// The adapters.
const (
	Hashed      Kind = "hashed"      // built in; the default
	HuggingFace Kind = "huggingface" // hub, inference endpoint, Text Embeddings Inference
	OpenAI      Kind = "openai"      // any endpoint with the OpenAI API
	Static      Kind = "static"      // a static embedding model from a directory or the hub
)

// Config selects and configures a model.
type Config struct {
	Kind  Kind
	URL   string // endpoint; Hugging Face: empty for the hub; static: a mirror of the hub
	Model string // static: the directory, or "hub:owner/model" with an optional "@revision"
	Key   string // secret; never in a spec or an error
	// Dimension of the vectors. With 0, Open calls the model once to learn it. The built-in
	// model has a fixed one.
	Dimension int
	// Known is the name of the model whose vectors the store holds. If the call fails, and it names this
	// model, Open takes the dimension from it. May be empty.
	Known                      string
	QueryPrefix, PassagePrefix string
	Base64                     bool // OpenAI: request vectors as base64

	// Static models of the hub: the directory that stores them (empty: the user's cache), and
	// the receiver of download progress (may be nil).
	Models   string
	Progress func(file string, done, total int64)

	Retry   models.RetryOptions
	Breaker models.BreakerOptions
	Batch   models.BatchOptions
	Cache   int // number of vectors; 0: models.DefaultCache

	Observer models.Observer // watches the calls that reach the model; nil: none does
}

// Open opens the model. A remote model is wrapped as Cache(Batch(Retry(Breaker(model)))).
// Without a dimension in c, Open calls the model once and returns *models.Error if the call
// fails, unless the model is away for a time and c.Known names it.
func Open(ctx context.Context, c Config) (models.Embedder, error) {
	e, err := open(ctx, c)
	if c.Dimension != 0 || !models.Temporary(err) {
		return e, err
	}
	n, failed := strconv.Atoi(c.Known[strings.LastIndex(c.Known, "-")+1:])
	if failed != nil || n <= 0 {
		return nil, err
	}
	c.Dimension = n
	if e, failed = open(ctx, c); failed != nil || e.Name() != c.Known {
		return nil, err
	}
	return e, nil
}

func open(ctx context.Context, c Config) (models.Embedder, error) {
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
		return models.Observe(m, c.Observer), nil
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
	return models.Cache(models.Batch(models.Retry(models.Breaker(models.Observe(remote, c.Observer), c.Breaker), c.Retry), c.Batch), c.Cache), nil
}

// openStatic opens a model in memory. It needs neither retries nor a cache.
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
	return models.Observe(m, c.Observer), nil
}

// fetch returns the directory of a hub model, and downloads the model if necessary.
func fetch(ctx context.Context, c Config, name string) (string, error) {
	at := c.Models
	if at == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("models: no directory for downloaded models: %w", err)
		}
		at = filepath.Join(cache, "somnograph", "models")
	}
	return static.Fetch(ctx, hub.Hub{URL: c.URL, Token: c.Key, Dir: at, Progress: c.Progress}, name)
}

func unknown(k Kind) error {
	return fmt.Errorf("models: unknown kind %q; the kinds are %s, %s, %s and %s", k, Hashed, Static, HuggingFace, OpenAI)
}

// Close closes the resources of a model, through all its wrappers.
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
