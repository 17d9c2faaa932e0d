package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// The layout of a file of vectors is in docs/formats/index-vectors.md.
const (
	vectorsMagic   = "SOMNOVEC"
	vectorsVersion = 1
	vectorsHead    = 64 // bytes before the first record
	recordHead     = 8  // bytes of a record before the vector
	recordSum      = 8  // and behind it
)

// errVectors is why a file of vectors cannot be used.
var errVectors = errors.New("the file of vectors is missing, another one, or damaged")

func recordSize(dim int) int { return (recordHead + 4*dim + recordSum + 7) &^ 7 }

// at is where a record lies in the file.
func (f *vectorFile) at(record uint32) int64 { return vectorsHead + int64(record)*int64(f.size) }

// headOf is what a file of vectors begins with.
func headOf(dim int, id uint64) []byte {
	b := append(make([]byte, 0, vectorsHead), vectorsMagic...)
	b = binary.LittleEndian.AppendUint32(b, vectorsVersion)
	b = binary.LittleEndian.AppendUint32(b, uint32(dim))
	b = binary.LittleEndian.AppendUint64(b, id)
	b = b[:vectorsHead-8]
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
}

// appendRecord writes a vector as the record of a reference.
func appendRecord(b []byte, id uint64, r vectorRef, v []float32) []byte {
	from := len(b)
	b = binary.LittleEndian.AppendUint32(b, r.serial)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	b = append(b, make([]byte, recordSize(len(v))-recordSum-(len(b)-from))...)
	return binary.LittleEndian.AppendUint64(b, recordDigest(b[from:], id, r.record))
}

// recordDigest is the sum of a record, which its file and its place belong to.
func recordDigest(b []byte, id uint64, record uint32) uint64 {
	return xxhash.Sum64(b) ^ id*0x9e3779b97f4a7c15 ^ uint64(record)*0xbf58476d1ce4e5b9
}

// openRecord is the vector in the bytes of a record, nil where they are not those of the
// reference. It lies in b where the machine's numbers do.
func openRecord(b []byte, id uint64, r vectorRef) []float32 {
	body, sum := b[:len(b)-recordSum], binary.LittleEndian.Uint64(b[len(b)-recordSum:])
	dim := binary.LittleEndian.Uint32(b[4:])
	if binary.LittleEndian.Uint32(b) != r.serial || recordSize(int(dim)) != len(b) || recordDigest(body, id, r.record) != sum {
		return nil
	}
	body = body[recordHead : recordHead+4*int(dim)]
	if littleEndian && uintptr(unsafe.Pointer(&body[0]))%4 == 0 {
		return unsafe.Slice((*float32)(unsafe.Pointer(&body[0])), dim)
	}
	v := make([]float32, dim)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	return v
}

// littleEndian reports whether the machine writes numbers as the file does.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// createVectors makes an empty file of vectors.
func createVectors(path string, dim int, id uint64) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("index: folder of the vectors: %w", err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("index: make a file of vectors: %w", err)
	}
	if _, err := file.WriteAt(headOf(dim, id), 0); err != nil {
		return nil, errors.Join(fmt.Errorf("index: make a file of vectors: %w", err), file.Close(), discard(path))
	}
	return file, nil
}

// restoring is a file of vectors whose records are claimed by the memories of a snapshot.
type restoring struct {
	f    *vectorFile
	file *os.File // nil: there is none and nothing is in it
}

// restoreVectors opens the file of an id with at least so many records. What is not claimed
// until [restoring.finish] is free.
func (f *vectorFile) restore(records, last uint32) (*restoring, error) {
	r := &restoring{f: f}
	f.serials, f.last = make([]uint32, records), last
	if records == 0 {
		return r, nil
	}
	file, err := os.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(errVectors, err)
	}
	head := make([]byte, vectorsHead)
	info, err := file.Stat()
	if err == nil {
		_, err = file.ReadAt(head, 0)
	}
	if err != nil || string(head) != string(headOf(f.dim, f.id)) || info.Size() < f.at(records) {
		return nil, errors.Join(errVectors, err, file.Close())
	}
	r.file = file
	return r, nil
}

// claim says that a memory has the record. It answers false where that cannot be.
func (r *restoring) claim(ref vectorRef) bool {
	if ref.serial == 0 || int(ref.record) >= len(r.f.serials) || r.f.serials[ref.record] != 0 {
		return false
	}
	r.f.serials[ref.record] = ref.serial
	return true
}

// finish overwrites what nobody claimed and cuts off what lies behind: what was written
// after the snapshot belongs to nobody that is known of, and to somebody who may since
// have been forgotten.
func (r *restoring) finish() error {
	f := r.f
	for n, serial := range f.serials {
		if serial == 0 {
			f.free = append(f.free, uint32(n))
		}
	}
	pages := make([]*vectorPage, (len(f.serials)+pageRecords-1)/pageRecords)
	for i := range pages {
		pages[i] = &vectorPage{}
	}
	f.pages.Store(&pages)
	if r.file == nil {
		return nil
	}
	f.file.Store(r.file)
	f.end = f.at(uint32(len(f.serials)))
	f.unwiped, f.synced = slices.Clone(f.free), false
	if err := r.file.Truncate(f.end); err != nil {
		return fmt.Errorf("index: cut off vectors: %w", err)
	}
	if err := f.settle(); err != nil {
		return err
	}
	f.warm(r.file)
	return nil
}
