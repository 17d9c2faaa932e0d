package badgerstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/keyring"
)

// rotate replaces all keys of a store: the master key, the tenant's and the data keys.
func rotate(ctx context.Context, s *badgerstore.Store) error {
	if err := errors.Join(s.RotateMaster(ctx), s.RotateKey(ctx, owner)); err != nil {
		return err
	}
	first, err := s.RenewRows(ctx, owner, func(int, int) {})
	if err != nil {
		return err
	}
	return s.EndRenewal(ctx, owner, first)
}

// segmentsIn lists the files with data keys in a directory of keys.
func segmentsIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*", "[0-9]*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		names = append(names, filepath.Base(path))
	}
	return names
}

// All keys are replaced while the store is read and written, and no read fails. A copy of the data
// from before is refused, because its keys are gone.
func TestKeysAreReplacedUnderLoad(t *testing.T) {
	dir, keyDir := t.TempDir(), t.TempDir()
	o := small
	o.OpenKeys = keysIn(keyDir)
	s := open(t, dir, o)
	ids, _ := putMarked(t, s, 0, 300)
	before := segmentsIn(t, keyDir)
	copied := copyDir(t, dir)
	done := make(chan struct{})
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() {
			for n := i; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				err := s.View(t.Context(), owner, func(r graph.Reader) error {
					m, err := r.Memory(ids[n%300])
					if err == nil && !strings.HasPrefix(m.Content, "content marker") {
						err = fmt.Errorf("it says %q", m.Content)
					}
					if err == nil {
						_, err = r.Embedding(m.ID)
					}
					return err
				})
				if err != nil {
					t.Errorf("read: %v", err)
					return
				}
				_, err = s.Update(t.Context(), owner, func(tx graph.Tx) error {
					m, err := tx.Memory(ids[(n*7)%300])
					if err != nil {
						return err
					}
					m.Importance = float64(n%10) / 10
					if err := tx.PutSetting(fmt.Sprintf("setting %d", n%50), []byte("value")); err != nil {
						return err
					}
					return tx.PutMemory(m, graph.EventUpdated)
				})
				if err != nil {
					t.Errorf("write: %v", err)
					return
				}
			}
		})
	}
	for range 3 {
		if err := rotate(t.Context(), s); err != nil {
			t.Error(err)
		}
	}
	close(done)
	all.Wait()
	for _, name := range segmentsIn(t, keyDir) {
		for _, former := range before {
			if name == former {
				t.Errorf("segment %s of the former keys is still there", name)
			}
		}
	}
	if texts := textsOf(t, s); len(texts) != 300 {
		t.Errorf("there are %d memories", len(texts))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if texts := textsOf(t, open(t, dir, o)); len(texts) != 300 {
		t.Errorf("after a restart there are %d memories", len(texts))
	}
	o.OpenKeys = keysIn(copyDir(t, keyDir))
	if _, err := badgerstore.Open(copied, o); !errors.Is(err, keyring.ErrWrong) || !strings.Contains(err.Error(), "before its keys were replaced") {
		t.Errorf("a copy from before: %v", err)
	}
}

// A new store under replaced keys, such as one that was restored from a backup, can be opened again.
func TestANewStoreUnderReplacedKeys(t *testing.T) {
	keyDir := t.TempDir()
	o := small
	o.OpenKeys = keysIn(keyDir)
	s := open(t, t.TempDir(), o)
	putMarked(t, s, 0, 10)
	if err := errors.Join(rotate(t.Context(), s), s.Close()); err != nil {
		t.Fatal(err)
	}
	restored := t.TempDir()
	s = open(t, restored, o)
	putMarked(t, s, 0, 7)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before := copyDir(t, restored)
	s = open(t, restored, o)
	if n := len(textsOf(t, s)); n != 7 {
		t.Errorf("there are %d memories, want 7", n)
	}
	if err := errors.Join(rotate(t.Context(), s), s.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := badgerstore.Open(before, o); !errors.Is(err, keyring.ErrWrong) || !strings.Contains(err.Error(), "before its keys were replaced") {
		t.Errorf("a copy of it from before the next rotation: %v", err)
	}
}

// Keys from before a rotation are refused.
func TestFormerKeysAreRefused(t *testing.T) {
	dir, keyDir := t.TempDir(), t.TempDir()
	o := small
	o.OpenKeys = keysIn(keyDir)
	s := open(t, dir, o)
	putMarked(t, s, 0, 10)
	former := copyDir(t, keyDir)
	if err := s.RotateKey(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	o.OpenKeys = keysIn(former)
	if _, err := badgerstore.Open(dir, o); !errors.Is(err, keyring.ErrWrong) {
		t.Errorf("with the former keys: %v", err)
	}
}

// Whatever a process that replaces data keys has done when it is killed, the next one reads
// everything and finishes.
func TestAnInterruptedRenewalGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	dir, keyDir := t.TempDir(), t.TempDir()
	o := small
	o.OpenKeys = keysIn(keyDir)
	s := open(t, dir, o)
	ids, markers := putMarked(t, s, 0, 300)
	type files struct{ data, keys string }
	var killed []files
	kill := func() { killed = append(killed, files{copyDir(t, dir), copyDir(t, keyDir)}) }
	first, err := s.RenewRows(t.Context(), owner, func(done, total int) {
		if total < 900 || done > total {
			t.Errorf("progress %d of %d", done, total)
		}
		if done%200 == 0 {
			kill()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	kill()
	if err := s.EndRenewal(t.Context(), owner, first); err != nil {
		t.Fatal(err)
	}
	kill()
	if len(killed) < 4 {
		t.Fatalf("killed %d times", len(killed))
	}
	for i, x := range killed {
		o := small
		o.OpenKeys = keysIn(x.keys)
		s := open(t, x.data, o)
		if texts := textsOf(t, s); len(texts) != 300 {
			t.Fatalf("kill %d: there are %d memories", i, len(texts))
		}
		ring := must(s.Ring(owner.Tenant))
		if i < len(killed)-1 && ring.Renewing() != first {
			t.Errorf("kill %d: the renewal from %d on is forgotten: %d", i, first, ring.Renewing())
		}
		before := copyDir(t, x.data)
		erase(t, s, ids[:5], markers[:5]) // an erasure meanwhile destroys the former keys too
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		old := open(t, before, o)
		for id, text := range textsOf(t, old) {
			if id <= ids[4] && text != "" {
				t.Errorf("kill %d: a copy from before the erasure says %q", i, text)
			}
		}
		if err := rotate(t.Context(), old); err != nil {
			t.Errorf("kill %d: %v", i, err)
		}
		if texts := textsOf(t, old); len(texts) != 295 || ring.Renewing() == 0 && i < len(killed)-1 {
			t.Errorf("kill %d: there are %d memories", i, len(texts))
		}
	}
}

// A store without keys has none to replace, and says so.
func TestAStoreThatIsNotSealedHasNoKeysToReplace(t *testing.T) {
	s := open(t, t.TempDir(), small)
	putMarked(t, s, 0, 1)
	if err := s.RotateMaster(t.Context()); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Error(err)
	}
	if err := s.RotateKey(t.Context(), owner); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Error(err)
	}
	if _, err := s.RenewRows(t.Context(), owner, func(int, int) {}); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Error(err)
	}
}

// Closing records the generation of the keys: what others destroyed is no older copy of the data.
func TestClosingRecordsWhatOthersDestroyed(t *testing.T) {
	dir, keyDir := t.TempDir(), t.TempDir()
	o := small
	o.OpenKeys = keysIn(keyDir)
	s := open(t, dir, o)
	putMarked(t, s, 0, 10)
	before := copyDir(t, keyDir)
	ring := must(s.Ring(owner.Tenant))
	if err := ring.Destroy([]uint64{must(ring.Next()).Number}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(keyDir); err != nil {
		t.Fatal(err)
	}
	o.OpenKeys = keysIn(before)
	if _, err := badgerstore.Open(dir, o); !errors.Is(err, keyring.ErrWrong) {
		t.Errorf("with the keys from before: %v", err)
	}
}
