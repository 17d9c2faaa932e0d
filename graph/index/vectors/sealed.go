package vectors

import (
	"encoding/binary"
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
// was never written has none.
func (f *vectorFile) retireKey(file *os.File, record uint32) {
	if f.keys == nil || file == nil {
		return
	}
	b := make([]byte, f.recordBytes)
	if _, err := file.ReadAt(b, f.offset(record)); err != nil {
		return
	}
	sum := binary.LittleEndian.Uint64(b[len(b)-recordSumSize:])
	if binary.LittleEndian.Uint32(b) != 0 && recordDigest(b[:len(b)-recordSumSize], f.id, record) == sum {
		f.retired = append(f.retired, binary.LittleEndian.Uint64(b[recordHeadSize:]))
	}
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
