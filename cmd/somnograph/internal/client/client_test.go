package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/importer"
)

func serve(t *testing.T, h http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	c, err := New(s.URL+"/", Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func answer(t *testing.T, status int, media, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		if _, err := io.WriteString(w, body); err != nil {
			t.Error(err)
		}
	}
}

func TestDoSendsAndDecodes(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var got struct {
			Query     string
			Variables map[string]int
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		if r.URL.Path != "/graphql" || r.Method != http.MethodPost || got.Query != "query" || got.Variables["n"] != 7 {
			t.Errorf("%s %s %+v", r.Method, r.URL, got)
		}
		answer(t, 200, "application/graphql-response+json; charset=utf-8", `{"data":{"n":8}}`)(w, r)
	})
	var out struct{ N int }
	if err := c.Do(t.Context(), "query", map[string]int{"n": 7}, &out); err != nil || out.N != 8 {
		t.Errorf("out = %+v, %v", out, err)
	}
}

func TestErrorsOfTheServer(t *testing.T) {
	body := `{"errors":[{"message":"must not be empty","extensions":{"code":"INVALID_REQUEST","field":"content"}}],"data":null}`
	for _, status := range []int{200, 400, 422} {
		err := serve(t, answer(t, status, "application/json", body)).Do(t.Context(), "q", nil, &struct{}{})
		var e *Error
		if !errors.As(err, &e) || e.Code != "INVALID_REQUEST" || e.Field != "content" || err.Error() != "INVALID_REQUEST: content: must not be empty" {
			t.Errorf("%d: error = %v", status, err)
		}
	}
}

func TestWhatIsNoSomnographIsSaidSo(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"a page":   answer(t, 200, "text/html", "<html>"),
		"not JSON": answer(t, 200, "application/json", "<html>"),
		"404":      answer(t, 404, "text/plain", "404"),
	} {
		if err := serve(t, h).Do(t.Context(), "q", nil, &struct{}{}); err == nil || !strings.Contains(err.Error(), "not from a Somnograph server") {
			t.Errorf("%s: error = %v", name, err)
		}
	}
	err := serve(t, answer(t, 503, "text/plain", "starting")).Do(t.Context(), "q", nil, &struct{}{})
	var e *Error
	if !errors.As(err, &e) || e.Code != "UNAVAILABLE" {
		t.Errorf("503: error = %v, want UNAVAILABLE", err)
	}
}

func TestNoServerIsSaidSo(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close() // the port is free now
	c, err := New(s.URL, Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = c.Do(t.Context(), "q", nil, &struct{}{})
	var none *UnreachableError
	if !errors.As(err, &none) || !strings.Contains(err.Error(), "somnograph serve") || !strings.Contains(err.Error(), s.URL) {
		t.Errorf("error = %v", err)
	}
}

func TestACancelledRequestIsNoMissingServer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := serve(t, func(http.ResponseWriter, *http.Request) { cancel() })
	cancel()
	if err := c.Do(ctx, "q", nil, &struct{}{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want context.Canceled", err)
	}
}

func TestAddresses(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:8420":         "http://127.0.0.1:8420",
		"http://localhost:1/":    "http://localhost:1",
		"https://a.example/base": "https://a.example/base",
	} {
		c, err := New(addr, Options{})
		if err != nil || c.URL() != want {
			t.Errorf("New(%q) = %v, %v, want %s", addr, c, err, want)
		}
	}
	for _, addr := range []string{"", "ftp://a.example", "http://", "http://bad host"} {
		if _, err := New(addr, Options{}); err == nil {
			t.Errorf("New(%q) gave no error", addr)
		}
	}
}

// A server that can't write some memories of a batch now is asked for them again, and never
// counts as one that refused them.
func TestRememberManyRetriesMemories(t *testing.T) {
	waits := retryWaits
	retryWaits = []time.Duration{0, 0}
	t.Cleanup(func() { retryWaits = waits })
	for _, x := range []struct {
		name   string
		failed int // how often "late" can't be written
		want   string
	}{{"in time", 2, ""}, {"never", 9, "UNAVAILABLE: the store is full"}} {
		t.Run(x.name, func(t *testing.T) {
			failed, sent := x.failed, map[string]int{}
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				var got struct {
					Variables struct{ Input []importer.Memory }
				}
				if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
					t.Error(err)
				}
				var results []string
				for _, m := range got.Variables.Input {
					sent[m.Content]++
					switch {
					case m.Content == "bad":
						results = append(results, `{"error":{"code":"INVALID_REQUEST","message":"bad"}}`)
					case m.Content == "late" && failed > 0:
						failed--
						results = append(results, `{"error":{"code":"UNAVAILABLE","message":"the store is full"}}`)
					default:
						results = append(results, `{"memory":{"id":"`+m.Content+`"}}`)
					}
				}
				answer(t, 200, "application/json", `{"data":{"rememberMany":[`+strings.Join(results, ",")+`]}}`)(w, r)
			})
			out, err := c.RememberMany(t.Context(), []importer.Memory{{Content: "bad"}, {Content: "late"}, {Content: "good"}})
			if x.want != "" {
				if err == nil || err.Error() != x.want {
					t.Errorf("error = %v, want %s", err, x.want)
				}
				return
			}
			if err != nil || len(out) != 3 || out[0].Err == nil || out[1].ID != "late" || out[2].ID != "good" {
				t.Errorf("outcomes %+v, %v", out, err)
			}
			if sent["good"] != 1 || sent["bad"] != 1 || sent["late"] != 3 {
				t.Errorf("sent %v", sent)
			}
		})
	}
}
