package sleep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// undoRecord describes how to undo the steps of one transaction. It contains no content: a
// sleep never rewrites the text of a memory.
type undoRecord struct {
	Steps     []Step           `json:"steps,omitempty"`
	Memories  []memoryPatch    `json:"memories,omitempty"`
	Edges     []*edgePatch     `json:"edges,omitempty"`
	Relations []*relationPatch `json:"relations,omitempty"`
	Vectors   []graph.ID       `json:"vectors,omitempty"` // saved in separate notes, see saveSeparately
	Dropped   []graph.ID       `json:"dropped,omitempty"` // relations, saved in separate notes
	Engraved  []graph.ID       `json:"engraved,omitempty"`
	Clusters  []graph.ID       `json:"clusters,omitempty"` // settlements, see package grouping
}

// UndoRecord and StoredReport are the data of the notes of a sleep, for a check of those that come from elsewhere.
type (
	UndoRecord   = undoRecord
	StoredReport = storedReport
)

// memoryPatch describes the changes to a memory.
type memoryPatch struct {
	ID     graph.ID               `json:"id"`
	Made   bool                   `json:"made,omitempty"` // the sleep created it
	Fields map[string]fieldChange `json:"fields,omitempty"`
	Before *graph.State           `json:"before,omitempty"` // state, if it changed
	After  *graph.State           `json:"after,omitempty"`
}

// fieldChange is the JSON of a field before and after.
type fieldChange struct {
	Before json.RawMessage `json:"b"`
	After  json.RawMessage `json:"a"`
}

// edgePatch is the previous state of an edge.
type edgePatch struct {
	From   graph.ID       `json:"from"`
	Kind   graph.EdgeKind `json:"kind"`
	To     graph.ID       `json:"to"`
	Before *graph.Edge    `json:"before,omitempty"` // nil: there was none
}

// relationPatch is the strength of a relation before and after. A sleep changes no other
// property of a relation that it keeps. The patch holds the id, because the predicate is
// text.
type relationPatch struct {
	ID     graph.ID `json:"id"`
	Before strength `json:"b"`
	After  strength `json:"a"`
}

// strength is the stored strength of a relation and its instant.
type strength struct {
	Raw float64   `json:"raw"`
	At  time.Time `json:"at"`
}

func strengthOf(r *graph.Relation) strength { return strength{r.Strength, r.StrengthAt} }

func (s strength) equal(o strength) bool { return s.Raw == o.Raw && s.At.Equal(o.At) }

// patchOf returns the changes between two states of a memory.
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
		if slices.Contains(TextFields, name) {
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

// fieldsOf returns the JSON fields of a memory, without those that are stored elsewhere.
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

// TextFields are the fields that a sleep never rewrites, because an undo record would keep
// their text.
var TextFields = []string{"Content", "Summary", "Subject", "Predicate", "Object", "Source", "Tags", "Meta", "User", "Checksum", "Pattern", "Procedure"}

func undoNoteID(at time.Time, report graph.ID, number int) (graph.ID, error) {
	return graph.DerivedID(at, string(report), "undo", fmt.Sprint(number))
}

// A vector or a relation reveals the text of a memory. It is saved in a separate note that
// names the memory, so that an erasure empties the note.
const (
	savedVector   = "vector"
	savedRelation = "relation"
)

// savedNoteID returns the id of the note that saves a vector or a relation.
func savedNoteID(at time.Time, report graph.ID, kind string, id graph.ID) (graph.ID, error) {
	return graph.DerivedID(at, string(report), kind, string(id))
}
