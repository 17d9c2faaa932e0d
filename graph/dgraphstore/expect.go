package dgraphstore

import (
	"strings"

	"github.com/somnograph/somnograph/graph"
)

// Expect reads at once what the transaction will ask for.
func (t tx) Expect(x graph.Expected) error {
	if err := t.alive(); err != nil {
		return err
	}
	var keys, names []string
	for _, q := range x.Requests {
		if key := t.ks.name("request", q); t.w.seen[rowID{requests, key}].Key == "" {
			keys = append(keys, key)
		}
	}
	for _, n := range x.Names {
		names = append(names, t.ks.name("entity", n.Namespace, n.User, n.Canonical))
	}
	for len(keys) > 0 || len(names) > 0 {
		k, n := min(len(keys), chunk), min(len(names), chunk)
		if err := t.expect(keys[:k], names[:n]); err != nil {
			return err
		}
		keys, names = keys[k:], names[n:]
	}
	return nil
}

// expect reads requests by their keys and entities by the keys of their names.
func (t tx) expect(keys, names []string) error {
	vars := map[string]string{}
	var text string
	var declared []string
	for _, b := range []struct {
		name, predicate string
		kind            *kind
		values          []string
	}{{"requests", requests.key, requests, keys}, {"names", "entity.name", entities, names}} {
		if len(b.values) > 0 {
			d, named := list(b.name, b.values, vars)
			declared = append(declared, d)
			text += " " + b.name + "(func: eq(" + b.predicate + ", " + named + ")) { " + b.kind.fields + " }"
		}
	}
	var answer struct{ Requests, Names []row }
	if err := t.ask(t.ctx, "query q("+strings.Join(declared, ", ")+") {"+text+" }", vars, &answer); err != nil {
		return err
	}
	found := make(map[string]row, len(answer.Requests))
	for _, r := range answer.Requests {
		if _, twice := found[r.Key]; twice {
			return broken(sealed(requests.name, r.Key), "two nodes have the key")
		}
		found[r.Key] = r
	}
	for _, key := range keys {
		t.w.saw(requests, key, found[key])
	}
	for _, name := range names {
		t.w.names[name] = nil // nobody has it, but for those below
	}
	for _, r := range answer.Names {
		if r.Record == "" {
			continue
		}
		e, err := decodeEntity(t.ks, r.Key, r.Record)
		if err != nil {
			return err
		}
		name := t.ks.name("entity", e.Namespace, e.User, e.Canonical)
		t.w.names[name] = append(t.w.names[name], r)
	}
	return nil
}

// named reads the entities that have a name.
func (r *reader) named(name string) ([]row, error) {
	if r.w != nil {
		if stored, ok := r.w.names[name]; ok {
			return stored, nil
		}
	}
	return r.by(r.ctx, entities, "entity.name", name)
}
