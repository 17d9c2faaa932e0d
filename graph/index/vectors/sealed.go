package vectors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"unsafe"
)

// version is the version of the file's layout.
func (f *vectorFile) version() uint32 {
	if f.keys != nil {
		return sealedVersion
	}
	return fileVersion
}

// encodeRecord appends a vector as the record of a reference; it is sealed if the file has keys.
func (f *vectorFile) encodeRecord(b []byte, r recordRef, v []float32) ([]byte, error) {
	if f.keys == nil {
		return appendRecord(b, f.id, r, v), nil
	}
	k, err := f.keys.Next()
	if err != nil {
		return nil, fmt.Errorf("index: key of a vector: %w", err)
	}
	from := len(b)
	b = binary.LittleEndian.AppendUint32(b, r.Serial)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
	b = binary.LittleEndian.AppendUint64(b, k.Number)
	if b, err = k.Seal(b, vectorBytes(v), b[from:from+recordHeadSize]); err != nil {
		return nil, fmt.Errorf("index: seal a vector: %w", err)
	}
	b = append(b, make([]byte, f.recordBytes-recordSumSize-(len(b)-from))...)
	return binary.LittleEndian.AppendUint64(b, recordDigest(b[from:], f.id, r.Record)), nil
}

// decode returns the vector in the bytes of a record, nil if they do not belong to the reference
// or the key was destroyed. The vector of an unsealed record may use b.
func (f *vectorFile) decode(b []byte, r recordRef) []float32 {
	if f.keys == nil {
		return decodeRecord(b, f.id, r)
	}
	body, sum := b[:len(b)-recordSumSize], binary.LittleEndian.Uint64(b[len(b)-recordSumSize:])
	if binary.LittleEndian.Uint32(b) != r.Serial || recordDigest(body, f.id, r.Record) != sum {
		return nil
	}
	k, err := f.keys.Key(binary.LittleEndian.Uint64(b[recordHeadSize:]))
	if err != nil {
		return nil
	}
	sealed := body[recordHeadSize+8 : recordHeadSize+sealedSize+4*f.dim]
	v := make([]float32, f.dim)
	to := unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 4*f.dim)[:0]
	if _, err := k.Open(to, sealed, b[:recordHeadSize]); err != nil {
		return nil
	}
	if !littleEndian {
		for i, raw := 0, to[:4*f.dim]; i < f.dim; i++ {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		}
	}
	return v
}

// vectorBytes is a vector as it is stored.
func vectorBytes(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// retireKey remembers the key of a record whose bytes are about to be overwritten. A record that
// was never written has none. Only a key that opens its record counts: a number that was damaged or forged
// may be that of a key that is in use.
func (f *vectorFile) retireKey(file *os.File, record uint32) {
	if f.keys == nil || file == nil {
		return
	}
	b := make([]byte, f.recordBytes)
	if _, err := file.ReadAt(b, f.offset(record)); err != nil {
		return
	}
	if serial := binary.LittleEndian.Uint32(b); serial != 0 && f.decode(b, recordRef{record, serial}) != nil {
		f.retired = append(f.retired, binary.LittleEndian.Uint64(b[recordHeadSize:]))
	}
}

// retireFrom is retireKey for the records from one on, which no memory uses.
func (f *vectorFile) retireFrom(file *os.File, first uint32) error {
	if f.keys == nil {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("index: size of a vector file: %w", err)
	}
	for n := first; f.offset(n)+int64(f.recordBytes) <= info.Size(); n++ {
		b := make([]byte, f.recordBytes)
		if _, err := file.ReadAt(b, f.offset(n)); err != nil {
			return fmt.Errorf("index: read a vector file: %w", err)
		}
		if serial := binary.LittleEndian.Uint32(b); serial != 0 && f.decode(b, recordRef{n, serial}) != nil {
			f.retired = append(f.retired, binary.LittleEndian.Uint64(b[recordHeadSize:]))
		}
	}
	return nil
}

// destroyKeys destroys the keys of all records of a file that is about to be removed.
func (s *Files) destroyKeys(name string, dim int) error {
	if s.Keys == nil || dim <= 0 {
		return nil
	}
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("index: open a vector file: %w", err)
	}
	defer file.Close()
	head := make([]byte, fileHeadSize)
	if _, err := file.ReadAt(head, 0); err != nil {
		return nil //nolint:nilerr // it is cut, and has no records
	}
	f := newVectorFile(dim, name, binary.LittleEndian.Uint64(head[len(fileMagic)+8:]), s.FileOptions)
	if string(head) != string(fileHead(f.version(), dim, f.id)) {
		return nil
	}
	return errors.Join(f.retireFrom(file, 0), f.destroyRetired())
}

// destroyRetired destroys the keys of overwritten records.
func (f *vectorFile) destroyRetired() error {
	if len(f.retired) == 0 {
		return nil
	}
	if err := f.keys.Destroy(f.retired); err != nil {
		return fmt.Errorf("index: destroy the keys of vectors: %w", err)
	}
	f.retired = nil
	return nil
}
