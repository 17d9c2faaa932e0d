package dgraphstore

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

// prefetchedRows is what a reader was told to expect and has read.
type prefetchedRows struct {
	rows     map[rowID]row    // of a View; a transaction keeps them in writes.seen
	names    map[string][]row // entities by name
	subjects map[string][]row // ACTIVE memories by the key of their subject
	edges    map[string]nodeEdges
	vectors  map[graph.ID][]float32 // nil: there is none
	triples  map[string][]row       // relations, in a transaction
	degrees  map[string]int         // number of relations of an entity, by key
}

func newPrefetched() prefetchedRows {
	return prefetchedRows{
		rows: map[rowID]row{}, names: map[string][]row{}, subjects: map[string][]row{}, edges: map[string]nodeEdges{},
		vectors: map[graph.ID][]float32{}, triples: map[string][]row{}, degrees: map[string]int{},
	}
}

// nodeEdges are the edges of a node.
type nodeEdges struct{ out, in []row }

// prefetchList is a list of keys or values of a predicate to read at once.
type prefetchList struct {
	block, predicate, fields string
	values                   []string
	keep                     func(values []string, result json.RawMessage) error
}

// activeBySubjectQuery reads the ACTIVE memories of subjects. It reads the status of each
// memory: the index of the status lists nearly all memories, and each commit changes it.
const activeBySubjectQuery = ` var(func: eq(memory.by, %s)) { status as memory.status } subjects(func: uid(status)) @filter(eq(val(status), "ACTIVE")) { %s }`

// Expect reads at once what the caller is about to read.
func (r *reader) Expect(x graph.Expected) error {
	if err := r.checkUsable(); err != nil {
		return err
	}
	keys := func(kind *rowKind, names []string) (keys []string) {
		for _, n := range names {
			keys = append(keys, r.ks.hashedKey(kind.name, n))
		}
		return r.unknownKeys(kind, keys)
	}
	var names, subjects []string
	for _, n := range x.Names {
		names = append(names, r.ks.hashedKey("entity", n.Namespace, n.User, n.Canonical))
	}
	places := func(ids []graph.ID) []string {
		return r.ks.nodeKeys(slices.DeleteFunc(slices.Clone(ids), func(id graph.ID) bool { return !id.Valid() }))
	}
	for _, about := range x.Subjects {
		subjects = append(subjects, r.ks.hashedKey(bySubject, about))
	}
	edge := "{ " + edges.fields + " }"
	lists := []prefetchList{
		{"requests", requests.key, requests.fields, keys(requests, x.Requests), keeper(r.rowKeeper(requests))},
		{"settings", settings.key, settings.fields, keys(settings, x.Settings), keeper(r.rowKeeper(settings))},
		{"memories", memories.key, memories.fields, r.unknownKeys(memories, places(x.Memories)), keeper(r.rowKeeper(memories))},
		{"vectors", memories.key, vectorFields, places(x.Vectors), keeper(r.keepVectors)},
		{"entities", entities.key, entities.fields, r.unknownKeys(entities, places(x.Entities)), keeper(r.rowKeeper(entities))},
		{"relations", relations.key, relations.fields, r.unknownKeys(relations, places(x.Relations)), keeper(r.rowKeeper(relations))},
		{"names", "entity.name", entities.fields + degreeFields, names, keeper(r.keepNames)},
		{"subjects", "memory.by", memories.fields + " out: ~edge.from " + edge + " in: ~edge.to " + edge, subjects, keeper(r.keepSubjects)},
	}
	for {
		var some []prefetchList
		for i, w := range lists {
			if n := min(len(w.values), queryChunk); n > 0 {
				lists[i].values = w.values[n:]
				w.values = w.values[:n]
				some = append(some, w)
			}
		}
		if len(some) == 0 {
			return nil
		}
		if err := r.prefetch(some); err != nil {
			return err
		}
	}
}

// unknownKeys are the keys of rows that were not read yet, each once.
func (r *reader) unknownKeys(kind *rowKind, keys []string) []string {
	slices.Sort(keys)
	return slices.DeleteFunc(slices.Compact(keys), func(key string) bool {
		_, seen := r.knownRow(kind, key)
		return seen
	})
}

// knownRow returns a row that was read before.
func (r *reader) knownRow(kind *rowKind, key string) (row, bool) {
	if r.writes != nil {
		return r.writes.knownRow(r.ks, kind, key)
	}
	storedRow, ok := r.prefetched.rows[rowID{kind, key}]
	return storedRow, ok
}

// keepRow keeps a row that was read.
func (r *reader) keepRow(kind *rowKind, key string, storedRow row) {
	if r.writes != nil {
		r.writes.keepSeen(kind, key, storedRow)
		return
	}
	r.prefetched.rows[rowID{kind, key}] = storedRow
}

// memoryWithEdges is an ACTIVE memory of a subject with its edges.
type memoryWithEdges struct {
	row
	Out, In []row
}

// prefetch reads lists of keys in one query.
func (r *reader) prefetch(some []prefetchList) error {
	vars := map[string]string{}
	var text string
	var declared []string
	for _, w := range some {
		d, named := variables(w.block, w.values, vars)
		declared = append(declared, d)
		if w.predicate == "memory.by" {
			text += fmt.Sprintf(activeBySubjectQuery, named, w.fields)
		} else {
			text += " " + w.block + "(func: eq(" + w.predicate + ", " + named + ")) { " + w.fields + " }"
		}
	}
	var answer map[string]json.RawMessage
	if err := r.runQuery(r.ctx, "query q("+strings.Join(declared, ", ")+") {"+text+" }", vars, &answer); err != nil {
		return err
	}
	for _, w := range some {
		if err := w.keep(w.values, answer[w.block]); err != nil {
			return err
		}
	}
	return nil
}

// keeper makes the function that decodes the result of a list and keeps it.
func keeper[R any](keep func(values []string, rows []R) error) func(values []string, result json.RawMessage) error {
	return func(values []string, result json.RawMessage) error {
		var rows []R
		if len(result) > 0 {
			if err := json.Unmarshal(result, &rows); err != nil {
				return fmt.Errorf("dgraphstore: decode a response: %w", err)
			}
		}
		return keep(values, rows)
	}
}

// rowKeeper keeps the rows of keys; a key that was not found is known to be missing.
func (r *reader) rowKeeper(kind *rowKind) func(keys []string, rows []row) error {
	return func(keys []string, rows []row) error {
		if err := r.openRows(kind, rows); err != nil {
			return err
		}
		found := make(map[string]row, len(rows))
		for _, storedRow := range rows {
			if _, twice := found[storedRow.Key]; twice {
				return integrityError(sealKey(kind.name, storedRow.Key), "two nodes have the key")
			}
			found[storedRow.Key] = storedRow
		}
		for _, key := range keys {
			r.keepRow(kind, key, found[key])
		}
		return nil
	}
}

// keepVectors keeps the vectors of nodes.
func (r *reader) keepVectors(keys []string, rows []vectorRow) error {
	for _, key := range keys {
		id, err := r.ks.parseID(key)
		if err != nil {
			return err
		}
		r.prefetched.vectors[id] = nil
	}
	return r.decodeVectors(rows, r.prefetched.vectors)
}

// entityWithDegree is an entity that was read by its name.
type entityWithDegree struct {
	row
	degree
}

// keepNames keeps the entities that have names, and how many relations each has.
func (r *reader) keepNames(names []string, rows []entityWithDegree) error {
	for _, name := range names {
		r.prefetched.names[name] = nil // no entity has it, except for those below
	}
	for i := range rows {
		if rows[i].Record == "" {
			continue
		}
		if err := r.openRow(entities, &rows[i].row); err != nil {
			return err
		}
		s := rows[i]
		e, err := decodeEntity(r.ks, s.Key, s.Record)
		if err != nil {
			return err
		}
		name := entityName(r.ks, e)
		r.prefetched.names[name] = append(r.prefetched.names[name], s.row)
		r.prefetched.degrees[s.Key] = s.Out + s.In
	}
	return nil
}

// keepSubjects keeps the ACTIVE memories of subjects, with the edges of each.
func (r *reader) keepSubjects(subjects []string, found []memoryWithEdges) error {
	for _, about := range subjects {
		r.prefetched.subjects[about] = nil
	}
	for i := range found {
		if err := r.openRow(memories, &found[i].row); err != nil {
			return err
		}
		b := found[i]
		m, err := decodeMemory(r.ks, b.Key, b.Record)
		if err != nil {
			return err
		}
		about := r.ks.hashedKey(bySubject, m.Subject)
		r.prefetched.subjects[about] = append(r.prefetched.subjects[about], b.row)
		r.prefetched.edges[b.Key] = nodeEdges{b.Out, b.In}
		r.keepRow(memories, b.Key, b.row)
	}
	return nil
}

// entitiesByName reads the entities that have a name.
func (r *reader) entitiesByName(name string) ([]row, error) {
	if stored, ok := r.prefetched.names[name]; ok {
		return stored, nil
	}
	return r.rowsByIndex(entities, "entity.name", name)
}
