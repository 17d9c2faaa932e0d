package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dirlock"
)

var (
	// ErrNoObject is returned for an object that a target does not have.
	ErrNoObject = errors.New("there is no such object")
	// ErrChanged is returned by Swap if the target has another object than the one expected.
	ErrChanged = errors.New("another process has written it")
	// ErrNoTarget is returned for a target that does not exist, such as a directory on a disk that is not
	// mounted.
	ErrNoTarget = errors.New("there is no directory")
)

// Target is where objects are kept. Names have parts of digits, letters and dots, with slashes.
type Target interface {
	// Put stores an object durably, as a whole, and replaces an existing one.
	Put(ctx context.Context, name string, b []byte) error
	// Swap stores an object as Put does, if the target has the object with the bytes old, or none where
	// old is nil. Otherwise it returns ErrChanged.
	Swap(ctx context.Context, name string, old, b []byte) error
	// Get reads an object, or returns ErrNoObject.
	Get(ctx context.Context, name string) ([]byte, error)
	// List lists the names of all objects of generations, ascending.
	List(ctx context.Context) ([]string, error)
	// Delete removes an object. A missing one is no error.
	Delete(ctx context.Context, name string) error
	// Make makes a target that does not exist. Its parent must exist.
	Make(ctx context.Context) error
	// String names the target without credentials.
	String() string
	// Kind is "directory" or "s3".
	Kind() string
	// Names are the texts by which an error can name the target, the longest first.
	Names() []string
}

// directory is a target on this machine.
type directory string

// Directory returns the target in a directory, and makes the directory, in one that exists, if create is
// set.
func Directory(path string, create bool) (Target, error) {
	d := directory(path)
	err := d.there()
	if errors.Is(err, ErrNoTarget) && create {
		err = d.Make(context.Background())
	}
	return d, err
}

// there returns an error if there is no such directory.
func (d directory) there() error {
	info, err := os.Stat(string(d))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w %s", ErrNoTarget, d)
	case err != nil:
		return fmt.Errorf("backup: %w", err)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", d)
	}
	return nil
}

// Make makes the directory.
func (d directory) Make(context.Context) error {
	err := os.Mkdir(string(d), 0o700)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w %s in which to make %s: make it, or mount its disk", ErrNoTarget, filepath.Dir(string(d)), filepath.Base(string(d)))
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(filepath.Dir(string(d)))
}

// Swap compares and replaces under a lock. Where the file system has no locks, another process that
// writes at the same instant is not seen.
func (d directory) Swap(ctx context.Context, name string, old, b []byte) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	found, err := d.Get(ctx, name)
	if err != nil && !errors.Is(err, ErrNoObject) {
		return err
	}
	if err == nil != (old != nil) || !bytes.Equal(found, old) {
		return ErrChanged
	}
	return d.Put(ctx, name, b)
}

// lockPause is the time between two tries to lock a directory.
const lockPause = 5 * time.Millisecond

// lock locks the directory, if the file system has locks. It waits while another process swaps an
// object.
func (d directory) lock(ctx context.Context) (unlock func(), err error) {
	for {
		file, err := dirlock.Lock(string(d))
		if err == nil {
			return func() { _ = file.Close() }, nil // nothing is written to it
		}
		if !errors.Is(err, graph.ErrLocked) {
			return func() {}, nil //nolint:nilerr // the comparison alone has to do
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPause):
		}
	}
}

func (d directory) String() string  { return string(d) }
func (directory) Kind() string      { return "directory" }
func (d directory) Names() []string { return []string{string(d)} }

func (d directory) path(name string) string {
	return filepath.Join(string(d), filepath.FromSlash(name))
}

// Put writes a temporary file and renames it.
func (d directory) Put(_ context.Context, name string, b []byte) (err error) {
	path := d.path(name)
	dir := filepath.Dir(path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) { // not the target itself: its disk may be away
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
	if err := d.there(); err != nil {
		return nil, err
	}
	err = filepath.WalkDir(string(d), func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // it was removed meanwhile
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(string(d), path)
		if name = filepath.ToSlash(name); isObject(name) {
			names = append(names, name)
		}
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
