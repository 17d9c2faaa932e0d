//go:build unix

package badgerstore

import "golang.org/x/sys/unix"

// diskSpace is the space that an unprivileged process may still use below dir, and the
// size of that disk, in bytes.
func diskSpace(dir string) (free, size uint64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), uint64(s.Blocks) * uint64(s.Bsize), nil
}
