//go:build unix

package document

import "golang.org/x/sys/unix"

// mapBytes reserves size bytes outside of the heap, which are 0.
func mapBytes(size int64) ([]byte, error) {
	return unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
}

// unmapBytes gives the bytes back. Nothing may use them any more.
func unmapBytes(b []byte) { _ = unix.Munmap(b) }
