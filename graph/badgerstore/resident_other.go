//go:build !linux

package badgerstore

// watchResident leaves mapped tables to the kernel.
func (s *Store) watchResident(string, <-chan struct{}) {}
