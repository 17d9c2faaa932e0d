package vectors

import (
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph/index/slots"
)

// vectorFile keeps the exact vectors of one dimension outside the heap, in a file of records of
// equal size, numbered from 0. docs/formats/index-vectors.md describes the bytes. The file is a
// cache of the store: a record that cannot be read is loaded from the store (see
// Files.fromStore) and written again. Without a path all vectors stay in memory.
//
// Records collect in memory until their page is full, and then the page is written. A page that
// cannot be written stays in memory, so no write waits for the disk. A reader holds a
// [recordRef] with the serial of its vector. If the record was given to another vector
// meanwhile, the serial differs.
type vectorFile struct {
	dim         int
	recordBytes int // size of a record, in bytes
	path        string
	id          uint64        // identifies the file; part of the hash of every record
	keys        Keys          // seal the vectors; nil: they are not sealed
	budget      *MemoryBudget // for written pages that stay in memory; nil: none
	workers     int           // read the file into memory at the start; 0: one
	logger      *slog.Logger

	pages atomic.Pointer[[]*vectorPage]
	file  atomic.Pointer[os.File] // nil: nothing was written yet

	mu         sync.Mutex // held during changes
	serials    []uint32   // by record; 0: free
	lastSerial uint32     // last serial that was given
	free       []uint32
	retired    []uint64 // keys of overwritten records
	unwiped    []uint32 // free records whose bytes must still be overwritten
	dirtyPages []uint32 // pages with records that are only in memory, ascending
	end        int64    // nothing was ever written at or beyond this offset
	synced     bool     // nothing was written since the last sync
	failing    bool     // the last write failed, and the failure was logged
}

// recordRef identifies a vector of a vectorFile. The zero value identifies none.
type recordRef struct{ Record, Serial uint32 }

// A page of pageRecords records is the unit of writing.
const (
	pageRecordBits = 6
	pageRecords    = 1 << pageRecordBits
	pageRecordMask = pageRecords - 1
)

// vectorPage is the part of a page that is in memory.
type vectorPage struct {
	inMemory     atomic.Pointer[memoryVectors] // nil: the file has all records
	unsaved      uint64                        // records that are not in the file, one bit each
	keptInMemory bool                          // the budget has memory for it
}

type memoryVectors [pageRecords]atomic.Pointer[memoryVector]

// memoryVector is a record in memory. It never changes.
type memoryVector struct {
	serial uint32
	vector []float32
}

func newVectorFile(dim int, path string, id uint64, o FileOptions) *vectorFile {
	f := &vectorFile{dim: dim, recordBytes: recordSize(dim), path: path, id: id, keys: o.Keys, budget: o.Budget, workers: o.Workers, logger: o.Logger, synced: true}
	if f.keys != nil {
		f.recordBytes = sealedRecordSize(dim)
	}
	f.pages.Store(&[]*vectorPage{})
	return f
}

// put keeps a vector, which must not change afterwards.
func (f *vectorFile) put(v []float32) recordRef {
	f.mu.Lock()
	defer f.mu.Unlock()
	var n uint32
	if k := len(f.free); k > 0 && len(f.unwiped) == 0 {
		n, f.free = f.free[k-1], f.free[:k-1]
	} else {
		n, f.serials = uint32(len(f.serials)), append(f.serials, 0)
	}
	if f.lastSerial++; f.lastSerial == 0 {
		f.lastSerial = 1
	}
	f.serials[n] = f.lastSerial
	p := f.page(n)
	f.keepInMemory(p, n, &memoryVector{f.lastSerial, v})
	if len(f.serials)&pageRecordMask == 0 || int(n>>pageRecordBits) < len(f.serials)>>pageRecordBits {
		f.flushWhole() // the page is full
	}
	return recordRef{n, f.lastSerial}
}

// page returns the page of a record and makes it if it is new. The caller holds the lock.
func (f *vectorFile) page(n uint32) *vectorPage {
	pages := *f.pages.Load()
	for int(n>>pageRecordBits) >= len(pages) {
		pages = append(pages[:len(pages):len(pages)], &vectorPage{})
	}
	f.pages.Store(&pages)
	return pages[n>>pageRecordBits]
}

// keepInMemory keeps a record in memory until it is written. The caller holds the lock.
func (f *vectorFile) keepInMemory(p *vectorPage, n uint32, h *memoryVector) {
	held := p.inMemory.Load()
	if held == nil {
		held = &memoryVectors{}
		p.inMemory.Store(held)
	}
	held[n&pageRecordMask].Store(h)
	p.unsaved |= 1 << (n & pageRecordMask)
	if at, found := slices.BinarySearch(f.dirtyPages, n>>pageRecordBits); !found {
		f.dirtyPages = slices.Insert(f.dirtyPages, at, n>>pageRecordBits)
	}
}

// read returns the vector of a reference, nil if it was dropped or is damaged. The vector may
// use buf, which read enlarges to the size of a record if needed.
func (f *vectorFile) read(r recordRef, buf *[]byte) []float32 {
	if v := f.inMemory(r); v != nil {
		return v
	}
	if f.file.Load() == nil || r.Serial == 0 {
		return nil
	}
	if cap(*buf) < f.recordBytes {
		*buf = make([]byte, f.recordBytes)
	}
	b := (*buf)[:f.recordBytes]
	if v := f.readRecord(r, b); v != nil {
		return v
	}
	// The record may have been written again during the read (see vectorFile.reseal). Under the
	// lock none is.
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.isCurrent(r) {
		return nil
	}
	if v := f.inMemory(r); v != nil {
		return v
	}
	return f.readRecord(r, b)
}

// readRecord reads a record from the file into b. It returns nil if the record does not belong
// to the reference or is damaged.
func (f *vectorFile) readRecord(r recordRef, b []byte) []float32 {
	if _, err := f.file.Load().ReadAt(b, f.offset(r.Record)); err != nil {
		return nil
	}
	return f.decode(b, r)
}

// isCurrent reports whether a reference still identifies its vector. The caller holds the lock.
func (f *vectorFile) isCurrent(r recordRef) bool {
	return r.Serial != 0 && int(r.Record) < len(f.serials) && f.serials[r.Record] == r.Serial
}

// repair replaces a record that could not be read. It returns false if the reference is no
// longer current.
func (f *vectorFile) repair(r recordRef, v []float32) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.isCurrent(r) {
		return false
	}
	f.keepInMemory(f.page(r.Record), r.Record, &memoryVector{r.Serial, v})
	return true
}

// drop removes a vector. Nothing of it remains in memory or, after [vectorFile.sync] or
// [vectorFile.syncErased] succeeded, on disk.
func (f *vectorFile) drop(r recordRef) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.isCurrent(r) {
		return
	}
	f.serials[r.Record] = 0
	f.free = append(f.free, r.Record)
	p := f.page(r.Record)
	if held := p.inMemory.Load(); held != nil {
		held[r.Record&pageRecordMask].Store(nil)
	}
	p.unsaved &^= 1 << (r.Record & pageRecordMask)
	if f.offset(r.Record) < f.end {
		f.unwiped = append(f.unwiped, r.Record)
		if err := f.wipe(); err != nil {
			f.logFailure(err)
		}
	}
}

// wipe overwrites the free records that still have bytes. The caller holds the lock.
func (f *vectorFile) wipe() error {
	file := f.file.Load()
	zeros := make([]byte, f.recordBytes)
	for len(f.unwiped) > 0 {
		n := f.unwiped[len(f.unwiped)-1]
		f.retireKey(file, n)
		if _, err := file.WriteAt(zeros, f.offset(n)); err != nil {
			return fmt.Errorf("index: overwrite a vector: %w", err)
		}
		f.unwiped, f.synced = f.unwiped[:len(f.unwiped)-1], false
	}
	return nil
}

// flushWhole writes the full pages. Records that cannot be written stay in memory, and the next
// call tries again. The caller holds the lock.
func (f *vectorFile) flushWhole() {
	if f.path == "" {
		return
	}
	if err := f.write(uint32(len(f.serials) >> pageRecordBits)); err != nil {
		f.logFailure(err)
		return
	}
	f.failing = false
}

// logFailure logs the first of consecutive failures.
func (f *vectorFile) logFailure(err error) {
	if !f.failing {
		f.logger.Error("index: the vector file cannot be written; the vectors stay in memory", "error", err)
	}
	f.failing = true
}

// write writes the unsaved records of the pages below whole. The caller holds the lock.
func (f *vectorFile) write(whole uint32) error {
	if len(f.dirtyPages) == 0 {
		return nil
	}
	file, err := f.openFile()
	if err != nil {
		return err
	}
	pages := *f.pages.Load()
	var buf []byte
	for len(f.dirtyPages) > 0 && f.dirtyPages[0] < whole {
		if buf == nil {
			buf = make([]byte, 0, pageRecords*f.recordBytes)
		}
		p, from := pages[f.dirtyPages[0]], f.dirtyPages[0]<<pageRecordBits
		held := p.inMemory.Load()
		for i := uint32(0); i < pageRecords; {
			if p.unsaved>>i&1 == 0 {
				i++
				continue
			}
			first := i
			for buf = buf[:0]; i < pageRecords && p.unsaved>>i&1 != 0; i++ {
				h := held[i].Load()
				if f.offset(from+i) < f.end {
					f.retireKey(file, from+i) // an unreadable record is written again
				}
				if buf, err = f.encodeRecord(buf, recordRef{from + i, h.serial}, h.vector); err != nil {
					return err
				}
			}
			f.synced, f.end = false, max(f.end, f.offset(from+i))
			if _, err := file.WriteAt(buf, f.offset(from+first)); err != nil {
				return fmt.Errorf("index: write vectors: %w", err)
			}
		}
		p.unsaved = 0
		if !f.keepsPage(p) {
			p.inMemory.Store(nil)
		}
		f.dirtyPages = f.dirtyPages[1:]
	}
	return nil
}

// openFile returns the file and creates it if there is none. The caller holds the lock.
func (f *vectorFile) openFile() (*os.File, error) {
	if file := f.file.Load(); file != nil {
		return file, nil
	}
	file, err := createFile(f.path, f.version(), f.dim, f.id)
	if err != nil {
		return nil, err
	}
	f.file.Store(file)
	f.synced = false
	return file, nil
}

// sync syncs the file to disk: after it, dropped records are overwritten and kept vectors can be
// read there.
func (f *vectorFile) sync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" {
		return nil
	}
	if err := f.write(slots.None); err != nil {
		return err
	}
	if err := f.lengthen(); err != nil {
		return err
	}
	return f.wipeAndSync()
}

// lengthen gives the file the length of all its records: the last ones may have been dropped before they were written. A free record
// is zeros. The caller holds the lock.
func (f *vectorFile) lengthen() error {
	file, end := f.file.Load(), f.offset(uint32(len(f.serials)))
	if file == nil || end <= f.end {
		return nil
	}
	if err := file.Truncate(end); err != nil {
		return fmt.Errorf("index: lengthen a vector file: %w", err)
	}
	f.end, f.synced = end, false
	return nil
}

// syncErased overwrites the dropped records and syncs the file.
func (f *vectorFile) syncErased() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.wipeAndSync()
}

// wipeAndSync overwrites the dropped records that are left, and syncs the file. The caller holds
// the lock.
func (f *vectorFile) wipeAndSync() error {
	if err := f.wipe(); err != nil {
		return err
	}
	if !f.synced {
		if err := f.file.Load().Sync(); err != nil {
			return fmt.Errorf("index: sync vectors: %w", err)
		}
		f.synced = true
	}
	return f.destroyRetired()
}

// close closes the file. Later reads find nothing in it.
func (f *vectorFile) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range *f.pages.Load() {
		if p.keptInMemory {
			f.budget.release(f.pageBytes())
			p.keptInMemory = false
		}
	}
	if file := f.file.Load(); file != nil {
		return file.Close()
	}
	return nil
}
