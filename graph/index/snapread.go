package index

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/hnsw"
	"github.com/somnograph/somnograph/graph/index/kernel"
)

// errSnapshot is why a snapshot cannot be used.
var errSnapshot = errors.New("not a snapshot of this version, or damaged")

// read loads a snapshot into an empty tenant.
func (t *tenant) read(ctx context.Context, f *os.File) (_ graph.Cursor, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	d := &decoder{r: bufio.NewReaderSize(f, 1<<20), left: info.Size()}
	start := make([]byte, len(snapshotMagic)+4)
	if !d.take(start) || string(start[:len(snapshotMagic)]) != snapshotMagic ||
		binary.LittleEndian.Uint32(start[len(snapshotMagic):]) != snapshotVersion {
		return 0, errSnapshot
	}
	if d.section() != sectionHead {
		return 0, errSnapshot
	}
	cursor, err := t.readHead(ctx, d)
	if err != nil {
		return 0, err
	}
	if d.section() != sectionVectors {
		return 0, errSnapshot
	}
	claims, err := t.readFiles(d)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, claims.close()) }()
	var into *partition
	var mesh *hnsw.Loader // of the partition
	var docs *decoding    // memories of the partition that are still to be put
	for {
		kind := d.section()
		if kind != sectionDocs {
			if !t.put(docs, claims) {
				return 0, errSnapshot
			}
			docs = nil
		}
		if d.bad || kind != sectionNodes && !into.take(mesh) {
			return 0, errSnapshot
		}
		if kind != sectionNodes {
			mesh = nil
		}
		switch kind {
		case sectionPart:
			into = t.partition(d.text())
		case sectionDocs:
			if into == nil {
				return 0, errSnapshot
			}
			// These are decoded while those before are put.
			before := docs
			docs = d.decode(into)
			if !t.put(before, claims) {
				return 0, errSnapshot
			}
			if before != nil {
				d.page = before.d.page
			}
		case sectionMesh:
			if mesh, err = hnsw.NewLoader(d.buf); err != nil || into == nil {
				return 0, errSnapshot
			}
			d.buf = nil
		case sectionNodes:
			if mesh == nil || mesh.Add(d.buf) != nil {
				return 0, errSnapshot
			}
			d.buf = nil
		case sectionEntities:
			a := t.preparers[0].analyser
			for len(d.buf) > 0 && !d.bad {
				if x := d.entity(); !d.bad {
					t.putEntity(a, x)
				}
			}
		case sectionTies:
			for len(d.buf) > 0 && !d.bad {
				if x := d.tie(); !d.bad {
					t.atlas.putRelation(x)
				}
			}
		case sectionEnd:
			if err := claims.finish(t.files); err != nil {
				return 0, err
			}
			for _, p := range t.reach(nil) {
				p.publish()
			}
			return cursor, nil
		default:
			return 0, errSnapshot
		}
		if d.bad || len(d.buf) > 0 {
			return 0, errSnapshot
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
}

// decoding is a section of memories that is being decoded.
type decoding struct {
	d     *decoder
	into  *partition
	ready []*prepared
	done  chan struct{} // closed when all are ready, or the section proved bad
}

// decode takes the section, with its bytes, away to be decoded beside what follows.
func (d *decoder) decode(into *partition) *decoding {
	s := &decoding{d: &decoder{buf: d.buf, page: d.page}, into: into, done: make(chan struct{})}
	d.buf, d.page = nil, nil
	go func() {
		defer close(s.done)
		for n := s.d.count(); n > 0 && !s.d.bad; n-- {
			s.ready = append(s.ready, s.d.prepared(into.name))
		}
	}()
	return s
}

// put waits for what was decoded and puts it into its partition; nil is nothing. It answers
// false where it is damaged.
func (t *tenant) put(s *decoding, claims claims) bool {
	if s == nil {
		return true
	}
	<-s.done
	if s.d.bad || len(s.d.buf) > 0 {
		return false
	}
	for _, p := range s.ready {
		if !claims.claim(p.doc) {
			p.doc.held, p.rounded = heldAt{}, nil
			t.unclaimed = append(t.unclaimed, p.doc.ID)
		}
		s.into.w.put(p)
		t.where[p.doc.ID] = s.into
	}
	return true
}

// take gives a partition, whose memories were read, the mesh that belongs to it; nil is
// none. It answers false where the two do not fit.
func (p *partition) take(l *hnsw.Loader) bool {
	if l == nil {
		return true
	}
	g, err := l.Graph()
	if err != nil {
		return false
	}
	c := p.w.vectors
	v := c.publish()
	missing := v.missing(g, v.n)
	withVector := 0
	for slot := range uint32(v.n) {
		if v.has(slot) {
			withVector++
		}
	}
	if g.Len()+len(missing) != withVector {
		return false // it holds others
	}
	c.mesh.adopt(g, uint32(v.n), missing)
	return true
}

// readHead checks that the snapshot belongs to the past of this store.
func (t *tenant) readHead(ctx context.Context, d *decoder) (graph.Cursor, error) {
	tenant, cursor, past, topics, away := d.text(), graph.Cursor(d.uint()), d.uint(), d.uint(), d.bool()
	if d.bad || tenant != string(t.scope.Tenant) {
		return 0, errSnapshot
	}
	if topics != t.opts.topicSum() {
		return 0, errors.New("it was made with another list of topics")
	}
	if away != (t.opts.Remote != nil) {
		return 0, errors.New("it was made where vectors lived elsewhere")
	}
	now, err := t.past(ctx, cursor)
	if err != nil {
		return 0, fmt.Errorf("read the feed: %w", err)
	}
	if now != past {
		return 0, errors.New("the store has another past")
	}
	return cursor, nil
}

// prepared reads a memory ready to be put.
func (d *decoder) prepared(namespace string) *prepared {
	p := &prepared{doc: d.doc()}
	p.doc.Namespace = namespace
	p.doc.held, p.rounded = d.held()
	if b := d.bytes(8); b != nil {
		p.sum = binary.LittleEndian.Uint64(b)
	}
	p.length = d.small()
	p.words = make([]counted, d.count())
	for i := range p.words {
		p.words[i] = counted{d.word(), d.small()}
	}
	return p
}

func (d *decoder) doc() *Doc {
	o := &Doc{ID: graph.ID(d.text()), belonging: &belonging{}, bearing: &bearing{}, moments: &moments{}}
	o.User, o.Agent, o.Project, o.Session, o.Subject = d.word(), d.word(), d.word(), d.word(), d.word()
	o.Type = known(graph.Types, graph.Type(d.word()))
	o.Consent = known(graph.Consents, graph.Consent(d.word()))
	o.SourceKind = known(graph.SourceKinds, graph.SourceKind(d.word()))
	o.Sensitivity = known(graph.Sensitivities, graph.Sensitivity(d.word()))
	o.DecayClass = known(graph.DecayClasses, graph.DecayClass(d.word()))
	for range d.count() {
		o.Tags = append(o.Tags, d.word())
	}
	for range d.count() {
		o.Entities = append(o.Entities, graph.ID(d.word()))
	}
	for _, x := range [...]*float64{&o.Authority, &o.Importance, &o.Confidence, &o.Salience, &o.Conflict, &o.DecayK} {
		*x = d.float()
	}
	o.Important, o.SafetyCritical = d.bool(), d.bool()
	for _, t := range [...]*time.Time{&o.CreatedAt, &o.RecordedAt, &o.OccurredAt, &o.ValidFrom, &o.ExpiresAt, &o.AnchorAt} {
		*t = d.time()
	}
	o.History = make([]graph.State, d.count())
	for i := range o.History {
		o.History[i] = graph.State{From: d.time(), Status: graph.Status(d.word()), Tier: graph.Tier(d.word()), Core: d.bool(), ValidTo: d.time()}
	}
	o.History = states(o.History)
	if len(o.History) == 0 {
		d.bad = true // no memory is without a state
	}
	o.Chain = sameBytes(graph.ID(d.text()), o.ID)
	supersedes, by, version := graph.ID(d.text()), graph.ID(d.text()), int(d.uint())
	u := graph.Usage{Count: int(d.uint()), Last: d.time()}
	for range d.count() {
		u.Days = append(u.Days, int32(d.int()))
	}
	o.trail = trailOf(supersedes, by, version, u)
	o.Asks, o.Self = d.small(), d.bool()
	o.Embedded = d.bool()
	return o
}

// held reads where a vector is, and its codes.
func (d *decoder) held() (at heldAt, r *rounded) {
	dim := d.uint()
	if dim == 0 {
		return at, nil
	}
	record, serial := d.uint(), d.uint()
	if dim > math.MaxInt32 || record > math.MaxUint32 || serial-1 >= math.MaxUint32 {
		d.bad = true
		return at, nil
	}
	at = heldAt{vectorRef{uint32(record), uint32(serial)}, uint32(dim)}
	if !d.bool() {
		return at, nil
	}
	codes := d.bytes(dim)
	if codes == nil {
		return at, nil
	}
	r = &rounded{codes: make([]uint8, kernel.Padded(int(dim)))}
	for i := copy(r.codes, codes); i < len(r.codes); i++ {
		r.codes[i] = kernel.Zero
	}
	r.quant = kernel.Quantised{Scale: d.small(), Wrong: d.small(), Norm: d.small(), Bias: int32(d.int())}
	if kernel.Sketching() && sketched(len(r.codes)) {
		r.draw() // here, for who puts it holds all up
	}
	return at, r
}

func (d *decoder) entity() *graph.Entity {
	e := &graph.Entity{ID: graph.ID(d.word()), Namespace: d.word(), User: d.word(), Name: d.word(), Canonical: d.word()}
	e.Type = known(graph.EntityTypes, graph.EntityType(d.word()))
	e.FirstSeen = d.time()
	return e
}

func (d *decoder) tie() *tie {
	x := &tie{id: graph.ID(d.text()), source: graph.ID(d.word()), target: graph.ID(d.word()), strength: d.float()}
	x.strengthAt, x.recorded, x.validFrom, x.validTo = d.int(), d.int(), d.int(), d.int()
	return x
}
