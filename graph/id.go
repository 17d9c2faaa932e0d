package graph

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"time"
)

// ID names a node: a UUIDv7 in canonical lower-case text, 36 bytes.
// The empty ID means "none".
type ID string

// NewID makes a UUIDv7 (RFC 9562, section 5.7) from the instant and 10 bytes of
// random. It fails only if random fails or if the instant is before 1970.
func NewID(at time.Time, random io.Reader) (ID, error) {
	var b [16]byte
	ms := at.UnixMilli()
	if ms < 0 || ms >= 1<<48 {
		return "", fmt.Errorf("graph: instant %s does not fit a UUIDv7", at.UTC().Format(time.RFC3339))
	}
	if _, err := io.ReadFull(random, b[6:]); err != nil {
		return "", fmt.Errorf("graph: randomness for an id: %w", err)
	}
	var stamp [8]byte
	binary.BigEndian.PutUint64(stamp[:], uint64(ms))
	copy(b[:6], stamp[2:])
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	return IDFromBytes(b), nil
}

// IDSource makes ids that ascend in the order in which they are made, also within
// one millisecond and when the clock goes back: the 12 bits after the version are a
// counter (RFC 9562, section 6.2, method 1). It is not safe for concurrent use.
type IDSource struct {
	random io.Reader
	last   int64 // milliseconds of the previous id
	count  uint16
}

// NewIDSource makes a source that draws from random.
func NewIDSource(random io.Reader) *IDSource { return &IDSource{random: random, last: -1} }

// New makes the next id, recorded at the instant.
func (s *IDSource) New(at time.Time) (ID, error) {
	ms, count := at.UnixMilli(), uint16(0)
	if ms <= s.last {
		ms, count = s.last, s.count+1
		if count > 0x0fff {
			ms, count = ms+1, 0
		}
	}
	id, err := NewID(time.UnixMilli(ms), s.random)
	if err != nil {
		return "", err
	}
	b, err := id.Bytes()
	if err != nil {
		return "", err
	}
	s.last, s.count = ms, count
	b[6], b[7] = 0x70|byte(count>>8), byte(count)
	return IDFromBytes(b), nil
}

// DerivedID makes a UUIDv7 from an instant and parts. The same instant and parts
// always give the same id, so that a step that runs again makes nothing twice. The
// random bits are those of the SHA-256 of the parts.
func DerivedID(at time.Time, parts ...string) (ID, error) {
	sum := sha256.New()
	for _, p := range parts {
		sum.Write(binary.AppendUvarint(nil, uint64(len(p))))
		sum.Write([]byte(p))
	}
	return NewID(at, bytes.NewReader(sum.Sum(nil)))
}

// IDFromBytes formats the 16 bytes of a UUID as an ID.
func IDFromBytes(b [16]byte) ID {
	var t [36]byte
	hex.Encode(t[0:8], b[0:4])
	hex.Encode(t[9:13], b[4:6])
	hex.Encode(t[14:18], b[6:8])
	hex.Encode(t[19:23], b[8:10])
	hex.Encode(t[24:], b[10:])
	t[8], t[13], t[18], t[23] = '-', '-', '-', '-'
	return ID(t[:])
}

// Bytes parses an ID into 16 bytes. It fails for anything but canonical
// lower-case UUID text.
func (id ID) Bytes() ([16]byte, error) {
	var b [16]byte
	s := string(id)
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return b, fmt.Errorf("graph: %q is not an id", clip(s, 40))
	}
	for _, part := range [...]struct{ from, to, at int }{{0, 8, 0}, {9, 13, 4}, {14, 18, 6}, {19, 23, 8}, {24, 36, 10}} {
		for i, o := part.from, part.at; i < part.to; i, o = i+2, o+1 {
			hi, lo := nibble(s[i]), nibble(s[i+1])
			if hi > 15 || lo > 15 {
				return b, fmt.Errorf("graph: %q is not an id", clip(s, 40))
			}
			b[o] = hi<<4 | lo
		}
	}
	return b, nil
}

// Time returns the instant that a valid id was made for, in milliseconds; zero for an invalid id.
func (id ID) Time() time.Time {
	b, err := id.Bytes()
	if err != nil {
		return time.Time{}
	}
	var ms int64
	for _, x := range b[:6] {
		ms = ms<<8 | int64(x)
	}
	return time.UnixMilli(ms).UTC()
}

// Valid reports whether the id is canonical UUID text.
func (id ID) Valid() bool { _, err := id.Bytes(); return err == nil }

func nibble(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	}
	return 0xff
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n] + "…"
}
