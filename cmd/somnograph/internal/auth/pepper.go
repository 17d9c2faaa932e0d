package auth

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/somnograph/somnograph/engine/access"
)

// PepperFile is the file with the pepper in the data directory.
func PepperFile(data string) string { return filepath.Join(data, "access", "pepper") }

// Pepper reads the pepper of the API keys from a file. It makes the file with random bytes if
// there is none. A file that others may read is refused.
func Pepper(path string) ([]byte, error) {
	for range 2 {
		b, err := readPepper(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return b, err
		}
		if err := makePepper(path); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("can't make the pepper of the API keys: %w", err)
		}
	}
	return readPepper(path)
}

// FormerPepper reads the pepper that was replaced, which is kept beside the file of the present one under
// its name with the ending .former. Nil: there is none.
func FormerPepper(path string) ([]byte, error) {
	b, err := readPepper(path + ".former")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

func readPepper(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("the pepper of the API keys is readable by others: run chmod 600 %s", path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("can't read the pepper of the API keys: %w", err)
	}
	if len(b) < access.MinPepper {
		return nil, fmt.Errorf("the pepper of the API keys in %s has %d bytes, fewer than %d", path, len(b), access.MinPepper)
	}
	return b, nil
}

// makePepper writes the file durably under another name first: another process that starts at
// the same time reads either nothing or all of it.
func makePepper(path string) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	b := make([]byte, access.MinPepper)
	if _, err := rand.Read(b); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "pepper.*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.Write(b)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes the names in a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if runtime.GOOS == "windows" { // it can't sync directories
		err = nil
	}
	return errors.Join(err, d.Close())
}
