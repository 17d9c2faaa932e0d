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

// Sealed is the result of a Seal.
type Sealed struct {
	Engrams int   // moved from the journal into files
	Lost    int   // unreadable in the journal; reading them returns INTEGRITY_FAILURE until they are appended again
	Files   int   // written
	Bytes   int64 // of the files
}

// Seal turns the tenant's journal into Parquet files, one or more per namespace and day. Reads
// and appends continue meanwhile; what is appended after it began is left for the next Seal. A
// crash at any step loses and duplicates nothing, and calling again continues. Errors:
// graph.ErrUnavailable if disk or storage fail; everything is still in the journal then.
func (r *Recess) Seal(ctx context.Context, scope graph.Scope) (Sealed, error) {
	t, err := r.tenant(scope, false)
	if t == nil || err != nil {
		return Sealed{}, err
	}
	t.changeMu.Lock()
	defer t.changeMu.Unlock()
	if t.closed {
		return Sealed{}, graph.ErrClosed
	}
	if t.erasing() {
		if _, err := t.finishErasure(ctx); err != nil {
			return Sealed{}, err
		}
	}
	s, err := t.sealJournals(ctx)
	if err == nil {
		t.deleteOrphans(ctx)
	}
	return s, err
}

// sealItem is one engraving that is being sealed.
type sealItem struct {
	id [16]byte
	*journalEntry
}

// sealJournals is Seal under changeMu.
func (t *tenant) sealJournals(ctx context.Context) (Sealed, error) {
	journals, layers, upTo := t.freezeJournals()
	if len(journals) == 0 {
		return Sealed{}, nil
	}
	items, lost := t.itemsToSeal(layers)
	if err := t.trainCodebooks(ctx, items); err != nil {
		return Sealed{}, err
	}
	w := sealWriter{tenant: t, condemned: t.condemnedKeys()}
	for rest := items; len(rest) > 0; {
		n, err := w.writeSegment(ctx, rest)
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
	e := manifestEvent{Sealed: upTo, Lost: lost}
	if err := t.recordEvent(e, w.files...); err != nil {
		return Sealed{}, err
	}
	s := Sealed{Lost: len(lost) / 24, Files: len(w.files)}
	for _, f := range w.files {
		s.Engrams, s.Bytes = s.Engrams+f.rowCount(), s.Bytes+f.size
	}
	next := t.manifest.clone() // changeMu serialises changes
	next.apply(e, w.files)
	t.mu.Lock()
	t.manifest, t.journalLayers, t.journals = next, t.journalLayers[:1:1], slices.Clone(t.journals[len(journals):])
	t.mu.Unlock()
	var err error
	for _, j := range journals {
		err = errors.Join(err, j.drop(t.recess.disk))
	}
	if err != nil {
		// Their engravings are already in files: the manifest records how far they were sealed.
		t.recess.log.Warn("[ENGRAM] a sealed journal can't be removed yet", "tenant", t.name, "error", err)
	}
	return s, nil
}

// freezeJournals makes the next append begin another journal and returns what there is to
// seal.
func (t *tenant) freezeJournals() ([]*journal, []map[[16]byte]*journalEntry, uint64) {
	t.commitMu.Lock()
	defer t.commitMu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.activeJournal = nil
	if len(t.journalLayers[0]) > 0 || len(t.journalLayers) == 1 && len(t.journals) > 0 {
		t.journalLayers = slices.Insert(t.journalLayers, 0, map[[16]byte]*journalEntry{})
	}
	return slices.Clone(t.journals), t.journalLayers[1:], t.nextSeq - 1
}

// itemsToSeal lists the engravings to seal in the order of the files, and the damaged ones as
// id and seq.
func (t *tenant) itemsToSeal(layers []map[[16]byte]*journalEntry) (items []sealItem, lost []byte) {
	for id, p := range newestEntries(layers) {
		switch {
		case p.withdrawn || t.manifest.erased[id]:
		case p.damaged:
			lost = append(lost, id[:]...)
			lost = binary.BigEndian.AppendUint64(lost, p.seq)
		default:
			items = append(items, sealItem{id, p})
		}
	}
	slices.SortFunc(items, func(a, b sealItem) int {
		return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.day, b.day), slices.Compare(a.key[:], b.key[:]),
			cmp.Compare(a.vectorSpace.model, b.vectorSpace.model), cmp.Compare(a.vectorSpace.dim, b.vectorSpace.dim), cmp.Compare(a.seq, b.seq))
	})
	return items, lost
}

// sealWriter writes files one after the other.
type sealWriter struct {
	tenant    *tenant
	condemned map[keyID]bool
	file      *fileWriter // nil between files
	files     []*sealedFile
	lost      map[[16]byte]uint64
}

// writeSegment writes the first items that belong together and returns how many.
func (s *sealWriter) writeSegment(ctx context.Context, items []sealItem) (int, error) {
	first, n, bytes := items[0], 0, 0
	var records []*record
	for n < len(items) && n < segmentRecords && bytes < segmentBytes {
		it := items[n]
		if it.namespace != first.namespace || it.day != first.day || it.key != first.key || it.vectorSpace != first.vectorSpace {
			break
		}
		n++
		rec, err := s.tenant.readEntry(it.journalEntry)
		if errors.Is(err, graph.ErrIntegrity) {
			s.addLost(it.id, it.seq, filepath.Base(it.journal.path), err)
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
	return n, s.putSegment(ctx, first.namespace, first.day, first.key, records)
}

// addLost records an unreadable engraving.
func (s *sealWriter) addLost(id [16]byte, seq uint64, file string, err error) {
	s.tenant.recess.alarm(s.tenant.name, file, graph.IDFromBytes(id), err)
	if s.lost == nil {
		s.lost = map[[16]byte]uint64{}
	}
	s.lost[id] = seq
}

// putSegment writes a segment into the file of the namespace and day, under its key, or under
// a new one if that is about to be destroyed.
func (s *sealWriter) putSegment(ctx context.Context, namespace string, day int32, key keyID, records []*record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	k := s.tenant.keys.get(key)
	if k == nil || s.condemned[key] {
		name := keyName(&records[0].memory)
		keys, err := s.tenant.keys.keysFor([][16]byte{name}, s.condemned)
		if err != nil {
			return err
		}
		k = keys[name]
	}
	if w := s.file; w != nil && (w.file.namespace != namespace || w.file.day != day || w.file.rowCount()+len(records) > s.tenant.recess.options.MaxFile) {
		if err := s.finish(ctx); err != nil {
			return err
		}
	}
	if s.file == nil {
		keys, err := s.tenant.keys.forFiles(1)
		if err != nil {
			return err
		}
		if s.file, err = s.tenant.newFile(keys[0], namespace, day); err != nil {
			return err
		}
	}
	for _, r := range records {
		s.tenant.quantise(&r.vector)
	}
	return s.file.addSegment(k, records)
}

// finish stores the file that is being written, after recording its name.
func (s *sealWriter) finish(ctx context.Context) error {
	if s.file == nil {
		return nil
	}
	w := s.file
	s.file = nil
	e := manifestEvent{Intent: []string{w.file.name}}
	if err := s.tenant.recordEvent(e); err != nil {
		return errors.Join(err, w.abandon())
	}
	s.tenant.mu.Lock()
	s.tenant.manifest.apply(e, nil)
	s.tenant.mu.Unlock()
	f, err := w.finish(ctx)
	if err != nil {
		return err
	}
	s.files = append(s.files, f)
	return nil
}

func (s *sealWriter) abandon() error {
	if s.file == nil {
		return nil
	}
	w := s.file
	s.file = nil
	return w.abandon()
}
