package badgerstore_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/internal/filetest"
)

// namedRows is how many memories putNamed writes.
const namedRows = 12

var namedAt = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// namedID is an id of a kind of node.
func namedID(kind byte, n int) graph.ID {
	return graph.ID(fmt.Sprintf("019c75e5-7095-7%02x0-bfff-%012x", kind, n+1))
}

// named is a memory with a name in every field that is in keys.
func named(n int) *graph.Memory {
	id := namedID('m', n)
	return &graph.Memory{
		ID: id, Namespace: "main", Type: graph.Episodic, Content: "content", Subject: fmt.Sprintf("subject %d", n), User: fmt.Sprintf("user %d", n),
		Session: fmt.Sprintf("session %d", n), Project: fmt.Sprintf("project %d", n), ExternalID: fmt.Sprintf("external %d", n),
		DecayClass: graph.DecaySlow, Sensitivity: graph.Public, Consent: graph.ConsentExplicit, SourceKind: graph.FromUser, Chain: id, Version: 1,
		Entities: []graph.ID{namedID('e', n)}, CreatedAt: namedAt, UpdatedAt: namedAt, RecordedAt: namedAt, OccurredAt: namedAt, ValidFrom: namedAt,
		History: []graph.State{{From: namedAt, Status: graph.Active, Tier: graph.L1}},
	}
}

func namedEntity(id graph.ID, n int) *graph.Entity {
	return &graph.Entity{ID: id, Namespace: "main", User: fmt.Sprintf("user %d", n), Name: fmt.Sprintf("entity %d", n), Canonical: fmt.Sprintf("entity %d", n), Type: graph.Person, FirstSeen: namedAt}
}

// namedRelation is a relation between an entity and itself.
func namedRelation(id graph.ID, n int) *graph.Relation {
	e := namedID('e', n)
	return &graph.Relation{ID: id, Namespace: "main", Source: e, Target: e, Predicate: fmt.Sprintf("predicate %d", n), Strength: 1, StrengthAt: namedAt,
		Confidence: 1, ValidFrom: namedAt, EventTime: namedAt, RecordedAt: namedAt, Memories: []graph.ID{namedID('m', n)}}
}

func namedRequest(n int) graph.Request {
	return graph.Request{Key: fmt.Sprintf("request %d", n), Digest: "digest", Result: namedID('m', n), At: namedAt}
}

// putNamed writes rows with names.
func putNamed(t testing.TB, s graph.Store) {
	t.Helper()
	for n := range namedRows {
		_, err := s.Update(t.Context(), owner, func(tx graph.Tx) error {
			return errors.Join(tx.PutEntity(namedEntity(namedID('e', n), n)), tx.PutMemory(named(n), graph.EventCreated), tx.PutRelation(namedRelation(namedID('r', n), n)),
				tx.PutRequest(namedRequest(n)), tx.PutSetting(fmt.Sprintf("setting %d", n), []byte{byte(n)}))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// hashedNames are the forms without a secret of all names that putNamed writes.
func hashedNames() (hashes [][16]byte) {
	hashes = append(hashes, badgerstore.NameHash("main"), badgerstore.NameHash(""))
	for n := range namedRows {
		for _, word := range []string{"user", "session", "subject", "project", "external", "predicate", "request", "setting"} {
			hashes = append(hashes, badgerstore.NameHash(fmt.Sprintf("%s %d", word, n)))
		}
		hashes = append(hashes, badgerstore.NameHash("main", fmt.Sprintf("external %d", n)), badgerstore.NameHash("main", fmt.Sprintf("user %d", n), fmt.Sprintf("entity %d", n)))
	}
	return hashes
}

// hashesInKeys counts the keys of a store that have the hash of a name.
func hashesInKeys(s *badgerstore.Store) (found int) {
	hashes := hashedNames()
	for _, k := range s.StoredKeys() {
		if slices.ContainsFunc(hashes, func(h [16]byte) bool { return bytes.Contains(k, h[:]) }) {
			found++
		}
	}
	return found
}

// hashesInFiles counts the hashes of names in the files of a directory. Badger's tables leave out how a
// key begins as the one before it.
func hashesInFiles(t testing.TB, dir string) int {
	t.Helper()
	var tails [][]byte
	for _, h := range hashedNames() {
		tails = append(tails, h[4:])
	}
	return filetest.Marks(t, dir, tails...).Times
}

// checkNamed reads everything that putNamed wrote by its names, but for the memories in gone.
func checkNamed(t testing.TB, s graph.Store, gone ...int) {
	t.Helper()
	err := s.View(t.Context(), owner, func(r graph.Reader) error {
		for n := range namedRows {
			want := 1
			if slices.Contains(gone, n) {
				want = 0
			}
			m := named(n)
			for _, q := range []graph.MemoryQuery{
				{Users: []string{m.User}}, {Session: m.Session}, {Subject: m.Subject}, {Project: m.Project}, {ExternalID: m.ExternalID}, {Namespaces: []string{"main"}, Users: []string{m.User}},
			} {
				q.Statuses = []graph.Status{graph.Active}
				if found, err := r.ListMemories(q); err != nil || len(found) != want || want == 1 && found[0].ID != m.ID {
					t.Errorf("%+v: %d memories, %v", q, len(found), err)
				}
			}
			e, err := r.EntityByName("main", m.User, fmt.Sprintf("entity %d", n))
			if err != nil || e.ID != namedID('e', n) {
				t.Errorf("entity %d: %v, %v", n, e, err)
			}
			if v, err := r.Setting(fmt.Sprintf("setting %d", n)); err != nil || len(v) != 1 || v[0] != byte(n) {
				t.Errorf("setting %d: %v, %v", n, v, err)
			}
			relation, err := r.Relation(namedID('e', n), fmt.Sprintf("predicate %d", n), namedID('e', n))
			if known, err := graph.Found(err); err != nil || known != (want == 1) || known && relation.ID != namedID('r', n) {
				t.Errorf("relation %d: %v, %v", n, relation, err)
			}
			relation, err = r.RelationByID(namedID('r', n))
			if known, err := graph.Found(err); err != nil || known != (want == 1) || known && relation.Predicate != fmt.Sprintf("predicate %d", n) {
				t.Errorf("relation %d by its id: %v, %v", n, relation, err)
			}
			q, err := r.Request(fmt.Sprintf("request %d", n))
			if known, err := graph.Found(err); err != nil || known != (want == 1) || known && q.Result != m.ID {
				t.Errorf("request %d: %v, %v", n, q, err)
			}
		}
		all, err := r.ListMemories(graph.MemoryQuery{Namespaces: []string{"main"}})
		if len(all) != namedRows {
			t.Errorf("%d memories of the namespace", len(all))
		}
		entities, eerr := r.ListEntities(graph.EntityQuery{Namespaces: []string{"main"}})
		if len(entities) != namedRows {
			t.Errorf("%d entities", len(entities))
		}
		return errors.Join(err, eerr)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkUnique writes what putNamed wrote under other ids, which must fail.
func checkUnique(t testing.TB, s graph.Store, n int) {
	t.Helper()
	for what, put := range map[string]func(graph.Tx) error{
		"entity":   func(tx graph.Tx) error { return tx.PutEntity(namedEntity(namedID('x', n), n)) },
		"relation": func(tx graph.Tx) error { return tx.PutRelation(namedRelation(namedID('x', n), n)) },
		"request":  func(tx graph.Tx) error { return tx.PutRequest(namedRequest(n)) },
	} {
		if _, err := s.Update(t.Context(), owner, put); !errors.Is(err, graph.ErrConflict) {
			t.Errorf("a second %s: %v", what, err)
		}
	}
}

// No key of a sealed store, and no byte of its files, has the hash of a name; of one without keys many
// do. A copy of the files is refused with other keys, and with those of before the names were keyed.
func TestNamesOfASealedStoreAreHMACs(t *testing.T) {
	dir, keyDir := t.TempDir(), t.TempDir()
	o := small
	o.OpenKeys = keysIn(keyDir)
	s := open(t, dir, o)
	putNamed(t, s)
	checkNamed(t, s)
	checkUnique(t, s, 3)
	if found := hashesInKeys(s); found > 0 {
		t.Errorf("%d keys have the hash of a name", found)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if found := hashesInFiles(t, dir); found > 0 {
		t.Errorf("%d hashes of names are in the files", found)
	}
	other := copyDir(t, keyDir)
	k, err := keyring.Open(other, keyring.Options{})
	if err == nil {
		err = k.PutSecret("names", bytes.Repeat([]byte{7}, keyring.KeySize))
	}
	if err := errors.Join(err, k.Close()); err != nil {
		t.Fatal(err)
	}
	without := copyDir(t, keyDir)
	if err := os.Remove(filepath.Join(without, "secrets", "names")); err != nil {
		t.Fatal(err)
	}
	for keys, want := range map[string]string{other: "is another one", without: "are missing"} {
		o.OpenKeys = keysIn(keys)
		s, err := badgerstore.Open(copyDir(t, dir), o)
		if err == nil {
			_ = s.Close()
		}
		if !errors.Is(err, keyring.ErrWrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	plain := open(t, t.TempDir(), small)
	putNamed(t, plain)
	if found := hashesInKeys(plain); found < 10*namedRows {
		t.Errorf("%d keys of a store without keys have the hash of a name", found)
	}
}

// The files of a sealed store have no hash of a session of uses, neither in rows nor in the log, also where an
// earlier version wrote them. A use in a session that had one is the same session as before.
func TestSessionsOfUsesAreHMACs(t *testing.T) {
	const folded, logged, later = uint64(0xa1b2c3d4e5f60718), uint64(0x90a1b2c3d4e5f607), uint64(0x8090a0b0c0d0e0f1)
	use := func(s *badgerstore.Store, session uint64) {
		t.Helper()
		u := graph.Use{At: namedAt, Sessions: graph.KeyedSessions(s, owner.Tenant, graph.Sessions{session})}
		if err := s.CountUses(t.Context(), owner, []graph.ID{namedID('m', 0)}, u); err != nil {
			t.Fatal(err)
		}
	}
	sessions := func(s *badgerstore.Store) (found graph.Sessions) {
		t.Helper()
		err := s.View(t.Context(), owner, func(r graph.Reader) error {
			m, err := r.Memory(namedID('m', 0))
			found = m.Usage.Sessions
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	inFiles := func(dir string) int {
		var hashes [][]byte
		for _, session := range []uint64{folded, logged, later} {
			hashes = append(hashes, binary.BigEndian.AppendUint64(nil, session))
		}
		return filetest.Marks(t, dir, hashes...).Times
	}
	dir, o, mine := t.TempDir(), small, t.TempDir()
	o.FoldEvery = time.Hour // nothing is folded while files are copied
	plain := open(t, dir, o)
	putNamed(t, plain)
	use(plain, folded)
	if err := plain.FlushUses(t.Context()); err != nil {
		t.Fatal(err)
	}
	use(plain, logged)
	if got := sessions(plain); !slices.Equal(got, graph.Sessions{logged, folded}) {
		t.Fatalf("of a store without keys: %x", got)
	}
	killed := copyDir(t, dir) // the second use is in the log alone
	if inFiles(killed) < 2 {
		t.Fatal("the files of an earlier version have no hash of a session")
	}
	o.OpenKeys = keysIn(mine)
	s := open(t, killed, o)
	want := graph.KeyedSessions(s, owner.Tenant, graph.Sessions{folded}).Union(graph.KeyedSessions(s, owner.Tenant, graph.Sessions{logged}))
	if got := sessions(s); len(want) != 2 || !slices.Equal(got, want) || slices.Contains(got, folded) || slices.Contains(got, logged) {
		t.Errorf("before the conversion, or in it: %x, not %x", got, want)
	}
	use(s, folded)
	if _, err := s.Shred(t.Context(), owner); err != nil { // waits for the end of the conversion
		t.Fatal(err)
	}
	use(s, later)
	want = want.Union(graph.KeyedSessions(s, owner.Tenant, graph.Sessions{later}))
	if got := sessions(s); len(want) != 3 || !slices.Equal(got, want) {
		t.Errorf("after the conversion: %x, not %x", got, want)
	}
	if found := inFiles(killed); found > 0 {
		t.Errorf("%d hashes of sessions are in the files while the store is open", found)
	}
	again := copyDir(t, killed) // with the last use in the log
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	o.OpenKeys = keysIn(copyDir(t, mine))
	for name, at := range map[string]string{"after a kill": again, "after a stop": killed} {
		s := open(t, at, o)
		if got := sessions(s); !slices.Equal(got, want) {
			t.Errorf("%s: %x, not %x", name, got, want)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if found := inFiles(at); found > 0 {
			t.Errorf("%s %d hashes of sessions are in the files", name, found)
		}
	}
	other := open(t, t.TempDir(), badgerstore.Options{InMemory: true, OpenKeys: keysIn(t.TempDir())})
	if a, b := graph.KeyedSessions(other, owner.Tenant, graph.Sessions{later}), graph.KeyedSessions(other, "another", graph.Sessions{later}); slices.Equal(a, b) || a.Has(want[0]) {
		t.Errorf("tenants and stores have equal sessions: %x, %x", a, b)
	}
}

// Two stores have different names for the same words, and so have two tenants of one.
func TestNamesDifferByTenantAndStore(t *testing.T) {
	tails := func(s *badgerstore.Store, tenant graph.Tenant) (found []string) {
		_, err := s.Update(t.Context(), graph.Scope{Tenant: tenant}, func(tx graph.Tx) error { return tx.PutSetting("a setting", []byte("x")) })
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range s.StoredKeys() {
			if tail, ok := bytes.CutPrefix(k, []byte(tenant+"\x00a")); ok {
				found = append(found, string(tail))
			}
		}
		return found
	}
	var all []string
	for range 2 {
		o := small
		o.OpenKeys = keysIn(t.TempDir())
		s := open(t, t.TempDir(), o)
		all = slices.Concat(all, tails(s, "one"), tails(s, "two"))
	}
	slices.Sort(all)
	if len(all) != 4 || len(slices.Compact(all)) != 4 {
		t.Errorf("the names are %x", all)
	}
}

// A process that ends after any commit of the conversion leaves data that the next one reads and writes at once, and
// finishes.
func TestNamesAreConvertedAfterAStopAtAnyCommit(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	t.Run("from layout 1", func(t *testing.T) {
		dir := t.TempDir()
		s := open(t, dir, small)
		putNamed(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		stopAtAnyCommit(t, dir, t.TempDir(), 30)
	})
	t.Run("from layout 2", func(t *testing.T) {
		dir, keyDir := t.TempDir(), t.TempDir()
		o := small
		o.OpenKeys = keysIn(keyDir)
		s := open(t, dir, o)
		s.BeginHashed()
		putNamed(t, s)
		if err := errors.Join(s.BackToLayout2(), s.Close()); err != nil {
			t.Fatal(err)
		}
		stopAtAnyCommit(t, dir, keyDir, 25)
	})
}

// stopAtAnyCommit converts a store, and copies of its files from after every commit.
func stopAtAnyCommit(t *testing.T, dir, keyDir string, atLeast int) {
	t.Helper()
	if hashesInFiles(t, dir) == 0 {
		t.Fatal("the files of an earlier version have no hash of a name")
	}
	type image struct{ dir, keys string }
	var images []image
	var mu lock
	o := badgerstore.AfterCommit(small, func() {
		mu.do(func() { images = append(images, image{copyDir(t, dir), copyDir(t, keyDir)}) })
	})
	o.OpenKeys = keysIn(keyDir)
	s := open(t, dir, o)
	if _, err := s.Shred(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	checkConverted(t, dir, keyDir, false)
	t.Logf("%d commits", len(images))
	if len(images) < atLeast {
		t.Errorf("only %d commits", len(images))
	}
	for i, at := range images {
		t.Run(fmt.Sprintf("commit %d", i+1), func(t *testing.T) {
			t.Parallel()
			checkConverted(t, at.dir, at.keys, i%2 == 0)
		})
	}
}

// checkConverted opens a store, whose names may be partly converted, reads and writes at once, and checks
// what it has when they are. With erase a memory is erased meanwhile.
func checkConverted(t *testing.T, dir, keyDir string, erase bool) {
	t.Helper()
	o := small
	o.OpenKeys = keysIn(keyDir)
	s, err := badgerstore.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	checkNamed(t, s)
	checkUnique(t, s, 2)
	var gone []int
	if erase {
		gone = []int{5}
		_, err := s.Update(t.Context(), owner, func(tx graph.Tx) error { return tx.Erase(namedID('m', 5), namedAt.Add(time.Hour)) })
		if err != nil {
			t.Fatal(err)
		}
		checkNamed(t, s, gone...)
	}
	if _, err := s.Shred(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	checkNamed(t, s, gone...)
	checkUnique(t, s, 2)
	if found, err := s.FormerNames(owner.Tenant); err != nil || found > 0 {
		t.Errorf("%d rows have their former names: %v", found, err)
	}
	if found := hashesInKeys(s); found > 0 {
		t.Errorf("%d keys have the hash of a name", found)
	}
	if found := hashesInFiles(t, dir); found > 0 {
		t.Errorf("%d hashes of names are in the files", found)
	}
}

// Of two transactions that give an entity the same name one runs again, in whatever form of the names each began.
func TestUniqueNamesConflictInEveryForm(t *testing.T) {
	for first := range badgerstore.NameSteps + 1 {
		for steps := range badgerstore.NameSteps + 1 - first {
			o := small
			o.OpenKeys = keysIn(t.TempDir())
			s := open(t, t.TempDir(), o)
			s.BeginHashed()
			if _, err := s.Update(t.Context(), owner, func(tx graph.Tx) error { return tx.PutSetting("x", []byte("1")) }); err != nil {
				t.Fatal(err)
			}
			convert := func(from, n int) {
				for step := from; step < from+n; step++ {
					if err := s.ConvertNames(owner.Tenant, step); err != nil {
						t.Fatal(err)
					}
				}
			}
			convert(0, first)
			ids := []graph.ID{namedID('e', 1), namedID('x', 1)}
			put := func(id graph.ID, meanwhile func()) error {
				_, err := s.Update(t.Context(), owner, func(tx graph.Tx) error {
					m := named(1)
					m.ID, m.Chain, m.Entities = namedID('m', int(id[len(id)-13])), namedID('m', int(id[len(id)-13])), nil
					err := errors.Join(tx.PutEntity(namedEntity(id, 1)), tx.PutRequest(graph.Request{Key: "request", At: namedAt}))
					if meanwhile != nil {
						meanwhile()
						meanwhile = nil
					}
					return err
				})
				return err
			}
			if err := put(ids[0], func() {
				convert(first, steps)
				if err := put(ids[1], nil); err != nil {
					t.Errorf("from step %d, %d steps: the second: %v", first, steps, err)
				}
			}); !errors.Is(err, graph.ErrConflict) {
				t.Errorf("from step %d, %d steps: the first: %v", first, steps, err)
			}
		}
	}
}
