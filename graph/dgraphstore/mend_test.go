package dgraphstore

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
)

// spoil overwrites the record of a memory in the cluster.
func spoil(t *testing.T, s *Store, sc graph.Scope, id graph.ID) {
	t.Helper()
	key := newKeyspace(sc.Tenant).nodeKey(id)
	stored := must[map[string]row](t)(newReader(t.Context(), s.newSnapshot(), sc.Tenant).fetchRows(memories, []string{key}))[key]
	record := []byte(stored.Record)
	record[len(record)/2] ^= 1
	if _, err := s.clientFor(t.Context()).NewTxn().Mutate(t.Context(), &api.Mutation{CommitNow: true, Set: []*api.NQuad{quad(stored.UID, "memory.record", string(record))}}); err != nil {
		t.Fatal(err)
	}
	if err := s.View(t.Context(), sc, func(r graph.Reader) error { _, err := r.Memory(id); return err }); !errors.Is(err, graph.ErrIntegrity) {
		t.Fatalf("the damaged memory: %v", err)
	}
}

// drop drops the damaged rows of a memory, and puts others in their place if there are any.
func drop(t *testing.T, s *Store, sc graph.Scope, id graph.ID, instead ...*graph.Memory) {
	t.Helper()
	_, err := s.Update(t.Context(), sc, func(tx graph.Tx) error {
		damage, err := tx.(graph.Mender).DropDamaged(id)
		if damage != (graph.Damage{Memory: true}) {
			t.Errorf("%+v", damage)
		}
		if _, read := tx.Memory(id); !errors.Is(read, graph.ErrNotFound) {
			t.Errorf("a dropped memory in its transaction: %v", read)
		}
		return errors.Join(err, put(instead...)(tx))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// found are the ids of the memories that a query lists.
func found(t *testing.T, s *Store, sc graph.Scope, q graph.MemoryQuery) (ids []graph.ID) {
	t.Helper()
	err := s.View(t.Context(), sc, func(r graph.Reader) error {
		ids = nil
		ms, err := r.ListMemories(q)
		for _, m := range ms {
			ids = append(ids, m.ID)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// A damaged memory is written again: its vector, uses and edges stay, and nothing else of the damaged
// row does, whatever it had.
func TestADamagedMemoryIsWrittenAgain(t *testing.T) {
	s, sc := open(t, Options{}), scope(t)
	e := &graph.Entity{ID: memory(t, 0).ID, Namespace: "main", Name: "Ada", Canonical: "ada", Type: graph.Person, FirstSeen: start}
	other := memory(t, time.Second)
	was := memory(t, 2*time.Second, func(m *graph.Memory) {
		m.Session, m.Subject, m.Project, m.ExternalID, m.Entities, m.Supersedes, m.ExpiresAt = "old", "old", "old", "old", []graph.ID{e.ID}, other.ID, start.Add(time.Hour)
	})
	is := memory(t, 0, func(m *graph.Memory) { m.Session, m.Type = "new", graph.Semantic })
	is.ID, is.Chain, is.EmbeddingModel = was.ID, was.ID, was.EmbeddingModel
	_, err := s.Update(t.Context(), sc, func(tx graph.Tx) error {
		return errors.Join(tx.PutEntity(e), put(other, was)(tx), tx.PutEmbedding(was.ID, []float32{0.5, 0.25}),
			tx.PutEdge(graph.Edge{From: was.ID, Kind: graph.EvidenceFor, To: other.ID, Weight: 1, At: start}))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CountUses(t.Context(), sc, []graph.ID{was.ID}, graph.Use{At: start}); err != nil {
		t.Fatal(err)
	}
	spoil(t, s, sc, was.ID)
	drop(t, s, sc, was.ID, is)
	err = s.View(t.Context(), sc, func(r graph.Reader) error {
		m, err := r.Memory(is.ID)
		if err != nil || m.Content != is.Content || m.Session != "new" || m.Usage.Count != 1 {
			t.Errorf("written again: %+v, %v", m, err)
		}
		v, err := r.Embedding(is.ID)
		if err != nil || !slices.Equal(v, []float32{0.5, 0.25}) {
			t.Errorf("the vector: %v, %v", v, err)
		}
		edges, err := r.Edges(is.ID, graph.Out, graph.EvidenceFor)
		if len(edges) != 1 {
			t.Errorf("edges %v", edges)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		q    graph.MemoryQuery
		want []graph.ID
	}{
		"all": {graph.MemoryQuery{}, []graph.ID{other.ID, is.ID}}, "the new session": {graph.MemoryQuery{Session: "new"}, []graph.ID{is.ID}},
		"the old session": {graph.MemoryQuery{Session: "old"}, nil}, "the old subject": {graph.MemoryQuery{Subject: "old"}, nil},
		"the old external id": {graph.MemoryQuery{ExternalID: "old"}, nil}, "the new type": {graph.MemoryQuery{Types: []graph.Type{graph.Semantic}}, []graph.ID{is.ID}},
		"the old type": {graph.MemoryQuery{Types: []graph.Type{graph.Episodic}}, []graph.ID{other.ID}},
	} {
		if got := found(t, s, sc, c.q); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	ks := newKeyspace(sc.Tenant)
	all := everything(t, s, ks)
	for _, left := range []string{ks.hashedKey(bySession, "old"), ks.hashedKey(byProject, "old"), ks.hashedKey(byExternal, "old"), ks.expiryKey(was.ExpiresAt), `"memory.supersedes"`, `"memory.mentions"`} {
		if strings.Contains(all, left) {
			t.Errorf("the damaged row left %s", left)
		}
	}
}

// A damaged memory that nothing replaces is gone, and can be written later.
func TestADamagedMemoryIsDropped(t *testing.T) {
	s, sc := open(t, Options{}), scope(t)
	m, other := memory(t, 0, func(m *graph.Memory) { m.Session, m.ExpiresAt = "x", start.Add(time.Hour) }), memory(t, time.Second)
	if _, err := s.Update(t.Context(), sc, put(m, other)); err != nil {
		t.Fatal(err)
	}
	spoil(t, s, sc, m.ID)
	before := must[tenantHead](t)(s.newSnapshot().readHead(t.Context(), sc.Tenant))
	drop(t, s, sc, m.ID)
	after := must[tenantHead](t)(s.newSnapshot().readHead(t.Context(), sc.Tenant))
	if after.Memories != before.Memories-1 {
		t.Errorf("%d memories are counted, before %d", after.Memories, before.Memories)
	}
	if got := found(t, s, sc, graph.MemoryQuery{}); !slices.Equal(got, []graph.ID{other.ID}) {
		t.Errorf("left are %v", got)
	}
	if left := regexp.MustCompile(`\{[^{}]*"memory\.[^{}]*` + string(m.ID) + `[^{}]*\}`).FindString(everything(t, s, newKeyspace(sc.Tenant))); left != "" {
		t.Errorf("the cluster still has %s", left)
	}
	err := s.View(t.Context(), sc, func(r graph.Reader) error {
		var touched []graph.Row
		j := r.(graph.Journal)
		if err := j.Touched(graph.Position{Commit: before.Commit}, func(row graph.Row) error { touched = append(touched, row); return nil }); err != nil {
			return err
		}
		if !slices.Contains(touched, graph.Row{Kind: graph.RowMemory, ID: m.ID}) {
			t.Errorf("touched are %v", touched)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Update(t.Context(), sc, put(m)); err != nil {
		t.Fatal(err)
	}
	if got := found(t, s, sc, graph.MemoryQuery{Session: "x"}); !slices.Equal(got, []graph.ID{m.ID}) {
		t.Errorf("written later: %v", got)
	}
}

// Dropping knows every predicate of a memory that the schema has.
func TestMemoryPredicates(t *testing.T) {
	want := []string{"memory.embedding", "memory.usage"} // rows of their own
	want = append(want, kindPredicates["memory"]...)
	var got []string
	for _, schema := range migrations {
		for _, x := range regexp.MustCompile(`(?m)^(memory\.[a-z_]+):`).FindAllStringSubmatch(schema, -1) {
			got = append(got, x[1])
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("the schema has %v, want %v", got, want)
	}
}

// A list that leaves out damaged memories has as many others as it may; another one fails.
func TestDamagedMemoriesAreLeftOutOfAList(t *testing.T) {
	s, sc := open(t, Options{}), scope(t)
	var all []*graph.Memory
	for i := range 6 {
		all = append(all, memory(t, time.Duration(i)*time.Second, func(m *graph.Memory) { m.Session = "x" }))
	}
	if _, err := s.Update(t.Context(), sc, put(all...)); err != nil {
		t.Fatal(err)
	}
	for _, m := range []*graph.Memory{all[0], all[1], all[3]} {
		spoil(t, s, sc, m.ID)
	}
	for _, q := range []graph.MemoryQuery{{Undamaged: true}, {Undamaged: true, Session: "x"}} {
		if got, want := found(t, s, sc, q), []graph.ID{all[2].ID, all[4].ID, all[5].ID}; !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", q, got, want)
		}
		q.Limit = 2
		if got, want := found(t, s, sc, q), []graph.ID{all[2].ID, all[4].ID}; !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", q, got, want)
		}
		q.Descending = true
		if got, want := found(t, s, sc, q), []graph.ID{all[5].ID, all[4].ID}; !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", q, got, want)
		}
	}
	err := s.View(t.Context(), sc, func(r graph.Reader) error { _, err := r.ListMemories(graph.MemoryQuery{}); return err })
	if !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("a list of all: %v", err)
	}
}

// A read of notes names the first damaged note, in both orders, and can go on after it.
func TestADamagedNoteIsNamed(t *testing.T) {
	s, sc := open(t, Options{}), scope(t)
	var ids []graph.ID
	_, err := s.Update(t.Context(), sc, func(tx graph.Tx) error {
		ids = nil
		for i := range 4 {
			n := graph.Note{Kind: graph.NoteAuditBlock, ID: memory(t, time.Duration(i)*time.Second).ID, At: start, Data: []byte(`{"of":"audit"}`)}
			if err := tx.PutNote(n); err != nil {
				return err
			}
			ids = append(ids, n.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{1, 2} {
		key := newKeyspace(sc.Tenant).noteKeyspace(graph.NoteAuditBlock).nodeKey(ids[i])
		stored := must[map[string]row](t)(newReader(t.Context(), s.newSnapshot(), sc.Tenant).fetchRows(notes, []string{key}))[key]
		record := []byte(stored.Record)
		record[len(record)/2] ^= 1
		if _, err := s.clientFor(t.Context()).NewTxn().Mutate(t.Context(), &api.Mutation{CommitNow: true, Set: []*api.NQuad{quad(stored.UID, "note.record", string(record))}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		after      graph.ID
		descending bool
		damaged    graph.ID
	}{{"", false, ids[1]}, {ids[1], false, ids[2]}, {"", true, ids[2]}, {ids[2], true, ids[1]}} {
		err := s.View(t.Context(), sc, func(r graph.Reader) error {
			_, err := r.Notes(graph.NoteAuditBlock, c.after, c.descending, 10)
			return err
		})
		var damaged *graph.DamagedNoteError
		if !errors.As(err, &damaged) || damaged.ID != c.damaged || damaged.Kind != graph.NoteAuditBlock || !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("after %q, descending %v: %v, want a damaged %s", c.after, c.descending, err, c.damaged)
		}
	}
	err = s.View(t.Context(), sc, func(r graph.Reader) error {
		rest, err := r.Notes(graph.NoteAuditBlock, ids[2], false, 10)
		if len(rest) != 1 || rest[0].ID != ids[3] {
			t.Errorf("the notes after the damaged ones: %v", rest)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
