package badgerstore

import (
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// PutEdge writes an edge, new or changed.
func (t *tx) PutEdge(e graph.Edge) error {
	ends, err := makeEdgeEnds(e.From, e.Kind, e.To)
	if err != nil {
		return err
	}
	if err := graph.Unit("weight", e.Weight); err != nil {
		return err
	}
	if _, err := t.attach("from", ends[0]); err != nil {
		return err
	}
	if _, err := t.attach("to", ends[2]); err != nil {
		return err
	}
	payload, err := encode(&edgeRow{Kind: string(e.Kind), Weight: e.Weight, At: wire.StampOf(e.At)})
	if err != nil {
		return err
	}
	return t.apply(func(w *txWriter) error {
		if err := w.putRow(w.edgeOut(ends), payload, 0); err != nil {
			return err
		}
		return w.putMarker(w.edgeIn(ends))
	})
}

// DeleteEdge removes an edge; a missing one is no error.
func (t *tx) DeleteEdge(from graph.ID, kind graph.EdgeKind, to graph.ID) error {
	ends, err := makeEdgeEnds(from, kind, to)
	if err != nil {
		return t.usable() // such an edge can't exist
	}
	return t.apply(func(w *txWriter) error { return w.deleteEdge(ends) })
}

// edgeEnds is from, kind and to of an edge in their form in keys.
type edgeEnds [3][16]byte

func makeEdgeEnds(from graph.ID, kind graph.EdgeKind, to graph.ID) (e edgeEnds, err error) {
	if e[0], err = wire.UUID("from", from); err != nil {
		return e, err
	}
	if e[2], err = wire.UUID("to", to); err != nil {
		return e, err
	}
	if kind == "" || len(kind) > graph.MaxName {
		return e, graph.FieldError(graph.CodeInvalidRequest, "kind", "must have 1 to %d bytes", graph.MaxName)
	}
	e[1] = kindKey(kind)
	return e, nil
}

func (w *txWriter) edgeOut(e edgeEnds) key { return w.ks.rowKey(rowEdgeOut, e[0][:], e[1][:], e[2][:]) }
func (w *txWriter) edgeIn(e edgeEnds) key  { return w.ks.rowKey(rowEdgeIn, e[2][:], e[1][:], e[0][:]) }

func (w *txWriter) deleteEdge(e edgeEnds) error {
	_, found, err := w.rowMeta(w.edgeOut(e))
	if err != nil || !found {
		return err
	}
	if err := w.deleteRow(w.edgeOut(e)); err != nil {
		return err
	}
	return w.deleteKey(w.edgeIn(e))
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
	payload, err := encode(wire.EntityOf(e))
	if err != nil {
		return err
	}
	old, err := t.Entity(e.ID)
	fresh := errors.Is(err, graph.ErrNotFound)
	if err != nil && !fresh {
		return err
	}
	if !fresh && (old.Namespace != e.Namespace || old.User != e.User || old.Canonical != e.Canonical) {
		return graph.FieldError(graph.CodeInvalidRequest, "canonical", "the name of an entity can't change")
	}
	owner, err := t.entityID(e.Namespace, e.User, e.Canonical)
	switch {
	case err != nil && !errors.Is(err, graph.ErrNotFound):
		return err
	case err == nil && owner != b:
		return graph.ErrConflict
	}
	at := time.Time{} // an entity has no time of change: use the latest recorded instant
	if fresh {
		at = e.FirstSeen
	}
	return t.apply(func(w *txWriter) error {
		if err := w.putRow(w.ks.rowKey(rowEntity, b[:]), payload, 0); err != nil {
			return err
		}
		if fresh {
			n, ns := nameHash(e.Namespace, e.User, e.Canonical), nameHash(e.Namespace)
			if err := w.putRow(w.ks.rowKey(rowNamed, n[:]), b[:], 0); err != nil {
				return err
			}
			if err := w.putMarker(w.ks.rowKey(rowEntityIndex, ns[:], b[:])); err != nil {
				return err
			}
		}
		t.addChange(graph.NodeEntity, graph.EventUpdated, e.ID, e.Namespace, at)
		return nil
	})
}

// DeleteEntity removes an entity; a missing one is no error.
func (t *tx) DeleteEntity(id graph.ID) error {
	e, err := t.Entity(id)
	if errors.Is(err, graph.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	b, err := wire.UUID("id", id)
	if err != nil {
		return err
	}
	return t.apply(func(w *txWriter) error {
		n, ns := nameHash(e.Namespace, e.User, e.Canonical), nameHash(e.Namespace)
		if err := w.deleteRow(w.ks.rowKey(rowEntity, b[:])); err != nil {
			return err
		}
		if err := w.deleteRow(w.ks.rowKey(rowNamed, n[:])); err != nil {
			return err
		}
		if err := w.deleteKey(w.ks.rowKey(rowEntityIndex, ns[:], b[:])); err != nil {
			return err
		}
		t.addChange(graph.NodeEntity, graph.EventForgotten, id, e.Namespace, time.Time{})
		return nil
	})
}

// PutRelation writes a relation, new or changed. It returns ErrConflict if another
// relation has the triple.
func (t *tx) PutRelation(r *graph.Relation) error {
	if err := r.Validate(); err != nil {
		return err
	}
	b, triple, err := relationKeys(r)
	if err != nil {
		return err
	}
	memories, err := wire.IDList("memories", r.Memories)
	if err != nil {
		return err
	}
	payload, err := encode(&relationRow{
		ID: b[:], Namespace: r.Namespace, Predicate: r.Predicate, Strength: r.Strength, StrengthAt: wire.StampOf(r.StrengthAt),
		Confidence: r.Confidence, ValidFrom: wire.StampOf(r.ValidFrom), ValidTo: wire.StampOf(r.ValidTo),
		EventTime: wire.StampOf(r.EventTime), RecordedAt: wire.StampOf(r.RecordedAt), Memories: memories,
	})
	if err != nil {
		return err
	}
	if err := t.usable(); err != nil {
		return err
	}
	old, err := t.readRelation(triple)
	switch {
	case errors.Is(err, graph.ErrNotFound):
		old = nil
	case err != nil:
		return err
	case old.ID != r.ID:
		return graph.ErrConflict
	}
	for _, id := range r.Memories {
		if old != nil && slices.Contains(old.Memories, id) {
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
	switch {
	case err != nil && !errors.Is(err, graph.ErrNotFound):
		return err
	case err == nil && had != triple:
		return graph.FieldError(graph.CodeInvalidRequest, "predicate", "the triple of a relation can't change")
	}
	at := r.RecordedAt
	if r.StrengthAt.After(at) {
		at = r.StrengthAt
	}
	return t.apply(func(w *txWriter) error {
		if err := w.putRelation(b, triple, payload, old, r.Memories); err != nil {
			return err
		}
		t.addChange(graph.NodeRelation, graph.EventUpdated, r.ID, r.Namespace, at)
		return nil
	})
}

// relationKeys is the id and the triple of a relation in their form in keys.
func relationKeys(r *graph.Relation) (id [16]byte, t triple, err error) {
	if id, err = wire.UUID("id", r.ID); err != nil {
		return id, t, err
	}
	t, err = tripleOf(r.Source, r.Predicate, r.Target)
	return id, t, err
}

// putRelation writes the rows of a relation; old is nil for a new one.
func (w *txWriter) putRelation(b [16]byte, t triple, payload []byte, old *graph.Relation, says []graph.ID) error {
	if err := w.putRow(w.ks.rowKey(rowRelation, t[:]), payload, 0); err != nil {
		return err
	}
	if old == nil {
		if err := w.putRow(w.ks.rowKey(rowTriple, b[:]), t[:], 0); err != nil {
			return err
		}
		if err := w.putMarker(w.ks.rowKey(rowRelationOut, t[:16], b[:])); err != nil {
			return err
		}
		if err := w.putMarker(w.ks.rowKey(rowRelationIn, t[32:], b[:])); err != nil {
			return err
		}
		old = &graph.Relation{}
	}
	return w.updateStatedBy(b, old.Memories, says)
}

// updateStatedBy replaces the memories that state a relation.
func (w *txWriter) updateStatedBy(b [16]byte, old, next []graph.ID) error {
	for _, id := range old {
		m, err := wire.UUID("memories", id)
		if err != nil {
			return err
		}
		if !slices.Contains(next, id) {
			if err := w.deleteKey(w.ks.rowKey(rowSays, m[:], b[:])); err != nil {
				return err
			}
		}
	}
	for _, id := range next {
		m, err := wire.UUID("memories", id)
		if err != nil {
			return err
		}
		if !slices.Contains(old, id) {
			if err := w.putMarker(w.ks.rowKey(rowSays, m[:], b[:])); err != nil {
				return err
			}
		}
	}
	return nil
}

// DeleteRelation removes a relation; a missing one is no error.
func (t *tx) DeleteRelation(source graph.ID, predicate string, target graph.ID) error {
	r, err := t.Relation(source, predicate, target)
	if errors.Is(err, graph.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.deleteRelation(r)
}

func (t *tx) deleteRelation(r *graph.Relation) error {
	b, triple, err := relationKeys(r)
	if err != nil {
		return err
	}
	return t.apply(func(w *txWriter) error {
		if err := w.deleteRow(w.ks.rowKey(rowRelation, triple[:])); err != nil {
			return err
		}
		if err := w.deleteRow(w.ks.rowKey(rowTriple, b[:])); err != nil {
			return err
		}
		if err := w.deleteKey(w.ks.rowKey(rowRelationOut, triple[:16], b[:])); err != nil {
			return err
		}
		if err := w.deleteKey(w.ks.rowKey(rowRelationIn, triple[32:], b[:])); err != nil {
			return err
		}
		if err := w.updateStatedBy(b, r.Memories, nil); err != nil {
			return err
		}
		t.addChange(graph.NodeRelation, graph.EventForgotten, r.ID, r.Namespace, time.Time{})
		return nil
	})
}
