package dgraphstore

import (
	"errors"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

var _ graph.Mender = tx{}

// DropDamaged removes those rows of a memory that fail their checksum, without reading more of them.
func (t tx) DropDamaged(id graph.ID) (memory, vector bool, err error) {
	if _, err := wire.UUID("id", id); err != nil {
		return false, false, err
	}
	if err := errors.Join(t.guardKey(onMemory, string(id)), t.guardKey(onEmbedding, string(id))); err != nil {
		return false, false, err
	}
	key := t.ks.nodeKey(id)
	text, _, err := t.readRecord(memories, key)
	if err != nil {
		return false, false, err
	}
	if text != "" {
		_, err = decodeMemory(t.ks, key, text)
		memory = errors.Is(err, graph.ErrIntegrity)
		if err != nil && !memory {
			return false, false, err
		}
	}
	_, err = t.Embedding(id)
	vector = errors.Is(err, graph.ErrIntegrity)
	if _, err = graph.Found(err); err != nil && !vector {
		return false, false, err
	}
	if vector {
		t.writes.vectors[id] = nil
	}
	if !memory {
		return false, vector, nil
	}
	t.writes.dropped[rowID{memories, key}] = true
	return true, vector, t.putRow(memories, key, "")
}

// memoryPredicates are the predicates that memoryFacts and the record fill, without dgraph.type.
var memoryPredicates = []string{
	"memory.key", "memory.record", "memory.by", "memory.expiry", "memory.namespace", "memory.type", "memory.status", "memory.tier",
	"memory.created", "memory.checksum", "memory.mentions", "memory.supersedes", "memory.consolidated",
}

// replacedFacts returns what must be removed so that next is all that a memory's node has, whatever it
// has now: the facts of a damaged row are unknown.
func replacedFacts(next []fact) (gone []fact) {
	kept := map[string]bool{}
	for _, f := range next {
		kept[f.predicate] = kept[f.predicate] || !f.multi // the new value of a single one replaces the old one
	}
	for _, predicate := range memoryPredicates {
		if !kept[predicate] {
			gone = append(gone, fact{predicate: predicate})
		}
	}
	if len(next) == 0 {
		gone = append(gone, fact{predicate: dgraphType, value: "Memory", multi: true})
	}
	return gone
}
