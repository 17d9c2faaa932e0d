package prompt

import (
	"cmp"
	"slices"
)

// byScore orders standing rules first, then by score, highest first, then by time, id and text,
// so that the order of the input does not matter.
func byScore(a, b *entry) int {
	if a.Rule != b.Rule {
		if a.Rule {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.Score, a.Score), b.At.Compare(a.At), cmp.Compare(a.ID, b.ID), cmp.Compare(a.text, b.text))
}

// stored returns the first four layers of the input.
func (in *Input) stored() [conversation][]Item {
	return [conversation][]Item{in.Procedural, in.Project, in.Memories, in.Documents}
}

// coreEntries are the core memories, which are never shortened, best first, each id once.
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

// optionalEntries are the entries that may be cut, each id once, without the pinned ones.
func optionalEntries(in *Input, pinned []*entry) []*entry {
	seen := map[string]bool{}
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

// without returns the entries that are not among those shown, by id.
func without(all, shown []*entry) []*entry {
	seen := make(map[string]bool, len(shown))
	for _, e := range shown {
		seen[e.ID] = e.ID != ""
	}
	return slices.DeleteFunc(slices.Clone(all), func(e *entry) bool { return seen[e.ID] })
}

// deduplicated returns the entries best first. Near duplicates of each other or of pinned
// entries are counted at the first one.
func deduplicated(pinned, all []*entry) []*entry {
	f := newDeduplicator(pinned[:len(pinned):len(pinned)])
	for _, e := range slices.SortedStableFunc(slices.Values(all), byScore) {
		e.count, e.left = 1, ""
		f.add(e)
	}
	return f.kept[len(pinned):]
}

// covered maps each entry of an overflowing layer to the summary that replaces it. A summary in
// another layer counts only if that layer is not full. Of two summaries that cover each other the
// wider one stays. Standing rules stay.
func covered(all []*entry, over, full [conversation]bool) map[*entry]*entry {
	members := map[string]*entry{}
	for _, e := range all {
		if e.ID != "" && over[e.layer] && !e.Rule {
			members[e.ID] = e
		}
	}
	by := map[*entry]*entry{}
	for _, e := range slices.SortedStableFunc(slices.Values(all), func(a, b *entry) int {
		return cmp.Or(cmp.Compare(len(b.Covers), len(a.Covers)), byScore(a, b))
	}) {
		if by[e] != nil {
			continue
		}
		for _, id := range e.Covers {
			if m := members[id]; m != nil && m != e && (m.layer == e.layer || !full[e.layer]) {
				by[m] = e
			}
		}
	}
	return by
}

// preferTopics returns the entries that no topic replaces. Standing rules stay.
func preferTopics(all []*entry) []*entry {
	by := map[string]bool{}
	for _, e := range all {
		if e.Topic {
			for _, id := range e.Covers {
				by[id] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(e *entry) bool {
		covered := e.ID != "" && by[e.ID] && !e.Rule
		if covered {
			e.left = "covered by the line about its topic"
		}
		return covered
	})
}

// withoutCovered returns the entries that no summary replaces.
func withoutCovered(all []*entry, by map[*entry]*entry) []*entry {
	return slices.DeleteFunc(slices.Clone(all), func(e *entry) bool { return by[e] != nil })
}

// preferSummaries returns the entries that no summary replaces. A summary takes the highest score
// of the entries that it replaces, and they record it.
func preferSummaries(all []*entry, by map[*entry]*entry) []*entry {
	for m, e := range by {
		m.left = "covered by the summary " + cmp.Or(e.ID, "that is shown")
		e.Score = max(e.Score, m.Score)
	}
	return withoutCovered(all, by)
}
