package ledger

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

const (
	identityName = "store.id" // in the data directory
	dataName     = "data"     // in the directory of the ledger
)

// Directory returns the directory of a store in the directory of keys, and makes it if there is
// none. The caller has the data directory locked. See [Open] for the arguments.
func Directory(root, data string, random io.Reader) (string, error) {
	store, err := identify(root, data, random)
	return filepath.Join(root, store), err
}

// Find returns the directory of a store in the directory of keys, and changes nothing. Its records must not be older than the store, as
// for [Open]. The error wraps graph.ErrUnfinished if the store does not know its directory of keys yet.
func Find(root, data string) (string, error) {
	store, err := readIdentity(data)
	if err != nil {
		return "", fmt.Errorf("ledger: %w", err)
	}
	known, from, err := readKept(data)
	if err != nil {
		return "", fmt.Errorf("ledger: %w", err)
	}
	if store == "" || known == nil {
		return "", fmt.Errorf("ledger: %w: it does not know its keys", graph.ErrUnfinished)
	}
	if store, err = known.check(root, data, from, store); err == nil {
		err = checkRecords(filepath.Join(root, store), known)
	}
	if err != nil {
		return "", fmt.Errorf("ledger: %w", err)
	}
	return filepath.Join(root, store), nil
}

// identify returns the identity of the store in a data directory. If the data directory has
// none, it gets that of the ledger which was used with this path, so that a copy made before
// identities existed can be put back. Otherwise the store is new and gets a random one.
func identify(root, data string, random io.Reader) (string, error) {
	path, err := filepath.Abs(data)
	if err != nil {
		return "", err
	}
	store, err := readIdentity(data)
	if err != nil {
		return "", err
	}
	known, from, err := readKept(data)
	if err != nil {
		return "", err
	}
	if known != nil {
		if store, err = known.check(root, data, from, store); err != nil {
			return "", err
		}
	}
	if err := os.MkdirAll(root, 0o700); err != nil {
		return "", err
	}
	if store == "" {
		if store, err = usedWith(root, path); err != nil {
			return "", err
		}
		if store == "" {
			var b [16]byte
			if _, err := io.ReadFull(random, b[:]); err != nil {
				return "", fmt.Errorf("make an identity: %w", err)
			}
			store = hex.EncodeToString(b[:])
		}
	}
	// The ledger is on disk before the identity that leads to it.
	dir := filepath.Join(root, store)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := replace(filepath.Join(dir, dataName), path+"\n"); err != nil {
		return "", err
	}
	if err := syncDir(root); err != nil {
		return "", err
	}
	return store, replace(filepath.Join(data, identityName), store+"\n")
}

// readIdentity reads the identity in a data directory; empty: there is none.
func readIdentity(data string) (string, error) {
	b, err := os.ReadFile(filepath.Join(data, identityName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	store := strings.TrimSpace(string(b))
	if !validStore(store) {
		return "", mismatch("put it back; it is the name of the folder of this store in the directory of keys", "%s, the identity of the store, must be 32 hexadecimal digits", filepath.Join(data, identityName))
	}
	return store, nil
}

// validStore reports whether s is an identity: 32 lower-case hexadecimal digits.
func validStore(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 16 && s == strings.ToLower(s)
}

// usedWith returns the store that was last used with a data directory; empty: none.
func usedWith(root, path string) (string, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if !validStore(e.Name()) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(root, e.Name(), dataName))
		if err == nil && strings.TrimSuffix(string(b), "\n") == path {
			return e.Name(), nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", nil
}

// replace writes a file durably, unless it has the text already.
func replace(path, text string) error {
	if b, err := os.ReadFile(path); err == nil && string(b) == text {
		return nil
	}
	next := path + ".new"
	f, err := os.OpenFile(next, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(next, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes the names in a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
