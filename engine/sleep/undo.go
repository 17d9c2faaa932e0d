package sleep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

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

// words are the fields that a sleep never rewrites: an undo would keep what they said.
var textFields = []string{"Content", "Summary", "Subject", "Predicate", "Object", "Source", "Tags", "Meta", "User", "Checksum"}

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

// keptNote is the id of the note that keeps a vector or a relation.
func savedNoteID(at time.Time, report graph.ID, kind string, id graph.ID) (graph.ID, error) {
	return graph.DerivedID(at, string(report), kind, string(id))
}

func SortedIDs[V any](m map[graph.ID]V) []graph.ID {
	ids := make([]graph.ID, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
