// Package huggingface embeds with models of the Hugging Face hub: through the hub's inference
// service, an inference endpoint, or any Text Embeddings Inference server.
//
// Calls use the library go-huggingface. The library's default address is out of service and
// its errors omit the HTTP status. The package therefore always sets the full URL and uses its
// own HTTP client, which has time and size limits and typed errors.
package huggingface

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	hub "github.com/hupe1980/go-huggingface"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/internal/wire"
)

// router is the hub's URL for feature extraction; %s is the model.
const router = "https://router.huggingface.co/hf-inference/models/%s/pipeline/feature-extraction"

// Config selects the model and the endpoint.
type Config struct {
	// Model is the model's name on the hub ("BAAI/bge-small-en-v1.5"). If URL is set, it is used
	// only in Name.
	Model string
	// URL of an inference endpoint, or of a Text Embeddings Inference server with its path
	// ("http://127.0.0.1:8080/embed"). Empty: the hub's inference service.
	URL string
	// Key is the access token; may be empty.
	Key string
	// Dimension of the vectors; 0: New calls the model to learn it.
	Dimension int
	// Prefixes that the model was trained with ("query: ", "passage: ").
	QueryPrefix, PassagePrefix string
}

// Model is a model at an endpoint. It is safe for concurrent use.
type Model struct {
	*wire.Embedder
	url    string
	client *hub.InferenceClient
}

var _ models.Embedder = (*Model)(nil)

var modelPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?$`)

// New makes a Model. Without a dimension it makes one call to learn it. It returns
// *models.Error if the call fails, and another error if c is invalid.
func New(ctx context.Context, c Config) (*Model, error) {
	address := c.URL
	switch {
	case c.URL == "" && !modelPattern.MatchString(c.Model):
		return nil, fmt.Errorf("models: %q is not the name of a model on the hub (want owner/name)", c.Model)
	case c.URL == "":
		address = fmt.Sprintf(router, c.Model)
	}
	u, err := wire.Endpoint(address, "the Hugging Face model")
	if err != nil {
		return nil, err
	}
	label := c.Model
	if label == "" {
		label = u.Host + strings.TrimSuffix(u.Path, "/")
	}
	client := wire.NewClient()
	m := &Model{url: address, client: hub.NewInferenceClient(c.Key, func(o *hub.InferenceClientOptions) {
		o.HTTPClient, o.Model = client, address
	})}
	prefixes := wire.Prefixes{Query: c.QueryPrefix, Passage: c.PassagePrefix}
	m.Embedder, err = wire.NewEmbedder(ctx, "huggingface", label, c.Dimension, prefixes, client, m.call)
	return m, err
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
	return nil, &models.Error{Message: "the answer is not a list of vectors, one per text"}
}
