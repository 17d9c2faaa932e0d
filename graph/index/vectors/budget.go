package vectors

import (
	"os"
	"slices"
	"sync/atomic"
)

// vectorMemory is how many bytes of vectors stay in memory where the options don't say.
const DefaultMemory = 256 << 20

// room is what is left of the memory for vectors that are in a file as well: a search of a
// store that fits reads no file. It is shared by all tenants; who comes first has it.
type MemoryBudget struct{ left atomic.Int64 }

func NewMemoryBudget(bytes int64) *MemoryBudget {
	r := &MemoryBudget{}
	r.left.Store(bytes)
	return r
}

// take takes so many bytes, or none and answers false.
func (r *MemoryBudget) take(bytes int64) bool {
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
func (r *MemoryBudget) release(bytes int64) { r.left.Add(bytes) }

// pageBytes is what the vectors of a page take in memory.
func (f *vectorFile) pageBytes() int64 { return pageRecords * 4 * int64(f.dim) }

// stay reports whether a page may stay in memory, once it is in the file. Its caller holds
// the lock.
func (f *vectorFile) keepsPage(p *vectorPage) bool {
	p.keptInMemory = p.keptInMemory || f.budget.take(f.pageBytes())
	return p.keptInMemory
}

// warm reads what there is room for into memory. A record that cannot be read is left to
// who asks for it. Its caller has the file to itself.
func (f *vectorFile) loadPages(file *os.File) {
	var b []byte
	for at, p := range *f.pages.Load() {
		first := uint32(at) << pageRecordBits
		n := min(pageRecords, uint32(len(f.serials))-first)
		if !f.keepsPage(p) {
			return
		}
		b = append(b[:0], make([]byte, int(n)*f.recordBytes)...)
		if _, err := file.ReadAt(b, f.offset(first)); err != nil {
			continue
		}
		held := &memoryVectors{}
		for i := range n {
			ref := recordRef{first + i, f.serials[first+i]}
			if v := decodeRecord(b[int(i)*f.recordBytes:int(i+1)*f.recordBytes], f.id, ref); ref.Serial != 0 && v != nil {
				held[i].Store(&memoryVector{ref.Serial, slices.Clone(v)})
			}
		}
		p.inMemory.Store(held)
	}
}
