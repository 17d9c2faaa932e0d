package badgerstore_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// Two tests of this file run by hand. One writes a sealed store; it is run with an older build, to which
// this file is copied. The other measures how a store is converted to the layout of the build that runs it, and
// checks it. It may be killed and run again.
//
//	go test ./graph/badgerstore -run TestWriteForUpgrade -upgrade DIR -upgrade-memories 100000
//	go test ./graph/badgerstore -run TestMeasureUpgrade  -upgrade DIR -upgrade-memories 100000 -v
var (
	upgradeDir      = flag.String("upgrade", "", "directory with the data and the keys of the store that is upgraded")
	upgradeMemories = flag.Int("upgrade-memories", 1000, "number of memories of that store")
)

const (
	upgradeUsers  = 97
	upgradeErased = 7 // number of the user that is erased
)

// upgradeID is the id of a kind of node.
func upgradeID(kind byte, n int) graph.ID {
	return graph.ID(fmt.Sprintf("019c75e5-7095-7%02x0-bfff-%012x", kind, n+1))
}

// upgradeMemory is the nth memory, or its second version.
func upgradeMemory(n, version int) *graph.Memory {
	id, chain := upgradeID('m', n), upgradeID('m', n)
	m := &graph.Memory{
		Namespace: "main", Type: graph.Episodic, Content: fmt.Sprintf("Crate %d of the upgrade stands in bay %d of the third hall, version %d.", n, n%40, version),
		Subject: fmt.Sprintf("subject %d", n%500), User: fmt.Sprintf("user %d", n%upgradeUsers), Session: fmt.Sprintf("session %d", n/20), Project: fmt.Sprintf("project %d", n%11),
		DecayClass: graph.DecaySlow, Sensitivity: graph.Internal, Consent: graph.ConsentExplicit, SourceKind: graph.FromUser, Version: version,
		Entities:  []graph.ID{upgradeID('e', n/10)},
		CreatedAt: upgradeAt, UpdatedAt: upgradeAt, RecordedAt: upgradeAt, OccurredAt: upgradeAt, ValidFrom: upgradeAt,
		History: []graph.State{{From: upgradeAt, Status: graph.Active, Tier: graph.L1}},
	}
	if version == 2 {
		m.Supersedes, id = id, upgradeID('v', n)
	} else if n%5 == 0 {
		m.ExternalID = fmt.Sprintf("external %d", n)
	}
	m.ID, m.Chain = id, chain
	return m
}

var upgradeAt = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// upgradeSession is the hash of the session in which a memory was used.
func upgradeSession(n int) graph.Sessions {
	sum := sha256.Sum256(fmt.Append(nil, "use ", n/20))
	return graph.Sessions{binary.BigEndian.Uint64(sum[:])}
}

// putUpgrade writes what belongs to the nth memory.
func putUpgrade(tx graph.Tx, n int) error {
	m, at := upgradeMemory(n, 1), upgradeAt
	var errs []error
	if n%10 == 0 {
		errs = append(errs, tx.PutEntity(&graph.Entity{ID: m.Entities[0], Namespace: "main", Name: fmt.Sprintf("entity %d", n/10), Canonical: fmt.Sprintf("entity %d", n/10), Type: graph.Person, FirstSeen: at}))
	}
	vector := make([]float32, 384)
	for i := range vector {
		vector[i] = float32((n*31+i*17)%101) / 101
	}
	errs = append(errs, tx.PutMemory(m, graph.EventCreated), tx.PutEmbedding(m.ID, vector))
	if n%4 == 0 {
		errs = append(errs, tx.PutRequest(graph.Request{Key: fmt.Sprintf("request %d", n), Digest: "digest", Result: m.ID, At: at}))
	}
	if n%20 == 0 {
		e := m.Entities[0]
		errs = append(errs, tx.PutRelation(&graph.Relation{ID: upgradeID('r', n), Namespace: "main", Source: e, Target: e, Predicate: fmt.Sprintf("predicate %d", n%30), Strength: 1, StrengthAt: at,
			Confidence: 1, ValidFrom: at, EventTime: at, RecordedAt: at, Memories: []graph.ID{m.ID}}))
	}
	if n%50 == 0 {
		errs = append(errs, tx.PutSetting(fmt.Sprintf("setting %d", n), []byte("value")))
	}
	return errors.Join(errs...)
}

// supersedeUpgrade writes the second version of the nth memory.
func supersedeUpgrade(tx graph.Tx, n int) error {
	next := upgradeMemory(n, 2)
	old, err := tx.Memory(next.Supersedes)
	if err != nil {
		return err
	}
	next.CreatedAt = next.CreatedAt.Add(time.Hour)
	next.UpdatedAt, next.RecordedAt, next.History[0].From = next.CreatedAt, next.CreatedAt, next.CreatedAt
	old.SupersededBy = next.ID
	old.SetState(next.CreatedAt, func(s *graph.State) { s.Status = graph.Superseded })
	return errors.Join(tx.PutMemory(next, graph.EventCreated), tx.PutMemory(old, graph.EventSuperseded))
}

func upgradeKept(n int) bool { return n%upgradeUsers != upgradeErased }

// inBatches calls write for the numbers below n, some in a transaction.
func inBatches(t *testing.T, s graph.Store, n int, want func(int) bool, write func(graph.Tx, int) error) {
	t.Helper()
	const batch = 50
	for from := 0; from < n; from += batch {
		_, err := s.Update(t.Context(), owner, func(tx graph.Tx) error {
			for i := from; i < min(n, from+batch); i++ {
				if want(i) {
					if err := write(tx, i); err != nil {
						return fmt.Errorf("%d: %w", i, err)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestWriteForUpgrade(t *testing.T) {
	if *upgradeDir == "" {
		t.Skip("runs only with -upgrade")
	}
	keys := filepath.Join(*upgradeDir, "keys")
	s := open(t, filepath.Join(*upgradeDir, "data"), badgerstore.Options{OpenKeys: keysIn(keys)})
	n := *upgradeMemories
	began := time.Now()
	inBatches(t, s, n, func(int) bool { return true }, putUpgrade)
	inBatches(t, s, n, func(i int) bool { return i%10 == 3 }, supersedeUpgrade)
	for i := 0; i < n; i += 20 {
		var ids []graph.ID
		for j := i; j < min(n, i+20); j += 3 {
			ids = append(ids, upgradeID('m', j))
		}
		if err := s.CountUses(t.Context(), owner, ids, graph.Use{At: upgradeAt, Sessions: upgradeSession(i)}); err != nil {
			t.Fatal(err)
		}
	}
	inBatches(t, s, n, func(i int) bool { return !upgradeKept(i) }, func(tx graph.Tx, i int) error {
		if i%10 == 3 {
			if err := tx.Erase(upgradeID('v', i), upgradeAt.Add(2*time.Hour)); err != nil {
				return err
			}
		}
		return tx.Erase(upgradeID('m', i), upgradeAt.Add(2*time.Hour))
	})
	if _, err := s.Shred(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	t.Logf("layout %d: %d memories in %s", s.SchemaVersion(), n, time.Since(began).Round(time.Millisecond))
}

// checkUpgrade reads what TestWriteForUpgrade wrote by its names: every nth of the memories.
func checkUpgrade(ctx context.Context, s *badgerstore.Store, memories, every int) error {
	sessions := func(n int) graph.Sessions {
		if keyer, ok := any(s).(interface {
			KeyedSessions(graph.Tenant, graph.Sessions) graph.Sessions
		}); ok {
			return keyer.KeyedSessions(owner.Tenant, upgradeSession(n))
		}
		return upgradeSession(n)
	}
	return s.View(ctx, owner, func(r graph.Reader) error {
		for n := 0; n < memories; n += every {
			m, err := r.Memory(upgradeID('m', n))
			if err != nil {
				return fmt.Errorf("memory %d: %w", n, err)
			}
			want := upgradeMemory(n, 1)
			active, newest := want.ID, 1
			if n%10 == 3 {
				active, newest = upgradeID('v', n), 2
			}
			if !upgradeKept(n) {
				if m.Status() != graph.Forgotten || m.Content != "" || len(m.Usage.Sessions) > 0 {
					return fmt.Errorf("memory %d was erased and is %+v", n, m)
				}
			} else {
				if m.Content != want.Content || m.User != want.User || newest == 2 && m.SupersededBy != active {
					return fmt.Errorf("memory %d is %+v", n, m)
				}
				if n%20%3 == 0 && !slices.Equal(m.Usage.Sessions, sessions(n)) {
					return fmt.Errorf("memory %d was used in %x, not %x", n, m.Usage.Sessions, sessions(n))
				}
				if v, err := r.Embedding(active); newest == 1 && (err != nil || len(v) != 384) {
					return fmt.Errorf("vector %d: %d numbers, %w", n, len(v), err)
				}
			}
			queries := []graph.MemoryQuery{{Session: want.Session}, {Session: want.Session, Users: []string{want.User}}, {Session: want.Session, Subject: want.Subject, Namespaces: []string{"main"}}}
			if want.ExternalID != "" && newest == 1 {
				queries = append(queries, graph.MemoryQuery{ExternalID: want.ExternalID})
			}
			for _, q := range queries {
				q.Statuses = []graph.Status{graph.Active}
				found, err := r.ListMemories(q)
				if err != nil {
					return err
				}
				if has := slices.ContainsFunc(found, func(m *graph.Memory) bool { return m.ID == active }); has != upgradeKept(n) {
					return fmt.Errorf("%+v finds %d memories, and memory %d: %v", q, len(found), n, has)
				}
			}
			if e, err := r.EntityByName("main", "", fmt.Sprintf("entity %d", n/10)); err != nil || e.ID != upgradeID('e', n/10) {
				return fmt.Errorf("entity %d: %v, %w", n/10, e, err)
			}
			if n%4 == 0 {
				q, err := r.Request(fmt.Sprintf("request %d", n))
				if known, err := graph.Found(err); err != nil || known != upgradeKept(n) || known && q.Result != m.ID {
					return fmt.Errorf("request %d: %v, %w", n, q, err)
				}
			}
			if n%20 == 0 {
				e := upgradeID('e', n/10)
				x, err := r.Relation(e, fmt.Sprintf("predicate %d", n%30), e)
				if known, err := graph.Found(err); err != nil || known != upgradeKept(n) || known && x.ID != upgradeID('r', n) {
					return fmt.Errorf("relation %d: %v, %w", n, x, err)
				}
			}
			if n%50 == 0 {
				if v, err := r.Setting(fmt.Sprintf("setting %d", n)); err != nil || string(v) != "value" {
					return fmt.Errorf("setting %d: %q, %w", n, v, err)
				}
			}
		}
		return nil
	})
}

// sizeOf is the size of the files of a directory on disk.
func sizeOf(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error { // files come and go
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			bytes += info.Sys().(*syscall.Stat_t).Blocks * 512
		}
		return nil
	})
	return bytes
}

func TestMeasureUpgrade(t *testing.T) {
	if *upgradeDir == "" {
		t.Skip("runs only with -upgrade")
	}
	data, keys := filepath.Join(*upgradeDir, "data"), filepath.Join(*upgradeDir, "keys")
	n, before := *upgradeMemories, sizeOf(data)
	began := time.Now()
	s := open(t, data, badgerstore.Options{OpenKeys: keysIn(keys)})
	opened := time.Since(began)
	every := max(1, n/500)
	if err := checkUpgrade(t.Context(), s, n, every); err != nil {
		t.Fatalf("at once: %v", err)
	}
	var peak int64
	var slowestRead, slowestWrite time.Duration
	reads, writes := 0, 0
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { // whoever reads and writes meanwhile
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
			}
			at := time.Now()
			err := s.View(t.Context(), owner, func(r graph.Reader) error {
				found, err := r.ListMemories(graph.MemoryQuery{Session: fmt.Sprintf("session %d", i%(n/20)), Limit: 20})
				if err == nil && len(found) == 0 {
					err = fmt.Errorf("no memory of session %d", i%(n/20))
				}
				return err
			})
			slowestRead, reads = max(slowestRead, time.Since(at)), reads+1
			at = time.Now()
			_, uerr := s.Update(t.Context(), owner, func(tx graph.Tx) error {
				return tx.PutSetting(fmt.Sprintf("meanwhile %d", i), []byte("value"))
			})
			slowestWrite, writes = max(slowestWrite, time.Since(at)), writes+1
			if err := errors.Join(err, uerr); err != nil {
				t.Error(err)
				return
			}
			peak = max(peak, sizeOf(data))
		}
	})
	_, err := s.Shred(t.Context(), owner) // waits for the end
	took := time.Since(began)
	close(done)
	wg.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if err := checkUpgrade(t.Context(), s, n, 1); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	err = s.View(t.Context(), owner, func(r graph.Reader) error {
		for i := range writes {
			if v, err := r.Setting(fmt.Sprintf("meanwhile %d", i)); err != nil || string(v) != "value" {
				return fmt.Errorf("what was written meanwhile: %d: %q, %w", i, v, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	after := sizeOf(data)
	if found := plainNamesIn(t, data, n); found > 0 {
		t.Errorf("%d hashes of names are in the files", found)
	}
	t.Logf("%d memories: open after %s, converted after %s; %d MB before, %d at most, %d afterwards; %d reads, at most %s, and %d writes, at most %s, meanwhile",
		n, opened.Round(time.Millisecond), took.Round(time.Millisecond), before>>20, peak>>20, after>>20, reads, slowestRead.Round(time.Millisecond), writes, slowestWrite.Round(time.Millisecond))
}

// plainNamesIn counts hashes of some names and sessions, and texts, in the files of a directory.
func plainNamesIn(t *testing.T, dir string, memories int) (found int) {
	t.Helper()
	names := plainNames(memories)
	for _, file := range filesIn(t, dir) {
		b, err := os.ReadFile(filepath.Join(dir, file))
		if errors.Is(err, fs.ErrNotExist) { // Badger removed it
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			found += bytes.Count(b, name)
		}
	}
	return found
}

// The store in testdata was written with layout 2 by the build of commit 55d4b719: 40 memories, of which one is
// erased and four have a second version. Everything in it is found at once, while it is converted and afterwards.
func TestDataOfLayout2IsUpgraded(t *testing.T) {
	const memories = 40
	dir := t.TempDir()
	unpack(t, "testdata/layout2.tar.gz", dir)
	data := filepath.Join(dir, "data")
	if found := plainNamesIn(t, data, memories); found == 0 {
		t.Fatal("the files of layout 2 have no hash of a name")
	}
	o := small
	o.OpenKeys = keysIn(filepath.Join(dir, "keys"))
	s, err := badgerstore.Open(data, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkUpgrade(t.Context(), s, memories, 1); err != nil {
		t.Errorf("at once: %v", err)
	}
	if _, err := s.Shred(t.Context(), owner); err != nil { // waits until it is converted
		t.Fatal(err)
	}
	if err := checkUpgrade(t.Context(), s, memories, 1); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	if found := plainNamesIn(t, data, memories); found > 0 {
		t.Errorf("%d hashes of names are in the files while the store is open", found)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, data, o)
	if err := checkUpgrade(t.Context(), again, memories, 1); err != nil {
		t.Errorf("opened again: %v", err)
	}
}

// unpack writes the files of an archive.
func unpack(t *testing.T, archive, dir string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(z); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, h.Name)
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(path, 0o700)
		} else {
			var b []byte
			if b, err = io.ReadAll(files); err == nil {
				err = os.WriteFile(path, b, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// plainNames are hashes of some names and sessions, and a text.
func plainNames(n int) (all [][]byte) {
	hash := func(word string) {
		h := sha256.New()
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(word))))
		h.Write([]byte(word))
		all = append(all, h.Sum(nil)[4:16]) // tables leave out how a key begins as the one before it
	}
	for i := 0; i < n; i += max(1, n/20) {
		hash(fmt.Sprintf("session %d", i/20))
		hash(fmt.Sprintf("user %d", i%upgradeUsers))
		hash(fmt.Sprintf("request %d", i-i%4))
		all = append(all, binary.BigEndian.AppendUint64(nil, upgradeSession(i)[0]))
	}
	return append(all, []byte("of the upgrade stands in bay"))
}
