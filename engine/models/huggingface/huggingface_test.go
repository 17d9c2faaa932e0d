package huggingface

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/somnograph/somnograph/engine/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// tei imitates Text Embeddings Inference at /embed: {"inputs": […]} in, a list of vectors out,
// 413 for more than 32 texts.
func tei(t *testing.T, dimension int, seen func(r *http.Request, inputs []string)) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var ask struct {
			Inputs []string `json:"inputs"`
		}
		if r.URL.Path != "/embed" || r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&ask) != nil {
			http.Error(w, `{"error":"bad request","error_type":"Validation"}`, http.StatusUnprocessableEntity)
			return
		}
		if len(ask.Inputs) > 32 {
			http.Error(w, `{"error":"batch size","error_type":"Validation"}`, http.StatusRequestEntityTooLarge)
			return
		}
		if seen != nil {
			seen(r, ask.Inputs)
		}
		out := make([][]float32, len(ask.Inputs))
		for i, text := range ask.Inputs {
			out[i] = make([]float32, dimension)
			out[i][len(text)%dimension] = 2 // not of unit length, to detect missing normalisation
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(out); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

func open(t *testing.T, c Config) *Model {
	t.Helper()
	m, err := New(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func TestEmbed(t *testing.T) {
	var inputs []string
	srv := tei(t, 8, func(r *http.Request, in []string) {
		inputs = append(inputs, in...)
		if got := r.Header.Get("Authorization"); got != "Bearer hush" {
			t.Errorf("authorization %q", got)
		}
	})
	m := open(t, Config{URL: srv.URL + "/embed", Model: "BAAI/bge-small-en-v1.5", Key: "hush", QueryPrefix: "query: "})
	if m.Dimension() != 8 || !strings.HasPrefix(m.Name(), "huggingface/BAAI/bge-small-en-v1.5-8+") {
		t.Errorf("model %s of dimension %d", m.Name(), m.Dimension())
	}
	inputs = nil
	var texts []string
	for i := range 70 {
		texts = append(texts, strings.Repeat("x", 1+i%8))
	}
	vectors, err := m.Embed(context.Background(), texts, models.Passage)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vectors {
		for j, x := range v {
			want := float32(0)
			if j == len(texts[i])%8 {
				want = 1
			}
			if math.Abs(float64(x-want)) > 1e-6 {
				t.Fatalf("vector %d is %v", i, v)
			}
		}
	}
	if len(inputs) != 70 || inputs[69] != texts[69] {
		t.Errorf("%d inputs, the last %q", len(inputs), inputs[len(inputs)-1])
	}
	if _, err := m.Embed(context.Background(), []string{"tea?"}, models.Query); err != nil || inputs[70] != "query: tea?" {
		t.Errorf("query %q: %v", inputs[len(inputs)-1], err)
	}
}

func TestNamesWithoutAModel(t *testing.T) {
	srv := tei(t, 4, nil)
	m := open(t, Config{URL: srv.URL + "/embed", Dimension: 4})
	if want := "huggingface/" + strings.TrimPrefix(srv.URL, "http://") + "/embed-4"; m.Name() != want {
		t.Errorf("name %q, want %q", m.Name(), want)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]Config{
		"nothing":   {},
		"no owner?": {Model: "a/b/c"},
		"a path":    {Model: "../etc"},
		"a query":   {Model: "a/b?x=y"},
		"no scheme": {URL: "127.0.0.1:8080/embed"},
		"a file":    {URL: "file:///etc/passwd"},
		"no host":   {URL: "http:///embed"},
	} {
		c.Dimension = 4
		if _, err := New(context.Background(), c); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	m := open(t, Config{Model: "BAAI/bge-small-en-v1.5", Dimension: 384})
	if want := "https://router.huggingface.co/hf-inference/models/BAAI/bge-small-en-v1.5/pipeline/feature-extraction"; m.url != want {
		t.Errorf("hub URL %s", m.url)
	}
}

func TestWhatGoesWrong(t *testing.T) {
	for _, c := range []struct {
		name      string
		answer    http.HandlerFunc
		status    int
		temporary bool
		after     time.Duration
	}{
		{"overloaded", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "2")
			http.Error(w, `{"error":"Model is overloaded","error_type":"Overloaded"}`, http.StatusTooManyRequests)
		}, 429, true, 2 * time.Second},
		{"loading", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":"Model is currently loading","estimated_time":20.0}`, http.StatusServiceUnavailable)
		}, 503, true, 0},
		{"too large", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":"Input validation error","error_type":"Validation"}`, http.StatusRequestEntityTooLarge)
		}, 413, false, 0},
		{"wrong dimension", write(`[[1,0,0]]`), 0, false, 0},
		{"two vectors", write(`[[1,0],[0,1]]`), 0, false, 0},
		{"no vector", write(`[]`), 0, false, 0},
		{"token vectors", write(`[[[1,0],[0,1]]]`), 0, false, 0},
		{"null", write(`[null]`), 0, false, 0},
		{"zeros", write(`[[0,0]]`), 0, false, 0},
		{"a page", write(`<html>welcome</html>`), 0, false, 0},
		{"cut off", write(`[[1,`), 0, false, 0},
		{"an object", write(`{"embeddings":[[1,0]]}`), 0, false, 0},
	} {
		srv := httptest.NewServer(c.answer)
		m := open(t, Config{URL: srv.URL, Model: "m", Dimension: 2})
		_, err := m.Embed(context.Background(), []string{"the secret text"}, models.Query)
		var e *models.Error
		if !errors.As(err, &e) || e.Status != c.status || e.Temporary != c.temporary || e.RetryAfter != c.after {
			t.Errorf("%s: %v", c.name, err)
		}
		if strings.Contains(fmt.Sprint(err), "secret") {
			t.Errorf("%s: the error contains the text: %v", c.name, err)
		}
		srv.Close()
	}
}

func write(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, body) // the client is under test
	}
}

func TestTimeouts(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err == nil {
			<-r.Context().Done()
		}
	}))
	defer srv.Close()
	m := open(t, Config{URL: srv.URL, Model: "m", Dimension: 2})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if _, err := m.Embed(ctx, []string{"tea"}, models.Query); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	var e *models.Error
	srv.CloseClientConnections()
	srv.Close()
	if _, err := New(context.Background(), Config{URL: srv.URL, Model: "m"}); !errors.As(err, &e) || !e.Temporary {
		t.Errorf("a model that is unavailable when its dimension is needed: %v", err)
	}
}
