package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// staticModel makes a static model of six words in three dimensions, in which ferry and vessel
// are similar.
func staticModel(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	vocab := map[string]int{"[UNK]": 0, "ferry": 1, "vessel": 2, "bread": 3, "loaf": 4, "line": 5}
	rows := [][]float32{{0, 0, 0}, {1, 0, 0}, {0.9, 0.1, 0}, {0, 1, 0}, {0.1, 0.9, 0}, {0, 0, 1}}
	var data []byte
	for _, r := range rows {
		for _, x := range r {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	head, err := json.Marshal(map[string]any{"embeddings": map[string]any{"dtype": "F32", "shape": []int{len(rows), 3}, "data_offsets": []int{0, len(data)}}})
	if err != nil {
		t.Fatal(err)
	}
	tokenizer, err := json.Marshal(map[string]any{
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 20, "vocab": vocab},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"model.safetensors": append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), data...), "tokenizer.json": tokenizer,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// haltingModel is an embedding endpoint that stops answering after some calls, until resume.
type haltingModel struct {
	*httptest.Server
	mu      sync.Mutex
	left    int
	texts   map[string]int // calls per text
	reached chan struct{}  // closed by the first call that gets no answer
	once    sync.Once
}

func newHaltingModel(t *testing.T, calls int) *haltingModel {
	h := &haltingModel{left: calls, texts: map[string]int{}, reached: make(chan struct{})}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		h.mu.Lock()
		h.left--
		halted := h.left < 0
		if !halted {
			for _, text := range in.Input {
				h.texts[text]++
			}
		}
		h.mu.Unlock()
		if halted {
			h.once.Do(func() { close(h.reached) })
			<-r.Context().Done()
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		}
		var out struct {
			Data []item `json:"data"`
		}
		for i := range in.Input {
			out.Data = append(out.Data, item{i, []float64{1, float64(i), 0, 1}})
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(out) // the server may have been killed
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *haltingModel) resume() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = 1 << 30
}

// asked returns the number of calls per text.
func (h *haltingModel) asked() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.texts)
}

// The memories are embedded with another model although the server is killed on the way, and
// then with a third. Every start finds vectors of one model.
func TestReembedSurvivesAKill(t *testing.T) {
	dir, static := t.TempDir(), staticModel(t)
	model := newHaltingModel(t, 2) // one for the dimension, one for the first page
	allow := []string{"--models-allow", model.URL + "," + static}
	s := start(t, dir, allow...)
	ferry := remember(t, s.client(), "The ferry leaves at eight.")
	for i := range 69 {
		remember(t, s.client(), fmt.Sprintf("Line %d of the log of buoy %d.", i, i*i))
	}
	target := []string{"--kind", "openai", "--url", model.URL, "--model", "small"}
	ask := func(s *server, args ...string) (int, string) {
		var out, errs bytes.Buffer
		var environ []string
		if args[1] == "openai" {
			environ = append(environ, "SOMNOGRAPH_REEMBED_TOKEN=hush")
		}
		code := run(t.Context(), append([]string{"reembed", "--addr", s.url}, args...), environment{&out, &errs, environ})
		return code, out.String() + errs.String()
	}
	if _, err := s.client().Reembed(t.Context(), client.Model{Kind: "openai", URL: model.URL, Model: "small"}); err != nil {
		t.Fatal(err)
	}
	<-model.reached
	if at, err := s.client().Reembedding(t.Context()); err != nil || !at.Running || at.Complete || at.Done != 32 || at.Total != 70 {
		t.Fatalf("%+v, %v", at, err)
	}
	found := func(s *server, query string) {
		t.Helper()
		r, err := s.client().Search(t.Context(), client.Search{Query: query, TopK: 1})
		if err != nil || len(r.Hits) != 1 || r.Hits[0].Memory.ID != ferry {
			t.Errorf("%q finds %+v, %v", query, r, err)
		}
	}
	found(s, "when does the ferry leave")
	s.signal(syscall.SIGKILL)
	s.exit()

	model.resume()
	s = start(t, dir, allow...)
	found(s, "when does the ferry leave")
	code, said := ask(s, target...)
	if code != exitOK || !strings.Contains(said, "embedded 70 memories with openai/small-4") || !strings.Contains(said, "--embedder-kind openai --embedder-url "+model.URL+" --embedder-model small") {
		t.Fatalf("code %d: %s", code, said)
	}
	s.stop()
	if strings.Contains(s.log.String(), "hush") {
		t.Error("the secret is in the log")
	}
	for text, n := range model.asked() {
		if n != 1 && text != "dimension" {
			t.Errorf("%q was embedded %d times", text, n)
		}
	}

	s = start(t, dir, "--embedder-kind", "openai", "--embedder-url", model.URL, "--embedder-model", "small", "--models-allow", static)
	found(s, "when does the ferry leave")
	if code, said := ask(s, "--kind", "static", "--model", static); code != exitOK {
		t.Fatalf("code %d: %s", code, said)
	}
	s.stop()
	var errs bytes.Buffer
	if code := run(t.Context(), []string{"serve", "--addr", "127.0.0.1:0", "--data", dir}, environment{&bytes.Buffer{}, &errs, nil}); code == exitOK || !strings.Contains(errs.String(), "openai/small-4") {
		t.Errorf("a third model opens it: code %d, %s", code, errs.String())
	}
	s = start(t, dir, "--embedder-kind", "static", "--embedder-model", static)
	found(s, "vessel") // no word of it
	s.stop()
}

func TestReembedErrors(t *testing.T) {
	empty := t.TempDir()
	s := start(t, t.TempDir(), "--models-allow", empty)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{nil, exitUsage, "--kind"},
		{[]string{"--kind", "hashed"}, exitFailed, "already"},
		{[]string{"--kind", "odd"}, exitFailed, "models.allow"},
		// The answer does not say which of them exists.
		{[]string{"--kind", "static", "--model", t.TempDir()}, exitFailed, "models.allow"},
		{[]string{"--kind", "static", "--model", "/does/not/exist"}, exitFailed, "models.allow"},
		{[]string{"--kind", "static", "--model", empty}, exitFailed, "model.safetensors"},
		{[]string{"--kind", "openai", "--url", "http://127.0.0.1:9/", "--model", "m"}, exitFailed, "models.allow"},
		{[]string{"--kind", "openai", "--url", "file:///etc/passwd", "--model", "m"}, exitFailed, "models.allow"},
	} {
		var errs bytes.Buffer
		code := run(t.Context(), append([]string{"reembed", "--addr", s.url}, c.args...), environment{&bytes.Buffer{}, &errs, nil})
		if code != c.code || !strings.Contains(errs.String(), c.says) {
			t.Errorf("%v: code %d, %s", c.args, code, errs.String())
		}
	}
	s.stop()
}

// The directory of a static model is sent as an absolute path, a model of the hub as it is.
func TestReembedNamesTheModel(t *testing.T) {
	dir, err := filepath.Abs("potion")
	if err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]string{"potion": dir, "hub:owner/potion@v1": "hub:owner/potion@v1"} {
		var sent string
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var in struct {
				Variables struct{ Input client.Model }
			}
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
				t.Error(err)
			}
			sent = in.Variables.Input.Model
			w.Header().Set("Content-Type", "application/json")
			if _, err := io.WriteString(w, `{"data":{"reembed":{"model":"m","complete":true}}}`); err != nil {
				t.Error(err)
			}
		}))
		var out, errs bytes.Buffer
		if code := run(t.Context(), []string{"reembed", "--addr", s.URL, "--kind", "static", "--model", model}, environment{&out, &errs, nil}); code != exitOK || sent != want {
			t.Errorf("%s: code %d, sent %q, want %q: %s", model, code, sent, want, errs.String())
		}
		s.Close()
	}
}
