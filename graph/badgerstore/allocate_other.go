//go:build !linux

package badgerstore

import "os"

// allocate reserves disk blocks for a file.
func allocate(f *os.File, size int64) error { return writeZeros(f, size) }
