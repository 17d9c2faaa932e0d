package badgerstore

import (
	"errors"
	"os"
	"sync"
	"syscall"

	"github.com/somnograph/somnograph/graph"
)

// spareDescriptors is how many descriptors a store holds for the time when the process has used
// all others: flushes and compactions that have begun can then finish.
const spareDescriptors = 8

// descriptorGuard refuses writes while no descriptors are left. Badger opens a file when it
// starts a memtable, and can't be used any more if that fails.
type descriptorGuard struct {
	mu     sync.Mutex
	spares []*os.File
	open   func() (*os.File, error)
}

// openNull opens a file that any process can open.
func openNull() (*os.File, error) { return os.Open(os.DevNull) }

// allowWrites returns nil if the process can open another file. If not, it gives back the spare
// descriptors and returns an error that wraps ErrUnavailable, until there are enough again.
func (g *descriptorGuard) allowWrites() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	probe, err := g.open()
	for err == nil && len(g.spares) < spareDescriptors {
		var f *os.File
		if f, err = g.open(); err == nil {
			g.spares = append(g.spares, f)
		}
	}
	if probe != nil {
		_ = probe.Close() // nothing was written
	}
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		g.release()
		return unavailable("the server has no file descriptors left; reads continue, and writes resume when connections are closed (raise the limit with ulimit -n)")
	}
	return nil
}

// release gives the spare descriptors back. g.mu is held.
func (g *descriptorGuard) release() {
	for _, f := range g.spares {
		_ = f.Close() // nothing was written
	}
	g.spares = nil
}

func (g *descriptorGuard) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.release()
}

// errNoMemtable is the error of everything after Badger could not start a memtable.
var errNoMemtable = unavailable("the store could not open its log; nothing that was acknowledged is lost; start the server again")

// unavailable is an ErrUnavailable with a message that callers may see.
func unavailable(message string) error {
	e := graph.Errorf(graph.CodeUnavailable, "%s", message)
	e.Cause = graph.ErrUnavailable
	return e
}

// guardReads turns the panic of a read into an error if Badger has lost its memtable: after a
// failure to start one, Badger's readers dereference nil. It must be deferred.
func (s *Store) guardReads(err *error) {
	p := recover()
	switch {
	case p == nil:
	case s.hasMemtable():
		panic(p)
	default:
		*err = errNoMemtable
	}
}

// hasMemtable reports whether Badger can read.
func (s *Store) hasMemtable() (has bool) {
	defer func() { has = recover() == nil }()
	txn := s.db.NewTransactionAt(0, false)
	defer txn.Discard()
	_, _ = txn.Get([]byte{0}) // only whether it panics
	return true
}
