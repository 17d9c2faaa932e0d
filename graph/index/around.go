package index

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/kernel"
)

// entityName is what an entity is found by in a store, too: no two have the same.
type entityName struct{ namespace, user, canonical string }

func nameOfEntity(e *graph.Entity) entityName { return entityName{e.Namespace, e.User, e.Canonical} }

// Mentioning answers the memories that mention the entity of a name, newest first, in
// any status but FORGOTTEN. The first of the owners who has such an entity counts; "" is
// nobody. Where more than most mention it, it answers none and how many there are.
func (x *Index) MemoriesMentioning(sc graph.Scope, namespace string, owners []string, canonical string, most int) (newest []*Doc, all int) {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil, 0
	}
	for _, owner := range owners {
		id, known := t.entities.entityNamed(entityName{namespace, owner, canonical})
		if !known {
			continue
		}
		return t.memoriesMentioning(namespace, id, most)
	}
	return nil, 0
}

func (t *tenant) memoriesMentioning(namespace string, entity graph.ID, most int) (newest []*Doc, all int) {
	for _, p := range t.partitions([]string{namespace}) {
		v := p.view.Load()
		_, items := v.postings.lookup(keyEntity, string(entity))
		if len(items) > most {
			return nil, len(items)
		}
		for _, it := range slices.Backward(items) { // for the most part they stand in order
			if int(it.slot) < v.n && v.doc(it.slot) != nil {
				newest = append(newest, v.doc(it.slot))
			}
		}
	}
	slices.SortFunc(newest, func(a, b *Doc) int { return compare(b.ID, a.ID) })
	return newest, len(newest)
}

// About answers at most limit memories of a namespace that carry the subject, as it is
// stored, and are ACTIVE as stored: those that were written last, the latest first.
func (x *Index) MemoriesBySubject(sc graph.Scope, namespace, subject string, limit int) []*Doc {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil
	}
	var out []*Doc
	for _, p := range t.partitions([]string{namespace}) {
		v := p.view.Load()
		_, items := v.postings.lookup(keySubject, subject)
		for _, it := range slices.Backward(items) {
			if len(out) == limit {
				break
			}
			if int(it.slot) >= v.n {
				continue
			}
			if d := v.doc(it.slot); d != nil && d.History[len(d.History)-1].Status == graph.Active {
				out = append(out, d)
			}
		}
	}
	return out
}

// Cosine is that of two vectors of unit length and one dimension.
func Cosine(a, b []float32) float64 { return float64(kernel.Dot(a, b)) }
