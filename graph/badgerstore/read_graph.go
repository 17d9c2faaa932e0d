package badgerstore

import (
	"cmp"
	"errors"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Edge returns one edge, or ErrNotFound.
func (r *reader) Edge(from graph.ID, kind graph.EdgeKind, to graph.ID) (*graph.Edge, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	f, err1 := from.Bytes()
	t, err2 := to.Bytes()
	if err1 != nil || err2 != nil {
		return nil, graph.ErrNotFound
	}
	return r.readEdge(f, kindKey(kind), t)
}

func (r rowReader) readEdge(from, kind, to [16]byte) (*graph.Edge, error) {
	k := r.ks.rowKey(rowEdgeOut, from[:], kind[:], to[:])
	var row edgeRow
	if err := r.getRow(k, func(_ byte, p []byte) error { return decode(k, p, &row) }); err != nil {
		return nil, err
	}
	return &graph.Edge{
		From: graph.IDFromBytes(from), Kind: graph.EdgeKind(row.Kind), To: graph.IDFromBytes(to),
		Weight: row.Weight, At: row.At.Time(),
	}, nil
}

// Edges returns the edges of a memory, ordered by kind and the other end's id (of two equal
// ones, the outgoing first); no kinds means all.
func (r *reader) Edges(id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]graph.Edge, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	b, err := id.Bytes()
	if err != nil {
		return nil, nil
	}
	edges, err := r.readEdges(b, dir)
	if err != nil {
		return nil, err
	}
	if len(kinds) > 0 {
		edges = slices.DeleteFunc(edges, func(e graph.Edge) bool { return !slices.Contains(kinds, e.Kind) })
	}
	other := func(e graph.Edge) graph.ID {
		if e.From == id {
			return e.To
		}
		return e.From
	}
	slices.SortStableFunc(edges, func(a, b graph.Edge) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(other(a), other(b)))
	})
	return edges, nil
}

// readEdges returns the edges of a memory, outgoing ones first; one to itself once.
func (r rowReader) readEdges(b [16]byte, dir graph.Direction) ([]graph.Edge, error) {
	var ends [][3][16]byte // from, kind, to
	collect := func(row byte, out bool) error {
		prefix := r.ks.rowKey(row, b[:])
		return r.scanRows(prefix, prefix, false, func(k key, _ []byte) (bool, error) {
			tail := k[len(prefix):]
			if len(tail) != 32 {
				return false, integrityError(k, "not an edge")
			}
			kind, other := [16]byte(tail[:16]), [16]byte(tail[16:])
			switch {
			case out:
				ends = append(ends, [3][16]byte{b, kind, other})
			case dir == graph.In || other != b:
				ends = append(ends, [3][16]byte{other, kind, b})
			}
			return true, nil
		})
	}
	if dir != graph.In {
		if err := collect(rowEdgeOut, true); err != nil {
			return nil, err
		}
	}
	if dir != graph.Out {
		if err := collect(rowEdgeIn, false); err != nil {
			return nil, err
		}
	}
	var edges []graph.Edge
	for _, e := range ends {
		edge, err := r.readEdge(e[0], e[1], e[2])
		if errors.Is(err, graph.ErrNotFound) {
			return nil, integrityError(r.ks.rowKey(rowEdgeIn), "an edge exists on one side only")
		}
		if err != nil {
			return nil, err
		}
		edges = append(edges, *edge)
	}
	return edges, nil
}

// Entity returns an entity, or ErrNotFound.
func (r *reader) Entity(id graph.ID) (*graph.Entity, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	b, err := id.Bytes()
	if err != nil {
		return nil, graph.ErrNotFound
	}
	return r.readEntity(b)
}

func (r rowReader) readEntity(b [16]byte) (e *graph.Entity, err error) {
	k := r.ks.rowKey(rowEntity, b[:])
	err = r.getRow(k, func(_ byte, p []byte) error {
		e, err = decodeEntity(k, graph.IDFromBytes(b), p)
		return err
	})
	return e, err
}

func decodeEntity(k key, id graph.ID, payload []byte) (*graph.Entity, error) {
	var row wire.Entity
	if err := decode(k, payload, &row); err != nil {
		return nil, err
	}
	return row.Entity(id), nil
}

// EntityByName finds an entity by its unique (namespace, user, canonical), or returns ErrNotFound.
func (r *reader) EntityByName(namespace, user, canonical string) (*graph.Entity, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	b, err := r.entityID(namespace, user, canonical)
	if err != nil {
		return nil, err
	}
	e, err := r.readEntity(b)
	if errors.Is(err, graph.ErrNotFound) {
		return nil, integrityError(r.ks.rowKey(rowNamed), "a name refers to a missing entity")
	}
	return e, err
}

// entityID returns the id of the entity with a name, or ErrNotFound.
func (r rowReader) entityID(namespace, user, canonical string) (b [16]byte, err error) {
	n := nameHash(namespace, user, canonical)
	k := r.ks.rowKey(rowNamed, n[:])
	err = r.getRow(k, func(_ byte, p []byte) error {
		if copy(b[:], p) != 16 {
			return integrityError(k, "not an id")
		}
		return nil
	})
	return b, err
}

// ListEntities returns the entities that match the query, by ascending id after q.After.
func (r *reader) ListEntities(q graph.EntityQuery) ([]*graph.Entity, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	if q.After != "" && !q.After.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	var prefixes []key
	for _, ns := range nameHashes(q.Namespaces) {
		prefixes = append(prefixes, r.ks.rowKey(rowEntityIndex, ns[:]))
	}
	if len(prefixes) == 0 {
		prefixes = []key{r.ks.rowKey(rowEntity)}
	}
	lister := memoryLister{reader: r, query: graph.MemoryQuery{After: q.After}}
	var found []*graph.Entity
	for limit := graph.PageSize(q.Limit); ; {
		ids, end, err := lister.nextIDs(prefixes, lister.query.After)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			e, err := r.Entity(id)
			if errors.Is(err, graph.ErrNotFound) {
				return nil, integrityError(r.ks.rowKey(rowEntityIndex), "an index refers to a missing entity")
			}
			if err != nil {
				return nil, err
			}
			if q.Matches(e) {
				found = append(found, e)
			}
			if len(found) == limit {
				return found, nil
			}
		}
		if end == "" {
			return found, nil
		}
		lister.query.After = end
	}
}

// Mentions returns the ids of the memories that mention the entity, ascending, after the id.
func (r *reader) Mentions(entity, after graph.ID, limit int) ([]graph.ID, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	b, err := entity.Bytes()
	if err != nil {
		return nil, nil
	}
	return r.scanIDs(r.ks.rowKey(rowMention, b[:]), after, false, graph.PageSize(limit))
}

// triple is the key of a relation: source, predicate, target.
type triple [48]byte

func tripleOf(source graph.ID, predicate string, target graph.ID) (t triple, err error) {
	s, err := wire.UUID("source", source)
	if err != nil {
		return t, err
	}
	o, err := wire.UUID("target", target)
	if err != nil {
		return t, err
	}
	p := nameHash(predicate)
	copy(t[:], s[:])
	copy(t[16:], p[:])
	copy(t[32:], o[:])
	return t, nil
}

// Relation finds a relation by its unique triple, or returns ErrNotFound.
func (r *reader) Relation(source graph.ID, predicate string, target graph.ID) (*graph.Relation, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	t, err := tripleOf(source, predicate, target)
	if err != nil {
		return nil, graph.ErrNotFound
	}
	return r.readRelation(t)
}

func (r rowReader) readRelation(t triple) (*graph.Relation, error) {
	k := r.ks.rowKey(rowRelation, t[:])
	var row relationRow
	if err := r.getRow(k, func(_ byte, p []byte) error { return decode(k, p, &row) }); err != nil {
		return nil, err
	}
	return &graph.Relation{
		ID: wire.ID(row.ID), Namespace: row.Namespace,
		Source: graph.IDFromBytes([16]byte(t[:16])), Target: graph.IDFromBytes([16]byte(t[32:])), Predicate: row.Predicate,
		Strength: row.Strength, StrengthAt: row.StrengthAt.Time(), Confidence: row.Confidence,
		ValidFrom: row.ValidFrom.Time(), ValidTo: row.ValidTo.Time(), EventTime: row.EventTime.Time(),
		RecordedAt: row.RecordedAt.Time(), Memories: wire.IDs(row.Memories),
	}, nil
}

// RelationByID finds a relation by its id, or returns ErrNotFound.
func (r *reader) RelationByID(id graph.ID) (*graph.Relation, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	b, err := id.Bytes()
	if err != nil {
		return nil, graph.ErrNotFound
	}
	t, err := r.tripleByID(b)
	if err != nil {
		return nil, err
	}
	rel, err := r.readRelation(t)
	if errors.Is(err, graph.ErrNotFound) {
		return nil, integrityError(r.ks.rowKey(rowTriple), "an id refers to a missing relation")
	}
	return rel, err
}

// tripleByID returns the triple of a relation, or ErrNotFound.
func (r rowReader) tripleByID(b [16]byte) (t triple, err error) {
	k := r.ks.rowKey(rowTriple, b[:])
	err = r.getRow(k, func(_ byte, p []byte) error {
		if copy(t[:], p) != len(t) {
			return integrityError(k, "not a triple")
		}
		return nil
	})
	return t, err
}

// Relations returns relations of an entity, ordered by id, after the id.
func (r *reader) Relations(entity graph.ID, dir graph.Direction, after graph.ID, limit int) ([]*graph.Relation, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	b, err := entity.Bytes()
	if err != nil {
		return nil, nil
	}
	limit = graph.PageSize(limit)
	var ids []graph.ID
	for _, side := range []struct {
		dir graph.Direction
		row byte
	}{{graph.Out, rowRelationOut}, {graph.In, rowRelationIn}} {
		if dir != side.dir && dir != graph.Both {
			continue
		}
		some, err := r.scanIDs(r.ks.rowKey(side.row, b[:]), after, false, limit)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return r.readRelations(ids[:min(len(ids), limit)])
}

func (r rowReader) readRelations(ids []graph.ID) ([]*graph.Relation, error) {
	var found []*graph.Relation
	for _, id := range ids {
		b, err := id.Bytes()
		if err != nil {
			return nil, err
		}
		t, err := r.tripleByID(b)
		if err == nil {
			var rel *graph.Relation
			if rel, err = r.readRelation(t); err == nil {
				found = append(found, rel)
				continue
			}
		}
		if errors.Is(err, graph.ErrNotFound) {
			return nil, integrityError(r.ks.rowKey(rowTriple), "an index refers to a missing relation")
		}
		return nil, err
	}
	return found, nil
}
