package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"

	"github.com/somnograph/somnograph/engine/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// get calls a server with the handler h.
func get(t *testing.T, ctx context.Context, c *Client, h http.HandlerFunc) (string, error) {
	t.Helper()
	srv := httptest.NewServer(h)
	defer srv.Close()
	defer c.CloseIdle()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL, strings.NewReader("the secret text"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer the-key")
	res, err := c.Do(req)
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body), nil
}

func typed(t *testing.T, err error) *models.Error {
	t.Helper()
	var e *models.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v (%T) is no *models.Error", err, err)
	}
	return e
}

func TestStatuses(t *testing.T) {
	for _, c := range []struct {
		status    int
		header    http.Header
		body      string
		temporary bool
		after     time.Duration
		says      string
	}{
		{429, http.Header{"Retry-After": {"7"}}, `{"error":"Model is overloaded: the secret text","error_type":"Overloaded"}`, true, 7 * time.Second, "Overloaded"},
		{503, http.Header{"Retry-After": {"Sat, 07 Mar 2026 10:00:30 GMT"}, "Date": {"Sat, 07 Mar 2026 10:00:00 GMT"}}, "", true, 30 * time.Second, ""},
		{503, http.Header{"Retry-After": {"Sat, 07 Mar 2026 09:00:30 GMT"}, "Date": {"Sat, 07 Mar 2026 10:00:00 GMT"}}, "", true, 0, ""},
		{503, http.Header{"Retry-After": {"soon"}}, "", true, 0, ""},
		{503, http.Header{"Retry-After": {"-3"}}, "", true, 0, ""},
		{503, http.Header{"Retry-After": {"99999999999"}}, "", true, 24 * time.Hour, ""},
		{500, nil, "<html>the secret text</html>", true, 0, ""},
		{502, nil, "", true, 0, ""},
		{504, nil, "", true, 0, ""},
		{408, nil, "", true, 0, ""},
		{400, nil, `{"error":{"message":"the secret text is too long","type":"invalid_request_error","code":"context_length_exceeded"}}`, false, 0, "context_length_exceeded"},
		{400, nil, `{"error":{"message":"bad","type":"invalid_request_error","code":null}}`, false, 0, "invalid_request_error"},
		{400, nil, `{"error":{"code":"the secret text"}}`, false, 0, ""},
		{401, nil, `{"error":"Unauthorized"}`, false, 0, ""},
		{413, nil, "", false, 0, ""},
		{204, nil, "", false, 0, ""},
		{302, http.Header{"Location": {"http://127.0.0.1:1/elsewhere"}}, "", false, 0, ""},
	} {
		_, err := get(t, context.Background(), NewClient(), func(w http.ResponseWriter, _ *http.Request) {
			for k, v := range c.header {
				w.Header()[k] = v
			}
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body) // a 204 has no body
		})
		e := typed(t, err)
		if e.Status != c.status || e.Temporary != c.temporary || e.RetryAfter != c.after {
			t.Errorf("%d: %+v", c.status, e)
		}
		if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "the-key") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%d says %q", c.status, err)
		}
	}
}

func TestAnswerIsReadCompletely(t *testing.T) {
	body, err := get(t, context.Background(), NewClient(), func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body) // the client checks it
	})
	if err != nil || body != "the secret text" {
		t.Errorf("%q, %v", body, err)
	}
}

func TestAnOversizedAnswerIsRefused(t *testing.T) {
	c := newClient(&http.Transport{}, Read, 100)
	for _, size := range []int{100, 101, 1 << 20} {
		_, err := get(t, context.Background(), c, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(make([]byte, size)) // the client may disconnect
		})
		if size == 100 {
			if err != nil {
				t.Errorf("%d bytes: %v", size, err)
			}
		} else if e := typed(t, err); e.Temporary || !strings.Contains(e.Message, "100 bytes") {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// hang sends the beginning, if any, and then nothing until the client disconnects.
func hang(beginning string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			return
		}
		if beginning != "" {
			_, _ = io.WriteString(w, beginning)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	}
}

func TestASlowModel(t *testing.T) {
	for _, beginning := range []string{"", "[[0.1,"} {
		_, err := get(t, context.Background(), newClient(&http.Transport{}, 30*time.Millisecond, MaxBody), hang(beginning))
		if e := typed(t, err); !e.Temporary || e.Status != 0 || !strings.Contains(e.Message, "within") {
			t.Errorf("began with %q: %v", beginning, err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		_, err = get(t, ctx, NewClient(), hang(beginning))
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || models.Temporary(err) {
			t.Errorf("began with %q after the caller's deadline: %v", beginning, err)
		}
	}
}

func TestUnreachableModel(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://user:hidden@"+address+"/?token=hidden", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = NewClient().Do(req)
	if e := typed(t, err); !e.Temporary || strings.Contains(err.Error(), "hidden") || !strings.Contains(err.Error(), "refused") {
		t.Errorf("%v", err)
	}
}

func TestBrokenConnection(t *testing.T) {
	_, err := get(t, context.Background(), NewClient(), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, "[[")
		panic(http.ErrAbortHandler)
	})
	if e := typed(t, err); !e.Temporary {
		t.Errorf("%v", err)
	}
}

func TestChunks(t *testing.T) {
	var texts []string
	for i := range 70 {
		texts = append(texts, strings.Repeat("x", i)) // the first is blank
	}
	texts[40] = " \n"
	var sizes []int
	call := func(_ context.Context, chunk []string) ([][]float32, error) {
		sizes = append(sizes, len(chunk))
		out := make([][]float32, len(chunk))
		for i, text := range chunk {
			if !strings.HasPrefix(text, "q: ") {
				t.Fatalf("%q without its prefix", text)
			}
			out[i] = []float32{float32(len(text)), 1}
		}
		return out, nil
	}
	vectors, err := Chunks(context.Background(), texts, "q: ", 2, call)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vectors {
		if blank := i == 0 || i == 40; blank {
			if v[0] != 0 || v[1] != 0 {
				t.Errorf("blank text %d got %v", i, v)
			}
		} else if got := v[0] / v[1]; got < float32(i)+2.99 || got > float32(i)+3.01 {
			t.Errorf("text %d got the vector of length %v", i, got-3)
		}
	}
	if !slices.Equal(sizes, []int{32, 32, 4}) {
		t.Errorf("calls of %v", sizes)
	}
	if v, err := Chunks(context.Background(), nil, "", 2, call); err != nil || len(v) != 0 {
		t.Errorf("no texts: %v, %v", v, err)
	}
}

func TestChunksStopsAtTheFirstFailure(t *testing.T) {
	texts := slices.Repeat([]string{"x"}, 100)
	for name, answer := range map[string]func(n int) ([][]float32, error){
		"an error":        func(int) ([][]float32, error) { return nil, errors.New("no") },
		"too few":         func(n int) ([][]float32, error) { return slices.Repeat([][]float32{{1, 0}}, n-1), nil },
		"wrong dimension": func(n int) ([][]float32, error) { return slices.Repeat([][]float32{{1, 0, 0}}, n), nil },
	} {
		calls := 0
		_, err := Chunks(context.Background(), texts, "", 2, func(_ context.Context, chunk []string) ([][]float32, error) {
			calls++
			return answer(len(chunk))
		})
		if err == nil || calls != 1 {
			t.Errorf("%s: %v after %d calls", name, err, calls)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	_, err := Chunks(ctx, texts, "", 1, func(_ context.Context, chunk []string) ([][]float32, error) {
		calls++
		cancel()
		out := make([][]float32, len(chunk))
		for i := range out {
			out[i] = []float32{1}
		}
		return out, nil
	})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func TestLongTextsAreCutAtACharacter(t *testing.T) {
	_, err := Chunks(context.Background(), []string{strings.Repeat("é", MaxText), "bad\xff"}, "p", 1, func(_ context.Context, chunk []string) ([][]float32, error) {
		if n := len(chunk[0]); n > MaxText || n < MaxText-1 || !utf8.ValidString(chunk[0]) || !utf8.ValidString(chunk[1]) {
			return nil, fmt.Errorf("%d bytes, valid %v and %v", n, utf8.ValidString(chunk[0]), utf8.ValidString(chunk[1]))
		}
		return [][]float32{{1}, {1}}, nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestNames(t *testing.T) {
	plain := Name("openai", "small", 8, Prefixes{})
	if plain != "openai/small-8" {
		t.Errorf("name %q", plain)
	}
	seen := map[string]bool{plain: true}
	for _, p := range []Prefixes{{Query: "q"}, {Passage: "q"}, {Query: "q", Passage: "p"}} {
		name := Name("openai", "small", 8, p)
		if seen[name] || name != Name("openai", "small", 8, p) {
			t.Errorf("%+v: name %q", p, name)
		}
		seen[name] = true
	}
}
