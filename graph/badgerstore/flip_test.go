package badgerstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// contents is everything that can be read from a store.
type contents struct {
	Memories  []graph.Memory
	Vectors   [][]float32
	Edges     [][]graph.Edge
	Entities  []graph.Entity
	Relations []graph.Relation
	Changes   []graph.Change
	Setting   string
}

// readAll reads a whole store, by lists and by point reads.
func readAll(ctx context.Context, s *badgerstore.Store) (all contents, err error) {
	for after := graph.Cursor(0); ; {
		cs, err := s.Changes(ctx, scope, after, 0)
		if err != nil {
			return all, err
		}
		if len(cs) == 0 {
			break
		}
		all.Changes = append(all.Changes, cs...)
		after = cs[len(cs)-1].Cursor
	}
	err = s.View(ctx, scope, func(r graph.Reader) error {
		for _, q := range []graph.MemoryQuery{{}, {Namespaces: []string{"main"}}, {Users: []string{"ada"}}} {
			ms, err := r.ListMemories(q)
			if err != nil {
				return err
			}
			for _, m := range ms {
				all.Memories = append(all.Memories, *m)
			}
		}
		seen := map[graph.ID]bool{}
		for _, c := range all.Changes {
			if c.Node != graph.NodeMemory || seen[c.ID] {
				continue
			}
			seen[c.ID] = true
			m, err := r.Memory(c.ID)
			if err != nil {
				return err
			}
			all.Memories = append(all.Memories, *m)
			v, err := r.Embedding(c.ID)
			if err != nil && !errors.Is(err, graph.ErrNotFound) {
				return err
			}
			all.Vectors = append(all.Vectors, v)
			es, err := r.Edges(c.ID, graph.Both)
			if err != nil {
				return err
			}
			all.Edges = append(all.Edges, es)
		}
		es, err := r.ListEntities(graph.EntityQuery{})
		if err != nil {
			return err
		}
		for _, e := range es {
			all.Entities = append(all.Entities, *e)
			rs, err := r.Relations(e.ID, graph.Both, "", 0)
			if err != nil {
				return err
			}
			for _, rel := range rs {
				all.Relations = append(all.Relations, *rel)
			}
		}
		v, err := r.Setting("s")
		all.Setting = string(v)
		return err
	})
	return all, err
}

// fillStore writes data of every kind.
func fillStore(t testing.TB, s *badgerstore.Store, n, round int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, uint64(round)))
	at := time.Date(2026, 3, 1, 9+round, 0, 0, 0, time.UTC)
	id := func() graph.ID {
		var r [10]byte
		for i := range r {
			r[i] = byte(rnd.Uint32())
		}
		id, err := graph.NewID(at, bytes.NewReader(r[:]))
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	var last graph.ID
	for i := range n {
		at = at.Add(time.Second)
		m := memory(id(), at, strings.Repeat(fmt.Sprint("word", i, " "), 1+rnd.IntN(100)))
		e := &graph.Entity{ID: id(), Namespace: "main", Name: "E", Canonical: fmt.Sprint("e", round, "-", i), FirstSeen: at}
		m.Entities = []graph.ID{e.ID}
		before := last
		_, err := s.Update(t.Context(), scope, func(tx graph.Tx) error {
			errs := []error{tx.PutMemory(m, graph.EventCreated), tx.PutEmbedding(m.ID, []float32{float32(i), 1, 2}), tx.PutEntity(e)}
			if before != "" {
				errs = append(errs, tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: before, Weight: 0.5}))
			}
			errs = append(errs, tx.PutRelation(&graph.Relation{
				ID: id(), Namespace: "main", Source: e.ID, Predicate: "p", Target: e.ID, RecordedAt: at, Memories: []graph.ID{m.ID},
			}))
			return errors.Join(append(errs, tx.PutSetting("s", []byte(fmt.Sprint(i))))...)
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.CountUses(t.Context(), scope, []graph.ID{m.ID}, graph.Use{At: at}); err != nil {
			t.Fatal(err)
		}
		last = m.ID
	}
}

// TestFlippedByte flips bits in every kind of file of a closed store. Open or a read must
// detect it, or it must make no difference.
func TestFlippedByte(t *testing.T) { flip(t, false, 6) }

// TestFlippedByteAfterCrash does the same to the files of a killed process, where the
// latest commits are in Badger's log only.
func TestFlippedByteAfterCrash(t *testing.T) { flip(t, true, 6) }

func flip(t *testing.T, crashed bool, each int) {
	if testing.Short() {
		each = min(each, 1)
	}
	dir := t.TempDir()
	o := small
	o.FoldEvery = time.Hour
	pristine := ""
	for round := range 2 { // the first round is in tables, the second in the log after a crash
		s, err := badgerstore.Open(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		fillStore(t, s, 30, round)
		if crashed && round == 1 {
			pristine = copyDir(t, dir)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if !crashed {
		pristine = dir
	}
	want := verify(t, copyDir(t, pristine), o)
	changes := 4 * 60 // memory, entity, relation and folded use
	if crashed {
		changes -= 30
	}
	if want.err != nil || want.warned || len(want.Memories) != 4*60 || len(want.Changes) != changes {
		t.Fatalf("pristine: %v, %d memories, %d changes", want.err, len(want.Memories), len(want.Changes))
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	found, harmless := map[string]int{}, map[string]int{}
	for _, name := range files(t, pristine) {
		kind := filepath.Ext(name)
		if kind == "" {
			kind = filepath.Base(name)
		}
		for _, p := range places(t, filepath.Join(pristine, name), each, rnd) {
			hurt := copyDir(t, pristine)
			what := "a flipped bit in"
			// A cut of the usage log right after a record is no different from a power cut, which
			// may lose the uses of the last second.
			if rnd.IntN(4) == 0 && !(crashed && kind == ".log") {
				what = "a cut at"
				if err := os.Truncate(filepath.Join(hurt, name), p); err != nil {
					t.Fatal(err)
				}
			} else {
				flipAt(t, filepath.Join(hurt, name), p, byte(1)<<rnd.IntN(8))
			}
			got := verify(t, hurt, o)
			switch {
			case got.err != nil:
				found[kind]++
			case got.warned && kind == ".log": // uses of the last second before a crash are not synced yet
				found[kind]++
			case reflect.DeepEqual(got.contents, want.contents):
				harmless[kind]++
			default:
				t.Errorf("%s: damaged byte %d of %s is not detected: %d memories of %d, %d changes of %d",
					what, p, name, len(got.Memories), len(want.Memories), len(got.Changes), len(want.Changes))
			}
			if err := os.RemoveAll(hurt); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("detected %v, harmless %v", found, harmless)
	if crashed && found[".mem"] == 0 || !crashed && found[".sst"] == 0 {
		t.Error("no flip in the data was detected")
	}
}

type verified struct {
	contents
	err    error
	warned bool // the store logged that it cut something off
}

// verify opens a directory and reads everything.
func verify(t *testing.T, dir string, o badgerstore.Options) (v verified) {
	t.Helper()
	var log bytes.Buffer
	o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s, err := badgerstore.Open(dir, o)
	if err != nil {
		return verified{err: err}
	}
	v.warned = strings.Contains(log.String(), "torn record")
	v.contents, v.err = readAll(t.Context(), s)
	// damage that breaks closing was read correctly before
	if err := s.Close(); err != nil {
		t.Logf("close: %v", err)
	}
	return v
}

// files lists the files of a store that hold data.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch d.Name() {
		case "lock", "LOCK", "reserve":
		default:
			names = append(names, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// places samples bytes of a file: its start, its end, and bytes that are not zero.
func places(t *testing.T, path string, n int, rnd *rand.Rand) (at []int64) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) == 0 {
		return nil
	}
	end := int64(len(bytes.TrimRight(data, "\x00")))
	at = append(at, 0, int64(len(data))-1)
	for range n {
		at = append(at, rnd.Int64N(max(end, 1)))
	}
	return at
}

func flipAt(t *testing.T, path string, at int64, bit byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		t.Fatal(err)
	}
	b[0] ^= bit
	if _, err := f.WriteAt(b[:], at); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
