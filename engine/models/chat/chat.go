// Package chat asks a language model through any endpoint that speaks the chat call of the
// OpenAI API: OpenAI, Ollama, vLLM, llama.cpp and others.
//
// A text of a memory may say anything, also "ignore what you were told". So texts travel
// as JSON strings, which nothing inside can close, apart from the instructions; the answer
// must be JSON of one shape; and it is data of a few bounded kinds that who asks checks
// against the texts once more. No text stands in an error or a log.
package chat

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/internal/wire"
)

// The bounds of a call.
const (
	MaxText   = 16 << 10  // bytes of a text that are read, the beginning
	MaxAnswer = 256 << 10 // bytes of an answer with all around it
	MaxTokens = 1024      // that the model may write
	cached    = 1024      // answers that are remembered
)

// Config says which model is called, and where. Zero values of the options mean the
// defaults.
type Config struct {
	// URL of the API ("http://127.0.0.1:11434/v1"). Without a path it is /v1; the path of
	// the call itself (…/chat/completions) may stand there too.
	URL     string
	Model   string // as the server knows it; required
	Key     string // sent as a bearer token; empty for servers that ask for none
	Retry   models.RetryOptions
	Breaker models.BreakerOptions
}

// Model is one model behind one address. It is safe for concurrent use.
type Model struct {
	config Config
	url    string
	http   *wire.Client
	guard  *models.Guard[[]byte]
	cache  *lru.Cache[[sha256.Size]byte, []byte] // by what was asked: it holds no question
	plain  atomic.Bool                           // the server knows no schemas
}

var _ models.Chat = (*Model)(nil)

// New makes a Model; nothing is called. The error says what can't be right in c.
func New(c Config) (*Model, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("models: the URL of a chat endpoint must begin with http:// or https:// and name a host")
	}
	if c.Model == "" {
		return nil, errors.New("models: a chat endpoint needs the name of a model")
	}
	switch path := strings.TrimSuffix(u.Path, "/"); {
	case path == "":
		u.Path = "/v1/chat/completions"
	case !strings.HasSuffix(path, "/chat/completions"):
		u.Path = path + "/chat/completions"
	}
	cache, err := lru.New[[sha256.Size]byte, []byte](cached)
	if err != nil {
		return nil, err
	}
	m := &Model{config: c, url: u.String(), http: wire.NewBounded(MaxAnswer), cache: cache}
	m.guard = models.NewGuard[[]byte](c.Breaker)
	return m, nil
}

// Name is that of the model.
func (m *Model) Name() string { return "chat:" + m.config.Model }

// Close closes the connections that nobody uses.
func (m *Model) Close() error {
	m.http.CloseIdle()
	return nil
}

// Purge forgets every answer, as erasure asks for.
func (m *Model) Purge() { m.cache.Purge() }

// task is something that can be asked.
type task struct {
	name   string // of the schema
	system string // the instructions
	schema string // of the answer, JSON
}

// ask puts a task to the model with its input, and answers the JSON that check takes. An
// answer that check refuses is a failure of the model.
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

// complete makes one call. A server that refuses the schema is asked without one, and
// from then on where that goes well: the instructions say the shape too.
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

// content is what the model wrote, without the fence that some put around JSON.
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
		return nil, wrong("is no chat completion")
	}
	if len(answer.Choices) == 0 {
		return nil, wrong("has no choice")
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

// decode reads an answer that has these fields and no others.
func decode(answer []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(answer))
	d.DisallowUnknownFields()
	if d.Decode(into) != nil { // its error may quote the answer
		return wrong("has not the shape that was asked for")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return wrong("goes on behind its end")
	}
	return nil
}

func wrong(what string) error {
	return &models.Error{Message: fmt.Sprintf("the answer of the language model %s", what)}
}
