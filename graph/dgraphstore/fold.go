package dgraphstore

import (
	"context"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// foldSize is how many calls of CountUses are folded in one transaction.
const foldSize = 256

const usesQuery = `query q($t: string, $n: int) { q(func: eq(use.tenant, $t), first: $n) { uid at: use.at times: use.times of: use.of { key: node.key } } }`

// fold counts the uses of a tenant into its memories and removes their nodes, in the
// same transactions: a use is in one place or the other.
func (s *Store) fold(ctx context.Context, t graph.Tenant) error {
	for more := true; more; {
		_, err := s.update(ctx, t, func(tx tx) (err error) {
			more, err = tx.foldSome()
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// foldSome folds some uses and reports whether there may be more.
func (t tx) foldSome() (more bool, err error) {
	if err := t.guard(onFold); err != nil {
		return false, err
	}
	if err := t.scan(); err != nil {
		return false, err
	}
	var answer struct {
		Q []struct {
			UID   string
			At    int64
			Times int // 0: one
			Of    []struct{ Key string }
		}
	}
	if err := t.ask(t.ctx, usesQuery, map[string]string{"$t": string(t.ks), "$n": "256"}, &answer); err != nil {
		return false, err
	}
	used := map[graph.ID][]wire.Stamp{}
	for _, use := range answer.Q {
		t.w.folded = append(t.w.folded, use.UID)
		t.w.recorded = max(t.w.recorded, wire.Stamp(use.At))
		for _, of := range use.Of {
			id, err := t.ks.id(of.Key)
			if err != nil {
				return false, err
			}
			for range max(1, use.Times) {
				used[id] = append(used[id], wire.Stamp(use.At))
			}
		}
	}
	ids := slices.Sorted(maps.Keys(used))
	if _, err := t.Memories(ids); err != nil { // all at once
		return false, err
	}
	for _, id := range ids {
		if err := t.foldOne(id, used[id]); err != nil {
			return false, err
		}
	}
	return len(answer.Q) == foldSize, nil
}

// foldOne counts uses into a memory. Whoever erases it meanwhile and this exclude each
// other, since both write its usage.
func (t tx) foldOne(id graph.ID, at []wire.Stamp) error {
	m, err := t.Memory(id)
	if err != nil {
		return err
	}
	if m.Status() == graph.Forgotten {
		return nil
	}
	key := t.ks.node(id)
	stored, err := t.rows(memories, key)
	if err != nil {
		return err
	}
	u, err := decodeUsage(key, stored[key].Usage)
	if err != nil {
		return err
	}
	for _, s := range at {
		addUse(&u, s)
	}
	if t.w.usage[id], err = encodeUsage(key, u); err != nil {
		return err
	}
	t.w.changed(graph.NodeUsage, graph.EventUpdated, id, m.Namespace, slices.Max(at).Time())
	return nil
}
