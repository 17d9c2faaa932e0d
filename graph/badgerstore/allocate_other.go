//go:build !linux

package badgerstore

import "os"

// allocateBlocks reserves disk blocks for a file.
func allocateBlocks(f *os.File, size int64) error { return writeZeros(f, size) }
