package index

import (
	"encoding/binary"
	"io"
	"math"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph/keyring"
)

// decoder reads sections of a file, and values from the current section. It never reads beyond
// the end of a section. After the first error, failed stays set.
type decoder struct {
	file    io.ReaderAt
	key     *keyring.Key // of the file; nil: it is not sealed
	buf     []byte
	pageBuf []byte   // the whole section, of which buf is a part; reused
	words   []string // repeated strings of this section
	failed  bool
}

// section is the location of a section in a snapshot.
type section struct {
	kind byte
	at   int64 // offset of its head
	size int64 // size of its payload
}

// A section is a head of kind and length, a payload and a hash.
const sectionHeadSize, sectionSumSize = 9, 8

// findSections finds the sections of a snapshot without reading their payloads. whole is false
// if the file is truncated.
func findSections(f io.ReaderAt, from, end int64) (all []section, whole bool) {
	for from < end {
		var head [sectionHeadSize]byte
		if _, err := f.ReadAt(head[:], from); err != nil {
			return nil, false
		}
		size := binary.LittleEndian.Uint64(head[1:])
		if size > uint64(end) || from+sectionHeadSize+int64(size)+sectionSumSize > end {
			return nil, false
		}
		all = append(all, section{head[0], from, int64(size)})
		from += sectionHeadSize + int64(size) + sectionSumSize
	}
	return all, true
}

// openSection reads a section and checks its hash.
func (d *decoder) openSection(s section) bool {
	size := sectionHeadSize + s.size + sectionSumSize
	if int64(cap(d.pageBuf)) < size {
		d.pageBuf = make([]byte, size)
	}
	page := d.pageBuf[:size]
	if _, err := d.file.ReadAt(page, s.at); err != nil && err != io.EOF {
		d.failed = true
	}
	page, sum := page[:size-sectionSumSize], page[size-sectionSumSize:]
	if d.failed || page[0] != s.kind || int64(binary.LittleEndian.Uint64(page[1:])) != s.size || xxhash.Sum64(page) != binary.LittleEndian.Uint64(sum) {
		d.failed = true
		return false
	}
	d.buf, d.words = page[sectionHeadSize:], d.words[:0]
	if d.key != nil {
		payload, err := d.key.Open(make([]byte, 0, len(d.buf)), d.buf, sectionPlace(s.kind, s.at))
		d.buf, d.failed = payload, err != nil
	}
	return !d.failed
}

// bytes returns the next n bytes of the section. They are valid until the next section is
// opened.
func (d *decoder) bytes(n uint64) []byte {
	if d.failed || n > uint64(len(d.buf)) {
		d.failed = true
		return nil
	}
	b := d.buf[:n]
	d.buf = d.buf[n:]
	return b
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.buf)
	if d.failed || n <= 0 {
		d.failed = true
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.buf)
	if d.failed || n <= 0 {
		d.failed = true
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

// length reads the number of elements of a list. Each element takes at least one byte, so a
// length above the remaining size is an error.
func (d *decoder) length() int {
	n := d.uvarint()
	if n > uint64(len(d.buf)) {
		d.failed = true
		return 0
	}
	return int(n)
}

func (d *decoder) float64() float64 {
	if b := d.bytes(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (d *decoder) float32() float32 {
	if b := d.bytes(4); b != nil {
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (d *decoder) bool() bool {
	b := d.bytes(1)
	return b != nil && b[0] == 1
}

func (d *decoder) text() string { return string(d.bytes(d.uvarint())) }

func (d *decoder) repeatedText() string {
	n := d.uvarint()
	if n == 0 {
		s := d.text()
		d.words = append(d.words, s)
		return s
	}
	if n > uint64(len(d.words)) {
		d.failed = true
		return ""
	}
	return d.words[n-1]
}

func (d *decoder) time() time.Time {
	ms := d.varint()
	if ms == math.MinInt64 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
