package index

import (
	"encoding/binary"
	"io"
	"math"
	"time"

	"github.com/cespare/xxhash/v2"
)

// decoder reads sections, and values out of the one at hand. It never reads more
// than is there; bad sticks.
type decoder struct {
	r     io.Reader
	left  int64
	buf   []byte
	page  []byte   // what buf is a part of, used again
	known []string // strings of this section
	bad   bool
}

// take fills b from the file.
func (d *decoder) take(b []byte) bool {
	if d.bad || int64(len(b)) > d.left {
		d.bad = true
		return false
	}
	if _, err := io.ReadFull(d.r, b); err != nil {
		d.bad = true
		return false
	}
	d.left -= int64(len(b))
	return true
}

// section reads the next section and checks its hash.
func (d *decoder) section() byte {
	var head [9]byte
	if !d.take(head[:]) {
		return 0
	}
	size := binary.LittleEndian.Uint64(head[1:])
	if size > uint64(d.left) {
		d.bad = true
		return 0
	}
	if uint64(cap(d.page)) < size {
		d.page = make([]byte, size)
	}
	d.buf = d.page[:size]
	var sum [8]byte
	if !d.take(d.buf) || !d.take(sum[:]) {
		return 0
	}
	h := xxhash.New()
	_, _ = h.Write(head[:]) // a hash never fails
	_, _ = h.Write(d.buf)
	if h.Sum64() != binary.LittleEndian.Uint64(sum[:]) {
		d.bad = true
		return 0
	}
	d.known = d.known[:0]
	return head[0]
}

// bytes are the next n bytes of the section, valid until the next one.
func (d *decoder) bytes(n uint64) []byte {
	if d.bad || n > uint64(len(d.buf)) {
		d.bad = true
		return nil
	}
	b := d.buf[:n]
	d.buf = d.buf[n:]
	return b
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.buf)
	if d.bad || n <= 0 {
		d.bad = true
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.buf)
	if d.bad || n <= 0 {
		d.bad = true
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

// count is a length of something of which each takes at least one byte.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.buf)) {
		d.bad = true
		return 0
	}
	return int(n)
}

func (d *decoder) float() float64 {
	if b := d.bytes(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (d *decoder) small() float32 {
	if b := d.bytes(4); b != nil {
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (d *decoder) bool() bool {
	b := d.bytes(1)
	return b != nil && b[0] == 1
}

func (d *decoder) text() string { return string(d.bytes(d.uint())) }

func (d *decoder) word() string {
	n := d.uint()
	if n == 0 {
		s := d.text()
		d.known = append(d.known, s)
		return s
	}
	if n > uint64(len(d.known)) {
		d.bad = true
		return ""
	}
	return d.known[n-1]
}

func (d *decoder) time() time.Time {
	ms := d.int()
	if ms == math.MinInt64 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
