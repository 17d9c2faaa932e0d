package badgerstore

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// PutEdge writes an edge, new or changed.
func (t *tx) PutEdge(e graph.Edge) error {
	ends, err := edgeEndsFor(e.From, e.Kind, e.To)
	if err != nil {
		return err
	}
	if err := e.Validate(); err != nil {
		return err
	}
	if _, err := t.attach("from", ends[0]); err != nil {
		return err
	}
	if _, err := t.attach("to", ends[2]); err != nil {
		return err
	}
	return t.apply(func(w *txWriter) {
		w.putRecord(w.ks.edgeOut(ends), &edgeRow{Kind: string(e.Kind), Weight: e.Weight, At: wire.StampOf(e.At)})
		w.putMarker(w.ks.edgeIn(ends))
	})
}

// DeleteEdge removes an edge; a missing one is no error.
func (t *tx) DeleteEdge(from graph.ID, kind graph.EdgeKind, to graph.ID) error {
	ends, err := edgeEndsFor(from, kind, to)
	if err != nil {
		return t.usable() // such an edge can't exist
	}
	return t.apply(func(w *txWriter) { w.deleteEdge(ends) })
}

// edgeEnds is from, kind and to of an edge in their form in keys.
type edgeEnds [3][16]byte

func edgeEndsFor(from graph.ID, kind graph.EdgeKind, to graph.ID) (e edgeEnds, err error) {
	if e[0], err = wire.UUID("from", from); err != nil {
		return e, err
	}
	e[1] = kindKey(kind)
	e[2], err = wire.UUID("to", to)
	return e, err
}

func (s keyspace) edgeOut(e edgeEnds) key { return s.rowKey(rowEdgeOut, e[0][:], e[1][:], e[2][:]) }
func (s keyspace) edgeIn(e edgeEnds) key  { return s.rowKey(rowEdgeIn, e[2][:], e[1][:], e[0][:]) }

func (w *txWriter) deleteEdge(e edgeEnds) {
	_, found, err := w.rowMeta(w.ks.edgeOut(e))
	w.fail(err)
	if found {
		w.deleteRow(w.ks.edgeOut(e))
		w.deleteKey(w.ks.edgeIn(e))
	}
}

// PutEntity writes an entity, new or changed. It returns ErrConflict if another entity
// has the name.
func (t *tx) PutEntity(e *graph.Entity) error {
	if err := e.Validate(); err != nil {
		return err
	}
	b, err := wire.UUID("id", e.ID)
	if err != nil {
		return err
	}
	old, err := t.Entity(e.ID)
	known, err := graph.Found(err)
	if err != nil {
		return err
	}
	if known && (old.Namespace != e.Namespace || old.User != e.User || old.Canonical != e.Canonical) {
		return graph.FieldError(graph.CodeInvalidRequest, "canonical", "the name of an entity can't change")
	}
	owner, err := t.entityID(e.Namespace, e.User, e.Canonical)
	if taken, err := graph.Found(err); err != nil {
		return err
	} else if taken && owner != b {
		return graph.ErrConflict
	}
	at := time.Time{} // an entity has no time of change: use the latest recorded instant
	if !known {
		at = e.FirstSeen
	}
	return t.apply(func(w *txWriter) {
		w.putRecord(w.ks.rowKey(rowEntity, b[:]), wire.EntityOf(e))
		if !known {
			n, ns := w.names.name(e.Namespace, e.User, e.Canonical), w.names.name(e.Namespace)
			w.putRow(w.namedKey(rowNamed, n[:]), b[:], 0)
			w.putMarker(w.namedKey(rowEntityIndex, ns[:], b[:]))
		}
		t.addChange(graph.NodeEntity, graph.EventUpdated, e.ID, e.Namespace, at)
	})
}

// DeleteEntity removes an entity; a missing one is no error. It conflicts with transactions that mention or relate the entity.
func (t *tx) DeleteEntity(id graph.ID) error {
	e, err := t.Entity(id)
	if known, err := graph.Found(err); !known {
		return err
	}
	b, err := wire.UUID("id", id)
	if err != nil {
		return err
	}
	if _, _, err := t.rowMeta(t.ks.rowKey(rowAttached, b[:])); err != nil { // see attachToEntity
		return err
	}
	return t.apply(func(w *txWriter) {
		n, ns := w.names.name(e.Namespace, e.User, e.Canonical), w.names.name(e.Namespace)
		w.deleteRow(w.ks.rowKey(rowEntity, b[:]))
		w.deleteRow(w.namedKey(rowNamed, n[:]))
		w.deleteKey(w.namedKey(rowEntityIndex, ns[:], b[:]))
		t.addChange(graph.NodeEntity, graph.EventForgotten, id, e.Namespace, time.Time{})
	})
}

// PutRelation writes a relation, new or changed. It returns ErrConflict if another
// relation has the triple.
func (t *tx) PutRelation(r *graph.Relation) error {
	if err := r.Validate(); err != nil {
		return err
	}
	b, triple, err := t.relationKeys(r)
	if err != nil {
		return err
	}
	row, err := wire.RelationOf(r)
	if err != nil {
		return err
	}
	if err := t.usable(); err != nil {
		return err
	}
	old, err := t.readRelation(triple)
	known, err := graph.Found(err)
	if err != nil {
		return err
	}
	if !known {
		old = &graph.Relation{}
	} else if old.ID != r.ID {
		return graph.ErrConflict
	}
	for _, id := range r.Memories {
		if slices.Contains(old.Memories, id) {
			continue
		}
		m, err := wire.UUID("memories", id)
		if err != nil {
			return err
		}
		if _, err := t.attach("memories", m); err != nil {
			return err
		}
	}
	had, err := t.tripleByID(b)
	if written, err := graph.Found(err); err != nil {
		return err
	} else if written && had != triple {
		return graph.FieldError(graph.CodeInvalidRequest, "predicate", "the triple of a relation can't change")
	}
	return t.apply(func(w *txWriter) {
		w.putRecord(w.namedKey(rowRelation, triple[:]), &relationRow{ID: b[:], Relation: row})
		if !known {
			w.putRow(w.namedKey(rowTriple, b[:]), triple[:], 0)
			w.putMarker(w.ks.rowKey(rowRelationOut, triple[:16], b[:]))
			w.putMarker(w.ks.rowKey(rowRelationIn, triple[32:], b[:]))
			w.attachToEntity([16]byte(triple[:16]))
			w.attachToEntity([16]byte(triple[32:]))
		}
		w.updateStatedBy(b, old.Memories, r.Memories)
		t.addChange(graph.NodeRelation, graph.EventUpdated, r.ID, r.Namespace, r.ChangedAt())
	})
}

// relationKeys is the id and the triple of a relation in their form in keys.
func (r rowReader) relationKeys(of *graph.Relation) (id [16]byte, t triple, err error) {
	if id, err = wire.UUID("id", of.ID); err != nil {
		return id, t, err
	}
	t, err = r.tripleOf(of.Source, of.Predicate, of.Target)
	return id, t, err
}

// updateStatedBy replaces the memories that state a relation.
func (w *txWriter) updateStatedBy(b [16]byte, old, next []graph.ID) {
	says := func(id graph.ID) key {
		m, err := id.Bytes()
		w.fail(err)
		return w.ks.rowKey(rowSays, m[:], b[:])
	}
	for _, id := range old {
		if !slices.Contains(next, id) {
			w.deleteKey(says(id))
		}
	}
	for _, id := range next {
		if !slices.Contains(old, id) {
			w.putMarker(says(id))
		}
	}
}

// DeleteRelation removes a relation; a missing one is no error.
func (t *tx) DeleteRelation(source graph.ID, predicate string, target graph.ID) error {
	r, err := t.Relation(source, predicate, target)
	if known, err := graph.Found(err); !known {
		return err
	}
	return t.deleteRelation(r)
}

func (t *tx) deleteRelation(r *graph.Relation) error {
	b, triple, err := t.relationKeys(r)
	if err != nil {
		return err
	}
	return t.apply(func(w *txWriter) {
		w.deleteRow(w.namedKey(rowRelation, triple[:]))
		w.deleteRow(w.namedKey(rowTriple, b[:]))
		w.deleteKey(w.ks.rowKey(rowRelationOut, triple[:16], b[:]))
		w.deleteKey(w.ks.rowKey(rowRelationIn, triple[32:], b[:]))
		w.updateStatedBy(b, r.Memories, nil)
		t.addChange(graph.NodeRelation, graph.EventForgotten, r.ID, r.Namespace, time.Time{})
	})
}
