package vectors

import (
	"os"
	"slices"
	"sync/atomic"
)

// DefaultMemory is the default of the memory budget for vectors, in bytes.
const DefaultMemory = 256 << 20

// MemoryBudget is the memory left for vectors that are also in a file, so that searches of small
// stores read no file. All tenants share it, first come, first served.
type MemoryBudget struct{ left atomic.Int64 }

// NewMemoryBudget makes a budget of some bytes.
func NewMemoryBudget(bytes int64) *MemoryBudget {
	r := &MemoryBudget{}
	r.left.Store(bytes)
	return r
}

// take takes bytes from the budget. It returns false, and takes none, if too few are left.
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

// release returns bytes to the budget.
func (r *MemoryBudget) release(bytes int64) { r.left.Add(bytes) }

// pageBytes is the size of the vectors of a page in memory.
func (f *vectorFile) pageBytes() int64 { return pageRecords * 4 * int64(f.dim) }

// keepsPage reports whether a page may stay in memory after it was written. The caller holds the
// lock.
func (f *vectorFile) keepsPage(p *vectorPage) bool {
	p.keptInMemory = p.keptInMemory || f.budget.take(f.pageBytes())
	return p.keptInMemory
}

// loadPages reads pages into memory as far as the budget allows. It skips records that it cannot
// read; their first reader loads them from the store. No other goroutine may use the file yet.
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
			if v := f.decode(b[int(i)*f.recordBytes:int(i+1)*f.recordBytes], ref); ref.Serial != 0 && v != nil {
				held[i].Store(&memoryVector{ref.Serial, slices.Clone(v)})
			}
		}
		p.inMemory.Store(held)
	}
}
