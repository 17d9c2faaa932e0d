package graph

import "errors"

// DamagedRow reports whether an error says that one stored row is damaged, and not that a file of keys is,
// without which no row can be read.
func DamagedRow(err error) bool {
	var keys *DamagedKeysError
	return errors.Is(err, ErrIntegrity) && !errors.As(err, &keys)
}

// Undamaged returns memories in the order of ids, as Reader.Memories does, and nil also for one that fails
// its checksum: a damaged memory is not served, and must not keep others from being served. What erases
// or copies memories must not use it.
func Undamaged(r Reader, ids []ID) ([]*Memory, error) {
	found, err := r.Memories(ids)
	if !DamagedRow(err) {
		return found, err
	}
	found = make([]*Memory, len(ids))
	for i, id := range ids {
		if found[i], err = Readable(r, id); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Readable returns a memory; nil if there is none, or if it fails its checksum. See Undamaged.
func Readable(r Reader, id ID) (*Memory, error) {
	m, err := r.Memory(id)
	if DamagedRow(err) {
		return nil, nil
	}
	if known, err := Found(err); !known || err != nil {
		return nil, err
	}
	return m, nil
}
