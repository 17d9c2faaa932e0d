//go:build unix

package bench

import (
	"io/fs"
	"syscall"
)

// onDisk is what a file takes on the disk: preallocated files are full of holes.
func onDisk(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Blocks * 512
	}
	return info.Size()
}
