package badgerstore

import (
	"slices"
	"strings"
)

// written is what a transaction has written so far, as its reads see it over its snapshot.
// Badger would keep all of it once more, and sort it for each scan; here only what lies in
// the range that is asked for is sorted.
type written struct {
	entries map[string]entry
	byRow   map[string][]string // keys of entries by their first bytes, up to the row, in order of writing
	row     int                 // how many bytes these are
}

// enter notes a write, in the place of one to the same key.
func (p *written) enter(k key, e entry) {
	if _, known := p.entries[string(k)]; known {
		p.entries[string(k)] = e
		return
	}
	as := string(k)
	row := as[:min(p.row, len(as))]
	p.byRow[row] = append(p.byRow[row], as)
	p.entries[as] = e
}

// within are the keys that begin with prefix, from the first one at or behind from
// (before it, where down), in that order.
func (p *written) within(prefix, from key, down bool) []string {
	var keys []string
	look := func(all []string) {
		for _, k := range all {
			c := strings.Compare(k, string(from))
			if strings.HasPrefix(k, string(prefix)) && (c == 0 || (c < 0) == down) {
				keys = append(keys, k)
			}
		}
	}
	if len(prefix) >= p.row {
		look(p.byRow[string(prefix[:p.row])])
	} else {
		for _, all := range p.byRow {
			look(all)
		}
	}
	slices.Sort(keys)
	if down {
		slices.Reverse(keys)
	}
	return keys
}
