//go:build !linux

package badgerstore

// watchResident does nothing: the kernel manages mapped tables.
func (s *Store) watchResident(string, <-chan struct{}) {}
