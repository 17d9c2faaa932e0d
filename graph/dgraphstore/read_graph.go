package dgraphstore

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

// Edge answers one edge, or ErrNotFound.
func (r *reader) Edge(from graph.ID, kind graph.EdgeKind, to graph.ID) (*graph.Edge, error) {
	key := edgeKey(r.ks, from, kind, to)
	if err := r.point(onEdge, key); err != nil {
		return nil, err
	}
	text, _, err := r.record(edges, key)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, graph.ErrNotFound
	}
	e, err := decodeEdge(key, text)
	return &e, err
}

// Edges answers the edges of a memory, ordered by kind and the other end's id (the
// outgoing one first where both are alike); no kinds means all.
func (r *reader) Edges(id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]graph.Edge, error) {
	if err := r.scan(); err != nil {
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
	for _, s := range rows {
		e, err := decodeEdge(s.Key, s.Record)
		if err != nil {
			return nil, err
		}
		if anyOf(kinds, e.Kind) {
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

// edgesOf answers the rows of a memory's edges, each once.
func (r *reader) edgesOf(id graph.ID, dir graph.Direction) ([]row, error) {
	var stored []row
	near, told := r.told.edges[r.ks.node(id)]
	for _, side := range sides(dir, "edge.from", "edge.to") {
		if told {
			stored = append(stored, map[string][]row{"edge.from": near.out, "edge.to": near.in}[side]...)
			continue
		}
		some, err := r.hanging(r.ctx, edges, side, r.ks.node(id))
		if err != nil {
			return nil, err
		}
		stored = append(stored, some...)
	}
	return r.present(edges, unique(stored), func(key, record string) (bool, error) {
		e, err := decodeEdge(key, record)
		return e.From == id && dir != graph.In || e.To == id && dir != graph.Out, err
	})
}

// sides are the predicates that lead to a node in a direction.
func sides(dir graph.Direction, out, in string) []string {
	switch dir {
	case graph.Out:
		return []string{out}
	case graph.In:
		return []string{in}
	}
	return []string{out, in}
}

// unique leaves every row once.
func unique(rows []row) []row {
	seen := map[string]bool{}
	return slices.DeleteFunc(rows, func(r row) bool {
		had := seen[r.Key]
		seen[r.Key] = true
		return had
	})
}

// Entity answers an entity, or ErrNotFound.
func (r *reader) Entity(id graph.ID) (*graph.Entity, error) {
	if err := r.point(onEntity, string(id)); err != nil {
		return nil, err
	}
	if !id.Valid() {
		return nil, graph.ErrNotFound
	}
	key := r.ks.node(id)
	text, _, err := r.record(entities, key)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, graph.ErrNotFound
	}
	return decodeEntity(r.ks, key, text)
}

// EntityByName answers by the unique (namespace, user, canonical), or ErrNotFound.
func (r *reader) EntityByName(namespace, user, canonical string) (*graph.Entity, error) {
	name := r.ks.name("entity", namespace, user, canonical)
	if err := r.point(onName, name); err != nil {
		return nil, err
	}
	stored, err := r.named(name)
	if err != nil {
		return nil, err
	}
	rows, err := r.present(entities, stored, func(key, record string) (bool, error) {
		e, err := decodeEntity(r.ks, key, record)
		return err == nil && r.ks.name("entity", e.Namespace, e.User, e.Canonical) == name, err
	})
	switch {
	case err != nil:
		return nil, err
	case len(rows) == 0:
		return nil, graph.ErrNotFound
	case len(rows) > 1:
		return nil, broken(name, "a name stands for two entities")
	}
	return decodeEntity(r.ks, rows[0].Key, rows[0].Record)
}

// ListEntities answers entities by ascending id behind after.
func (r *reader) ListEntities(q graph.EntityQuery) ([]*graph.Entity, error) {
	if err := r.scan(); err != nil {
		return nil, err
	}
	if q.After != "" && !q.After.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	h, err := r.where()
	if err != nil {
		return nil, err
	}
	s := stretch{predicate: "entity.key", ks: r.ks, count: h.Entities, oldest: h.Oldest, newest: h.Newest}
	for _, ns := range q.Namespaces {
		s.filter = "entity.by"
		if n := r.ks.name(byNamespace, ns); !slices.Contains(s.values, n) {
			s.values = append(s.values, n)
		}
	}
	belongs := func(key, record string) (bool, error) {
		e, err := decodeEntity(r.ks, key, record)
		return err == nil && matchesEntity(q, e) && e.ID > q.After, err
	}
	limit := page(q.Limit) + r.edited(entities)
	var stored []row
	err = r.loadAlong(s, entities, q.After, false, limit, func(some row) (bool, error) {
		ok, err := belongs(some.Key, some.Record)
		if ok {
			stored = append(stored, some)
		}
		return len(stored) < limit, err
	})
	if err != nil {
		return nil, err
	}
	rows, err := r.present(entities, stored, belongs)
	if err != nil {
		return nil, err
	}
	sortRows(rows, false)
	var out []*graph.Entity
	for _, s := range rows[:min(len(rows), page(q.Limit))] {
		e, err := decodeEntity(r.ks, s.Key, s.Record)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// loadAlong walks and calls take with stored rows, in order, until it answers false.
func (r *reader) loadAlong(s stretch, k *kind, after graph.ID, descending bool, want int, take func(row) (bool, error)) error {
	if s.count == 0 {
		return nil
	}
	return r.walk(s, after, descending, want, func(ids []graph.ID) (bool, error) {
		for some := range slices.Chunk(ids, chunk) {
			keys := make([]string, len(some))
			for i, id := range some {
				keys[i] = s.ks.node(id)
			}
			rows, err := r.fetch(r.ctx, k, keys)
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

// mentions leads from a memory to the entities that it mentions.
const mentions = "memory.mentions"

const mentionsQuery = `query q($k: string, $n: int) { q(func: eq(node.key, $k)) { uid rows: ~memory.mentions (first: $n) { key: memory.key } } }`

// Mentions answers the ids of memories that mention the entity, ascending, behind
// after.
func (r *reader) Mentions(entity, after graph.ID, limit int) ([]graph.ID, error) {
	if err := r.scan(); err != nil {
		return nil, err
	}
	if !entity.Valid() {
		return nil, nil
	}
	limit = page(limit)
	want := limit + r.edited(memories)
	stored, err := r.mentioning(entity, after, want)
	if err != nil {
		return nil, err
	}
	rows := make([]row, len(stored))
	for i, id := range stored {
		rows[i] = row{Key: r.ks.node(id)}
	}
	if r.w != nil {
		rows = slices.DeleteFunc(rows, func(s row) bool { _, ok := r.w.edits[rowID{memories, s.Key}]; return ok })
		mine, err := r.present(memories, nil, func(key, record string) (bool, error) {
			id, err := r.ks.id(key)
			if err != nil {
				return false, err
			}
			m, err := decodeMemory(sealed("memory", key), id, record)
			return err == nil && id > after && slices.Contains(m.Entities, entity), err
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, mine...)
	}
	sortRows(rows, false)
	ids := make([]graph.ID, 0, len(rows))
	for _, s := range rows[:min(len(rows), limit)] {
		id, err := r.ks.id(s.Key)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// mentioning answers the ids of stored memories that mention an entity, ascending.
func (r *reader) mentioning(entity, after graph.ID, want int) (ids []graph.ID, err error) {
	var answer struct {
		Q []struct {
			UID  string
			Rows []struct{ Key string }
		}
	}
	if err := r.ask(r.ctx, mentionsQuery, map[string]string{"$k": r.ks.node(entity), "$n": strconv.Itoa(r.store.short + 1)}, &answer); err != nil || len(answer.Q) == 0 {
		return nil, err
	}
	if len(answer.Q[0].Rows) <= r.store.short {
		for _, s := range answer.Q[0].Rows {
			id, err := r.ks.id(s.Key)
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
	h, err := r.where()
	if err != nil {
		return nil, err
	}
	s := stretch{
		predicate: "memory.key", ks: r.ks, filter: mentions, values: []string{answer.Q[0].UID},
		count: h.Memories, oldest: h.Oldest, newest: h.Newest,
	}
	err = r.walk(s, after, false, want, func(some []graph.ID) (bool, error) {
		ids = append(ids, some[:min(len(some), want-len(ids))]...)
		return len(ids) < want, nil
	})
	return ids, err
}

// Relation answers a relation by its unique triple, or ErrNotFound.
func (r *reader) Relation(source graph.ID, predicate string, target graph.ID) (*graph.Relation, error) {
	triple := tripleKey(r.ks, source, predicate, target)
	if err := r.point(onTriple, triple); err != nil {
		return nil, err
	}
	stored, known := r.told.triples[triple]
	if !known && !r.absent(source) && !r.absent(target) {
		var err error
		if stored, err = r.by(r.ctx, relations, "relation.triple", triple); err != nil {
			return nil, err
		}
		if r.w != nil { // who reads it is about to write it, which reads it
			if r.told.triples == nil {
				r.told.triples = map[string][]row{}
			}
			r.told.triples[triple] = stored
		}
	}
	rows, err := r.present(relations, stored, func(key, record string) (bool, error) {
		rel, err := decodeRelation(r.ks, key, record)
		return err == nil && tripleKey(r.ks, rel.Source, rel.Predicate, rel.Target) == triple, err
	})
	switch {
	case err != nil:
		return nil, err
	case len(rows) == 0:
		return nil, graph.ErrNotFound
	case len(rows) > 1:
		return nil, broken(triple, "a triple stands for two relations")
	}
	return decodeRelation(r.ks, rows[0].Key, rows[0].Record)
}

// absent reports whether a transaction knows that there is no node of an id, so that nothing
// can hang on it.
func (r *reader) absent(id graph.ID) bool {
	if r.w == nil || !id.Valid() {
		return false
	}
	s, known := r.w.known(r.ks, entities, r.ks.node(id))
	return known && s.UID == ""
}

// degree is how many relations an entity has.
type degree struct{ Out, In int }

const degreeFields = " out: count(~relation.source) in: count(~relation.target)"

// MostRelations answers a number that none of the entities has more relations than.
func (r *reader) MostRelations(of ...graph.ID) (int, error) {
	if err := r.scan(); err != nil {
		return 0, err
	}
	var keys []string
	most := 0
	for _, id := range of {
		key := r.ks.node(id)
		if n, told := r.told.degrees[key]; told {
			most = max(most, n)
			continue
		}
		if s, seen := r.known(entities, key); id.Valid() && (!seen || s.UID != "") {
			keys = append(keys, key)
		}
	}
	if len(keys) > 0 {
		vars := map[string]string{}
		declared, named := list("k", keys, vars)
		var answer struct{ Q []degree }
		text := "query q(" + declared + ") { q(func: eq(node.key, " + named + ")) {" + degreeFields + " } }"
		if err := r.ask(r.ctx, text, vars, &answer); err != nil {
			return 0, err
		}
		for _, q := range answer.Q {
			most = max(most, q.Out+q.In)
		}
	}
	return most + r.edited(relations), nil
}

// RelationByID answers a relation by its id, or ErrNotFound.
func (r *reader) RelationByID(id graph.ID) (*graph.Relation, error) {
	if err := r.point(onRelation, string(id)); err != nil {
		return nil, err
	}
	if !id.Valid() {
		return nil, graph.ErrNotFound
	}
	key := r.ks.node(id)
	text, _, err := r.record(relations, key)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, graph.ErrNotFound
	}
	return decodeRelation(r.ks, key, text)
}

// Relations answers relations of an entity, ordered by id, behind after.
func (r *reader) Relations(entity graph.ID, dir graph.Direction, after graph.ID, limit int) ([]*graph.Relation, error) {
	if err := r.scan(); err != nil {
		return nil, err
	}
	if !entity.Valid() {
		return nil, nil
	}
	var stored []row
	for _, side := range sides(dir, "relation.source", "relation.target") {
		some, err := r.hanging(r.ctx, relations, side, r.ks.node(entity))
		if err != nil {
			return nil, err
		}
		stored = append(stored, some...)
	}
	return r.relationsOf(unique(stored), after, page(limit), func(rel *graph.Relation) bool {
		return rel.Source == entity && dir != graph.In || rel.Target == entity && dir != graph.Out
	})
}

// relationsOf answers those of the stored relations that are present, and those that the
// transaction wrote and that belong to them.
func (r *reader) relationsOf(stored []row, after graph.ID, limit int, belongs func(*graph.Relation) bool) ([]*graph.Relation, error) {
	rows, err := r.present(relations, stored, func(key, record string) (bool, error) {
		rel, err := decodeRelation(r.ks, key, record)
		return err == nil && belongs(rel), err
	})
	if err != nil {
		return nil, err
	}
	sortRows(rows, false)
	var out []*graph.Relation
	for _, s := range rows {
		rel, err := decodeRelation(r.ks, s.Key, s.Record)
		if err != nil {
			return nil, err
		}
		if rel.ID > after && len(out) < limit {
			out = append(out, rel)
		}
	}
	return out, nil
}

// says answers the relations that a memory says.
func (r *reader) says(memory graph.ID) ([]*graph.Relation, error) {
	stored, err := r.hanging(r.ctx, relations, "relation.says", r.ks.node(memory))
	if err != nil {
		return nil, err
	}
	return r.relationsOf(stored, "", maxItems, func(rel *graph.Relation) bool { return slices.Contains(rel.Memories, memory) })
}

// found turns an absence into no error.
func found(err error) (bool, error) {
	if errors.Is(err, graph.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
