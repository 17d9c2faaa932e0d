package dgraphstore

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// reader is a graph.Reader on one snapshot. That of an Update also sees what its
// transaction has written, and remembers what it has read.
type reader struct {
	*snapshot
	ctx      context.Context
	tenant   graph.Tenant
	ks       keyspace
	dead     *atomic.Bool
	standing *head // where the tenant stands in the snapshot; nil: not read yet

	ahead ahead
	told  known // what was expected

	w *writes // nil in a View
}

func newReader(ctx context.Context, v *snapshot, t graph.Tenant) *reader {
	return &reader{snapshot: v, ctx: ctx, tenant: t, ks: newKeyspace(t), dead: &atomic.Bool{}}
}

func (r *reader) die() { r.dead.Store(true) }

// errDead is the answer of a Reader or Tx that is used after its function.
var errDead = errors.New("dgraphstore: the transaction has ended")

// point begins a read of keys that a transaction may be guarded by.
func (r *reader) point(what string, words ...string) error {
	if r.dead.Load() {
		return errDead
	}
	if r.w != nil {
		r.w.read(markOf(what, words...))
	}
	return nil
}

// scan begins a read that is not guarded: it must show all that is committed.
func (r *reader) scan() error {
	if err := r.alive(); err != nil {
		return err
	}
	if r.w != nil && r.w.verify != nil {
		if err := r.w.verify(); err != nil {
			return err
		}
		r.w.verify = nil
	}
	return nil
}

// alive answers why nothing can be read any more.
func (r *reader) alive() error {
	if r.dead.Load() {
		return errDead
	}
	return r.ctx.Err()
}

// rows answers stored rows by key. A transaction keeps what it has seen: its snapshot
// does not change.
func (r *reader) rows(k *kind, keys ...string) (map[string]row, error) {
	if r.w == nil && len(r.told.rows) == 0 {
		return r.fetch(r.ctx, k, keys)
	}
	found := make(map[string]row, len(keys))
	var missing []string
	for _, key := range keys {
		if known, ok := r.known(k, key); ok {
			found[key] = known
		} else {
			missing = append(missing, key)
		}
	}
	fetched, err := r.fetch(r.ctx, k, missing)
	if err != nil {
		return nil, err
	}
	for _, key := range missing {
		found[key] = fetched[key]
		r.tell(k, key, fetched[key])
	}
	return found, nil
}

// record answers what a row holds now, "" where it holds nothing, and the stored row.
func (r *reader) record(k *kind, key string) (string, row, error) {
	found, err := r.rows(k, key)
	if err != nil {
		return "", row{}, err
	}
	stored := found[key]
	if r.w != nil {
		if e, ok := r.w.edits[rowID{k, key}]; ok {
			return e.next, stored, nil
		}
	}
	return stored.Record, stored, nil
}

// present turns stored rows of a kind into what a transaction sees: rows that it wrote
// are left out of the list, and those that it wrote and that belong there are added.
func (r *reader) present(k *kind, stored []row, belongs func(key, record string) (bool, error)) ([]row, error) {
	var out []row
	for _, s := range stored {
		if s.Record == "" {
			continue
		}
		if r.w != nil {
			r.w.saw(k, s.Key, s)
			if _, ok := r.w.edits[rowID{k, s.Key}]; ok {
				continue
			}
		}
		out = append(out, s)
	}
	if r.w == nil {
		return out, nil
	}
	for _, id := range r.w.order {
		e := r.w.edits[id]
		if id.kind != k || e.next == "" {
			continue
		}
		ok, err := belongs(id.key, e.next)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, row{Key: id.key, Record: e.next, Usage: e.stored.Usage, Uses: e.stored.Uses})
		}
	}
	return out, nil
}

// edited is how many rows of a kind the transaction wrote.
func (r *reader) edited(k *kind) (n int) {
	if r.w == nil {
		return 0
	}
	for _, id := range r.w.order {
		if id.kind == k {
			n++
		}
	}
	return n
}

// where answers where the tenant stands in the snapshot.
func (r *reader) where() (head, error) {
	if r.standing == nil {
		h, err := r.head(r.ctx, r.tenant)
		if err != nil {
			return head{}, err
		}
		r.standing = &h
	}
	return *r.standing, nil
}

// LastRecorded is the latest instant at which anything was recorded in the tenant.
func (r *reader) LastRecorded() (time.Time, error) {
	if err := r.scan(); err != nil {
		return time.Time{}, err
	}
	h, err := r.where()
	if err != nil {
		return time.Time{}, err
	}
	last, err := r.lastUse(r.ctx, r.ks)
	if err != nil {
		return time.Time{}, err
	}
	last = max(last, h.Recorded)
	if r.w != nil {
		last = max(last, r.w.recorded)
	}
	return last.Time(), nil
}

// lastUse is the latest use of a tenant that is not folded yet, 0 where there is none.
func (v *snapshot) lastUse(ctx context.Context, ks keyspace) (wire.Stamp, error) {
	var answer struct {
		M []struct{ Last *json.Number }
	}
	err := v.ask(ctx, `query q($t: string) { var(func: eq(use.tenant, $t)) { a as use.at } m() { last: max(val(a)) } }`,
		map[string]string{"$t": string(ks)}, &answer)
	if err != nil {
		return 0, err
	}
	for _, m := range answer.M {
		if m.Last != nil {
			n, err := m.Last.Int64()
			if err != nil {
				return 0, broken(string(ks), "a use without an instant")
			}
			return wire.Stamp(n), nil
		}
	}
	return 0, nil
}
