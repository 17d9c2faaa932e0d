package index

// numbering gives the lists that the memories of a view are in numbers from 1, for a
// snapshot: those of the postings have gaps where lists were.
type listNumbering struct {
	lists  []*postingList           // of the postings, by ordinal, and behind them what they lost since; nil: gone
	lost   map[listKey]*postingList // … of a memory that still names it
	counts []uint32                 // memories by ordinal
	fresh  []*postingList           // by ordinal, with its number in the place of that; nil: in no memory
	keys   []*postingList           // those, by number from 1
	sizes  []uint32                 // memories by number from 1

	// Of the memory that was looked up last:
	groups   []*postingList
	entries  []entry
	words    int
	complete bool // no word of it was lost
	current  listNumbers
	packed   []byte
}

// naming are the numbers of the lists that a memory names itself; 0: it is in none.
type listNumbers struct {
	own            [4]uint32 // user, session, project, subject
	tags, entities []uint32
}

// numbering counts and numbers the lists of some memories.
func (p *postings) newNumbering(all []memoryEntry) *listNumbering {
	n := &listNumbering{lost: map[listKey]*postingList{}}
	p.mu.RLock()
	n.lists = append([]*postingList(nil), p.byOrdinal...)
	p.mu.RUnlock()
	n.counts = make([]uint32, len(n.lists))
	for _, k := range all {
		n.load(k)
		for _, e := range n.entries {
			n.counts[e.list.ordinal]++
		}
	}
	n.fresh = make([]*postingList, len(n.lists))
	for ordinal, count := range n.counts {
		if count > 0 {
			l := n.lists[ordinal]
			n.keys, n.sizes = append(n.keys, l), append(n.sizes, count)
			n.fresh[ordinal] = &postingList{ordinal: uint32(len(n.keys)), kind: l.kind, key: l.key}
		}
	}
	return n
}

// look fills entries with the words of a memory, then what else it is in, each once.
func (n *listNumbering) load(k memoryEntry) {
	n.entries, n.groups, n.complete = n.entries[:0], n.groups[:0], true
	k.terms.each(func(ordinal uint32, tf float32, word bool) {
		l := (*postingList)(nil)
		if int(ordinal) < len(n.lists) {
			l = n.lists[ordinal]
		}
		switch {
		case l == nil:
			n.complete = n.complete && !word
		case word:
			n.entries = append(n.entries, entry{l, tf})
		default:
			n.groups = append(n.groups, l)
		}
	})
	n.words = len(n.entries)
	d := k.doc
	for i, key := range [...]string{d.User, d.Session, d.Project, d.Subject} {
		n.current.own[i] = n.numberOf([...]keyKind{keyUser, keySession, keyProject, keySubject}[i], key)
	}
	n.current.tags, n.current.entities = n.current.tags[:0], n.current.entities[:0]
	for _, tag := range d.Tags {
		n.current.tags = append(n.current.tags, n.numberOf(keyTag, tag))
	}
	for _, id := range d.Entities {
		n.current.entities = append(n.current.entities, n.numberOf(keyEntity, string(id)))
	}
}

// name is the ordinal of the list of a key that the memory at hand names, which is added to
// its entries.
func (n *listNumbering) numberOf(kind keyKind, key string) uint32 {
	if key == "" {
		return 0
	}
	var l *postingList
	for _, g := range n.groups {
		if g.kind == kind && g.key == key {
			l = g
			break
		}
	}
	if l == nil { // the list went since the picture was taken
		k := listKey{kind, key}
		if l = n.lost[k]; l == nil {
			l = &postingList{ordinal: uint32(len(n.lists)), kind: kind, key: key}
			n.lost[k], n.lists, n.counts = l, append(n.lists, l), append(n.counts, 0)
		}
	}
	for _, e := range n.entries[n.words:] {
		if e.list == l {
			return l.ordinal
		}
	}
	n.entries = append(n.entries, entry{l, 1})
	return l.ordinal
}

// of looks a memory up and answers the numbers of what it names.
func (n *listNumbering) numbersOf(k memoryEntry) *listNumbers {
	n.load(k)
	for _, some := range [...][]uint32{n.current.own[:], n.current.tags, n.current.entities} {
		for i, ordinal := range some {
			if ordinal > 0 {
				some[i] = n.fresh[ordinal].ordinal
			}
		}
	}
	for i, e := range n.entries {
		n.entries[i].list = n.fresh[e.list.ordinal]
	}
	return &n.current
}

// pack packs the entries of the memory at hand, so many of which are words.
func (n *listNumbering) pack() (words int, packed []byte) {
	n.packed = packEntries(n.packed[:0], n.entries, n.words)
	return n.words, n.packed
}
