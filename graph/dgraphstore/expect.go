package dgraphstore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

// known is what a reader was told to expect, and has read.
type known struct {
	rows     map[rowID]row    // of a View; a transaction keeps them among what it has seen
	names    map[string][]row // entities by name
	subjects map[string][]row // ACTIVE memories by the key of their subject
	edges    map[string]around
	vectors  map[graph.ID][]float32 // nil: there is none
	triples  map[string][]row       // relations, in a transaction
	degrees  map[string]int         // how many relations the entities have, by key
}

// around are the edges of a node.
type around struct{ out, in []row }

// wanted is what is read at once: keys or values of a predicate.
type wanted struct {
	block, predicate, fields string
	values                   []string
}

// ofSubjects reads what is ACTIVE on subjects. The status is looked up of each: the index of
// the status lists nearly all memories there are, and is another one behind each commit.
const ofSubjects = ` var(func: eq(memory.by, %s)) { status as memory.status } subjects(func: uid(status)) @filter(eq(val(status), "ACTIVE")) { %s }`

// Expect reads at once what will be asked for.
func (r *reader) Expect(x graph.Expected) error {
	if err := r.alive(); err != nil {
		return err
	}
	keys := func(k *kind, names []string) (keys []string) {
		for _, n := range names {
			keys = append(keys, r.ks.name(k.name, n))
		}
		return r.unseen(k, keys)
	}
	var names, subjects []string
	for _, n := range x.Names {
		names = append(names, r.ks.name("entity", n.Namespace, n.User, n.Canonical))
	}
	places := func(ids []graph.ID) (keys []string) {
		for _, id := range ids {
			if id.Valid() {
				keys = append(keys, r.ks.node(id))
			}
		}
		return keys
	}
	for _, about := range x.Subjects {
		subjects = append(subjects, r.ks.name(bySubject, about))
	}
	edge := "{ " + edges.fields + " }"
	lists := []wanted{
		{"requests", requests.key, requests.fields, keys(requests, x.Requests)},
		{"settings", settings.key, settings.fields, keys(settings, x.Settings)},
		{"memories", memories.key, memories.fields, r.unseen(memories, places(x.Memories))},
		{"vectors", memories.key, "key: node.key vector: memory.embedding", places(x.Vectors)},
		{"entities", entities.key, entities.fields, r.unseen(entities, places(x.Entities))},
		{"relations", relations.key, relations.fields, r.unseen(relations, places(x.Relations))},
		{"names", "entity.name", entities.fields + degreeFields, names},
		{"subjects", "memory.by", memories.fields + " out: ~edge.from " + edge + " in: ~edge.to " + edge, subjects},
	}
	for {
		var some []wanted
		for i, w := range lists {
			if n := min(len(w.values), chunk); n > 0 {
				lists[i].values = w.values[n:]
				w.values = w.values[:n]
				some = append(some, w)
			}
		}
		if len(some) == 0 {
			return nil
		}
		if err := r.expect(some); err != nil {
			return err
		}
	}
}

// unseen are keys of rows that were not read yet, each once.
func (r *reader) unseen(k *kind, keys []string) []string {
	slices.Sort(keys)
	return slices.DeleteFunc(slices.Compact(keys), func(key string) bool {
		_, seen := r.known(k, key)
		return seen
	})
}

// known answers a row that is known without asking.
func (r *reader) known(k *kind, key string) (row, bool) {
	if r.w != nil {
		return r.w.known(r.ks, k, key)
	}
	s, ok := r.told.rows[rowID{k, key}]
	return s, ok
}

// tell keeps a row that was read.
func (r *reader) tell(k *kind, key string, s row) {
	if r.w != nil {
		r.w.saw(k, key, s)
		return
	}
	if r.told.rows == nil {
		r.told.rows = map[rowID]row{}
	}
	r.told.rows[rowID{k, key}] = s
}

// belief is an ACTIVE memory of a subject, as it is read with its edges.
type belief struct {
	row
	Out, In []row
}

// expect reads some of what is expected in one query.
func (r *reader) expect(some []wanted) error {
	vars := map[string]string{}
	var text string
	var declared []string
	for _, w := range some {
		d, named := list(w.block, w.values, vars)
		declared = append(declared, d)
		if w.predicate == "memory.by" {
			text += fmt.Sprintf(ofSubjects, named, w.fields)
		} else {
			text += " " + w.block + "(func: eq(" + w.predicate + ", " + named + ")) { " + w.fields + " }"
		}
	}
	var answer struct {
		Requests, Settings, Memories, Entities, Relations []row
		Names                                             []named
		Vectors                                           []vectorRow
		Subjects                                          []belief
	}
	if err := r.ask(r.ctx, "query q("+strings.Join(declared, ", ")+") {"+text+" }", vars, &answer); err != nil {
		return err
	}
	for _, w := range some {
		var err error
		switch w.block {
		case "requests":
			err = r.tellAll(requests, w.values, answer.Requests)
		case "settings":
			err = r.tellAll(settings, w.values, answer.Settings)
		case "memories":
			err = r.tellAll(memories, w.values, answer.Memories)
		case "entities":
			err = r.tellAll(entities, w.values, answer.Entities)
		case "relations":
			err = r.tellAll(relations, w.values, answer.Relations)
		case "vectors":
			err = r.tellVectors(w.values, answer.Vectors)
		case "names":
			err = r.tellNames(w.values, answer.Names)
		case "subjects":
			err = r.tellSubjects(w.values, answer.Subjects)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tellAll keeps the rows of keys; one that was not found is known to be missing.
func (r *reader) tellAll(k *kind, keys []string, rows []row) error {
	found := make(map[string]row, len(rows))
	for _, s := range rows {
		if _, twice := found[s.Key]; twice {
			return broken(sealed(k.name, s.Key), "two nodes have the key")
		}
		found[s.Key] = s
	}
	for _, key := range keys {
		r.tell(k, key, found[key])
	}
	return nil
}

// tellVectors keeps the vectors of nodes.
func (r *reader) tellVectors(keys []string, rows []vectorRow) error {
	if r.told.vectors == nil {
		r.told.vectors = map[graph.ID][]float32{}
	}
	for _, key := range keys {
		id, err := r.ks.id(key)
		if err != nil {
			return err
		}
		r.told.vectors[id] = nil
	}
	return r.readVectors(rows, r.told.vectors)
}

// named is an entity that was read by its name.
type named struct {
	row
	degree
}

// tellNames keeps the entities that have names, and how many relations each has.
func (r *reader) tellNames(names []string, rows []named) error {
	if r.told.names == nil {
		r.told.names, r.told.degrees = map[string][]row{}, map[string]int{}
	}
	for _, name := range names {
		r.told.names[name] = nil // nobody has it, but for those below
	}
	for _, s := range rows {
		if s.Record == "" {
			continue
		}
		e, err := decodeEntity(r.ks, s.Key, s.Record)
		if err != nil {
			return err
		}
		name := r.ks.name("entity", e.Namespace, e.User, e.Canonical)
		r.told.names[name] = append(r.told.names[name], s.row)
		r.told.degrees[s.Key] = s.Out + s.In
	}
	return nil
}

// tellSubjects keeps what is ACTIVE on subjects, with the edges of each.
func (r *reader) tellSubjects(subjects []string, found []belief) error {
	if r.told.subjects == nil {
		r.told.subjects, r.told.edges = map[string][]row{}, map[string]around{}
	}
	for _, about := range subjects {
		r.told.subjects[about] = nil
	}
	for _, b := range found {
		id, err := r.ks.id(b.Key)
		if err != nil {
			return err
		}
		m, err := decodeMemory(sealed(memories.name, b.Key), id, b.Record)
		if err != nil {
			return err
		}
		about := r.ks.name(bySubject, m.Subject)
		r.told.subjects[about] = append(r.told.subjects[about], b.row)
		r.told.edges[b.Key] = around{b.Out, b.In}
		r.tell(memories, b.Key, b.row)
	}
	return nil
}

// named reads the entities that have a name.
func (r *reader) named(name string) ([]row, error) {
	if stored, ok := r.told.names[name]; ok {
		return stored, nil
	}
	return r.by(r.ctx, entities, "entity.name", name)
}
