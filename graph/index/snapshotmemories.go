package index

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// lists writes the keys of a partition's lists, in order of their numbers.
func (e *encoder) lists(n *listNumbering) {
	for i, l := range n.keys {
		e.buf = append(e.buf, byte(l.kind))
		e.text(l.key)
		e.uvarint(uint64(n.sizes[i]))
		if len(e.buf) >= sectionListBytes || i == len(n.keys)-1 {
			e.section(sectionLists)
		}
	}
}

// sectionListBytes is the approximate size of a section of lists, in bytes.
const sectionListBytes = 1 << 20

// memoryReader reads the memories of a partition into its writer, which is empty.
type memoryReader struct {
	*decoder
	writer    *writer
	namespace string
	lastID    graph.ID

	lastOwner      *Ownership // of the previous memory, as are the next three
	lastTreatment  *Treatment
	lastTimestamps *Timestamps
	historyBuf     []graph.State
}

// readMemories reads the lists and the memories of a partition, without their vectors.
func (p *partitionReader) readMemories(ctx context.Context, t *tenant, d *decoder) bool {
	r := &memoryReader{decoder: d, writer: p.partition.writer, namespace: p.partition.name}
	r.writer.postings.slots = make(map[graph.ID]uint32, p.memories)
	if !r.readLists(p) {
		return false
	}
	for _, at := range p.memorySections {
		if !d.openSection(at) || ctx.Err() != nil {
			return false
		}
		first := r.writer.n
		for n := d.length(); n > 0; n-- {
			if !r.readMemory() {
				return false
			}
		}
		if d.failed || len(d.buf) > 0 || r.writer.n > p.memories {
			return false
		}
		t.partitionByIDMu.Lock()
		for slot := first; slot < r.writer.n; slot++ {
			t.partitionByID[r.writer.doc(uint32(slot)).ID] = p.partition
		}
		t.partitionByIDMu.Unlock()
	}
	if r.writer.n != p.memories {
		return false
	}
	r.writer.linkAllSessions()
	return true
}

// readLists reads the keys, and allocates each list for its number of memories.
func (r *memoryReader) readLists(p *partitionReader) bool {
	room := uint64(0) // an entry takes at least one byte
	for _, at := range p.memorySections {
		room += uint64(at.size)
	}
	lists := r.writer.postings
	for _, at := range p.listSections {
		if !r.openSection(at) {
			return false
		}
		for len(r.buf) > 0 {
			kind, key, size := r.bytes(1), r.text(), r.uvarint()
			if r.failed || keyKind(kind[0]) > keyClaim || key == "" || size > room || size > uint64(p.memories) {
				return false
			}
			room -= size
			l := lists.intern(keyKind(kind[0]), key)
			if int(l.ordinal) != len(lists.byOrdinal)-1 || l.postings != nil {
				return false // a duplicate
			}
			l.postings = make([]posting, 0, size)
		}
	}
	return true
}

// listRef reads the number of a list of a kind, 0 for none.
func (r *memoryReader) listRef(kind keyKind) (number uint32, key string) {
	n := r.uvarint()
	if n == 0 {
		return 0, ""
	}
	if n >= uint64(len(r.writer.postings.byOrdinal)) || r.writer.postings.byOrdinal[n].kind != kind {
		r.failed = true
		return 0, ""
	}
	return uint32(n), r.writer.postings.byOrdinal[n].key
}

// readMemory reads one memory and gives it the next slot; false if it is damaged.
func (r *memoryReader) readMemory() bool {
	w := r.writer
	d, in, searched := r.readDoc()
	if r.failed || d.ID <= r.lastID {
		return false
	}
	r.lastID = d.ID
	text := &memoryTerms{}
	if b := r.bytes(8); b != nil {
		text.textHash = binary.LittleEndian.Uint64(b)
	}
	text.length = r.float32()
	words := r.uvarint()
	packed := r.bytes(r.uvarint())
	slot := w.addSlot(d.ID)
	if r.failed || words > uint64(len(packed)) || !r.addToLists(slot, int(words), packed, d) {
		r.failed = true
		return false
	}
	text.termCount, text.packed = uint32(words), string(packed)
	ch, i := w.chunks[slot>>slots.ChunkBits], slot&slots.ChunkMask
	ch.docs[i].Store(d)
	ch.terms[i] = text
	ch.columns.fill(i, d, in, text.length)
	ch.columns.before[i], ch.columns.after[i] = slots.None, slots.None
	if searched || w.remoteVectors && d.Embedded {
		ch.columns.flags[i] |= flagVector
	}
	w.live++
	w.totalLength += float64(text.length)
	return true
}

// addToLists adds a slot to the lists of its packed entries and sets the topics of the Doc. The
// first words entries are words. It returns false if the entries are damaged.
func (r *memoryReader) addToLists(slot uint32, words int, packed []byte, d *Doc) bool {
	lists, last, n := r.writer.postings.byOrdinal, uint64(0), 0
	for ; len(packed) > 0; n++ {
		if n == words {
			last = 0
		}
		step, size := binary.Uvarint(packed)
		if size <= 0 || step >= uint64(len(lists)) {
			return false
		}
		packed = packed[size:]
		if last += step; last == 0 || last >= uint64(len(lists)) {
			return false
		}
		l, tf := lists[last], float32(1)
		if (l.kind == keyTerm) != (n < words) {
			return false
		}
		if n < words {
			if len(packed) == 0 || packed[0] == fullFrequency && len(packed) < 5 {
				return false
			}
			if packed[0] == fullFrequency {
				tf, packed = math.Float32frombits(binary.LittleEndian.Uint32(packed[1:])), packed[5:]
			} else {
				tf, packed = float32(packed[0])/2, packed[1:]
			}
			d.topics.add(l.topics)
		}
		if k := len(l.postings); k == 0 || l.postings[k-1].slot != slot {
			l.postings = append(l.postings, posting{slot, tf})
		}
	}
	return n >= words
}

// readDoc reads a Doc, the ordinals of its lists, and whether its vector is searched.
func (r *memoryReader) readDoc() (o *Doc, in listOrdinals, searched bool) {
	d := r.decoder
	o = &Doc{ID: graph.ID(d.text())}
	b := Ownership{Namespace: r.namespace}
	in.user, b.User = r.listRef(keyUser)
	in.session, b.Session = r.listRef(keySession)
	in.project, b.Project = r.listRef(keyProject)
	in.subject, o.Subject = r.listRef(keySubject)
	b.Agent = d.repeatedText()
	g := Treatment{
		Type: canonical(graph.Types, graph.Type(d.repeatedText())), Consent: canonical(graph.Consents, graph.Consent(d.repeatedText())),
		SourceKind: canonical(graph.SourceKinds, graph.SourceKind(d.repeatedText())), Sensitivity: canonical(graph.Sensitivities, graph.Sensitivity(d.repeatedText())),
		DecayClass: canonical(graph.DecayClasses, graph.DecayClass(d.repeatedText())), Pattern: canonical(graph.PatternKinds, graph.PatternKind(d.repeatedText())),
	}
	for range d.length() {
		_, tag := r.listRef(keyTag)
		o.Tags = append(o.Tags, tag)
	}
	for range d.length() {
		_, id := r.listRef(keyEntity)
		o.Entities = append(o.Entities, graph.ID(id))
	}
	for _, x := range [...]*float64{&g.Authority, &o.Importance, &o.Confidence, &o.Salience, &g.Conflict, &g.DecayK} {
		*x = d.float64()
	}
	g.Important, g.SafetyCritical = d.bool(), d.bool()
	var m Timestamps
	for _, t := range [...]*time.Time{&m.CreatedAt, &m.RecordedAt, &o.OccurredAt, &o.ValidFrom, &m.ExpiresAt, &m.AnchorAt} {
		*t = d.time()
	}
	c := &r.writer.interned
	o.Ownership, o.Treatment, o.Timestamps = internedAs(&c.owners, &r.lastOwner, &b), internedAs(&c.treatments, &r.lastTreatment, &g), internedAs(&c.timestamps, &r.lastTimestamps, &m)
	o.History = r.readStates()
	chain := d.bytes(d.uvarint())
	if o.Chain = o.ID; string(chain) != string(o.ID) {
		o.Chain = graph.ID(chain)
	}
	supersedes, by, version := graph.ID(d.text()), graph.ID(d.text()), int(d.uvarint())
	u := graph.Usage{Count: int(d.uvarint()), Last: d.time()}
	for range d.length() {
		u.Days = append(u.Days, int32(d.varint()))
	}
	u.Since = int32(d.varint())
	for range d.length() {
		u.Sessions = append(u.Sessions, d.uvarint())
	}
	o.Lineage = newLineage(supersedes, by, version, u)
	o.QuestionShare, o.AboutUser = d.float32(), d.bool()
	o.Annotated, o.Embedded = d.bool(), d.bool()
	o.vectorRef, searched = d.vectorRef()
	return o, in, searched
}

// readStates reads the states of a memory. Equal states share one copy.
func (r *memoryReader) readStates() []graph.State {
	r.historyBuf = r.historyBuf[:0]
	for range r.length() {
		r.historyBuf = append(r.historyBuf, graph.State{
			From: r.time(), Status: canonical(graph.Statuses, graph.Status(r.repeatedText())), Tier: canonical(graph.Tiers, graph.Tier(r.repeatedText())),
			Core: r.bool(), ValidTo: r.time(),
		})
	}
	if len(r.historyBuf) == 0 {
		r.failed = true // every memory has a state
	}
	c := &r.writer.interned
	if slices.Equal(c.history, r.historyBuf) {
		return c.history
	}
	own := slices.Clone(r.historyBuf)
	if len(own) == 1 {
		c.history = own
	}
	return own
}

// vectorRef reads the reference of a vector, and whether the vector is searched.
func (d *decoder) vectorRef() (at vectors.Ref, searched bool) {
	dim := d.uvarint()
	if dim == 0 {
		return at, false
	}
	record, serial := d.uvarint(), d.uvarint()
	if dim > math.MaxInt32 || record > math.MaxUint32 || serial-1 >= math.MaxUint32 {
		d.failed = true
		return at, false
	}
	return vectors.NewRef(uint32(record), uint32(serial), uint32(dim)), d.bool()
}
