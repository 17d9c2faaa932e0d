package transfer

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/graph"
)

// maxUndoNotes is the largest number of undo notes of an imported sleep.
const maxUndoNotes = 1 << 20

// unchanged are the fields of a memory that no sleep changes, besides [sleep.TextFields]. A rollback must not
// change them either: who may import may not give them any value.
var unchanged = []string{
	"ID", "History", "Usage", "Namespace", "Agent", "Session", "Project", "ExternalID", "Authority", "Criticality", "SafetyCritical", "Sensitivity",
	"Consent", "ConsentDefaulted", "SourceKind", "Principal", "Stated", "Typed", "Chain", "Version", "CreatedAt", "RecordedAt", "DeletedAt", "Chunk", "ToolCalls",
}

// checkReport returns what is wrong with the report of a sleep, or nil.
func checkReport(n *graph.Note) error {
	var x sleep.StoredReport
	if len(n.Memories) > 0 || n.Namespace != "" || json.Unmarshal(n.Data, &x) != nil {
		return errors.New("in Data: it is no report of a sleep, which has no namespace and names no memories")
	}
	r := x.Report
	ids := slices.Concat(r.OwnersLeft, r.Skipped, r.Review, r.Doubts, r.SafetyEnded)
	namespaces := []string{}
	if x.Namespace != "" {
		namespaces = append(namespaces, x.Namespace)
	}
	for _, in := range r.RolledBackIn {
		namespaces = append(namespaces, in.Namespace)
	}
	negative := min(r.Reinforced, r.Decayed, r.Pruned, r.Deduplicated, r.Promoted, r.Engraved, r.Dreamed, r.Recalled, r.Consolidated, r.Derived, r.InL1, r.Sparsified,
		r.Clustered, r.TokensSaved, r.ClustersLeft, int(r.MaxTime)) < 0
	for _, p := range r.Phases {
		negative = negative || p.Items < 0 || p.Duration < 0
		if !slices.Contains(sleep.Phases, p.Phase) {
			return fmt.Errorf("in Data: phase must be one of %v", sleep.Phases)
		}
	}
	switch {
	case r.ID != n.ID:
		return errors.New("in Data: ID must be that of the note")
	case r.Kind != sleep.DeepSleep && r.Kind != sleep.LightSleep && r.Kind != sleep.ByHandSleep:
		return fmt.Errorf("in Data: Kind must be %s, %s or %s", sleep.DeepSleep, sleep.LightSleep, sleep.ByHandSleep)
	case !slices.Contains([]sleep.Trigger{sleep.TriggerHand, sleep.TriggerSchedule, sleep.TriggerEvent, sleep.TriggerPressure}, r.Trigger):
		return errors.New("in Data: Trigger is none of a sleep")
	case r.StartedAt.IsZero() || x.At.IsZero() || !r.StartedAt.Equal(n.At):
		return errors.New("in Data: StartedAt must be At of the note")
	case x.UndoNotes < 0 || x.UndoNotes > maxUndoNotes || negative:
		return errors.New("in Data: a number is outside its range")
	case slices.ContainsFunc(ids, func(id graph.ID) bool { return !id.Valid() }):
		return errors.New("in Data: it names an invalid id")
	case slices.ContainsFunc(namespaces, func(ns string) bool { return !graph.ValidNamespace(ns) }):
		return errors.New("in Data: it names an invalid namespace")
	}
	return nil
}

// checkUndo returns what is wrong with an undo note, or nil. It holds what one transaction of a sleep did, or a
// vector or a relation that the sleep replaced. What the values may be shows when they are restored: a rollback
// tries all of it before it writes.
func checkUndo(n *graph.Note) error {
	bad := func(what string) error { return fmt.Errorf("in Data: %s", what) }
	if n.Data == nil {
		if len(n.Memories) == 0 {
			return bad("it is empty, and names no memory that was erased")
		}
		return nil
	}
	var vector []float32
	if json.Unmarshal(n.Data, &vector) == nil {
		if len(n.Memories) == 0 {
			return bad("a vector needs its memory in Memories")
		}
		return graph.ValidateEmbedding(vector)
	}
	var relation graph.Relation
	if json.Unmarshal(n.Data, &relation) == nil && relation.ID != "" {
		if err := relation.Validate(); err != nil {
			return bad(err.Error())
		}
		if !relation.Source.Valid() || !relation.Target.Valid() || !slices.Equal(relation.Memories, n.Memories) {
			return bad("a relation has a source, a target, and the memories in Memories")
		}
		return nil
	}
	var u sleep.UndoRecord
	if len(n.Memories) > 0 || json.Unmarshal(n.Data, &u) != nil {
		return bad("it is no undo record of a sleep")
	}
	if len(u.Steps)+len(u.Memories)+len(u.Edges)+len(u.Relations)+len(u.Vectors)+len(u.Dropped)+len(u.Engraved)+len(u.Clusters) == 0 {
		return bad("it undoes nothing")
	}
	ids := slices.Concat(u.Vectors, u.Dropped, u.Engraved, u.Clusters)
	for _, s := range u.Steps {
		if ids = append(ids, s.From...); s.To != "" {
			ids = append(ids, s.To)
		}
		if !slices.Contains(sleep.Phases, s.Phase) || s.Why() == "" {
			return bad("a step is none of a sleep")
		}
	}
	for _, p := range u.Memories {
		ids = append(ids, p.ID)
		if p.Before != nil && (p.After == nil || !p.Before.Status.Valid() || !p.Before.Tier.Valid() || p.Before.Status == graph.Forgotten) {
			return bad("a state is none that a rollback can restore")
		}
		before := map[string]json.RawMessage{}
		for name, c := range p.Fields {
			if is := func(field string) bool { return strings.EqualFold(field, name) }; slices.ContainsFunc(unchanged, is) || slices.ContainsFunc(sleep.TextFields, is) {
				return bad("no sleep changes the field " + name + " of a memory")
			}
			before[name] = c.Before
		}
		text, err := json.Marshal(before)
		if err != nil || json.Unmarshal(text, &graph.Memory{}) != nil {
			return bad("a field of a memory has a value of another type")
		}
	}
	for _, e := range u.Edges {
		if e == nil {
			return bad("an edge is null")
		}
		ids = append(ids, e.From, e.To)
		if b := e.Before; b != nil && (b.From != e.From || b.To != e.To || b.Kind != e.Kind || b.Validate() != nil) {
			return bad("an edge is not the one that was changed")
		}
	}
	for _, r := range u.Relations {
		if r == nil {
			return bad("a relation is null")
		}
		if ids = append(ids, r.ID); !(r.Before.Raw >= 0) {
			return bad("a strength must not be negative")
		}
	}
	if slices.ContainsFunc(ids, func(id graph.ID) bool { return !id.Valid() }) {
		return bad("it names an invalid id")
	}
	return nil
}
