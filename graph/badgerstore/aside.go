package badgerstore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"

	"github.com/somnograph/somnograph/graph"
)

// Badger removes every table that its manifest does not name, when it opens. After a kill these are
// tables that were not finished, and their content is elsewhere too. After damage to the manifest
// they hold the only copy of the data. What they are is known only when the chain of commits was
// compared with the watermark, so they are kept aside until then.

// asideName is the folder beside the database that keeps such tables.
const asideName = "aside"

// readManifest returns Badger's manifest, and whether it ends within an entry. Badger cuts such an entry off.
// The error wraps fs.ErrNotExist if there is no manifest, and graph.ErrIntegrity if it is damaged.
func readManifest(dir string) (m badger.Manifest, torn bool, err error) {
	f, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if err != nil {
		return m, false, fmt.Errorf("badgerstore: open manifest: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return m, false, fmt.Errorf("badgerstore: stat manifest: %w", err)
	}
	m, end, err := badger.ReplayManifestFile(f, 0, badger.DefaultOptions(dir).WithLogger(nil))
	if err != nil {
		return m, false, fmt.Errorf("%w: manifest: %w", graph.ErrIntegrity, err)
	}
	return m, end < info.Size(), nil
}

// unnamedTables returns the names of the tables in a directory that the manifest does not name.
func unnamedTables(dir string, m badger.Manifest) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("badgerstore: list tables: %w", err)
	}
	var names []string
	for _, e := range entries {
		id, ok := table.ParseFileID(e.Name())
		if _, named := m.Tables[id]; ok && !named {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// setAside links the tables of a database that its manifest does not name into the folder aside of the
// store. If the manifest was cut, it copies the manifest and the logs too, which opening changes.
// It returns the folder; empty: there is no such table, or the file system has no links. A folder that
// an earlier opening left is not changed.
func setAside(store string) (aside string, err error) {
	dir := badgerDir(store)
	m, torn, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	aside = filepath.Join(store, asideName)
	if _, err := os.Stat(aside); err == nil {
		return aside, nil
	}
	names, err := unnamedTables(dir, m)
	if err != nil || len(names) == 0 {
		return "", err
	}
	part := aside + ".new" // becomes aside when it is complete
	if err := errors.Join(os.RemoveAll(part), os.Mkdir(part, 0o700)); err != nil {
		return "", fmt.Errorf("badgerstore: set tables aside: %w", err)
	}
	for _, name := range names {
		if err := os.Link(filepath.Join(dir, name), filepath.Join(part, name)); err != nil {
			return "", os.RemoveAll(part)
		}
	}
	if torn {
		logs, err := filepath.Glob(filepath.Join(dir, "*.mem"))
		if err != nil {
			return "", fmt.Errorf("badgerstore: list logs: %w", err)
		}
		for _, path := range append(logs, filepath.Join(dir, badger.ManifestFilename)) {
			if err := copyFile(path, filepath.Join(part, filepath.Base(path))); err != nil {
				return "", errors.Join(fmt.Errorf("badgerstore: the manifest was cut; copy what opening changes: %w", err), os.RemoveAll(part))
			}
		}
	}
	if err := os.Rename(part, aside); err != nil {
		return "", fmt.Errorf("badgerstore: set tables aside: %w", err)
	}
	return aside, nil
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// dropAside removes what setAside kept, once the data is known to be complete.
func (s *Store) dropAside() error {
	if s.aside == "" {
		return nil
	}
	if err := os.RemoveAll(s.aside); err != nil {
		return fmt.Errorf("badgerstore: remove what was set aside: %w", err)
	}
	s.aside = ""
	return nil
}

// withAside adds to the error of an opening where the files are that Badger would have removed.
func (s *Store) withAside(err error) error {
	if s.aside == "" || !errors.Is(err, graph.ErrIntegrity) {
		return err
	}
	return fmt.Errorf("%w (tables that the manifest does not name are kept in %s)", err, s.aside)
}
