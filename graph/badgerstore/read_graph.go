package badgerstore

import (
	"cmp"
	"errors"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Edge answers one edge, or ErrNotFound.
func (r *reader) Edge(from graph.ID, kind graph.EdgeKind, to graph.ID) (*graph.Edge, error) {
	if err := r.alive(); err != nil {
		return nil, err
	}
	f, err1 := from.Bytes()
	t, err2 := to.Bytes()
	if err1 != nil || err2 != nil {
		return nil, graph.ErrNotFound
	}
	return r.edge(f, kindKey(kind), t)
}

func (r rows) edge(from, kind, to [16]byte) (*graph.Edge, error) {
	k := r.ks.row(rowEdgeOut, from[:], kind[:], to[:])
	var row edgeRow
	if err := r.get(k, func(_ byte, p []byte) error { return decode(k, p, &row) }); err != nil {
		return nil, err
	}
	return &graph.Edge{
		From: graph.IDFromBytes(from), Kind: graph.EdgeKind(row.Kind), To: graph.IDFromBytes(to),
		Weight: row.Weight, At: row.At.Time(),
	}, nil
}

// Edges answers the edges of a memory, ordered by kind and the other end's id (the
// outgoing one first where both are alike); no kinds means all.
func (r *reader) Edges(id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]graph.Edge, error) {
	if err := r.alive(); err != nil {
		return nil, err
	}
	b, err := id.Bytes()
	if err != nil {
		return nil, nil
	}
	edges, err := r.edges(b, dir)
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

// edges answers the edges of a memory, outgoing ones first; one to itself once.
func (r rows) edges(b [16]byte, dir graph.Direction) ([]graph.Edge, error) {
	var ends [][3][16]byte // from, kind, to
	collect := func(row byte, out bool) error {
		prefix := r.ks.row(row, b[:])
		return r.scan(prefix, prefix, false, func(k key, _ []byte) (bool, error) {
			tail := k[len(prefix):]
			if len(tail) != 32 {
				return false, broken(k, "not an edge")
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
		edge, err := r.edge(e[0], e[1], e[2])
		if errors.Is(err, graph.ErrNotFound) {
			return nil, broken(r.ks.row(rowEdgeIn), "an edge is there on one side only")
		}
		if err != nil {
			return nil, err
		}
		edges = append(edges, *edge)
	}
	return edges, nil
}

// Entity answers an entity, or ErrNotFound.
func (r *reader) Entity(id graph.ID) (*graph.Entity, error) {
	if err := r.alive(); err != nil {
		return nil, err
	}
	b, err := id.Bytes()
	if err != nil {
		return nil, graph.ErrNotFound
	}
	return r.entity(b)
}

func (r rows) entity(b [16]byte) (e *graph.Entity, err error) {
	k := r.ks.row(rowEntity, b[:])
	err = r.get(k, func(_ byte, p []byte) error {
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
	e := &graph.Entity{
		ID: id, Namespace: row.Namespace, User: row.User, Name: row.Name, Canonical: row.Canonical,
		Type: graph.EntityType(row.Type), FirstSeen: row.FirstSeen.Time(),
	}
	if len(row.Properties) > 0 {
		e.Properties = row.Properties
	}
	return e, nil
}

// EntityByName answers by the unique (namespace, user, canonical), or ErrNotFound.
func (r *reader) EntityByName(namespace, user, canonical string) (*graph.Entity, error) {
	if err := r.alive(); err != nil {
		return nil, err
	}
	b, err := r.named(namespace, user, canonical)
	if err != nil {
		return nil, err
	}
	e, err := r.entity(b)
	if errors.Is(err, graph.ErrNotFound) {
		return nil, broken(r.ks.row(rowNamed), "a name stands for an entity that is not there")
	}
	return e, err
}

// named answers the entity that a name stands for, or ErrNotFound.
func (r rows) named(namespace, user, canonical string) (b [16]byte, err error) {
	n := name(namespace, user, canonical)
	k := r.ks.row(rowNamed, n[:])
	err = r.get(k, func(_ byte, p []byte) error {
		if copy(b[:], p) != 16 {
			return broken(k, "not an id")
		}
		return nil
	})
	return b, err
}

// ListEntities answers entities by ascending id behind after.
func (r *reader) ListEntities(q graph.EntityQuery) ([]*graph.Entity, error) {
	if err := r.alive(); err != nil {
		return nil, err
	}
	if q.After != "" && !q.After.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	var prefixes []key
	for _, ns := range names(q.Namespaces) {
		prefixes = append(prefixes, r.ks.row(rowEntityIndex, ns[:]))
	}
	if len(prefixes) == 0 {
		prefixes = []key{r.ks.row(rowEntity)}
	}
	l := lister{reader: r, q: graph.MemoryQuery{After: q.After}}
	var found []*graph.Entity
	for limit := page(q.Limit); ; {
		ids, end, err := l.chunk(prefixes, l.q.After)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			e, err := r.Entity(id)
			if errors.Is(err, graph.ErrNotFound) {
				return nil, broken(r.ks.row(rowEntityIndex), "an index names an entity that is not there")
			}
			if err != nil {
				return nil, err
			}
			if matchesEntity(q, e) {
				found = append(found, e)
			}
			if len(found) == limit {
				return found, nil
			}
		}
		if end == "" {
			return found, nil
		}
		l.q.After = end
	}
}

// Mentions answers the ids of memories that mention the entity, ascending, behind
// after.
func (r *reader) Mentions(entity, after graph.ID, limit int) ([]graph.ID, error) {
	if err := r.alive(); err != nil {
		return nil, err
	}
	b, err := entity.Bytes()
	if err != nil {
		return nil, nil
	}
	return r.ids(r.ks.row(rowMention, b[:]), after, false, page(limit))
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
	p := name(predicate)
	copy(t[:], s[:])
	copy(t[16:], p[:])
	copy(t[32:], o[:])
	return t, nil
}

// Relation answers a relation by its unique triple, or ErrNotFound.
func (r *reader) Relation(source graph.ID, predicate string, target graph.ID) (*graph.Relation, error) {
	if err := r.alive(); err != nil {
		return nil, err
	}
	t, err := tripleOf(source, predicate, target)
	if err != nil {
		return nil, graph.ErrNotFound
	}
	return r.relation(t)
}

func (r rows) relation(t triple) (*graph.Relation, error) {
	k := r.ks.row(rowRelation, t[:])
	var row relationRow
	if err := r.get(k, func(_ byte, p []byte) error { return decode(k, p, &row) }); err != nil {
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

// RelationByID answers a relation by its id, or ErrNotFound.
func (r *reader) RelationByID(id graph.ID) (*graph.Relation, error) {
	if err := r.alive(); err != nil {
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
	rel, err := r.relation(t)
	if errors.Is(err, graph.ErrNotFound) {
		return nil, broken(r.ks.row(rowTriple), "an id stands for a relation that is not there")
	}
	return rel, err
}

// tripleByID answers the triple of a relation, or ErrNotFound.
func (r rows) tripleByID(b [16]byte) (t triple, err error) {
	k := r.ks.row(rowTriple, b[:])
	err = r.get(k, func(_ byte, p []byte) error {
		if copy(t[:], p) != len(t) {
			return broken(k, "not a triple")
		}
		return nil
	})
	return t, err
}

// Relations answers relations of an entity, ordered by id, behind after.
func (r *reader) Relations(entity graph.ID, dir graph.Direction, after graph.ID, limit int) ([]*graph.Relation, error) {
	if err := r.alive(); err != nil {
		return nil, err
	}
	b, err := entity.Bytes()
	if err != nil {
		return nil, nil
	}
	limit = page(limit)
	var ids []graph.ID
	for _, side := range []struct {
		dir graph.Direction
		row byte
	}{{graph.Out, rowRelationOut}, {graph.In, rowRelationIn}} {
		if dir != side.dir && dir != graph.Both {
			continue
		}
		some, err := r.ids(r.ks.row(side.row, b[:]), after, false, limit)
		if err != nil {
			return nil, err
		}
		ids = append(ids, some...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return r.relations(ids[:min(len(ids), limit)])
}

func (r rows) relations(ids []graph.ID) ([]*graph.Relation, error) {
	var found []*graph.Relation
	for _, id := range ids {
		b, err := id.Bytes()
		if err != nil {
			return nil, err
		}
		t, err := r.tripleByID(b)
		if err == nil {
			var rel *graph.Relation
			if rel, err = r.relation(t); err == nil {
				found = append(found, rel)
				continue
			}
		}
		if errors.Is(err, graph.ErrNotFound) {
			return nil, broken(r.ks.row(rowTriple), "an index names a relation that is not there")
		}
		return nil, err
	}
	return found, nil
}
