package sleep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// recorder is a transaction that remembers how each thing was before it was changed.
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

// undo is how the steps of one transaction are taken back. It holds no words: a sleep
// never rewrites what a memory says.
type undoRecord struct {
	Steps     []Step           `json:"steps,omitempty"`
	Memories  []memoryPatch    `json:"memories,omitempty"`
	Edges     []*edgePatch     `json:"edges,omitempty"`
	Relations []*relationPatch `json:"relations,omitempty"`
	Vectors   []graph.ID       `json:"vectors,omitempty"` // kept in notes of their own, see keepApart
	Dropped   []graph.ID       `json:"dropped,omitempty"` // relations, kept in notes of their own
	Engraved  []graph.ID       `json:"engraved,omitempty"`
}

// memoryPatch is what changed about a memory.
type memoryPatch struct {
	ID     graph.ID               `json:"id"`
	Made   bool                   `json:"made,omitempty"` // there was none
	Fields map[string]fieldChange `json:"fields,omitempty"`
	Before *graph.State           `json:"before,omitempty"` // state, where it changed
	After  *graph.State           `json:"after,omitempty"`
}

// change is one field before and after, as JSON.
type fieldChange struct {
	Before json.RawMessage `json:"b"`
	After  json.RawMessage `json:"a"`
}

type edgePatch struct {
	From   graph.ID       `json:"from"`
	Kind   graph.EdgeKind `json:"kind"`
	To     graph.ID       `json:"to"`
	Before *graph.Edge    `json:"before,omitempty"` // nil: there was none
}

// relationPatch is how strong a relation was and became: all that a sleep changes about
// one that it leaves. It is named by its id, for its predicate is a word.
type relationPatch struct {
	ID     graph.ID `json:"id"`
	Before strength `json:"b"`
	After  strength `json:"a"`
}

type strength struct {
	Raw float64   `json:"raw"`
	At  time.Time `json:"at"`
}

func strengthOf(r *graph.Relation) strength { return strength{r.Strength, r.StrengthAt} }

func (s strength) equal(o strength) bool { return s.Raw == o.Raw && s.At.Equal(o.At) }

func newRecorder(tx graph.Tx) *recorder {
	return &recorder{
		Tx: tx, memories: map[graph.ID]*graph.Memory{}, vectors: map[graph.ID][]float32{},
		edges: map[edgeKey]*edgePatch{}, relations: map[relationKey]*graph.Relation{},
	}
}

// PutMemory writes a memory and remembers how it was.
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

// PutEmbedding writes a vector and remembers the one it replaces.
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

// PutEdge writes an edge and remembers how it was.
func (r *recorder) PutEdge(e graph.Edge) error {
	if err := r.rememberEdge(e.From, e.Kind, e.To); err != nil {
		return err
	}
	return r.Tx.PutEdge(e)
}

// DeleteEdge removes an edge and remembers it.
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

// PutRelation writes a relation and remembers how it was.
func (r *recorder) PutRelation(x *graph.Relation) error {
	if err := r.rememberRelation(x.Source, x.Predicate, x.Target); err != nil {
		return err
	}
	return r.Tx.PutRelation(x)
}

// DeleteRelation removes a relation and remembers it.
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
		return err // a sleep makes none
	}
	before := *x // the caller may be about to change it
	before.Memories = slices.Clone(x.Memories)
	r.relations[k] = &before
	r.relationOrder = append(r.relationOrder, k)
	return nil
}

// changes grows with everything that is changed or done.
func (r *recorder) changes() int {
	return len(r.memoryOrder) + len(r.vectors) + len(r.undo.Edges) + len(r.relationOrder) + len(r.undo.Steps)
}

// write puts down how the transaction is taken back, where it changed anything.
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
	for _, id := range SortedIDs(r.vectors) {
		before := r.vectors[id]
		if before == nil {
			continue // it goes with the memory that was made
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
	if len(u.Steps)+len(u.Memories)+len(u.Edges)+len(u.Relations)+len(u.Dropped)+len(u.Engraved) == 0 {
		return nil
	}
	data, err := json.Marshal(u)
	if err != nil {
		return err
	}
	id, err := c.undoNoteID(c.UndoNotes)
	if err != nil {
		return err
	}
	c.UndoNotes++
	return r.PutNote(graph.Note{Kind: graph.NoteUndo, ID: id, At: c.At, Data: data})
}

func (c *checkpoint) undoNoteID(number int) (graph.ID, error) { return undoNoteID(c.At, c.ID, number) }

func undoNoteID(at time.Time, report graph.ID, number int) (graph.ID, error) {
	return graph.DerivedID(at, string(report), "undo", fmt.Sprint(number))
}

// What says something of the words of a memory, a vector or a relation, is kept in a note
// of its own that names the memory, so that an erasure empties it.
const (
	savedVector   = "vector"
	savedRelation = "relation"
)

// within are the memories that have a part in the vector of one: itself, and what was
// folded into it.
func (r *recorder) vectorSources(id graph.ID) ([]graph.ID, error) {
	folded, err := r.Edges(id, graph.Out, graph.DerivedFrom)
	ids := []graph.ID{id}
	for _, edge := range folded {
		ids = append(ids, edge.To)
	}
	return ids, err
}

// keptNote is the id of the note that keeps a vector or a relation.
func savedNoteID(at time.Time, report graph.ID, kind string, id graph.ID) (graph.ID, error) {
	return graph.DerivedID(at, string(report), kind, string(id))
}

// keepApart keeps what was, unless an earlier batch of the cycle did: that one counts.
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

// words are the fields that a sleep never rewrites: an undo would keep what they said.
var textFields = []string{"Content", "Summary", "Subject", "Predicate", "Object", "Source", "Tags", "Meta", "User", "Checksum"}

// fieldsOf is a memory field by field. What is kept elsewhere, or is not its own, is left
// out.
func fieldsOf(m *graph.Memory) (map[string]json.RawMessage, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	for _, name := range []string{"ID", "History", "Usage"} {
		delete(fields, name)
	}
	return fields, nil
}

// patchOf is what changed about a memory between two states of it.
func patchOf(before, after *graph.Memory) (memoryPatch, error) {
	p := memoryPatch{ID: after.ID}
	if before == nil {
		p.Made = true
		s := after.State()
		p.After = &s
		return p, nil
	}
	was, err := fieldsOf(before)
	if err != nil {
		return p, err
	}
	is, err := fieldsOf(after)
	if err != nil {
		return p, err
	}
	for name, now := range is {
		if bytes.Equal(was[name], now) {
			continue
		}
		if slices.Contains(textFields, name) {
			return p, fmt.Errorf("engine: a sleep rewrote the %s of a memory", name)
		}
		if p.Fields == nil {
			p.Fields = map[string]fieldChange{}
		}
		p.Fields[name] = fieldChange{was[name], now}
	}
	if a, b := before.State(), after.State(); a != b {
		p.Before, p.After = &a, &b
	}
	return p, nil
}

func SortedIDs[V any](m map[graph.ID]V) []graph.ID {
	ids := make([]graph.ID, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
