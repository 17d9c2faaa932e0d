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

// The layout of kept places is described in docs/formats/map.md.
const (
	keptMagic  = "SOMNMAP1"
	keptHeader = len(keptMagic) + 8 + 4
	keptSpot   = 16 + 8 + 12
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Keep writes the places of the last drawing, so that Recover makes the same map of
// them. Before a map of all was drawn there is nothing to keep, and it writes an empty
// one.
func (a *Atlas) Keep(w io.Writer) error {
	a.mu.Lock()
	ids := make([]graph.ID, 0, len(a.spots))
	for id, s := range a.spots {
		if s.drawn {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, cmp.Compare[graph.ID])
	b := make([]byte, 0, keptHeader+len(ids)*keptSpot+4)
	b = append(b, keptMagic...)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(a.scale))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(ids)))
	var bad error
	for _, id := range ids {
		raw, err := id.Bytes()
		bad = errors.Join(bad, err)
		s := a.spots[id]
		b = append(b, raw[:]...)
		b = binary.LittleEndian.AppendUint64(b, s.print)
		for _, x := range s.at {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	a.mu.Unlock()
	if bad != nil {
		return fmt.Errorf("kept map: %w", bad)
	}
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	_, err := w.Write(b)
	return err
}

// Recover takes the places that Keep wrote into an empty atlas. Damaged bytes are an
// error and leave it empty.
func (a *Atlas) Recover(b []byte) error {
	if len(b) < keptHeader+4 || !bytes.HasPrefix(b, []byte(keptMagic)) {
		return errors.New("kept map: not one, or of another version")
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return errors.New("kept map: damaged")
	}
	body = body[len(keptMagic):]
	scale := math.Float64frombits(binary.LittleEndian.Uint64(body))
	n := int(binary.LittleEndian.Uint32(body[8:]))
	body = body[12:]
	if len(body) != n*keptSpot || n > 0 && !(scale > 0 && scale <= Radius) {
		return errors.New("kept map: not as long as it says, or of no scale")
	}
	spots := make(map[graph.ID]spot, n)
	for ; len(body) > 0; body = body[keptSpot:] {
		s := spot{print: binary.LittleEndian.Uint64(body[16:]), drawn: true}
		for d := range s.at {
			s.at[d] = math.Float32frombits(binary.LittleEndian.Uint32(body[24+4*d:]))
			if !(math.Abs(float64(s.at[d])) < 1e6) {
				return errors.New("kept map: a place is not finite")
			}
		}
		spots[graph.IDFromBytes([16]byte(body))] = s
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.on != nil || len(a.spots) > 0 {
		return errors.New("kept map: the atlas is not empty")
	}
	a.spots, a.scale = spots, scale
	return nil
}
