package entities

import (
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// maxPredicates is the maximum number of predicates that a walk follows.
const maxPredicates = 32

// edgeRelation is the kind of an edge between two memories that mention the two ends of a relation.
const edgeRelation = "RELATION"

// edgeKinds are the kinds of edges that a walk without predicates follows.
var edgeKinds = []string{
	EdgeSupersedes, string(graph.DerivedFrom), string(graph.ConsolidatedInto), string(graph.EvidenceFor), string(graph.Contradicts),
	EdgeSameSession, EdgeTemporal, EdgeOverlap,
}

// steps says which edges a walk follows.
type steps struct {
	kinds      []string        // of edges
	predicates map[string]bool // of relations, as reader.Predicate returns them
	relations  bool            // all relations
}

// newSteps reads predicates. None are all kinds of edges.
func newSteps(predicates []string) (steps, error) {
	if len(predicates) == 0 {
		return steps{kinds: edgeKinds}, nil
	}
	if len(predicates) > maxPredicates {
		return steps{}, graph.FieldError(graph.CodeLimitExceeded, "predicates", "has %d items, more than %d", len(predicates), maxPredicates)
	}
	s := steps{predicates: map[string]bool{}}
	for i, p := range predicates {
		key := reader.Predicate(p)
		switch {
		case slices.Contains(edgeKinds, p):
			s.kinds = append(s.kinds, p)
		case p == edgeRelation:
			s.relations = true
		case len(p) > graph.MaxName:
			return s, graph.FieldError(graph.CodeLimitExceeded, fmt.Sprintf("predicates[%d]", i), "has %d bytes, more than %d", len(p), graph.MaxName)
		case key == "":
			return s, graph.FieldError(graph.CodeInvalidRequest, fmt.Sprintf("predicates[%d]", i), "must be a kind of edge or the predicate of a relation")
		default:
			s.predicates[key] = true
		}
	}
	return s, nil
}

// follows reports whether a walk takes relations with a predicate.
func (s steps) follows(predicate string) bool {
	return s.relations || s.predicates[reader.Predicate(predicate)]
}

// edges returns the edges of m that the walk follows.
func (w *walk) edges(r graph.Reader, m *graph.Memory) (edges []EdgeView, err error) {
	if len(w.follows.kinds) > 0 {
		if edges, err = edgesOf(r, m, graph.Both); err != nil {
			return nil, err
		}
		edges = slices.DeleteFunc(edges, func(x EdgeView) bool { return !slices.Contains(w.follows.kinds, x.Kind) })
	}
	if !w.follows.relations && len(w.follows.predicates) == 0 {
		return edges, nil
	}
	for _, entity := range m.Entities {
		all, err := r.Relations(entity, graph.Both, "", graph.MaxPage)
		if err != nil {
			return nil, err
		}
		for _, rel := range all {
			if edges, err = w.relationEdges(r, m, entity, rel, edges); err != nil {
				return nil, err
			}
		}
	}
	return edges, nil
}

// relationEdges appends the edges from m, which mentions an entity, to the memories that mention
// the other end of one of its relations. Of an entity with many mentions, the first count.
func (w *walk) relationEdges(r graph.Reader, m *graph.Memory, entity graph.ID, rel *graph.Relation, edges []EdgeView) ([]EdgeView, error) {
	if !w.follows.follows(rel.Predicate) {
		return edges, nil
	}
	if read, err := asRead(r, rel, w.c, w.a, w.now); err != nil || read == nil {
		return edges, err
	}
	other := rel.Target
	if other == entity {
		other = rel.Source
	}
	ids, err := r.Mentions(other, "", mentionLimit)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		x := EdgeView{From: m.ID, To: id, Kind: edgeRelation, Weight: rel.Confidence, Predicate: rel.Predicate}
		if rel.Target == entity {
			x.From, x.To = id, m.ID
		}
		if id != m.ID {
			edges = append(edges, x)
		}
	}
	return edges, nil
}

// asRead returns a relation as a read sees it; nil: it does not, because the relation was not recorded or did not hold at the
// read's instant, or the caller sees one of its ends or all memories that state it not. Once all of them ended, ValidTo is the
// last of their ends.
func asRead(r graph.Reader, rel *graph.Relation, c workspace.Caller, a workspace.Access, now time.Time) (*graph.Relation, error) {
	if rel.RecordedAt.After(a.Instant(now)) {
		return nil, nil
	}
	for _, id := range [...]graph.ID{rel.Source, rel.Target} {
		_, err := r.Entity(id)
		if known, err := graph.Found(err); !known {
			return nil, err
		}
	}
	stating, err := graph.Undamaged(r, rel.Memories)
	if err != nil {
		return nil, err
	}
	// The instants of the relation are checked; of the memories, which may be later, only the scope counts.
	scope, recorded := a, a
	scope.AsOf, recorded.AsOf.Valid = graph.AsOf{}, time.Time{}
	visible, stands, last := false, false, time.Time{}
	for _, m := range stating {
		if m == nil || m.Status() == graph.Forgotten || workspace.Visible(m, c, scope, now) == nil {
			continue
		}
		visible = true
		v := workspace.NewView(m, recorded, now)
		if v == nil {
			continue // it was recorded later
		}
		until := untilOf(v, rel.Predicate, now)
		stands = stands || until.IsZero()
		if until.After(last) {
			last = until
		}
	}
	if !visible {
		return nil, nil
	}
	read := *rel
	if !stands && !last.IsZero() && (read.ValidTo.IsZero() || last.Before(read.ValidTo)) {
		read.ValidTo = last
	}
	if !holds(&read, a.AsOf.Valid) {
		return nil, nil
	}
	return &read, nil
}

// untilOf returns the end of what a memory says with a predicate; zero: it holds. A memory whose claims with the predicate
// were all revised stays ACTIVE for what else it says.
func untilOf(v *workspace.View, predicate string, now time.Time) time.Time {
	until := v.Until()
	if !until.IsZero() {
		return until
	}
	for _, x := range v.Claims(now) {
		if x.State.Predicate != predicate {
			continue
		}
		if x.ValidTo.IsZero() {
			return time.Time{}
		}
		if x.ValidTo.After(until) {
			until = x.ValidTo
		}
	}
	return until
}
