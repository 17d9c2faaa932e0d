package dgraphstore

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/wire"
)

// draft is a transaction as it will be sent, except for its number.
type draft struct {
	namePrefix            string // prefix of the names of its new nodes
	set, deleted          []*api.NQuad
	readKeys, writtenKeys map[keyHash]struct{}
	missing               map[string]struct{} // keys of nodes and notes that must not exist
	itemCount, byteCount  int                 // count towards the limits of a request
	changes               []graph.Change
	touched               []wire.Row // rows that the changes do not name
	recorded              wire.Stamp
	hasIDs                bool  // it writes ids
	oldest                int64 // of the ids written, milliseconds; some ids begin with 0
	newest                int64
	memoriesAdded         int64 // by how many the rows increase
	entitiesAdded         int64
	notesAdded            int64
	vectorIndex           vectorIndexDraft
	retired               []uint64     // numbers of keys that nothing needs any more
	retiredAt             int64        // milliseconds since 1970
	mark                  keyring.Mark // what the cluster learns of the keys
	newRing               uint64       // Ring.First, for a cluster that has no mark
}

// star is every value of a predicate.
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

// deleteValues removes every value of a predicate from a node.
func deleteValues(node, predicate string) *api.NQuad {
	return &api.NQuad{Subject: node, Predicate: predicate, ObjectValue: &api.Value{Val: &api.Value_DefaultVal{DefaultVal: star}}}
}

// bareNodes is the kind of a row that has only a node.
var bareNodes = &rowKind{name: "node", key: "node.key", fields: "uid key: node.key"}

// makeDraft turns the writes of the transaction into values and edges to set and to remove.
func (r *reader) makeDraft() (*draft, error) {
	writes := r.writes
	d := &draft{
		namePrefix: "_:" + strconv.FormatUint(r.store.draftCount.Add(1), 36) + ".", readKeys: writes.readKeys, writtenKeys: writes.writtenKeys, missing: writes.missing,
		itemCount: len(writes.editOrder) + len(writes.vectors), byteCount: writes.byteCount, changes: writes.changes, recorded: writes.recorded,
		mark: writes.mark, retiredAt: r.store.options.Now().UnixMilli(),
	}
	if slices.ContainsFunc(writes.changes, func(c graph.Change) bool { return c.At.IsZero() }) {
		used, err := r.lastUnfoldedUse(r.ctx, r.ks) // the latest recorded instant may be that of a use
		if err != nil {
			return nil, err
		}
		d.recorded = max(d.recorded, used)
	}
	var all []rowChange
	named := map[graph.ID]bool{}
	for _, id := range writes.editOrder {
		e := writes.edits[id]
		var old, next []fact
		var err error
		if e.stored.Record != "" && !writes.dropped[id] {
			if old, err = id.kind.facts(r.ks, id.key, e.stored.Record); err != nil {
				return nil, err
			}
		}
		if e.record != "" {
			if next, err = id.kind.facts(r.ks, id.key, e.record); err != nil {
				return nil, err
			}
		}
		c := rowChange{id: id}
		if c.set, c.gone = diffFacts(old, next); writes.dropped[id] {
			c.gone = replacedFacts(id.kind, next)
		}
		if err := r.sealChange(d, &c, e); err != nil {
			return nil, err
		}
		for _, f := range append(c.set, c.gone...) {
			if f.link != "" {
				named[f.link] = true
			}
		}
		all = append(all, c)
		if err := d.countRow(r.ks, id, e, named); err != nil {
			return nil, err
		}
	}
	for id := range writes.vectors {
		named[id] = true
	}
	for id := range writes.usage {
		named[id] = true
	}
	nodes, err := r.resolveNodes(d, named)
	if err != nil {
		return nil, err
	}
	for i, c := range all {
		node := writes.edits[c.id].stored.UID
		switch {
		case c.id.kind.key == bareNodes.key:
			id, err := r.ks.parseID(c.id.key)
			if err != nil {
				return nil, err
			}
			node = nodes[id]
		case node == "":
			node = fmt.Sprint(d.namePrefix, "r", i)
		}
		d.addFacts(node, nodes, c.set, c.gone)
	}
	for id, v := range writes.vectors {
		if err := r.addVector(d, id, nodes[id], v); err != nil {
			return nil, err
		}
	}
	if d.vectorIndex, err = r.makeVectorDraft(nodes); err != nil {
		return nil, err
	}
	for id, u := range writes.usage {
		if u == "" {
			d.deleted = append(d.deleted, deleteValues(nodes[id], "memory.usage"))
		} else {
			d.set = append(d.set, quad(nodes[id], "memory.usage", u))
		}
	}
	for _, use := range writes.foldedUses {
		for _, p := range []string{"use.token", "use.tenant", "use.at", "use.times", "use.sessions", "use.of"} {
			d.deleted = append(d.deleted, deleteValues(use, p))
		}
	}
	for _, list := range writes.destroyedLists {
		for _, p := range []string{"retired.of", "retired.keys", "retired.at"} {
			d.deleted = append(d.deleted, deleteValues(list, p))
		}
	}
	if d.touched, err = r.touched(); err != nil {
		return nil, err
	}
	return d, d.addReceiptIDs(r)
}

// countRow updates the counts and id range that the tenant's head holds.
func (d *draft) countRow(ks keyspace, id rowID, e *edit, named map[graph.ID]bool) error {
	more := int64(0)
	if e.stored.Record == "" && e.record != "" {
		more = 1
	} else if e.stored.Record != "" && e.record == "" {
		more = -1
	}
	var node graph.ID
	var err error
	switch id.kind {
	case memories:
		d.memoriesAdded += more
		node, err = ks.parseID(id.key)
	case entities:
		d.entitiesAdded += more
		node, err = ks.parseID(id.key)
	case relations:
		node, err = ks.parseID(id.key)
	case notes:
		d.notesAdded += more
		node = graph.ID(id.key[max(0, len(id.key)-idSize):])
	}
	if err != nil || node == "" {
		return err
	}
	if id.kind != notes {
		named[node] = true
	}
	if ms := idMillis(node); !d.hasIDs {
		d.hasIDs, d.oldest, d.newest = true, ms, ms
	} else {
		d.oldest, d.newest = min(d.oldest, ms), max(d.newest, ms)
	}
	return nil
}

// resolveNodes returns the node of each id, and adds a new node for an id without one. Two
// transactions that do so at once conflict.
func (r *reader) resolveNodes(d *draft, named map[graph.ID]bool) (map[graph.ID]string, error) {
	nodes := make(map[graph.ID]string, len(named))
	var unknown []string
	for id := range named {
		key := r.ks.nodeKey(id)
		known := false
		for _, kind := range []*rowKind{memories, entities, relations} {
			if storedRow, ok := r.writes.knownRow(r.ks, kind, key); ok {
				nodes[id], known = storedRow.UID, true
				break
			}
		}
		if !known {
			unknown = append(unknown, key)
		}
	}
	fetched, err := r.fetchRows(bareNodes, unknown)
	if err != nil {
		return nil, err
	}
	for _, key := range unknown {
		id, err := r.ks.parseID(key)
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
		nodes[id] = fmt.Sprint(d.namePrefix, "n", fresh)
		fresh++
		d.readKeys[keyHashOf(onNode, string(id))] = struct{}{}
		d.writtenKeys[keyHashOf(onNode, string(id))] = struct{}{}
		d.set = append(d.set, quad(nodes[id], "node.key", r.ks.nodeKey(id)))
	}
	return nodes, nil
}

// addFacts adds facts of a node to what is set and removed.
func (d *draft) addFacts(node string, nodes map[graph.ID]string, set, deleted []fact) {
	for _, f := range set {
		if f.link != "" {
			d.set = append(d.set, &api.NQuad{Subject: node, Predicate: f.predicate, ObjectId: nodes[f.link]})
		} else {
			d.set = append(d.set, quad(node, f.predicate, f.value))
		}
	}
	for _, f := range deleted {
		switch {
		case !f.multi:
			d.deleted = append(d.deleted, deleteValues(node, f.predicate))
		case f.link != "":
			d.deleted = append(d.deleted, &api.NQuad{Subject: node, Predicate: f.predicate, ObjectId: nodes[f.link]})
		default:
			d.deleted = append(d.deleted, quad(node, f.predicate, f.value))
		}
	}
}

// addReceiptIDs adds erased ids to their receipts.
func (d *draft) addReceiptIDs(r *reader) error {
	for key, ids := range r.writes.receiptIDs {
		found, err := r.readRows(receipts, key)
		if err != nil {
			return err
		}
		node := found[key].UID
		if node == "" {
			node = d.namePrefix + "e" + key[len(r.ks.prefix):]
			for i, id := range r.writes.editOrder {
				if id == (rowID{receipts, key}) {
					node = fmt.Sprint(d.namePrefix, "r", i)
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

// mergeDrafts makes one draft of a group, in its order. None of them has read what another
// one writes, so their values are independent.
func mergeDrafts(group []*waitingDraft) *draft {
	if len(group) == 1 {
		return group[0].draft
	}
	all := &draft{writtenKeys: map[keyHash]struct{}{}, missing: map[string]struct{}{}}
	for _, waiting := range group {
		d := waiting.draft
		all.set, all.deleted = append(all.set, d.set...), append(all.deleted, d.deleted...)
		maps.Copy(all.writtenKeys, d.writtenKeys)
		maps.Copy(all.missing, d.missing)
		all.changes = append(all.changes, d.changes...)
		all.touched = append(all.touched, d.touched...)
		all.recorded = max(all.recorded, d.recorded)
		if d.hasIDs {
			if !all.hasIDs {
				all.hasIDs, all.oldest, all.newest = true, d.oldest, d.newest
			}
			all.oldest, all.newest = min(all.oldest, d.oldest), max(all.newest, d.newest)
		}
		all.retired, all.retiredAt = append(all.retired, d.retired...), max(all.retiredAt, d.retiredAt)
		all.mark, all.newRing = all.mark.Join(d.mark), max(all.newRing, d.newRing)
		all.vectorIndex.merge(d.vectorIndex)
		all.memoriesAdded, all.entitiesAdded, all.notesAdded = all.memoriesAdded+d.memoriesAdded, all.entitiesAdded+d.entitiesAdded, all.notesAdded+d.notesAdded
	}
	return all
}
