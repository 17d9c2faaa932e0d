// Package openai embeds through any endpoint that speaks the embeddings call of the
// OpenAI API: OpenAI, Ollama, vLLM, Text Embeddings Inference, llama.cpp and others.
package openai

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/internal/wire"
)

// Config says which model is called, and where.
type Config struct {
	// URL of the API ("http://127.0.0.1:11434/v1"). Without a path it is /v1; the
	// path of the call itself (…/embeddings) may stand there too.
	URL string
	// Model as the server knows it; required.
	Model string
	// Key is sent as a bearer token; empty for servers that ask for none.
	Key string
	// Dimension of the vectors; 0: the first answer says.
	Dimension int
	// Base64 asks for vectors as bytes, a third of the size, from servers that can.
	// Both forms are understood whatever was asked for.
	Base64 bool
	// Prefixes that the model was trained with ("query: ", "passage: ").
	QueryPrefix, PassagePrefix string
}

// Model is one model behind one address. It is safe for concurrent use.
type Model struct {
	name      string
	dimension int
	config    Config
	url       string
	http      *wire.Client
}

var _ models.Embedder = (*Model)(nil)

// New makes a Model. Where the dimension is not given it makes one call to learn it.
// *models.Error where that call fails, another error where c can't be right.
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

// Name is that of the model with the dimension.
func (m *Model) Name() string { return m.name }

// Dimension is that of the vectors.
func (m *Model) Dimension() int { return m.dimension }

// Close closes the connections that nobody uses.
func (m *Model) Close() error {
	m.http.CloseIdle()
	return nil
}

// Embed calls the model with 32 texts at a time. Texts of more than 16 KiB are
// embedded by their beginning, blank ones get zeros.
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
