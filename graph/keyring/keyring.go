package keyring

import (
	"cmp"
	"crypto/rand"
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
	"github.com/somnograph/somnograph/graph/dirlock"
)

// Options configure a keyring. The zero value uses the defaults.
type Options struct {
	// Random is where keys and nonces come from. Nil: crypto/rand.
	Random io.Reader
	// MaxSeals is after how many seals a tenant's key is replaced, by the erasure that reaches it.
	// Zero: 2³⁰, a quarter of what NIST SP 800-38D allows with random nonces.
	MaxSeals uint64
	// Existing refuses a directory without a master key with ErrWrong; otherwise one is made.
	Existing bool
	// AcceptOlder goes on without segments whose file is missing, and takes an older copy of a segment, with keys that were destroyed
	// since. Otherwise Ring.Check refuses both. It always refuses an older copy if the data is older too: erased records would be readable.
	AcceptOlder bool
	// ReadOnly opens keys to read with them, and changes no file. The error wraps graph.ErrUnfinished if a rotation was interrupted.
	ReadOnly bool
	// Lock keeps other processes from opening the directory. The error wraps graph.ErrLocked if one has it open.
	Lock bool
}

// maxSeals is the default of Options.MaxSeals.
const maxSeals = 1 << 30

// Keyring holds the rings of the tenants of a store. It is safe for concurrent use.
type Keyring struct {
	dir         string
	master      *masterKeys
	random      io.Reader
	maxSeals    uint64
	rotating    sync.Mutex // held during a rotation of the master key
	acceptOlder bool
	readOnly    bool

	mu    sync.Mutex
	rings map[graph.Tenant]*Ring
	lock  io.Closer // nil: the directory is not locked
}

// Open opens the keyring in a directory, and creates it if there is none and
// Options allow it. It finishes a rotation of the master key that was interrupted. The error wraps graph.ErrIntegrity if a key is damaged or missing.
func Open(dir string, o Options) (_ *Keyring, err error) {
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Existing {
		if _, err := os.Stat(filepath.Join(dir, masterName)); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("keyring: %w: %s is missing", ErrWrong, filepath.Join(dir, masterName))
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("keyring: %w", err)
	}
	var lock io.Closer
	if o.Lock {
		if lock, err = dirlock.Lock(dir); err != nil {
			return nil, fmt.Errorf("keyring: %w", err)
		}
		defer func() {
			if err != nil {
				err = errors.Join(err, lock.Close())
			}
		}()
	}
	master, err := openMaster(dir, o.Random)
	if err != nil {
		return nil, fmt.Errorf("keyring: %w", err)
	}
	k := &Keyring{dir: dir, master: master, random: o.Random, maxSeals: cmp.Or(o.MaxSeals, maxSeals), rings: map[graph.Tenant]*Ring{}, lock: lock, acceptOlder: o.AcceptOlder, readOnly: o.ReadOnly}
	if master.former != nil && o.ReadOnly {
		return nil, fmt.Errorf("keyring: %w: a rotation was interrupted", graph.ErrUnfinished)
	}
	if master.former != nil {
		if err := k.RotateMaster(); err != nil && !errors.Is(err, graph.ErrIntegrity) {
			return nil, fmt.Errorf("keyring: %w", err)
		}
	}
	return k, nil
}

// Ring returns the ring of a tenant. Its files are made when the first key is taken.
func (k *Keyring) Ring(t graph.Tenant) (*Ring, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r := k.rings[t]; r != nil {
		return r, nil
	}
	sum := sha256.Sum256(joined("tenant", string(t)))
	dir := filepath.Join(k.dir, hex.EncodeToString(sum[:16]))
	r, err := openRing(dir, k)
	if err != nil {
		return nil, err
	}
	k.rings[t] = r
	return r, nil
}

// Close closes all rings and unlocks the directory. No key can be taken afterwards.
func (k *Keyring) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	var errs []error
	for _, r := range k.rings {
		errs = append(errs, r.close())
	}
	clear(k.rings)
	if k.lock != nil {
		errs = append(errs, k.lock.Close())
		k.lock = nil
	}
	return errors.Join(errs...)
}

// Of returns the ring of a tenant of a store; nil: the store is not sealed.
func Of(store any, t graph.Tenant) (*Ring, error) {
	if holder, ok := store.(interface {
		Ring(graph.Tenant) (*Ring, error)
	}); ok {
		return holder.Ring(t)
	}
	return nil, nil
}
