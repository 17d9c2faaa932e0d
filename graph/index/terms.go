package index

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// memoryTerms are the posting lists of one memory: they lead from a slot back to its lists. They
// are packed, because a memory is in thirty lists or more.
type memoryTerms struct {
	textHash  uint64 // of the analysed text
	length    float32
	termCount uint32 // number of entries that are words or topics
	packed    string // words and topics first, then users, sessions, projects, subjects, tags, entities and claim keys
}

// An entry is packed as the difference between the ordinal of its list and the previous ordinal,
// as a varint. The words and the other lists are two runs, and each run starts from ordinal 0. A
// word also has its frequency: one byte with twice the frequency, or fullFrequency and a 4-byte
// float. All other entries have frequency 1.
const fullFrequency = 0xff

// packEntries appends packed entries to b. The first words entries are words. It sorts both
// parts.
func packEntries(b []byte, entries []entry, words int) []byte {
	for i, part := range [2][]entry{entries[:words], entries[words:]} {
		slices.SortFunc(part, func(a, b entry) int { return cmp.Compare(a.list.ordinal, b.list.ordinal) })
		last := uint32(0)
		for _, e := range part {
			b = binary.AppendUvarint(b, uint64(e.list.ordinal-last))
			last = e.list.ordinal
			if i > 0 {
				continue
			}
			if twice := e.frequency * 2; twice >= 0 && twice < fullFrequency && twice == float32(uint8(twice)) {
				b = append(b, uint8(twice))
			} else {
				b = binary.LittleEndian.AppendUint32(append(b, fullFrequency), math.Float32bits(e.frequency))
			}
		}
	}
	return b
}

// each calls fn for every entry: the ordinal of its list, its frequency, and whether it is a
// word.
func (t *memoryTerms) each(fn func(ordinal uint32, tf float32, word bool)) {
	last := uint32(0)
	for i, at := uint32(0), 0; at < len(t.packed); i++ {
		if i == t.termCount {
			last = 0
		}
		var ordinal uint32
		for shift := 0; ; shift += 7 {
			c := t.packed[at]
			at++
			ordinal |= uint32(c&0x7f) << shift
			if c < 0x80 {
				break
			}
		}
		last += ordinal
		if i >= t.termCount {
			fn(last, 1, false)
			continue
		}
		twice := t.packed[at]
		at++
		if twice != fullFrequency {
			fn(last, float32(twice)/2, true)
			continue
		}
		bits := uint32(t.packed[at]) | uint32(t.packed[at+1])<<8 | uint32(t.packed[at+2])<<16 | uint32(t.packed[at+3])<<24
		at += 4
		fn(last, math.Float32frombits(bits), true)
	}
}

// termsOf returns the words and topics of a memory. whole is false if the memory has lost one
// since.
func (p *postings) termsOf(t *memoryTerms) (out []termCount, whole bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	out, whole = make([]termCount, 0, t.termCount), true
	t.each(func(ordinal uint32, tf float32, word bool) {
		switch {
		case !word:
		case p.byOrdinal[ordinal] == nil:
			whole = false
		default:
			out = append(out, termCount{p.byOrdinal[ordinal].key, tf})
		}
	})
	return out, whole
}
