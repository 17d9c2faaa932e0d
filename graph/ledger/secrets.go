package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/somnograph/somnograph/graph"
)

// Secrets are the small files of keys in a directory of a ledger, such as those of the audit. They
// lie outside the data directory and its backups. Methods may be called concurrently for different
// names.
type Secrets struct {
	dir    string
	random io.Reader
}

// secretsName is the name of the directory of the secrets in that of a ledger.
const secretsName = "secrets"

// Secrets returns the secrets of the store.
func (l *Ledger) Secrets() Secrets { return Secrets{filepath.Join(l.dir(), secretsName), l.random} }

var secretPattern = regexp.MustCompile(`^[a-z0-9-]{1,100}$`)

// path returns the path of a secret: 1 to 100 lower-case letters, digits and hyphens.
func (s Secrets) path(name string) (string, error) {
	if !secretPattern.MatchString(name) {
		return "", fmt.Errorf("ledger: %q is no name of a secret", name)
	}
	return filepath.Join(s.dir, name), nil
}

// Read returns what was last written under a name, nil if nothing was. A file that other users can
// read is refused.
func (s Secrets) Read(name string) ([]byte, error) {
	path, err := s.path(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("ledger: other users can read the keys in %s: run chmod 600 on it", path)
	}
	stored, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	content, whole := opened(name, stored)
	if !whole {
		return nil, s.Damaged(name, "its bytes are not those that were written")
	}
	return content, nil
}

// Names returns the names of what is kept, ascending.
func (s Secrets) Names() (names []string, err error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() && secretPattern.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Damaged is the error for a secret that is of no use. It names its file.
func (s Secrets) Damaged(name, what string) error {
	return &graph.DamagedKeysError{Path: filepath.Join(s.dir, name), Err: fmt.Errorf("%w: %s", graph.ErrIntegrity, what)}
}

// Write replaces what is kept under a name, durably and as a whole, and overwrites the former bytes.
func (s Secrets) Write(name string, content []byte) error {
	path, err := s.path(name)
	if err != nil {
		return err
	}
	content = closed(name, content)
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	if b, err := os.ReadFile(path); err == nil && bytes.Equal(b, content) {
		return nil
	}
	former, err := os.OpenFile(path, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		former, err = nil, nil
	}
	if err == nil {
		err = replace(path, string(content))
	}
	if former != nil {
		if err == nil {
			err = overwrite(former)
		}
		err = errors.Join(err, former.Close())
	}
	if err != nil {
		return fmt.Errorf("ledger: write %s: %w", path, err)
	}
	return nil
}

// Fill fills b with randomness that is fit for keys.
func (s Secrets) Fill(b []byte) error {
	if _, err := io.ReadFull(s.random, b); err != nil {
		return fmt.Errorf("ledger: randomness: %w", err)
	}
	return nil
}

// overwrite writes zeros over a file that has no name any more. A file system that copies on write
// may keep the bytes.
func overwrite(former *os.File) error {
	info, err := former.Stat()
	if err == nil {
		_, err = former.WriteAt(make([]byte, info.Size()), 0)
	}
	return err
}

// SecretsBelow returns the secrets whose names have a prefix, of all stores below a directory of
// keys. It takes no lock: a secret that is being replaced is read before or after that.
func SecretsBelow(root, prefix string) (all [][]byte, err error) {
	paths, err := filepath.Glob(filepath.Join(root, "*", secretsName, prefix+"*"))
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	for _, path := range paths {
		secret, err := Secrets{dir: filepath.Dir(path)}.Read(filepath.Base(path))
		if err != nil {
			return nil, err
		}
		if secret != nil {
			all = append(all, secret)
		}
	}
	return all, nil
}

// SecretsOf returns the secrets in the directory of a ledger, to be read. It takes no lock.
func SecretsOf(dir string) Secrets { return Secrets{dir: filepath.Join(dir, secretsName)} }
