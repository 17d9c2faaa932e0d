// Package crossencoder scores how well texts answer a question, through an endpoint: a Text
// Embeddings Inference server ("/rerank"), or a server with the rerank call of Cohere and
// Jina, such as vLLM, llama.cpp or Infinity.
package crossencoder

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/internal/wire"
)

// MaxText is the limit of a text in bytes; the rest is cut. Cross-encoders read a few hundred
// tokens.
const MaxText = 4 << 10

// Config selects the model and the endpoint.
type Config struct {
	// URL with its path ("http://127.0.0.1:8080/rerank"). The default path is /rerank.
	URL string
	// Model is the server's name of the model; empty for Text Embeddings Inference, which serves
	// one model.
	Model string
	// Key is sent as a bearer token; may be empty.
	Key string
}

// Model is a model at an endpoint. It is safe for concurrent use.
type Model struct {
	config Config
	url    string
	name   string
	http   *wire.Client
}

var _ models.Reranker = (*Model)(nil)

// New makes a Model without a call. It returns an error if c is invalid.
func New(c Config) (*Model, error) {
	u, err := wire.Endpoint(c.URL, "a reranker")
	if err != nil {
		return nil, err
	}
	if strings.TrimSuffix(u.Path, "/") == "" {
		u.Path = "/rerank"
	}
	name := c.Model
	if name == "" {
		name = u.Host + u.Path
	}
	return &Model{config: c, url: u.String(), name: "crossencoder:" + name, http: wire.NewClient()}, nil
}

// Name returns the name of the model, or the address if it has none.
func (m *Model) Name() string { return m.name }

// Close closes idle connections.
func (m *Model) Close() error {
	m.http.CloseIdle()
	return nil
}

// request has the fields of both protocols. Servers that require a model name call the texts
// documents.
type request struct {
	Model     string   `json:"model,omitempty"`
	Query     string   `json:"query"`
	Documents []string `json:"documents,omitempty"`
	Texts     []string `json:"texts,omitempty"`
	Truncate  *bool    `json:"truncate,omitempty"`
}

// Rerank scores all texts in one call. It cuts texts at MaxText bytes. If any score is outside
// [0,1], all scores are treated as logits and mapped by the logistic function, which keeps
// their order.
func (m *Model) Rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	cut := make([]string, len(texts))
	for i, t := range texts {
		cut[i] = wire.Begin(t, MaxText)
	}
	ask := request{Model: m.config.Model, Query: wire.Begin(question, MaxText)}
	if m.config.Model != "" {
		ask.Documents = cut
	} else {
		yes := true
		ask.Texts, ask.Truncate = cut, &yes
	}
	answer, err := m.http.Post(ctx, m.url, m.config.Key, ask)
	if err != nil {
		return nil, err
	}
	return decode(answer, len(texts))
}

// ranked is the score of one text in a response.
type ranked struct {
	Index     *int     `json:"index"`
	Score     *float64 `json:"score"`
	Relevance *float64 `json:"relevance_score"`
}

// decode reads a list of ranked texts, or an object with such a list in results. Each of the n
// texts must occur once, with a finite score.
func decode(r io.Reader, n int) ([]float64, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var list []ranked
	if json.Unmarshal(data, &list) != nil {
		var answer struct {
			Results []ranked `json:"results"`
		}
		if err := json.Unmarshal(data, &answer); err != nil {
			return nil, &models.Error{Message: "the answer of the reranker is not a list of scores"}
		}
		list = answer.Results
	}
	if len(list) != n {
		return nil, &models.Error{Message: fmt.Sprintf("received %d scores for %d texts", len(list), n)}
	}
	scores, seen, logits := make([]float64, n), make([]bool, n), false
	for _, x := range list {
		score := x.Score
		if score == nil {
			score = x.Relevance
		}
		if x.Index == nil || *x.Index < 0 || *x.Index >= n || seen[*x.Index] || score == nil || math.IsNaN(*score) || math.IsInf(*score, 0) {
			return nil, &models.Error{Message: "the answer of the reranker does not give each text one score"}
		}
		scores[*x.Index], seen[*x.Index] = *score, true
		logits = logits || *score < 0 || *score > 1
	}
	if logits {
		for i, x := range scores {
			scores[i] = 1 / (1 + math.Exp(-x))
		}
	}
	return scores, nil
}
