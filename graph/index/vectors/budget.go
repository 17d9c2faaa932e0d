package vectors

import (
	"os"
	"slices"
	"sync"
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

// loadPages reads pages into memory as far as the budget allows, with some workers. It skips records
// that it cannot read; their first reader loads them from the store. No other goroutine may use the
// file yet.
func (f *vectorFile) loadPages(file *os.File) {
	pages := *f.pages.Load()
	kept := 0
	for kept < len(pages) && f.keepsPage(pages[kept]) {
		kept++
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(max(1, f.workers), kept) {
		all.Go(func() {
			b := make([]byte, pageRecords*f.recordBytes)
			for at := next.Add(1) - 1; int(at) < kept; at = next.Add(1) - 1 {
				f.loadPage(file, pages[at], uint32(at)<<pageRecordBits, b)
			}
		})
	}
	all.Wait()
}

// loadPage reads the page that begins with a record into memory; b has space for all its records.
func (f *vectorFile) loadPage(file *os.File, p *vectorPage, first uint32, b []byte) {
	n := min(pageRecords, len(f.serials)-int(first))
	b = b[:n*f.recordBytes]
	if _, err := file.ReadAt(b, f.offset(first)); err != nil {
		return
	}
	held := &memoryVectors{}
	for i := range n {
		ref := recordRef{first + uint32(i), f.serials[int(first)+i]}
		v := f.decode(b[i*f.recordBytes:(i+1)*f.recordBytes], ref)
		if ref.Serial == 0 || v == nil {
			continue
		}
		if f.keys == nil { // the vector uses b
			v = slices.Clone(v)
		}
		held[i].Store(&memoryVector{ref.Serial, v})
	}
	p.inMemory.Store(held)
}
