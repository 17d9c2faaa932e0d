package backup_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

func TestRestoreEqualsATwinAtEveryBoundary(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	boundaries, twins := map[string]time.Time{}, map[string]map[string]string{}
	n := 0
	live(t, w.store, func(part string) {
		boundaries[part] = w.round(n == 4) // the fifth begins a generation
		twins[part] = state(t, w.store)
		n++
	})
	for part, at := range boundaries {
		for kind, into := range map[string]graph.Store{"badger": memoryStore(t), "model": storetest.NewModel()} {
			got := w.restore(at, into, nil)
			same(t, part+" into "+kind, state(t, into), twins[part])
			if string(got.Files["access/pepper"]) != "a pepper" || !got.At.Equal(at) {
				t.Errorf("%s: restored %+v", part, got)
			}
		}
		// Between two boundaries the earlier one is meant.
		into := memoryStore(t)
		w.restore(at.Add(time.Millisecond), into, nil)
		same(t, part+" a moment later", state(t, into), twins[part])
	}
	into := memoryStore(t)
	w.restore(time.Time{}, into, nil)
	same(t, "the end", state(t, into), twins["after"])
	// Nothing happened: no object.
	before := must[[]string](t)(w.target.List(t.Context()))
	w.round(false)
	if after := must[[]string](t)(w.target.List(t.Context())); len(after) != len(before) {
		t.Errorf("an idle round wrote %d objects", len(after)-len(before))
	}
	_, err := w.reader().Find(t.Context(), enginetest.Start, nil)
	if err == nil || !strings.Contains(err.Error(), "the backup begins at") {
		t.Errorf("before the beginning: %v", err)
	}
}

func TestForgottenContentDoesNotReturn(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	var before time.Time
	gone := live(t, w.store, func(part string) {
		if at := w.round(false); part == "sleep" {
			before = at
		}
	})
	into := memoryStore(t)
	got := w.restore(before, into, func(_ graph.Scope, id graph.ID) bool { return id == gone })
	if got.Withheld != 1 {
		t.Errorf("%d memories are withheld", got.Withheld)
	}
	m := must[*graph.Memory](t)(memory(t, into, gone))
	if strings.Contains(fmt.Sprint(*m), "walnut") {
		t.Errorf("it is back: %+v", m)
	}
	// Without the ledger it would be.
	plain := memoryStore(t)
	w.restore(before, plain, nil)
	if m := must[*graph.Memory](t)(memory(t, plain, gone)); !strings.Contains(m.Content, "walnut") {
		t.Errorf("the backup does not have it: the test shows nothing: %+v", m)
	}
	// The last boundary has the stub.
	last := memoryStore(t)
	w.restore(time.Time{}, last, nil)
	if m := must[*graph.Memory](t)(memory(t, last, gone)); m.Status() != graph.Forgotten {
		t.Errorf("%+v", m)
	}
}

func memory(t testing.TB, s graph.Store, id graph.ID) (m *graph.Memory, err error) {
	err = s.View(t.Context(), engine.Loopback().Scope(), func(r graph.Reader) (err error) { m, err = r.Memory(id); return err })
	return m, err
}

func TestVerifyComparesARestoreWithTheBackup(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	live(t, w.store, func(string) { w.round(false) })
	r := w.reader()
	p := must[*backup.Point](t)(r.Find(t.Context(), time.Time{}, nil))
	v := must[*backup.Verified](t)(backup.Verify(t.Context(), r, p, memoryStore(t), nil))
	if v.Compared < 20 || v.Restored.Memories < 8 {
		t.Errorf("compared %d rows, restored %d memories", v.Compared, v.Restored.Memories)
	}
	if _, err := backup.Verify(t.Context(), r, p, w.store, nil); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("into a store with data: %v", err)
	}
}

func TestCutSwappedForeignAndDamagedSegmentsAreRefused(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	live(t, w.store, func(string) { w.round(false) })
	other := newWorld(t, memoryStore(t))
	live(t, other.store, func(string) { other.round(false) })
	names := must[[]string](t)(w.target.List(t.Context()))
	seg := func(n int) string { return segment(t, w.dir, 1, n) }
	read := func(path string) []byte { t.Helper(); return must[[]byte](t)(os.ReadFile(path)) }
	whole := map[string][]byte{}
	for _, name := range names {
		whole[name] = read(filepath.Join(w.dir, name))
	}
	write := func(path string, b []byte) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		spoil func()
		want  string
	}{
		"missing": {func() { must[any](t)(nil, os.Remove(seg(2))) }, "is missing: the backup was cut; the newest boundary before it is restored with --at 20"},
		"cut":     {func() { b := read(seg(2)); write(seg(2), b[:len(b)-9]) }, "damaged or cut"},
		"empty":   {func() { write(seg(2), nil) }, "damaged or cut"},
		"flipped": {func() { b := read(seg(2)); b[len(b)/2] ^= 1; write(seg(2), b) }, "damaged or cut"},
		"swapped": {func() { a, b := read(seg(2)), read(seg(3)); write(seg(2), b); write(seg(3), a) }, "swapped"},
		"foreign": {func() { write(seg(2), read(segment(t, other.dir, 1, 2))) }, "foreign"},
		"manifest": {func() {
			b := read(filepath.Join(w.dir, "000001/manifest"))
			b[len(b)-3] ^= 1
			write(filepath.Join(w.dir, "000001/manifest"), b)
		}, "signature is wrong"},
		"other manifest": {func() {
			write(filepath.Join(w.dir, "000001/manifest"), read(filepath.Join(other.dir, "000001/manifest")))
		}, "signature is wrong"},
	} {
		c.spoil()
		_, err := w.reader().Find(t.Context(), time.Time{}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if name != "manifest" && name != "other manifest" && !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("%s is not an integrity error: %v", name, err)
		}
		for name, b := range whole {
			write(filepath.Join(w.dir, name), b)
		}
	}
	// An older manifest with its segments is a valid backup that ends earlier. The keys know better.
	into := memoryStore(t)
	live(t, into, func(string) {})
	w.store = into
	w.reader()
	w2 := newWorld(t, memoryStore(t))
	var old []byte
	live(t, w2.store, func(part string) {
		w2.round(false)
		if part == "sleep" {
			old = read(filepath.Join(w2.dir, "000001/manifest"))
		}
	})
	write(filepath.Join(w2.dir, "000001/manifest"), old)
	if _, err := w2.reader().Find(t.Context(), time.Time{}, nil); err == nil || !strings.Contains(err.Error(), "its end was cut off") {
		t.Errorf("an older end: %v", err)
	}
	older := w2.reader()
	older.Older = true
	end := must[*backup.Point](t)(older.Find(t.Context(), time.Time{}, nil)).At
	if at := must[*backup.Point](t)(w2.reader().Find(t.Context(), end, nil)).At; !at.Equal(end) { // what follows is not asked for
		t.Errorf("the end of an older copy is %s and %s", end, at)
	}
}

// Positions of a restored store, and of an older copy of a data directory, name other commits than
// those of the backup. Segments do not follow it: a full export begins a new generation.
func TestARestoredStoreBeginsAGeneration(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	maker := func(store graph.Store, dir string) *backup.Runner {
		m := w.maker()
		m.Store, m.Dir = store, dir
		return backup.NewRunner(backup.Options{Source: m, Target: w.target, Now: w.now})
	}
	data := t.TempDir()
	w.runner = maker(w.store, data)
	var middle time.Time
	live(t, w.store, func(part string) {
		if at := w.round(false); part == "supersede" {
			middle = at
		}
	})
	if m := must[*backup.Made](t)(maker(w.store, data).Once(t.Context(), false)); m.Manifest.Generation != 1 || m.Changed {
		t.Errorf("a new process begins generation %d", m.Manifest.Generation)
	}
	restored := memoryStore(t)
	w.restore(middle, restored, nil)
	runner := maker(restored, t.TempDir())
	if m := must[*backup.Made](t)(runner.Once(t.Context(), false)); m.Manifest.Generation != 2 {
		t.Errorf("the restored store goes on in generation %d", m.Manifest.Generation)
	}
	must[graph.Cursor](t)(restored.Update(t.Context(), graph.Scope{Tenant: engine.Loopback().Tenant}, func(tx graph.Tx) error {
		return tx.PutSetting("policy.branch", []byte("another history"))
	}))
	if m := must[*backup.Made](t)(runner.Once(t.Context(), false)); m.Manifest.Generation != 2 || !m.Changed {
		t.Errorf("its next segment is in generation %d", m.Manifest.Generation)
	}
	into := memoryStore(t)
	w.restore(time.Time{}, into, nil)
	same(t, "the other history", state(t, into), state(t, restored))
}

func TestABackupOfAnotherStoreIsNotContinued(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	live(t, w.store, func(string) {})
	w.round(false)
	m := w.maker()
	m.ID, m.Secrets = strings.Repeat("ab", 16), newSecrets()
	_, err := backup.NewRunner(backup.Options{Source: m, Target: w.target, Now: w.now}).Once(t.Context(), false)
	if err == nil || !strings.Contains(err.Error(), "choose another target") {
		t.Errorf("error is %v", err)
	}
}

// A round that fails before its manifest leaves objects that do not belong to the backup.
func TestAnInterruptedRoundIsMadeAgain(t *testing.T) {
	store := memoryStore(t)
	w := newWorld(t, store)
	n := 0
	live(t, store, func(part string) {
		n++
		if n == 3 {
			failing := backup.NewRunner(backup.Options{Source: w.maker(), Target: &failingTarget{Target: w.target}, Now: w.now})
			if _, err := failing.Once(t.Context(), false); !errors.Is(err, errTarget) {
				t.Errorf("error is %v", err)
			}
			if s := failing.Status(); s.Err == "" || s.Target != "directory" || !s.Last.IsZero() {
				t.Errorf("status %+v", s)
			}
			return
		}
		w.round(false)
	})
	into := memoryStore(t)
	w.restore(time.Time{}, into, nil)
	same(t, "behind an interrupted round", state(t, into), state(t, store))
	if s := w.runner.Status(); s.Err != "" || s.Last.IsZero() {
		t.Errorf("status %+v", s)
	}
}

var errTarget = errors.New("the target fails")

// failingTarget fails when a manifest is written.
type failingTarget struct{ backup.Target }

func (f *failingTarget) Swap(ctx context.Context, name string, old, b []byte) error {
	if strings.HasSuffix(name, "manifest") {
		return errTarget
	}
	return f.Target.Swap(ctx, name, old, b)
}

func TestPruneKeepsTheNewestGenerations(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	live(t, w.store, func(string) { w.round(true) })
	r := backup.NewRunner(backup.Options{Source: w.maker(), Target: w.target, Now: w.now, Keep: 2})
	if err := r.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range must[[]string](t)(w.target.List(t.Context())) {
		if !strings.HasPrefix(name, "000005/") && !strings.HasPrefix(name, "000006/") {
			t.Errorf("%s is left", name)
		}
	}
	into := memoryStore(t)
	w.restore(time.Time{}, into, nil)
	same(t, "behind pruning", state(t, into), state(t, w.store))
}

func TestPermanentMemoriesAreEngravedAgain(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	fill(t, w.store, 10)
	scope := engine.Loopback().Scope()
	var permanent, erased graph.ID
	_, err := w.store.Update(t.Context(), scope, func(tx graph.Tx) error {
		all, err := tx.ListMemories(graph.MemoryQuery{Limit: 2})
		if err != nil {
			return err
		}
		for _, m := range all {
			m.UpdatedAt = m.SetState(m.UpdatedAt.Add(time.Hour), func(s *graph.State) { s.Tier = graph.L3 })
			if err := tx.PutMemory(m, graph.EventEngraved); err != nil {
				return err
			}
		}
		permanent, erased = all[0].ID, all[1].ID
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.round(false)
	r := w.reader()
	p := must[*backup.Point](t)(r.Find(t.Context(), time.Time{}, nil))
	var engraved []graph.ID
	x := &backup.Restore{
		Reader: r, Store: memoryStore(t), Erased: func(_ graph.Scope, id graph.ID) bool { return id == erased },
		Engrave: func(_ context.Context, _ graph.Scope, m *graph.Memory, v []float32) error {
			if len(v) != 384 {
				t.Errorf("a vector of %d numbers", len(v))
			}
			engraved = append(engraved, m.ID)
			return nil
		},
	}
	must[*backup.Restored](t)(x.Run(t.Context(), p))
	if len(engraved) != 1 || engraved[0] != permanent {
		t.Errorf("engraved %v, want %s", engraved, permanent)
	}
}

// Segments go on while a full export is made, and each boundary is a state that the store had.
func TestRunMakesFullExportsBesideSegments(t *testing.T) {
	store := memoryStore(t)
	w := newWorld(t, store)
	rounds := make(chan struct{}, 1000)
	maker := w.maker()
	maker.Now = time.Now // for two goroutines
	r := backup.NewRunner(backup.Options{
		Source: maker, Target: &notingTarget{w.target, rounds}, Now: time.Now, Every: 5 * time.Millisecond, FullEvery: 20 * time.Millisecond, Keep: 3,
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.Run(ctx)
	}()
	for i := range 12 { // each part is written when the backup has moved on
		fill(t, store, 20+i)
		<-rounds
	}
	cancel()
	<-ended
	must[*backup.Made](t)(r.Once(t.Context(), false))
	into := memoryStore(t)
	w.restore(time.Time{}, into, nil)
	same(t, "the end", state(t, into), state(t, store))
	generations := map[string]bool{}
	for _, name := range must[[]string](t)(w.target.List(t.Context())) {
		generations[name[:6]] = true
	}
	if len(generations) < 2 || len(generations) > 4 { // one may be half made
		t.Errorf("generations %v", generations)
	}
	if s := r.Status(); s.Err != "" || s.Last.IsZero() {
		t.Errorf("status %+v", s)
	}
}

// A target that lost its backup is seen although there is nothing to write, and gets a new one.
func TestAnIdleRoundLooksAtTheTarget(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	fill(t, w.store, 20)
	rounds := make(chan struct{}, 1000)
	maker := w.maker()
	maker.Now = time.Now
	var minutes atomic.Int64
	r := backup.NewRunner(backup.Options{
		Source: maker, Target: &notingTarget{w.target, rounds}, Every: time.Millisecond, FullEvery: 1 << 62,
		Now: func() time.Time { return enginetest.Start.Add(time.Duration(minutes.Add(1)) * time.Minute) },
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.Run(ctx)
	}()
	<-rounds
	must[any](t)(nil, w.target.Delete(t.Context(), "000001/manifest"))
	<-rounds // without a write to the store
	cancel()
	<-ended
	into := memoryStore(t)
	w.restore(time.Time{}, into, nil)
	same(t, "the new backup", state(t, into), state(t, w.store))
}

// notingTarget tells when a manifest is written.
type notingTarget struct {
	backup.Target
	rounds chan<- struct{}
}

func (n *notingTarget) Swap(ctx context.Context, name string, old, b []byte) error {
	err := n.Target.Swap(ctx, name, old, b)
	if strings.HasSuffix(name, "manifest") {
		n.rounds <- struct{}{}
	}
	return err
}
