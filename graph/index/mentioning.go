package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/text"
)

// entityName identifies an entity in a store as well: no two entities have the same name.
type entityName struct{ namespace, user, canonical string }

func nameOfEntity(e *graph.Entity) entityName { return entityName{e.Namespace, e.User, e.Canonical} }

// MemoriesMentioning returns the memories that mention the entity of a name, newest first, in
// any status but FORGOTTEN. It uses the first of the owners that has such an entity; "" is an
// entity without a user. If more than most memories mention it, newest is nil and all is their
// number.
func (x *Index) MemoriesMentioning(sc graph.Scope, namespace string, owners []string, canonical string, most int) (newest []*Doc, all int) {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil, 0
	}
	for _, owner := range owners {
		id, known := t.entities.entityNamed(entityName{namespace, owner, canonical})
		if known {
			e := t.entities.entity(id)
			known = e != nil && t.entitiesOf(sc.Sight, nil, nil).sees(e)
		}
		if !known {
			continue
		}
		return t.memoriesMentioning(sc.Sight, namespace, id, most)
	}
	return nil, 0
}

func (t *tenant) memoriesMentioning(s graph.Sight, namespace string, entity graph.ID, most int) (newest []*Doc, all int) {
	for _, v := range t.views(s, []string{namespace}) {
		_, items := v.lookup(keyEntity, string(entity))
		if len(items) > most {
			return nil, len(items)
		}
		for _, it := range slices.Backward(items) { // slots mostly ascend with ids
			if int(it.slot) < v.n && v.doc(it.slot) != nil {
				newest = append(newest, v.doc(it.slot))
			}
		}
	}
	slices.SortFunc(newest, func(a, b *Doc) int { return cmp.Compare(b.ID, a.ID) })
	return newest, len(newest)
}

// MemoriesSaying returns the memories of namespaces (all if none is given) that have every word of a text, ascending, in any
// status but FORGOTTEN. Words are compared by their stems, in any order; a text without words has none.
func (x *Index) MemoriesSaying(sc graph.Scope, namespaces []string, words string) (ids []graph.ID) {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil
	}
	a := x.analysers.Get().(*text.Analyser)
	defer x.analysers.Put(a)
	terms := map[string]bool{}
	a.EachTerm(words, func(term string) { terms[strings.Clone(term)] = true })
	for _, v := range t.views(sc.Sight, namespaces) {
		has := map[uint32]int{}
		for term := range terms {
			_, items := v.lookup(keyTerm, term)
			for _, it := range items {
				has[it.slot]++
			}
		}
		for slot, n := range has {
			if n == len(terms) && int(slot) < v.n && v.doc(slot) != nil {
				ids = append(ids, v.doc(slot).ID)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// AnnotatedMemories returns the memories of namespaces (all if none is given) that have texts whose words are not indexed, ascending, in any
// status but FORGOTTEN.
func (x *Index) AnnotatedMemories(sc graph.Scope, namespaces []string) (ids []graph.ID) {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil
	}
	for _, v := range t.views(sc.Sight, namespaces) {
		for slot := range uint32(v.n) {
			if d := v.doc(slot); d != nil && d.Annotated {
				ids = append(ids, d.ID)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// MemoriesBySubject returns at most limit memories of a namespace that have the subject, as
// stored, and whose stored status is ACTIVE. It returns the last written ones, the latest first.
func (x *Index) MemoriesBySubject(sc graph.Scope, namespace, subject string, limit int) []*Doc {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil
	}
	var out []*Doc
	for _, v := range t.views(sc.Sight, []string{namespace}) {
		_, items := v.lookup(keySubject, subject)
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

// Cosine returns the cosine of two vectors of unit length and equal dimension.
func Cosine(a, b []float32) float64 { return float64(kernel.Dot(a, b)) }
