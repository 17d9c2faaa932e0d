package vectors

import "errors"

// fileState is what a snapshot says of a file of vectors.
type FileState struct {
	Dim                 int
	ID                  uint64
	Records, LastSerial uint32
}

// state is that of the file at present.
func (f *vectorFile) state() FileState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return FileState{f.dim, f.id, uint32(len(f.serials)), f.lastSerial}
}

// claims are the files of vectors that belong to a snapshot while it is read, by dimension.
type RestoringFiles map[int]*restoringFile

// restore opens the files that a snapshot names. Each must be there: it is the one that was there
// when the snapshot was written, with at least as much in it.
func (s *Files) Restore(states []FileState) (RestoringFiles, error) {
	all := RestoringFiles{}
	for _, x := range states {
		s.mu.Lock()
		f := s.addFile(x.Dim, x.ID)
		s.mu.Unlock()
		r, err := f.restore(x.Records, x.LastSerial)
		if err != nil {
			return nil, errors.Join(err, all.Close())
		}
		all[x.Dim] = r
	}
	return all, nil
}

// has reports whether there is a file of a dimension.
func (c RestoringFiles) Has(dim int) bool { return c[dim] != nil }

// claim says that a memory has the record that it names. It answers false where that cannot
// be. Namespaces are pictured one behind the other, so that a record may be seen with who
// lost it and again with who got it next.
func (c RestoringFiles) Claim(at Ref) bool {
	if at.Serial == 0 {
		return true
	}
	r := c[int(at.Dim)]
	return r != nil && r.claim(at.recordRef)
}

// finish takes the files over into the tenant and removes others.
func (c RestoringFiles) Finish(s *Files) error {
	var errs []error
	for dim, r := range c {
		errs = append(errs, r.finish())
		delete(c, dim)
	}
	return errors.Join(append(errs, s.removeOthers())...)
}

// close closes the files of a snapshot that was left aside.
func (c RestoringFiles) Close() error {
	var errs []error
	for _, r := range c {
		if r.file != nil {
			errs = append(errs, r.file.Close())
		}
	}
	return errors.Join(errs...)
}
