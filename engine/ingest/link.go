package ingest

import (
	"errors"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/network"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Bounds and steps of the schema.
const (
	relationStart   = 1.0 // raw strength of a new relation
	relationLearned = 0.1 // added by a repetition
	relationSources = 256 // newest memories that a relation lists
	maxObjectName   = 80  // bytes; a longer object is text, not an entity
)

// Link finds or creates the entities that the draft names, sets m.Entities, and writes the
// relation of the statement. It returns how much of this the schema already knew.
func (s *WriteTx) Link(m *graph.Memory, d *Draft) (network.Familiarity, error) {
	var f network.Familiarity
	seen := map[graph.ID]bool{}
	add := func(name extract.Entity) (graph.ID, error) {
		id, known, err := s.entity(m, name)
		if err != nil || id == "" {
			return "", err
		}
		if !seen[id] && len(m.Entities) < graph.MaxEntities {
			seen[id] = true
			m.Entities = append(m.Entities, id)
			f.Entities++
			if known {
				f.KnownEntities++
			}
		}
		return id, nil
	}
	for _, name := range d.Named {
		if _, err := add(name); err != nil {
			return f, err
		}
	}
	st := d.Statement
	if st.Subject == "" || st.Predicate == "" || st.Object == "" || len(st.Object) > maxObjectName {
		return f, nil
	}
	source, err := add(extract.Entity{Name: st.Subject, Canonical: extract.Canonical(st.Subject), Type: extract.TypeOf(st.Subject)})
	if err != nil {
		return f, err
	}
	target, err := add(extract.Entity{Name: st.Object, Canonical: extract.Canonical(st.Object), Type: extract.TypeOf(st.Object)})
	if err != nil {
		return f, err
	}
	if source == "" || target == "" || source == target {
		return f, nil
	}
	f.Relations = 1
	known, err := s.relate(m, source, st.Predicate, target)
	if known {
		f.KnownRelations = 1
	}
	return f, err
}

// entity finds an entity by its canonical name, or creates it. An entity in a memory of
// one user belongs to that user, unless a shared entity has the name.
func (s *WriteTx) entity(m *graph.Memory, name extract.Entity) (id graph.ID, known bool, err error) {
	if name.Canonical == "" || len(name.Canonical) > graph.MaxName || len(name.Name) > graph.MaxName {
		return "", false, nil
	}
	for _, owner := range workspace.Owners(m.User) {
		existing, err := s.Tx.EntityByName(m.Namespace, owner, name.Canonical)
		if err == nil {
			return existing.ID, true, nil
		}
		if !errors.Is(err, graph.ErrNotFound) {
			return "", false, err
		}
	}
	if id, err = s.svc.NewID(s.Now); err != nil {
		return "", false, err
	}
	kind := name.Type
	if !kind.Valid() {
		kind = graph.Concept
	}
	return id, false, s.Tx.PutEntity(&graph.Entity{
		ID: id, Namespace: m.Namespace, User: m.User, Name: name.Name, Canonical: name.Canonical, Type: kind, FirstSeen: s.Now,
	})
}

// relate writes source –predicate→ target. If the relation exists, relate strengthens what
// is left of it and returns true.
func (s *WriteTx) relate(m *graph.Memory, source graph.ID, predicate string, target graph.ID) (known bool, err error) {
	r, err := s.Tx.Relation(source, predicate, target)
	switch {
	case err == nil:
		r.Strength, r.StrengthAt = network.Raise(r.Strength, r.StrengthAt, relationLearned, s.Now)
		r.Confidence = max(r.Confidence, m.Confidence)
		r.Memories = append(r.Memories, m.ID)
		if len(r.Memories) > relationSources {
			r.Memories = r.Memories[len(r.Memories)-relationSources:]
		}
		return true, s.Tx.PutRelation(r)
	case !errors.Is(err, graph.ErrNotFound):
		return false, err
	}
	id, err := s.svc.NewID(s.Now)
	if err != nil {
		return false, err
	}
	if err := s.makeRoom(source, target); err != nil {
		return false, err
	}
	return false, s.Tx.PutRelation(&graph.Relation{
		ID: id, Namespace: m.Namespace, Source: source, Target: target, Predicate: predicate,
		Strength: relationStart, StrengthAt: s.Now, Confidence: m.Confidence,
		ValidFrom: m.ValidFrom, EventTime: m.OccurredAt, RecordedAt: s.Now, Memories: []graph.ID{m.ID},
	})
}

// makeRoom removes the weakest relation, in either direction, of each entity that has the
// maximum number of relations.
func (s *WriteTx) makeRoom(entities ...graph.ID) error {
	if most, err := s.Tx.MostRelations(entities...); err != nil || most < network.MaxRelations {
		return err
	}
	for _, entity := range entities {
		all, err := s.Tx.Relations(entity, graph.Both, "", graph.MaxPage)
		if err != nil {
			return err
		}
		if len(all) < network.MaxRelations {
			continue
		}
		weakest := all[network.Weakest(all, s.Now)]
		if err := s.Tx.DeleteRelation(weakest.Source, weakest.Predicate, weakest.Target); err != nil {
			return err
		}
	}
	return nil
}

// surprise computes the surprise Δ of a memory from its neighbours and from the
// familiarity that Link returned.
func surprise(f network.Familiarity, near []Neighbour) float64 {
	for _, n := range near {
		f.Nearest = max(f.Nearest, n.cosine)
	}
	return network.Surprise(f)
}
