package keyring

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// atStep is called where a crash can come between two changes of files; tests set it.
var atStep = func() {}

// readFile reads a file of keys. Nobody but its owner may have access.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("other users can read the keys in %s: run chmod 600 on it", path)
	}
	return os.ReadFile(path)
}

// replaceFile replaces the content of a file, durably and as a whole. With shred the former bytes
// are overwritten.
func replaceFile(path string, content []byte, shred bool) (err error) {
	var former *os.File
	if shred {
		if former, err = openFormer(path); err != nil {
			return err
		}
	}
	next := path + ".new"
	f, err := os.OpenFile(next, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(content)
		if err == nil {
			err = f.Sync()
		}
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		atStep()
		err = os.Rename(next, path)
	}
	if err == nil {
		err = syncDir(filepath.Dir(path))
	}
	if former == nil {
		return err
	}
	if err != nil { // the former file is still the present one
		return errors.Join(err, former.Close())
	}
	atStep()
	return overwrite(former)
}

// removeFile removes a file durably, after its bytes were overwritten. A missing one is no error.
func removeFile(path string) error {
	former, err := openFormer(path)
	if former == nil {
		return err
	}
	err = os.Remove(path)
	if err == nil {
		err = syncDir(filepath.Dir(path))
	}
	if err != nil {
		return errors.Join(err, former.Close())
	}
	atStep()
	return overwrite(former)
}

// openFormer opens a file that is about to be replaced; nil: there is none.
func openFormer(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return f, err
}

// overwrite writes random bytes over a file that has no name any more, and closes it.
func overwrite(f *os.File) error {
	info, err := f.Stat()
	if err == nil {
		noise := make([]byte, info.Size())
		_, _ = rand.Read(noise) // it never fails
		_, err = f.WriteAt(noise, 0)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDir makes the names in a directory durable.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // names are durable there when the file is
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
