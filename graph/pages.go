package graph

import "iter"

// AllMemories yields the memories that a query selects, from q.After on. It reads them page
// by page; q.Limit has no effect.
func AllMemories(r Reader, q MemoryQuery) iter.Seq2[*Memory, error] {
	return pages(q.After, func(m *Memory) ID { return m.ID }, func(after ID) ([]*Memory, error) {
		q.After, q.Limit = after, MaxPage
		return r.ListMemories(q)
	})
}

// AllEntities yields the entities of the tenant, by ascending id.
func AllEntities(r Reader) iter.Seq2[*Entity, error] {
	return pages("", func(x *Entity) ID { return x.ID }, func(after ID) ([]*Entity, error) {
		return r.ListEntities(EntityQuery{After: after, Limit: MaxPage})
	})
}

// AllRelations yields the relations whose source is the entity, by ascending id.
func AllRelations(r Reader, entity ID) iter.Seq2[*Relation, error] {
	return pages("", func(x *Relation) ID { return x.ID }, func(after ID) ([]*Relation, error) {
		return r.Relations(entity, Out, after, MaxPage)
	})
}

// AllNotes yields the notes of a kind after the id after.
func AllNotes(r Reader, kind NoteKind, after ID, descending bool) iter.Seq2[*Note, error] {
	return pages(after, func(n *Note) ID { return n.ID }, func(after ID) ([]*Note, error) {
		return r.Notes(kind, after, descending, MaxPage)
	})
}

// NotesBesideDamaged is AllNotes with pages of limit notes. In the place of a note that is damaged or was altered it
// yields an error for which DamagedNote has an id, and goes on with the next note; other errors end it.
func NotesBesideDamaged(r Reader, kind NoteKind, after ID, descending bool, limit int) iter.Seq2[*Note, error] {
	return func(yield func(*Note, error) bool) {
		for single := 0; ; single = max(single-1, 0) {
			limit := limit
			if single > 0 {
				limit = 1
			}
			page, err := r.Notes(kind, after, descending, limit)
			if id := DamagedNote(err); id != "" {
				if limit > 1 { // it may follow notes of the page: read these one by one
					single = limit + 1
					continue
				}
				if after = id; !yield(nil, err) {
					return
				}
				continue
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for _, n := range page {
				if after = n.ID; !yield(n, nil) {
					return
				}
			}
			if len(page) < limit {
				return
			}
		}
	}
}

// pages yields the items of a list that is read in pages of MaxPage items. An error ends it.
func pages[T any](after ID, id func(T) ID, list func(after ID) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			page, err := list(after)
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, x := range page {
				if after = id(x); !yield(x, nil) {
					return
				}
			}
			if len(page) < MaxPage {
				return
			}
		}
	}
}

// MostRelations is the highest number of relations that one of the entities has, in either direction,
// at most [MaxPage]. It reads them.
func MostRelations(r Reader, entities ...ID) (int, error) {
	most := 0
	for _, entity := range entities {
		all, err := r.Relations(entity, Both, "", MaxPage)
		if err != nil {
			return 0, err
		}
		most = max(most, len(all))
	}
	return most, nil
}
