package document

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapBytes reserves size bytes outside of the heap, which are 0.
func mapBytes(size int64) ([]byte, error) {
	address, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), size), nil
}

// unmapBytes gives the bytes back. Nothing may use them any more.
func unmapBytes(b []byte) {
	_ = windows.VirtualFree(uintptr(unsafe.Pointer(unsafe.SliceData(b))), 0, windows.MEM_RELEASE)
}
