package index

import (
	"os"
	"slices"
	"sync/atomic"
)

// vectorMemory is how many bytes of vectors stay in memory where the options don't say.
const vectorMemory = 256 << 20

// room is what is left of the memory for vectors that are in a file as well: a search of a
// store that fits reads no file. It is shared by all tenants; who comes first has it.
type room struct{ left atomic.Int64 }

func newRoom(bytes int64) *room {
	r := &room{}
	r.left.Store(bytes)
	return r
}

// take takes so many bytes, or none and answers false.
func (r *room) take(bytes int64) bool {
	if r == nil {
		return false
	}
	if r.left.Add(-bytes) < 0 {
		r.left.Add(bytes)
		return false
	}
	return true
}

// give gives them back.
func (r *room) give(bytes int64) { r.left.Add(bytes) }

// pageBytes is what the vectors of a page take in memory.
func (f *vectorFile) pageBytes() int64 { return pageRecords * 4 * int64(f.dim) }

// stay reports whether a page may stay in memory, once it is in the file. Its caller holds
// the lock.
func (f *vectorFile) stay(p *vectorPage) bool {
	p.stays = p.stays || f.room.take(f.pageBytes())
	return p.stays
}

// warm reads what there is room for into memory. A record that cannot be read is left to
// who asks for it. Its caller has the file to itself.
func (f *vectorFile) warm(file *os.File) {
	var b []byte
	for at, p := range *f.pages.Load() {
		first := uint32(at) << pageRecordBits
		n := min(pageRecords, uint32(len(f.serials))-first)
		if !f.stay(p) {
			return
		}
		b = append(b[:0], make([]byte, int(n)*f.size)...)
		if _, err := file.ReadAt(b, f.at(first)); err != nil {
			continue
		}
		held := &heldVectors{}
		for i := range n {
			ref := vectorRef{first + i, f.serials[first+i]}
			if v := openRecord(b[int(i)*f.size:int(i+1)*f.size], f.id, ref); ref.serial != 0 && v != nil {
				held[i].Store(&heldVector{ref.serial, slices.Clone(v)})
			}
		}
		p.held.Store(held)
	}
}
