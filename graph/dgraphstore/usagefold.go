package dgraphstore

import (
	"context"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// foldBatchSize is how many calls of CountUses are folded in one transaction.
const foldBatchSize = 256

const unfoldedUsesQuery = `query q($t: string, $n: int) { q(func: eq(use.tenant, $t), first: $n) { uid at: use.at times: use.times sessions: use.sessions of: use.of { key: node.key } } }`

// foldTenant adds the uses of a tenant to its memories and removes their nodes in the same
// transactions, so that no use counts twice.
func (s *Store) foldTenant(ctx context.Context, t graph.Tenant) error {
	for more := true; more; {
		_, err := s.update(ctx, t, func(tx tx) (err error) {
			more, err = tx.foldNextBatch()
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// foldNextBatch folds some uses and reports whether there may be more.
func (t tx) foldNextBatch() (more bool, err error) {
	if err := t.guardKey(onFold); err != nil {
		return false, err
	}
	if err := t.scanRead(); err != nil {
		return false, err
	}
	var answer struct {
		Q []struct {
			UID string
			useNode
			Of []struct{ Key string }
		}
	}
	if err := t.runQuery(t.ctx, unfoldedUsesQuery, map[string]string{"$t": t.ks.prefix, "$n": "256"}, &answer); err != nil {
		return false, err
	}
	used := map[graph.ID]graph.Usage{}
	for _, use := range answer.Q {
		t.writes.foldedUses = append(t.writes.foldedUses, use.UID)
		t.writes.recorded = max(t.writes.recorded, wire.Stamp(use.At))
		for _, of := range use.Of {
			id, err := t.ks.parseID(of.Key)
			if err != nil {
				return false, err
			}
			more, err := use.usage(of.Key)
			if err != nil {
				return false, err
			}
			used[id] = used[id].Plus(more)
		}
	}
	ids := slices.Sorted(maps.Keys(used))
	if _, err := t.Memories(ids); err != nil { // all at once
		return false, err
	}
	for _, id := range ids {
		if err := t.foldMemory(id, used[id]); err != nil {
			return false, err
		}
	}
	return len(answer.Q) == foldBatchSize, nil
}

// foldMemory adds uses to a memory. It conflicts with a concurrent erasure, since both write
// the usage of the memory.
func (t tx) foldMemory(id graph.ID, uses graph.Usage) error {
	m, err := t.Memory(id)
	if err != nil {
		return err
	}
	if m.Status() == graph.Forgotten {
		return nil
	}
	key := t.ks.nodeKey(id)
	stored, err := t.readRows(memories, key)
	if err != nil {
		return err
	}
	u, err := decodeUsage(key, stored[key].Usage)
	if err != nil {
		return err
	}
	if t.writes.usage[id], err = encodeUsage(key, u.Plus(uses)); err != nil {
		return err
	}
	t.writes.addChange(graph.NodeUsage, graph.EventUpdated, id, m.Namespace, uses.Last)
	return nil
}
