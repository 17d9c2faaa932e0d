package dgraphstore

import (
	"errors"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

var _ graph.Mender = tx{}

// DropDamaged removes those rows of a memory that fail their checksum, without reading more of them.
// Usage has no checksum in this store.
func (t tx) DropDamaged(id graph.ID) (damage graph.Damage, err error) {
	if _, err := wire.UUID("id", id); err != nil {
		return damage, err
	}
	if err := errors.Join(t.guardKey(onMemory, string(id)), t.guardKey(onEmbedding, string(id))); err != nil {
		return damage, err
	}
	key := t.ks.nodeKey(id)
	text, _, err := t.readRecord(memories, key)
	if err != nil {
		return damage, err
	}
	if text != "" {
		if _, err = decodeMemory(t.ks, key, text); err != nil && !errors.Is(err, graph.ErrIntegrity) {
			return damage, err
		}
		damage.Memory = err != nil
	}
	if damage.Vector, err = isDamaged(t.Embedding(id)); err != nil {
		return graph.Damage{}, err
	}
	if damage.Vector {
		t.writes.vectors[id] = nil
	}
	if !damage.Memory {
		return damage, nil
	}
	t.writes.dropped[rowID{memories, key}] = true
	return damage, t.putRow(memories, key, "")
}

// isDamaged reports whether a vector failed its checksum. A missing one did not.
func isDamaged(_ []float32, err error) (bool, error) {
	if errors.Is(err, graph.ErrIntegrity) {
		return true, nil
	}
	_, err = graph.Found(err)
	return false, err
}

// kindPredicates are the predicates that the facts and the record of a row fill, without dgraph.type.
var kindPredicates = map[string][]string{
	"entity":   {"entity.key", "entity.name", "entity.by", "entity.type", "entity.record"},
	"relation": {"relation.triple", "relation.strength", "relation.confidence", "relation.valid_from", "relation.valid_to", "relation.recorded", "relation.source", "relation.target", "relation.says", "relation.record"},
	"request":  {"request.key", "request.record", "request.result"},
	"note":     {"note.key", "note.record", "note.memories"},
	"setting":  {"setting.key", "setting.record"},
	"memory": {
		"memory.key", "memory.record", "memory.by", "memory.expiry", "memory.namespace", "memory.type", "memory.status", "memory.tier",
		"memory.created", "memory.checksum", "memory.mentions", "memory.supersedes", "memory.consolidated",
	}}

// nodeTypes are the values of dgraph.type of the kinds that are removed as damaged.
var nodeTypes = map[string]string{"memory": "Memory", "entity": "Entity", "relation": "Relation"}

// replacedFacts returns what must be removed so that next is all that the node of a row has, whatever it
// has now: the facts of a damaged row are unknown.
func replacedFacts(kind *rowKind, next []fact) (gone []fact) {
	kept := map[string]bool{}
	for _, f := range next {
		kept[f.predicate] = kept[f.predicate] || !f.multi // the new value of a single one replaces the old one
	}
	for _, predicate := range kindPredicates[kind.name] {
		if !kept[predicate] {
			gone = append(gone, fact{predicate: predicate})
		}
	}
	if typed := nodeTypes[kind.name]; len(next) == 0 && typed != "" {
		gone = append(gone, fact{predicate: dgraphType, value: typed, multi: true})
	}
	return gone
}
