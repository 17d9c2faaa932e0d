package access

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Tenants makes, lists, limits and deletes the tenants of a server. A tenant that has no entry, such as
// the default one of a server without authentication, has no quotas. It is safe for concurrent use.
type Tenants struct {
	store Store
	now   func() time.Time // clock of the entries
	since func() time.Time // clock of durations

	record Deletions // nil: deletions are in the store alone

	mu     sync.Mutex
	random io.Reader
	known  map[graph.Tenant]*Tenant // as of readAt
	readAt time.Time
	stale  bool          // this server has written since
	read   chan struct{} // closed when the read under way ends; nil: none is
}

// refreshAfter is the age at which what is known of the tenants is read again, so that a server
// follows what others write.
const refreshAfter = time.Second

// patience is how long a call waits for what others may have written, and readTime how long a read may
// take, for which a call waits after a write of this server. A store that does not answer must not hold up what can do without it.
const (
	patience = 250 * time.Millisecond
	readTime = 10 * time.Second
)

// Deletions is the record of deleted tenants outside the store, so that an older copy of the store, or a restore of a backup, does not
// bring a tenant back. *ledger.Ledger implements it.
type Deletions interface {
	// DeleteTenant records that a tenant was deleted. It is durable on return. One that is recorded already is skipped.
	DeleteTenant(name string, at time.Time) error
	// DeletedTenants returns the recorded tenants, with the instants of their deletions.
	DeletedTenants() map[string]time.Time
}

// Record makes BeginDelete record what it deletes, and brings the store and the record together. It returns the tenants that it deleted
// again and those whose deletion was not finished, whose memories and webhooks the caller has to erase.
func (t *Tenants) Record(ctx context.Context, r Deletions) (again []graph.Tenant, err error) {
	t.record = r
	all, err := t.List(ctx)
	if err != nil {
		return nil, err
	}
	erased := map[graph.Tenant]bool{}
	for _, x := range all {
		if erased[x.Name] = x.Deleted() && x.Receipt != ""; x.Deleted() {
			if err := r.DeleteTenant(string(x.Name), x.DeletedAt); err != nil {
				return nil, err
			}
		}
	}
	for text, at := range r.DeletedTenants() {
		name := graph.Tenant(text)
		if erased[name] || validTenant("name", name) != nil {
			continue
		}
		fresh, err := t.newID()
		if err != nil {
			return again, err
		}
		_, err = t.store.Update(ctx, graph.ServerScope(), func(tx graph.Tx) error {
			id, x, err := readTenant(tx, name)
			if x == nil {
				id, x = fresh, &Tenant{Name: name, CreatedAt: graph.Millis(at)}
			}
			x.DeletedAt, x.Title = graph.Millis(at), ""
			return errors.Join(err, putTenant(tx, id, x))
		})
		t.written()
		if err != nil {
			return again, err
		}
		again = append(again, name)
	}
	return again, nil
}

// NewTenants makes a Tenants over an open store. now is the clock of the entries, since one for
// durations.
func NewTenants(store Store, now, since func() time.Time, random io.Reader) *Tenants {
	return &Tenants{store: store, now: now, since: since, random: random, stale: true}
}

// tenantSetting is the setting with the id of a tenant's note. It is a point key, so that a name is
// used once.
func tenantSetting(name graph.Tenant) string { return "tenant." + string(name) }

// Create makes a tenant. A name that was used before, also by a tenant that was deleted, is
// INVALID_REQUEST.
func (t *Tenants) Create(ctx context.Context, in TenantInput) (*Tenant, error) {
	made, err := in.tenant(t.now())
	if err != nil {
		return nil, err
	}
	id, err := t.newID()
	if err != nil {
		return nil, err
	}
	_, err = t.store.Update(ctx, graph.ServerScope(), func(tx graph.Tx) error {
		switch _, before, err := readTenant(tx, in.Name); {
		case err != nil:
			return err
		case before.Deleted():
			return graph.FieldError(graph.CodeInvalidRequest, "name", "belonged to a tenant that was deleted, and can't be used again")
		case before != nil:
			return graph.FieldError(graph.CodeInvalidRequest, "name", "is the name of a tenant already")
		}
		return putTenant(tx, id, made)
	})
	t.written()
	if err != nil {
		return nil, err
	}
	return made, nil
}

// SetQuotas replaces the quotas of a tenant. An unknown tenant is MEMORY_NOT_FOUND.
func (t *Tenants) SetQuotas(ctx context.Context, name graph.Tenant, q Quotas) (*Tenant, error) {
	if err := q.validate(); err != nil {
		return nil, err
	}
	return t.change(ctx, name, func(x *Tenant) error {
		if x.Deleted() {
			return graph.FieldError(graph.CodeInvalidRequest, "name", "belongs to a tenant that is deleted")
		}
		x.Quotas = q
		return nil
	})
}

// BeginDelete marks a tenant as deleted: its credentials are refused from now on. It may be called
// again until the deletion is finished.
func (t *Tenants) BeginDelete(ctx context.Context, name graph.Tenant) (*Tenant, error) {
	x, err := t.change(ctx, name, func(x *Tenant) error {
		if x.DeletedAt.IsZero() {
			x.DeletedAt = graph.Millis(t.now())
		}
		x.Title = "" // its name stays reserved
		return nil
	})
	if err == nil && t.record != nil {
		if err := t.record.DeleteTenant(string(x.Name), x.DeletedAt); err != nil {
			return nil, fmt.Errorf("the tenant is deleted, and a restore would not know it: %w", err)
		}
	}
	return x, err
}

// FinishDelete records the receipt of the erasure of a deleted tenant.
func (t *Tenants) FinishDelete(ctx context.Context, name graph.Tenant, receipt graph.ID) (*Tenant, error) {
	return t.change(ctx, name, func(x *Tenant) error {
		x.Receipt = receipt
		return nil
	})
}

func (t *Tenants) change(ctx context.Context, name graph.Tenant, fn func(*Tenant) error) (changed *Tenant, err error) {
	if err := validTenant("name", name); err != nil {
		return nil, err
	}
	_, err = t.store.Update(ctx, graph.ServerScope(), func(tx graph.Tx) error {
		id, x, err := readTenant(tx, name)
		if err != nil {
			return err
		}
		if x == nil {
			return graph.FieldError(graph.CodeMemoryNotFound, "name", "there is no such tenant")
		}
		if err := fn(x); err != nil {
			return err
		}
		changed = x
		return putTenant(tx, id, x)
	})
	t.written()
	if err != nil {
		return nil, err
	}
	return changed, nil
}

// List returns the tenants with an entry, oldest first, with those that are deleted.
func (t *Tenants) List(ctx context.Context) ([]*Tenant, error) {
	all := []*Tenant{}
	err := t.store.View(ctx, graph.ServerScope(), func(r graph.Reader) error {
		all = all[:0]
		for after := graph.ID(""); ; {
			notes, err := r.Notes(graph.NoteTenant, after, false, graph.MaxPage)
			if err != nil || len(notes) == 0 {
				return err
			}
			for _, n := range notes {
				x, err := decodeTenant(n)
				if err != nil {
					return err
				}
				all = append(all, x)
			}
			after = notes[len(notes)-1].ID
		}
	})
	return all, err
}

// Get returns a tenant as it is known, at most a second old; nil: it has no entry. While the store
// can't be read it returns what was known last, and an error if nothing was.
func (t *Tenants) Get(ctx context.Context, name graph.Tenant) (*Tenant, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		if err := t.refresh(ctx); err != nil {
			return nil, err
		}
	}
	if t.stale {
		for range 2 { // a read that was under way may have begun before the write
			if t.stale {
				t.await(ctx, readTime)
			}
		}
	} else if t.since().Sub(t.readAt) >= refreshAfter {
		t.await(ctx, patience)
	}
	return t.known[name], nil
}

// refresh reads all entries. t.mu is held, but not while it reads.
func (t *Tenants) refresh(ctx context.Context) error {
	now := t.since()
	t.stale = false
	t.mu.Unlock()
	all, err := t.List(ctx)
	t.mu.Lock()
	if err != nil {
		t.stale = true
		return err
	}
	t.known, t.readAt = make(map[graph.Tenant]*Tenant, len(all)), now
	for _, x := range all {
		t.known[x.Name] = x
	}
	return nil
}

// await reads all entries in the background, one read at a time, and waits for it for a moment.
// t.mu is held, but not while it waits.
func (t *Tenants) await(ctx context.Context, patience time.Duration) {
	if t.read == nil {
		read := make(chan struct{})
		t.read = read
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTime)
		go func() {
			defer cancel()
			t.mu.Lock()
			defer t.mu.Unlock()
			_ = t.refresh(within) // what was known last is still known
			t.read = nil
			close(read)
		}()
	}
	read := t.read
	t.mu.Unlock()
	defer t.mu.Lock()
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case <-read:
	case <-wait.C:
	case <-ctx.Done():
	}
}

// QuotasOf returns the quotas of a tenant, none if they can't be read.
func (t *Tenants) QuotasOf(ctx context.Context, name graph.Tenant) Quotas {
	x, err := t.Get(ctx, name)
	if err != nil || x == nil {
		return Quotas{}
	}
	return x.Quotas
}

// written notes that this server has changed an entry.
func (t *Tenants) written() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stale = true
}

func (t *Tenants) newID() (graph.ID, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return graph.NewID(t.now(), t.random)
}

// readTenant returns the entry of a tenant with the id of its note, nil for none.
func readTenant(r graph.Reader, name graph.Tenant) (graph.ID, *Tenant, error) {
	id, err := r.Setting(tenantSetting(name))
	if found, err := graph.Found(err); !found {
		return "", nil, err
	}
	n, err := r.Note(graph.NoteTenant, graph.ID(id))
	if err != nil {
		return "", nil, err
	}
	x, err := decodeTenant(n)
	return n.ID, x, err
}

func putTenant(tx graph.Tx, id graph.ID, t *Tenant) error {
	data, err := encodeTenant(t)
	if err != nil {
		return err
	}
	if err := tx.PutSetting(tenantSetting(t.Name), []byte(id)); err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteTenant, ID: id, At: t.CreatedAt, Data: data})
}

// admitTenant makes an entry for a tenant that gets its first key. It fails if the tenant was deleted.
func admitTenant(tx graph.Tx, id graph.ID, name graph.Tenant, at time.Time) error {
	switch _, x, err := readTenant(tx, name); {
	case err != nil:
		return err
	case x.Deleted():
		return graph.FieldError(graph.CodeInvalidRequest, "tenant", "is deleted")
	case x != nil:
		return nil
	}
	return putTenant(tx, id, &Tenant{Name: name, CreatedAt: graph.Millis(at)})
}
