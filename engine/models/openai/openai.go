// Package openai embeds through any endpoint with the embeddings call of the OpenAI API:
// OpenAI, Ollama, vLLM, Text Embeddings Inference, llama.cpp and others.
package openai

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/internal/wire"
)

// Config selects the model and the endpoint.
type Config struct {
	// URL of the API ("http://127.0.0.1:11434/v1"). The default path is /v1. The full path of
	// the call (…/embeddings) is also valid.
	URL string
	// Model is the server's name of the model; required.
	Model string
	// Key is sent as a bearer token; may be empty.
	Key string
	// Dimension of the vectors; 0: New calls the model to learn it.
	Dimension int
	// Base64 requests vectors as base64, a third of the size, if the server supports it. Both
	// forms are always accepted.
	Base64 bool
	// Prefixes that the model was trained with ("query: ", "passage: ").
	QueryPrefix, PassagePrefix string
}

// Model is a model at an endpoint. It is safe for concurrent use.
type Model struct {
	name      string
	dimension int
	config    Config
	url       string
	http      *wire.Client
}

var _ models.Embedder = (*Model)(nil)

// New makes a Model. Without a dimension it makes one call to learn it. It returns
// *models.Error if the call fails, and another error if c is invalid.
func New(ctx context.Context, c Config) (*Model, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("models: the URL of an OpenAI-compatible endpoint must begin with http:// or https:// and name a host")
	}
	if c.Model == "" {
		return nil, errors.New("models: an OpenAI-compatible endpoint needs the name of a model")
	}
	switch path := strings.TrimSuffix(u.Path, "/"); {
	case path == "":
		u.Path = "/v1/embeddings"
	case !strings.HasSuffix(path, "/embeddings"):
		u.Path = path + "/embeddings"
	}
	m := &Model{config: c, dimension: c.Dimension, url: u.String(), http: wire.NewClient()}
	if m.dimension == 0 {
		vectors, err := m.Embed(ctx, []string{"dimension"}, models.Passage)
		if err != nil {
			return nil, err
		}
		m.dimension = len(vectors[0])
	}
	m.name = wire.Name("openai", c.Model, m.dimension, m.prefixes())
	return m, nil
}

func (m *Model) prefixes() wire.Prefixes {
	return wire.Prefixes{Query: m.config.QueryPrefix, Passage: m.config.PassagePrefix}
}

// Name returns the name of the model with the dimension.
func (m *Model) Name() string { return m.name }

// Dimension returns the length of the vectors.
func (m *Model) Dimension() int { return m.dimension }

// Close closes idle connections.
func (m *Model) Close() error {
	m.http.CloseIdle()
	return nil
}

// Embed embeds texts in calls of 32 texts. It cuts texts at 16 KiB. Blank texts get zero
// vectors.
func (m *Model) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	return wire.Chunks(ctx, texts, m.prefixes().Of(kind), m.dimension, m.call)
}

type request struct {
	Model    string   `json:"model"`
	Input    []string `json:"input"`
	Encoding string   `json:"encoding_format"`
}

func (m *Model) call(ctx context.Context, texts []string) ([][]float32, error) {
	ask := request{Model: m.config.Model, Input: texts, Encoding: "float"}
	if m.config.Base64 {
		ask.Encoding = "base64"
	}
	answer, err := m.http.Post(ctx, m.url, m.config.Key, ask)
	if err != nil {
		return nil, err
	}
	return decode(answer, len(texts))
}
