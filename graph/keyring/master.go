package keyring

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/somnograph/somnograph/graph"
)

const (
	masterName = "master"
	tenantName = "key"
)

// masterText is the content of the file of a master key: two equal lines, so that damage to one
// loses nothing.
func masterText(key []byte) []byte {
	sum := sha256.Sum256(key)
	line := hex.EncodeToString(key) + " " + hex.EncodeToString(sum[:8]) + "\n"
	return []byte(line + line)
}

func parseMaster(text []byte) ([]byte, bool) {
	for line := range bytes.Lines(text) {
		if len(line) < 2*KeySize {
			continue
		}
		key, err := hex.DecodeString(string(line[:2*KeySize]))
		if err == nil && bytes.HasPrefix(masterText(key), line) {
			return key, true
		}
	}
	return nil, false
}

// MasterCopies returns how many of the two copies of the master key in a directory of keys are whole.
// The keys open with one. The error wraps fs.ErrNotExist if there is no file.
func MasterCopies(dir string) (whole int, err error) {
	text, err := os.ReadFile(filepath.Join(dir, masterName))
	if err != nil {
		return 0, fmt.Errorf("keyring: %w", err)
	}
	for line := range bytes.Lines(text) {
		if _, ok := parseMaster(line); ok {
			whole++
		}
	}
	return whole, nil
}

// openMaster reads the master key, and makes it if the directory has no tenant yet.
func openMaster(dir string, random io.Reader) ([]byte, error) {
	path := filepath.Join(dir, masterName)
	text, err := readFile(path)
	if err == nil {
		if key, ok := parseMaster(text); ok {
			return key, nil
		}
		return nil, fmt.Errorf("%w: %s is not a master key", graph.ErrIntegrity, path)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() {
			return nil, fmt.Errorf("%w: %s is missing, and there are keys that it seals; restore it", graph.ErrIntegrity, path)
		}
	}
	key, err := newKey(random)
	if err != nil {
		return nil, err
	}
	return key, replaceFile(path, masterText(key), false)
}

func newKey(random io.Reader) ([]byte, error) {
	key := make([]byte, KeySize)
	if _, err := io.ReadFull(random, key); err != nil {
		return nil, fmt.Errorf("keyring: randomness: %w", err)
	}
	return key, nil
}

// openTenantKey reads the key of a tenant; nil: it has none yet.
func openTenantKey(dir string, master []byte) ([]byte, error) {
	path, additional := filepath.Join(dir, tenantName), joined("tenant key", filepath.Base(dir))
	wrapped, err := readFile(path)
	if err == nil {
		key, err := open(nil, master, wrapped, additional)
		if err == nil && len(key) != KeySize {
			err = fmt.Errorf("%w: a key of %d bytes", graph.ErrIntegrity, len(key))
		}
		if err != nil {
			return nil, fmt.Errorf("keyring: %s: %w", path, err)
		}
		return key, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, stateName)); !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("%w: %s is missing, and there are keys that it seals; restore it", graph.ErrIntegrity, path), err)
	}
	return nil, nil
}

// makeTenantKey makes the directory and the key of a tenant.
func makeTenantKey(dir string, master []byte, random io.Reader) ([]byte, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	key, err := newKey(random)
	if err != nil {
		return nil, err
	}
	wrapped, err := seal(nil, master, key, joined("tenant key", filepath.Base(dir)), random)
	if err != nil {
		return nil, err
	}
	return key, errors.Join(replaceFile(filepath.Join(dir, tenantName), wrapped, false), syncDir(filepath.Dir(dir)))
}
