package badgerstore

import "golang.org/x/sys/windows"

// diskSpace is the space that this process may still use below dir, and the size of that
// disk, in bytes.
func diskSpace(dir string) (free, size uint64, err error) {
	p, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, 0, err
	}
	err = windows.GetDiskFreeSpaceEx(p, &free, &size, nil)
	return free, size, err
}
