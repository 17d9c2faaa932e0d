package badgerstore

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// allocateAhead reserves disk blocks for the beginning of a file and leaves its size unchanged. A
// file system that can't do so reserves none.
func allocateAhead(f *os.File, size int64) error {
	err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, size)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) {
		return nil
	}
	return err
}

// allocateBlocks reserves disk blocks for a file.
func allocateBlocks(f *os.File, size int64) error {
	err := unix.Fallocate(int(f.Fd()), 0, 0, size)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) {
		return writeZeros(f, size)
	}
	return err
}
