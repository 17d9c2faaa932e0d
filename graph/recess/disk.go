package recess

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// disk is the file system as the recess uses it. Tests use one that fails, or loses what
// was not synced, at any chosen step.
type disk interface {
	MkdirAll(dir string) error
	Create(path string) (file, error) // new, or truncated
	Open(path string) (file, error)   // for reading and writing; fs.ErrNotExist
	Rename(from, to string) error
	Remove(path string) error               // a missing file is no error
	ReadDir(dir string) ([]dirEntry, error) // a missing directory is empty; ascending names
	SyncDir(dir string) error
	Stat(path string) (size int64, changed time.Time, err error)
}

// file is an open file of a disk.
type file interface {
	io.ReaderAt
	io.WriterAt
	Size() (int64, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

type dirEntry struct {
	name string
	dir  bool
}

// osDisk is the file system of the machine.
type osDisk struct{}

type osFile struct{ *os.File }

func (f osFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (osDisk) MkdirAll(dir string) error { return os.MkdirAll(dir, 0o700) }

func (osDisk) Create(path string) (file, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (osDisk) Open(path string) (file, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

func (osDisk) Rename(from, to string) error { return os.Rename(from, to) }

func (osDisk) Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (osDisk) ReadDir(dir string) ([]dirEntry, error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	entries := make([]dirEntry, len(list))
	for i, e := range list {
		entries[i] = dirEntry{e.Name(), e.IsDir()}
	}
	return entries, err
}

func (osDisk) SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (osDisk) Stat(path string) (int64, time.Time, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, time.Time{}, err
	}
	return info.Size(), info.ModTime(), nil
}

// replaceFile writes a file as a whole, durably: the old content stays until the new bytes
// are on the disk. If shred is set, the old bytes are overwritten.
func replaceFile(d disk, path string, data []byte, shred bool) error {
	f, err := d.Create(path + ".new")
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, 0)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, d.Remove(path+".new"))
	}
	var old file
	if shred {
		if old, err = d.Open(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	err = errors.Join(d.Rename(path+".new", path), d.SyncDir(filepath.Dir(path)))
	if old != nil {
		// The name is removed; its blocks are overwritten through the open file.
		if err == nil {
			err = overwrite(old)
		}
		err = errors.Join(err, old.Close())
	}
	return err
}

// overwrite fills a file with zeros, durably.
func overwrite(f file) error {
	size, err := f.Size()
	if err != nil {
		return err
	}
	zeros := make([]byte, min(size, 64<<10))
	for at := int64(0); at < size; at += int64(len(zeros)) {
		if _, err := f.WriteAt(zeros[:min(int64(len(zeros)), size-at)], at); err != nil {
			return err
		}
	}
	return f.Sync()
}

// shredFile overwrites a file and removes it. A missing file is no error.
func shredFile(d disk, path string) error {
	f, err := d.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(overwrite(f), f.Close(), d.Remove(path))
}

// makeDir makes a directory and syncs each parent that got an entry.
func makeDir(d disk, root, dir string) error {
	if _, _, err := d.Stat(dir); err == nil {
		return nil
	}
	if err := d.MkdirAll(dir); err != nil {
		return err
	}
	for p := dir; p != root && p != filepath.Dir(p); p = filepath.Dir(p) {
		if err := d.SyncDir(filepath.Dir(p)); err != nil {
			return err
		}
	}
	return nil
}
