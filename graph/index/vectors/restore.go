package vectors

import "errors"

// FileState is the state of a vector file, as a snapshot records it.
type FileState struct {
	Dim                 int
	ID                  uint64
	Records, LastSerial uint32
}

// state returns the present state of the file.
func (f *vectorFile) state() FileState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return FileState{f.dim, f.id, uint32(len(f.serials)), f.lastSerial}
}

// RestoringFiles are the vector files of a snapshot that is being read, by dimension.
type RestoringFiles map[int]*restoringFile

// Restore opens the files that a snapshot lists. Each must exist with the id of that time and at
// least the recorded number of records.
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

// Has reports whether there is a file of a dimension.
func (c RestoringFiles) Has(dim int) bool { return c[dim] != nil }

// Claim marks the record of a reference as used by a memory. It returns false if that is
// impossible. Namespaces are captured one after the other. So two namespaces of a snapshot may
// refer to the same record: the first with the vector that left it, the second with the next
// one.
func (c RestoringFiles) Claim(at Ref) bool {
	if at.Serial == 0 {
		return true
	}
	r := c[int(at.Dim)]
	return r != nil && r.claim(at.recordRef)
}

// Finish makes the files those of the tenant and removes its other files.
func (c RestoringFiles) Finish(s *Files) error {
	var errs []error
	for dim, r := range c {
		errs = append(errs, r.finish())
		delete(c, dim)
	}
	return errors.Join(append(errs, s.removeOthers())...)
}

// Close closes the files of a snapshot that was rejected.
func (c RestoringFiles) Close() error {
	var errs []error
	for _, r := range c {
		if r.file != nil {
			errs = append(errs, r.file.Close())
		}
	}
	return errors.Join(errs...)
}
