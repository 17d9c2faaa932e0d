// Package huggingface embeds with models of the Hugging Face hub: through the hub's
// own inference service, an inference endpoint, or a Text Embeddings Inference server
// that stands anywhere.
//
// Calls go through the library go-huggingface. Its default address is out of service
// and its errors lose the status, so the address is always given as a whole and the
// HTTP client is ours: it has limits of time and size and typed errors.
package huggingface

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	hub "github.com/hupe1980/go-huggingface"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/internal/wire"
)

// router is where the hub serves feature extraction, %s being the model.
const router = "https://router.huggingface.co/hf-inference/models/%s/pipeline/feature-extraction"

// Config says which model is called, and where.
type Config struct {
	// Model is the model's name on the hub ("BAAI/bge-small-en-v1.5"). With URL it
	// only names the vectors.
	Model string
	// URL of an inference endpoint, or of a Text Embeddings Inference server with
	// its path ("http://127.0.0.1:8080/embed"). Empty: the hub's own service.
	URL string
	// Key is the access token; empty for servers that ask for none.
	Key string
	// Dimension of the vectors; 0: the first answer says.
	Dimension int
	// Prefixes that the model was trained with ("query: ", "passage: ").
	QueryPrefix, PassagePrefix string
}

// Model is one model behind one address. It is safe for concurrent use.
type Model struct {
	name      string
	dimension int
	prefixes  wire.Prefixes
	url       string
	http      *wire.Client
	client    *hub.InferenceClient
}

var _ models.Embedder = (*Model)(nil)

var modelPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?$`)

// New makes a Model. Where the dimension is not given it makes one call to learn it.
// *models.Error where that call fails, another error where c can't be right.
func New(ctx context.Context, c Config) (*Model, error) {
	address := c.URL
	switch {
	case c.URL == "" && !modelPattern.MatchString(c.Model):
		return nil, fmt.Errorf("models: %q is not the name of a model on the hub (want owner/name)", c.Model)
	case c.URL == "":
		address = fmt.Sprintf(router, c.Model)
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("models: the URL of the Hugging Face model must begin with http:// or https:// and name a host")
	}
	label := c.Model
	if label == "" {
		label = u.Host + strings.TrimSuffix(u.Path, "/")
	}
	client := wire.NewClient()
	m := &Model{
		dimension: c.Dimension, url: address, http: client,
		prefixes: wire.Prefixes{Query: c.QueryPrefix, Passage: c.PassagePrefix},
		client: hub.NewInferenceClient(c.Key, func(o *hub.InferenceClientOptions) {
			o.HTTPClient, o.Model = client, address
		}),
	}
	if m.dimension == 0 {
		vectors, err := m.Embed(ctx, []string{"dimension"}, models.Passage)
		if err != nil {
			return nil, err
		}
		m.dimension = len(vectors[0])
	}
	m.name = wire.Name("huggingface", label, m.dimension, m.prefixes)
	return m, nil
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
	return wire.Chunks(ctx, texts, m.prefixes.Of(kind), m.dimension, m.call)
}

func (m *Model) call(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := m.client.FeatureExtractionWithAutomaticReduction(ctx, &hub.FeatureExtractionRequest{Inputs: texts, Model: m.url})
	if err == nil {
		return vectors, nil
	}
	var typed *models.Error
	if errors.As(err, &typed) || ctx.Err() != nil {
		return nil, err
	}
	return nil, &models.Error{Message: "the answer is not a list of vectors, one a text"}
}
