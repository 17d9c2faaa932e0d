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

// readFiles opens the files of vectors that a snapshot names. Each must be there: it is the
// one that was there when the snapshot was written, with at least as much in it.
func (t *tenant) readFiles(d *decoder) (claims, error) {
	all := claims{}
	for n := d.count(); n > 0 && !d.bad; n-- {
		dim, id, records, last := d.uint(), d.uint(), d.uint(), d.uint()
		if d.bad || dim == 0 || dim > maxDim || records > uint64(none) || last > uint64(none) || all[int(dim)] != nil {
			return nil, errors.Join(errSnapshot, all.close())
		}
		t.files.mu.Lock()
		f := t.files.add(int(dim), id)
		t.files.mu.Unlock()
		r, err := f.restore(uint32(records), uint32(last))
		if err != nil {
			return nil, errors.Join(err, all.close())
		}
		all[int(dim)] = r
	}
	if d.bad || len(d.buf) > 0 {
		return nil, errors.Join(errSnapshot, all.close())
	}
	return all, nil
}

// maxDim is more dimensions than any model has.
const maxDim = 1 << 20

// claim says that a memory has the record that it names. It answers false where that cannot
// be. Namespaces are pictured one behind the other, so that a record may be seen with who
// lost it and again with who got it next.
func (c claims) claim(d *Doc) bool {
	if d.held.serial == 0 {
		return true
	}
	r := c[int(d.held.dim)]
	return r != nil && r.claim(d.held.vectorRef)
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
