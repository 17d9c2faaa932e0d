package recess

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Sealed says what a Seal did.
type Sealed struct {
	Engrams int   // that went from the journal into files
	Lost    int   // that could not be read in the journal; their reads are INTEGRITY_FAILURE until they are appended again
	Files   int   // written
	Bytes   int64 // of the files
}

// Seal turns the tenant's journal into Parquet files, one or more a namespace and
// day. Reads and appends go on meanwhile; what is appended after it began is left
// for the next one. A crash at any step loses and doubles nothing, and calling again
// goes on. Errors: graph.ErrUnavailable where disk or storage refuse; everything is
// still in the journal then.
func (r *Recess) Seal(ctx context.Context, scope graph.Scope) (Sealed, error) {
	t, err := r.tenant(scope, false)
	if t == nil || err != nil {
		return Sealed{}, err
	}
	t.change.Lock()
	defer t.change.Unlock()
	if t.closed {
		return Sealed{}, graph.ErrClosed
	}
	if t.erasing() {
		if _, err := t.finishErasure(ctx); err != nil {
			return Sealed{}, err
		}
	}
	s, err := t.seal(ctx)
	if err == nil {
		t.sweep(ctx)
	}
	return s, err
}

// item is one engraving that is being sealed.
type item struct {
	id [16]byte
	*pending
}

// seal is Seal under the change lock.
func (t *tenant) seal(ctx context.Context) (Sealed, error) {
	journals, layers, upTo := t.freeze()
	if len(journals) == 0 {
		return Sealed{}, nil
	}
	items, lost := t.frozen(layers)
	if err := t.train(ctx, items); err != nil {
		return Sealed{}, err
	}
	w := sealing{t: t, retired: t.retired()}
	for rest := items; len(rest) > 0; {
		n, err := w.segment(ctx, rest)
		if err != nil {
			return Sealed{}, errors.Join(err, w.abandon())
		}
		rest = rest[n:]
	}
	if err := w.finish(ctx); err != nil {
		return Sealed{}, err
	}
	for id, seq := range w.lost {
		lost = append(lost, id[:]...)
		lost = binary.BigEndian.AppendUint64(lost, seq)
	}
	e := event{Sealed: upTo, Lost: lost}
	if err := t.record(e, w.files...); err != nil {
		return Sealed{}, err
	}
	s := Sealed{Lost: len(lost) / 24, Files: len(w.files)}
	for _, f := range w.files {
		s.Engrams, s.Bytes = s.Engrams+f.count(), s.Bytes+f.size
	}
	next := t.manifest.clone() // changes are under the change lock
	next.apply(e, w.files)
	t.mu.Lock()
	t.manifest, t.layers, t.journals = next, t.layers[:1:1], slices.Clone(t.journals[len(journals):])
	t.mu.Unlock()
	var err error
	for _, j := range journals {
		err = errors.Join(err, j.drop(t.r.disk))
	}
	if err != nil {
		// They hold nothing that counts: the manifest says up to where it was sealed.
		t.r.log.Warn("[ENGRAM] a sealed journal stays for now", "tenant", t.name, "error", err)
	}
	return s, nil
}

// freeze lets the next append begin another journal and answers what there is to
// seal.
func (t *tenant) freeze() ([]*journal, []map[[16]byte]*pending, uint64) {
	t.commit.Lock()
	defer t.commit.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.writer = nil
	if len(t.layers[0]) > 0 || len(t.layers) == 1 && len(t.journals) > 0 {
		t.layers = slices.Insert(t.layers, 0, map[[16]byte]*pending{})
	}
	return slices.Clone(t.journals), t.layers[1:], t.next - 1
}

// frozen lists the engravings to seal in the order of the files, and those that are
// known to be damaged as id and seq.
func (t *tenant) frozen(layers []map[[16]byte]*pending) (items []item, lost []byte) {
	seen := map[[16]byte]bool{}
	for _, layer := range layers {
		for id, p := range layer {
			if seen[id] {
				continue
			}
			seen[id] = true
			switch {
			case p.withdrawn || t.manifest.erased[id]:
			case p.damaged:
				lost = append(lost, id[:]...)
				lost = binary.BigEndian.AppendUint64(lost, p.seq)
			default:
				items = append(items, item{id, p})
			}
		}
	}
	slices.SortFunc(items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.day, b.day), slices.Compare(a.key[:], b.key[:]),
			cmp.Compare(a.space.model, b.space.model), cmp.Compare(a.space.dim, b.space.dim), cmp.Compare(a.seq, b.seq))
	})
	return items, lost
}

// sealing writes files one after the other.
type sealing struct {
	t       *tenant
	retired map[keyID]bool
	w       *fileWriter // nil between files
	files   []*sealedFile
	lost    map[[16]byte]uint64
}

// segment writes the first items that belong together and answers how many.
func (s *sealing) segment(ctx context.Context, items []item) (int, error) {
	first, n, bytes := items[0], 0, 0
	var records []*record
	for n < len(items) && n < segmentRecords && bytes < segmentBytes {
		it := items[n]
		if it.namespace != first.namespace || it.day != first.day || it.key != first.key || it.space != first.space {
			break
		}
		n++
		rec, err := s.t.readPending(it.pending)
		if errors.Is(err, graph.ErrIntegrity) {
			s.lose(it.id, it.seq, filepath.Base(it.in.path), err)
			continue
		}
		if err != nil {
			return 0, err
		}
		bytes += len(rec.memory.Content) + len(rec.memory.Summary) + len(rec.memory.Meta)
		records = append(records, rec)
	}
	if len(records) == 0 {
		return n, nil
	}
	return n, s.put(ctx, first.namespace, first.day, first.key, records)
}

// lose notes an engraving that can't be read.
func (s *sealing) lose(id [16]byte, seq uint64, file string, err error) {
	s.t.r.alarm(s.t.name, file, graph.IDFromBytes(id), err)
	if s.lost == nil {
		s.lost = map[[16]byte]uint64{}
	}
	s.lost[id] = seq
}

// put writes a segment under its key, or a new one where that is about to be
// destroyed, into the file of the namespace and day.
func (s *sealing) put(ctx context.Context, namespace string, day int32, key keyID, records []*record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	k := s.t.keys.get(key)
	if k == nil || s.retired[key] {
		name := keyName(&records[0].memory)
		keys, err := s.t.keys.of([][16]byte{name}, s.retired)
		if err != nil {
			return err
		}
		k = keys[name]
	}
	if w := s.w; w != nil && (w.f.namespace != namespace || w.f.day != day || w.f.count()+len(records) > s.t.r.options.MaxFile) {
		if err := s.finish(ctx); err != nil {
			return err
		}
	}
	if s.w == nil {
		keys, err := s.t.keys.forFiles(1)
		if err != nil {
			return err
		}
		if s.w, err = s.t.newFile(keys[0], namespace, day); err != nil {
			return err
		}
	}
	for _, r := range records {
		s.t.quantise(&r.vector)
	}
	return s.w.add(k, records)
}

// finish stores the file that is being written, announced first.
func (s *sealing) finish(ctx context.Context) error {
	if s.w == nil {
		return nil
	}
	w := s.w
	s.w = nil
	e := event{Intent: []string{w.f.name}}
	if err := s.t.record(e); err != nil {
		return errors.Join(err, w.abandon())
	}
	s.t.mu.Lock()
	s.t.manifest.apply(e, nil)
	s.t.mu.Unlock()
	f, err := w.finish(ctx)
	if err != nil {
		return err
	}
	s.files = append(s.files, f)
	return nil
}

func (s *sealing) abandon() error {
	if s.w == nil {
		return nil
	}
	w := s.w
	s.w = nil
	return w.abandon()
}
