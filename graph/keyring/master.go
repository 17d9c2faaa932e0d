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
	"sync"

	"github.com/somnograph/somnograph/graph"
)

const (
	masterName = "master"
	nextName   = "master.next" // of a rotation that is not finished
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

// masterKeys seal the keys of the tenants and the secrets, a file each.
type masterKeys struct {
	dir    string
	random io.Reader

	mu      sync.Mutex // held while a file that they seal is read or replaced
	current []byte
	former  []byte // of a rotation that is not finished: files may still be under it; nil: none
}

// openMaster reads the master key, and makes it if the directory has no tenant yet.
func openMaster(dir string, random io.Reader) (*masterKeys, error) {
	m := &masterKeys{dir: dir, random: random}
	path := filepath.Join(dir, masterName)
	var err error
	if m.current, err = readMaster(path); errors.Is(err, fs.ErrNotExist) {
		m.current, err = makeMaster(dir, random)
		return m, err
	}
	if err != nil {
		return nil, err
	}
	next, err := readMaster(filepath.Join(dir, nextName))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	m.current, m.former = next, m.current
	return m, err
}

func readMaster(path string) ([]byte, error) {
	text, err := readFile(path)
	if err != nil {
		return nil, err
	}
	if key, ok := parseMaster(text); ok {
		return key, nil
	}
	return nil, damaged(path, fmt.Errorf("%w: it holds no master key", graph.ErrIntegrity))
}

// makeMaster makes the master key of a directory without tenants.
func makeMaster(dir string, random io.Reader) ([]byte, error) {
	path := filepath.Join(dir, masterName)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() {
			return nil, damaged(path, fmt.Errorf("%w: it is missing, and there are keys that it seals", graph.ErrIntegrity))
		}
	}
	key, err := newKey(random)
	if err != nil {
		return nil, err
	}
	return key, replaceFile(path, masterText(key), false)
}

// read returns what a file holds.
func (m *masterKeys) read(path string, additional []byte) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	wrapped, err := readFile(path)
	if err != nil {
		return nil, err
	}
	text, _, err := openEither(m.current, m.former, wrapped, additional)
	return text, damaged(path, err)
}

// write replaces what a file holds.
func (m *masterKeys) write(path string, content, additional []byte, shred bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.replace(path, content, additional, shred)
}

// replace is write; the caller holds the lock.
func (m *masterKeys) replace(path string, content, additional []byte, shred bool) error {
	wrapped, err := seal(nil, m.current, content, additional, m.random)
	if err != nil {
		return err
	}
	return replaceFile(path, wrapped, shred)
}

// openEither opens a sealed text with the key under which it is: the present or the former one.
func openEither(key, former, sealed, additional []byte) (text []byte, underFormer bool, err error) {
	text, err = open(nil, key, sealed, additional)
	if err != nil && former != nil {
		if text, second := open(nil, former, sealed, additional); second == nil {
			return text, true, nil
		}
	}
	return text, false, err
}

func newKey(random io.Reader) ([]byte, error) {
	key := make([]byte, KeySize)
	if _, err := io.ReadFull(random, key); err != nil {
		return nil, fmt.Errorf("keyring: randomness: %w", err)
	}
	return key, nil
}
