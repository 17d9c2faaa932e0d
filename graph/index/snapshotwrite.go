package index

import (
	"cmp"
	"encoding/binary"
	"io"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/hnsw"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// The layout of a snapshot is in docs/formats/index-snapshot.md. A change of the layout, of the
// analyser or of the field weights requires a new version.
const (
	snapshotMagic   = "SOMNOIDX"
	snapshotVersion = 14
)

// The sections, in their order.
const (
	sectionHead      = 'H'
	sectionVectors   = 'V' // the vector files
	sectionPartition = 'P' // begins a partition: its name and number of memories
	sectionLists     = 'L' // keys of the partition's postings, in order of their numbers
	sectionMemories  = 'D' // memories of the partition
	sectionCodes     = 'C' // 8-bit codes of the vectors of these memories
	sectionGraph     = 'G' // head of the partition's neighbour graph
	sectionNodes     = 'N' // nodes of the graph
	sectionEntities  = 'E'
	sectionRelations = 'R'
	sectionEnd       = 'Z'
)

// sectionMemoryCount is the maximum number of memories in a section, a multiple of
// slots.ChunkSize.
const sectionMemoryCount = 2048

// sectionNodeCount is the maximum number of graph nodes in a section.
const sectionNodeCount = 1 << 16

// write writes the whole snapshot. It calls valid before each section.
func (pic *snapshotContent) write(w io.Writer, valid func() error) error {
	e := &encoder{w: w, key: pic.key, valid: valid}
	e.raw(snapshotStart(keyNumber(pic.key)))
	e.text(string(pic.tenant))
	e.uvarint(uint64(pic.cursor))
	e.uvarint(pic.feedHash)
	e.uvarint(pic.topicsHash)
	e.uvarint(pic.claimsHash)
	e.bool(pic.remoteVectors)
	e.uvarint(pic.formerKey)
	e.section(sectionHead)
	e.uvarint(uint64(len(pic.files)))
	for _, f := range pic.files {
		e.uvarint(uint64(f.Dim))
		e.uvarint(f.ID)
		e.uvarint(uint64(f.Records))
		e.uvarint(uint64(f.LastSerial))
	}
	e.section(sectionVectors)
	for _, v := range pic.views {
		e.partition(v)
	}
	for _, x := range pic.entities {
		e.entity(x)
	}
	e.section(sectionEntities)
	for _, x := range pic.relations {
		e.relation(x)
	}
	e.section(sectionRelations)
	e.section(sectionEnd)
	return e.err
}

// memoryEntry is a memory of a view to be written.
type memoryEntry struct {
	slot  uint32
	doc   *Doc
	terms *memoryTerms
}

// partition writes a view: its lists, its memories ascending by id, their codes and the
// neighbour graph.
func (e *encoder) partition(v *view) {
	var all []memoryEntry
	v.eachDoc(func(slot uint32, d *Doc) bool {
		all = append(all, memoryEntry{slot, d, v.chunks[slot>>slots.ChunkBits].terms[slot&slots.ChunkMask]})
		return true
	})
	slices.SortFunc(all, func(a, b memoryEntry) int { return cmp.Compare(a.doc.ID, b.doc.ID) })
	e.text(v.name)
	e.uvarint(uint64(len(all)))
	e.uvarint(uint64(v.vectors.Dimension()))
	e.section(sectionPartition)
	n := v.postings.newNumbering(all)
	e.lists(n)
	for part := range slices.Chunk(all, sectionMemoryCount) {
		e.uvarint(uint64(len(part)))
		for _, k := range part {
			e.doc(k.doc, n.numbersOf(k))
			e.vectorRef(k.doc.vectorRef, v.vectors.Has(k.slot))
			e.terms(k.terms, n)
		}
		e.section(sectionMemories)
		e.codes(v, part)
		if e.err != nil {
			return
		}
	}
	places := make([]uint32, v.n)
	for i := range places {
		places[i] = hnsw.Removed
	}
	for i, k := range all {
		places[k.slot] = uint32(i)
	}
	e.graph(v, places)
}

// graph writes the neighbour graph of a view, with places as node numbers. Nodes that differ
// from the view are omitted; they are inserted again after the snapshot is read.
func (e *encoder) graph(v *view, places []uint32) {
	g := v.vectors.Graph(places)
	if g == nil {
		return
	}
	e.buf = g.AppendHead(e.buf)
	e.section(sectionGraph)
	for from := uint32(0); from < g.Bound() && e.err == nil; from += sectionNodeCount {
		e.buf = g.AppendNodes(e.buf, from, min(from+sectionNodeCount, g.Bound()))
		e.section(sectionNodes)
	}
}

// doc writes a memory; in has the numbers of its lists.
func (e *encoder) doc(d *Doc, in *listNumbers) {
	e.text(string(d.ID))
	for _, n := range in.own {
		e.uvarint(uint64(n))
	}
	for _, s := range [...]string{d.Agent, string(d.Type), string(d.Consent), string(d.SourceKind), string(d.Sensitivity), string(d.DecayClass), string(d.Pattern)} {
		e.repeatedText(s)
	}
	for _, some := range [...][]uint32{in.tags, in.entities} {
		e.uvarint(uint64(len(some)))
		for _, n := range some {
			e.uvarint(uint64(n))
		}
	}
	for _, x := range [...]float64{d.Authority, d.Importance, d.Confidence, d.Salience, d.Conflict, d.DecayK} {
		e.float64(x)
	}
	e.bool(d.Important)
	e.bool(d.SafetyCritical)
	for _, t := range [...]time.Time{d.CreatedAt, d.RecordedAt, d.OccurredAt, d.ValidFrom, d.ExpiresAt, d.AnchorAt} {
		e.time(t)
	}
	e.uvarint(uint64(len(d.History)))
	for _, s := range d.History {
		e.time(s.From)
		e.repeatedText(string(s.Status))
		e.repeatedText(string(s.Tier))
		e.bool(s.Core)
		e.time(s.ValidTo)
	}
	for _, id := range [...]graph.ID{d.Chain, d.Supersedes, d.SupersededBy} {
		e.text(string(id))
	}
	e.uvarint(uint64(d.Version))
	e.uvarint(uint64(d.Usage.Count))
	e.time(d.Usage.Last)
	e.uvarint(uint64(len(d.Usage.Days)))
	for _, day := range d.Usage.Days {
		e.varint(int64(day))
	}
	e.varint(int64(d.Usage.Since))
	e.uvarint(uint64(len(d.Usage.Sessions)))
	for _, session := range d.Usage.Sessions {
		e.uvarint(session)
	}
	e.float32(d.QuestionShare)
	e.bool(d.AboutUser)
	e.bool(d.Annotated)
	e.bool(d.Embedded)
}

// vectorRef writes the reference of a vector, and whether the vector is searched.
func (e *encoder) vectorRef(at vectors.Ref, searched bool) {
	e.uvarint(uint64(at.Dim))
	if at.Dim == 0 {
		return
	}
	e.uvarint(uint64(at.Record))
	e.uvarint(uint64(at.Serial))
	e.bool(searched)
}

// terms writes the posting lists of the memory that n has just loaded. If the memory has lost a
// word since the capture, the text hash is 0, so that the text is analysed again.
func (e *encoder) terms(t *memoryTerms, n *listNumbering) {
	sum := t.textHash
	if !n.complete {
		sum = 0
	}
	e.buf = binary.LittleEndian.AppendUint64(e.buf, sum)
	e.float32(t.length)
	words, packed := n.pack()
	e.uvarint(uint64(words))
	e.uvarint(uint64(len(packed)))
	e.buf = append(e.buf, packed...)
}

func (e *encoder) entity(x *graph.Entity) {
	for _, s := range [...]string{string(x.ID), x.Namespace, x.User, x.Name, x.Canonical, string(x.Type)} {
		e.repeatedText(s)
	}
	e.time(x.FirstSeen)
}

func (e *encoder) relation(x *relation) {
	e.text(string(x.id))
	e.repeatedText(string(x.source))
	e.repeatedText(string(x.target))
	e.float64(x.strength)
	for _, ms := range [...]int64{x.strengthAt, x.recorded, x.validFrom, x.validTo} {
		e.varint(ms)
	}
}

// all returns all entities and relations, by id.
func (a *entityIndex) all() (entities []*graph.Entity, ties []*relation) {
	a.mu.RLock()
	for _, e := range a.entities {
		entities = append(entities, e)
	}
	for _, r := range a.relations {
		ties = append(ties, r)
	}
	a.mu.RUnlock()
	slices.SortFunc(entities, func(a, b *graph.Entity) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(ties, func(a, b *relation) int { return cmp.Compare(a.id, b.id) })
	return entities, ties
}
