package dgraphstore

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// draft is a transaction as it will be sent, but for its place in the order of commits.
type draft struct {
	tag          string // begins the names of its new nodes
	set, gone    []*api.NQuad
	reads, wrote map[mark]struct{}
	missing      map[string]struct{} // keys of nodes and notes that must not be there
	items, bytes int                 // what counts towards the bounds of a request
	changes      []graph.Change
	recorded     wire.Stamp
	oldest       int64 // of the ids written, milliseconds; 0: none
	newest       int64
	memories     int64 // how many more there are behind it
	entities     int64
	notes        int64
	near         nearDraft
}

// star stands for every value of a predicate.
const star = "_STAR_ALL"

// quad is one value of a node.
func quad(node, predicate string, value any) *api.NQuad {
	v := &api.Value{}
	switch x := value.(type) {
	case string:
		v.Val = &api.Value_StrVal{StrVal: x}
	case int64:
		v.Val = &api.Value_IntVal{IntVal: x}
	case float64:
		v.Val = &api.Value_DoubleVal{DoubleVal: x}
	case time.Time:
		v.Val = &api.Value_StrVal{StrVal: x.UTC().Format(time.RFC3339Nano)}
	}
	return &api.NQuad{Subject: node, Predicate: predicate, ObjectValue: v}
}

// wipe removes every value of a predicate from a node.
func wipe(node, predicate string) *api.NQuad {
	return &api.NQuad{Subject: node, Predicate: predicate, ObjectValue: &api.Value{Val: &api.Value_DefaultVal{DefaultVal: star}}}
}

// places is a kind of row that is only its node.
var places = &kind{name: "node", key: "node.key", fields: "uid key: node.key"}

// draft turns what the transaction wrote into values and edges to set and to remove.
func (r *reader) draft() (*draft, error) {
	w := r.w
	d := &draft{
		tag: "_:" + strconv.FormatUint(r.store.drafts.Add(1), 36) + ".", reads: w.reads, wrote: w.wrote, missing: w.missing,
		items: len(w.order) + len(w.vectors), bytes: w.bytes, changes: w.changes, recorded: w.recorded,
	}
	if slices.ContainsFunc(w.changes, func(c graph.Change) bool { return c.At.IsZero() }) {
		used, err := r.lastUse(r.ctx, r.ks) // the latest recorded instant may be that of a use
		if err != nil {
			return nil, err
		}
		d.recorded = max(d.recorded, used)
	}
	type change struct {
		id        rowID
		set, gone []fact
	}
	var all []change
	named := map[graph.ID]bool{}
	for _, id := range w.order {
		e := w.edits[id]
		var old, next []fact
		var err error
		if e.stored.Record != "" {
			if old, err = id.kind.facts(r.ks, id.key, e.stored.Record); err != nil {
				return nil, err
			}
		}
		if e.next != "" {
			if next, err = id.kind.facts(r.ks, id.key, e.next); err != nil {
				return nil, err
			}
		}
		c := change{id: id}
		c.set, c.gone = differ(old, next)
		for _, f := range append(c.set, c.gone...) {
			if f.link != "" {
				named[f.link] = true
			}
		}
		all = append(all, c)
		if err := d.count(r.ks, id, e, named); err != nil {
			return nil, err
		}
	}
	for id := range w.vectors {
		named[id] = true
	}
	for id := range w.usage {
		named[id] = true
	}
	nodes, err := r.nodes(d, named)
	if err != nil {
		return nil, err
	}
	for i, c := range all {
		node := w.edits[c.id].stored.UID
		switch {
		case c.id.kind.key == places.key:
			id, err := r.ks.id(c.id.key)
			if err != nil {
				return nil, err
			}
			node = nodes[id]
		case node == "":
			node = fmt.Sprint(d.tag, "r", i)
		}
		d.apply(node, nodes, c.set, c.gone)
	}
	for id, v := range w.vectors {
		if v == nil {
			d.gone = append(d.gone, wipe(nodes[id], "memory.embedding"))
		} else {
			d.set = append(d.set, quad(nodes[id], "memory.embedding", vectorText(v)))
		}
	}
	if d.near, err = r.nearDraft(nodes); err != nil {
		return nil, err
	}
	for id, u := range w.usage {
		if u == "" {
			d.gone = append(d.gone, wipe(nodes[id], "memory.usage"))
		} else {
			d.set = append(d.set, quad(nodes[id], "memory.usage", u))
		}
	}
	for _, use := range w.folded {
		for _, p := range []string{"use.token", "use.tenant", "use.at", "use.times", "use.of"} {
			d.gone = append(d.gone, wipe(use, p))
		}
	}
	return d, d.receipts(r)
}

// count keeps what the head of the tenant says of its rows.
func (d *draft) count(ks keyspace, id rowID, e *edit, named map[graph.ID]bool) error {
	more := int64(0)
	if e.stored.Record == "" && e.next != "" {
		more = 1
	} else if e.stored.Record != "" && e.next == "" {
		more = -1
	}
	var node graph.ID
	var err error
	switch id.kind {
	case memories:
		d.memories += more
		node, err = ks.id(id.key)
	case entities:
		d.entities += more
		node, err = ks.id(id.key)
	case relations:
		node, err = ks.id(id.key)
	case notes:
		d.notes += more
		node = graph.ID(id.key[max(0, len(id.key)-idSize):])
	}
	if err != nil || node == "" {
		return err
	}
	if id.kind != notes {
		named[node] = true
	}
	if ms := millisOf(node); d.newest == 0 && d.oldest == 0 {
		d.oldest, d.newest = ms, ms
	} else {
		d.oldest, d.newest = min(d.oldest, ms), max(d.newest, ms)
	}
	return nil
}

// nodes answers the node of each id. Where there is none the draft makes its place: two
// transactions that do so at once meet at its mark.
func (r *reader) nodes(d *draft, named map[graph.ID]bool) (map[graph.ID]string, error) {
	nodes := make(map[graph.ID]string, len(named))
	var unknown []string
	for id := range named {
		key := r.ks.node(id)
		known := false
		for _, k := range []*kind{memories, entities, relations} {
			if s, ok := r.w.known(r.ks, k, key); ok {
				nodes[id], known = s.UID, true
				break
			}
		}
		if !known {
			unknown = append(unknown, key)
		}
	}
	fetched, err := r.fetch(r.ctx, places, unknown)
	if err != nil {
		return nil, err
	}
	for _, key := range unknown {
		id, err := r.ks.id(key)
		if err != nil {
			return nil, err
		}
		nodes[id] = fetched[key].UID
	}
	fresh := 0
	for id, node := range nodes {
		if node != "" {
			continue
		}
		nodes[id] = fmt.Sprint(d.tag, "n", fresh)
		fresh++
		d.reads[markOf(onNode, string(id))] = struct{}{}
		d.wrote[markOf(onNode, string(id))] = struct{}{}
		d.set = append(d.set, quad(nodes[id], "node.key", r.ks.node(id)))
	}
	return nodes, nil
}

// apply adds facts of a node to what is set and removed.
func (d *draft) apply(node string, nodes map[graph.ID]string, set, gone []fact) {
	for _, f := range set {
		if f.link != "" {
			d.set = append(d.set, &api.NQuad{Subject: node, Predicate: f.predicate, ObjectId: nodes[f.link]})
		} else {
			d.set = append(d.set, quad(node, f.predicate, f.value))
		}
	}
	for _, f := range gone {
		switch {
		case !f.many:
			d.gone = append(d.gone, wipe(node, f.predicate))
		case f.link != "":
			d.gone = append(d.gone, &api.NQuad{Subject: node, Predicate: f.predicate, ObjectId: nodes[f.link]})
		default:
			d.gone = append(d.gone, quad(node, f.predicate, f.value))
		}
	}
}

// receipts adds erased ids to their receipts, beside what is written of those.
func (d *draft) receipts(r *reader) error {
	for key, ids := range r.w.erased {
		found, err := r.rows(receipts, key)
		if err != nil {
			return err
		}
		node := found[key].UID
		if node == "" {
			node = d.tag + "e" + key[len(r.ks):]
			for i, id := range r.w.order {
				if id == (rowID{receipts, key}) {
					node = fmt.Sprint(d.tag, "r", i)
				}
			}
			d.set = append(d.set, quad(node, "receipt.key", key))
		}
		for _, id := range ids {
			d.set = append(d.set, quad(node, "receipt.ids", string(id)))
		}
	}
	return nil
}

// merge makes one draft of those of a group, in its order. None of them has read what
// another one writes, so that their values stand beside each other.
func merge(group []*waiter) *draft {
	if len(group) == 1 {
		return group[0].draft
	}
	all := &draft{wrote: map[mark]struct{}{}, missing: map[string]struct{}{}}
	for _, p := range group {
		d := p.draft
		all.set, all.gone = append(all.set, d.set...), append(all.gone, d.gone...)
		maps.Copy(all.wrote, d.wrote)
		maps.Copy(all.missing, d.missing)
		all.changes = append(all.changes, d.changes...)
		all.recorded = max(all.recorded, d.recorded)
		if d.oldest != 0 || d.newest != 0 {
			if all.oldest == 0 && all.newest == 0 {
				all.oldest = d.oldest
			}
			all.oldest, all.newest = min(all.oldest, d.oldest), max(all.newest, d.newest)
		}
		all.near.take(d.near)
		all.memories, all.entities, all.notes = all.memories+d.memories, all.entities+d.entities, all.notes+d.notes
	}
	return all
}
