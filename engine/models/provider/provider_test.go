package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/somnograph/somnograph/engine/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOpenTheBuiltInModel(t *testing.T) {
	for _, c := range []Config{{}, {Kind: Hashed}, {Kind: Hashed, Dimension: 512}} {
		e, err := Open(context.Background(), c)
		if err != nil || e.Dimension() != 512 {
			t.Fatalf("%+v: %v", c, err)
		}
		if err := Close(e); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []Config{
		{Dimension: 384}, {URL: "http://h"}, {Model: "m"}, {Key: "k"}, {Kind: "bert"},
		{Kind: OpenAI}, {Kind: OpenAI, URL: "http://h"}, {Kind: HuggingFace}, {Kind: HuggingFace, URL: "h"},
	} {
		if _, err := Open(context.Background(), c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}

// words writes a static model with two words.
func words(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	header := `{"embeddings":{"dtype":"I8","shape":[2,3],"data_offsets":[0,6]}}`
	tensors := append(append([]byte{byte(len(header)), 0, 0, 0, 0, 0, 0, 0}, header...), 3, 0, 4, 0, 5, 0)
	tokenizer := `{"pre_tokenizer":{"type":"WhitespaceSplit"},"model":{"type":"WordPiece","vocab":{"tea":0,"rain":1}}}`
	for name, data := range map[string][]byte{"model.safetensors": tensors, "tokenizer.json": []byte(tokenizer)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOpenAStaticModel(t *testing.T) {
	dir := words(t)
	for _, dimension := range []int{0, 3} {
		e, err := Open(context.Background(), Config{Kind: Static, Model: dir, Dimension: dimension})
		if err != nil {
			t.Fatal(err)
		}
		v, err := e.Embed(context.Background(), []string{"tea"}, models.Query)
		if err != nil || v[0][0] != 0.6 || v[0][2] != 0.8 {
			t.Errorf("%v, %v", v, err)
		}
		if err := Close(e); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []Config{
		{Kind: Static}, {Kind: Static, Model: t.TempDir()}, {Kind: Static, Model: dir, Dimension: 4},
		{Kind: Static, Model: dir, URL: "http://h"}, {Kind: Static, Model: dir, Key: "k"}, {Kind: Static, Model: dir, QueryPrefix: "q"},
	} {
		if _, err := Open(context.Background(), c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}

// server answers both protocols with vectors of dimension 2, after a number of failures.
func server(t *testing.T, calls, failures *atomic.Int64) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if failures.Add(-1) >= 0 {
			w.Header().Set("Retry-After", "4")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		var ask struct{ Inputs, Input []string }
		if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
			t.Error(err)
		}
		var vectors []string
		for i, text := range append(ask.Inputs, ask.Input...) {
			v := fmt.Sprintf("[%d,1]", len(text))
			if ask.Input != nil {
				v = fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, v)
			}
			vectors = append(vectors, v)
		}
		body := "[" + strings.Join(vectors, ",") + "]"
		if ask.Input != nil {
			body = `{"data":` + body + "}"
		}
		if _, err := io.WriteString(w, body); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

// A model that is away is opened all the same if the store knows its dimension, and answers when it is back.
func TestOpenAModelThatIsAway(t *testing.T) {
	for kind, name := range map[Kind]string{HuggingFace: "huggingface/m-2", OpenAI: "openai/m-2"} {
		for known, opens := range map[string]bool{name: true, "": false, "m": false, "openai/other-2": false, name + "x": false, "hashed-ngram-v1-512": false} {
			var calls, failures atomic.Int64
			failures.Store(100)
			srv := server(t, &calls, &failures)
			e, err := Open(t.Context(), Config{Kind: kind, URL: srv.URL, Model: "m", Known: known})
			if (err == nil) != opens {
				t.Fatalf("%s with %q: %v", kind, known, err)
			}
			if !opens {
				continue
			}
			failures.Store(0)
			if v, err := e.Embed(t.Context(), []string{"tea"}, models.Query); err != nil || len(v[0]) != 2 || e.Name() != name {
				t.Errorf("%s: %v, %v", e.Name(), v, err)
			}
			if err := Close(e); err != nil {
				t.Error(err)
			}
		}
	}
}

// A model that refuses is not away: the server does not start without vectors because of a wrong key.
func TestOpenAModelThatRefuses(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	t.Cleanup(srv.Close)
	if _, err := Open(t.Context(), Config{Kind: OpenAI, URL: srv.URL, Model: "m", Known: "openai/m-2"}); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("%v", err)
	}
}

// All wrappers together, against a real server: a failure is retried, a text is requested
// once, concurrent texts share a call, and an open breaker makes no call.
func TestRemoteModelWithAllWrappers(t *testing.T) {
	for _, kind := range []Kind{HuggingFace, OpenAI} {
		var calls, failures atomic.Int64
		srv := server(t, &calls, &failures)
		var mu sync.Mutex
		var slept []time.Duration
		e, err := Open(context.Background(), Config{
			Kind: kind, URL: srv.URL, Model: "m", Dimension: 2,
			Batch:   models.BatchOptions{Max: 4, Wait: time.Hour}, // only a full group is sent
			Breaker: models.BreakerOptions{Failures: 3},
			Retry: models.RetryOptions{Sleep: func(_ context.Context, d time.Duration) error {
				mu.Lock()
				defer mu.Unlock()
				slept = append(slept, d)
				return nil
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		embed := func(texts ...string) error {
			vectors, err := e.Embed(context.Background(), texts, models.Query)
			if err != nil {
				return err
			}
			for i, v := range vectors {
				if got := v[0] / v[1]; got < float32(len(texts[i]))-0.01 || got > float32(len(texts[i]))+0.01 {
					return fmt.Errorf("the vector of %q is that of length %v", texts[i], got)
				}
			}
			return nil
		}

		failures.Store(2)
		if err := embed("a", "bb", "ccc", "dddd"); err != nil || calls.Load() != 3 || len(slept) != 2 || slept[0] != 4*time.Second {
			t.Errorf("%s: %v after %d calls, slept %v", kind, err, calls.Load(), slept)
		}
		if err := embed("dddd", "a"); err != nil || calls.Load() != 3 {
			t.Errorf("%s: a cached vector was requested: %v, %d calls", kind, err, calls.Load())
		}
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				if err := embed(strings.Repeat("x", 10+i)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if calls.Load() != 4 {
			t.Errorf("%s: %d calls for four at once", kind, calls.Load()-3)
		}
		failures.Store(1000)
		if err := embed("1", "22", "333", "4444"); !models.Temporary(err) {
			t.Errorf("%s: three failures: %v", kind, err)
		}
		before := calls.Load()
		if err := embed("5", "66", "777", "8888"); !errors.Is(err, models.ErrOpen) || calls.Load() != before {
			t.Errorf("%s: open: %v, %d calls", kind, err, calls.Load()-before)
		}
		if err := embed("a"); err != nil {
			t.Errorf("%s: a cached vector is not returned while the breaker is open: %v", kind, err)
		}
		if err := Close(e); err != nil {
			t.Error(err)
		}
	}
}
