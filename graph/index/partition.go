package index

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// partition is the index of one namespace. The holder of the tenant's writeMu changes the writer
// and publishes views. Readers load the last view and read it without a lock.
type partition struct {
	name   string
	view   atomic.Pointer[view]
	writer *writer
}

// view is a partition as of one publication. What it refers to does not change, except slots
// from n on and the postings, which readers limit to slots below n.
type view struct {
	name        string
	n           int // slots, including dead ones
	live        int
	chunks      []*chunk
	postings    *postings
	vectors     *vectors.View
	lengthNorm  float32 // k1·b divided by the mean length of a memory in terms
	idOrdered   bool    // slots are in order of id
	serial      uint64  // unique among the views that share filterCache
	filterCache *filterCache
	sights      *sightCache
	seen        slots.Set // of a restricted view: the visible slots; nil: all, see sight.go
}

func newPartition(name string, workers int, files *vectors.Files, topics Topics) *partition {
	p := &partition{name: name, writer: newWriter(workers, files, topics)}
	p.view.Store(p.writer.publish(name))
	return p
}

func (v *view) doc(slot uint32) *Doc {
	return v.chunks[slot>>slots.ChunkBits].docs[slot&slots.ChunkMask].Load()
}

// idOf returns the id of the memory in a slot, false if there is none.
func (v *view) idOf(slot uint32) (graph.ID, bool) {
	if d := v.doc(slot); d != nil {
		return d.ID, true
	}
	return "", false
}

func (v *view) columnsOf(slot uint32) (*columns, uint32) {
	return v.chunks[slot>>slots.ChunkBits].columns, slot & slots.ChunkMask
}

// find returns the slot and the Doc of a memory.
func (v *view) find(id graph.ID) (uint32, *Doc) {
	slot, known := v.postings.slotOf(id)
	if !known || int(slot) >= v.n || !v.shows(slot) {
		return slots.None, nil
	}
	return slot, v.doc(slot)
}

// vectorOf reads the vector of a slot, nil if it has none of the dimension. The vector may use
// buf.
func (v *view) vectorOf(slot uint32, dim int, buf *[]byte) []float32 {
	d := v.doc(slot)
	if d == nil || int(d.vectorRef.Dim) != dim {
		return nil
	}
	return v.vectors.Read(d.ID, d.vectorRef, buf)
}

// eachDoc calls yield for every live memory, in slot order, until yield returns false.
func (v *view) eachDoc(yield func(slot uint32, d *Doc) bool) {
	for c, ch := range v.chunks {
		for i := range min(slots.ChunkSize, v.n-c*slots.ChunkSize) {
			slot := uint32(c<<slots.ChunkBits + i)
			if d := ch.docs[i].Load(); d != nil && v.shows(slot) && !yield(slot, d) {
				return
			}
		}
	}
}

// writer is the mutable side of a partition.
type writer struct {
	n, live       int
	chunks        []*chunk
	ownedChunks   map[int]bool // chunks copied since the last publication
	ownedColumns  map[int]bool
	serial        uint64 // last serial given to columns or a view
	filterCache   *filterCache
	sights        *sightCache
	postings      *postings
	vectors       *vectors.Builder
	files         *vectors.Files
	remoteVectors bool                      // the index has Options.Remote
	workers       int                       // goroutines for one search
	sessions      map[uint32][]uint32       // by ordinal: the slots of a session by event time, then id
	totalLength   float64                   // sum of the lengths of live memories
	lastID        graph.ID                  // id of the last slot
	idOrdered     bool                      // slots are in order of id
	removed       map[*postingList][]uint32 // slots to remove from the postings at the next publication
	interned      internPool
	oldEntries    []entry // buffers of indexTerms, as are the next two
	newEntries    []entry
	packBuf       []byte
}

func newWriter(workers int, files *vectors.Files, topics Topics) *writer {
	return &writer{
		ownedChunks: map[int]bool{}, ownedColumns: map[int]bool{}, filterCache: &filterCache{}, sights: &sightCache{}, postings: newPostings(topics), vectors: vectors.NewBuilder(workers, files), files: files, workers: workers,
		sessions: map[uint32][]uint32{}, removed: map[*postingList][]uint32{}, idOrdered: true,
	}
}

// publish returns a view of all writes so far.
func (w *writer) publish(name string) *view {
	if len(w.removed) > 0 {
		w.interned.reset() // interned values may belong only to removed memories
		w.postings.removeSlots(w.removed)
		clear(w.removed)
	}
	clear(w.ownedChunks)
	clear(w.ownedColumns)
	w.serial++
	v := &view{name: name, serial: w.serial, n: w.n, live: w.live, chunks: slices.Clone(w.chunks), postings: w.postings,
		idOrdered: w.idOrdered, filterCache: w.filterCache, sights: w.sights}
	v.vectors = w.vectors.Publish(v.idOf)
	if w.live > 0 {
		v.lengthNorm = float32(bm25K1 * bm25B / (w.totalLength / float64(w.live)))
	}
	return v
}

// writableChunk returns the chunk of a slot for writing, copied if it was published.
func (w *writer) writableChunk(slot uint32) *chunk {
	c := int(slot >> slots.ChunkBits)
	if !w.ownedChunks[c] {
		w.ownedChunks[c] = true
		w.chunks[c] = w.chunks[c].clone()
	}
	return w.chunks[c]
}

// writableColumns returns the columns of a slot for writing, copied if they were published.
func (w *writer) writableColumns(slot uint32) (*columns, uint32) {
	ch := w.writableChunk(slot)
	c := int(slot >> slots.ChunkBits)
	if !w.ownedColumns[c] {
		w.ownedColumns[c] = true
		fresh := *ch.columns
		w.serial++
		fresh.serial, ch.columns = w.serial, &fresh
	}
	return ch.columns, slot & slots.ChunkMask
}

// put adds or replaces a memory.
func (w *writer) put(p *prepared) {
	slot, known := w.postings.slotOf(p.doc.ID)
	if !known {
		slot = w.addSlot(p.doc.ID)
	}
	old := w.doc(slot)
	ch := w.writableChunk(slot)
	col, i := w.writableColumns(slot)
	fresh, groups := w.indexTerms(slot, ch.terms[i], p)
	if old == nil {
		w.live++
	} else {
		w.totalLength -= float64(col.length[i])
	}
	w.totalLength += float64(fresh.length)
	if old == nil || !p.doc.OccurredAt.Equal(old.OccurredAt) || groups.session != col.session[i] {
		if old != nil {
			w.unlinkSession(slot)
		}
		ch.docs[i].Store(p.doc)
		ch.terms[i] = fresh
		col.fill(i, p.doc, groups, fresh.length)
		w.linkSession(slot)
	} else {
		ch.docs[i].Store(p.doc)
		ch.terms[i] = fresh
		col.fill(i, p.doc, groups, fresh.length)
	}
	w.putVector(slot, old, p)
}

// putVector updates the exact vector and the vector channel for the new Doc of a slot.
func (w *writer) putVector(slot uint32, old *Doc, p *prepared) {
	col, i := w.writableColumns(slot)
	if w.remoteVectors {
		if col.flags[i] &^= flagVector; p.doc.Embedded {
			col.flags[i] |= flagVector
		}
		return
	}
	if old != nil && old.vectorRef.Serial != 0 {
		var buf []byte
		if p.vector != nil && slices.Equal(w.files.Vector(old.ID, old.vectorRef, &buf), p.vector) {
			p.doc.vectorRef = old.vectorRef
			return
		}
		w.vectors.Drop(slot)
		w.files.Drop(old.vectorRef)
		col.flags[i] &^= flagVector
	}
	if p.vector != nil {
		p.doc.vectorRef = w.files.Put(p.vector)
	}
	if p.doc.vectorRef.Serial == 0 {
		return
	}
	if p.encoded == nil {
		v := p.vector
		if v == nil {
			var buf []byte
			v = w.files.Vector(p.doc.ID, p.doc.vectorRef, &buf)
		}
		if v == nil {
			return // it was forgotten or embedded again meanwhile; the feed contains that change
		}
		p.encoded = vectors.Encode(v)
	}
	if w.vectors.Put(slot, p.doc.vectorRef, p.encoded) {
		col.flags[i] |= flagVector
	}
}

// replaceDoc stores a Doc that differs from the previous one only in its usage. Every view that
// shares the chunk shows it at once.
func (w *writer) replaceDoc(slot uint32, d *Doc) {
	w.chunks[slot>>slots.ChunkBits].docs[slot&slots.ChunkMask].Store(d)
}

// addSlot makes a slot for a memory.
func (w *writer) addSlot(id graph.ID) uint32 {
	slot := uint32(w.n)
	if w.n&slots.ChunkMask == 0 {
		c := len(w.chunks)
		w.serial++
		w.chunks = append(w.chunks, newChunk(w.serial))
		w.ownedChunks[c], w.ownedColumns[c] = true, true
	}
	w.n++
	w.idOrdered, w.lastID = w.idOrdered && id > w.lastID, id
	w.postings.setSlot(id, slot)
	return slot
}

// remove removes a memory from every structure.
func (w *writer) remove(slot uint32) {
	col, i := w.writableColumns(slot)
	ch := w.writableChunk(slot)
	d := ch.docs[i].Load()
	if d == nil {
		return
	}
	w.unlinkSession(slot)
	w.interned.reset()
	ch.terms[i].each(func(ordinal uint32, _ float32, _ bool) {
		l := w.postings.byOrdinal[ordinal]
		w.removed[l] = append(w.removed[l], slot)
	})
	w.live--
	w.totalLength -= float64(col.length[i])
	if d.vectorRef.Serial != 0 {
		w.vectors.Drop(slot)
		w.files.Drop(d.vectorRef)
	}
	col.clear(i)
	ch.docs[i].Store(nil)
	ch.terms[i] = nil
	w.postings.removeSlot(d.ID)
}

// needsRebuild reports whether enough slots are dead for a rebuild: more than a chunk and more
// than a quarter.
func (w *writer) needsRebuild() bool { return w.n-w.live > slots.ChunkSize && w.n-w.live > w.n/4 }

// rebuild returns a new writer without the dead slots and with slots in order of id. last is the
// last published view.
func (w *writer) rebuild(last *view) *writer {
	type kept struct {
		slot uint32
		d    *Doc
		t    *memoryTerms
	}
	var all []kept
	for c, ch := range w.chunks {
		for i := range min(slots.ChunkSize, w.n-c*slots.ChunkSize) {
			if d := ch.docs[i].Load(); d != nil {
				all = append(all, kept{uint32(c<<slots.ChunkBits + i), d, ch.terms[i]})
			}
		}
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Compare(a.d.ID, b.d.ID) })
	fresh := newWriter(w.workers, w.files, w.postings.topics)
	fresh.remoteVectors = w.remoteVectors
	to := make([]uint32, w.n)
	for i := range to {
		to[i] = slots.None
	}
	for i, k := range all {
		to[k.slot] = uint32(i)
		d := *k.d                           // published Docs must not change, and put changes this one
		words, _ := w.postings.termsOf(k.t) // complete: there is no other writer
		d.Tags, d.Entities = slices.Clone(d.Tags), slices.Clone(d.Entities)
		fresh.put(&prepared{doc: &d, encoded: last.vectors.Encoded(k.slot), textHash: k.t.textHash, length: k.t.length, terms: words})
	}
	fresh.vectors.InheritGraph(last.vectors, to)
	return fresh
}

func (w *writer) doc(slot uint32) *Doc {
	return w.chunks[slot>>slots.ChunkBits].docs[slot&slots.ChunkMask].Load()
}
