package ledger_test

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/ledger"
)

var (
	main = graph.Scope{Tenant: "main"}
	side = graph.Scope{Tenant: "side"}
	at   = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
)

func open(t *testing.T, root, data string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(root, data, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(t, l) })
	return l
}

func shut(t *testing.T, l *ledger.Ledger) {
	t.Helper()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func newIDs(t *testing.T, n int) []graph.ID {
	t.Helper()
	source := graph.NewIDSource(rand.Reader)
	var ids []graph.ID
	for range n {
		id, err := source.New(at)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func add(t *testing.T, l *ledger.Ledger, scope graph.Scope, ids ...graph.ID) {
	t.Helper()
	if err := l.Append(scope, "", at, ids); err != nil {
		t.Fatal(err)
	}
}

// record is the path of the record of a ledger.
func record(root string, l *ledger.Ledger) string {
	return filepath.Join(root, l.Store(), "erased.log")
}

func TestRecordedIDsSurviveReopening(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	ids := newIDs(t, 2500)
	l := open(t, root, data)
	add(t, l, main, ids[:2400]...)
	add(t, l, main, ids[2300:]...) // the first hundred of these are skipped
	add(t, l, side, ids[0])
	before, err := os.ReadFile(record(root, l))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(before), string(ids[2350])); n != 1 {
		t.Errorf("an id that was appended twice is recorded %d times", n)
	}
	shut(t, l)
	if err := l.Append(main, "", at, newIDs(t, 1)); !errors.Is(err, graph.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	l = open(t, root, data)
	if got := l.IDs(main); !slices.Equal(got, ids) {
		t.Errorf("%d ids, want %d", len(got), len(ids))
	}
	if got := l.IDs(side); !slices.Equal(got, ids[:1]) {
		t.Errorf("of another tenant: %v", got)
	}
	if got := l.Tenants(); !slices.Equal(got, []graph.Tenant{"main", "side"}) {
		t.Errorf("tenants %v", got)
	}
}

// A crash leaves any prefix of an append. Acknowledged ids are never lost, and the next append is
// readable.
func TestIncompleteLastLineIsRemoved(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	ids := newIDs(t, 3)
	l := open(t, root, data)
	add(t, l, main, ids[0])
	first, err := os.ReadFile(record(root, l))
	if err != nil {
		t.Fatal(err)
	}
	positions := filepath.Join(root, l.Store(), "positions.json")
	known := map[string][]byte{filepath.Join(data, "keys.json"): nil, positions: nil} // they are written after the append
	for path := range known {
		if known[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	add(t, l, main, ids[1])
	all, err := os.ReadFile(record(root, l))
	if err != nil {
		t.Fatal(err)
	}
	shut(t, l)
	for cut := len(first); cut < len(all); cut++ {
		for path, text := range known {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(record(root, l), all[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		l := open(t, root, data)
		if got := l.IDs(main); !slices.Equal(got, ids[:1]) {
			t.Fatalf("cut at %d: %v", cut, got)
		}
		add(t, l, main, ids[2])
		shut(t, l)
		l = open(t, root, data)
		if got := l.IDs(main); !slices.Equal(got, []graph.ID{ids[0], ids[2]}) {
			t.Fatalf("cut at %d, after another append: %v", cut, got)
		}
		shut(t, l)
	}
}

func TestDamagedRecordIsRefused(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	l := open(t, root, data)
	add(t, l, main, newIDs(t, 1)...)
	add(t, l, main, newIDs(t, 1)...)
	whole, err := os.ReadFile(record(root, l))
	if err != nil {
		t.Fatal(err)
	}
	shut(t, l)
	for i := range whole[:len(whole)-1] {
		hurt := slices.Clone(whole)
		hurt[i] ^= 1
		if err := os.WriteFile(record(root, l), hurt, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ledger.Open(root, data, rand.Reader); !errors.Is(err, graph.ErrIntegrity) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
	}
}

func TestSecondProcessIsRefused(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	open(t, root, data)
	if _, err := ledger.Open(root, data, rand.Reader); !errors.Is(err, graph.ErrLocked) {
		t.Errorf("a second ledger of the store: %v", err)
	}
}

// A copy of a data directory has the ledger of the original. So has a copy that was made before
// it had an identity and is put back in its place. Another store has its own.
func TestStoreKeepsItsLedger(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	first := open(t, root, data)
	store := first.Store()
	shut(t, first)
	copied := t.TempDir()
	id, err := os.ReadFile(filepath.Join(data, "store.id"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(copied, "store.id"), id, 0o600); err != nil {
		t.Fatal(err)
	}
	l := open(t, root, copied)
	if l.Store() != store {
		t.Error("a copy has another ledger")
	}
	shut(t, l)
	l = open(t, root, data) // it was used last, so its path is the recorded one again
	shut(t, l)
	if err := os.Remove(filepath.Join(data, "store.id")); err != nil {
		t.Fatal(err)
	}
	if l = open(t, root, data); l.Store() != store {
		t.Error("a copy without an identity has another ledger")
	}
	shut(t, l)
	if other := open(t, root, t.TempDir()); other.Store() == store {
		t.Error("two stores share a ledger")
	}
	if err := os.WriteFile(filepath.Join(data, "store.id"), []byte("../elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var mismatch *ledger.MismatchError
	if _, err := ledger.Open(root, data, rand.Reader); !errors.As(err, &mismatch) || !strings.Contains(err.Error(), "store.id") {
		t.Errorf("with a false identity: %v", err)
	}
}

func TestExportIsTestedAgainstTheLedgerOfItsStore(t *testing.T) {
	root := t.TempDir()
	ids := newIDs(t, 3)
	origin, own, third := open(t, root, t.TempDir()), open(t, root, t.TempDir()), open(t, root, t.TempDir())
	add(t, origin, main, ids[0])
	add(t, own, side, ids[1])
	add(t, third, main, ids[2])
	for name, x := range map[string]struct {
		origin string
		want   []bool
	}{
		"of its store":           {origin.Store(), []bool{true, true, false}},
		"of this store":          {own.Store(), []bool{false, true, false}},
		"of a store elsewhere":   {strings.Repeat("ab", 16), []bool{false, true, false}},
		"of no named store":      {"", []bool{true, true, true}},
		"of a name that is none": {"../" + third.Store(), []bool{false, true, false}},
	} {
		erased, err := own.ErasedFrom(x.origin)
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			if erased(id) != x.want[i] {
				t.Errorf("an export %s: memory %d erased: %v", name, i, erased(id))
			}
		}
	}
}
