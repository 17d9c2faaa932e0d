package prompt

import (
	"cmp"
	"slices"
)

// byScore orders by score, the highest first, then by time, id and text, so that the
// order of the input means nothing.
func byScore(a, b *entry) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), b.At.Compare(a.At), cmp.Compare(a.ID, b.ID), cmp.Compare(a.text, b.text))
}

// stored are the first four layers of the input.
func (in *Input) stored() [conversation][]Item {
	return [conversation][]Item{in.Procedural, in.Project, in.Memories, in.Documents}
}

// coreEntries are the entries that are never cut, best first, each id once.
func coreEntries(in *Input) []*entry {
	var out []*entry
	for i, items := range in.stored() {
		for _, it := range items {
			if it.Core {
				out = append(out, newEntry(i, it))
			}
		}
	}
	slices.SortStableFunc(out, byScore)
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(e *entry) bool {
		again := seen[e.ID]
		seen[e.ID] = e.ID != ""
		return again || e.text == ""
	})
}

// optionalEntries are the entries that may be cut: each id once and none that seen has.
func optionalEntries(in *Input, pinned []*entry, seen map[string]bool) []*entry {
	for _, e := range pinned {
		seen[e.ID] = e.ID != ""
	}
	var all []*entry
	for i, items := range in.stored() {
		for _, it := range items {
			if it.Core || it.ID != "" && seen[it.ID] {
				continue
			}
			seen[it.ID] = it.ID != ""
			if e := newEntry(i, it); e.text != "" {
				all = append(all, e)
			}
		}
	}
	return all
}

// deduplicated are the entries best first, near duplicates of each other or of the pinned ones
// counted at the first.
func deduplicated(pinned, all []*entry) []*entry {
	f := newDeduplicator(pinned[:len(pinned):len(pinned)])
	for _, e := range slices.SortedStableFunc(slices.Values(all), byScore) {
		e.count = 1
		f.add(e)
	}
	return f.kept[len(pinned):]
}

// preferSummaries leaves out the entries of layers without room that another one sums up. The
// summary takes the score of the best of them. A summary in another layer must have room
// there itself. Of two that sum up each other, the wider one stays.
func preferSummaries(all []*entry, over [conversation]bool) []*entry {
	members := map[string]*entry{}
	for _, e := range all {
		if e.ID != "" && over[e.layer] {
			members[e.ID] = e
		}
	}
	all = slices.SortedStableFunc(slices.Values(all), func(a, b *entry) int {
		return cmp.Or(cmp.Compare(len(b.Covers), len(a.Covers)), byScore(a, b))
	})
	covered := map[string]bool{}
	return slices.DeleteFunc(all, func(e *entry) bool {
		if covered[e.ID] {
			return true
		}
		for _, id := range e.Covers {
			if m := members[id]; m != nil && m != e && (m.layer == e.layer || !over[e.layer]) {
				covered[id] = true
				e.Score = max(e.Score, m.Score)
			}
		}
		return false
	})
}
