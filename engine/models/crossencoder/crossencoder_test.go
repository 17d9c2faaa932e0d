package crossencoder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/models"
)

// serve answers with the result of say for each call.
func serve(t *testing.T, say func(path, key string, ask map[string]any) (status int, body string)) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var ask map[string]any
		if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
			t.Error(err)
		}
		status, body := say(r.URL.Path, r.Header.Get("Authorization"), ask)
		w.WriteHeader(status)
		if _, err := io.WriteString(w, body); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func open(t *testing.T, c Config) *Model {
	t.Helper()
	m, err := New(c)
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

func TestTextEmbeddingsInference(t *testing.T) {
	url := serve(t, func(path, key string, ask map[string]any) (int, string) {
		if path != "/rerank" || key != "" || ask["query"] != "who?" || ask["truncate"] != true || fmt.Sprint(ask["texts"]) != "[ada bo]" || ask["model"] != nil || ask["documents"] != nil {
			t.Errorf("%s %q %v", path, key, ask)
		}
		return 200, `[{"index":1,"score":0.9},{"index":0,"score":0.25}]`
	})
	got, err := open(t, Config{URL: url}).Rerank(t.Context(), "who?", []string{"ada", "bo"})
	if err != nil || !slices.Equal(got, []float64{0.25, 0.9}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestServersThatWantAModel(t *testing.T) {
	url := serve(t, func(path, key string, ask map[string]any) (int, string) {
		if path != "/v1/rerank" || key != "Bearer secret" || ask["model"] != "bge" || fmt.Sprint(ask["documents"]) != "[ada bo]" || ask["texts"] != nil {
			t.Errorf("%s %q %v", path, key, ask)
		}
		return 200, `{"results":[{"index":0,"relevance_score":2},{"index":1,"relevance_score":-1}]}`
	})
	m := open(t, Config{URL: url + "/v1/rerank", Model: "bge", Key: "secret"})
	if m.Name() != "crossencoder:bge" {
		t.Errorf("%s", m.Name())
	}
	got, err := m.Rerank(t.Context(), "who?", []string{"ada", "bo"})
	if err != nil || math.Abs(got[0]-1/(1+math.Exp(-2))) > 1e-12 || math.Abs(got[1]-1/(1+math.E)) > 1e-12 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestLongAndBrokenTextsAreCut(t *testing.T) {
	url := serve(t, func(_, _ string, ask map[string]any) (int, string) {
		text := ask["texts"].([]any)[0].(string)
		if len(text) > MaxText || len(text) < MaxText-3 || !utf8.ValidString(text) {
			t.Errorf("%d bytes", len(text))
		}
		return 200, `[{"index":0,"score":1}]`
	})
	m := open(t, Config{URL: url})
	if _, err := m.Rerank(t.Context(), "q", []string{"x" + strings.Repeat("ü", MaxText)}); err != nil {
		t.Error(err)
	}
	if got, err := m.Rerank(t.Context(), "q", nil); err != nil || len(got) != 0 {
		t.Errorf("no text: %v, %v", got, err)
	}
}

func TestInvalidAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		status    int
		body      string
		temporary bool
	}{
		"no JSON":         {200, `nonsense`, false},
		"too few":         {200, `[{"index":0,"score":1}]`, false},
		"one twice":       {200, `[{"index":0,"score":1},{"index":0,"score":1}]`, false},
		"an index beyond": {200, `[{"index":0,"score":1},{"index":2,"score":1}]`, false},
		"no index":        {200, `[{"index":0,"score":1},{"score":1}]`, false},
		"no score":        {200, `[{"index":0,"score":1},{"index":1}]`, false},
		"refused":         {403, `go away`, false},
		"busy":            {503, `later`, true},
	} {
		url := serve(t, func(string, string, map[string]any) (int, string) { return c.status, c.body })
		_, err := open(t, Config{URL: url}).Rerank(t.Context(), "q", []string{"a", "b"})
		var typed *models.Error
		if !errors.As(err, &typed) || models.Temporary(err) != c.temporary {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInvalidAddresses(t *testing.T) {
	for _, url := range []string{"", "host", "ftp://h", "http://"} {
		if _, err := New(Config{URL: url}); err == nil {
			t.Errorf("%q was taken", url)
		}
	}
}

func TestBreakerStopsCalls(t *testing.T) {
	calls := 0
	url := serve(t, func(string, string, map[string]any) (int, string) { calls++; return 500, "" })
	r := models.BreakRerank(open(t, Config{URL: url}), models.BreakerOptions{Failures: 2})
	for range 5 {
		if _, err := r.Rerank(context.Background(), "q", []string{"a"}); err == nil {
			t.Fatal("it answered")
		}
	}
	if _, err := r.Rerank(context.Background(), "q", []string{"a"}); !errors.Is(err, models.ErrOpen) || calls != 2 {
		t.Errorf("%v after %d calls", err, calls)
	}
}
