package noninterference_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/scene"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/dgraphstore"
	"github.com/somnograph/somnograph/internal/dgraphtest"
	"github.com/somnograph/somnograph/resolvers"
)

var whole = graph.Scope{Tenant: engine.Loopback().Tenant}

// endpoint is a GraphQL endpoint over a world, for one caller at a time.
type endpoint struct {
	*enginetest.World
	t       *testing.T
	caller  engine.Caller
	handler *resolvers.Handler
	follows chan struct{} // gets a value whenever a subscription to the steps of ingests has begun
}

// verbs tells when the steps of ingests are followed: the stream opens before.
type verbs struct {
	*engine.Engine
	follows chan<- struct{}
}

func (v verbs) IngestProgress(ctx context.Context, c engine.Caller, namespaces []string) (<-chan engine.IngestStep, error) {
	steps, err := v.Engine.IngestProgress(ctx, c, namespaces)
	v.follows <- struct{}{}
	return steps, err
}

func open(t *testing.T, store graph.Store) *endpoint {
	t.Helper()
	e := &endpoint{World: enginetest.With(t, enginetest.Options{Store: store, Sweep: 24 * time.Hour}), t: t, caller: engine.Loopback(), follows: make(chan struct{}, 16)}
	maps := scene.NewPool(e.scenes)
	t.Cleanup(maps.Close)
	e.handler = resolvers.NewHandler(resolvers.Config{
		Verbs: verbs{e.Engine, e.follows}, Scenes: maps, Authenticate: func(*http.Request) (engine.Caller, error) { return e.caller, nil },
		Development: true, Rand: rand.NewChaCha8([32]byte{1}),
	})
	t.Cleanup(func() { e.handler.Close() })
	return e
}

// scenes makes the map of a caller, as the server does.
func (e *endpoint) scenes(c engine.Caller) *scene.Server { return e.tiled(c, 0) }

// tiled is scenes with a largest number of nodes in one frame, and in a tile; 0: the defaults.
func (e *endpoint) tiled(c engine.Caller, most int) *scene.Server {
	scope := c.Scope()
	return scene.New(scene.Options{
		MaxSingleFrame: most, TileNodes: most, Source: e.Engine, Caller: c, Logger: slog.New(slog.DiscardHandler),
		Head: func(ctx context.Context) (graph.Cursor, error) {
			cursor, err := e.Store.Head(ctx, scope)
			if err != nil {
				return 0, err
			}
			return cursor, e.Index.WaitFor(ctx, scope, cursor)
		},
		Wait: func(ctx context.Context, after graph.Cursor) error { return e.Store.Wait(ctx, scope, after) },
	})
}

// ask returns the answer to an operation as it is.
func (e *endpoint) ask(query string) string {
	e.t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		e.t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8420/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	e.handler.ServeHTTP(w, r)
	return w.Body.String()
}

// must sends a mutation that must succeed.
func (e *endpoint) must(query string) string {
	e.t.Helper()
	a := e.ask(query)
	if strings.Contains(a, `"errors"`) {
		e.t.Fatalf("%s: %s", query, a)
	}
	return a
}

var (
	namespaces = []string{"default", "side"}
	users      = []string{"", "ana", "bo"}
	people     = []string{"Lina", "Omar", "Petra", "Quentin"}
	places     = []string{"Lisbon", "Oslo", "Riga"}
	things     = []string{"ferry", "heron", "violin", "garden", "budget"}
	statements = []string{
		"{who} lives in {where}.", "{who} works at the {what} office in {where}.", "The {what} of {who} is in {where}.",
		"{who} does not like the {what}.", "I met {who} in {where} about the {what}.", "TODO: ask {who} for the {what} before Friday.",
		"The {what} leaves {where} at {n} o'clock.",
	}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// fill writes a world of two namespaces and two users, with everything that verbs store.
func fill(e *endpoint, r *rand.Rand) {
	e.t.Helper()
	var ids []string
	idOf := func(answer string) string { _, rest, _ := strings.Cut(answer, `"id":"`); return rest[:36] }
	owner := func() string {
		args := fmt.Sprintf("namespace: %q", pick(r, namespaces))
		if u := pick(r, users); u != "" {
			args += fmt.Sprintf(", user: %q", u)
		}
		return args
	}
	for i := range 90 {
		e.Clock.Advance(time.Duration(1+r.IntN(5)) * time.Hour)
		text := strings.NewReplacer("{who}", pick(r, people), "{where}", pick(r, places), "{what}", pick(r, things), "{n}", strconv.Itoa(1+r.IntN(12))).Replace(pick(r, statements))
		switch n := r.IntN(11); {
		case n == 10:
			fillPrivate(e, r, text, owner(), i)
		case n < 6:
			e.must(fmt.Sprintf(`mutation { remember(input: {content: %q, %s, consent: %s, sensitivity: %s, session: "s%d", onDuplicate: INSERT, tags: ["t%d"]}) { memory { id } } }`,
				text, owner(), pick(r, graph.Consents), pick(r, graph.Sensitivities), r.IntN(4), r.IntN(3)))
		case n < 8:
			e.must(fmt.Sprintf(`mutation { observe(input: {session: "talk%d", role: USER, text: %q, consent: EXPLICIT, user: %q}) { __typename } }`, r.IntN(3), text, pick(r, users[1:])))
		case n < 9 && len(ids) > 0:
			e.ask(fmt.Sprintf(`mutation { supersede(input: {id: %q, content: %q}) { memory { id } } }`, pick(r, ids), text))
		default:
			ids = append(ids, idOf(e.must(fmt.Sprintf(`mutation { remember(input: {content: %q, %s, consent: EXPLICIT}) { memory { id } } }`, text, owner()))))
		}
		if i%20 == 19 {
			e.must(fmt.Sprintf(`mutation { ingest(input: {text: %q, path: "notes%d.md", consent: EXPLICIT, user: %q}) { __typename } }`, "# Notes\n\n"+text+"\n\n## Later\n\nMore about "+pick(r, things)+".", i, pick(r, users[1:])))
			e.must(fmt.Sprintf(`mutation { feedback(query: %q, id: %q, relevant: false) { __typename } }`, text, ids[0]))
		}
	}
	for i := range 3 {
		e.ask(fmt.Sprintf(`mutation { adjudicate(input: {fact: "Lina lives in %s.", subject: "Lina", consent: EXPLICIT, evidence: [{text: "She moved there.", confidence: 0.9, source: "letter%d"}]}) { __typename } }`, pick(r, places), i))
	}
	// No turn stays in L0: the servers would write it to L1 at a moment of their own, judged by all that they have.
	for i := range 3 {
		for _, space := range namespaces {
			e.ask(fmt.Sprintf(`mutation { closeSession(session: "talk%d", namespace: %q) { __typename } }`, i, space))
		}
	}
	fillClusters(e, r, 48)
	e.Clock.Advance(24 * time.Hour)
	e.must(`mutation { sleep { __typename } }`)
	fillClusters(e, r, 6) // some join by day
	e.must(fmt.Sprintf(`mutation { forget(input: {ids: [%q]}) { __typename } }`, ids[len(ids)-1]))
	fillReceipts(e)
	e.Clock.Advance(24 * time.Hour)
}

// fillPrivate writes what one agent keeps private: a memory, a turn or a document. Sessions and paths have
// names that others use too.
func fillPrivate(e *endpoint, r *rand.Rand, text, owner string, i int) {
	kept := fmt.Sprintf("%s, agent: %q, private: true, consent: EXPLICIT", owner, pick(r, []string{"bot", "heron"}))
	e.must(fmt.Sprintf(`mutation { remember(input: {content: %q, %s, onDuplicate: INSERT}) { memory { id } } }`, text, kept))
	e.must(fmt.Sprintf(`mutation { observe(input: {session: "talk%d", role: USER, text: %q, %s}) { __typename } }`, r.IntN(3), "I must repair the "+pick(r, things)+" in "+pick(r, places)+" before Friday.", kept))
	e.must(fmt.Sprintf(`mutation { ingest(input: {text: %q, path: "notes%d.md", %s}) { __typename } }`, "# Private notes\n\n"+text, i/20*20+19, kept))
}

// fillClusters writes memories of every owner that mean alike, under two consents and all
// sensitivities. Half of them repeat a rule.
func fillClusters(e *endpoint, r *rand.Rand, n int) {
	for _, space := range namespaces {
		for _, u := range users {
			for i := range n {
				e.Clock.Advance(time.Minute)
				text := fmt.Sprintf(pick(r, []string{"On day %d Ada said that the winch must never run above 12 knots of wind.", "On day %d we heard that the winch must never run above 12 knots of wind."}), r.IntN(1000))
				if i%2 == 0 {
					text = fmt.Sprintf("%s tunes the violin for concert %d in the old chapel of %s.", pick(r, people), r.IntN(1000), pick(r, places))
				}
				owner := fmt.Sprintf("namespace: %q", space)
				if u != "" {
					owner += fmt.Sprintf(", user: %q", u)
				}
				e.must(fmt.Sprintf(`mutation { remember(input: {content: %q, %s, consent: %s, sensitivity: %s, onDuplicate: INSERT}) { memory { id } } }`,
					text, owner, pick(r, graph.Consents[:2]), pick(r, graph.Sensitivities)))
			}
		}
	}
}

// row is a line of an export, as far as it decides who may see it.
type row struct {
	Memory *struct {
		ID, Namespace, User, Consent, Sensitivity string
		Entities                                  []string
		History                                   []struct{ Status string }
		Edges                                     []struct{ To string }
	}
	Entity   *struct{ ID, Namespace, User string }
	Relation *struct {
		Source, Target string
		Memories       []string
	}
	Note *struct {
		Kind      graph.NoteKind
		Namespace string
		Memories  []string
		Data      []byte
	}
}

// without copies a world into an empty store, but what a caller may not see. It is written apart from graph.Sight: it
// removes the lines of an export, and knows nothing of readers. Notes of the kinds in part are part of the world.
func without(t *testing.T, from, to graph.Store, c engine.Caller, part ...graph.NoteKind) graph.Store {
	t.Helper()
	var text bytes.Buffer
	if _, err := transfer.Export(t.Context(), from, whole, "", &text); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(text.String(), "\n"), "\n")
	head, body := lines[0], lines[1:len(lines)-1]
	rows := make([]row, len(body))
	agents := c.User != "" || c.Agent != ""
	owned := func(namespace, owner string) bool {
		user, agent, private := strings.Cut(owner, "\x1f")
		return (c.Namespaces == nil || slices.Contains(c.Namespaces, namespace)) && (c.User == "" || user == "" || user == c.User) &&
			(!private || !agents || agent == c.Agent)
	}
	limited, classes := c.Namespaces != nil || agents || c.Consents != nil || c.Sensitivity != "", c.Consents != nil || c.Sensitivity != ""
	level := func(s string) int { return slices.Index(graph.Sensitivities, graph.Sensitivity(s)) }
	left, erased, mentioned, entities := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range body {
		if err := json.Unmarshal([]byte(body[i]), &rows[i]); err != nil {
			t.Fatal(err)
		}
		if m := rows[i].Memory; m != nil {
			gone := m.History[len(m.History)-1].Status == "FORGOTTEN"
			hidden := !owned(m.Namespace, m.User)
			if !gone {
				hidden = hidden || c.Consents != nil && !slices.Contains(c.Consents, graph.Consent(m.Consent)) || c.Sensitivity != "" && level(m.Sensitivity) > level(string(c.Sensitivity))
			}
			left[m.ID], erased[m.ID] = !hidden, gone
			for _, e := range m.Entities {
				mentioned[e] = mentioned[e] || !hidden
			}
		}
	}
	var kept []string
	for i, x := range rows {
		keep, line := true, body[i]
		switch {
		case !limited:
		case x.Memory != nil:
			if keep = left[x.Memory.ID]; keep {
				line = rewrite(t, line, "memory", "Edges", func(v any) bool { return left[v.(map[string]any)["To"].(string)] })
				line = rewrite(t, line, "memory", "Supersedes", func(v any) bool { return left[v.(string)] })
				line = rewrite(t, line, "memory", "SupersededBy", func(v any) bool { return left[v.(string)] })
			}
		case x.Entity != nil:
			keep = owned(x.Entity.Namespace, x.Entity.User) && (!classes || mentioned[x.Entity.ID])
			entities[x.Entity.ID] = keep
		case x.Relation != nil:
			keep = entities[x.Relation.Source] && entities[x.Relation.Target]
			states := func(id string) bool { return left[id] && !erased[id] }
			if keep = keep && (len(x.Relation.Memories) == 0 || slices.ContainsFunc(x.Relation.Memories, states)); keep {
				line = rewrite(t, line, "relation", "Memories", func(v any) bool { return states(v.(string)) })
			}
		case x.Note != nil && strings.HasPrefix(string(x.Note.Kind), "CLUSTER"):
			keep = owned(x.Note.Namespace, "") // what a sleep stored of a namespace is part of the world
		case x.Note != nil && slices.Contains(part, x.Note.Kind):
		case x.Note != nil:
			var of struct{ User string }
			_ = json.Unmarshal(x.Note.Data, &of) // data of an erased memory is gone
			about := len(x.Note.Memories) > 0
			keep = owned(x.Note.Namespace, of.User) && (about || x.Note.Namespace != "" && !classes) &&
				!slices.ContainsFunc(x.Note.Memories, func(id string) bool { return !left[id] })
		}
		if keep {
			kept = append(kept, line)
		}
	}
	restore(t, to, head, kept)
	copyReceipts(t, from, to, func(r *graph.Receipt, ids []graph.ID) bool {
		hidden := func(id graph.ID) bool { return !left[string(id)] }
		return !limited || r.Owner == c.Owns(r.ID) || c.Admin && r.Count > 0 && r.Status == graph.DeletionComplete && !slices.ContainsFunc(ids, hidden)
	})
	return to
}

// rewrite keeps the items of a list of a line that pass, or empties a single id that does not.
func rewrite(t *testing.T, line, kind, field string, pass func(any) bool) string {
	t.Helper()
	var x map[string]map[string]any
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&x); err != nil {
		t.Fatal(err)
	}
	switch v := x[kind][field].(type) {
	case []any:
		x[kind][field] = slices.DeleteFunc(v, func(v any) bool { return !pass(v) })
	case string:
		if v == "" || pass(v) {
			return line
		}
		x[kind][field] = ""
	default:
		return line
	}
	b, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

// restore imports lines into a store.
func restore(t *testing.T, store graph.Store, head string, lines []string) {
	t.Helper()
	sum := sha256.New()
	var counts transfer.Summary
	for _, l := range lines {
		_, _ = io.WriteString(sum, l) // a hash never fails
		var x map[string]struct{ Edges []any }
		if json.Unmarshal([]byte(l), &x) != nil {
			continue
		}
		count(&counts, x)
	}
	end, err := json.Marshal(map[string]any{"end": struct {
		transfer.Summary
		SHA256 string `json:"sha256"`
	}{counts, hex.EncodeToString(sum.Sum(nil))}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = transfer.Import(t.Context(), store, whole, enginetest.Start.AddDate(1, 0, 0), nil, strings.NewReader(head+strings.Join(lines, "")+string(end)+"\n"))
	if err != nil {
		t.Fatal(err)
	}
}

func count(s *transfer.Summary, line map[string]struct{ Edges []any }) {
	for kind, x := range line {
		switch kind {
		case "entity":
			s.Entities++
		case "memory":
			s.Memories++
			s.Edges += len(x.Edges)
		case "relation":
			s.Relations++
		case "note":
			s.Notes++
		case "setting":
			s.Settings++
		}
	}
}

// newStore opens an empty embedded store.
func newStore(t *testing.T) graph.Store {
	t.Helper()
	s, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	return closing(t, s, err)
}

// wholeStore opens the empty store of a whole world: an embedded one, but in a process of TestOnDgraph its cluster, which has one
// world at a time.
func wholeStore(t *testing.T) graph.Store {
	t.Helper()
	addr, clear := dgraphtest.Given()
	if addr == "" {
		return newStore(t)
	}
	if err := clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := dgraphstore.Open(t.Context(), []string{addr}, dgraphstore.Options{})
	return closing(t, s, err)
}

// closing closes a store that was opened when the test ends.
func closing(t *testing.T, s graph.Store, err error) graph.Store {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
