package recess

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// The manifest of a tenant says which file contains which engraving, which engravings were
// withdrawn and which memories were erased. It is a ledger of events. Its state is the sum of
// the events, in any order except for files that are replaced:
//
//   - engravings are numbered in their tenant (seq); the highest one of an id counts;
//   - an id that was withdrawn up to n has no engraving with a seq ≤ n;
//   - an erased id has no engraving at all, ever.
type manifestEvent struct {
	Intent   []string  `cbor:"1,keyasint,omitempty"` // blobs about to be written
	Added    []fileRow `cbor:"2,keyasint,omitempty"`
	Removed  [][]byte  `cbor:"3,keyasint,omitempty"` // ids of files
	Sealed   uint64    `cbor:"4,keyasint,omitempty"` // engravings up to here are in files, or do not exist any more
	Lost     []byte    `cbor:"5,keyasint,omitempty"` // id (16), seq (8): engravings that were unreadable when they were sealed
	Withdraw []byte    `cbor:"6,keyasint,omitempty"` // ids, 16 bytes each
	UpTo     uint64    `cbor:"7,keyasint,omitempty"` // of Withdraw
	Erase    []byte    `cbor:"8,keyasint,omitempty"` // ids
	Keys     []byte    `cbor:"9,keyasint,omitempty"` // data keys to destroy for the open erasures, 16 bytes each
	Done     bool      `cbor:"10,keyasint,omitempty"`
}

// fileRow is a sealed file. The engravings are in the order of its rows.
type fileRow struct {
	ID        []byte    `cbor:"1,keyasint"`
	Key       []byte    `cbor:"2,keyasint"` // of the file as a whole
	Namespace string    `cbor:"3,keyasint"`
	Day       int32     `cbor:"4,keyasint"` // days since 1970-01-01
	Size      int64     `cbor:"5,keyasint"`
	Sum       []byte    `cbor:"6,keyasint"` // SHA-256 of the sealed file
	Keys      [][]byte  `cbor:"7,keyasint"` // data keys of its segments
	Rows      []byte    `cbor:"8,keyasint"` // rowSize bytes each
	Sizes     fileSizes `cbor:"9,keyasint"`
}

// fileSizes is the sizes of the contents of a file, in bytes.
type fileSizes struct {
	Text    int64        `cbor:"1,keyasint"` // content and summaries
	Heads   int64        `cbor:"2,keyasint"` // sealed, with the vectors
	Bodies  int64        `cbor:"3,keyasint"` // sealed
	Vectors []vectorSize `cbor:"4,keyasint,omitempty"`
}

// vectorSize counts vectors of one model, length and form.
type vectorSize struct {
	Model string `cbor:"1,keyasint"`
	Dim   int    `cbor:"2,keyasint"`
	Form  int    `cbor:"3,keyasint"`
	Count int    `cbor:"4,keyasint"`
	Bytes int64  `cbor:"5,keyasint"` // of codes, norms, forms and lengths
}

// addRecord adds a record.
func (s *fileSizes) addRecord(r *record) {
	s.Text += int64(len(r.memory.Content) + len(r.memory.Summary))
	v := &r.vector
	if v.form == noVector {
		return
	}
	for i := range s.Vectors {
		if x := &s.Vectors[i]; x.Model == v.model && x.Dim == v.dim && x.Form == int(v.form) {
			x.Count, x.Bytes = x.Count+1, x.Bytes+int64(len(v.code)+vectorOverhead)
			return
		}
	}
	s.Vectors = append(s.Vectors, vectorSize{v.model, v.dim, int(v.form), 1, int64(len(v.code) + vectorOverhead)})
}

// rowSize is the length of a row in a fileRow: id (16), seq (8), version (4), first row of its
// segment (4), number of its key (4).
const rowSize = 36

// engraving is one row of a file.
type engraving struct {
	id      [16]byte
	seq     uint64
	version uint32
	first   uint32 // first row of its segment
	key     uint32 // index in the file's keys
}

func (e engraving) append(b []byte) []byte {
	b = append(b, e.id[:]...)
	b = binary.BigEndian.AppendUint64(b, e.seq)
	b = binary.BigEndian.AppendUint32(b, e.version)
	b = binary.BigEndian.AppendUint32(b, e.first)
	return binary.BigEndian.AppendUint32(b, e.key)
}

// sealedFile is a file of the archive.
type sealedFile struct {
	id         [16]byte
	key        keyID
	namespace  string
	day        int32
	size       int64
	sum        [32]byte
	keys       []keyID
	rows       []byte
	sizes      fileSizes
	name       string                    // of the blob
	vectors    atomic.Pointer[vectorSet] // its vectors, after a search needed them
	openedFile openedFile                // what was read of it
}

func (f *sealedFile) rowCount() int { return len(f.rows) / rowSize }

// engravingAt is the engraving in a row.
func (f *sealedFile) engravingAt(row int) engraving {
	b := f.rows[row*rowSize:]
	return engraving{
		id: [16]byte(b), seq: binary.BigEndian.Uint64(b[16:]), version: binary.BigEndian.Uint32(b[24:]),
		first: binary.BigEndian.Uint32(b[28:]), key: binary.BigEndian.Uint32(b[32:]),
	}
}

// blobName is {tenant}/{folder of the namespace}/{yyyy}/{mm}/{dd}/{id}.parquet.sealed.
func blobName(tenant graph.Tenant, namespace string, day int32, id [16]byte) string {
	date := time.Unix(int64(day)*86400, 0).UTC().Format("2006/01/02")
	return fmt.Sprintf("%s/%s/%s/%x.parquet.sealed", tenant, namespaceFolder(namespace), date, id)
}

// namespaceFolder is the folder of the sealed files of a namespace: a name of at most 64 letters,
// digits and underscores is the folder. Of any other the folder has the first 40 characters, with
// underscores for what a file name can't have everywhere, a hyphen, and 16 hex digits of the
// SHA-256 of the name. So no folder is in another one, and two names do not share one.
func namespaceFolder(namespace string) string {
	plain := func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}
	folder := strings.Map(plain, namespace)
	if folder == namespace && len(folder) <= 64 {
		return folder
	}
	sum := sha256.Sum256([]byte(namespace))
	return fmt.Sprintf("%s-%x", folder[:min(40, len(folder))], sum[:8])
}

func (f *sealedFile) fileRow() fileRow {
	r := fileRow{ID: f.id[:], Key: f.key[:], Namespace: f.namespace, Day: f.day, Size: f.size, Sum: f.sum[:], Rows: f.rows, Sizes: f.sizes}
	for i := range f.keys {
		r.Keys = append(r.Keys, f.keys[i][:])
	}
	return r
}

func (r *fileRow) sealedFile(tenant graph.Tenant) (*sealedFile, error) {
	if len(r.ID) != 16 || len(r.Key) != 16 || len(r.Sum) != 32 || len(r.Rows)%rowSize != 0 || !graph.ValidNamespace(r.Namespace) || r.Day < 0 {
		return nil, fmt.Errorf("%w: a file row of the manifest", graph.ErrIntegrity)
	}
	f := &sealedFile{id: [16]byte(r.ID), key: keyID(r.Key), namespace: r.Namespace, day: r.Day, size: r.Size, sum: [32]byte(r.Sum), rows: r.Rows, sizes: r.Sizes}
	for _, k := range r.Keys {
		if len(k) != 16 {
			return nil, fmt.Errorf("%w: a file row of the manifest", graph.ErrIntegrity)
		}
		f.keys = append(f.keys, keyID(k))
	}
	for i := range f.rowCount() {
		if e := f.engravingAt(i); int(e.key) >= len(f.keys) || int(e.first) > i {
			return nil, fmt.Errorf("%w: a file row of the manifest", graph.ErrIntegrity)
		}
	}
	f.name = blobName(tenant, f.namespace, f.day, f.id)
	return f, nil
}

// place is where an engraving is in the archive.
type place struct {
	file *sealedFile
	row  int32
	seq  uint64
}

// manifest is the sum of the events. After readers can see it, only orphans changes; any other
// change makes a clone that replaces it.
type manifest struct {
	tenant        graph.Tenant
	files         map[[16]byte]*sealedFile
	live          map[[16]byte]place // engravings that count
	lost          map[[16]byte]uint64
	withdrawn     map[[16]byte]uint64
	erased        map[[16]byte]bool
	sealed        uint64
	lastSeq       uint64            // highest seq in any event
	orphans       map[string]bool   // blobs that may exist and belong to no file
	condemnedKeys map[keyID]bool    // keys that an open erasure must destroy
	openErasures  map[[16]byte]bool // ids of incomplete erasures
}

func newManifest(tenant graph.Tenant) *manifest {
	return &manifest{
		tenant: tenant, files: map[[16]byte]*sealedFile{}, live: map[[16]byte]place{}, lost: map[[16]byte]uint64{},
		withdrawn: map[[16]byte]uint64{}, erased: map[[16]byte]bool{}, orphans: map[string]bool{},
		condemnedKeys: map[keyID]bool{}, openErasures: map[[16]byte]bool{},
	}
}

func splitIDs(b []byte) (ids [][16]byte) {
	for ; len(b) >= 16; b = b[16:] {
		ids = append(ids, [16]byte(b))
	}
	return ids
}

func joinIDs[T ~[16]byte](ids []T) (b []byte) {
	for i := range ids {
		b = append(b, ids[i][:]...)
	}
	return b
}

// decodeEvent decodes an event with its files.
func decodeEvent(b []byte, tenant graph.Tenant) (manifestEvent, []*sealedFile, error) {
	var e manifestEvent
	if err := cborDecoder.Unmarshal(b, &e); err != nil {
		return e, nil, fmt.Errorf("%w: an event of the manifest", graph.ErrIntegrity)
	}
	var files []*sealedFile
	for i := range e.Added {
		f, err := e.Added[i].sealedFile(tenant)
		if err != nil {
			return e, nil, err
		}
		files = append(files, f)
	}
	return e, files, nil
}

// apply adds an event; added are its files.
func (m *manifest) apply(e manifestEvent, added []*sealedFile) {
	for _, name := range e.Intent {
		m.orphans[name] = true
	}
	for _, id := range splitIDs(e.Withdraw) {
		m.withdrawn[id] = max(m.withdrawn[id], e.UpTo)
		if p, ok := m.live[id]; ok && p.seq <= e.UpTo {
			delete(m.live, id)
		}
		if m.lost[id] <= e.UpTo {
			delete(m.lost, id)
		}
	}
	for _, id := range splitIDs(e.Erase) {
		m.erased[id], m.openErasures[id] = true, true
		delete(m.live, id)
		delete(m.lost, id)
		delete(m.withdrawn, id)
	}
	for _, k := range splitIDs(e.Keys) {
		m.condemnedKeys[k] = true
	}
	for _, b := range e.Removed {
		if len(b) == 16 {
			m.removeFile([16]byte(b))
		}
	}
	for b := e.Lost; len(b) >= 24; b = b[24:] {
		id, seq := [16]byte(b), binary.BigEndian.Uint64(b[16:])
		if !m.erased[id] && m.live[id].seq < seq && m.withdrawn[id] < seq {
			m.lost[id] = max(m.lost[id], seq)
		}
		m.lastSeq = max(m.lastSeq, seq)
	}
	for _, f := range added {
		m.files[f.id] = f
		delete(m.orphans, f.name)
		for i := range f.rowCount() {
			m.addRow(f, i)
		}
	}
	m.sealed, m.lastSeq = max(m.sealed, e.Sealed), max(m.lastSeq, e.Sealed, e.UpTo)
	if e.Done {
		clear(m.openErasures)
		clear(m.condemnedKeys)
	}
}

// addRow adds a row of a file.
func (m *manifest) addRow(f *sealedFile, row int) {
	e := f.engravingAt(row)
	m.lastSeq = max(m.lastSeq, e.seq)
	if m.erased[e.id] || e.seq <= m.withdrawn[e.id] {
		return
	}
	// A file that replaces another one has the same engravings: the later one counts.
	if p, ok := m.live[e.id]; ok && p.seq > e.seq {
		return
	}
	m.live[e.id] = place{f, int32(row), e.seq}
	if m.lost[e.id] < e.seq {
		delete(m.lost, e.id)
	}
}

// clone copies what apply changes.
func (m *manifest) clone() *manifest {
	c := *m
	c.files, c.live, c.lost, c.withdrawn = maps.Clone(m.files), maps.Clone(m.live), maps.Clone(m.lost), maps.Clone(m.withdrawn)
	c.erased, c.orphans, c.condemnedKeys, c.openErasures = maps.Clone(m.erased), maps.Clone(m.orphans), maps.Clone(m.condemnedKeys), maps.Clone(m.openErasures)
	return &c
}

// compact is the manifest as few events: a snapshot.
func (m *manifest) compact() ([][]byte, error) {
	var events []manifestEvent
	for _, f := range m.sortedFiles() {
		events = append(events, manifestEvent{Added: []fileRow{f.fileRow()}})
	}
	first := manifestEvent{Sealed: m.lastSeq}
	if m.sealed < m.lastSeq {
		first = manifestEvent{Sealed: m.sealed, UpTo: m.lastSeq}
	}
	first.Intent = slices.Sorted(maps.Keys(m.orphans))
	for _, id := range sortedIDs(m.lost) {
		first.Lost = append(first.Lost, id[:]...)
		first.Lost = binary.BigEndian.AppendUint64(first.Lost, m.lost[id])
	}
	upTo := map[uint64][][16]byte{}
	for _, id := range sortedIDs(m.withdrawn) {
		upTo[m.withdrawn[id]] = append(upTo[m.withdrawn[id]], id)
	}
	var before []manifestEvent
	for _, n := range slices.Sorted(maps.Keys(upTo)) {
		before = append(before, manifestEvent{Withdraw: joinIDs(upTo[n]), UpTo: n})
	}
	// Completed erasures come first, then the mark, then the open ones.
	var done, open [][16]byte
	for _, id := range sortedIDs(m.erased) {
		if m.openErasures[id] {
			open = append(open, id)
		} else {
			done = append(done, id)
		}
	}
	if len(done) > 0 {
		before = append(before, manifestEvent{Erase: joinIDs(done), Done: true})
	}
	if len(open) > 0 || len(m.condemnedKeys) > 0 {
		before = append(before, manifestEvent{Erase: joinIDs(open), Keys: joinIDs(sortedIDs(m.condemnedKeys))})
	}
	var out [][]byte
	for _, e := range slices.Concat(before, []manifestEvent{first}, events) {
		b, err := cborEncoder.Marshal(e)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// sortedFiles lists the files by day, then id.
func (m *manifest) sortedFiles() []*sealedFile {
	return slices.SortedFunc(maps.Values(m.files), func(a, b *sealedFile) int {
		return cmp.Or(cmp.Compare(a.day, b.day), slices.Compare(a.id[:], b.id[:]))
	})
}

func sortedIDs[K ~[16]byte, V any](m map[K]V) []K {
	return slices.SortedFunc(maps.Keys(m), func(a, b K) int { return slices.Compare(a[:], b[:]) })
}

// removeFile removes a file before others replace it.
func (m *manifest) removeFile(id [16]byte) {
	f := m.files[id]
	if f == nil {
		return
	}
	for i := range f.rowCount() {
		e := f.engravingAt(i)
		if m.live[e.id].file == f {
			delete(m.live, e.id)
		}
	}
	m.orphans[f.name] = true
	delete(m.files, id)
}
