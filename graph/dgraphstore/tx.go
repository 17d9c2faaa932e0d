package dgraphstore

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Bounds of one transaction.
const (
	retries  = 40       // how often it is run again after a conflict
	maxItems = 2000     // rows that it may write
	maxBytes = 16 << 20 // of their records and vectors
)

var (
	// errConflict says that a transaction lost against another one.
	errConflict = errors.New("dgraphstore: conflict")
	// errThere says that a node is there which a transaction took for missing.
	errThere = errors.New("dgraphstore: a row that was taken for new is there")
)

// tx is a graph.Tx: a reader on a snapshot, and what is to be written behind it.
type tx struct{ *reader }

// rowID names a row.
type rowID struct {
	kind *kind
	key  string
}

// edit is what a transaction makes of a row.
type edit struct {
	stored row
	next   string // its record; "" where it goes
}

// writes is what a transaction has read and what it will write. Dgraph hears of it when
// the transaction commits, not before.
type writes struct {
	reads, wrote map[mark]struct{}
	seen         map[rowID]row // stored rows, also those that are not there
	edits        map[rowID]*edit
	order        []rowID // in which they were first written
	vectors      map[graph.ID][]float32
	usage        map[graph.ID]string   // sealed usage of memories, "" where it goes
	folded       []string              // uids of uses that are counted in it
	erased       map[string][]graph.ID // ids that receipts get, by key of the receipt
	changes      []graph.Change
	recorded     wire.Stamp // latest instant that is recorded here
	bytes        int
	near         *nearState // what becomes of the index of vectors; nil: nothing
	spoiled      error      // why it can't commit whatever its function answers

	newborn func(graph.ID) bool // an id that is taken to be nobody's yet, without reading; nil: none
	missing map[string]struct{} // keys of nodes and notes that were taken for missing
	verify  func() error        // makes sure that a snapshot at which the tenant was taken to stand is the newest; nil: it was asked for
}

func newWrites() *writes {
	return &writes{
		reads: map[mark]struct{}{}, wrote: map[mark]struct{}{}, seen: map[rowID]row{}, edits: map[rowID]*edit{},
		vectors: map[graph.ID][]float32{}, usage: map[graph.ID]string{}, erased: map[string][]graph.ID{},
		missing: map[string]struct{}{},
	}
}

func (w *writes) read(m mark)  { w.reads[m] = struct{}{} }
func (w *writes) write(m mark) { w.wrote[m] = struct{}{} }

// saw keeps a stored row.
func (w *writes) saw(k *kind, key string, r row) {
	if _, ok := w.seen[rowID{k, key}]; !ok {
		w.seen[rowID{k, key}] = r
	}
}

// known answers a row that is known without asking: one that was seen, or none where the
// id is newer than all that the tenant has. The commit makes sure of that.
func (w *writes) known(ks keyspace, k *kind, key string) (row, bool) {
	if r, ok := w.seen[rowID{k, key}]; ok {
		return r, true
	}
	if w.newborn == nil || k.key != places.key && k != notes {
		return row{}, false
	}
	if id := graph.ID(key[max(0, len(key)-idSize):]); !id.Valid() || !w.newborn(id) {
		return row{}, false
	}
	w.missing[key] = struct{}{}
	w.saw(k, key, row{})
	return row{}, true
}

// dirty reports whether anything is to be committed.
func (w *writes) dirty() bool {
	return len(w.order) > 0 || len(w.vectors) > 0 || len(w.usage) > 0 || len(w.folded) > 0 || len(w.erased) > 0 || w.near != nil
}

// note keeps the latest recorded instant.
func (w *writes) note(at time.Time) { w.recorded = max(w.recorded, wire.StampOf(graph.Millis(at))) }

// changed appends a change. A zero instant stands for the latest recorded one.
func (w *writes) changed(node graph.NodeKind, kind graph.EventKind, id graph.ID, namespace string, at time.Time) {
	w.note(at)
	w.changes = append(w.changes, graph.Change{At: graph.Millis(at), Node: node, Kind: kind, ID: id, Namespace: namespace})
}

// grow counts what is written. A transaction that has become too large stays so.
func (w *writes) grow(bytes int) error {
	w.bytes += bytes
	if w.bytes > maxBytes || len(w.order)+len(w.vectors) > maxItems {
		w.spoiled = graph.ErrTooLarge
	}
	return w.spoiled
}

// guard marks a key as read and written: of two transactions that do, one runs again.
func (t tx) guard(what string, words ...string) error {
	if err := t.point(what, words...); err != nil {
		return err
	}
	t.w.write(markOf(what, words...))
	return nil
}

// put writes the record of a row; "" removes it.
func (t tx) put(k *kind, key, next string) error {
	_, stored, err := t.record(k, key)
	if err != nil {
		t.w.spoiled = err
		return err
	}
	id := rowID{k, key}
	if _, ok := t.w.edits[id]; !ok {
		t.w.order = append(t.w.order, id)
	}
	t.w.edits[id] = &edit{stored: stored, next: next}
	return t.w.grow(len(next))
}

// Update runs fn in a transaction and commits it durably; fn runs again on conflict. It
// returns the cursor of the last change, zero if there was none.
func (s *Store) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if err := s.admit(ctx, scope); err != nil {
		return 0, err
	}
	defer s.leave()
	return s.update(ctx, scope.Tenant, func(t tx) error { return fn(t) })
}

func (s *Store) update(ctx context.Context, t graph.Tenant, fn func(tx) error) (graph.Cursor, error) {
	ctx, back := s.withPen(ctx, t)
	defer back()
	hopeful := hopes{standing: true, newborn: true}
	for n := 1; ; n++ {
		cursor, err := s.try(ctx, t, fn, hopeful)
		switch {
		case errors.Is(err, errStale):
			hopeful.standing = false
			continue
		case errors.Is(err, errThere):
			hopeful = hopes{}
			continue
		case !errors.Is(err, errConflict):
			return cursor, err
		case n > retries:
			return 0, graph.ErrConflict
		}
		hopeful.standing = false
		if err := pause(ctx, s.opts.Backoff(n)); err != nil {
			return 0, err
		}
	}
}

// hopes are what a transaction takes for true without asking. The commit finds out.
type hopes struct {
	standing bool // that the tenant stands where this process left it
	newborn  bool // that what is written and was not read is new
}

// errStale says that a transaction ran on a snapshot that may not be the newest, and came
// to something that only the newest can tell.
var errStale = errors.New("dgraphstore: the snapshot may be old")

// try runs fn once. On a snapshot that only this process takes for the newest it can do
// no more than commit: that finds out what it missed. An error, and a run that writes
// nothing, would be answers about the past.
func (s *Store) try(ctx context.Context, tenant graph.Tenant, fn func(tx) error, hopeful hopes) (graph.Cursor, error) {
	v, base, assumed := s.standing(tenant, hopeful.standing)
	if !assumed {
		h, err := v.head(ctx, tenant) // begins the snapshot
		if err != nil {
			return 0, err
		}
		base = h
	}
	r := newReader(ctx, v, tenant)
	r.standing, r.w = &base, newWrites()
	if hopeful.newborn {
		r.w.newborn = func(id graph.ID) bool { return millisOf(id) > base.Newest }
	}
	if assumed {
		r.w.verify = func() error { return s.verify(ctx, tenant, base) }
	}
	err := fn(tx{r})
	r.die()
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case r.w.verify != nil && (err != nil || r.w.spoiled != nil || !r.w.dirty()):
		return 0, errStale
	case len(r.w.missing) > 0 && (err != nil || r.w.spoiled != nil):
		return 0, errThere // it may be an answer about a node that is there
	case err != nil:
		return 0, err
	case r.w.spoiled != nil:
		return 0, r.w.spoiled
	case !r.w.dirty():
		return 0, nil
	}
	d, err := r.draft()
	if err != nil {
		return 0, err
	}
	return s.commit(ctx, tenant, base, d)
}

// standing begins a snapshot where this process left the tenant, if it may be hoped that
// it stands there still; else one that the cluster is asked for.
func (s *Store) standing(tenant graph.Tenant, hopeful bool) (v *snapshot, base head, assumed bool) {
	v = s.snapshot()
	if !hopeful || s.opts.Login != nil { // with access control Dgraph takes no timestamp that it has not given out to read at
		return v, head{}, false
	}
	at, ok := s.ledgers.of(tenant).assumed(s.opts.Now())
	if ok { // with the uses that this process has counted since
		v.at = max(at.at, s.counted.Load())
	}
	return v, at.head, ok
}

// verify makes sure that a tenant stands at a head.
func (s *Store) verify(ctx context.Context, tenant graph.Tenant, base head) error {
	h, err := s.snapshot().head(ctx, tenant)
	switch {
	case err != nil:
		return err
	case h.Commit != base.Commit:
		return errStale
	}
	return nil
}
