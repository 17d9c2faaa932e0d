package recess

import (
	"crypto/cipher"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph"
)

// A journal holds engravings until they are sealed into a file. Its name is the first seq
// that it may contain, 16 hex digits. One frame is one engraving: seq, id of the memory, data
// key, and the record sealed by that key. Its header has the magic "SGjn" and the first seq.
const (
	journalMagic  = "SGjn"
	journalEnding = ".log"
)

// journalRow is a record in the journal.
type journalRow struct {
	Head  headRow `cbor:"1,keyasint"`
	Body  bodyRow `cbor:"2,keyasint"`
	Dim   int     `cbor:"3,keyasint,omitempty"`
	Code  []byte  `cbor:"4,keyasint,omitempty"` // float16
	Norm  float32 `cbor:"5,keyasint,omitempty"`
	Model string  `cbor:"6,keyasint,omitempty"`
}

// journal is one journal file. Reads and writes run concurrently; closing waits for reads.
type journal struct {
	path  string
	first uint64
	mu    sync.RWMutex // read-locked during reads of the file
	file  file         // nil after it was dropped
	size  int64        // acknowledged bytes
}

// journalEntry is an engraving in the journal.
type journalEntry struct {
	journal *journal
	at      int64
	size    int64
	seq     uint64
	key     keyID
	damaged bool
	// withdrawn: the engraving was revoked; it does not count, but an erasure must know it.
	withdrawn bool
	older     *journalEntry // the previous engraving of the same id in the journal

	// Set unless damaged.
	version     int
	namespace   string
	day         int32
	vectorSpace vectorSpace // zero without a vector
	sum         string
	vectors     atomic.Pointer[vectorSet] // its vector, after a search needed it
}

// describe copies the fields of a record.
func (p *journalEntry) describe(r *record) {
	p.version, p.namespace, p.sum = r.memory.Version, r.memory.Namespace, r.memory.Checksum
	p.day, p.vectorSpace = graph.Day(r.engravedAt), r.vector.vectorSpace()
}

// createJournal makes an empty journal, durably.
func createJournal(d disk, dir string, first uint64) (*journal, error) {
	j := &journal{path: filepath.Join(dir, fmt.Sprintf("%016x", first)+journalEnding), first: first, size: logHeader}
	if err := replaceFile(d, j.path, logHead(journalMagic, first), false); err != nil {
		return nil, err
	}
	var err error
	j.file, err = d.Open(j.path)
	return j, err
}

// listJournals lists the files of a directory, oldest first, and removes incomplete ones that
// a crash left.
func listJournals(d disk, dir string) ([]*journal, error) {
	entries, err := d.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []*journal
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.name, journalEnding)
		first, err := strconv.ParseUint(name, 16, 64)
		switch {
		case strings.HasSuffix(e.name, ".new"):
			if err := shredFile(d, filepath.Join(dir, e.name)); err != nil {
				return nil, err
			}
		case ok && err == nil && len(name) == 16:
			list = append(list, &journal{path: filepath.Join(dir, e.name), first: first})
		}
	}
	return list, nil
}

// open reads the journal and calls fn for each frame. It then cuts off the rest of a torn
// write at the end. It returns the number of gaps without frames, including an end that is
// more than a torn write.
func (j *journal) open(d disk, fn func(foundFrame) error) (lost int, err error) {
	if j.file, err = d.Open(j.path); err != nil {
		return 0, err
	}
	size, err := j.file.Size()
	if err != nil {
		return 0, err
	}
	header := make([]byte, min(size, logHeader))
	if err := readFull(j.file, header, 0); err != nil {
		return 0, err
	}
	// The header repeats what the name says, so damage to it loses nothing.
	if _, _, err := parseLogHead(header, journalMagic, "the journal"); err != nil {
		return 0, err
	}
	s, err := scanFrames(j.file, logHeader, size, fn)
	if err != nil {
		return 0, err
	}
	lost, j.size = s.gaps, s.end
	if s.rest > 0 {
		whole, err := j.isTornAppend(s)
		if err != nil {
			return 0, err
		}
		if !whole {
			// The rest is longer than a head and has no valid head: damage, and not blocks that
			// a crash left unwritten, which are zeros.
			lost++
		}
		err = errors.Join(j.file.Truncate(s.end), j.file.Sync())
		if err != nil {
			return 0, err
		}
	}
	return lost, nil
}

// isTornAppend reports whether the rest after the last frame can come from an interrupted
// append: less than a head, a head with less than its payload, or zeros.
func (j *journal) isTornAppend(s scanResult) (bool, error) {
	if s.rest < frameHead {
		return true, nil
	}
	head := make([]byte, frameHead)
	if err := readFull(j.file, head, s.end); err != nil {
		return false, err
	}
	if _, _, _, ok := parseHead(head); ok {
		return true, nil
	}
	for _, b := range head {
		if b != 0 {
			return false, nil
		}
	}
	return true, nil
}

// append writes frames after the last one and syncs them. It removes partly written frames.
func (j *journal) append(b []byte) error {
	_, err := j.file.WriteAt(b, j.size)
	if err = errors.Join(err, j.file.Sync()); err != nil {
		return errors.Join(err, j.file.Truncate(j.size), j.file.Sync())
	}
	j.size += int64(len(b))
	return nil
}

var errDropped = errors.New("recess: the journal was sealed")

// read returns the frame at a place, or errDropped.
func (j *journal) read(at, size int64) (frame, error) {
	j.mu.RLock()
	defer j.mu.RUnlock()
	if j.file == nil {
		return frame{}, errDropped
	}
	b := make([]byte, size)
	if err := readFull(j.file, b, at); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%w: the journal is cut short", graph.ErrIntegrity)
		}
		return frame{}, err
	}
	f, length, sum, ok := parseHead(b)
	if !ok || int64(frameHead+length) != size || xxhash.Sum64(b[frameHead:]) != sum {
		return frame{}, fmt.Errorf("%w: a frame of the journal", graph.ErrIntegrity)
	}
	f.payload = b[frameHead:]
	return f, nil
}

// drop closes and removes the journal.
func (j *journal) drop(d disk) error {
	return errors.Join(j.close(), d.Remove(j.path))
}

func (j *journal) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	f := j.file
	j.file = nil
	return f.Close()
}

func journalAD(tenant graph.Tenant, id [16]byte, seq uint64) []byte {
	return joinParts("journal", string(tenant), string(id[:]), be64(seq))
}

// journalFrame seals a record as the frame seq.
func journalFrame(r *record, tenant graph.Tenant, k *dataKey, random io.Reader) (frame, error) {
	h, b, err := r.encodeRows()
	if err != nil {
		return frame{}, err
	}
	plain, err := cborEncoder.Marshal(journalRow{Head: h, Body: b, Dim: r.vector.dim, Code: r.vector.code, Norm: r.vector.norm, Model: r.vector.model})
	if err != nil {
		return frame{}, err
	}
	f := frame{seq: r.seq, id: [16]byte(h.ID), key: k.id}
	f.payload, err = seal(k.aead, random, plain, journalAD(tenant, f.id, f.seq))
	return f, err
}

// decodeFrame returns the record in a frame.
func decodeFrame(f frame, tenant graph.Tenant, a cipher.AEAD) (*record, error) {
	plain, err := unseal(a, f.payload, journalAD(tenant, f.id, f.seq))
	if err != nil {
		return nil, err
	}
	var row journalRow
	if err := cborDecoder.Unmarshal(plain, &row); err != nil {
		return nil, fmt.Errorf("%w: a record of the journal", graph.ErrIntegrity)
	}
	r, err := recordOf(&row.Head, &row.Body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", graph.ErrIntegrity, err)
	}
	if row.Dim > 0 {
		r.vector = vector{form: asFloat16, model: row.Model, dim: row.Dim, code: row.Code, norm: row.Norm}
	}
	if r.memory.ID != graph.IDFromBytes(f.id) || r.seq != f.seq || !r.checksumMatches() {
		return nil, fmt.Errorf("%w: a record of the journal does not match its frame", graph.ErrIntegrity)
	}
	return r, nil
}
