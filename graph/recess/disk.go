package recess

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// disk is the file system as the recess uses it. Tests put one below it that fails,
// or loses what was not synced, at any chosen step.
type disk interface {
	MkdirAll(dir string) error
	Create(path string) (file, error) // new, or cut to nothing
	Open(path string) (file, error)   // to read and write; fs.ErrNotExist
	Rename(from, to string) error
	Remove(path string) error               // absent is no error
	ReadDir(dir string) ([]dirEntry, error) // absent is empty; ascending names
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

// replace writes a file as a whole, durably: what was there stays until the new
// bytes are on the disk. Where wipe is set, the bytes it replaces are overwritten.
func replace(d disk, path string, data []byte, wipe bool) error {
	f, err := d.Create(path + ".new")
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, 0)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, d.Remove(path+".new"))
	}
	var old file
	if wipe {
		if old, err = d.Open(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	err = errors.Join(d.Rename(path+".new", path), d.SyncDir(filepath.Dir(path)))
	if old != nil {
		// The name is gone; its blocks are written over through the open file.
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

// discard overwrites a file and removes it. One that is not there is no error.
func discard(d disk, path string) error {
	f, err := d.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(overwrite(f), f.Close(), d.Remove(path))
}

// mkdir makes a directory and syncs each parent that gained an entry.
func mkdir(d disk, root, dir string) error {
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
