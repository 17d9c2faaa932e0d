package dgraphstore

import (
	"slices"
	"strconv"

	"github.com/somnograph/somnograph/graph"
)

// Edge returns one edge, or ErrNotFound.
func (r *reader) Edge(from graph.ID, kind graph.EdgeKind, to graph.ID) (*graph.Edge, error) {
	key := edgeKey(r.ks, from, kind, to)
	if err := r.pointRead(onEdge, key); err != nil {
		return nil, err
	}
	return readValue(r, edges, key, decodeEdge)
}

// Edges returns the edges of a memory, ordered by kind and the other end's id (of two equal
// ones, the outgoing first); no kinds means all.
func (r *reader) Edges(id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]graph.Edge, error) {
	if err := r.scanRead(); err != nil {
		return nil, err
	}
	if !id.Valid() {
		return nil, nil
	}
	rows, err := r.edgesOf(id, dir)
	if err != nil {
		return nil, err
	}
	var found []graph.Edge
	for _, e := range rows {
		if len(kinds) == 0 || slices.Contains(kinds, e.value.Kind) {
			found = append(found, *e.value)
		}
	}
	graph.SortEdges(id, found)
	return found, nil
}

// edgesOf returns a memory's edges, each once.
func (r *reader) edgesOf(id graph.ID, dir graph.Direction) ([]visibleRow[*graph.Edge], error) {
	belongs := func(e *graph.Edge) bool { return e.From == id && dir != graph.In || e.To == id && dir != graph.Out }
	prefetched, known := r.prefetched.edges[r.ks.nodeKey(id)]
	if !known {
		return rowsLeadingTo(r, edges, decodeEdge, edgePredicates(dir, "edge.from", "edge.to"), id, belongs)
	}
	var stored []row
	if dir != graph.In {
		stored = append(stored, prefetched.out...)
	}
	if dir != graph.Out {
		stored = append(stored, prefetched.in...)
	}
	return visibleRows(r, edges, decodeEdge, uniqueRows(stored), belongs)
}

// edgePredicates are the predicates that lead to a node in a direction.
func edgePredicates(dir graph.Direction, out, in string) []string {
	switch dir {
	case graph.Out:
		return []string{out}
	case graph.In:
		return []string{in}
	}
	return []string{out, in}
}

// Entity returns an entity, or ErrNotFound.
func (r *reader) Entity(id graph.ID) (*graph.Entity, error) {
	key, err := r.nodeRead(onEntity, id)
	if err != nil {
		return nil, err
	}
	return readValue(r, entities, key, decodeEntity)
}

// EntityByName finds an entity by its unique (namespace, user, canonical), or returns ErrNotFound.
func (r *reader) EntityByName(namespace, user, canonical string) (*graph.Entity, error) {
	name := r.ks.hashedKey("entity", namespace, user, canonical)
	if err := r.pointRead(onName, name); err != nil {
		return nil, err
	}
	stored, err := r.entitiesByName(name)
	if err != nil {
		return nil, err
	}
	rows, err := visibleRows(r, entities, decodeEntity, stored, func(e *graph.Entity) bool { return entityName(r.ks, e) == name })
	return onlyValue(name, rows, err)
}

// ListEntities returns the entities that match the query, by ascending id after q.After.
func (r *reader) ListEntities(q graph.EntityQuery) ([]*graph.Entity, error) {
	if err := r.scanRead(); err != nil {
		return nil, err
	}
	if err := graph.ValidateAfter(q.After); err != nil {
		return nil, err
	}
	head, err := r.tenantHead()
	if err != nil {
		return nil, err
	}
	scan := head.keyRange("entity.key", r.ks, head.Entities)
	for _, ns := range q.Namespaces {
		scan.filter = "entity.by"
		if n := r.ks.hashedKey(byNamespace, ns); !slices.Contains(scan.values, n) {
			scan.values = append(scan.values, n)
		}
	}
	belongs := func(e *graph.Entity) bool { return q.Matches(e) && e.ID > q.After }
	limit := graph.PageSize(q.Limit) + r.editedRows(entities)
	var stored []row
	err = r.loadRange(scan, entities, q.After, false, limit, func(some row) (bool, error) {
		e, err := decodeEntity(r.ks, some.Key, some.Record)
		if err == nil && belongs(e) {
			stored = append(stored, some)
		}
		return len(stored) < limit, err
	})
	if err != nil {
		return nil, err
	}
	rows, err := visibleRows(r, entities, decodeEntity, stored, belongs)
	return valuesByKey(rows, false, graph.PageSize(q.Limit)), err
}

// loadRange calls take with the stored rows of a range, in order, until it returns false.
func (r *reader) loadRange(scan keyRange, kind *rowKind, after graph.ID, descending bool, want int, take func(row) (bool, error)) error {
	if scan.count == 0 {
		return nil
	}
	return r.rangeScan(scan, after, descending, want, func(ids []graph.ID) (bool, error) {
		for some := range slices.Chunk(ids, queryChunk) {
			rows, err := r.rowsOf(kind, scan.keyspace, some)
			if err != nil {
				return false, err
			}
			for _, storedRow := range rows {
				if more, err := take(storedRow); err != nil || !more {
					return false, err
				}
			}
		}
		return true, nil
	})
}

// rowsOf reads the stored rows of ids, in their order.
func (r *reader) rowsOf(kind *rowKind, ks keyspace, ids []graph.ID) ([]row, error) {
	keys := ks.nodeKeys(ids)
	found, err := r.fetchRows(kind, keys)
	rows := make([]row, len(keys))
	for i, key := range keys {
		rows[i] = found[key]
	}
	return rows, err
}

// mentionsPredicate leads from a memory to the entities that it mentions.
const mentionsPredicate = "memory.mentions"

const mentionsQuery = `query q($k: string, $n: int) { q(func: eq(node.key, $k)) { uid rows: ~memory.mentions (first: $n) { key: memory.key } } }`

// Mentions returns the ids of the memories that mention the entity, ascending, after the id.
func (r *reader) Mentions(entity, after graph.ID, limit int) ([]graph.ID, error) {
	if err := r.scanRead(); err != nil {
		return nil, err
	}
	if !entity.Valid() {
		return nil, nil
	}
	limit = graph.PageSize(limit)
	ids, err := r.mentioningIDs(entity, after, limit+r.editedRows(memories))
	if err != nil {
		return nil, err
	}
	if r.writes != nil {
		ids = slices.DeleteFunc(ids, func(id graph.ID) bool { _, ok := r.writes.edits[rowID{memories, r.ks.nodeKey(id)}]; return ok })
		mine, err := visibleRows(r, memories, decodeMemory, nil, func(m *graph.Memory) bool {
			return m.ID > after && slices.Contains(m.Entities, entity)
		})
		if err != nil {
			return nil, err
		}
		for _, m := range mine {
			ids = append(ids, m.value.ID)
		}
		slices.Sort(ids)
	}
	return ids[:min(len(ids), limit)], nil
}

// mentioningIDs returns the ids of stored memories that mention an entity, ascending.
func (r *reader) mentioningIDs(entity, after graph.ID, want int) (ids []graph.ID, err error) {
	var answer struct {
		Q []struct {
			UID  string
			Rows []foundKey
		}
	}
	if err := r.runQuery(r.ctx, mentionsQuery, map[string]string{"$k": r.ks.nodeKey(entity), "$n": strconv.Itoa(r.store.shortList + 1)}, &answer); err != nil || len(answer.Q) == 0 {
		return nil, err
	}
	if len(answer.Q[0].Rows) <= r.store.shortList {
		ids, err := r.ks.parseIDs(answer.Q[0].Rows)
		ids = slices.DeleteFunc(ids, func(id graph.ID) bool { return id <= after })
		slices.Sort(ids)
		return ids[:min(len(ids), want)], err
	}
	head, err := r.tenantHead()
	if err != nil {
		return nil, err
	}
	scan := head.keyRange("memory.key", r.ks, head.Memories)
	scan.filter, scan.values = mentionsPredicate, []string{answer.Q[0].UID}
	err = r.rangeScan(scan, after, false, want, func(some []graph.ID) (bool, error) {
		ids = append(ids, some[:min(len(some), want-len(ids))]...)
		return len(ids) < want, nil
	})
	return ids, err
}

// Relation finds a relation by its unique triple, or returns ErrNotFound.
func (r *reader) Relation(source graph.ID, predicate string, target graph.ID) (*graph.Relation, error) {
	triple := tripleKey(r.ks, source, predicate, target)
	if err := r.pointRead(onTriple, triple); err != nil {
		return nil, err
	}
	stored, known := r.prefetched.triples[triple]
	if !known && !r.knownAbsent(source) && !r.knownAbsent(target) {
		var err error
		if stored, err = r.rowsByIndex(relations, "relation.triple", triple); err != nil {
			return nil, err
		}
		if r.writes != nil { // a transaction that reads it is about to write it, which reads it again
			r.prefetched.triples[triple] = stored
		}
	}
	rows, err := visibleRows(r, relations, decodeRelation, stored, func(rel *graph.Relation) bool {
		return tripleKey(r.ks, rel.Source, rel.Predicate, rel.Target) == triple
	})
	return onlyValue(triple, rows, err)
}

// knownAbsent reports whether a transaction knows that no node has the id, so that nothing
// can be attached to it.
func (r *reader) knownAbsent(id graph.ID) bool {
	if r.writes == nil || !id.Valid() {
		return false
	}
	storedRow, known := r.writes.knownRow(r.ks, entities, r.ks.nodeKey(id))
	return known && storedRow.UID == ""
}

// degree is the number of relations of an entity.
type degree struct{ Out, In int }

const degreeFields = " out: count(~relation.source) in: count(~relation.target)"

// MostRelations returns a number that none of the entities has more relations than.
func (r *reader) MostRelations(of ...graph.ID) (int, error) {
	if err := r.scanRead(); err != nil {
		return 0, err
	}
	var keys []string
	most := 0
	for _, id := range of {
		key := r.ks.nodeKey(id)
		if n, known := r.prefetched.degrees[key]; known {
			most = max(most, n)
			continue
		}
		if storedRow, seen := r.knownRow(entities, key); id.Valid() && (!seen || storedRow.UID != "") {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		vars := map[string]string{}
		declared, named := variables("k", keys, vars)
		var answer struct{ Q []degree }
		text := "query q(" + declared + ") { q(func: eq(node.key, " + named + ")) {" + degreeFields + " } }"
		if err := r.runQuery(r.ctx, text, vars, &answer); err != nil {
			return 0, err
		}
		for _, q := range answer.Q {
			most = max(most, q.Out+q.In)
		}
	}
	return most + r.editedRows(relations), nil
}

// RelationByID finds a relation by its id, or returns ErrNotFound.
func (r *reader) RelationByID(id graph.ID) (*graph.Relation, error) {
	key, err := r.nodeRead(onRelation, id)
	if err != nil {
		return nil, err
	}
	return readValue(r, relations, key, decodeRelation)
}

// Relations returns relations of an entity, ordered by id, after the id.
func (r *reader) Relations(entity graph.ID, dir graph.Direction, after graph.ID, limit int) ([]*graph.Relation, error) {
	if err := r.scanRead(); err != nil {
		return nil, err
	}
	if !entity.Valid() {
		return nil, nil
	}
	rows, err := rowsLeadingTo(r, relations, decodeRelation, edgePredicates(dir, "relation.source", "relation.target"), entity, func(rel *graph.Relation) bool {
		return rel.Source == entity && dir != graph.In || rel.Target == entity && dir != graph.Out
	})
	rows = slices.DeleteFunc(rows, func(r visibleRow[*graph.Relation]) bool { return r.value.ID <= after })
	return valuesByKey(rows, false, graph.PageSize(limit)), err
}
