package vectors

import "encoding/binary"

// Reseal writes every vector again whose key has a number below first, under a new key, and then
// destroys the former ones. It returns how many it wrote. Vectors can be read, put and dropped
// meanwhile. A record that can't be read is left for the next search to repair.
func (s *Files) Reseal(first uint64) (resealed int, err error) {
	if s.Keys == nil {
		return 0, nil
	}
	err = s.eachFile(func(f *vectorFile) error {
		n, err := f.reseal(first)
		resealed += n
		return err
	})
	return resealed, err
}

// reseal is Reseal of one file.
func (f *vectorFile) reseal(first uint64) (resealed int, err error) {
	for page := uint32(0); ; page++ {
		f.mu.Lock()
		if int(page) >= len(*f.pages.Load()) || f.file.Load() == nil {
			f.mu.Unlock()
			break
		}
		n := f.markFormer(page, first)
		if n > 0 {
			err = f.write(page + 1)
		}
		f.mu.Unlock()
		if resealed += n; err != nil {
			return resealed, err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" {
		return resealed, nil
	}
	return resealed, f.wipeAndSync()
}

// markFormer lets the next write write the records of a page again whose key has a number below
// first, and returns how many. The caller holds the lock.
func (f *vectorFile) markFormer(page uint32, first uint64) (n int) {
	p, file := (*f.pages.Load())[page], f.file.Load()
	b := make([]byte, f.recordBytes)
	for i := range uint32(pageRecords) {
		record := page<<pageRecordBits + i
		if int(record) >= len(f.serials) || f.serials[record] == 0 || p.unsaved>>i&1 != 0 {
			continue
		}
		if _, err := file.ReadAt(b, f.offset(record)); err != nil || binary.LittleEndian.Uint64(b[recordHeadSize:]) >= first {
			continue
		}
		r := recordRef{record, f.serials[record]}
		v := f.inMemory(r)
		if v == nil {
			v = f.decode(b, r)
		}
		if v == nil {
			continue
		}
		f.keepInMemory(p, record, &memoryVector{r.Serial, v})
		n++
	}
	return n
}
