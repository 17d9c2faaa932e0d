package client_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/client"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/resolvers"
)

// url is the address of the server of the examples.
var url string

func TestMain(m *testing.M) {
	var tb process
	s := serve(&tb)
	url = s.URL
	code := m.Run()
	tb.end()
	os.Exit(code)
}

// server is the real handler over a real engine, in front of which answers can be lost.
type server struct {
	*httptest.Server
	world *enginetest.World
	lose  atomic.Int64 // answers that are still to be lost
	calls atomic.Int64
}

// serve starts a server that ends with the test.
func serve(t testing.TB) *server {
	w := enginetest.New(t)
	h := resolvers.NewHandler(resolvers.Config{
		Verbs:        w.Engine,
		Authenticate: func(*http.Request) (engine.Caller, error) { return engine.Loopback(), nil },
		Rand:         rand.NewChaCha8([32]byte{1}),
	})
	s := &server{world: w}
	mux := http.NewServeMux()
	mux.HandleFunc("/graphql", func(w http.ResponseWriter, r *http.Request) {
		s.calls.Add(1)
		if s.lose.Add(-1) >= 0 {
			h.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
		h.ServeHTTP(w, r)
	})
	s.Server = httptest.NewUnstartedServer(mux)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	t.Cleanup(func() { h.Close(); s.Close() })
	return s
}

func (s *server) client(t *testing.T, options ...client.Option) *client.Client {
	t.Helper()
	c, err := client.New(s.URL, append([]client.Option{client.WithConsent(client.ConsentExplicit), client.WithRetry(8, 1, 1000)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// process is a testing.TB for what lives as long as the process.
type process struct {
	testing.TB
	cleanups []func()
}

func (p *process) Helper()                           {}
func (p *process) Cleanup(f func())                  { p.cleanups = append(p.cleanups, f) }
func (p *process) Context() context.Context          { return context.Background() }
func (p *process) Fatal(args ...any)                 { log.Fatal(args...) }
func (p *process) Fatalf(format string, args ...any) { log.Fatalf(format, args...) }
func (p *process) Errorf(format string, args ...any) { log.Fatalf(format, args...) }
func (p *process) Error(args ...any)                 { log.Fatal(args...) }
func (p *process) Logf(format string, args ...any)   { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func (p *process) end() {
	for i := len(p.cleanups) - 1; i >= 0; i-- {
		p.cleanups[i]()
	}
}
