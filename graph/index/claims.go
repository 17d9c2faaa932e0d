package index

import "errors"

// fileState is what a snapshot says of a file of vectors.
type fileState struct {
	dim           int
	id            uint64
	records, last uint32
}

// state is that of the file at present.
func (f *vectorFile) state() fileState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fileState{f.dim, f.id, uint32(len(f.serials)), f.last}
}

// claims are the files of vectors that belong to a snapshot while it is read, by dimension.
type claims map[int]*restoring

// restore opens the files that a snapshot names. Each must be there: it is the one that was there
// when the snapshot was written, with at least as much in it.
func (s *vectorFiles) restore(states []fileState) (claims, error) {
	all := claims{}
	for _, x := range states {
		s.mu.Lock()
		f := s.add(x.dim, x.id)
		s.mu.Unlock()
		r, err := f.restore(x.records, x.last)
		if err != nil {
			return nil, errors.Join(err, all.close())
		}
		all[x.dim] = r
	}
	return all, nil
}

// has reports whether there is a file of a dimension.
func (c claims) has(dim int) bool { return c[dim] != nil }

// claim says that a memory has the record that it names. It answers false where that cannot
// be. Namespaces are pictured one behind the other, so that a record may be seen with who
// lost it and again with who got it next.
func (c claims) claim(at heldAt) bool {
	if at.serial == 0 {
		return true
	}
	r := c[int(at.dim)]
	return r != nil && r.claim(at.vectorRef)
}

// finish takes the files over into the tenant and removes others.
func (c claims) finish(s *vectorFiles) error {
	var errs []error
	for dim, r := range c {
		errs = append(errs, r.finish())
		delete(c, dim)
	}
	return errors.Join(append(errs, s.removeOthers())...)
}

// close closes the files of a snapshot that was left aside.
func (c claims) close() error {
	var errs []error
	for _, r := range c {
		if r.file != nil {
			errs = append(errs, r.file.Close())
		}
	}
	return errors.Join(errs...)
}
