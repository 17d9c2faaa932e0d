// Package chat calls a language model through any endpoint with the chat call of the OpenAI
// API: OpenAI, Ollama, vLLM, llama.cpp and others.
//
// The text of a memory may contain instructions ("ignore what you were told"). Texts are
// therefore sent as JSON strings, separate from the instructions. The answer must be JSON of a
// fixed schema with bounded values, and callers check it against the texts. Errors and logs
// never contain text of a memory.
package chat

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/somnograph/somnograph/engine/breaker"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/internal/wire"
)

// Limits of a call.
const (
	MaxText   = 16 << 10  // bytes of a text; the rest is cut
	MaxAnswer = 256 << 10 // bytes of a response
	MaxTokens = 1024      // tokens of an answer
	cached    = 1024      // answers in the cache
)

// Config selects the model and the endpoint. Zero values of the options mean the defaults.
type Config struct {
	// URL of the API ("http://127.0.0.1:11434/v1"). The default path is /v1. The full path of
	// the call (…/chat/completions) is also valid.
	URL     string
	Model   string // the server's name of the model; required
	Key     string // sent as a bearer token; may be empty
	Retry   models.RetryOptions
	Breaker models.BreakerOptions
}

// Model is a model at an endpoint. It is safe for concurrent use.
type Model struct {
	config Config
	url    string
	http   *wire.Client
	guard  *models.Guard[[]byte]
	cache  *lru.Cache[[sha256.Size]byte, []byte] // by a hash of the request, so that it holds no text of it
	plain  atomic.Bool                           // the server does not support schemas
}

var _ models.Chat = (*Model)(nil)

// New makes a Model without a call. It returns an error if c is invalid.
func New(c Config) (*Model, error) {
	url, err := wire.OpenAI(c.URL, "/chat/completions", "a chat endpoint")
	if err != nil {
		return nil, err
	}
	if c.Model == "" {
		return nil, errors.New("models: a chat endpoint needs the name of a model")
	}
	cache, err := lru.New[[sha256.Size]byte, []byte](cached)
	if err != nil {
		return nil, err
	}
	m := &Model{config: c, url: url, http: wire.NewBounded(MaxAnswer), cache: cache}
	m.guard = models.NewGuard[[]byte](c.Breaker, "CHAT")
	return m, nil
}

// Name returns "chat:" and the name of the model.
func (m *Model) Name() string { return "chat:" + m.config.Model }

// Breaker is the circuit breaker.
func (m *Model) Breaker() *breaker.Breaker { return m.guard.Breaker() }

// Close closes idle connections.
func (m *Model) Close() error {
	m.http.CloseIdle()
	return nil
}

// Purge empties the cache, as an erasure requires.
func (m *Model) Purge() { m.cache.Purge() }

// task is a kind of request to the model.
type task struct {
	name   string // name of the schema
	system string // instructions
	schema string // JSON schema of the answer
}

// ask sends a task with its input to the model and passes the JSON answer to check. An answer
// that check rejects is a failure of the model.
func (m *Model) ask(ctx context.Context, t task, input any, check func([]byte) error) error {
	data, err := json.Marshal(input)
	if err != nil {
		return err
	}
	key := sha256.Sum256(append([]byte(t.name+"\x00"), data...))
	if answer, known := m.cache.Get(key); known {
		return check(answer)
	}
	answer, err := models.Again(ctx, m.config.Retry, func() ([]byte, error) {
		return m.guard.Do(func() ([]byte, error) {
			answer, err := m.complete(ctx, t, string(data))
			if err == nil {
				err = check(answer)
			}
			return answer, err
		})
	})
	if err == nil {
		m.cache.Add(key, answer)
	}
	return err
}

// complete makes one call. If the server rejects the schema, complete repeats the call without
// it, and after a success sends no schema again. The instructions also describe the schema.
func (m *Model) complete(ctx context.Context, t task, input string) ([]byte, error) {
	if m.plain.Load() {
		return m.call(ctx, t, input, false)
	}
	answer, err := m.call(ctx, t, input, true)
	if !models.Refused(err) {
		return answer, err
	}
	answer, again := m.call(ctx, t, input, false)
	if again != nil {
		return nil, err
	}
	m.plain.Store(true)
	return answer, nil
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type request struct {
	Model       string    `json:"model"`
	Messages    []message `json:"messages"`
	Temperature float64   `json:"temperature"`
	MaxTokens   int       `json:"max_tokens"`
	Format      *format   `json:"response_format,omitempty"`
}

type format struct {
	Type   string `json:"type"`
	Schema struct {
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

func (m *Model) call(ctx context.Context, t task, input string, schema bool) ([]byte, error) {
	ask := request{Model: m.config.Model, MaxTokens: MaxTokens, Messages: []message{{"system", t.system}, {"user", input}}}
	if schema {
		ask.Format = &format{Type: "json_schema"}
		ask.Format.Schema.Name, ask.Format.Schema.Strict, ask.Format.Schema.Schema = t.name, true, json.RawMessage(t.schema)
	}
	answer, err := m.http.Post(ctx, m.url, m.config.Key, ask)
	if err != nil {
		return nil, err
	}
	return content(answer)
}

// content returns the model's text without a surrounding Markdown code fence.
func content(r io.Reader) ([]byte, error) {
	var answer struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
	}
	if err := json.NewDecoder(r).Decode(&answer); err != nil {
		return nil, wrong("is not a chat completion")
	}
	if len(answer.Choices) == 0 {
		return nil, wrong("has no choices")
	}
	if first := answer.Choices[0]; first.Finish != "" && first.Finish != "stop" {
		return nil, wrong("was cut off")
	}
	text := strings.TrimSpace(answer.Choices[0].Message.Content)
	if inner, fenced := strings.CutPrefix(text, "```"); fenced {
		inner = strings.TrimPrefix(inner, "json")
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(inner), "```"))
	}
	return []byte(text), nil
}

// decode decodes an answer strictly: unknown fields are errors.
func decode(answer []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	if d.Decode(into) != nil { // the error may quote the answer
		return wrong("does not match the schema")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return wrong("has data after its end")
	}
	return nil
}

func wrong(what string) error {
	return &models.Error{Message: fmt.Sprintf("the answer of the language model %s", what)}
}
