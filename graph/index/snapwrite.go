package index

import (
	"encoding/binary"
	"io"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/hnsw"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// The layout of a snapshot is in docs/formats/index-snapshot.md. A change of the
// layout, of the analyser or of the field weights needs another version.
const (
	snapshotMagic   = "SOMNOIDX"
	snapshotVersion = 8
)

// The sections, in their order.
const (
	sectionHead     = 'H'
	sectionVectors  = 'V' // the files of vectors
	sectionPart     = 'P' // begins a partition: its name and how many memories it has
	sectionLists    = 'L' // keys of the partition's postings, in order of their numbers
	sectionDocs     = 'D' // memories of the partition
	sectionCodes    = 'C' // rounded vectors of memories of the partition
	sectionMesh     = 'G' // the graph of neighbours of the partition: its head
	sectionNodes    = 'N' // nodes of it
	sectionEntities = 'E'
	sectionTies     = 'R'
	sectionEnd      = 'Z'
)

// sectionDocsCount is how many memories a section holds at most, a multiple of chunkSize.
const sectionDocsCount = 2048

// sectionNodesCount is how many nodes of a graph a section holds at most.
const sectionNodesCount = 1 << 16

// write writes the whole snapshot; valid is asked between sections.
func (pic *picture) write(w io.Writer, valid func() error) error {
	e := &encoder{w: w, valid: valid}
	e.raw([]byte(snapshotMagic))
	e.raw(binary.LittleEndian.AppendUint32(nil, snapshotVersion))
	e.text(string(pic.tenant))
	e.uint(uint64(pic.cursor))
	e.uint(pic.past)
	e.uint(pic.topics)
	e.bool(pic.away)
	e.section(sectionHead)
	e.uint(uint64(len(pic.files)))
	for _, f := range pic.files {
		e.uint(uint64(f.Dim))
		e.uint(f.ID)
		e.uint(uint64(f.Records))
		e.uint(uint64(f.LastSerial))
	}
	e.section(sectionVectors)
	for _, v := range pic.views {
		e.partition(v)
	}
	for _, x := range pic.entities {
		e.entity(x)
	}
	e.section(sectionEntities)
	for _, x := range pic.ties {
		e.tie(x)
	}
	e.section(sectionTies)
	e.section(sectionEnd)
	return e.err
}

// kept is a memory of a view that is written.
type kept struct {
	slot uint32
	d    *Doc
	t    *terms
}

// partition writes a view: its lists, its memories ascending by id, their codes and the mesh.
func (e *encoder) partition(v *view) {
	var all []kept
	v.docs(func(slot uint32, d *Doc) bool {
		all = append(all, kept{slot, d, v.chunks[slot>>slots.ChunkBits].text[slot&slots.ChunkMask]})
		return true
	})
	slices.SortFunc(all, func(a, b kept) int { return compare(a.d.ID, b.d.ID) })
	e.text(v.name)
	e.uint(uint64(len(all)))
	e.uint(uint64(v.vectors.Dimension()))
	e.section(sectionPart)
	n := v.lists.numbering(all)
	e.lists(n)
	for part := range slices.Chunk(all, sectionDocsCount) {
		e.uint(uint64(len(part)))
		for _, k := range part {
			e.doc(k.d, n.of(k))
			e.held(k.d.held, v.vectors.Has(k.slot))
			e.terms(k.t, n)
		}
		e.section(sectionDocs)
		e.codes(v, part)
		if e.err != nil {
			return
		}
	}
	places := make([]uint32, v.n)
	for i := range places {
		places[i] = hnsw.Gone
	}
	for i, k := range all {
		places[k.slot] = uint32(i)
	}
	e.mesh(v, places)
}

// mesh writes the graph of a view, its nodes called by their places. What it does not hold
// as the view shows it is left out, and comes again after the snapshot is read.
func (e *encoder) mesh(v *view, places []uint32) {
	g := v.vectors.Graph(places)
	if g == nil {
		return
	}
	e.buf = g.AppendHead(e.buf)
	e.section(sectionMesh)
	for from := uint32(0); from < g.Bound() && e.err == nil; from += sectionNodesCount {
		e.buf = g.AppendNodes(e.buf, from, min(from+sectionNodesCount, g.Bound()))
		e.section(sectionNodes)
	}
}

// doc writes a memory; in are the numbers of its lists.
func (e *encoder) doc(d *Doc, in *naming) {
	e.text(string(d.ID))
	for _, n := range in.own {
		e.uint(uint64(n))
	}
	for _, s := range [...]string{d.Agent, string(d.Type), string(d.Consent), string(d.SourceKind), string(d.Sensitivity), string(d.DecayClass)} {
		e.word(s)
	}
	for _, some := range [...][]uint32{in.tags, in.entities} {
		e.uint(uint64(len(some)))
		for _, n := range some {
			e.uint(uint64(n))
		}
	}
	for _, x := range [...]float64{d.Authority, d.Importance, d.Confidence, d.Salience, d.Conflict, d.DecayK} {
		e.float(x)
	}
	e.bool(d.Important)
	e.bool(d.SafetyCritical)
	for _, t := range [...]time.Time{d.CreatedAt, d.RecordedAt, d.OccurredAt, d.ValidFrom, d.ExpiresAt, d.AnchorAt} {
		e.time(t)
	}
	e.uint(uint64(len(d.History)))
	for _, s := range d.History {
		e.time(s.From)
		e.word(string(s.Status))
		e.word(string(s.Tier))
		e.bool(s.Core)
		e.time(s.ValidTo)
	}
	for _, id := range [...]graph.ID{d.Chain, d.Supersedes, d.SupersededBy} {
		e.text(string(id))
	}
	e.uint(uint64(d.Version))
	e.uint(uint64(d.Usage.Count))
	e.time(d.Usage.Last)
	e.uint(uint64(len(d.Usage.Days)))
	for _, day := range d.Usage.Days {
		e.int(int64(day))
	}
	e.small(d.Asks)
	e.bool(d.Self)
	e.bool(d.Embedded)
}

// held writes where a vector is, and whether it is searched.
func (e *encoder) held(at vectors.Ref, searched bool) {
	e.uint(uint64(at.Dim))
	if at.Dim == 0 {
		return
	}
	e.uint(uint64(at.Record))
	e.uint(uint64(at.Serial))
	e.bool(searched)
}

// terms writes what a memory is found by, whose lists n has just looked up. What has lost a
// word since the picture was taken has a text that is taken for another, so that it is
// analysed again.
func (e *encoder) terms(t *terms, n *numbering) {
	sum := t.sum
	if !n.whole {
		sum = 0
	}
	e.buf = binary.LittleEndian.AppendUint64(e.buf, sum)
	e.small(t.length)
	words, packed := n.pack()
	e.uint(uint64(words))
	e.uint(uint64(len(packed)))
	e.buf = append(e.buf, packed...)
}

func (e *encoder) entity(x *graph.Entity) {
	for _, s := range [...]string{string(x.ID), x.Namespace, x.User, x.Name, x.Canonical, string(x.Type)} {
		e.word(s)
	}
	e.time(x.FirstSeen)
}

func (e *encoder) tie(x *tie) {
	e.text(string(x.id))
	e.word(string(x.source))
	e.word(string(x.target))
	e.float(x.strength)
	for _, ms := range [...]int64{x.strengthAt, x.recorded, x.validFrom, x.validTo} {
		e.int(ms)
	}
}

// all lists what an atlas holds, by id.
func (a *atlas) all() (entities []*graph.Entity, ties []*tie) {
	a.mu.RLock()
	for _, e := range a.entities {
		entities = append(entities, e)
	}
	for _, r := range a.relations {
		ties = append(ties, r)
	}
	a.mu.RUnlock()
	slices.SortFunc(entities, func(a, b *graph.Entity) int { return compare(a.ID, b.ID) })
	slices.SortFunc(ties, func(a, b *tie) int { return compare(a.id, b.id) })
	return entities, ties
}
