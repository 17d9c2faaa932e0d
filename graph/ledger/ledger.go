package ledger

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dirlock"
)

// logName is the name of the record in the directory of a ledger.
const logName = "erased.log"

// lineIDs is the largest number of ids in a line.
const lineIDs = 1000

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Ledger records the erasures of one store. Its methods are safe for concurrent use.
type Ledger struct {
	root   string // directory of all ledgers
	store  string
	random io.Reader
	lock   *os.File

	mu     sync.Mutex
	file   *os.File
	size   int64 // bytes that are known to be complete lines
	broken bool  // a failed append could not be removed
	erased map[graph.Tenant]map[graph.ID]bool
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
// damaged.
func Open(root, data string, random io.Reader) (*Ledger, error) {
	store, err := identify(root, data, random)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	l := &Ledger{root: root, store: store, random: random, erased: map[graph.Tenant]map[graph.ID]bool{}}
	if l.lock, err = dirlock.Lock(l.dir()); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	if err := l.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("ledger: %w", err), l.Close())
	}
	return l, nil
}

func (l *Ledger) dir() string { return filepath.Join(l.root, l.store) }

// load reads the record and removes an incomplete last line.
func (l *Ledger) load() (err error) {
	path := filepath.Join(l.dir(), logName)
	if l.file, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return err
	}
	all, err := io.ReadAll(l.file)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	whole := all[:bytes.LastIndexByte(all, '\n')+1]
	if err := parse(whole, l.add); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	l.size = int64(len(whole))
	if err := l.file.Truncate(l.size); err != nil {
		return fmt.Errorf("remove an incomplete line of %s: %w", path, err)
	}
	return cmp.Or(l.file.Sync(), syncDir(l.dir()))
}

// parse calls a function for every line of a record.
func parse(record []byte, each func(entry)) error {
	for number := 1; len(record) > 0; number++ {
		line, rest, _ := bytes.Cut(record, []byte{'\n'})
		record = rest
		sum, body, found := bytes.Cut(line, []byte{' '})
		want, err := strconv.ParseUint(string(sum), 16, 32)
		if !found || err != nil || len(sum) != 8 || uint32(want) != crc32.Checksum(body, castagnoli) {
			return fmt.Errorf("%w: line %d is damaged", graph.ErrIntegrity, number)
		}
		var e entry
		if err := json.Unmarshal(body, &e); err != nil {
			return fmt.Errorf("%w: line %d: %w", graph.ErrIntegrity, number, err)
		}
		each(e)
	}
	return nil
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

// Append records that memories were erased at an instant, with a receipt or, if it is empty,
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
		body, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
		lines = fmt.Appendf(lines, "%08x %s\n", crc32.Checksum(body, castagnoli), body)
		all = append(all, e)
	}
	if len(all) == 0 {
		return nil
	}
	if err := l.write(lines); err != nil {
		return err
	}
	for _, e := range all {
		l.add(e)
	}
	return nil
}

// write appends lines and syncs them. After an error the record is as before.
func (l *Ledger) write(lines []byte) error {
	if l.file == nil {
		return graph.ErrClosed
	}
	if l.broken {
		return fmt.Errorf("ledger: %w: an earlier write failed and could not be undone", graph.ErrUnavailable)
	}
	_, err := l.file.WriteAt(lines, l.size)
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		l.broken = cmp.Or(l.file.Truncate(l.size), l.file.Sync()) != nil
		return fmt.Errorf("ledger: %w: %w", graph.ErrUnavailable, err)
	}
	l.size += int64(len(lines))
	return nil
}

// Tenants lists the tenants with recorded erasures, in order.
func (l *Ledger) Tenants() []graph.Tenant {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.erased))
}

// IDs lists the erased memories of a tenant, ascending.
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
	stores := []string{origin}
	if origin == "" {
		entries, err := os.ReadDir(l.root)
		if err != nil {
			return nil, fmt.Errorf("ledger: %w", err)
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
		record, err := os.ReadFile(filepath.Join(l.root, store, logName))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("ledger: %w", err)
		}
		// The other store's server may be appending a line.
		err = parse(record[:bytes.LastIndexByte(record, '\n')+1], func(e entry) {
			for _, id := range e.IDs {
				erased[id] = true
			}
		})
		if err != nil {
			return nil, fmt.Errorf("ledger: store %s: %w", store, err)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, ids := range l.erased {
		maps.Copy(erased, ids)
	}
	return func(id graph.ID) bool { return erased[id] }, nil
}

// Close closes the ledger. A second Close does nothing.
func (l *Ledger) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var errs []error
	if l.file != nil {
		errs = append(errs, l.file.Close())
		l.file = nil
	}
	if l.lock != nil {
		errs = append(errs, l.lock.Close())
		l.lock = nil
	}
	return errors.Join(errs...)
}
