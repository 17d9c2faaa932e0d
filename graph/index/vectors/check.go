package vectors

// Damaged reports whether the record of a memory's vector can't be read from its file. It reads the
// file even if the vector is also in memory.
func (s *Files) Damaged(h Ref, buf *[]byte) bool {
	f := (*s.byDim.Load())[int(h.Dim)]
	return f != nil && f.damaged(h.recordRef, buf)
}

// damaged reads a record from the file. Records that are not written yet are not damaged.
func (f *vectorFile) damaged(r recordRef, buf *[]byte) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	file := f.file.Load()
	if !f.isCurrent(r) || file == nil || f.page(r.Record).unsaved>>(r.Record&pageRecordMask)&1 != 0 {
		return false
	}
	if cap(*buf) < f.recordBytes {
		*buf = make([]byte, f.recordBytes)
	}
	b := (*buf)[:f.recordBytes]
	if _, err := file.ReadAt(b, f.offset(r.Record)); err != nil {
		return true
	}
	return f.decode(b, r) == nil
}

// Rewrite writes the vector of a memory again, from memory or else from the store, with the next
// sync. It returns false if neither has it.
func (s *Files) Rewrite(h Ref, load func() ([]float32, error)) (bool, error) {
	f := (*s.byDim.Load())[int(h.Dim)]
	if f == nil {
		return false, nil
	}
	if v := f.inMemory(h.recordRef); v != nil {
		return f.repair(h.recordRef, v), nil
	}
	v, err := load()
	if err != nil || len(v) != f.dim {
		return false, err
	}
	return f.repair(h.recordRef, v), nil
}

// inMemory returns a vector that is in memory, nil if it is not.
func (f *vectorFile) inMemory(r recordRef) []float32 {
	pages := *f.pages.Load()
	if r.Serial == 0 || int(r.Record>>pageRecordBits) >= len(pages) {
		return nil
	}
	if held := pages[r.Record>>pageRecordBits].inMemory.Load(); held != nil {
		if h := held[r.Record&pageRecordMask].Load(); h != nil && h.serial == r.Serial {
			return h.vector
		}
	}
	return nil
}

// Repaired returns how many records could not be read by a search and were loaded from the store.
func (s *Files) Repaired() int { return int(s.repaired.Load()) }
