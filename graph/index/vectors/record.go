package vectors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph/keyring"
)

// The layout of a vector file is in docs/formats/index-vectors.md.
const (
	fileMagic      = "SOMNOVEC"
	fileVersion    = 1
	sealedVersion  = 2                    // of a file whose vectors are sealed
	fileHeadSize   = 64                   // bytes before the first record
	recordHeadSize = 8                    // bytes of a record before the vector
	recordSumSize  = 8                    // bytes of the hash after it
	sealedSize     = 8 + keyring.Overhead // what sealing adds to a vector: the number of its key first
)

// ErrFile means that a vector file cannot be used.
var ErrFile = errors.New("the vector file is missing, damaged, or not the one of the snapshot")

// Keys seal vectors, each under a key of its own. *keyring.Ring implements it.
type Keys interface {
	Next() (keyring.Key, error)
	Key(number uint64) (keyring.Key, error)
	Destroy(numbers []uint64) error
}

func recordSize(dim int) int { return (recordHeadSize + 4*dim + recordSumSize + 7) &^ 7 }

// sealedRecordSize is recordSize of a sealed vector.
func sealedRecordSize(dim int) int {
	return (recordHeadSize + sealedSize + 4*dim + recordSumSize + 7) &^ 7
}

// offset returns the offset of a record in the file.
func (f *vectorFile) offset(record uint32) int64 {
	return fileHeadSize + int64(record)*int64(f.recordBytes)
}

// fileHead returns the head of a vector file.
func fileHead(version uint32, dim int, id uint64) []byte {
	b := append(make([]byte, 0, fileHeadSize), fileMagic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, uint32(dim))
	b = binary.LittleEndian.AppendUint64(b, id)
	b = b[:fileHeadSize-8]
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
}

// appendRecord appends a vector as the record of a reference.
func appendRecord(b []byte, id uint64, r recordRef, v []float32) []byte {
	from := len(b)
	b = binary.LittleEndian.AppendUint32(b, r.Serial)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	b = append(b, make([]byte, recordSize(len(v))-recordSumSize-(len(b)-from))...)
	return binary.LittleEndian.AppendUint64(b, recordDigest(b[from:], id, r.Record))
}

// recordDigest returns the hash of a record; it depends on the file id and the record number.
func recordDigest(b []byte, id uint64, record uint32) uint64 {
	return xxhash.Sum64(b) ^ id*0x9e3779b97f4a7c15 ^ uint64(record)*0xbf58476d1ce4e5b9
}

// decodeRecord returns the vector in the bytes of a record, nil if they do not belong to the
// reference. The vector uses b if the machine's byte order and alignment allow it.
func decodeRecord(b []byte, id uint64, r recordRef) []float32 {
	body, sum := b[:len(b)-recordSumSize], binary.LittleEndian.Uint64(b[len(b)-recordSumSize:])
	dim := binary.LittleEndian.Uint32(b[4:])
	if binary.LittleEndian.Uint32(b) != r.Serial || recordSize(int(dim)) != len(b) || recordDigest(body, id, r.Record) != sum {
		return nil
	}
	body = body[recordHeadSize : recordHeadSize+4*int(dim)]
	if littleEndian && uintptr(unsafe.Pointer(&body[0]))%4 == 0 {
		return unsafe.Slice((*float32)(unsafe.Pointer(&body[0])), dim)
	}
	v := make([]float32, dim)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	return v
}

// littleEndian reports whether the machine has the byte order of the file.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// createFile creates an empty vector file.
func createFile(path string, version uint32, dim int, id uint64) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("index: directory of the vectors: %w", err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("index: create a vector file: %w", err)
	}
	if _, err := file.WriteAt(fileHead(version, dim, id), 0); err != nil {
		return nil, errors.Join(fmt.Errorf("index: create a vector file: %w", err), file.Close(), removeIfExists(path))
	}
	return file, nil
}

// restoringFile is a vector file whose records are claimed by the memories of a snapshot.
type restoringFile struct {
	target *vectorFile
	file   *os.File // nil: the snapshot has no records of it
}

// restore opens the file, which must have the id and at least the given number of records.
// Records that are not claimed before [restoringFile.finish] become free.
func (f *vectorFile) restore(records, last uint32) (*restoringFile, error) {
	r := &restoringFile{target: f}
	f.serials, f.lastSerial = make([]uint32, records), last
	if records == 0 {
		return r, nil
	}
	file, err := os.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(ErrFile, err)
	}
	head := make([]byte, fileHeadSize)
	info, err := file.Stat()
	if err == nil {
		_, err = file.ReadAt(head, 0)
	}
	if err != nil || string(head) != string(fileHead(f.version(), f.dim, f.id)) || info.Size() < f.offset(records) {
		return nil, errors.Join(ErrFile, err, file.Close())
	}
	r.file = file
	return r, nil
}

// claim marks a record as used by a memory. It returns false if that is impossible.
func (r *restoringFile) claim(ref recordRef) bool {
	if ref.Serial == 0 || int(ref.Record) >= len(r.target.serials) || r.target.serials[ref.Record] != 0 {
		return false
	}
	r.target.serials[ref.Record] = ref.Serial
	return true
}

// finish overwrites the unclaimed records and truncates the file after the last record of the
// snapshot. Records written after the snapshot have no known owner, and their owner may have
// been forgotten since.
func (r *restoringFile) finish() error {
	f := r.target
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
	f.end = f.offset(uint32(len(f.serials)))
	f.unwiped, f.synced = slices.Clone(f.free), false
	if err := f.retireFrom(r.file, uint32(len(f.serials))); err != nil {
		return err
	}
	info, err := r.file.Stat()
	if err == nil && info.Size() != f.end { // a whole file stays untouched
		err = r.file.Truncate(f.end)
	}
	if err != nil {
		return fmt.Errorf("index: truncate a vector file: %w", err)
	}
	if err := f.wipeAndSync(); err != nil {
		return err
	}
	f.loadPages(r.file)
	return nil
}

// removeIfExists removes a file if it exists.
func removeIfExists(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
