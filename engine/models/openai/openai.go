// Package openai embeds through any endpoint with the embeddings call of the OpenAI API:
// OpenAI, Ollama, vLLM, Text Embeddings Inference, llama.cpp and others.
package openai

import (
	"context"
	"errors"

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
	*wire.Embedder
	config Config
	url    string
	http   *wire.Client
}

var _ models.Embedder = (*Model)(nil)

// New makes a Model. Without a dimension it makes one call to learn it. It returns
// *models.Error if the call fails, and another error if c is invalid.
func New(ctx context.Context, c Config) (*Model, error) {
	url, err := wire.OpenAI(c.URL, "/embeddings", "an OpenAI-compatible endpoint")
	if err != nil {
		return nil, err
	}
	if c.Model == "" {
		return nil, errors.New("models: an OpenAI-compatible endpoint needs the name of a model")
	}
	m := &Model{config: c, url: url, http: wire.NewClient()}
	prefixes := wire.Prefixes{Query: c.QueryPrefix, Passage: c.PassagePrefix}
	m.Embedder, err = wire.NewEmbedder(ctx, "openai", c.Model, c.Dimension, prefixes, m.http, m.call)
	return m, err
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
