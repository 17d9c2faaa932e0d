package index

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// ClaimKeys gives the keys by which the claims of memories are found: hashes of who or what a
// claim is about, alone and with its predicate. The index keeps hashes only. The answers must
// not change while an index is open.
type ClaimKeys interface {
	// Of returns the keys of a memory, of all recorded states of its claims.
	Of(m *graph.Memory) []uint64
	// Sum identifies the rules of Of. It must change when the keys of a claim do.
	Sum() uint64
}

// claimsHash identifies the rules for the keys of claims; it is 0 if there are none.
func (o *Options) claimsHash() uint64 {
	if o.Claims == nil {
		return 0
	}
	return o.Claims.Sum()
}

// claimKeys returns the keys of a memory as keys of lists, each once.
func claimKeys(k ClaimKeys, m *graph.Memory) []string {
	if k == nil || len(m.Claims) == 0 {
		return nil
	}
	all := k.Of(m)
	slices.Sort(all)
	all = slices.Compact(all)
	out := make([]string, len(all))
	for i, x := range all {
		out[i] = claimListKey(x)
	}
	return out
}

// claimListKey is the key of the list of a claim key.
func claimListKey(key uint64) string { return string(binary.BigEndian.AppendUint64(nil, key)) }

// MemoriesClaiming returns at most limit memories that have a claim with a key and that keep
// accepts, in some namespaces; none: in all. They are in descending order of their ids, in any
// status but FORGOTTEN. Where there are more, it returns those that were added to the index last.
func (x *Index) MemoriesClaiming(sc graph.Scope, namespaces []string, key uint64, keep func(*Doc) bool, limit int) []*Doc {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil
	}
	var out []*Doc
	for _, v := range t.views(sc.Sight, namespaces) {
		_, items := v.lookup(keyClaim, claimListKey(key))
		left := limit
		for _, it := range slices.Backward(items) { // slots mostly ascend with ids
			if left == 0 {
				break
			}
			if int(it.slot) >= v.n {
				continue
			}
			if d := v.doc(it.slot); d != nil && keep(d) {
				out = append(out, d)
				left--
			}
		}
	}
	slices.SortFunc(out, func(a, b *Doc) int { return cmp.Compare(b.ID, a.ID) })
	return out[:min(limit, len(out))]
}

// ClaimingAmong returns those of some memories of a namespace that have a claim with a key, in
// their order and in any status but FORGOTTEN. Its time grows with their number, and hardly with
// the number of all memories with such a claim.
func (x *Index) ClaimingAmong(sc graph.Scope, namespace string, key uint64, ids []graph.ID) []*Doc {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil
	}
	var out []*Doc
	for _, v := range t.views(sc.Sight, []string{namespace}) {
		_, items := v.postings.lookup(keyClaim, claimListKey(key))
		if len(items) == 0 {
			continue
		}
		for _, id := range ids {
			slot, known := v.postings.slotOf(id)
			if !known || int(slot) >= v.n || v.seen != nil && !v.seen.Has(slot) {
				continue
			}
			if _, has := slices.BinarySearchFunc(items, slot, func(p posting, s uint32) int { return cmp.Compare(p.slot, s) }); !has {
				continue
			}
			if d := v.doc(slot); d != nil {
				out = append(out, d)
			}
		}
	}
	return out
}
