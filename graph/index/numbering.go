package index

// listNumbering numbers the posting lists of a view's memories from 1, without gaps, for a
// snapshot. The ordinals of the postings have gaps where lists were removed.
type listNumbering struct {
	lists  []*postingList           // of the postings, by ordinal, followed by the lost lists; nil: removed
	lost   map[listKey]*postingList // lists that were removed while a memory of the view still names them
	counts []uint32                 // number of memories, by ordinal
	fresh  []*postingList           // by ordinal: a copy with the new number as its ordinal; nil: in no memory
	keys   []*postingList           // lists in use, by number from 1
	sizes  []uint32                 // number of memories, by number from 1

	// The memory that was loaded last:
	groups   []*postingList
	entries  []entry
	words    int
	complete bool // none of its words was lost
	current  listNumbers
	packed   []byte
}

// listNumbers are the numbers of the lists that a memory names itself; 0: none.
type listNumbers struct {
	own            [4]uint32 // user, session, project, subject
	tags, entities []uint32
}

// newNumbering counts and numbers the lists of the given memories.
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

// load fills entries with the words of a memory, then with its other lists, each once.
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
	// No Doc names its claim keys. A list of them that was removed since is lost, but then the
	// memory has changed, and the change follows the snapshot.
	for _, g := range n.groups {
		if g.kind == keyClaim {
			n.entries = append(n.entries, entry{g, 1})
		}
	}
}

// numberOf returns the ordinal of the list of a key that the loaded memory names, and adds the
// list to its entries.
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
	if l == nil { // the list was removed after the snapshot content was captured
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

// numbersOf loads a memory and returns the new numbers of the lists that it names.
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

// pack packs the entries of the loaded memory; words is how many of them are words.
func (n *listNumbering) pack() (words int, packed []byte) {
	n.packed = packEntries(n.packed[:0], n.entries, n.words)
	return n.words, n.packed
}
