package badgerstore

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// allocateBlocks reserves disk blocks for a file.
func allocateBlocks(f *os.File, size int64) error {
	err := unix.Fallocate(int(f.Fd()), 0, 0, size)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) {
		return writeZeros(f, size)
	}
	return err
}
