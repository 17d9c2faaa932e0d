package badgerstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/keyring"
)

// Data of a version without keys is sealed in the background, and then no file holds its text.
// An erasure waits for that.
func TestRowsOfEarlierVersionsAreSealed(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	ids, markers := putMarked(t, s, 0, 60)
	putMarked(t, s, 60, 800)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if found, _ := readable(t, dir); found < 860 {
		t.Fatalf("%d markers are readable in a store that is not sealed", found)
	}
	o := small
	o.OpenKeys = keysIn(t.TempDir())
	s = open(t, dir, o)
	erase(t, s, ids, markers)
	if found, files := readable(t, dir); found > 0 || files < 3 {
		t.Errorf("%d markers are readable in %d files after an erasure", found, files)
	}
	texts := textsOf(t, s)
	for id, text := range texts {
		if erased := id < "019c75e5-7095-7fff-bfff-00000000003d"; erased != (text == "") {
			t.Errorf("%s says %q", id, text)
		}
	}
	if len(texts) != 860 {
		t.Errorf("there are %d memories", len(texts))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err := badgerstore.Open(dir, small); !errors.Is(err, keyring.ErrWrong) {
		t.Errorf("opened without keys: %v, %v", s, err)
	}
}

// Rows of earlier versions that a read still needs are not called sealed before its end.
func TestAReadHoldsTheEndOfSealing(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	putMarked(t, s, 0, 3000)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	o := small
	o.OpenKeys = keysIn(t.TempDir())
	s = open(t, dir, o)
	sealed := func(ctx context.Context, when string) bool {
		if _, err := graph.Shred(ctx, s, owner); graph.CodeOf(err) == graph.CodeUnavailable {
			return false
		} else if err != nil {
			t.Fatal(err)
		}
		if found, _ := readable(t, dir); found > 0 {
			t.Errorf("%s: sealed, but %d markers are readable", when, found)
		}
		return true
	}
	err := s.View(t.Context(), owner, func(graph.Reader) error {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		sealed(ctx, "during a read")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !sealed(t.Context(), "after it") {
		t.Error("the rows are not sealed")
	}
}

// A process that ends while rows are being sealed leaves both kinds, and the next one goes on.
func TestSealingGoesOnAfterAStop(t *testing.T) {
	dir, keyDir := t.TempDir(), t.TempDir()
	s := open(t, dir, small)
	putMarked(t, s, 0, 900)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	o := small
	o.OpenKeys = keysIn(keyDir)
	for range 5 { // each stops somewhere
		s, err := badgerstore.Open(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		if texts := textsOf(t, s); len(texts) != 900 {
			t.Fatalf("there are %d memories", len(texts))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s = open(t, dir, o)
	if _, err := s.Shred(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	if found, _ := readable(t, dir); found > 0 {
		t.Errorf("%d markers are readable", found)
	}
	if texts := textsOf(t, s); len(texts) != 900 {
		t.Errorf("there are %d memories", len(texts))
	}
}

// Keys that are missing or older than the data are refused, and nothing is made in their place.
func TestWrongKeysAreRefused(t *testing.T) {
	dir, keyDir := t.TempDir(), t.TempDir()
	o := small
	o.OpenKeys = keysIn(keyDir)
	session := func(n int, change func(*badgerstore.Store, []graph.ID, []string)) (keys string) {
		t.Helper()
		keys = copyDir(t, keyDir)
		s := open(t, dir, o)
		ids, markers := putMarked(t, s, n, 10)
		if change != nil {
			change(s, ids, markers)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return keys
	}
	session(0, nil)
	beforeKeys := session(10, nil)
	data := copyDir(t, dir)
	beforeErasure := session(20, func(s *badgerstore.Store, ids []graph.ID, markers []string) { erase(t, s, ids, markers) })
	empty := t.TempDir()
	withoutTenants := copyDir(t, keyDir)
	for _, e := range must(os.ReadDir(withoutTenants)) {
		if e.IsDir() {
			if err := os.RemoveAll(filepath.Join(withoutTenants, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, with := range map[string]struct{ data, keys string }{
		"master is missing": {dir, empty}, "are missing": {dir, withoutTenants}, "would undo erasures": {dir, beforeErasure}, "newer ones are missing": {data, beforeKeys},
	} {
		o := small
		o.OpenKeys = keysIn(with.keys)
		s, err := badgerstore.Open(with.data, o)
		if err == nil {
			_ = s.Close()
		}
		if !errors.Is(err, keyring.ErrWrong) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if entries := must(os.ReadDir(empty)); len(entries) > 0 {
		t.Errorf("%s was made in an empty directory of keys", entries[0].Name())
	}
	if s := open(t, dir, o); len(textsOf(t, s)) != 30 {
		t.Error("with the right keys the data is not there")
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A process that is killed after the erasure is committed, and before the keys are destroyed,
// leaves a list of them: the next Shred destroys them.
func TestKeysAreDestroyedAfterACrash(t *testing.T) {
	dir, keyDir := t.TempDir(), t.TempDir()
	o := small
	o.OpenKeys = keysIn(keyDir)
	s := open(t, dir, o)
	ids, _ := putMarked(t, s, 0, 10)
	before := copyDir(t, dir)
	_, err := s.Update(t.Context(), owner, func(tx graph.Tx) error { return tx.Erase(ids[0], marked1(t).CreatedAt) })
	if err != nil {
		t.Fatal(err)
	}
	crashed, crashedKeys := copyDir(t, dir), copyDir(t, keyDir)
	o.OpenKeys = keysIn(crashedKeys)
	after := open(t, crashed, o)
	if _, err := after.Shred(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	if err := after.Close(); err != nil {
		t.Fatal(err)
	}
	if text := textsOf(t, open(t, before, o))[ids[0]]; text != "" {
		t.Errorf("a copy made before says %q", text)
	}
}

func marked1(t *testing.T) *graph.Memory {
	m, _ := marked(t, 0)
	return m
}

// A read that is longer than an erasure waits for gets an error that says so, not damage.
func TestALongReadOfWhatWasErasedIsToldSo(t *testing.T) {
	o := small
	o.OpenKeys = keysIn(t.TempDir())
	s := open(t, t.TempDir(), o)
	ids, markers := putMarked(t, s, 0, 3)
	err := s.View(t.Context(), owner, func(r graph.Reader) error {
		if _, err := r.Memory(ids[0]); err != nil {
			return err
		}
		erase(t, s, ids[:1], markers[:1])
		if _, err := r.Memory(ids[1]); err != nil {
			t.Errorf("what was not erased: %v", err)
		}
		_, err := r.Memory(ids[0])
		return err
	})
	if graph.CodeOf(err) != graph.CodeUnavailable || errors.Is(err, graph.ErrIntegrity) || !strings.Contains(err.Error(), "erased") {
		t.Errorf("the read got %v", err)
	}
}

// An erasure of data that is still being sealed ends with its context and can be repeated.
func TestAnErasureThatMayNotWaitForSealing(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, small)
	putMarked(t, s, 0, 900)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	o := small
	o.OpenKeys = keysIn(t.TempDir())
	s = open(t, dir, o)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Shred(ctx, owner); err == nil {
		t.Error("an ended context was ignored")
	}
	if _, err := s.Shred(t.Context(), owner); err != nil {
		t.Error(err)
	}
}
