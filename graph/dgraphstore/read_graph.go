package dgraphstore

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

// Edge returns one edge, or ErrNotFound.
func (r *reader) Edge(from graph.ID, kind graph.EdgeKind, to graph.ID) (*graph.Edge, error) {
	key := edgeKey(r.ks, from, kind, to)
	if err := r.pointRead(onEdge, key); err != nil {
		return nil, err
	}
	text, _, err := r.readRecord(edges, key)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, graph.ErrNotFound
	}
	e, err := decodeEdge(key, text)
	return &e, err
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
	for _, storedRow := range rows {
		e, err := decodeEdge(storedRow.Key, storedRow.Record)
		if err != nil {
			return nil, err
		}
		if len(kinds) == 0 || slices.Contains(kinds, e.Kind) {
			found = append(found, e)
		}
	}
	other := func(e graph.Edge) (graph.ID, int) {
		if e.From == id {
			return e.To, 0
		}
		return e.From, 1
	}
	slices.SortFunc(found, func(a, b graph.Edge) int {
		ao, ain := other(a)
		bo, bin := other(b)
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(ao, bo), ain-bin)
	})
	return found, nil
}

// edgesOf returns the rows of a memory's edges, each once.
func (r *reader) edgesOf(id graph.ID, dir graph.Direction) ([]row, error) {
	var stored []row
	near, told := r.prefetched.edges[r.ks.nodeKey(id)]
	for _, side := range edgePredicates(dir, "edge.from", "edge.to") {
		if told {
			stored = append(stored, map[string][]row{"edge.from": near.out, "edge.to": near.in}[side]...)
			continue
		}
		some, err := r.rowsByEdge(r.ctx, edges, side, r.ks.nodeKey(id))
		if err != nil {
			return nil, err
		}
		stored = append(stored, some...)
	}
	return r.visibleRows(edges, uniqueRows(stored), func(key, record string) (bool, error) {
		e, err := decodeEdge(key, record)
		return e.From == id && dir != graph.In || e.To == id && dir != graph.Out, err
	})
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

// uniqueRows keeps every row once.
func uniqueRows(rows []row) []row {
	seen := map[string]bool{}
	return slices.DeleteFunc(rows, func(r row) bool {
		had := seen[r.Key]
		seen[r.Key] = true
		return had
	})
}

// Entity returns an entity, or ErrNotFound.
func (r *reader) Entity(id graph.ID) (*graph.Entity, error) {
	if err := r.pointRead(onEntity, string(id)); err != nil {
		return nil, err
	}
	if !id.Valid() {
		return nil, graph.ErrNotFound
	}
	key := r.ks.nodeKey(id)
	text, _, err := r.readRecord(entities, key)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, graph.ErrNotFound
	}
	return decodeEntity(r.ks, key, text)
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
	rows, err := r.visibleRows(entities, stored, func(key, record string) (bool, error) {
		e, err := decodeEntity(r.ks, key, record)
		return err == nil && r.ks.hashedKey("entity", e.Namespace, e.User, e.Canonical) == name, err
	})
	switch {
	case err != nil:
		return nil, err
	case len(rows) == 0:
		return nil, graph.ErrNotFound
	case len(rows) > 1:
		return nil, integrityError(name, "two entities have the name")
	}
	return decodeEntity(r.ks, rows[0].Key, rows[0].Record)
}

// ListEntities returns the entities that match the query, by ascending id after q.After.
func (r *reader) ListEntities(q graph.EntityQuery) ([]*graph.Entity, error) {
	if err := r.scanRead(); err != nil {
		return nil, err
	}
	if q.After != "" && !q.After.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	head, err := r.tenantHead()
	if err != nil {
		return nil, err
	}
	scan := keyRange{predicate: "entity.key", keyspace: r.ks, count: head.Entities, oldest: head.Oldest, newest: head.Newest}
	for _, ns := range q.Namespaces {
		scan.filter = "entity.by"
		if n := r.ks.hashedKey(byNamespace, ns); !slices.Contains(scan.values, n) {
			scan.values = append(scan.values, n)
		}
	}
	belongs := func(key, record string) (bool, error) {
		e, err := decodeEntity(r.ks, key, record)
		return err == nil && q.Matches(e) && e.ID > q.After, err
	}
	limit := graph.PageSize(q.Limit) + r.editedRows(entities)
	var stored []row
	err = r.loadRange(scan, entities, q.After, false, limit, func(some row) (bool, error) {
		ok, err := belongs(some.Key, some.Record)
		if ok {
			stored = append(stored, some)
		}
		return len(stored) < limit, err
	})
	if err != nil {
		return nil, err
	}
	rows, err := r.visibleRows(entities, stored, belongs)
	if err != nil {
		return nil, err
	}
	sortRows(rows, false)
	var out []*graph.Entity
	for _, storedRow := range rows[:min(len(rows), graph.PageSize(q.Limit))] {
		e, err := decodeEntity(r.ks, storedRow.Key, storedRow.Record)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// loadRange calls take with the stored rows of a range, in order, until it returns false.
func (r *reader) loadRange(scan keyRange, kind *rowKind, after graph.ID, descending bool, want int, take func(row) (bool, error)) error {
	if scan.count == 0 {
		return nil
	}
	return r.rangeScan(scan, after, descending, want, func(ids []graph.ID) (bool, error) {
		for some := range slices.Chunk(ids, queryChunk) {
			keys := make([]string, len(some))
			for i, id := range some {
				keys[i] = scan.keyspace.nodeKey(id)
			}
			rows, err := r.fetchRows(r.ctx, kind, keys)
			if err != nil {
				return false, err
			}
			for _, key := range keys {
				if more, err := take(rows[key]); err != nil || !more {
					return false, err
				}
			}
		}
		return true, nil
	})
}

// sortRows orders rows by key, which for those of one keyspace is the order of ids.
func sortRows(rows []row, descending bool) {
	slices.SortFunc(rows, func(a, b row) int {
		if descending {
			a, b = b, a
		}
		return strings.Compare(a.Key, b.Key)
	})
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
	want := limit + r.editedRows(memories)
	stored, err := r.mentioningIDs(entity, after, want)
	if err != nil {
		return nil, err
	}
	rows := make([]row, len(stored))
	for i, id := range stored {
		rows[i] = row{Key: r.ks.nodeKey(id)}
	}
	if r.writes != nil {
		rows = slices.DeleteFunc(rows, func(storedRow row) bool { _, ok := r.writes.edits[rowID{memories, storedRow.Key}]; return ok })
		mine, err := r.visibleRows(memories, nil, func(key, record string) (bool, error) {
			id, err := r.ks.parseID(key)
			if err != nil {
				return false, err
			}
			m, err := decodeMemory(sealKey("memory", key), id, record)
			return err == nil && id > after && slices.Contains(m.Entities, entity), err
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, mine...)
	}
	sortRows(rows, false)
	ids := make([]graph.ID, 0, len(rows))
	for _, storedRow := range rows[:min(len(rows), limit)] {
		id, err := r.ks.parseID(storedRow.Key)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// mentioningIDs returns the ids of stored memories that mention an entity, ascending.
func (r *reader) mentioningIDs(entity, after graph.ID, want int) (ids []graph.ID, err error) {
	var answer struct {
		Q []struct {
			UID  string
			Rows []struct{ Key string }
		}
	}
	if err := r.runQuery(r.ctx, mentionsQuery, map[string]string{"$k": r.ks.nodeKey(entity), "$n": strconv.Itoa(r.store.shortList + 1)}, &answer); err != nil || len(answer.Q) == 0 {
		return nil, err
	}
	if len(answer.Q[0].Rows) <= r.store.shortList {
		for _, s := range answer.Q[0].Rows {
			id, err := r.ks.parseID(s.Key)
			if err != nil {
				return nil, err
			}
			if id > after {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		return ids[:min(len(ids), want)], nil
	}
	head, err := r.tenantHead()
	if err != nil {
		return nil, err
	}
	scan := keyRange{
		predicate: "memory.key", keyspace: r.ks, filter: mentionsPredicate, values: []string{answer.Q[0].UID},
		count: head.Memories, oldest: head.Oldest, newest: head.Newest,
	}
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
		if stored, err = r.rowsByIndex(r.ctx, relations, "relation.triple", triple); err != nil {
			return nil, err
		}
		if r.writes != nil { // a transaction that reads it is about to write it, which reads it again
			if r.prefetched.triples == nil {
				r.prefetched.triples = map[string][]row{}
			}
			r.prefetched.triples[triple] = stored
		}
	}
	rows, err := r.visibleRows(relations, stored, func(key, record string) (bool, error) {
		rel, err := decodeRelation(r.ks, key, record)
		return err == nil && tripleKey(r.ks, rel.Source, rel.Predicate, rel.Target) == triple, err
	})
	switch {
	case err != nil:
		return nil, err
	case len(rows) == 0:
		return nil, graph.ErrNotFound
	case len(rows) > 1:
		return nil, integrityError(triple, "two relations have the triple")
	}
	return decodeRelation(r.ks, rows[0].Key, rows[0].Record)
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
		if n, told := r.prefetched.degrees[key]; told {
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
	if err := r.pointRead(onRelation, string(id)); err != nil {
		return nil, err
	}
	if !id.Valid() {
		return nil, graph.ErrNotFound
	}
	key := r.ks.nodeKey(id)
	text, _, err := r.readRecord(relations, key)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, graph.ErrNotFound
	}
	return decodeRelation(r.ks, key, text)
}

// Relations returns relations of an entity, ordered by id, after the id.
func (r *reader) Relations(entity graph.ID, dir graph.Direction, after graph.ID, limit int) ([]*graph.Relation, error) {
	if err := r.scanRead(); err != nil {
		return nil, err
	}
	if !entity.Valid() {
		return nil, nil
	}
	var stored []row
	for _, side := range edgePredicates(dir, "relation.source", "relation.target") {
		some, err := r.rowsByEdge(r.ctx, relations, side, r.ks.nodeKey(entity))
		if err != nil {
			return nil, err
		}
		stored = append(stored, some...)
	}
	return r.visibleRelations(uniqueRows(stored), after, graph.PageSize(limit), func(rel *graph.Relation) bool {
		return rel.Source == entity && dir != graph.In || rel.Target == entity && dir != graph.Out
	})
}

// visibleRelations returns the stored relations that are visible, and those that the
// transaction wrote and that belong to them.
func (r *reader) visibleRelations(stored []row, after graph.ID, limit int, belongs func(*graph.Relation) bool) ([]*graph.Relation, error) {
	rows, err := r.visibleRows(relations, stored, func(key, record string) (bool, error) {
		rel, err := decodeRelation(r.ks, key, record)
		return err == nil && belongs(rel), err
	})
	if err != nil {
		return nil, err
	}
	sortRows(rows, false)
	var out []*graph.Relation
	for _, storedRow := range rows {
		rel, err := decodeRelation(r.ks, storedRow.Key, storedRow.Record)
		if err != nil {
			return nil, err
		}
		if rel.ID > after && len(out) < limit {
			out = append(out, rel)
		}
	}
	return out, nil
}

// relationsStatedBy returns the relations that a memory states.
func (r *reader) relationsStatedBy(memory graph.ID) ([]*graph.Relation, error) {
	stored, err := r.rowsByEdge(r.ctx, relations, "relation.says", r.ks.nodeKey(memory))
	if err != nil {
		return nil, err
	}
	return r.visibleRelations(stored, "", maxTxRows, func(rel *graph.Relation) bool { return slices.Contains(rel.Memories, memory) })
}

// exists turns ErrNotFound into false.
func exists(err error) (bool, error) {
	if errors.Is(err, graph.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
