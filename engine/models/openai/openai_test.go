package openai

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/somnograph/somnograph/engine/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// asked is a request that the endpoint received.
type asked struct {
	Path, Key, Model, Encoding string
	Input                      []string
}

// endpoint imitates /v1/embeddings and returns the vectors in reverse order.
func endpoint(t *testing.T, calls *[]asked) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var ask struct {
			Model    string   `json:"model"`
			Input    []string `json:"input"`
			Encoding string   `json:"encoding_format"`
		}
		if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
			t.Error(err)
		}
		*calls = append(*calls, asked{r.URL.Path, r.Header.Get("Authorization"), ask.Model, ask.Encoding, ask.Input})
		var data []map[string]any
		for i, text := range slices.Backward(ask.Input) {
			v := []float32{float32(len(text)), 1, 0}
			var shown any = v
			if ask.Encoding == "base64" {
				raw, err := binary.Append(nil, binary.LittleEndian, v)
				if err != nil {
					t.Error(err)
				}
				shown = base64.StdEncoding.EncodeToString(raw)
			}
			data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": shown})
		}
		w.Header().Set("Content-Type", "application/json")
		err := json.NewEncoder(w).Encode(map[string]any{
			"object": "list", "data": data, "model": ask.Model, "usage": map[string]int{"prompt_tokens": 1, "total_tokens": 1},
		})
		if err != nil {
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
	for _, raw := range []bool{false, true} {
		var calls []asked
		srv := endpoint(t, &calls)
		m := open(t, Config{URL: srv.URL, Model: "nomic-embed-text", Key: "hush", Base64: raw})
		if m.Dimension() != 3 || m.Name() != "openai/nomic-embed-text-3" {
			t.Errorf("model %s of dimension %d", m.Name(), m.Dimension())
		}
		calls = nil
		var texts []string
		for i := range 40 {
			texts = append(texts, strings.Repeat("x", i+1))
		}
		vectors, err := m.Embed(context.Background(), texts, models.Passage)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range vectors {
			if got := float64(v[0] / v[1]); math.Abs(got-float64(i+1)) > 1e-3 {
				t.Errorf("text %d got the vector of %v", i+1, got)
			}
			if n := v[0]*v[0] + v[1]*v[1]; n < 0.999 || n > 1.001 {
				t.Errorf("length² %v", n)
			}
		}
		want := map[bool]string{false: "float", true: "base64"}[raw]
		if len(calls) != 2 || len(calls[0].Input) != 32 || calls[0].Encoding != want || calls[0].Key != "Bearer hush" || calls[0].Model != "nomic-embed-text" {
			t.Errorf("calls %+v", calls)
		}
	}
}

func TestPrefixesAndNoKey(t *testing.T) {
	var calls []asked
	srv := endpoint(t, &calls)
	m := open(t, Config{URL: srv.URL + "/v1", Model: "e5", Dimension: 3, QueryPrefix: "query: ", PassagePrefix: "passage: "})
	if len(calls) != 0 {
		t.Error("a call was made though the dimension was given")
	}
	for kind, want := range map[models.Kind]string{models.Query: "query: tea", models.Passage: "passage: tea"} {
		calls = nil
		if _, err := m.Embed(context.Background(), []string{"tea"}, kind); err != nil {
			t.Fatal(err)
		}
		if calls[0].Input[0] != want || calls[0].Key != "" {
			t.Errorf("%s: %+v", kind, calls[0])
		}
	}
}

func TestAddresses(t *testing.T) {
	for given, want := range map[string]string{
		"http://h":                               "http://h/v1/embeddings",
		"http://h/":                              "http://h/v1/embeddings",
		"http://h:11434/v1":                      "http://h:11434/v1/embeddings",
		"https://h/openai/v1/":                   "https://h/openai/v1/embeddings",
		"https://h/v1/embeddings":                "https://h/v1/embeddings",
		"https://h/d/x/embeddings?api-version=1": "https://h/d/x/embeddings?api-version=1",
	} {
		if m := open(t, Config{URL: given, Model: "m", Dimension: 1}); m.url != want {
			t.Errorf("%s became %s, want %s", given, m.url, want)
		}
	}
	for name, c := range map[string]Config{
		"no URL":    {Model: "m"},
		"no model":  {URL: "http://h"},
		"no scheme": {URL: "h:80/v1", Model: "m"},
		"a file":    {URL: "file:///x", Model: "m"},
	} {
		c.Dimension = 1
		if _, err := New(context.Background(), c); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestServersThatWriteNoIndex(t *testing.T) {
	out, err := decode(strings.NewReader(`{"data":[{"embedding":[1,0]},{"embedding":[0,1]}]}`), 2)
	if err != nil || out[0][0] != 1 || out[1][1] != 1 {
		t.Errorf("%v, %v", out, err)
	}
}

func TestWhatGoesWrong(t *testing.T) {
	for _, c := range []struct {
		name, body string
		status     int
		temporary  bool
	}{
		{"rate limit", `{"error":{"message":"slow down","type":"requests","code":"rate_limit_exceeded"}}`, 429, true},
		{"broken", "", 500, true},
		{"key", `{"error":{"message":"Incorrect key","code":"invalid_api_key"}}`, 401, false},
		{"too few", `{"data":[{"index":0,"embedding":[1,0]}]}`, 200, false},
		{"an index twice", `{"data":[{"index":0,"embedding":[1,0]},{"index":0,"embedding":[1,0]}]}`, 200, false},
		{"an index too high", `{"data":[{"index":0,"embedding":[1,0]},{"index":2,"embedding":[1,0]}]}`, 200, false},
		{"an index too low", `{"data":[{"index":-1,"embedding":[1,0]},{"index":1,"embedding":[1,0]}]}`, 200, false},
		{"wrong dimension", `{"data":[{"index":0,"embedding":[1,0,0]},{"index":1,"embedding":[1,0,0]}]}`, 200, false},
		{"no vector", `{"data":[{"index":0},{"index":1}]}`, 200, false},
		{"null", `{"data":[{"index":0,"embedding":null},{"index":1,"embedding":[1,0]}]}`, 200, false},
		{"zeros", `{"data":[{"index":0,"embedding":[0,0]},{"index":1,"embedding":[1,0]}]}`, 200, false},
		{"too large a number", `{"data":[{"index":0,"embedding":[1e60,0]},{"index":1,"embedding":[1,0]}]}`, 200, false},
		{"no base64", `{"data":[{"index":0,"embedding":"???"},{"index":1,"embedding":"???"}]}`, 200, false},
		{"half a float", `{"data":[{"index":0,"embedding":"AAA="},{"index":1,"embedding":"AAA="}]}`, 200, false},
		{"NaN in bytes", `{"data":[{"index":0,"embedding":"AADAfwAAAAA="},{"index":1,"embedding":"AADAfwAAAAA="}]}`, 200, false},
		{"a page", `<html>`, 200, false},
		{"nothing", ``, 200, false},
		{"another call's answer", `{"choices":[]}`, 200, false},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body) // the client is under test
		}))
		m := open(t, Config{URL: srv.URL, Model: "m", Dimension: 2})
		_, err := m.Embed(context.Background(), []string{"the secret text", "another"}, models.Query)
		var e *models.Error
		if !errors.As(err, &e) || e.Temporary != c.temporary {
			t.Errorf("%s: %v", c.name, err)
			srv.Close()
			continue
		}
		if c.status != 200 && (e.Status != c.status || e.RetryAfter != time.Second) || c.status == 200 && e.Status != 0 {
			t.Errorf("%s: %+v", c.name, e)
		}
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error contains the text", c.name)
		}
		srv.Close()
	}
}
