package entities

import (
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// EntityInput selects entities for a list.
type EntityInput struct {
	Namespaces []string
	User       string
	Types      []graph.EntityType
	Name       string // prefix of the canonical name
	First      int
	After      graph.ID
}

// EntityView is an entity with its derived fields.
type EntityView struct {
	*graph.Entity
	MentionCount int
	LastSeen     time.Time
}

// RelationInput selects relations for a list.
type RelationInput struct {
	Entity     graph.ID        // only relations of this entity; empty: all that the caller may see
	Direction  graph.Direction // seen from the entity; without one it has no effect
	Namespaces []string
	User       string   // of this user and of nobody; empty: of all that the caller may see
	Predicates []string // any of, as written or as in the table of the reader; empty: all
	Access     workspace.Access
	First      int // 1 to 1,000; 0: 50
	After      graph.ID
}

// RelationView is a relation as of an instant.
type RelationView struct {
	*graph.Relation
	Weight float64 // strength ÷ sum of the strengths at its source, [0,1]
}

// EdgeView is an edge between two memories, stored or derived.
type EdgeView struct {
	From, To  graph.ID
	Kind      string  // SUPERSEDES, DERIVED_FROM, CONSOLIDATED_INTO, EVIDENCE_FOR, CONTRADICTS, SAME_SESSION, TEMPORAL_SEQ, ENTITY_OVERLAP, RELATION
	Weight    float64 // [0,1]; Jaccard for ENTITY_OVERLAP, the confidence of the relation for RELATION
	Predicate string  // of RELATION: From mentions its source and To its target
}

// otherEnd returns the end of the edge that is not the id.
func (x EdgeView) otherEnd(id graph.ID) graph.ID {
	if x.From == id {
		return x.To
	}
	return x.From
}

// RelatedResult is a bounded neighbourhood, breadth first.
type RelatedResult struct {
	Memories  []*workspace.View // by depth, then id
	Paths     []RelatedPath     // a shortest path to each of the memories; for Path the one path
	Edges     []EdgeView
	Truncated bool // the budget of nodes was used up
}

// RelatedPath is a shortest path from the centre of a neighbourhood to one of its memories.
type RelatedPath struct {
	IDs   []graph.ID // of the memories on it, both ends included
	Edges []EdgeView // one less
}
