//go:build !unix

package bench

import "io/fs"

// onDisk is the size of a file.
func onDisk(info fs.FileInfo) int64 { return info.Size() }
