package recess

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/somnograph/somnograph/graph"
)

// movedFile is in the directory of keys once those of Dir were moved there.
const movedFile = "moved"

// keyDir is the directory of the keys.
func (o Options) keyDir() string {
	if o.Keys == "" {
		return o.Dir
	}
	return o.Keys
}

// moveKeys moves the keys that an earlier version kept in Dir to Keys. They are copied, marked as
// moved, and then overwritten in Dir. Keys that are found in Dir after that belong to an earlier
// copy of it, and are older than those in Keys: they are overwritten too.
func moveKeys(d disk, o Options) error {
	if o.Keys == "" {
		return nil
	}
	root := filepath.Dir(o.Keys) // the lowest directory that exists
	for root != filepath.Dir(root) {
		if _, _, err := d.Stat(root); err == nil {
			break
		}
		root = filepath.Dir(root)
	}
	if err := makeDir(d, root, o.Keys); err != nil {
		return err
	}
	names, err := keysInside(d, o.Dir)
	if err != nil || len(names) == 0 {
		return err
	}
	moved := filepath.Join(o.Keys, movedFile)
	if _, _, err := d.Stat(moved); errors.Is(err, fs.ErrNotExist) {
		for _, name := range names {
			if err := copyKeys(d, o, name); err != nil {
				return err
			}
		}
		err = replaceFile(d, moved, []byte("moved\n"), false)
		if err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	for _, name := range names {
		path := filepath.Join(o.Dir, name)
		if err := errors.Join(shredFile(d, path), d.SyncDir(filepath.Dir(path))); err != nil {
			return err
		}
	}
	return nil
}

// keysInside lists the files with keys in a directory of a recess, as paths in it.
func keysInside(d disk, dir string) (names []string, err error) {
	candidates := []string{masterFile, masterNext, masterDone}
	entries, err := d.ReadDir(filepath.Join(dir, tenantsDir))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		for _, ledger := range []string{"tenant", "keys"} {
			for _, ending := range ledgerEnding {
				candidates = append(candidates, filepath.Join(tenantsDir, e.name, ledger+ending))
			}
		}
	}
	for _, name := range candidates {
		_, _, err := d.Stat(filepath.Join(dir, name))
		if err == nil {
			names = append(names, name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return names, nil
}

// copyKeys copies a file with keys from Dir to Keys.
func copyKeys(d disk, o Options, name string) error {
	f, err := d.Open(filepath.Join(o.Dir, name))
	if err != nil {
		return err
	}
	size, err := f.Size()
	if err == nil && size > 1<<30 {
		err = fmt.Errorf("%w: %s has %d bytes", graph.ErrIntegrity, name, size)
	}
	var content []byte
	if err == nil {
		content = make([]byte, size)
		err = readFull(f, content, 0)
	}
	defer clear(content)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	to := filepath.Join(o.Keys, name)
	if err := makeDir(d, o.Keys, filepath.Dir(to)); err != nil {
		return err
	}
	return replaceFile(d, to, content, false)
}
