package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dirlock"
	"github.com/somnograph/somnograph/internal/strictjson"
)

// logName is the name of the record in the directory of a ledger.
const logName = "erased.log"

// lineIDs is the largest number of ids in a line.
const lineIDs = 1000

// Ledger records the erasures and revocations of one store. Its methods are safe for concurrent use.
type Ledger struct {
	root        string // directory of all ledgers
	data        string // directory of the store
	store       string
	fingerprint string // of the directory
	random      io.Reader
	lock        *os.File

	mu            sync.Mutex
	erasures      *record
	erased        map[graph.Tenant]map[graph.ID]bool
	revocationLog *record
	revoked       map[string]map[string]time.Time // by kind and id
}

// entry is the JSON object of a line.
type entry struct {
	Tenant  graph.Tenant `json:"tenant"`
	At      time.Time    `json:"at"`
	Receipt graph.ID     `json:"receipt,omitempty"` // empty: found in the store
	IDs     []graph.ID   `json:"ids"`
}

// Open opens the ledger of the store whose data directory is data, below the directory root.
// It creates what does not exist, with random as the source of the store's identity. The error
// wraps graph.ErrLocked if another process has the ledger open, and graph.ErrIntegrity if it is
// damaged. It is a *MismatchError if the store had another directory of keys, or a newer one.
func Open(root, data string, random io.Reader) (*Ledger, error) {
	store, err := identify(root, data, random)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	l := &Ledger{root: root, data: data, store: store, random: random, erased: map[graph.Tenant]map[graph.ID]bool{}, revoked: map[string]map[string]time.Time{}}
	if l.lock, err = dirlock.Lock(l.dir()); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	if err := l.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("ledger: %w", err), l.Close())
	}
	return l, nil
}

// OpenToRead opens the ledger of a store for reading alone, and changes no file. See [Open] and [Find] for the errors. What is to be recorded
// is refused with graph.ErrClosed.
func OpenToRead(root, data string) (_ *Ledger, err error) {
	dir, err := Find(root, data)
	if err != nil {
		return nil, err
	}
	l := &Ledger{root: root, data: data, store: filepath.Base(dir), erased: map[graph.Tenant]map[graph.ID]bool{}, revoked: map[string]map[string]time.Time{}}
	if l.lock, err = dirlock.Lock(dir); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	for name, each := range map[string]func([]byte) error{logName: l.addErased, revokedName: l.addRevocation} {
		path := filepath.Join(dir, name)
		lines, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it has no lines yet
		}
		if err == nil {
			err = parse(lines[:bytes.LastIndexByte(lines, '\n')+1], each)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("ledger: %s: %w", path, err), l.Close())
		}
	}
	return l, nil
}

// Dir is the directory of the ledger.
func (l *Ledger) Dir() string { return l.dir() }

func (l *Ledger) dir() string { return filepath.Join(l.root, l.store) }

// load reads the records, which must not be older than the store.
func (l *Ledger) load() error {
	k, _, err := readKept(l.data)
	if err != nil {
		return err
	}
	if l.erasures, err = openRecord(filepath.Join(l.dir(), logName), l.addErased); err != nil {
		return err
	}
	if l.revocationLog, err = openRecord(filepath.Join(l.dir(), revokedName), l.addRevocation); err != nil {
		return err
	}
	if err := checkRecords(l.dir(), k); err != nil {
		return err
	}
	if l.fingerprint, err = fingerprint(l.dir(), l.random); err != nil {
		return err
	}
	return l.writeKnown()
}

// kept is what the store is to know.
func (l *Ledger) kept() *kept { return &kept{l.store, l.fingerprint, l.positions(), true} }

// keep tells the store and the directory how far the records have come. If that fails they know of less, which the
// next append or start mends.
func (l *Ledger) keep() { _ = l.writeKnown() }

// writeKnown writes the positions first: the store says that the directory has them.
func (l *Ledger) writeKnown() error {
	return errors.Join(writePositions(l.dir(), l.positions()), l.kept().write(l.data))
}

func (l *Ledger) positions() map[string]Position {
	return map[string]Position{logName: l.erasures.position(), revokedName: l.revocationLog.position()}
}

// Positions are how far the records have come, by the names of their files.
func (l *Ledger) Positions() map[string]Position {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.positions()
}

// Lacks returns the names of the records below a directory of keys that do not have what positions of
// the store say: they are older, missing or others. It takes no lock.
func Lacks(root, store string, positions map[string]Position) (names []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(positions)) {
		held, err := holds(filepath.Join(root, store, filepath.Base(name)), positions[name])
		if err != nil {
			return nil, fmt.Errorf("ledger: %w", err)
		}
		if !held {
			names = append(names, name)
		}
	}
	return names, nil
}

// addErased takes in a line of the record of erasures.
func (l *Ledger) addErased(body []byte) error {
	var e entry
	err := strictjson.DecodeExact(body, &e)
	l.add(e)
	return err
}

// add adds the ids of a line to those in memory.
func (l *Ledger) add(e entry) {
	ids := l.erased[e.Tenant]
	if ids == nil {
		ids = map[graph.ID]bool{}
		l.erased[e.Tenant] = ids
	}
	for _, id := range e.IDs {
		ids[id] = true
	}
}

// Store returns the identity of the store, 32 hexadecimal digits.
func (l *Ledger) Store() string { return l.store }

// Append records that memories, or other records with ids, were erased at an instant, with a receipt or, if it is empty,
// without. It is durable on return. Ids that are recorded already are skipped. The error wraps
// graph.ErrUnavailable if the record can't be written; nothing is recorded then.
func (l *Ledger) Append(scope graph.Scope, receipt graph.ID, at time.Time, ids []graph.ID) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.erased[scope.Tenant]
	fresh := slices.DeleteFunc(slices.Clone(ids), func(id graph.ID) bool { return known[id] })
	var lines []byte
	var all []entry
	for some := range slices.Chunk(fresh, lineIDs) {
		e := entry{Tenant: scope.Tenant, At: at, Receipt: receipt, IDs: some}
		var err error
		if lines, err = appendLine(lines, e); err != nil {
			return err
		}
		all = append(all, e)
	}
	if len(all) == 0 {
		return nil
	}
	if err := l.erasures.append(lines); err != nil {
		return err
	}
	for _, e := range all {
		l.add(e)
	}
	l.keep()
	return nil
}

// Tenants lists the tenants with recorded erasures, in order.
func (l *Ledger) Tenants() []graph.Tenant {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.erased))
}

// IDs lists the erased memories and decisions of a tenant, ascending.
func (l *Ledger) IDs(scope graph.Scope) []graph.ID {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.erased[scope.Tenant]))
}

// ErasedFrom returns a test of the memories of an export. An export of a store whose ledger
// lies beside this one is tested against both ledgers. An export that names no store, because
// it was made by an earlier version, is tested against all ledgers of the directory: it may
// come from any of those stores.
func (l *Ledger) ErasedFrom(origin string) (func(graph.ID) bool, error) {
	erased := map[graph.ID]bool{}
	err := l.readOthers(origin, logName, func(body []byte) error {
		var e entry
		err := strictjson.DecodeExact(body, &e)
		for _, id := range e.IDs {
			erased[id] = true
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, ids := range l.erased {
		maps.Copy(erased, ids)
	}
	return func(id graph.ID) bool { return erased[id] }, nil
}

// readOthers calls each for the lines of a record of the other stores that an export of origin may come from; empty: of all of them.
func (l *Ledger) readOthers(origin, name string, each func(body []byte) error) error {
	stores := []string{origin}
	if origin == "" {
		entries, err := os.ReadDir(l.root)
		if err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
		stores = nil
		for _, e := range entries {
			stores = append(stores, e.Name())
		}
	}
	for _, store := range stores {
		if store == l.store || !validStore(store) {
			continue
		}
		record, err := os.ReadFile(filepath.Join(l.root, store, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
		// The other store's server may be appending a line.
		if err := parse(record[:bytes.LastIndexByte(record, '\n')+1], each); err != nil {
			return fmt.Errorf("ledger: store %s: %w", store, err)
		}
	}
	return nil
}

// Close closes the ledger. A second Close does nothing.
func (l *Ledger) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	errs := []error{l.erasures.close(), l.revocationLog.close()}
	if l.lock != nil {
		errs = append(errs, l.lock.Close())
		l.lock = nil
	}
	return errors.Join(errs...)
}
