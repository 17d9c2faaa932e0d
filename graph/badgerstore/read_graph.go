package badgerstore

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Edge returns one edge, or ErrNotFound.
func (r *reader) Edge(from graph.ID, kind graph.EdgeKind, to graph.ID) (*graph.Edge, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	ends, err := edgeEndsFor(from, kind, to)
	if err != nil {
		return nil, graph.ErrNotFound
	}
	return r.readEdge(ends)
}

func (r rowReader) readEdge(ends edgeEnds) (*graph.Edge, error) {
	row, err := decodeRow[edgeRow](r, r.ks.edgeOut(ends))
	if err != nil {
		return nil, err
	}
	return &graph.Edge{
		From: graph.IDFromBytes(ends[0]), Kind: graph.EdgeKind(row.Kind), To: graph.IDFromBytes(ends[2]),
		Weight: row.Weight, At: row.At.Time(),
	}, nil
}

// Edges returns the edges of a memory, ordered by kind and the other end's id (of two equal
// ones, the outgoing first); no kinds means all.
func (r *reader) Edges(id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]graph.Edge, error) {
	b, err := r.keyOf(id)
	if err != nil {
		return nil, noneIfMissing(err)
	}
	ends, err := r.edgeEndsOf(b, dir)
	if err != nil {
		return nil, err
	}
	var edges []graph.Edge
	for _, e := range ends {
		edge, err := r.readEdge(e)
		if err != nil {
			return nil, mustExist(err, rowEdgeIn, "an edge exists on one side only")
		}
		if len(kinds) == 0 || slices.Contains(kinds, edge.Kind) {
			edges = append(edges, *edge)
		}
	}
	graph.SortEdges(id, edges)
	return edges, nil
}

// edgeEndsOf returns the ends of the edges of a memory; an edge to itself is listed once.
func (r rowReader) edgeEndsOf(b [16]byte, dir graph.Direction) (ends []edgeEnds, err error) {
	collect := func(row byte, add func(kind, other [16]byte)) {
		tails, terr := r.keyTails(r.ks.rowKey(row, b[:]))
		if terr != nil {
			err = terr
		}
		for _, t := range tails {
			if len(t) != 32 {
				err = integrityError(r.ks.rowKey(row, b[:]), "not an edge")
				return
			}
			add([16]byte(t), [16]byte(t[16:]))
		}
	}
	if dir != graph.In {
		collect(rowEdgeOut, func(kind, other [16]byte) { ends = append(ends, edgeEnds{b, kind, other}) })
	}
	if dir != graph.Out {
		collect(rowEdgeIn, func(kind, other [16]byte) {
			if dir == graph.In || other != b {
				ends = append(ends, edgeEnds{other, kind, b})
			}
		})
	}
	return ends, err
}

// Entity returns an entity, or ErrNotFound.
func (r *reader) Entity(id graph.ID) (*graph.Entity, error) {
	b, err := r.keyOf(id)
	if err != nil {
		return nil, err
	}
	return r.readEntity(b)
}

func (r rowReader) readEntity(b [16]byte) (*graph.Entity, error) {
	row, err := decodeRow[wire.Entity](r, r.ks.rowKey(rowEntity, b[:]))
	if err != nil {
		return nil, err
	}
	return row.Entity(graph.IDFromBytes(b)), nil
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
	return e, mustExist(err, rowNamed, "a name refers to a missing entity")
}

// entityID returns the id of the entity with a name, or ErrNotFound.
func (r rowReader) entityID(namespace, user, canonical string) (b [16]byte, err error) {
	n := r.names.name(namespace, user, canonical)
	err = r.fixedRow(r.namedKey(rowNamed, n[:]), b[:])
	return b, err
}

// ListEntities returns the entities that match the query, by ascending id after q.After.
func (r *reader) ListEntities(q graph.EntityQuery) ([]*graph.Entity, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	if err := graph.ValidateAfter(q.After); err != nil {
		return nil, err
	}
	var prefixes []key
	for _, ns := range r.names.names(q.Namespaces) {
		prefixes = append(prefixes, r.namedKey(rowEntityIndex, ns[:]))
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
			if err != nil {
				return nil, mustExist(err, rowEntityIndex, "an index refers to a missing entity")
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
	return r.listIDs(rowMention, entity, after, limit)
}

// listIDs lists the ids at the end of the rows of a node, ascending, after the id.
func (r *reader) listIDs(row byte, of, after graph.ID, limit int) ([]graph.ID, error) {
	b, err := r.keyOf(of)
	if err != nil {
		return nil, noneIfMissing(err)
	}
	return r.scanIDs(r.ks.rowKey(row, b[:]), after, false, graph.PageSize(limit))
}

// triple is the key of a relation: source, predicate, target.
type triple [48]byte

func (r rowReader) tripleOf(source graph.ID, predicate string, target graph.ID) (t triple, err error) {
	s, err := wire.UUID("source", source)
	if err != nil {
		return t, err
	}
	p := r.names.name(predicate)
	o, err := wire.UUID("target", target)
	copy(t[:], s[:])
	copy(t[16:], p[:])
	copy(t[32:], o[:])
	return t, err
}

// Relation finds a relation by its unique triple, or returns ErrNotFound.
func (r *reader) Relation(source graph.ID, predicate string, target graph.ID) (*graph.Relation, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	t, err := r.tripleOf(source, predicate, target)
	if err != nil {
		return nil, graph.ErrNotFound
	}
	return r.readRelation(t)
}

func (r rowReader) readRelation(t triple) (*graph.Relation, error) {
	row, err := decodeRow[relationRow](r, r.namedKey(rowRelation, t[:]))
	if err != nil {
		return nil, err
	}
	return row.Relation.Relation(wire.ID(row.ID), wire.ID(t[:16]), wire.ID(t[32:])), nil
}

// RelationByID finds a relation by its id, or returns ErrNotFound.
func (r *reader) RelationByID(id graph.ID) (*graph.Relation, error) {
	b, err := r.keyOf(id)
	if err != nil {
		return nil, err
	}
	t, err := r.tripleByID(b)
	if err != nil {
		return nil, err
	}
	rel, err := r.readRelation(t)
	return rel, mustExist(err, rowTriple, "an id refers to a missing relation")
}

// listedRelation returns a relation whose id is in an index.
func (r *reader) listedRelation(id graph.ID) (*graph.Relation, error) {
	rel, err := r.RelationByID(id)
	return rel, mustExist(err, rowTriple, "an index refers to a missing relation")
}

// tripleByID returns the triple of a relation, or ErrNotFound.
func (r rowReader) tripleByID(b [16]byte) (t triple, err error) {
	err = r.fixedRow(r.namedKey(rowTriple, b[:]), t[:])
	return t, err
}

// Relations returns relations of an entity, ordered by id, after the id.
func (r *reader) Relations(entity graph.ID, dir graph.Direction, after graph.ID, limit int) ([]*graph.Relation, error) {
	var ids []graph.ID
	for row, without := range map[byte]graph.Direction{rowRelationOut: graph.In, rowRelationIn: graph.Out} {
		if dir == without {
			continue
		}
		some, err := r.listIDs(row, entity, after, limit)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	var found []*graph.Relation
	for _, id := range ids[:min(len(ids), graph.PageSize(limit))] {
		rel, err := r.listedRelation(id)
		if err != nil {
			return nil, err
		}
		found = append(found, rel)
	}
	return found, nil
}

// MostRelations returns a number that none of the entities has more relations than.
func (t *tx) MostRelations(entities ...graph.ID) (int, error) {
	most := 0
	for _, entity := range entities {
		n := 0
		for _, row := range []byte{rowRelationOut, rowRelationIn} {
			ids, err := t.listIDs(row, entity, "", graph.MaxPage)
			if err != nil {
				return 0, err
			}
			n += len(ids)
		}
		most = max(most, n)
	}
	return most, nil
}
