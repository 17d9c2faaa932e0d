package instance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/demo"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

var now = time.Date(2026, 8, 20, 9, 30, 0, 0, time.UTC)

func options(dir string) Options {
	return Options{
		Dir: dir, Source: func() time.Time { return now },
		Engine: engine.Options{Embedder: hashed.New(), Logger: slog.New(slog.DiscardHandler)},
	}
}

func open(t *testing.T, o Options) *Instance {
	t.Helper()
	in, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func shut(t *testing.T, in *Instance) {
	t.Helper()
	if err := in.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func remember(t *testing.T, in *Instance, content string) graph.ID {
	t.Helper()
	r, err := in.Engine.Remember(t.Context(), engine.Loopback(), engine.RememberInput{Content: content, Consent: graph.ConsentExplicit})
	if err != nil {
		t.Fatal(err)
	}
	return r.Memory.ID
}

func TestReopenFindsMemories(t *testing.T) {
	dir := t.TempDir()
	in := open(t, options(dir))
	id := remember(t, in, "The winch sticks again.")
	shut(t, in)
	in = open(t, options(dir))
	defer shut(t, in)
	res, err := in.Engine.Search(t.Context(), engine.Loopback(), engine.SearchInput{Query: "winch"})
	if err != nil || len(res.Hits) != 1 || res.Hits[0].Memory.ID != id {
		t.Errorf("hits = %+v, %v", res, err)
	}
}

func TestLockedDirectory(t *testing.T) {
	dir := t.TempDir()
	in := open(t, options(dir))
	defer shut(t, in)
	_, err := Open(t.Context(), options(dir))
	if !errors.Is(err, graph.ErrLocked) || !strings.Contains(err.Error(), "in use by another somnograph") || !strings.Contains(err.Error(), dir) {
		t.Errorf("error = %v", err)
	}
}

func TestUnavailableCluster(t *testing.T) {
	err := Options{Dgraph: []string{"10.0.0.1:9080", "10.0.0.2:9080"}}.explainDgraph(fmt.Errorf("%w: connection\n refused", graph.ErrUnavailable))
	if want := "Dgraph at 10.0.0.1:9080, 10.0.0.2:9080 does not answer"; !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") || !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("error = %v", err)
	}
	if other := errors.New("the schema is too new"); (Options{}).explainDgraph(other) != other {
		t.Error("another error is hidden")
	}
}

func TestDamagedStore(t *testing.T) {
	dir := t.TempDir()
	in := open(t, options(dir))
	remember(t, in, "something that will be damaged")
	shut(t, in)
	var tables []string
	err := filepath.WalkDir(filepath.Join(dir, "store"), func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".sst") {
			tables = append(tables, path)
		}
		return err
	})
	if err != nil || len(tables) == 0 {
		t.Fatalf("no table to damage: %v", err)
	}
	raw, err := os.ReadFile(tables[0])
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2] ^= 1
	if err := os.WriteFile(tables[0], raw, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), options(dir))
	if !errors.Is(err, graph.ErrIntegrity) || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("error = %v, want one that says damaged", err)
	}
}

func TestASimulatedClockOutlivesARestart(t *testing.T) {
	dir := t.TempDir()
	o := options(dir)
	o.SimulatedClock = true
	in := open(t, o)
	if _, err := in.Advance(30 * 24 * time.Hour); err != nil {
		t.Fatal(err)
	}
	remember(t, in, "said in the future")
	shut(t, in)
	in = open(t, o)
	if want := now.AddDate(0, 0, 30); in.Engine.Now().Before(want) {
		t.Errorf("Now = %s, want at least %s", in.Engine.Now(), want)
	}
	shut(t, in)
	// Without the flag the clock is real, but never before the last recorded instant.
	in = open(t, options(dir))
	defer shut(t, in)
	if in.Advance != nil {
		t.Error("a real clock can be moved")
	}
	if in.Engine.Now().Before(now.AddDate(0, 0, 30)) || in.Ahead < 29*24*time.Hour {
		t.Errorf("Now = %s, ahead %s: before the last recorded instant", in.Engine.Now(), in.Ahead)
	}
}

func TestTheDemoWorldIsLoadedOnce(t *testing.T) {
	dir := t.TempDir()
	o, calls := options(dir), 0
	o.Demo = func(int, int) { calls++ }
	in := open(t, o)
	world, err := demo.Read()
	if err != nil {
		t.Fatal(err)
	}
	if calls != world.Len() {
		t.Errorf("%d steps were reported, want %d", calls, world.Len())
	}
	first := check(t, in)
	shut(t, in)
	in = open(t, o)
	defer shut(t, in)
	if calls != world.Len() {
		t.Error("the world was loaded twice")
	}
	if again := check(t, in); again != first {
		t.Errorf("%d memories after a restart, %d before", again, first)
	}
}

// check checks the demo world over the engine and returns the number of its memories.
func check(t *testing.T, in *Instance) int {
	t.Helper()
	scene, err := in.Engine.Scene(t.Context(), engine.Loopback(), nil)
	if err != nil {
		t.Fatal(err)
	}
	types, versions, used := map[graph.Type]int{}, 0, 0
	for _, d := range scene.Nodes {
		types[d.Type]++
		versions = max(versions, d.Version)
		if d.Usage.Count > 0 {
			used++
		}
		if !d.RecordedAt.Before(now) || d.RecordedAt.Before(demo.StartDate(now)) {
			t.Fatalf("%s was recorded at %s, not in the half year before %s", d.ID, d.RecordedAt, now)
		}
	}
	if len(types) != len(graph.Types) || versions < 5 || used < 50 {
		t.Errorf("types %v, longest chain %d, used %d", types, versions, used)
	}
	res, err := in.Engine.Search(t.Context(), engine.Loopback(), engine.SearchInput{Query: "up to what wind may Heron fly", Namespaces: []string{"kites"}})
	if err != nil || len(res.Hits) == 0 {
		t.Fatalf("search: %v", err)
	}
	found := false
	for _, h := range res.Hits[:min(3, len(res.Hits))] {
		found = found || strings.Contains(h.Memory.Content, "14 metres per second, the number we began with")
	}
	if !found {
		t.Errorf("the current wind limit is not among the first three hits; the best is %q", res.Hits[0].Memory.Content)
	}
	return len(scene.Nodes)
}

// The demo world leaves work for every phase of the reader's first sleep, and a dry run of it says
// what that sleep does.
func TestTheDemoWorldHasWorkForASleep(t *testing.T) {
	o := options(t.TempDir())
	o.Demo = func(int, int) {}
	in := open(t, o)
	defer shut(t, in)
	sleep := func(dry bool) *engine.SleepReport {
		r, err := in.Engine.Sleep(t.Context(), engine.Loopback(), engine.SleepInput{Deep: true, Wait: true, DryRun: dry})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	figures := func(r *engine.SleepReport) map[string]int {
		return map[string]int{
			"reinforced": r.Reinforced, "pruned": r.Pruned, "deduplicated": r.Deduplicated, "promoted": r.Promoted, "engraved": r.Engraved,
			"dreamed": r.Dreamed, "consolidated": r.Consolidated, "derived": r.Derived, "saved": r.TokensSaved,
		}
	}
	dry := figures(sleep(true))
	wet := figures(sleep(false))
	for name, n := range wet {
		if n <= 0 || dry[name] != n {
			t.Errorf("%s: %d, the dry run said %d", name, n, dry[name])
		}
	}
}

func TestADemoThatWasInterruptedIsFinished(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	o := options(dir)
	o.Demo = func(done, total int) {
		if done == total/2 {
			cancel()
		}
	}
	if _, err := Open(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("error = %v, want context.Canceled", err)
	}
	o.Demo = func(int, int) {}
	in := open(t, o)
	defer shut(t, in)
	whole := open(t, Options{Dir: t.TempDir(), Engine: o.Engine, Source: o.Source, Demo: o.Demo})
	defer shut(t, whole)
	if got, want := check(t, in), check(t, whole); got != want {
		t.Errorf("%d memories, want %d", got, want)
	}
}

func TestAStoreWithMemoriesGetsNoDemo(t *testing.T) {
	dir := t.TempDir()
	in := open(t, options(dir))
	remember(t, in, "mine")
	shut(t, in)
	o := options(dir)
	o.Demo = func(int, int) { t.Error("the demo world was loaded into a store with memories") }
	in = open(t, o)
	defer shut(t, in)
	scene, err := in.Engine.Scene(t.Context(), engine.Loopback(), nil)
	if err != nil || len(scene.Nodes) != 1 {
		t.Errorf("%d memories, %v, want 1", len(scene.Nodes), err)
	}
}

// Uses that were counted just before a crash are known to the index when the directory is opened
// again: a sleep must not archive what was used a second before.
func TestUsesBeforeACrashAreIndexed(t *testing.T) {
	dir, crashed := t.TempDir(), t.TempDir()
	in := open(t, options(dir))
	id := remember(t, in, "The winch sticks again.")
	shut(t, in)
	shut(t, open(t, options(dir))) // from here on the snapshot of the index has the memory
	s, err := badgerstore.Open(filepath.Join(dir, "store"), badgerstore.Options{FoldEvery: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	scope := graph.Scope{Tenant: engine.Loopback().Tenant}
	if err := s.CountUses(t.Context(), scope, []graph.ID{id}, graph.Use{At: now}); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(crashed, os.DirFS(dir)); err != nil { // the directory as kill -9 leaves it
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	in = open(t, options(crashed))
	defer shut(t, in)
	head, err := in.Store.Head(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Index.WaitFor(t.Context(), scope, head); err != nil {
		t.Fatal(err)
	}
	if d, found := in.Index.Doc(scope, id); !found || d.Lineage.Usage.Count != 1 || !d.Lineage.Usage.Last.Equal(now) {
		t.Errorf("the index has %+v", d)
	}
}

// After a clock that was ahead, time stands still until the machine's clock has caught up: health is
// movable is a clock that can be moved while an instance reads it.
type movable struct {
	mu sync.Mutex
	at time.Time
}

func clockAt(at time.Time) *movable { return &movable{at: at} }

func (c *movable) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *movable) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

func (c *movable) advance(d time.Duration) { c.set(c.now().Add(d)) }

// lines is a log that can be read while an instance writes it.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// CRITICAL and says how long, the log says it once, and a lifetime does not end meanwhile.
func TestClockThatWasAhead(t *testing.T) {
	dir := t.TempDir()
	o := options(dir)
	at := clockAt(now.Add(3 * time.Hour))
	o.Source = at.now
	in := open(t, o)
	r, err := in.Engine.Remember(t.Context(), engine.Loopback(), engine.RememberInput{Content: "The gate is open.", Consent: graph.ConsentExplicit, TTLSeconds: new(3600)})
	if err != nil {
		t.Fatal(err)
	}
	shut(t, in)

	at.set(now)
	var log lines
	o.Engine.Logger = slog.New(slog.NewTextHandler(&log, nil))
	in = open(t, o)
	defer shut(t, in)
	if !strings.Contains(log.String(), "time stands still") || !strings.Contains(log.String(), "ahead=3h0m0s") {
		t.Errorf("the log has\n%s", log.String())
	}
	health := func(status string, seconds any) {
		t.Helper()
		h, err := in.Engine.Health(t.Context(), engine.Loopback())
		if err != nil || h.Status != status || h.Details["clockAheadSeconds"] != seconds {
			t.Errorf("%s: %s, %v, %v", at.now(), h.Status, h.Details["clockAheadSeconds"], err)
		}
	}
	status := func(want graph.Status) {
		t.Helper()
		v, err := in.Engine.Memory(t.Context(), engine.Loopback(), r.Memory.ID, engine.Access{})
		if err != nil || v.State.Status != want {
			t.Errorf("%s: %s, %v, want %s", at.now(), v.State.Status, err, want)
		}
	}
	health("CRITICAL", int64(3*3600))
	at.set(now.Add(2 * time.Hour)) // an hour and more after the write, on the machine's clock
	health("CRITICAL", int64(3600))
	status(graph.Active)
	at.set(now.Add(3 * time.Hour))
	health("HEALTHY", nil)
	at.set(now.Add(4*time.Hour + time.Second))
	status(graph.Expired)
}

// An index of another model, or with a damaged name of its model, is rebuilt, and the log says so.
func TestRebuiltIndexIsLogged(t *testing.T) {
	dir := t.TempDir()
	in := open(t, options(dir))
	remember(t, in, "The gate is open.")
	shut(t, in)
	if err := os.WriteFile(filepath.Join(dir, "index", "model"), []byte("hashes"), 0o600); err != nil {
		t.Fatal(err)
	}
	var log lines
	o := options(dir)
	o.Engine.Logger = slog.New(slog.NewTextHandler(&log, nil))
	shut(t, open(t, o))
	if !strings.Contains(log.String(), "rebuilt from the store") {
		t.Errorf("the log has\n%s", log.String())
	}
}

// A directory from which the store was removed is refused; an empty one would look healthy.
func TestDirectoryWithoutItsStore(t *testing.T) {
	dir := t.TempDir()
	shut(t, open(t, options(dir)))
	if err := os.Rename(filepath.Join(dir, "store"), filepath.Join(dir, "away")); err != nil {
		t.Fatal(err)
	}
	for range 2 { // a refused start leaves nothing that makes the next one pass
		if _, err := Open(t.Context(), options(dir)); err == nil || !strings.Contains(err.Error(), "has index/ but not store/") {
			t.Fatalf("error is %v", err)
		}
	}
	if err := os.Rename(filepath.Join(dir, "away"), filepath.Join(dir, "store")); err != nil {
		t.Fatal(err)
	}
	shut(t, open(t, options(dir)))
}
