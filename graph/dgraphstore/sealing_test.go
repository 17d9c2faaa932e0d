package dgraphstore

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/storetest"
	"github.com/somnograph/somnograph/internal/dgraphtest"
	"github.com/somnograph/somnograph/internal/filetest"
)

// sealedOptions are those of a sealed store with keys in a directory.
func sealedOptions(dir string) Options {
	return Options{Seal: true, OpenKeys: func(existing bool) (*keyring.Keyring, error) {
		return keyring.Open(dir, keyring.Options{Existing: existing})
	}}
}

func openSealed(t testing.TB, addr string, o Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), []string{addr}, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeStore(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// Every part of the contract holds in a sealed store, whose rows get new keys all the time.
func TestSealedSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	c, keys := dgraphtest.Run(t, t.TempDir()), t.TempDir()
	opened := func(t testing.TB) *Store {
		o := sealedOptions(keys) // with the fold of uses after seconds, which comes after takeAll
		s := openSealed(t, c.Addr, o)
		s.foldQueue.takeAll() // uses of tenants of other tests: folding them would be a foreign commit there
		s.renewOdds = 3
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		return s
	}
	opened(t) // seals the cluster: the tests run at once, with a store each
	storetest.Run(t, storetest.Harness{
		New: func(t testing.TB) graph.Store { return opened(t) },
		Reopen: func(t testing.TB, s graph.Store) graph.Store {
			closeStore(t, s.(*Store))
			return opened(t)
		},
	})
}

// dump is every value in the cluster by predicate, with what base64 holds decoded.
func dump(t *testing.T, s *Store) map[string][]string {
	t.Helper()
	var schema struct {
		Schema []struct{ Predicate, Type string }
	}
	if err := s.newSnapshot().runQuery(t.Context(), "schema {}", nil, &schema); err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, p := range schema.Schema {
		if p.Type == "uid" {
			continue
		}
		var answer struct{ Q []map[string]json.RawMessage }
		if err := s.newSnapshot().runQuery(t.Context(), fmt.Sprintf("{ q(func: has(<%s>)) { <%[1]s> } }", p.Predicate), nil, &answer); err != nil {
			t.Fatal(err)
		}
		for _, q := range answer.Q {
			raw := q[p.Predicate]
			all[p.Predicate] = append(all[p.Predicate], string(raw))
			var text string
			if json.Unmarshal(raw, &text) == nil {
				if b, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, sealedMark)); err == nil {
					all[p.Predicate] = append(all[p.Predicate], string(b))
				}
			}
		}
	}
	if len(all["memory.record"]) == 0 {
		t.Fatalf("the dump has no memory: %d predicates", len(all))
	}
	return all
}

// holds returns the predicates in which a mark is.
func holds(all map[string][]string, mark string) (in []string) {
	for predicate, values := range all {
		if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, mark) }) {
			in = append(in, predicate)
		}
	}
	return in
}

const canary = "canary-91c2"

// writeCanaries writes memories with everything that refers to them: the first has a canary in every field.
func writeCanaries(t *testing.T, s *Store, sc graph.Scope) (erased, kept *graph.Memory, who *graph.Entity) {
	t.Helper()
	kept = memory(t, 0)
	who = &graph.Entity{ID: must[graph.ID](t)(graph.NewID(start, bytes.NewReader(make([]byte, 32)))), Namespace: "main", Name: canary, Canonical: canary, Type: graph.Person, FirstSeen: start}
	erased = memory(t, time.Second, func(m *graph.Memory) {
		m.Content, m.Summary, m.User, m.Session, m.Subject, m.Project, m.ExternalID = canary, canary, canary, canary, canary, canary, canary
		m.Source, m.Reason, m.Tags, m.Checksum, m.Entities = canary, canary, []string{canary}, canary, []graph.ID{who.ID}
	})
	other := memory(t, 2*time.Second)
	rel := &graph.Relation{ID: other.ID, Namespace: "main", Source: who.ID, Predicate: canary, Target: kept.ID, Memories: []graph.ID{erased.ID}, Strength: 1, ValidFrom: start, RecordedAt: start}
	_, err := s.Update(t.Context(), sc, func(tx graph.Tx) error {
		return errors.Join(put(kept, erased)(tx), tx.PutEntity(who), tx.PutRelation(rel),
			tx.PutEmbedding(erased.ID, []float32{0.123456, 0.5, 0.75, 0.875}), tx.PutEmbedding(kept.ID, []float32{1, 0, 0, 0}),
			tx.PutEdge(graph.Edge{From: erased.ID, Kind: graph.EvidenceFor, To: kept.ID}),
			tx.PutRequest(graph.Request{Key: canary, Result: erased.ID, Answer: json.RawMessage(`"` + canary + `"`)}),
			tx.PutSetting(canary, []byte(canary)),
			tx.PutNote(graph.Note{Kind: graph.NoteDecision, ID: kept.ID, Memories: []graph.ID{erased.ID}, Data: json.RawMessage(`"` + canary + `"`)}))
	})
	if err != nil {
		t.Fatal(err)
	}
	return erased, kept, who
}

// A copy of the cluster's directories from before an erasure, with the keys of today, yields nothing of what was erased,
// and a store that is opened on it has the rest alone. Neither the predicates nor the files hold content in the
// clear at any time.
func TestACopyOfTheClusterYieldsNothingErased(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	dir, copied, keys := t.TempDir(), t.TempDir(), t.TempDir()
	c := dgraphtest.Run(t, dir)
	s, sc := openSealed(t, c.Addr, sealedOptions(keys)), scope(t)
	erased, kept, who := writeCanaries(t, s, sc)
	vector := binary.BigEndian.AppendUint32(nil, math.Float32bits(0.123456))
	clear := func(when string, s *Store) {
		t.Helper()
		all := dump(t, s)
		for _, mark := range []string{canary, "0.123456", string(vector)} {
			if in := holds(all, mark); len(in) > 0 {
				t.Errorf("%s %q is in %v", when, mark, in)
			}
		}
		for _, name := range []string{"memory.embedding", "memory.checksum"} {
			if len(all[name]) > 0 {
				t.Errorf("%s there is %s", when, name)
			}
		}
	}
	clear("before the erasure", s)
	plain := newKeyspace(sc.Tenant)
	for _, hash := range []string{plain.hashedKey(byUser, canary), plain.hashedKey("entity", "main", "", canary), plain.hashedKey("request", canary), plain.hashedKey("setting", canary)} {
		if in := holds(dump(t, s), hash); len(in) > 0 {
			t.Errorf("the hash of a name without a secret is in %v", in)
		}
	}
	closeStore(t, s)
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, mark := range [][]byte{[]byte(canary), []byte("0.123456")} {
		if in := filetest.Marks(t, copied, mark).In; len(in) > 0 {
			t.Errorf("%q is in %v", mark, in)
		}
	}

	c = dgraphtest.Run(t, dir)
	s = openSealed(t, c.Addr, sealedOptions(keys))
	_, err := s.Update(t.Context(), sc, func(tx graph.Tx) error {
		return errors.Join(tx.Erase(erased.ID, start.Add(time.Hour)), tx.DeleteEntity(who.ID), tx.PutSetting(canary, nil))
	})
	if err != nil {
		t.Fatal(err)
	}
	destroyed := must[[]uint64](t)(s.Shred(t.Context(), sc))
	if len(destroyed) != 7 { // memory, vector, entity, relation, request, setting, note
		t.Errorf("%d keys are destroyed", len(destroyed))
	}
	if again := must[[]uint64](t)(s.Shred(t.Context(), sc)); len(again) != 0 {
		t.Errorf("%d keys are listed again", len(again))
	}
	clear("after the erasure", s)
	readKept(t, s, sc, erased.ID, kept)
	closeStore(t, s)
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}

	c = dgraphtest.Run(t, copied)
	_, err = Open(t.Context(), []string{c.Addr}, Options{})
	if !errors.Is(err, keyring.ErrWrong) {
		t.Fatalf("a sealed cluster is opened without keys: %v", err)
	}
	raw := openUnchecked(t, c.Addr, keys)
	openable, dead := 0, 0
	for _, kind := range []*rowKind{memories, entities, relations, requests, notes, settings} {
		r := newReader(t.Context(), raw.newSnapshot(), sc.Tenant)
		err := raw.eachSealed(t.Context(), r.ks, kind, func(x storedSeal) error {
			b, _, err := r.openBytes(kind.name, x.Key, x.Record)
			switch {
			case errors.Is(err, keyring.ErrDestroyed):
				dead++
				return nil
			case err != nil:
				return err
			}
			openable++
			if bytes.Contains(b, []byte(canary)) {
				t.Errorf("%s %s of the copy opens with the keys of today", kind.name, x.Key)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if dead != 6 || openable == 0 {
		t.Errorf("of the copy %d rows have destroyed keys, %d can be opened", dead, openable)
	}
	if v, err := newReader(t.Context(), raw.newSnapshot(), sc.Tenant).readVector(erased.ID); !errors.Is(err, errShredded) {
		t.Errorf("the vector of the copy is %v, %v", v, err)
	}
	clear("in the copy", raw)
	closeStore(t, raw)

	for range 2 {
		s = openSealed(t, c.Addr, sealedOptions(keys))
		readKept(t, s, sc, erased.ID, kept)
		if n := len(s.Swept(sc)); n > 1 {
			t.Errorf("%d memories are swept", n)
		}
		clear("after the copy was opened", s)
		closeStore(t, s)
	}
	s = openSealed(t, c.Addr, sealedOptions(keys))
	if swept := s.Swept(sc); len(swept) > 0 {
		t.Errorf("%v are swept again", swept)
	}
	if _, err := s.Update(t.Context(), sc, put(memory(t, time.Minute))); err != nil {
		t.Errorf("nothing can be written after the sweep: %v", err)
	}
	closeStore(t, s)
}

// openUnchecked opens a sealed store without comparing the cluster with the keys.
func openUnchecked(t *testing.T, addr, keys string) *Store {
	t.Helper()
	s, err := connect(t.Context(), []string{addr}, sealedOptions(keys))
	if err != nil {
		t.Fatal(err)
	}
	state, err := s.schemaState(t.Context())
	if err == nil {
		s.keys, err = s.options.OpenKeys(true)
	}
	if err == nil {
		err = s.checkSeal(state.Seal)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// readKept fails unless the memory that was not erased is there and the other one is not.
func readKept(t *testing.T, s *Store, sc graph.Scope, erased graph.ID, kept *graph.Memory) {
	t.Helper()
	err := s.View(t.Context(), sc, func(r graph.Reader) error {
		m, err := r.Memory(kept.ID)
		if err != nil || m.Content != kept.Content {
			t.Errorf("what was kept says %+v, %v", m, err)
		}
		if v, err := r.Embedding(kept.ID); err != nil || !slices.Equal(v, []float32{1, 0, 0, 0}) {
			t.Errorf("its vector is %v, %v", v, err)
		}
		if m, err := r.Memory(erased); err == nil && m.Content != "" || err != nil && !errors.Is(err, graph.ErrNotFound) {
			t.Errorf("what was erased says %+v, %v", m, err)
		}
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return err
			}
			if strings.Contains(m.Content+m.Summary+m.User, canary) {
				t.Errorf("the list has %+v", m)
			}
		}
		if _, err := r.Relations(kept.ID, graph.Both, "", 0); err != nil {
			return err
		}
		if _, err := r.Edges(kept.ID, graph.Both); err != nil {
			return err
		}
		_, err = r.Notes(graph.NoteDecision, "", false, 0)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Keys are replaced while the store is open; earlier rows and their keys are gone then. Another directory of keys, an older copy of it, data
// that is not sealed and a second server are refused.
func TestKeysOfASealedCluster(t *testing.T) {
	dir, keys := t.TempDir(), t.TempDir()
	c := dgraphtest.Run(t, dir)
	s, sc := openSealed(t, c.Addr, sealedOptions(keys)), scope(t)
	erased, kept, _ := writeCanaries(t, s, sc)
	early := t.TempDir()
	copyKeys(t, early, keys)
	for range 2 {
		if err := errors.Join(s.RotateMaster(t.Context()), s.RotateKey(t.Context(), sc)); err != nil {
			t.Fatal(err)
		}
		first := must[uint64](t)(s.RenewRows(t.Context(), sc, func(int, int) {}))
		if first == 0 {
			t.Fatal("the tenant has no keys")
		}
		if err := s.EndRenewal(t.Context(), sc, first); err != nil {
			t.Fatal(err)
		}
		ring := must[*keyring.Ring](t)(s.Ring(sc.Tenant))
		if ring.First() != first {
			t.Errorf("the first key is %d, not %d", ring.First(), first)
		}
	}
	err := s.View(t.Context(), sc, func(r graph.Reader) error {
		m, err := r.Memory(erased.ID)
		if err != nil || m.Content != canary {
			t.Errorf("after the rotation it says %+v, %v", m, err)
		}
		v, err := r.Setting(canary)
		if string(v) != canary {
			t.Errorf("the setting is %q", v)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Update(t.Context(), sc, func(tx graph.Tx) error { return tx.Erase(erased.ID, start.Add(time.Hour)) }); err != nil {
		t.Fatal(err)
	}
	if n := len(must[[]uint64](t)(s.Shred(t.Context(), sc))); n == 0 {
		t.Error("no key is destroyed")
	}

	// A second server with a copy of the keys: at its first commit the first one writes no more.
	second := t.TempDir()
	copyKeys(t, second, keys)
	two := openSealed(t, c.Addr, sealedOptions(second))
	if _, err := two.Update(t.Context(), sc, put(memory(t, time.Hour))); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Update(t.Context(), sc, put(memory(t, 2*time.Hour))); !errors.Is(err, keyring.ErrWrong) {
			t.Errorf("two servers write to a sealed cluster: %v", err)
		}
	}
	closeStore(t, two)
	_ = s.Close() // it may not be able to fold uses

	for name, other := range map[string]string{"a new directory": t.TempDir(), "an older copy": early} {
		if wrong, err := Open(t.Context(), []string{c.Addr}, sealedOptions(other)); !errors.Is(err, keyring.ErrWrong) {
			t.Errorf("with %s: %v", name, err)
			if err == nil {
				closeStore(t, wrong)
			}
		}
	}
	o := sealedOptions(second)
	o.IndexVectors = true
	if _, err := Open(t.Context(), []string{c.Addr}, o); err == nil {
		t.Error("a sealed cluster has a vector index")
	}
	o = sealedOptions(second)
	o.Seal = false // one that was sealed stays so
	s = openSealed(t, c.Addr, o)
	readKept(t, s, sc, erased.ID, kept)
	closeStore(t, s)
	plain := open(t, Options{})
	if _, err := plain.Update(t.Context(), scope(t), put(memory(t, 0))); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), []string{cluster.Addr}, sealedOptions(t.TempDir())); !errors.Is(err, ErrPlain) {
		t.Errorf("a cluster with plain data is sealed: %v", err)
	}
}

// copyKeys copies a directory of keys, which nobody else may read.
func copyKeys(t *testing.T, to, from string) {
	t.Helper()
	err := errors.Join(os.CopyFS(to, os.DirFS(from)), filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chmod(path, 0o600)
	}))
	if err != nil {
		t.Fatal(err)
	}
}
