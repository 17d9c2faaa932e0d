package monitor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// flip changes a bit wherever the tables of an open store have a text, and returns how to change it
// back.
func flip(t *testing.T, dir, text string) (back func()) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "graph", "*.sst"))
	if err != nil {
		t.Fatal(err)
	}
	type place struct {
		name string
		at   int
	}
	var places []place
	change := func() {
		for _, p := range places {
			f, err := os.OpenFile(p.name, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			var b [1]byte
			_, err = f.ReadAt(b[:], int64(p.at))
			b[0] ^= 8
			_, failed := f.WriteAt(b[:], int64(p.at))
			if err := errors.Join(err, failed, f.Close()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for from := 0; ; from++ {
			at := bytes.Index(b[from:], []byte(text))
			if at < 0 {
				break
			}
			from += at
			places = append(places, place{name, from + 1})
		}
	}
	if len(places) == 0 {
		t.Fatalf("the tables do not have %q", text)
	}
	change()
	return change
}

// A bit of an entity, of a relation or of a note flips on the disk of a running server: the alarm is
// raised and says which, and ends when the row can be read.
func TestDamagedRowsBesideMemoriesAreTold(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	open := func() *badgerstore.Store {
		store, err := badgerstore.Open(dir, badgerstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return store
	}
	store := open()
	w := enginetest.With(t, enginetest.Options{Store: store})
	m := w.Remember("The quay is lit at night.").Memory
	at := m.RecordedAt
	id := func(name string) graph.ID {
		id, err := graph.DerivedID(at, "test", name)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	entity := &graph.Entity{ID: id("entity"), Namespace: m.Namespace, Name: "Quartermaster", Canonical: "quartermaster", Type: graph.Person, Properties: json.RawMessage(`{"rank":"boatswain"}`), FirstSeen: at}
	other := &graph.Entity{ID: id("other"), Namespace: m.Namespace, Name: "Winch", Canonical: "winch", Type: graph.Person, FirstSeen: at}
	_, err := store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		return errors.Join(tx.PutEntity(entity), tx.PutEntity(other),
			tx.PutRelation(&graph.Relation{ID: id("relation"), Namespace: m.Namespace, Source: entity.ID, Target: other.ID, Predicate: "greases_weekly", Strength: 1, StrengthAt: at,
				Confidence: .5, ValidFrom: at, EventTime: at, RecordedAt: at, Memories: []graph.ID{m.ID}}),
			tx.PutNote(graph.Note{Kind: graph.NoteAside, ID: id("note"), Namespace: m.Namespace, Memories: []graph.ID{m.ID}, At: at, Data: json.RawMessage(`{"text":"kedge anchor"}`)}))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(t.Context()), store.Close()); err != nil { // the rows go to tables
		t.Fatal(err)
	}
	store = open()
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	w = enginetest.With(t, enginetest.Options{Store: store})
	w.Clock.Advance(time.Hour)
	refresh(w)
	wantActive(w, "before", "")
	for _, x := range []struct{ text, detail string }{
		{"boatswain", "1 entity"}, {"greases_weekly", "1 relation"}, {"kedge anchor", "1 kind of notes"},
	} {
		back := flip(t, dir, x.text)
		refresh(w)
		wantActive(w, x.text, "checksum_failures/CRITICAL/BLOCK_DAMAGED")
		all, err := w.Alarms(t.Context(), w.Caller, engine.AlarmInput{})
		if err != nil || len(all) == 0 || !strings.Contains(all[0].Detail, x.detail) {
			t.Errorf("%s: %+v, %v", x.text, all, err)
		}
		back()
		refresh(w)
		wantActive(w, x.text+", restored", "")
	}

	flip(t, dir, "greases_weekly") // it hides no violation of consent
	explicit := graph.ConsentExplicit
	if _, err := w.SetNamespacePolicy(t.Context(), w.Caller, engine.PolicyInput{Update: policy.Update{MinConsent: &explicit}}); err != nil {
		t.Fatal(err)
	}
	planted := *m.Memory
	planted.Content, planted.Consent = "Planted past the engine.", graph.ConsentNone
	w.Clock.Advance(time.Minute)
	plant(w, &planted)
	w.Clock.Advance(11 * time.Minute)
	if err := w.RefreshHealth(t.Context()); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("the degree of entities can't be read: %v", err)
	}
	wantActive(w, "beside a violation", "checksum_failures/CRITICAL/BLOCK_DAMAGED consent_violations/CRITICAL/HALT_READS")
}

// damagedFeed is a store whose feed can't be read at some cursors.
type damagedFeed struct {
	graph.Store
	bad atomic.Pointer[func(graph.Cursor) bool] // the index reads the feed at any time
}

func (s *damagedFeed) Changes(ctx context.Context, scope graph.Scope, after graph.Cursor, limit int) ([]graph.Change, error) {
	changes, err := s.Store.Changes(ctx, scope, after, limit)
	if bad := s.bad.Load(); bad != nil && slices.ContainsFunc(changes, func(ch graph.Change) bool { return (*bad)(ch.Cursor) }) {
		return nil, graph.ErrIntegrity
	}
	return changes, err
}

// Changes of the feed that are damaged raise the alarm. It ends when the whole feed can be read.
func TestADamagedFeedIsTold(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	inner, err := badgerstore.Open(dir, badgerstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := inner.Close(); err != nil {
			t.Error(err)
		}
	})
	store := &damagedFeed{Store: inner}
	w := enginetest.With(t, enginetest.Options{Store: store})
	for i := range 40 {
		w.Remember(fmt.Sprintf("Quay %d is lit at night.", i))
	}
	head, err := inner.Head(t.Context(), w.Caller.Scope())
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	refresh(w)
	wantActive(w, "before", "")
	for name, bad := range map[string]func(graph.Cursor) bool{
		"the first":     func(at graph.Cursor) bool { return at < 3 },
		"in the middle": func(at graph.Cursor) bool { return at > head/2 && at < head/2+9 },
		"the last":      func(at graph.Cursor) bool { return at+2 > head },
		"some":          func(at graph.Cursor) bool { return at%7 == 0 },
	} {
		store.bad.Store(&bad)
		refresh(w)
		wantActive(w, name, "checksum_failures/CRITICAL/BLOCK_DAMAGED")
		all, err := w.Alarms(t.Context(), w.Caller, engine.AlarmInput{})
		if err != nil || len(all) == 0 || !strings.Contains(all[0].Detail, "the feed of changes") {
			t.Errorf("%s: %+v, %v", name, all, err)
		}
		store.bad.Store(nil)
		refresh(w) // to the end
		refresh(w) // from the beginning
		wantActive(w, name+", restored", "")
	}
}
