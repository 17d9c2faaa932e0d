//go:build !linux

package badgerstore

import "os"

// allocate gives a file its blocks.
func allocate(f *os.File, size int64) error { return fill(f, size) }
