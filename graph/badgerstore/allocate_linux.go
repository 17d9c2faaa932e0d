package badgerstore

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// allocate gives a file its blocks.
func allocate(f *os.File, size int64) error {
	err := unix.Fallocate(int(f.Fd()), 0, 0, size)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) {
		return fill(f, size)
	}
	return err
}
