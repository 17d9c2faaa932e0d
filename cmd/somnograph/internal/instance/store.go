package instance

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/dgraphstore"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/ledger"
)

// OpenStore opens the store of a server that does not run, and nothing else. The error is one
// line that says what to do. A store that exists is not sealed by it: that is left to the server.
func OpenStore(ctx context.Context, o Options) (graph.Store, error) {
	o.Seal, o.SealNew = false, o.Seal || o.SealNew
	_, err := os.Stat(filepath.Join(o.Dir, "store"))
	o.keepPlain = err == nil
	if err := makeDir(o.Dir); err != nil {
		return nil, err
	}
	opened, err := o.openStore(ctx)
	return opened.store, err
}

// OpenToRead opens the embedded store of a server that was stopped for reading alone, and changes no file. The error wraps
// graph.ErrUnfinished if opening it would finish what was interrupted, which OpenStore does.
func OpenToRead(o Options) (graph.Store, error) {
	so := badgerstore.Options{ReadOnly: true, MemTable: o.Sizes.MemTable, Mapped: o.Sizes.Mapped, Logger: o.Engine.Logger}
	so.OpenKeys = func(sealed, _ bool) (*keyring.Keyring, error) {
		if !sealed || o.Keys == "" {
			return nil, nil
		}
		dir, err := ledger.Find(o.Keys, o.Dir)
		if err != nil {
			return nil, ExplainKeys(o.Keys, err)
		}
		keys, err := keyring.Open(filepath.Join(dir, "rings"), keyring.Options{Existing: true, ReadOnly: true, AcceptOlder: o.AcceptKeys})
		if err != nil {
			return nil, ExplainKeys(o.Keys, err)
		}
		return keys, nil
	}
	store, err := badgerstore.Open(filepath.Join(o.Dir, "store"), so)
	if err != nil {
		return nil, Explain(o.Dir, err)
	}
	return store, nil
}

// OpenToCheck opens the store of a stopped server, and changes no file unless the server was killed: then it opens the store as a start does.
func OpenToCheck(ctx context.Context, o Options) (graph.Store, error) {
	if len(o.Dgraph) == 0 {
		if store, err := OpenToRead(o); !errors.Is(err, graph.ErrUnfinished) {
			return store, err
		}
	}
	return OpenStore(ctx, o)
}

func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("can't create the data directory: %w", err)
	}
	return nil
}

// openStore opens the embedded store in the directory, or the one on a Dgraph cluster. The rest
// of the directory belongs to this server in either case.
func (o Options) openStore(ctx context.Context) (opened openedStore, err error) {
	if len(o.Dgraph) > 0 {
		return o.openCluster(ctx)
	}
	if err := o.checkStore(); err != nil {
		return openedStore{}, err
	}
	so := badgerstore.Options{KeepPlain: o.keepPlain, MinFree: uint64(o.MinFree), MemTable: o.Sizes.MemTable, Mapped: o.Sizes.Mapped, Observer: o.Engine.Probe.Store("badger"), Logger: o.Engine.Logger}
	if o.Keys != "" {
		so.OpenKeys = func(sealed, fresh bool) (_ *keyring.Keyring, err error) {
			if !sealed && !o.Seal && !(fresh && o.SealNew) {
				return nil, nil
			}
			opened.keys, err = o.openKeys(sealed)
			opened.upgraded = err == nil && !sealed && !fresh
			return opened.keys, err
		}
	}
	if opened.store, err = badgerstore.Open(filepath.Join(o.Dir, "store"), so); err != nil {
		return openedStore{}, Explain(o.Dir, err)
	}
	return opened, nil
}

// openedStore is a store that was opened.
type openedStore struct {
	store    graph.Store
	keys     *keyring.Keyring // of a sealed store, which closes them; nil: it is not sealed
	upgraded bool             // it existed and was not sealed before
}

// sayWhatIsSealed logs what a sealed store needs, or what one that is not sealed gives up.
func (o Options) sayWhatIsSealed(opened openedStore) {
	log := o.Engine.Logger
	switch {
	case len(o.Dgraph) > 0 && opened.keys != nil:
		log.Info("the content of the cluster is sealed: it can't be read without the directory of keys, which this server alone may use; back up both, apart from each other", "data", o.Dir, "keys", o.Keys)
	case o.Keys == "" || len(o.Dgraph) > 0:
	case opened.upgraded:
		log.Info("the content of the data directory is being sealed, in the background and for good: from now on earlier versions refuse it, and it can't be read without the directory of keys; "+
			"back up both, apart from each other", "data", o.Dir, "keys", o.Keys)
	case opened.keys != nil:
		log.Info("the content of the data directory is sealed: it can't be read without the directory of keys; back up both, apart from each other", "data", o.Dir, "keys", o.Keys)
	default:
		log.Info("the content of the data directory is not sealed: what is erased stays in its files until they are rewritten, and in copies, and who can read them can read every memory; "+
			"--seal=on seals it", "data", o.Dir)
	}
}

// checkKeys makes the directory of keys where none is known, and returns an error if nothing can be
// written in it: then nothing is made in the data directory.
func (o Options) checkKeys() error {
	if o.Keys == "" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "store.id")); err == nil {
		if _, err := os.Stat(o.Keys); errors.Is(err, fs.ErrNotExist) {
			return nil // the keys are gone, which the ledger explains
		}
	}
	if err := os.MkdirAll(o.Keys, 0o700); err != nil {
		return ExplainKeys(o.Keys, err)
	}
	f, err := os.CreateTemp(o.Keys, ".written-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return ExplainKeys(o.Keys, err)
	}
	return nil
}

// openCluster opens the store on a Dgraph cluster.
func (o Options) openCluster(ctx context.Context) (opened openedStore, err error) {
	d := o.Cluster
	d.Seal, d.SealNew = o.Seal, o.SealNew
	if o.Keys != "" {
		d.OpenKeys = func(existing bool) (_ *keyring.Keyring, err error) {
			opened.keys, err = o.openKeysWith(keyring.Options{Existing: existing, Lock: true})
			return opened.keys, err
		}
	}
	d.Observer = o.Engine.Probe.Store("dgraph")
	d.Logger, d.UsageJournal = o.Engine.Logger, filepath.Join(o.Dir, "uses")
	if o.Peers != nil {
		d.OnCommit, d.PollEvery = o.Peers.Announce, pollEvery
		d.WriteLeases = o.Peers.WriteLeases(time.Now)
	}
	s, err := dgraphstore.Open(ctx, o.Dgraph, d)
	if err != nil {
		return openedStore{}, o.explainDgraph(err)
	}
	if o.Peers != nil {
		o.Peers.Listen(s.PollNow)
	}
	opened.store = s
	return opened, nil
}

// openKeys opens the keyring of the store in the directory of keys, and makes it unless it must
// exist.
func (o Options) openKeys(existing bool) (*keyring.Keyring, error) {
	return o.openKeysWith(keyring.Options{Existing: existing})
}

func (o Options) openKeysWith(ko keyring.Options) (*keyring.Keyring, error) {
	dir, err := ledger.Directory(o.Keys, o.Dir, rand.Reader)
	if err != nil {
		return nil, ExplainKeys(o.Keys, err)
	}
	ko.AcceptOlder = o.AcceptKeys
	keys, err := keyring.Open(filepath.Join(dir, "rings"), ko)
	if err != nil {
		return nil, ExplainKeys(o.Keys, err)
	}
	return keys, nil
}

// checkStore refuses a directory that has an index and no embedded store: without it, an empty
// store would be served in place of the one that was removed.
func (o Options) checkStore() error {
	if _, err := os.Stat(filepath.Join(o.Dir, "store")); !errors.Is(err, fs.ErrNotExist) {
		return Explain(o.Dir, err)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "index")); err != nil {
		return nil // a new directory
	}
	return fmt.Errorf("%s has index/ but not store/: the store was removed, or is on a Dgraph cluster; restore store/ from a backup, give the addresses of the cluster, or choose another directory with --data", o.Dir)
}

// pollEvery is how often a server polls for commits of other servers that also notify it: if
// Redis is unavailable it still learns of them within a second.
const pollEvery = 500 * time.Millisecond

// explainDgraph turns an error of opening a cluster into one line that says what to do.
func (o Options) explainDgraph(err error) error {
	at := strings.Join(o.Dgraph, ", ")
	var before *explained
	switch {
	case errors.As(err, &before):
		return before
	case errors.Is(err, dgraphstore.ErrPlain):
		return &explained{fmt.Sprintf("the Dgraph cluster at %s holds data that is not sealed, and only an empty one can be sealed", at), "export it (somnograph export), import it into an empty cluster that is sealed, and delete this one; or leave --seal out", err}
	case errors.Is(err, keyring.ErrWrong):
		return &explained{fmt.Sprintf("the Dgraph cluster at %s is sealed and can't be opened with the keys given: %s", at, line(err)), "choose the data directory and --keys of the server that sealed it, or put the newest copy of the keys back", err}
	case errors.Is(err, graph.ErrUnavailable):
		return &explained{fmt.Sprintf("Dgraph at %s does not answer: %s", at, line(err)), "make cluster starts one on this machine", err}
	}
	return err
}
