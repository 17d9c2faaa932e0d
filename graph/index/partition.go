package index

import (
	"slices"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// partition is the index of one namespace. Its owner, who holds the tenant's lock,
// changes the writer and publishes views; readers take the last view and need no
// lock to walk it.
type partition struct {
	name string
	view atomic.Pointer[view]
	w    *writer
}

// view is a partition as it stood at one publication. Nothing it reaches changes,
// but for slots behind n and for postings, which readers cut at n.
type view struct {
	name    string
	n       int // slots, dead ones included
	live    int
	chunks  []*chunk
	lists   *postings
	vectors *vectors.View
	slope   float32 // k1·b ÷ the mean length of a memory in terms
	ordered bool    // slots stand in order of id
	serial  uint64  // no other view of these sieves has it
	sieves  *keptSieves
}

func newPartition(name string, workers int, files *vectors.Files) *partition {
	p := &partition{name: name, w: newWriter(workers, files)}
	p.view.Store(p.w.publish(name))
	return p
}

func (v *view) doc(slot uint32) *Doc {
	return v.chunks[slot>>slots.ChunkBits].docs[slot&slots.ChunkMask].Load()
}

// id is the id of the memory in a slot, false where there is none.
func (v *view) id(slot uint32) (graph.ID, bool) {
	if d := v.doc(slot); d != nil {
		return d.ID, true
	}
	return "", false
}

func (v *view) columns(slot uint32) (*columns, uint32) {
	return v.chunks[slot>>slots.ChunkBits].col, slot & slots.ChunkMask
}

// find is the slot and Doc of a memory.
func (v *view) find(id graph.ID) (uint32, *Doc) {
	slot, known := v.lists.slot(id)
	if !known || int(slot) >= v.n {
		return slots.None, nil
	}
	return slot, v.doc(slot)
}

// vector reads the vector of a slot, nil where it has none of a dimension. It may lie in buf.
func (v *view) vector(slot uint32, dim int, buf *[]byte) []float32 {
	d := v.doc(slot)
	if d == nil || int(d.held.Dim) != dim {
		return nil
	}
	return v.vectors.Read(d.ID, d.held, buf)
}

// docs calls yield for every live memory, in slot order.
func (v *view) docs(yield func(slot uint32, d *Doc) bool) {
	for c, ch := range v.chunks {
		for i := range min(slots.ChunkSize, v.n-c*slots.ChunkSize) {
			if d := ch.docs[i].Load(); d != nil && !yield(uint32(c<<slots.ChunkBits+i), d) {
				return
			}
		}
	}
}

// writer is the side of a partition that changes.
type writer struct {
	n, live  int
	chunks   []*chunk
	ownDocs  map[int]bool // chunks that were copied since the last publication
	ownCols  map[int]bool
	serial   uint64 // of the columns or the view that were made last
	sieves   *keptSieves
	lists    *postings
	vectors  *vectors.Builder
	files    *vectors.Files
	away     bool                // vectors live elsewhere
	workers  int                 // goroutines of one search
	sessions map[uint32][]uint32 // by ordinal: the slots of a session by event time, then id
	length   float64             // sum over the live
	last     graph.ID            // of the last slot
	ordered  bool                // slots stand in order of id
	gone     map[*list][]uint32  // what leaves the postings at the next publication
	common   common
	before   []entry // for index, as are the next two
	entries  []entry
	packed   []byte
}

func newWriter(workers int, files *vectors.Files) *writer {
	return &writer{
		ownDocs: map[int]bool{}, ownCols: map[int]bool{}, sieves: &keptSieves{}, lists: newPostings(), vectors: vectors.NewBuilder(workers, files), files: files, workers: workers,
		sessions: map[uint32][]uint32{}, gone: map[*list][]uint32{}, ordered: true,
	}
}

// publish makes what was written so far visible to those who take the view.
func (w *writer) publish(name string) *view {
	if len(w.gone) > 0 {
		w.common.forget() // of whom nothing else may be left
		w.lists.drop(w.gone)
		clear(w.gone)
	}
	clear(w.ownDocs)
	clear(w.ownCols)
	w.serial++
	v := &view{name: name, serial: w.serial, n: w.n, live: w.live, chunks: slices.Clone(w.chunks), lists: w.lists,
		ordered: w.ordered, sieves: w.sieves}
	v.vectors = w.vectors.Publish(v.id)
	if w.live > 0 {
		v.slope = float32(bm25K1 * bm25B / (w.length / float64(w.live)))
	}
	return v
}

// docs is the chunk of a slot, ready to be written.
func (w *writer) docs(slot uint32) *chunk {
	c := int(slot >> slots.ChunkBits)
	if !w.ownDocs[c] {
		w.ownDocs[c] = true
		w.chunks[c] = w.chunks[c].clone()
	}
	return w.chunks[c]
}

// columns are the columns of a slot, ready to be written.
func (w *writer) columns(slot uint32) (*columns, uint32) {
	ch := w.docs(slot)
	c := int(slot >> slots.ChunkBits)
	if !w.ownCols[c] {
		w.ownCols[c] = true
		fresh := *ch.col
		w.serial++
		fresh.serial, ch.col = w.serial, &fresh
	}
	return ch.col, slot & slots.ChunkMask
}

// put writes a memory, new or changed.
func (w *writer) put(p *prepared) {
	slot, known := w.lists.slot(p.doc.ID)
	if !known {
		slot = w.grow(p.doc.ID)
	}
	old := w.doc(slot)
	ch := w.docs(slot)
	col, i := w.columns(slot)
	fresh, groups := w.index(slot, ch.text[i], p)
	if old == nil {
		w.live++
	} else {
		w.length -= float64(col.length[i])
	}
	w.length += float64(fresh.length)
	if old == nil || !p.doc.OccurredAt.Equal(old.OccurredAt) || groups.session != col.session[i] {
		if old != nil {
			w.unlink(slot)
		}
		ch.docs[i].Store(p.doc)
		ch.text[i] = fresh
		col.fill(i, p.doc, groups, fresh.length)
		w.link(slot)
	} else {
		ch.docs[i].Store(p.doc)
		ch.text[i] = fresh
		col.fill(i, p.doc, groups, fresh.length)
	}
	w.vector(slot, old, p)
}

// vector brings the scan, and where the exact vector is, in step with the Doc of a slot.
func (w *writer) vector(slot uint32, old *Doc, p *prepared) {
	col, i := w.columns(slot)
	if w.away {
		if col.flags[i] &^= flagVector; p.doc.Embedded {
			col.flags[i] |= flagVector
		}
		return
	}
	if old != nil && old.held.Serial != 0 {
		var buf []byte
		if p.vector != nil && slices.Equal(w.files.Vector(old.ID, old.held, &buf), p.vector) {
			p.doc.held = old.held
			return
		}
		w.vectors.Drop(slot)
		w.files.Drop(old.held)
		col.flags[i] &^= flagVector
	}
	if p.vector != nil {
		p.doc.held = w.files.Put(p.vector)
	}
	if p.doc.held.Serial == 0 {
		return
	}
	if p.rounded == nil {
		v := p.vector
		if v == nil {
			var buf []byte
			v = w.files.Vector(p.doc.ID, p.doc.held, &buf)
		}
		if v == nil {
			return // it was forgotten or embedded anew meanwhile; the feed says so
		}
		p.rounded = vectors.Encode(v)
	}
	if w.vectors.Put(slot, p.doc.held, p.rounded) {
		col.flags[i] |= flagVector
	}
}

// replace swaps the Doc of a slot for one that differs in its usage alone. Every view that
// shares the chunk shows it at once.
func (w *writer) replace(slot uint32, d *Doc) {
	w.chunks[slot>>slots.ChunkBits].docs[slot&slots.ChunkMask].Store(d)
}

// grow makes a slot for a memory.
func (w *writer) grow(id graph.ID) uint32 {
	slot := uint32(w.n)
	if w.n&slots.ChunkMask == 0 {
		c := len(w.chunks)
		w.serial++
		w.chunks = append(w.chunks, newChunk(w.serial))
		w.ownDocs[c], w.ownCols[c] = true, true
	}
	w.n++
	w.ordered, w.last = w.ordered && id > w.last, id
	w.lists.setSlot(id, slot)
	return slot
}

// drop takes a memory out of every structure.
func (w *writer) drop(slot uint32) {
	col, i := w.columns(slot)
	ch := w.docs(slot)
	d := ch.docs[i].Load()
	if d == nil {
		return
	}
	w.unlink(slot)
	w.common.forget()
	ch.text[i].each(func(ordinal uint32, _ float32, _ bool) {
		l := w.lists.numbered[ordinal]
		w.gone[l] = append(w.gone[l], slot)
	})
	w.live--
	w.length -= float64(col.length[i])
	if d.held.Serial != 0 {
		w.vectors.Drop(slot)
		w.files.Drop(d.held)
	}
	col.clear(i)
	ch.docs[i].Store(nil)
	ch.text[i] = nil
	w.lists.dropSlot(d.ID)
}

// sparse reports whether the dead weigh enough for a rebuild.
func (w *writer) sparse() bool { return w.n-w.live > slots.ChunkSize && w.n-w.live > w.n/4 }

// rebuild is the writer with the dead left out and slots in order of id. last is what it
// published last.
func (w *writer) rebuild(last *view) *writer {
	type kept struct {
		slot uint32
		d    *Doc
		t    *terms
	}
	var all []kept
	for c, ch := range w.chunks {
		for i := range min(slots.ChunkSize, w.n-c*slots.ChunkSize) {
			if d := ch.docs[i].Load(); d != nil {
				all = append(all, kept{uint32(c<<slots.ChunkBits + i), d, ch.text[i]})
			}
		}
	}
	slices.SortFunc(all, func(a, b kept) int { return compare(a.d.ID, b.d.ID) })
	fresh := newWriter(w.workers, w.files)
	fresh.away = w.away
	to := make([]uint32, w.n)
	for i := range to {
		to[i] = slots.None
	}
	for i, k := range all {
		to[k.slot] = uint32(i)
		d := *k.d                      // published: what put shares out must be its own
		words, _ := w.lists.words(k.t) // whole: nobody else writes
		d.Tags, d.Entities = slices.Clone(d.Tags), slices.Clone(d.Entities)
		fresh.put(&prepared{doc: &d, rounded: last.vectors.Encoded(k.slot), sum: k.t.sum, length: k.t.length, words: words})
	}
	fresh.vectors.InheritGraph(last.vectors, to)
	return fresh
}

func (w *writer) doc(slot uint32) *Doc {
	return w.chunks[slot>>slots.ChunkBits].docs[slot&slots.ChunkMask].Load()
}
