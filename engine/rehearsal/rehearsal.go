package rehearsal

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Tx is a snapshot with changes on top, which are never stored. It has what a sleep writes. A list of
// memories is that of the snapshot, with the changes to its members. It is not safe for concurrent use.
type Tx struct {
	graph.Reader // the snapshot

	memories  map[graph.ID]*graph.Memory
	vectors   map[graph.ID][]float32
	edges     map[edgeKey]*graph.Edge // nil: deleted
	relations map[relationKey]*graph.Relation
}

type edgeKey struct {
	from graph.ID
	kind graph.EdgeKind
	to   graph.ID
}

type relationKey struct {
	source    graph.ID
	predicate string
	target    graph.ID
}

var _ graph.Tx = (*Tx)(nil)

// New begins a rehearsal on a snapshot.
func New(r graph.Reader) *Tx {
	return &Tx{
		Reader: r, memories: map[graph.ID]*graph.Memory{}, vectors: map[graph.ID][]float32{},
		edges: map[edgeKey]*graph.Edge{}, relations: map[relationKey]*graph.Relation{},
	}
}

// Changed returns the memories that were written, by id. The map is that of the rehearsal.
func (x *Tx) Changed() map[graph.ID]*graph.Memory { return x.memories }

// Vector returns the vector that was written for a memory; nil: none was.
func (x *Tx) Vector(id graph.ID) []float32 { return x.vectors[id] }

// CopyOf returns a copy of a memory whose fields can be set without changing m.
func CopyOf(m *graph.Memory) *graph.Memory {
	c := *m
	c.History = slices.Clone(m.History)
	return &c
}

// Memory implements graph.Reader.
func (x *Tx) Memory(id graph.ID) (*graph.Memory, error) {
	if m := x.memories[id]; m != nil {
		return CopyOf(m), nil
	}
	return x.Reader.Memory(id)
}

// Memories implements graph.Reader.
func (x *Tx) Memories(ids []graph.ID) ([]*graph.Memory, error) {
	found, err := x.Reader.Memories(ids)
	for i, id := range ids {
		if m := x.memories[id]; m != nil && err == nil {
			found[i] = CopyOf(m)
		}
	}
	return found, err
}

// ListMemories implements graph.Reader. A memory that no longer has one of the statuses is left
// out.
func (x *Tx) ListMemories(q graph.MemoryQuery) ([]*graph.Memory, error) {
	found, err := x.Reader.ListMemories(q)
	for i, m := range found {
		if now := x.memories[m.ID]; now != nil {
			found[i] = CopyOf(now)
		}
	}
	return slices.DeleteFunc(found, func(m *graph.Memory) bool {
		return len(q.Statuses) > 0 && !slices.Contains(q.Statuses, m.Status())
	}), err
}

// Embedding implements graph.Reader.
func (x *Tx) Embedding(id graph.ID) ([]float32, error) {
	if v := x.vectors[id]; v != nil {
		return v, nil
	}
	return x.Reader.Embedding(id)
}

// Edge implements graph.Reader.
func (x *Tx) Edge(from graph.ID, kind graph.EdgeKind, to graph.ID) (*graph.Edge, error) {
	if e, changed := x.edges[edgeKey{from, kind, to}]; changed {
		if e == nil {
			return nil, graph.ErrNotFound
		}
		found := *e
		return &found, nil
	}
	return x.Reader.Edge(from, kind, to)
}

// Edges implements graph.Reader.
func (x *Tx) Edges(id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]graph.Edge, error) {
	all := []graph.Edge{}
	if _, err := x.Reader.Memory(id); err == nil {
		if all, err = x.Reader.Edges(id, dir, kinds...); err != nil {
			return nil, err
		}
	} else if !errors.Is(err, graph.ErrNotFound) {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(e graph.Edge) bool {
		_, changed := x.edges[edgeKey{e.From, e.Kind, e.To}]
		return changed
	})
	for k, e := range x.edges {
		if e == nil || len(kinds) > 0 && !slices.Contains(kinds, k.kind) || k.from != id && k.to != id ||
			dir == graph.Out && k.from != id || dir == graph.In && k.to != id {
			continue
		}
		all = append(all, *e)
	}
	other := func(e graph.Edge) graph.ID {
		if e.From == id {
			return e.To
		}
		return e.From
	}
	slices.SortFunc(all, func(a, b graph.Edge) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(other(a), other(b))) })
	return all, nil
}

// Relation implements graph.Reader.
func (x *Tx) Relation(source graph.ID, predicate string, target graph.ID) (*graph.Relation, error) {
	if r, changed := x.relations[relationKey{source, predicate, target}]; changed {
		if r == nil {
			return nil, graph.ErrNotFound
		}
		found := *r
		return &found, nil
	}
	return x.Reader.Relation(source, predicate, target)
}

// RelationByID implements graph.Reader.
func (x *Tx) RelationByID(id graph.ID) (*graph.Relation, error) {
	r, err := x.Reader.RelationByID(id)
	if err != nil {
		return nil, err
	}
	return x.Relation(r.Source, r.Predicate, r.Target)
}

// Relations implements graph.Reader.
func (x *Tx) Relations(entity graph.ID, dir graph.Direction, after graph.ID, limit int) ([]*graph.Relation, error) {
	found, err := x.Reader.Relations(entity, dir, after, limit)
	for i, r := range found {
		if now, changed := x.relations[relationKey{r.Source, r.Predicate, r.Target}]; changed {
			found[i] = now
		}
	}
	return slices.DeleteFunc(found, func(r *graph.Relation) bool { return r == nil }), err
}

// PutMemory implements graph.Tx.
func (x *Tx) PutMemory(m *graph.Memory, _ graph.EventKind) error {
	if err := m.Validate(); err != nil {
		return err
	}
	x.memories[m.ID] = CopyOf(m)
	return nil
}

// PutEmbedding implements graph.Tx.
func (x *Tx) PutEmbedding(id graph.ID, vector []float32) error {
	if err := graph.ValidateEmbedding(vector); err != nil {
		return err
	}
	if _, err := x.Memory(id); err != nil {
		return err
	}
	x.vectors[id] = vector
	return nil
}

// PutEdge implements graph.Tx.
func (x *Tx) PutEdge(e graph.Edge) error {
	if err := e.Validate(); err != nil {
		return err
	}
	x.edges[edgeKey{e.From, e.Kind, e.To}] = &e
	return nil
}

// DeleteEdge implements graph.Tx.
func (x *Tx) DeleteEdge(from graph.ID, kind graph.EdgeKind, to graph.ID) error {
	x.edges[edgeKey{from, kind, to}] = nil
	return nil
}

// PutRelation implements graph.Tx.
func (x *Tx) PutRelation(r *graph.Relation) error {
	if err := r.Validate(); err != nil {
		return err
	}
	now := *r
	x.relations[relationKey{r.Source, r.Predicate, r.Target}] = &now
	return nil
}

// DeleteRelation implements graph.Tx.
func (x *Tx) DeleteRelation(source graph.ID, predicate string, target graph.ID) error {
	x.relations[relationKey{source, predicate, target}] = nil
	return nil
}

// MostRelations implements graph.Tx.
func (x *Tx) MostRelations(entities ...graph.ID) (int, error) {
	return graph.MostRelations(x, entities...)
}

// A rehearsal keeps no notes and no settings.

// PutNote implements graph.Tx.
func (x *Tx) PutNote(graph.Note) error { return nil }

// NotesOf implements graph.Tx. It returns the notes of the snapshot.
func (x *Tx) NotesOf(memory graph.ID, kind graph.NoteKind) (notes []*graph.Note, err error) {
	for n, err := range graph.AllNotes(x.Reader, kind, "", false) {
		if err != nil {
			return nil, err
		}
		if n.Data != nil && slices.Contains(n.Memories, memory) {
			notes = append(notes, n)
		}
	}
	return notes, nil
}

// DeleteNote implements graph.Tx.
func (x *Tx) DeleteNote(graph.NoteKind, graph.ID) error { return nil }

// PutSetting implements graph.Tx.
func (x *Tx) PutSetting(string, []byte) error { return nil }

// errNoStep is returned for what no step of a sleep does.
var errNoStep = errors.New("engine: no step of a sleep writes this")

// PutEntity implements graph.Tx.
func (x *Tx) PutEntity(*graph.Entity) error { return errNoStep }

// DeleteEntity implements graph.Tx.
func (x *Tx) DeleteEntity(graph.ID) error { return errNoStep }

// Erase implements graph.Tx.
func (x *Tx) Erase(graph.ID, time.Time) error { return errNoStep }

// PutRequest implements graph.Tx.
func (x *Tx) PutRequest(graph.Request) error { return errNoStep }

// PutReceipt implements graph.Tx.
func (x *Tx) PutReceipt(graph.Receipt) error { return errNoStep }

// PutReceiptIDs implements graph.Tx.
func (x *Tx) PutReceiptIDs(graph.ID, []graph.ID) error { return errNoStep }
