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
func (e *encoder) lists(n *numbering) {
	for i, l := range n.keys {
		e.buf = append(e.buf, byte(l.kind))
		e.text(l.key)
		e.uint(uint64(n.sizes[i]))
		if len(e.buf) >= sectionListsSize || i == len(n.keys)-1 {
			e.section(sectionLists)
		}
	}
}

// sectionListsSize is about how many bytes a section of lists has.
const sectionListsSize = 1 << 20

// memories reads the memories of a partition into its writer, which is empty.
type memories struct {
	*decoder
	w    *writer
	name string
	last graph.ID

	belonging *belonging // of the last, as are the next three
	bearing   *bearing
	moments   *moments
	history   []graph.State
}

// readMemories reads the lists and the memories of a partition, but for their vectors.
func (p *piece) readMemories(ctx context.Context, t *tenant, d *decoder) bool {
	r := &memories{decoder: d, w: p.into.w, name: p.into.name}
	r.w.lists.slots = make(map[graph.ID]uint32, p.memories)
	if !r.lists(p) {
		return false
	}
	for _, at := range p.docs {
		if !d.open(at) || ctx.Err() != nil {
			return false
		}
		first := r.w.n
		for n := d.count(); n > 0; n-- {
			if !r.memory() {
				return false
			}
		}
		if d.bad || len(d.buf) > 0 || r.w.n > p.memories {
			return false
		}
		t.whereMu.Lock()
		for slot := first; slot < r.w.n; slot++ {
			t.where[r.w.doc(uint32(slot)).ID] = p.into
		}
		t.whereMu.Unlock()
	}
	if r.w.n != p.memories {
		return false
	}
	r.w.linkAll()
	return true
}

// lists reads the keys, and makes room for as many memories as there are in each.
func (r *memories) lists(p *piece) bool {
	room := uint64(0) // an entry takes at least a byte
	for _, at := range p.docs {
		room += uint64(at.size)
	}
	lists := r.w.lists
	for _, at := range p.lists {
		if !r.open(at) {
			return false
		}
		for len(r.buf) > 0 {
			kind, key, size := r.bytes(1), r.text(), r.uint()
			if r.bad || keyKind(kind[0]) > keyEntity || key == "" || size > room || size > uint64(p.memories) {
				return false
			}
			room -= size
			l := lists.intern(keyKind(kind[0]), key)
			if int(l.ordinal) != len(lists.numbered)-1 || l.items != nil {
				return false // it came before
			}
			l.items = make([]posting, 0, size)
		}
	}
	return true
}

// list reads the number of a list of a kind, 0 for none.
func (r *memories) list(kind keyKind) (number uint32, key string) {
	n := r.uint()
	if n == 0 {
		return 0, ""
	}
	if n >= uint64(len(r.w.lists.numbered)) || r.w.lists.numbered[n].kind != kind {
		r.bad = true
		return 0, ""
	}
	return uint32(n), r.w.lists.numbered[n].key
}

// memory reads one and gives it the next slot; false where it is damaged.
func (r *memories) memory() bool {
	w := r.w
	d, in, searched := r.doc()
	if r.bad || d.ID <= r.last {
		return false
	}
	r.last = d.ID
	text := &terms{}
	if b := r.bytes(8); b != nil {
		text.sum = binary.LittleEndian.Uint64(b)
	}
	text.length = r.small()
	words := r.uint()
	packed := r.bytes(r.uint())
	slot := w.grow(d.ID)
	if r.bad || words > uint64(len(packed)) || !r.enter(slot, int(words), packed, d) {
		r.bad = true
		return false
	}
	text.words, text.packed = uint32(words), string(packed)
	ch, i := w.chunks[slot>>slots.ChunkBits], slot&slots.ChunkMask
	ch.docs[i].Store(d)
	ch.text[i] = text
	ch.col.fill(i, d, in, text.length)
	ch.col.before[i], ch.col.after[i] = slots.None, slots.None
	if searched || w.away && d.Embedded {
		ch.col.flags[i] |= flagVector
	}
	w.live++
	w.length += float64(text.length)
	return true
}

// enter puts a slot into the lists of its packed entries, so many of which are words, and
// tells the Doc what they are about. It answers false where they are damaged.
func (r *memories) enter(slot uint32, words int, packed []byte, d *Doc) bool {
	lists, last, n := r.w.lists.numbered, uint64(0), 0
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
			if len(packed) == 0 || packed[0] == wholly && len(packed) < 5 {
				return false
			}
			if packed[0] == wholly {
				tf, packed = math.Float32frombits(binary.LittleEndian.Uint32(packed[1:])), packed[5:]
			} else {
				tf, packed = float32(packed[0])/2, packed[1:]
			}
			d.topics.add(l.key)
		}
		if k := len(l.items); k == 0 || l.items[k-1].slot != slot {
			l.items = append(l.items, posting{slot, tf})
		}
	}
	return n >= words
}

// doc reads what is known of a memory, the lists that it names, and whether its vector is
// searched.
func (r *memories) doc() (o *Doc, in groupIDs, searched bool) {
	d := r.decoder
	o = &Doc{ID: graph.ID(d.text())}
	b := belonging{Namespace: r.name}
	in.user, b.User = r.list(keyUser)
	in.session, b.Session = r.list(keySession)
	in.project, b.Project = r.list(keyProject)
	in.subject, o.Subject = r.list(keySubject)
	b.Agent = d.word()
	g := bearing{
		Type: known(graph.Types, graph.Type(d.word())), Consent: known(graph.Consents, graph.Consent(d.word())),
		SourceKind: known(graph.SourceKinds, graph.SourceKind(d.word())), Sensitivity: known(graph.Sensitivities, graph.Sensitivity(d.word())),
		DecayClass: known(graph.DecayClasses, graph.DecayClass(d.word())),
	}
	for range d.count() {
		_, tag := r.list(keyTag)
		o.Tags = append(o.Tags, tag)
	}
	for range d.count() {
		_, id := r.list(keyEntity)
		o.Entities = append(o.Entities, graph.ID(id))
	}
	for _, x := range [...]*float64{&g.Authority, &o.Importance, &o.Confidence, &o.Salience, &g.Conflict, &g.DecayK} {
		*x = d.float()
	}
	g.Important, g.SafetyCritical = d.bool(), d.bool()
	var m moments
	for _, t := range [...]*time.Time{&m.CreatedAt, &m.RecordedAt, &o.OccurredAt, &o.ValidFrom, &m.ExpiresAt, &m.AnchorAt} {
		*t = d.time()
	}
	c := &r.w.common
	o.belonging, o.bearing, o.moments = shared(&c.belongings, &r.belonging, &b), shared(&c.bearings, &r.bearing, &g), shared(&c.moments, &r.moments, &m)
	o.History = r.states()
	chain := d.bytes(d.uint())
	if o.Chain = o.ID; string(chain) != string(o.ID) {
		o.Chain = graph.ID(chain)
	}
	supersedes, by, version := graph.ID(d.text()), graph.ID(d.text()), int(d.uint())
	u := graph.Usage{Count: int(d.uint()), Last: d.time()}
	for range d.count() {
		u.Days = append(u.Days, int32(d.int()))
	}
	o.trail = trailOf(supersedes, by, version, u)
	o.Asks, o.Self = d.small(), d.bool()
	o.Embedded = d.bool()
	o.held, searched = d.held()
	return o, in, searched
}

// states reads the states of a memory; those of the one before where they are the same.
func (r *memories) states() []graph.State {
	r.history = r.history[:0]
	for range r.count() {
		r.history = append(r.history, graph.State{
			From: r.time(), Status: known(graph.Statuses, graph.Status(r.word())), Tier: known(graph.Tiers, graph.Tier(r.word())),
			Core: r.bool(), ValidTo: r.time(),
		})
	}
	if len(r.history) == 0 {
		r.bad = true // no memory is without a state
	}
	c := &r.w.common
	if slices.Equal(c.history, r.history) {
		return c.history
	}
	own := slices.Clone(r.history)
	if len(own) == 1 {
		c.history = own
	}
	return own
}

// held reads where a vector is, and whether it is searched.
func (d *decoder) held() (at vectors.Ref, searched bool) {
	dim := d.uint()
	if dim == 0 {
		return at, false
	}
	record, serial := d.uint(), d.uint()
	if dim > math.MaxInt32 || record > math.MaxUint32 || serial-1 >= math.MaxUint32 {
		d.bad = true
		return at, false
	}
	return vectors.NewRef(uint32(record), uint32(serial), uint32(dim)), d.bool()
}
