package badgerstore

import (
	"slices"
	"strings"
)

// txWrites is what a transaction has written so far, for its own reads. Badger would keep
// a second copy of it and sort all of it for each scan; this sorts only the requested
// range.
type txWrites struct {
	entries   map[string]rowWrite
	keysByRow map[string][]string // keys of entries by their first bytes, up to the row, in order of writing
	rowPrefix int                 // length of that prefix
}

// add adds a write, and replaces one to the same key.
func (p *txWrites) add(k key, e rowWrite) {
	if _, known := p.entries[string(k)]; known {
		p.entries[string(k)] = e
		return
	}
	as := string(k)
	row := as[:min(p.rowPrefix, len(as))]
	p.keysByRow[row] = append(p.keysByRow[row], as)
	p.entries[as] = e
}

// keysInRange returns the keys that begin with prefix, from the first one at or after from
// (at or before it, if descending), in that order.
func (p *txWrites) keysInRange(prefix, from key, descending bool) []string {
	var keys []string
	look := func(all []string) {
		for _, k := range all {
			c := strings.Compare(k, string(from))
			if strings.HasPrefix(k, string(prefix)) && (c == 0 || (c < 0) == descending) {
				keys = append(keys, k)
			}
		}
	}
	if len(prefix) >= p.rowPrefix {
		look(p.keysByRow[string(prefix[:p.rowPrefix])])
	} else {
		for _, all := range p.keysByRow {
			look(all)
		}
	}
	slices.Sort(keys)
	if descending {
		slices.Reverse(keys)
	}
	return keys
}
