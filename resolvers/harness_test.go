package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// server is the endpoint over a real engine with a store in memory.
type server struct {
	*enginetest.World
	t       testing.TB
	handler *resolvers.Handler
	http    *httptest.Server
	log     *syncBuffer
}

// start starts a server that ends with the test; change modifies its configuration.
func start(t testing.TB, change ...func(*resolvers.Config)) *server {
	t.Helper()
	return over(t, enginetest.New(t), change...)
}

// over is start with a given world.
func over(t testing.TB, w *enginetest.World, change ...func(*resolvers.Config)) *server {
	t.Helper()
	s := &server{World: w, t: t, log: &syncBuffer{}}
	c := resolvers.Config{
		Verbs:        s.Engine,
		Authenticate: func(*http.Request) (engine.Caller, error) { return engine.Loopback(), nil },
		Advance: func(_ context.Context, by time.Duration) (time.Time, error) {
			s.Clock.Advance(by)
			return s.Engine.Now(), nil
		},
		Development: true,
		Logger:      slog.New(slog.NewTextHandler(s.log, nil)),
		Rand:        rand.NewChaCha8([32]byte{1}),
	}
	for _, f := range change {
		f(&c)
	}
	s.handler = resolvers.NewHandler(c)
	mux := http.NewServeMux()
	mux.Handle("/graphql", s.handler)
	s.http = httptest.NewServer(mux)
	t.Cleanup(func() { s.handler.Close(); s.http.Close() })
	return s
}

// answer is a response.
type answer struct {
	Status int
	Header http.Header
	Body   []byte
	Data   map[string]any
	Errors []fault
}

type fault struct {
	Message    string
	Path       []any
	Extensions map[string]any
}

// code is the code of the first error; "" if there is none.
func (a *answer) code() string {
	if len(a.Errors) == 0 {
		return ""
	}
	code, _ := a.Errors[0].Extensions["code"].(string)
	return code
}

// field is the field of the first error.
func (a *answer) field() string {
	if len(a.Errors) == 0 {
		return ""
	}
	field, _ := a.Errors[0].Extensions["field"].(string)
	return field
}

// at returns the data at a path such as "search.hits.0.memory".
func (a *answer) at(t testing.TB, path string) any {
	t.Helper()
	var v any = a.Data
	for _, key := range strings.Split(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			next, there := at[key]
			if !there {
				t.Fatalf("%s: no %s in %s", path, key, a.Body)
			}
			v = next
		case []any:
			i := int(key[0] - '0')
			if i >= len(at) {
				t.Fatalf("%s: no item %s in %s", path, key, a.Body)
			}
			v = at[i]
		default:
			t.Fatalf("%s: %s is %v in %s", path, key, v, a.Body)
		}
	}
	return v
}

// post sends a body unchanged.
func (s *server) post(body []byte, headers ...string) *answer {
	s.t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.http.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	return s.do(r)
}

func (s *server) do(r *http.Request) *answer {
	s.t.Helper()
	resp, err := s.http.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	a := &answer{Status: resp.StatusCode, Header: resp.Header}
	if a.Body, err = io.ReadAll(resp.Body); err != nil {
		s.t.Fatal(err)
	}
	var parsed struct {
		Data   map[string]any
		Errors []fault
	}
	if len(a.Body) > 0 && strings.Contains(resp.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(a.Body, &parsed); err != nil {
			s.t.Fatalf("the answer is not JSON: %v: %s", err, a.Body)
		}
	}
	a.Data, a.Errors = parsed.Data, parsed.Errors
	return a
}

// ask sends an operation.
func (s *server) ask(query string, variables any) *answer {
	s.t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		s.t.Fatal(err)
	}
	return s.post(body)
}

// must sends an operation that must succeed.
func (s *server) must(query string, variables any) *answer {
	s.t.Helper()
	a := s.ask(query, variables)
	if len(a.Errors) > 0 {
		s.t.Fatalf("%s: %s", query, a.Body)
	}
	return a
}

type vars = map[string]any

const rememberID = `mutation($input: RememberInput!) { remember(input: $input) { memory { id } } }`

// remember writes a memory and returns its id.
func (s *server) remember(content string, more vars) string {
	s.t.Helper()
	input := vars{"content": content, "consent": "EXPLICIT", "onDuplicate": "INSERT"}
	for k, v := range more {
		input[k] = v
	}
	return s.must(rememberID, vars{"input": input}).at(s.t, "remember.memory.id").(string)
}

// verbs wraps the engine so that a test can replace verbs.
type verbs struct {
	resolvers.Verbs
	health   func() (*engine.HealthReport, error)
	wait     func(ctx context.Context) // called in Health, which then returns the error of ctx
	memories func(ids []graph.ID)      // called in each MemoriesByID
	entities func(ids []graph.ID)      // called in each EntitiesByID
	events   func(ctx context.Context, after graph.Cursor, fromNow bool) (<-chan engine.Event, error)
	many     func(in []engine.RememberInput) ([]engine.RememberResult, error)
	sleep    func(ctx context.Context, in engine.SleepInput) (*engine.SleepReport, error)
	steps    func(report graph.ID, first int) ([]engine.SleepStep, error)
	status   func() (*engine.SleepStatus, error)
	progress func(ctx context.Context) (<-chan engine.SleepProgress, error)
	mornings func(ctx context.Context) (<-chan engine.SleepReport, error)
}

func (v *verbs) Sleep(ctx context.Context, c engine.Caller, in engine.SleepInput) (*engine.SleepReport, error) {
	if v.sleep != nil {
		return v.sleep(ctx, in)
	}
	return v.Verbs.Sleep(ctx, c, in)
}

func (v *verbs) SleepSteps(ctx context.Context, c engine.Caller, report graph.ID, first int) ([]engine.SleepStep, error) {
	if v.steps != nil {
		return v.steps(report, first)
	}
	return v.Verbs.SleepSteps(ctx, c, report, first)
}

func (v *verbs) SleepStatus(ctx context.Context, c engine.Caller) (*engine.SleepStatus, error) {
	if v.status != nil {
		return v.status()
	}
	return v.Verbs.SleepStatus(ctx, c)
}

func (v *verbs) SleepProgress(ctx context.Context, c engine.Caller) (<-chan engine.SleepProgress, error) {
	if v.progress != nil {
		return v.progress(ctx)
	}
	return v.Verbs.SleepProgress(ctx, c)
}

func (v *verbs) MorningReports(ctx context.Context, c engine.Caller, after graph.ID) (<-chan engine.SleepReport, error) {
	if v.mornings != nil {
		return v.mornings(ctx)
	}
	return v.Verbs.MorningReports(ctx, c, after)
}

func (v *verbs) Health(ctx context.Context, c engine.Caller) (*engine.HealthReport, error) {
	if v.wait != nil {
		v.wait(ctx)
		return nil, ctx.Err()
	}
	if v.health != nil {
		return v.health()
	}
	return v.Verbs.Health(ctx, c)
}

func (v *verbs) MemoriesByID(ctx context.Context, c engine.Caller, ids []graph.ID, a engine.Access) ([]*engine.View, error) {
	if v.memories != nil {
		v.memories(ids)
	}
	return v.Verbs.MemoriesByID(ctx, c, ids, a)
}

func (v *verbs) EntitiesByID(ctx context.Context, c engine.Caller, ids []graph.ID) ([]*engine.EntityView, error) {
	if v.entities != nil {
		v.entities(ids)
	}
	return v.Verbs.EntitiesByID(ctx, c, ids)
}

func (v *verbs) Events(ctx context.Context, c engine.Caller, after graph.Cursor, fromNow bool, namespaces []string) (<-chan engine.Event, error) {
	if v.events != nil {
		return v.events(ctx, after, fromNow)
	}
	return v.Verbs.Events(ctx, c, after, fromNow, namespaces)
}

func (v *verbs) RememberMany(ctx context.Context, c engine.Caller, in []engine.RememberInput) ([]engine.RememberResult, error) {
	if v.many != nil {
		return v.many(in)
	}
	return v.Verbs.RememberMany(ctx, c, in)
}

// between puts v between the resolvers and the engine.
func between(v *verbs) func(*resolvers.Config) {
	return func(c *resolvers.Config) {
		v.Verbs = c.Verbs
		c.Verbs = v
	}
}

type resolversConfig = resolvers.Config

func production(c *resolvers.Config) { c.Development = false; c.Advance = nil }

// bearer accepts one token.
func bearer(r *http.Request) (engine.Caller, error) {
	if r.Header.Get("Authorization") != "Bearer letmein" {
		return engine.Caller{}, errors.New("no such token")
	}
	return engine.Loopback(), nil
}

// syncBuffer is a log that is safe for concurrent use.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
