//go:build unix

package bench

import (
	"io/fs"
	"syscall"
)

// onDisk is the number of bytes that a file takes on the disk. Preallocated files are sparse.
func onDisk(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Blocks * 512
	}
	return info.Size()
}
