package project

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// docs/formats/map.md describes the layout of saved positions.
const (
	savedMagic  = "SOMNMAP1"
	savedHeader = len(savedMagic) + 8 + 4
	savedEntry  = 16 + 8 + 12
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Save writes the positions of the last drawing, but those of the memories without, from which Load
// restores the map. Before the first complete drawing it writes an empty list.
func (l *Layout) Save(w io.Writer, without map[graph.ID]bool) error {
	l.mu.Lock()
	ids := make([]graph.ID, 0, len(l.positions))
	for id, s := range l.positions {
		if s.drawn && !without[id] {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, cmp.Compare[graph.ID])
	b := make([]byte, 0, savedHeader+len(ids)*savedEntry+4)
	b = append(b, savedMagic...)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(l.scale))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(ids)))
	var bad error
	for _, id := range ids {
		raw, err := id.Bytes()
		bad = errors.Join(bad, err)
		s := l.positions[id]
		b = append(b, raw[:]...)
		b = binary.LittleEndian.AppendUint64(b, s.fingerprint)
		for _, x := range s.at {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	l.mu.Unlock()
	if bad != nil {
		return fmt.Errorf("saved map: %w", bad)
	}
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	_, err := w.Write(b)
	return err
}

// Load reads positions written by Save into an empty layout. Damaged bytes are an error and
// leave it empty.
func (l *Layout) Load(b []byte) error {
	scale, body, err := checkSaved(b)
	if err != nil {
		return err
	}
	spots := make(map[graph.ID]position, len(body)/savedEntry)
	for ; len(body) > 0; body = body[savedEntry:] {
		s := position{fingerprint: binary.LittleEndian.Uint64(body[16:]), drawn: true}
		for d := range s.at {
			s.at[d] = math.Float32frombits(binary.LittleEndian.Uint32(body[24+4*d:]))
			if !(math.Abs(float64(s.at[d])) < 1e6) {
				return errors.New("saved map: a position is not finite")
			}
		}
		spots[graph.IDFromBytes([16]byte(body))] = s
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.base != nil || len(l.positions) > 0 {
		return errors.New("saved map: the layout is not empty")
	}
	l.positions, l.scale = spots, scale
	return nil
}

// checkSaved checks written positions and returns their scale and entries.
func checkSaved(b []byte) (scale float64, entries []byte, err error) {
	if len(b) < savedHeader+4 || !bytes.HasPrefix(b, []byte(savedMagic)) {
		return 0, nil, errors.New("saved map: not a saved map, or another version")
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return 0, nil, errors.New("saved map: damaged")
	}
	body = body[len(savedMagic):]
	scale = math.Float64frombits(binary.LittleEndian.Uint64(body))
	n := int(binary.LittleEndian.Uint32(body[8:]))
	body = body[12:]
	if len(body) != n*savedEntry || n > 0 && !(scale > 0 && scale <= Radius) {
		return 0, nil, errors.New("saved map: wrong length or scale")
	}
	return scale, body, nil
}

// Without returns written positions but those of some memories. changed is false if it has none of them.
// Damaged bytes are an error.
func Without(b []byte, ids map[graph.ID]bool) (left []byte, changed bool, err error) {
	_, entries, err := checkSaved(b)
	if err != nil {
		return nil, false, err
	}
	left = append(left, b[:savedHeader]...)
	n := uint32(0)
	for ; len(entries) > 0; entries = entries[savedEntry:] {
		if ids[graph.IDFromBytes([16]byte(entries))] {
			changed = true
			continue
		}
		left = append(left, entries[:savedEntry]...)
		n++
	}
	binary.LittleEndian.PutUint32(left[savedHeader-4:], n)
	return binary.LittleEndian.AppendUint32(left, crc32.Checksum(left, castagnoli)), changed, nil
}
