package recess

import (
	"cmp"
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dirlock"
)

const (
	tenantsDir = "tenants"
	filesDir   = "files"
)

// Recess is the archive of engrams of all tenants. It is safe for concurrent use.
type Recess struct {
	options  Options
	disk     disk
	blob     Blob
	random   *sharedRandom
	log      *slog.Logger
	lock     *os.File
	cache    *lru.Cache[segmentKey, []*record]
	rotateMu sync.Mutex // one rotation at a time

	mu      sync.RWMutex // guards what follows
	master  cipher.AEAD
	tenants map[graph.Tenant]*tenant
	closed  bool
}

// Open opens the recess, completes what a crash interrupted, and reads every tenant's journal.
// If the keys or the manifest of a tenant are damaged in both copies, every call for it returns
// graph.ErrIntegrity; the other tenants work. Errors: graph.ErrLocked if another process holds
// the directory, graph.ErrIntegrity if the master key is damaged, missing or a different one.
func Open(o Options) (*Recess, error) {
	o = o.withDefaults()
	if o.Dir == "" {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "dir", "is required")
	}
	r := &Recess{options: o, disk: o.disk, blob: o.Blob, random: &sharedRandom{source: o.Rand}, log: o.Logger, tenants: map[graph.Tenant]*tenant{}}
	cache, err := lru.New[segmentKey, []*record](max(o.Cache, 1))
	if err != nil {
		return nil, err
	}
	r.cache = cache
	if err := errors.Join(r.disk.MkdirAll(o.Dir), r.disk.SyncDir(filepath.Dir(o.Dir))); err != nil {
		return nil, fmt.Errorf("recess: %w", err)
	}
	if _, real := r.disk.(osDisk); real {
		if r.lock, err = dirlock.Lock(o.Dir); err != nil {
			return nil, fmt.Errorf("recess: %w", err)
		}
	}
	if err := r.open(); err != nil {
		return nil, errors.Join(err, r.release())
	}
	return r, nil
}

func (r *Recess) open() error {
	if err := moveKeys(r.disk, r.options); err != nil {
		return fmt.Errorf("recess: move the keys: %w", err)
	}
	current, previous, err := loadMasters(r.disk, r.options)
	if err != nil {
		return err
	}
	if r.master, err = newAEAD(current); err != nil {
		return graph.FieldError(graph.CodeInvalidRequest, "master", "must have %d bytes", keySize)
	}
	if r.blob == nil {
		if r.blob, err = newLocal(r.disk, filepath.Join(r.options.Dir, filesDir)); err != nil {
			return err
		}
	}
	dir := filepath.Join(r.options.Dir, tenantsDir)
	if err := makeDir(r.disk, r.options.Dir, dir); err != nil {
		return fmt.Errorf("recess: %w", err)
	}
	entries, err := r.disk.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("recess: %w", err)
	}
	known := []cipher.AEAD{r.master}
	for _, key := range previous {
		a, err := newAEAD(key)
		if err != nil {
			return graph.FieldError(graph.CodeInvalidRequest, "previous", "each must have %d bytes", keySize)
		}
		known = append(known, a)
	}
	under, wrong := 0, 0
	for _, e := range entries {
		scope := graph.Scope{Tenant: graph.Tenant(e.name)}
		if !e.dir || scope.Validate() != nil {
			continue
		}
		t := newTenant(r, scope.Tenant)
		if err := t.open(known); errors.Is(err, graph.ErrIntegrity) {
			t.blocked = err
			r.alarm(scope.Tenant, "", "", err)
			if t.rootLedger == nil {
				wrong++
			}
		} else if err != nil {
			return errors.Join(err, t.close())
		} else {
			under++
		}
		r.tenants[scope.Tenant] = t
	}
	if wrong > 0 && under == 0 {
		return fmt.Errorf("%w: the master key opens the key of no tenant", graph.ErrIntegrity)
	}
	if wrong == 0 && r.options.Master == nil {
		if err := settleMaster(r.disk, r.options.keyDir(), current); err != nil {
			return fmt.Errorf("recess: %w", err)
		}
	}
	return nil
}

// Close waits for the running calls and unlocks the directory. Engravings in the journal
// stay there.
func (r *Recess) Close() error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return nil
	}
	r.closed = true
	r.mu.Unlock()
	r.rotateMu.Lock() // wait for a rotation in progress
	defer r.rotateMu.Unlock()
	return r.release()
}

func (r *Recess) release() error {
	var err error
	for _, t := range r.tenants {
		err = errors.Join(err, t.close())
	}
	if r.lock != nil {
		err = errors.Join(err, r.lock.Close())
	}
	return err
}

// tenant returns the tenant of a scope; nil if it has no engrams yet and create is false.
func (r *Recess) tenant(scope graph.Scope, create bool) (*tenant, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	r.mu.RLock()
	t, closed := r.tenants[scope.Tenant], r.closed
	r.mu.RUnlock()
	if closed {
		return nil, graph.ErrClosed
	}
	if t == nil && create {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.closed {
			return nil, graph.ErrClosed
		}
		if t = r.tenants[scope.Tenant]; t == nil {
			t = newTenant(r, scope.Tenant)
			if err := t.open([]cipher.AEAD{r.master}); err != nil {
				return nil, errors.Join(fmt.Errorf("%w: %w", graph.ErrUnavailable, err), t.close())
			}
			r.tenants[scope.Tenant] = t
		}
	}
	if t != nil && t.blocked != nil {
		return nil, t.blocked
	}
	return t, nil
}

// allTenants lists the tenants by name.
func (r *Recess) allTenants() ([]*tenant, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.closed {
		return nil, graph.ErrClosed
	}
	return slices.SortedFunc(maps.Values(r.tenants), func(a, b *tenant) int { return cmp.Compare(a.name, b.name) }), nil
}

// alarm raises an alarm about damage.
func (r *Recess) alarm(tenant graph.Tenant, file string, id graph.ID, cause error) {
	reason := cause.Error()
	r.log.Error("[ENGRAM] integrity failure", "tenant", tenant, "file", file, "id", id, "reason", reason)
	r.options.Alarm(Alarm{Tenant: tenant, File: file, ID: id, Reason: reason})
}

// Has reports whether the memory is engraved: appended, and neither withdrawn nor erased. It is
// true for a damaged engram.
func (r *Recess) Has(_ context.Context, scope graph.Scope, id graph.ID) (bool, error) {
	t, err := r.tenant(scope, false)
	if t == nil || err != nil {
		return false, err
	}
	key, err := id.Bytes()
	if err != nil {
		return false, nil
	}
	return t.locate(key).engraved(), nil
}
