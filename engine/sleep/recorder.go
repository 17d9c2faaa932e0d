package sleep

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// recorder is a transaction that records the previous state of everything it changes.
type recorder struct {
	graph.Tx
	undo          undoRecord
	memories      map[graph.ID]*graph.Memory // before; nil: there was none
	memoryOrder   []graph.ID
	vectors       map[graph.ID][]float32 // before
	edges         map[edgeKey]*edgePatch
	relations     map[relationKey]*graph.Relation // before
	relationOrder []relationKey                   // in the order of their first change
}

func newRecorder(tx graph.Tx) *recorder {
	return &recorder{
		Tx: tx, memories: map[graph.ID]*graph.Memory{}, vectors: map[graph.ID][]float32{},
		edges: map[edgeKey]*edgePatch{}, relations: map[relationKey]*graph.Relation{},
	}
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

// PutMemory writes a memory and records its previous state.
func (r *recorder) PutMemory(m *graph.Memory, kind graph.EventKind) error {
	if _, seen := r.memories[m.ID]; !seen {
		before, err := r.Memory(m.ID)
		if err != nil && !errors.Is(err, graph.ErrNotFound) {
			return err
		}
		r.memories[m.ID] = before
		r.memoryOrder = append(r.memoryOrder, m.ID)
	}
	return r.Tx.PutMemory(m, kind)
}

// PutEmbedding writes a vector and records the one that it replaces.
func (r *recorder) PutEmbedding(id graph.ID, vector []float32) error {
	if _, seen := r.vectors[id]; !seen {
		before, err := r.Embedding(id)
		if err != nil && !errors.Is(err, graph.ErrNotFound) {
			return err
		}
		r.vectors[id] = before
	}
	return r.Tx.PutEmbedding(id, vector)
}

// PutEdge writes an edge and records its previous state.
func (r *recorder) PutEdge(e graph.Edge) error {
	if err := r.rememberEdge(e.From, e.Kind, e.To); err != nil {
		return err
	}
	return r.Tx.PutEdge(e)
}

// DeleteEdge deletes an edge and records it.
func (r *recorder) DeleteEdge(from graph.ID, kind graph.EdgeKind, to graph.ID) error {
	if err := r.rememberEdge(from, kind, to); err != nil {
		return err
	}
	return r.Tx.DeleteEdge(from, kind, to)
}

func (r *recorder) rememberEdge(from graph.ID, kind graph.EdgeKind, to graph.ID) error {
	k := edgeKey{from, kind, to}
	if r.edges[k] != nil {
		return nil
	}
	e, err := r.Edge(from, kind, to)
	if err != nil && !errors.Is(err, graph.ErrNotFound) {
		return err
	}
	r.edges[k] = &edgePatch{From: from, Kind: kind, To: to, Before: e}
	r.undo.Edges = append(r.undo.Edges, r.edges[k])
	return nil
}

// PutRelation writes a relation and records its previous state.
func (r *recorder) PutRelation(x *graph.Relation) error {
	if err := r.rememberRelation(x.Source, x.Predicate, x.Target); err != nil {
		return err
	}
	return r.Tx.PutRelation(x)
}

// DeleteRelation deletes a relation and records it.
func (r *recorder) DeleteRelation(source graph.ID, predicate string, target graph.ID) error {
	if err := r.rememberRelation(source, predicate, target); err != nil {
		return err
	}
	return r.Tx.DeleteRelation(source, predicate, target)
}

func (r *recorder) rememberRelation(source graph.ID, predicate string, target graph.ID) error {
	k := relationKey{source, predicate, target}
	if r.relations[k] != nil {
		return nil
	}
	x, err := r.Relation(source, predicate, target)
	if err != nil {
		return err // a sleep creates none
	}
	before := *x // a copy: the caller may change the original
	before.Memories = slices.Clone(x.Memories)
	r.relations[k] = &before
	r.relationOrder = append(r.relationOrder, k)
	return nil
}

// changes returns a number that grows with every change or step.
func (r *recorder) changes() int {
	return len(r.memoryOrder) + len(r.vectors) + len(r.undo.Edges) + len(r.relationOrder) + len(r.undo.Steps)
}

// writeUndo stores how to undo the transaction, if it changed anything.
func (r *recorder) writeUndo(c *checkpoint) error {
	for _, id := range r.memoryOrder {
		now, err := r.Memory(id)
		if err != nil {
			return err
		}
		p, err := patchOf(r.memories[id], now)
		if err != nil {
			return err
		}
		r.undo.Memories = append(r.undo.Memories, p)
	}
	for _, id := range slices.Sorted(maps.Keys(r.vectors)) {
		before := r.vectors[id]
		if before == nil {
			continue // rolled back with the new memory
		}
		about, err := r.vectorSources(id)
		if err != nil {
			return err
		}
		kept, err := r.saveSeparately(c, savedVector, id, about, before)
		if err != nil {
			return err
		}
		if kept {
			r.undo.Vectors = append(r.undo.Vectors, id)
		}
	}
	for _, k := range r.relationOrder {
		before := r.relations[k]
		now, err := r.Relation(k.source, k.predicate, k.target)
		switch {
		case err == nil:
			if !strengthOf(now).equal(strengthOf(before)) {
				r.undo.Relations = append(r.undo.Relations, &relationPatch{before.ID, strengthOf(before), strengthOf(now)})
			}
		case errors.Is(err, graph.ErrNotFound):
			kept, err := r.saveSeparately(c, savedRelation, before.ID, before.Memories, before)
			if err != nil {
				return err
			}
			if kept {
				r.undo.Dropped = append(r.undo.Dropped, before.ID)
			}
		default:
			return err
		}
	}
	u := &r.undo
	if len(u.Steps)+len(u.Memories)+len(u.Edges)+len(u.Relations)+len(u.Dropped)+len(u.Engraved)+len(u.Clusters) == 0 {
		return nil
	}
	data, err := json.Marshal(u)
	if err != nil {
		return err
	}
	id, err := undoNoteID(c.At, c.ID, c.UndoNotes)
	if err != nil {
		return err
	}
	c.UndoNotes++
	return r.PutNote(graph.Note{Kind: graph.NoteUndo, ID: id, At: c.At, Data: data})
}

// vectorSources returns the memories that contribute to the vector of a memory: itself and
// those merged into it.
func (r *recorder) vectorSources(id graph.ID) ([]graph.ID, error) {
	folded, err := r.Edges(id, graph.Out, graph.DerivedFrom)
	ids := []graph.ID{id}
	for _, edge := range folded {
		ids = append(ids, edge.To)
	}
	return ids, err
}

// saveSeparately saves a previous value in a note of its own, unless an earlier batch of
// the cycle saved one.
func (r *recorder) saveSeparately(c *checkpoint, kind string, id graph.ID, about []graph.ID, before any) (kept bool, err error) {
	note, err := savedNoteID(c.At, c.ID, kind, id)
	if err != nil {
		return false, err
	}
	if _, err := r.Note(graph.NoteUndo, note); err == nil {
		return false, nil
	} else if !errors.Is(err, graph.ErrNotFound) {
		return false, err
	}
	data, err := json.Marshal(before)
	if err != nil {
		return false, err
	}
	return true, r.PutNote(graph.Note{Kind: graph.NoteUndo, ID: note, At: c.At, Memories: about, Data: data})
}
