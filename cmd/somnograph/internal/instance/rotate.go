package instance

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/ledger"
)

// rotator is a sealed store whose keys can be replaced. The embedded store implements it.
type rotator interface {
	Ring(graph.Tenant) (*keyring.Ring, error)
	RotateMaster(ctx context.Context) error
	RotateKey(ctx context.Context, scope graph.Scope) error
	RenewRows(ctx context.Context, scope graph.Scope, progress func(done, total int)) (first uint64, err error)
	EndRenewal(ctx context.Context, scope graph.Scope, first uint64) error
}

// ErrNotSealed is returned if a store has no keys to replace.
var ErrNotSealed = errors.New("the store is not sealed, so that it has no keys to replace; start the server with --seal=on to seal it")

// ErrRotating is returned while keys are being replaced already.
var ErrRotating = errors.New("the keys are being replaced already")

// Progress reports how many rows of a tenant are sealed again, of about how many.
type Progress func(t graph.Tenant, done, total int)

// OpenParts opens the store of a server that does not run, the ledger, and, if the store is sealed, the
// index and the recess. The instance has no engine.
func OpenParts(ctx context.Context, o Options) (*Instance, error) {
	if _, err := os.Stat(o.Dir); err != nil {
		return nil, Explain(o.Dir, err)
	}
	opened, err := o.openStore(ctx)
	if err != nil {
		return nil, err
	}
	in := &Instance{Store: opened.store, Keys: opened.keys}
	if err := in.openParts(ctx, o); err != nil {
		return nil, errors.Join(err, in.Close(context.WithoutCancel(ctx)))
	}
	return in, nil
}

func (in *Instance) openParts(ctx context.Context, o Options) (err error) {
	dir := filepath.Join(o.Dir, "index")
	if _, err := os.Stat(dir); err == nil && in.Keys != nil {
		x := index.Options{Dir: dir, Logger: o.Engine.Logger, Topics: lexicon.Topics{}, Claims: attribute.Keys{}, Workers: o.Sizes.Workers}
		if in.Index, err = index.Open(ctx, in.Store, x); err != nil {
			return Explain(o.Dir, err)
		}
	}
	if in.Keys != nil {
		if err := in.openRecess(o); err != nil {
			return err
		}
	}
	if in.Ledger, err = ledger.Open(o.Keys, o.Dir, rand.Reader); err != nil {
		return ExplainKeys(o.Keys, err)
	}
	return nil
}

// RotateKeys replaces the master key, the keys of the tenants and the data keys of a sealed store and
// of its recess. Reads and writes go on. With later the data keys are left
// to the next Open, which replaces them in the background. What was interrupted is finished by the
// next call or the next Open. ErrRotating is returned while another call, or what the Open resumed, is under way.
func (in *Instance) RotateKeys(ctx context.Context, later bool, progress Progress) error {
	store, ok := in.Store.(rotator)
	if !ok || in.Keys == nil {
		return ErrNotSealed
	}
	if !in.rotating.TryLock() {
		return ErrRotating
	}
	defer in.rotating.Unlock()
	scopes, err := in.scopes(ctx)
	if err != nil {
		return err
	}
	if err := store.RotateMaster(ctx); err != nil {
		return fmt.Errorf("replace the master key: %w", err)
	}
	for _, scope := range scopes {
		if err := store.RotateKey(ctx, scope); err != nil {
			return fmt.Errorf("replace the key of tenant %s: %w", scope.Tenant, err)
		}
	}
	if in.Recess != nil {
		if err := errors.Join(in.Recess.RotateMaster(ctx, nil), in.Recess.RotateKeys(ctx)); err != nil {
			return fmt.Errorf("replace the keys of the recess: %w", err)
		}
	}
	for _, scope := range scopes {
		if later {
			err = beginRenewal(store, scope)
		} else {
			err = in.renew(ctx, store, scope, progress)
		}
		if err != nil {
			return fmt.Errorf("replace the data keys of tenant %s: %w", scope.Tenant, err)
		}
	}
	return nil
}

// scopes are those of the tenants and of the server.
func (in *Instance) scopes(ctx context.Context) ([]graph.Scope, error) {
	tenants, err := in.Store.Tenants(ctx)
	scopes := []graph.Scope{graph.ServerScope()}
	for _, t := range tenants {
		scopes = append(scopes, graph.Scope{Tenant: t})
	}
	return scopes, err
}

// beginRenewal lets the next opening replace the data keys of a tenant.
func beginRenewal(store rotator, scope graph.Scope) error {
	ring, err := store.Ring(scope.Tenant)
	if err == nil {
		_, err = ring.BeginRenewal()
	}
	return err
}

// renew replaces the data keys of a tenant: those of the store, then those of the recess, and those of
// the index, whose rows and files need no former key when these are destroyed.
func (in *Instance) renew(ctx context.Context, store rotator, scope graph.Scope, progress Progress) error {
	first, err := store.RenewRows(ctx, scope, func(done, total int) { progress(scope.Tenant, done, total) })
	if err != nil || first == 0 {
		return err
	}
	if in.Index != nil && !scope.IsServer() {
		if err := in.Index.Reseal(ctx, scope, first); err != nil {
			return err
		}
	}
	if in.Recess != nil && !scope.IsServer() {
		if err := in.Recess.RenewKeys(ctx, scope); err != nil {
			return err
		}
	}
	return store.EndRenewal(ctx, scope, first)
}

// renewalProgress is the time between two lines in the log.
const renewalProgress = 10 * time.Second

// resumeRenewals replaces data keys in the background, where that was begun and not finished.
func (in *Instance) resumeRenewals(ctx context.Context, o Options) error {
	store, ok := in.Store.(rotator)
	if !ok || in.Keys == nil {
		return nil
	}
	scopes, err := in.scopes(ctx)
	if err != nil {
		return err
	}
	var open []graph.Scope
	for _, scope := range scopes {
		ring, err := store.Ring(scope.Tenant)
		if err != nil {
			return Explain(o.Dir, err)
		}
		if ring != nil && ring.Renewing() != 0 {
			open = append(open, scope)
		}
	}
	if len(open) == 0 {
		return nil
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	in.stopRenewals = func() { cancel(); <-done }
	in.rotating.Lock()
	go func() {
		defer close(done)
		defer in.rotating.Unlock()
		said := time.Now()
		for _, scope := range open {
			o.Engine.Logger.Info("[WRITE] data keys are being replaced; reads and writes go on", "tenant", scope.Tenant)
			err := in.renew(running, store, scope, func(t graph.Tenant, done, total int) {
				if time.Since(said) >= renewalProgress {
					said = time.Now()
					o.Engine.Logger.Info("[WRITE] data keys are being replaced", "tenant", t, "done", done, "of", total)
				}
			})
			if running.Err() != nil {
				return
			}
			if err != nil {
				o.Engine.Logger.Error("[WRITE] data keys could not be replaced; the next start tries again", "tenant", scope.Tenant, "error", err)
				continue
			}
			o.Engine.Logger.Info("[WRITE] data keys are replaced", "tenant", scope.Tenant)
		}
	}()
	return nil
}
