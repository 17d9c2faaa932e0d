package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// ErrNoObject is returned for an object that a target does not have.
var ErrNoObject = errors.New("there is no such object")

// Target is where objects are kept. Names have parts of digits, letters and dots, with slashes.
type Target interface {
	// Put stores an object durably, as a whole, and replaces an existing one.
	Put(ctx context.Context, name string, b []byte) error
	// Get reads an object, or returns ErrNoObject.
	Get(ctx context.Context, name string) ([]byte, error)
	// List lists the names of all objects, ascending.
	List(ctx context.Context) ([]string, error)
	// Delete removes an object. A missing one is no error.
	Delete(ctx context.Context, name string) error
	// String names the target without credentials.
	String() string
	// Kind is "directory" or "s3".
	Kind() string
}

// directory is a target on this machine.
type directory string

// Directory returns the target in a directory, and makes the directory if create is set.
func Directory(path string, create bool) (Target, error) {
	if create {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, fmt.Errorf("backup: %w", err)
		}
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no directory %s", path)
	}
	if err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", path)
	}
	return directory(path), nil
}

func (d directory) String() string { return string(d) }
func (directory) Kind() string     { return "directory" }

func (d directory) path(name string) string {
	return filepath.Join(string(d), filepath.FromSlash(name))
}

// Put writes a temporary file and renames it.
func (d directory) Put(_ context.Context, name string, b []byte) (err error) {
	path := d.path(name)
	dir := filepath.Dir(path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		if err := syncDir(string(d)); err != nil {
			return err
		}
	}
	next := path + ".next"
	f, err := os.OpenFile(next, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(next))
	}
	if err := os.Rename(next, path); err != nil {
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
	return errors.Join(d.Sync(), d.Close())
}

func (d directory) Get(_ context.Context, name string) ([]byte, error) {
	f, err := os.Open(d.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoObject
	}
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(f)
	return b, errors.Join(err, f.Close())
}

func (d directory) List(context.Context) (names []string, err error) {
	err = filepath.WalkDir(string(d), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, ".next") {
			return err
		}
		name, err := filepath.Rel(string(d), path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	sort.Strings(names)
	return names, err
}

func (d directory) Delete(_ context.Context, name string) error {
	path := d.path(name)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = os.Remove(filepath.Dir(path)) // of a generation, when it is empty
	return nil
}
