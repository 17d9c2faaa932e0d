package static

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf8"
)

// charsmap is the normalisation table of SentencePiece. It replaces, from left to right, the
// longest key at each position with its value. The keys are stored in a double-array trie of
// 32-bit units (Aoe, 1989, in the layout of darts-clone). The values follow the trie; each
// ends with a zero byte.
type charsmap struct {
	units  []uint32
	values string
}

// readCharsmap reads the length of the trie in bytes (little-endian), the trie and the values.
func readCharsmap(data []byte) (*charsmap, error) {
	if len(data) < 4 {
		return nil, errors.New("its normalizer Precompiled has no rules")
	}
	size := binary.LittleEndian.Uint32(data)
	rest := data[4:]
	if size == 0 || size%4 != 0 || uint64(size) > uint64(len(rest)) {
		return nil, errors.New("its normalizer Precompiled has rules of an invalid length")
	}
	m := &charsmap{units: make([]uint32, size/4), values: string(rest[size:])}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(rest[4*i:])
	}
	return m, nil
}

// Fields of a unit.
func leaf(u uint32) bool     { return u>>8&1 == 1 }
func label(u uint32) uint32  { return u & (1<<31 | 0xff) }
func offset(u uint32) uint32 { return u >> 10 << (u & (1 << 9) >> 6) }

// longest returns the value of the longest key that is a prefix of the text, and the length of
// the key (0: none).
func (m *charsmap) longest(text string) (value string, length int) {
	at := offset(m.units[0])
	for i := 0; i < len(text); i++ {
		at ^= uint32(text[i])
		if text[i] == 0 || at >= uint32(len(m.units)) || label(m.units[at]) != uint32(text[i]) {
			break
		}
		u := m.units[at]
		at ^= offset(u)
		if at >= uint32(len(m.units)) {
			break
		}
		if leaf(u) {
			if from := m.units[at] &^ (1 << 31); from <= uint32(len(m.values)) {
				value, _, _ = strings.Cut(m.values[from:], "\x00")
				length = i + 1
			}
		}
	}
	return value, length
}

func (m *charsmap) normalise(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for s != "" {
		value, n := m.longest(s)
		if n == 0 {
			_, n = utf8.DecodeRuneInString(s)
			value = s[:n]
		}
		b.WriteString(value)
		s = s[n:]
	}
	return b.String()
}
