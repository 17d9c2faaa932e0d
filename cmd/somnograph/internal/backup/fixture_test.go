package backup_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

const storeID = "0123456789abcdef0123456789abcdef"

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// secrets keeps secrets in memory. Goroutines may share them.
type secrets struct {
	lock  sync.Mutex
	named map[string][]byte
}

func newSecrets() *secrets { return &secrets{named: map[string][]byte{}} }

func (s *secrets) Read(name string) ([]byte, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.named[name], nil
}

func (s *secrets) Write(name string, content []byte) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.named[name] = content
	return nil
}

func (s *secrets) Fill(b []byte) error { _, err := rand.Read(b); return err }

// get returns a secret, nil if there is none.
func (s *secrets) get(name string) []byte { b, _ := s.Read(name); return b }

// memoryStore opens an empty store in memory.
func memoryStore(t testing.TB) graph.Store {
	t.Helper()
	s := must[*badgerstore.Store](t)(badgerstore.Open("", badgerstore.Options{InMemory: true}))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// world is a store with a backup.
type world struct {
	t       *testing.T
	store   graph.Store
	secrets *secrets
	target  backup.Target
	dir     string
	clock   time.Time
	runner  *backup.Runner
	files   map[string][]byte
}

func newWorld(t *testing.T, store graph.Store) *world {
	w := &world{t: t, store: store, secrets: newSecrets(), dir: t.TempDir(), clock: enginetest.Start, files: map[string][]byte{"access/pepper": []byte("a pepper")}}
	w.target = must[backup.Target](t)(backup.Directory(w.dir, true))
	w.runner = backup.NewRunner(backup.Options{Source: w.maker(), Target: w.target, Now: w.now})
	return w
}

// now is a clock that a boundary moves on.
func (w *world) now() time.Time { w.clock = w.clock.Add(time.Second); return w.clock }

func (w *world) maker() *backup.Maker {
	return &backup.Maker{
		Store: w.store, ID: storeID, Secrets: w.secrets, Now: w.now, Random: rand.Reader,
		Files: func() (map[string][]byte, error) { return w.files, nil },
	}
}

// segment is the file of an object.
func segment(t testing.TB, dir string, generation, number int) string {
	t.Helper()
	found := must[[]string](t)(filepath.Glob(filepath.Join(dir, fmt.Sprintf("%06d/%08d-*.seg", generation, number))))
	if len(found) != 1 {
		t.Fatalf("segment %d of generation %d has the files %v", number, generation, found)
	}
	return found[0]
}

// round makes a boundary and returns its instant.
func (w *world) round(full bool) time.Time {
	w.t.Helper()
	made := must[*backup.Made](w.t)(w.runner.Once(w.t.Context(), full))
	return made.Manifest.At
}

func (w *world) reader() *backup.Reader {
	keys := must[*backup.Keys](w.t)(backup.ReadKeys(w.secrets))
	return must[*backup.Reader](w.t)(backup.Open(w.target, storeID, keys, w.secrets.get("backup-heads")))
}

// restore restores a boundary into a store.
func (w *world) restore(at time.Time, into graph.Store, erased func(graph.Scope, graph.ID) bool) *backup.Restored {
	w.t.Helper()
	r := w.reader()
	p := must[*backup.Point](w.t)(r.Find(w.t.Context(), at, nil))
	return must[*backup.Restored](w.t)((&backup.Restore{Reader: r, Store: into, Erased: erased, Exact: true}).Run(w.t.Context(), p))
}

// state describes everything in a store, row by row.
func state(t testing.TB, s graph.Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := graph.FlushUses(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	for _, tenant := range append(must[[]graph.Tenant](t)(s.Tenants(t.Context())), graph.ServerScope().Tenant) {
		scope := graph.Scope{Tenant: tenant}
		var b strings.Builder
		if _, err := transfer.Export(t.Context(), s, scope, "", &b); err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(b.String(), "\n") {
			if i > 0 { // not the header
				all[fmt.Sprint(tenant, " ", line)] = ""
			}
		}
		all[fmt.Sprint(tenant, " digest")] = must[string](t)(enginetest.Digest(t.Context(), s, scope))
		err := s.View(t.Context(), scope, func(r graph.Reader) error {
			for _, kind := range graph.NoteKinds {
				for n, err := range graph.AllNotes(r, kind, "", false) {
					if err != nil {
						return err
					}
					all[fmt.Sprint(tenant, " ", kind, " ", n.ID)] = string(must[[]byte](t)(transfer.EncodeNote(n)))
				}
			}
			for _, name := range []string{"webhooks", "claims", "sleep.last", "sleep.cycle", "forget.job", "clusters.version", "reembed", "policy.main"} {
				v, err := r.Setting(name)
				if known, err := graph.Found(err); err != nil {
					return err
				} else if known {
					all[fmt.Sprint(tenant, " setting ", name)] = string(v)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// same fails the test if two states differ, and shows the first differences.
func same(t testing.TB, what string, got, want map[string]string) {
	t.Helper()
	shown := 0
	for k, v := range want {
		if g, ok := got[k]; (!ok || g != v) && shown < 3 {
			shown++
			t.Errorf("%s: %.300s\n got %.600s\nwant %.600s", what, k, g, v)
		}
	}
	for k := range got {
		if _, ok := want[k]; !ok && shown < 3 {
			shown++
			t.Errorf("%s: too much: %.600s", what, k)
		}
	}
}

// live is a store's history over some days, with a function called after every part of it.
func live(t *testing.T, store graph.Store, after func(part string)) (erased graph.ID) {
	l := &fixture.Life{T: t, Store: store, Clock: enginetest.NewClock(enginetest.Start), Shelf: enginetest.NewFakeArchive()}
	high := 0.95
	var first, second graph.ID
	part := func(name string, do func(ctx context.Context, e *engine.Engine)) {
		l.WithEngine(store, do)
		after(name)
	}
	part("remember", func(ctx context.Context, e *engine.Engine) {
		first = l.Remember(ctx, e, engine.RememberInput{Content: "Mira is allergic to walnuts.", User: "mira", Entities: []string{"Mira"}, IdempotencyKey: "one"})
		for i := range 3 {
			second = l.Remember(ctx, e, engine.RememberInput{
				Content: fmt.Sprintf("The sluice at the weir was repaired by Tomas for %d euros.", 240+i), User: "mira", Type: graph.Episodic, Salience: &high, Session: fmt.Sprint("s", i),
				Entities: []string{"Tomas", "weir", "sluice"},
			})
			l.Clock.Advance(25 * time.Hour)
		}
	})
	part("observe and use", func(ctx context.Context, e *engine.Engine) {
		for i := range 4 {
			if _, err := e.Observe(ctx, engine.Loopback(), engine.Observation{Session: "talk", Role: "user", User: "mira", Text: fmt.Sprintf("The kettle whistled %d times.", i), Consent: graph.ConsentExplicit}); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Search(ctx, engine.Loopback(), engine.SearchInput{Query: "walnuts", TopK: 1, User: "mira", Track: true}); err != nil {
				t.Fatal(err)
			}
			l.Clock.Advance(24 * time.Hour)
		}
	})
	part("supersede", func(ctx context.Context, e *engine.Engine) {
		if _, err := e.Supersede(ctx, engine.Loopback(), engine.SupersedeInput{ID: second, Content: "The sluice at the weir was repaired by Anna.", Reason: "corrected"}); err != nil {
			t.Fatal(err)
		}
	})
	part("sleep", func(ctx context.Context, e *engine.Engine) {
		l.Clock.Advance(31 * 24 * time.Hour)
		if _, err := e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: true, Wait: true}); err != nil {
			t.Fatal(err)
		}
	})
	part("forget", func(ctx context.Context, e *engine.Engine) {
		if _, err := e.Forget(ctx, engine.Loopback(), engine.ForgetInput{IDs: []graph.ID{first}}); err != nil {
			t.Fatal(err)
		}
	})
	part("after", func(ctx context.Context, e *engine.Engine) {
		l.Remember(ctx, e, engine.RememberInput{Content: "The lane floods in spring.", User: "mira"})
	})
	return first
}
