package badgerstore_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/internal/filetest"
)

var owner = graph.Scope{Tenant: "shred"}

// keysIn opens the keys in a directory.
func keysIn(dir string) func(bool, bool) (*keyring.Keyring, error) {
	return func(sealed, _ bool) (*keyring.Keyring, error) {
		return keyring.Open(dir, keyring.Options{Existing: sealed})
	}
}

// marked is a memory with a marker in every field with text, and a vector.
func marked(t testing.TB, n int) (*graph.Memory, string) {
	t.Helper()
	at := time.Date(2026, 3, 1, 0, 0, n, 0, time.UTC)
	id := graph.ID(fmt.Sprintf("019c75e5-7095-7fff-bfff-%012x", n+1))
	marker := fmt.Sprintf("marker%06dz", n)
	return &graph.Memory{
		ID: id, Namespace: "main", Type: graph.Episodic, Content: "content " + marker, Summary: "summary " + marker, Subject: "subject " + marker,
		Object: "object " + marker, Predicate: "says", Tags: []string{marker}, Meta: []byte(`{"k":"` + marker + `"}`), Source: "source " + marker, User: "user",
		DecayClass: graph.DecaySlow, Sensitivity: graph.Public, Consent: graph.ConsentExplicit, SourceKind: graph.FromUser, Chain: id, Version: 1,
		CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at, ValidFrom: at,
		History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}},
	}, marker
}

func putMarked(t testing.TB, s graph.Store, from, n int) (ids []graph.ID, markers []string) {
	t.Helper()
	if n > 100 { // as many as fit into one transaction
		ids, markers = putMarked(t, s, from, 100)
		moreIDs, more := putMarked(t, s, from+100, n-100)
		return append(ids, moreIDs...), append(markers, more...)
	}
	_, err := s.Update(t.Context(), owner, func(tx graph.Tx) error {
		ids, markers = nil, nil
		for i := from; i < from+n; i++ {
			m, marker := marked(t, i)
			if err := tx.PutMemory(m, graph.EventCreated); err != nil {
				return err
			}
			if err := tx.PutEmbedding(m.ID, []float32{float32(i), 1, 2}); err != nil {
				return err
			}
			if err := tx.PutSetting("job "+marker, []byte(marker)); err != nil {
				return err
			}
			ids, markers = append(ids, m.ID), append(markers, marker)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids, markers
}

func erase(t testing.TB, s *badgerstore.Store, ids []graph.ID, markers []string) (destroyed []uint64) {
	t.Helper()
	_, err := s.Update(t.Context(), owner, func(tx graph.Tx) error {
		for i, id := range ids {
			if err := tx.Erase(id, time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)); err != nil {
				return err
			}
			if err := tx.PutSetting("job "+markers[i], nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		destroyed, err = s.Shred(t.Context(), owner)
	}
	if err != nil {
		t.Fatal(err)
	}
	return destroyed
}

// readable counts the markers in the files of a directory.
func readable(t testing.TB, dir string) (found, files int) {
	t.Helper()
	all := filetest.Marks(t, dir, []byte("marker0"))
	return all.Times, all.Files
}

func textsOf(t testing.TB, s graph.Store) (texts map[graph.ID]string) {
	t.Helper()
	err := s.View(t.Context(), owner, func(r graph.Reader) error {
		texts = map[graph.ID]string{}
		all, err := r.ListMemories(graph.MemoryQuery{})
		for _, m := range all {
			if texts[m.ID] = m.Content; m.Status() == graph.Forgotten {
				continue
			}
			if _, err := r.Embedding(m.ID); err != nil {
				return err
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// Nothing that was erased can be read: not in the files of a running store, and not from a copy
// that was made before, opened with the present keys. What was not erased can.
func TestErasedTextIsUnreadable(t *testing.T) {
	dir, keyDir := t.TempDir(), t.TempDir()
	o := small
	o.OpenKeys = keysIn(keyDir)
	s := open(t, dir, o)
	ids, markers := putMarked(t, s, 0, 60)
	putMarked(t, s, 60, 20)
	if found, files := readable(t, dir); found > 0 || files < 3 {
		t.Errorf("%d markers are readable in %d files of a sealed store", found, files)
	}
	before := copyDir(t, dir)
	// A memory whose state changes afterwards is readable in the earlier copy.
	_, err := s.Update(t.Context(), owner, func(tx graph.Tx) error {
		m, err := tx.Memory("019c75e5-7095-7fff-bfff-000000000040")
		if err != nil {
			return err
		}
		m.Importance = .9
		return tx.PutMemory(m, graph.EventUpdated)
	})
	if err != nil {
		t.Fatal(err)
	}
	if destroyed := erase(t, s, ids, markers); len(destroyed) < 3*len(ids) { // of text, vector and setting
		t.Errorf("%d keys were destroyed for %d memories", len(destroyed), len(ids))
	}
	for id, text := range textsOf(t, s) {
		if text != "" && id < "019c75e5-7095-7fff-bfff-00000000003d" {
			t.Errorf("%s still says %q", id, text)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is nothing to remove
		old, err := badgerstore.Open(before, o)
		if err != nil {
			t.Fatal(err)
		}
		left := textsOf(t, old)
		if len(left) != 20 {
			t.Errorf("the copy has %d memories, want 20", len(left))
		}
		for id, text := range left {
			if id < "019c75e5-7095-7fff-bfff-00000000003d" || text == "" {
				t.Errorf("in the copy %s says %q", id, text)
			}
		}
		for _, marker := range markers {
			err := old.View(t.Context(), owner, func(r graph.Reader) error {
				v, err := r.Setting("job " + marker)
				if err == nil && len(v) > 0 {
					t.Errorf("the copy has the setting %s", marker)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := old.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// The erasure that follows destroys the keys of notes that were deleted, also of those that name no
// memory: a copy from before has none of them.
func TestDeletedNotesAreUnreadable(t *testing.T) {
	dir, keyDir := t.TempDir(), t.TempDir()
	o := small
	o.OpenKeys = keysIn(keyDir)
	s := open(t, dir, o)
	ids, _ := putMarked(t, s, 0, 2)
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	notes := []graph.Note{{Kind: graph.NoteSession, ID: ids[0], At: at, Data: []byte(`{"session":"talk"}`)}, {Kind: graph.NoteFeedback, ID: ids[1], Memories: ids[1:], At: at, Data: []byte(`{"user":"ana"}`)}}
	change := func(fn func(graph.Tx, graph.Note) error) {
		t.Helper()
		_, err := s.Update(t.Context(), owner, func(tx graph.Tx) error {
			return errors.Join(fn(tx, notes[0]), fn(tx, notes[1]))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	change(func(tx graph.Tx, n graph.Note) error { return tx.PutNote(n) })
	before := copyDir(t, dir)
	change(func(tx graph.Tx, n graph.Note) error { return tx.DeleteNote(n.Kind, n.ID) })
	destroyed, err := s.Shred(t.Context(), owner)
	if err != nil || len(destroyed) != len(notes) {
		t.Errorf("destroyed %v, %v, want the keys of %d notes", destroyed, err, len(notes))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, before, o)
	if err := s.View(t.Context(), owner, func(r graph.Reader) error {
		for _, n := range notes {
			if found, err := r.Note(n.Kind, n.ID); !errors.Is(err, graph.ErrNotFound) {
				t.Errorf("a copy from before has the note %s: %+v, %v", n.Kind, found, err)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
