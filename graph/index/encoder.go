package index

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/somnograph/somnograph/graph/keyring"
)

// encoder writes values into a section and sections into a file. It keeps the first error.
type encoder struct {
	w     io.Writer
	key   *keyring.Key // seals the payloads; nil: they are not sealed
	at    int64        // offset in the file
	valid func() error
	buf   []byte
	words map[string]uint64 // numbers, from 1, of the repeated strings of this section
	err   error
}

// raw writes bytes outside any section.
func (e *encoder) raw(b []byte) {
	if e.err == nil {
		e.at += int64(len(b))
		if _, err := e.w.Write(b); err != nil {
			e.err = fmt.Errorf("index: write a snapshot: %w", err)
		}
	}
}

// section ends a section: kind, length, bytes, and the XXH64 of all of these.
func (e *encoder) section(kind byte) {
	if e.err == nil {
		e.err = e.valid()
	}
	payload := e.buf
	if e.key != nil && e.err == nil {
		payload, e.err = e.key.Seal(nil, e.buf, sectionPlace(kind, e.at))
	}
	head := binary.LittleEndian.AppendUint64([]byte{kind}, uint64(len(payload)))
	h := xxhash.New()
	_, _ = h.Write(head) // a hash never fails
	_, _ = h.Write(payload)
	e.raw(head)
	e.raw(payload)
	e.raw(binary.LittleEndian.AppendUint64(nil, h.Sum64()))
	e.buf, e.words = e.buf[:0], map[string]uint64{}
}

// sectionPlace is authenticated with a sealed section: it can't be moved.
func sectionPlace(kind byte, at int64) []byte {
	return binary.LittleEndian.AppendUint64([]byte{kind}, uint64(at))
}

func (e *encoder) uvarint(v uint64) { e.buf = binary.AppendUvarint(e.buf, v) }
func (e *encoder) varint(v int64)   { e.buf = binary.AppendVarint(e.buf, v) }
func (e *encoder) float64(v float64) {
	e.buf = binary.LittleEndian.AppendUint64(e.buf, math.Float64bits(v))
}
func (e *encoder) float32(v float32) {
	e.buf = binary.LittleEndian.AppendUint32(e.buf, math.Float32bits(v))
}

func (e *encoder) bool(v bool) {
	b := byte(0)
	if v {
		b = 1
	}
	e.buf = append(e.buf, b)
}

func (e *encoder) text(s string) {
	e.uvarint(uint64(len(s)))
	e.buf = append(e.buf, s...)
}

// repeatedText writes a string that may repeat: its number, or 0 and the string the first time.
func (e *encoder) repeatedText(s string) {
	if n := e.words[s]; n > 0 {
		e.uvarint(n)
		return
	}
	if e.words == nil {
		e.words = map[string]uint64{}
	}
	e.words[s] = uint64(len(e.words) + 1)
	e.uvarint(0)
	e.text(s)
}

// time writes an instant in Unix milliseconds; math.MinInt64 means absent.
func (e *encoder) time(t time.Time) {
	if t.IsZero() {
		e.varint(math.MinInt64)
		return
	}
	e.varint(t.UnixMilli())
}
