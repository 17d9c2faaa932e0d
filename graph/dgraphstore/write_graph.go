package dgraphstore

import (
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// PutEdge writes an edge, new or changed.
func (t tx) PutEdge(e graph.Edge) error {
	if err := e.Validate(); err != nil {
		return err
	}
	key := edgeKey(t.ks, e.From, e.Kind, e.To)
	next, err := encodeEdge(key, e)
	if err != nil {
		return err
	}
	if _, err := t.attach("from", e.From); err != nil {
		return err
	}
	if _, err := t.attach("to", e.To); err != nil {
		return err
	}
	return t.putGuarded(edges, onEdge, key, next)
}

// DeleteEdge removes an edge; a missing one is no error.
func (t tx) DeleteEdge(from graph.ID, kind graph.EdgeKind, to graph.ID) error {
	_, err := t.Edge(from, kind, to)
	if known, err := graph.Found(err); !known {
		return err
	}
	return t.putGuarded(edges, onEdge, edgeKey(t.ks, from, kind, to), "")
}

// PutEntity writes an entity, new or changed. It returns ErrConflict if another entity has
// the name.
func (t tx) PutEntity(e *graph.Entity) error {
	if err := e.Validate(); err != nil {
		return err
	}
	key, name := t.ks.nodeKey(e.ID), entityName(t.ks, e)
	next, err := encodeEntity(key, e)
	if err != nil {
		return err
	}
	if err := errors.Join(t.guardKey(onEntity, string(e.ID)), t.guardKey(onName, name)); err != nil {
		return err
	}
	old, err := t.Entity(e.ID)
	known, err := graph.Found(err)
	if err != nil {
		return err
	}
	if known && entityName(t.ks, old) != name {
		return graph.FieldError(graph.CodeInvalidRequest, "canonical", "the name of an entity can't change")
	}
	owner, err := t.EntityByName(e.Namespace, e.User, e.Canonical)
	if taken, err := graph.Found(err); err != nil {
		return err
	} else if taken && owner.ID != e.ID {
		return graph.ErrConflict
	}
	at := time.Time{} // an entity has no time of change: use the latest recorded instant
	if !known {
		at = e.FirstSeen
	}
	if err := t.putRow(entities, key, next); err != nil {
		return err
	}
	t.writes.addChange(graph.NodeEntity, graph.EventUpdated, e.ID, e.Namespace, at)
	return nil
}

// DeleteEntity removes an entity; a missing one is no error.
func (t tx) DeleteEntity(id graph.ID) error {
	e, err := t.Entity(id)
	if known, err := graph.Found(err); !known {
		return err
	}
	name := entityName(t.ks, e)
	if err := errors.Join(t.guardKey(onEntity, string(id)), t.guardKey(onName, name), t.pointRead(onAttach, string(id))); err != nil {
		return err
	}
	if err := t.putRow(entities, t.ks.nodeKey(id), ""); err != nil {
		return err
	}
	t.writes.addChange(graph.NodeEntity, graph.EventForgotten, id, e.Namespace, time.Time{})
	return nil
}

// PutRelation writes a relation, new or changed. It returns ErrConflict if another relation
// has the triple.
func (t tx) PutRelation(r *graph.Relation) error {
	if err := r.Validate(); err != nil {
		return err
	}
	key := t.ks.nodeKey(r.ID)
	next, err := encodeRelation(key, r)
	if err != nil {
		return err
	}
	if err := t.guardRelation(r); err != nil {
		return err
	}
	old, err := t.Relation(r.Source, r.Predicate, r.Target)
	known, err := graph.Found(err)
	if err != nil {
		return err
	}
	if known && old.ID != r.ID {
		return graph.ErrConflict
	}
	had, err := t.RelationByID(r.ID)
	if written, err := graph.Found(err); err != nil {
		return err
	} else if written && (had.Source != r.Source || had.Predicate != r.Predicate || had.Target != r.Target) {
		return graph.FieldError(graph.CodeInvalidRequest, "predicate", "the triple of a relation can't change")
	}
	for _, id := range r.Memories {
		if known && slices.Contains(old.Memories, id) {
			continue
		}
		if _, err := t.attach("memories", id); err != nil {
			return err
		}
	}
	if !known {
		t.attachToEntity(r.Source)
		t.attachToEntity(r.Target)
	}
	if err := t.putRow(relations, key, next); err != nil {
		return err
	}
	t.writes.addChange(graph.NodeRelation, graph.EventUpdated, r.ID, r.Namespace, r.ChangedAt())
	return nil
}

func (t tx) guardRelation(r *graph.Relation) error {
	return errors.Join(t.guardKey(onTriple, tripleKey(t.ks, r.Source, r.Predicate, r.Target)), t.guardKey(onRelation, string(r.ID)))
}

// DeleteRelation removes a relation; a missing one is no error.
func (t tx) DeleteRelation(source graph.ID, predicate string, target graph.ID) error {
	r, err := t.Relation(source, predicate, target)
	if known, err := graph.Found(err); !known {
		return err
	}
	return t.deleteRelation(r)
}

func (t tx) deleteRelation(r *graph.Relation) error {
	if err := t.guardRelation(r); err != nil {
		return err
	}
	if err := t.putRow(relations, t.ks.nodeKey(r.ID), ""); err != nil {
		return err
	}
	t.writes.addChange(graph.NodeRelation, graph.EventForgotten, r.ID, r.Namespace, time.Time{})
	return nil
}
