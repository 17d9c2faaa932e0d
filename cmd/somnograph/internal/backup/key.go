package backup

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/ledger"
)

// Names of secrets in the directory of keys.
const (
	keySecret    = "backup-key"    // the key of all backups of a store
	nextSecret   = "backup-next"   // that of the latest replacement
	formerSecret = "backup-former" // the keys before it
	headsSecret  = "backup-heads"  // the last known end of each backup
)

// KeySize is the size of a backup key in bytes.
const KeySize = 32

// Key is the secret from which the keys of a store's backups are derived.
type Key []byte

// Secrets are the small files of keys of a store. ledger.Secrets implements it.
type Secrets interface {
	Read(name string) ([]byte, error)
	Write(name string, content []byte) error
	Fill(b []byte) error
}

// KeyOf reads the backup keys of the store with an identity below a directory of keys, and the known ends
// of its backups. It takes no lock, so that a server may run.
func KeyOf(keys, store string) (*Keys, []byte, error) {
	if b, err := hex.DecodeString(store); err != nil || len(b) != 16 {
		return nil, nil, fmt.Errorf("backup: %q is no identity of a store", store)
	}
	folder := filepath.Join(keys, store)
	secrets := ledger.SecretsOf(folder)
	key, err := secrets.Read(keySecret)
	if errors.Is(err, graph.ErrIntegrity) {
		return nil, nil, damagedKey(folder)
	}
	if err != nil {
		return nil, nil, err
	}
	if _, err := os.Stat(folder); err == nil && key == nil {
		return nil, nil, fmt.Errorf("%s is missing: put a copy of it back; without it the backup can't be opened", filepath.Join(folder, "secrets", keySecret))
	}
	if key == nil {
		return nil, nil, fmt.Errorf("the backup is of store %s, and %s has no key for it: name the directory of keys of that store with --keys", store, keys)
	}
	if len(key) != KeySize {
		return nil, nil, damagedKey(folder)
	}
	k, _, err := readKeys(secrets)
	if err != nil {
		return nil, nil, err
	}
	heads, err := readHeads(secrets)
	return k, heads, err
}

// damagedKey is the error for a damaged key of backups in the folder of a store in a directory of keys.
func damagedKey(folder string) error {
	return fmt.Errorf("%s is damaged: put a copy of it back; without it the backup can't be opened", filepath.Join(folder, "secrets", keySecret))
}

// SecretsProblem is a secret of the backups that is of no use, and what to do about it.
type SecretsProblem struct{ What, Do string }

// CheckSecrets returns what is wrong with the secrets of the backups in the folder of a store in a directory of keys.
// used says that the store was backed up, so that there must be a key.
func CheckSecrets(folder string, used bool) (problems []SecretsProblem) {
	secrets := ledger.SecretsOf(folder)
	path := func(name string) string { return filepath.Join(folder, "secrets", name) }
	unread := func(name string, err error) string {
		if errors.Is(err, graph.ErrIntegrity) {
			return path(name) + " is damaged: its bytes are not those that were written"
		}
		return path(name) + ": " + err.Error()
	}
	heads, err := readHeads(secrets)
	if err == nil {
		_, err = parseHeads(heads)
	}
	if err != nil {
		problems = append(problems, SecretsProblem{unread(headsSecret, err), "put its newest copy back"})
	}
	lost := "put a copy of it back: without it the backups can't be opened; if there is none, begin a new backup at another target"
	former, err := secrets.Read(formerSecret)
	if err == nil {
		_, err = parseFormer(former)
	}
	if err != nil {
		problems = append(problems, SecretsProblem{unread(formerSecret, err), "put its newest copy back: without it older generations can't be opened"})
	}
	key, err := secrets.Read(keySecret)
	switch {
	case err != nil:
		problems = append(problems, SecretsProblem{unread(keySecret, err), lost})
	case key == nil && (used || heads != nil):
		problems = append(problems, SecretsProblem{path(keySecret) + ", the key of the backups, is missing", lost})
	case key != nil && len(key) != KeySize:
		problems = append(problems, SecretsProblem{fmt.Sprintf("%s, the key of the backups, has %d bytes, not %d", path(keySecret), len(key), KeySize), lost})
	}
	return problems
}

// secretsMu is held while secrets are read and replaced: several backups of one store may run.
var secretsMu sync.Mutex

// derive derives a key for a purpose.
func (k Key) derive(salt []byte, purpose string) ([]byte, error) {
	return hkdf.Key(sha256.New, k, salt, "somnograph backup "+purpose, 32)
}
