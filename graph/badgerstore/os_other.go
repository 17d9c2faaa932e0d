//go:build !linux

package badgerstore

import "os"

// allocateBlocks reserves disk blocks for a file.
func allocateBlocks(f *os.File, size int64) error { return writeZeros(f, size) }

// allocateAhead does nothing: the size of a file can't be kept while blocks are reserved.
func allocateAhead(*os.File, int64) error { return nil }

// watchResident does nothing: the kernel manages mapped tables.
func (s *Store) watchResident(string, <-chan struct{}) {}
