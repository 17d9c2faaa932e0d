package vectors

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// Codes and sketches are read as they were written, for any new order of slots. The reader
// computes sketches that were not written.
func TestCodesAreReadAsWritten(t *testing.T) {
	for _, written := range []bool{true, false} {
		t.Run(fmt.Sprint("sketches written: ", written), func(t *testing.T) {
			const dim, n = 256, 600
			c := NewBuilder(1, inMemory())
			for i := range n {
				if i%13 > 0 {
					c.putVector(uint32(i), testvectors.Unit(uint64(i), dim))
				}
			}
			for i := 5; i < n; i += 7 {
				c.Drop(uint32(i))
			}
			before := c.Publish(nil)
			before.sketching = before.sketching && written
			var slots []uint32 // slot before, by slot after
			for slot := range uint32(n) {
				if slot%7 != 5 {
					slots = append(slots, slot)
				}
			}
			b := before.AppendCodes(nil, slots)
			fresh := NewBuilder(1, inMemory())
			fresh.SetDimension(dim)
			if rows, whole := fresh.ReadCodes(b, len(slots)); rows != len(slots) || !whole {
				t.Fatalf("%d of %d rows were read, whole: %v", rows, len(slots), whole)
			}
			for now, slot := range slots {
				if before.Has(slot) && !fresh.SetRef(uint32(now), Ref{before.record(slot), dim}) {
					t.Fatalf("slot %d has no codes", slot)
				}
			}
			after := fresh.Publish(nil)
			compared := 0
			for now, slot := range slots {
				compared += sameEncoding(t, before, slot, after, uint32(now))
			}
			if compared < 100 {
				t.Fatalf("only %d vectors were compared", compared)
			}
			for cut := range 40 {
				damaged := NewBuilder(1, inMemory())
				damaged.SetDimension(dim)
				if rows, whole := damaged.ReadCodes(b[:len(b)-1-cut*13], len(slots)); whole && rows == len(slots) {
					t.Errorf("%d bytes are missing without an error", 1+cut*13)
				}
			}
		})
	}
}

// sameEncoding compares a slot of two views and returns the number of compared vectors, 0 or 1.
func sameEncoding(t *testing.T, before *View, slot uint32, after *View, now uint32) int {
	t.Helper()
	was, is := before.Encoded(slot), after.Encoded(now)
	if (was == nil) != (is == nil) {
		t.Fatalf("slot %d is searched: %v, before %v", slot, is != nil, was != nil)
	}
	if was == nil {
		return 0
	}
	if !bytes.Equal(was.codes, is.codes) || was.quantised != is.quantised || before.record(slot) != after.record(now) {
		t.Fatalf("slot %d has other codes", slot)
	}
	if !after.sketching {
		return 1
	}
	is.addSketch()
	b := after.blocks[now>>slots.ChunkBits]
	at := kernel.SketchOffset(int(now&slots.ChunkMask), after.stride)
	for i, want := range is.signs {
		if b.signs[at+i*kernel.SketchGroup] != want {
			t.Fatalf("slot %d has another sketch", slot)
		}
	}
	if m := after.sketchBounds[now>>slots.ChunkBits]; m.Gain < is.sketch.Gain || m.Deviation < is.sketch.Deviation {
		t.Fatalf("slot %d exceeds the bounds of its block: %+v, %+v", slot, is.sketch, m)
	}
	return 1
}
