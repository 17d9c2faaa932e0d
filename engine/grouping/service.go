package grouping

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

const (
	// MinVisible is the number of visible members below which a cluster is not shown.
	MinVisible = 3
	// pollEvery is the interval at which a server looks for settlements of other servers.
	pollEvery = 2 * time.Second
	// restBetween is the pause before new memories join their clusters, so that a burst of writes is
	// read in few pages.
	restBetween = 100 * time.Millisecond
)

// Service keeps the clusters of every tenant in memory.
type Service struct {
	*workspace.Space
	tenants *workspace.PerTenant[tenant]
}

// tenant is the state of one tenant.
type tenant struct {
	*workspace.Tenant
	book      *book
	labels    labelCache
	centroids centroidCache
}

// forget drops what was computed from the texts and vectors of members.
func (t *tenant) forget() {
	t.labels.clear()
	t.centroids.clear()
}

// New makes the service and registers its background work.
func New(ws *workspace.Space) *Service {
	svc := &Service{Space: ws, tenants: workspace.NewPerTenant(ws, func(t *workspace.Tenant) *tenant { return &tenant{Tenant: t, book: newBook()} })}
	svc.tenants.AddWorkers(svc.follow)
	ws.AddForgetter(func(t *workspace.Tenant) { svc.tenants.Of(t).forget() })
	return svc
}

// follow loads the clusters and lets new memories join theirs, until Close.
func (svc *Service) follow(t *tenant) {
	for svc.Ctx.Err() == nil {
		t.book.loading <- struct{}{}
		err := svc.refresh(svc.Ctx, t, true)
		t.book.loading.release()
		if err != nil && svc.Ctx.Err() == nil {
			svc.Log.Warn("[READ] clusters could not be brought up to date; will retry", "tenant", t.Scope.Tenant, "error", err)
			if !svc.Pause(svc.Retry) {
				return
			}
			continue
		}
		if t.book.position() < t.Cursor() {
			svc.Foreground.Yield(svc.Ctx, workspace.YieldFor)
			continue
		}
		svc.awaitChange(t)
		if !svc.Pause(restBetween) {
			return
		}
	}
}

// awaitChange waits for a change after those that were applied. Where other servers may settle, it waits
// at most pollEvery.
func (svc *Service) awaitChange(t *tenant) {
	ctx, cancel := svc.Ctx, func() {}
	if !svc.Exclusive() {
		ctx, cancel = context.WithTimeout(svc.Ctx, pollEvery)
	}
	defer cancel()
	// An error is that of the context, or of a store whose next read reports it.
	_ = svc.Store.Wait(ctx, t.Scope.Whole(), t.book.position())
}

// turn is a lock whose holder has put a value into it. Unlike a mutex it can be waited for with a context: the holder
// may wait for a store that is away.
type turn chan struct{}

// try takes the turn if it is free.
func (x turn) try() bool {
	select {
	case x <- struct{}{}:
		return true
	default:
		return false
	}
}

func (x turn) release() { <-x }

// await takes the turn. A caller with a deadline gives up once the store does not answer.
func (svc *Service) await(ctx context.Context, x turn) error {
	alive := svc.StoreAlive(ctx)
	select {
	case x <- struct{}{}:
		return nil
	case <-alive.Done():
		return graph.ErrUnavailable
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Changed tells the service that this server stored or removed a settlement.
func (svc *Service) Changed(wt *workspace.Tenant) { svc.tenants.Of(wt).book.expire() }

// View returns the clusters of a tenant as the sight of its scope shows them. It has every
// settlement of every server, and every memory that this server acknowledged before the call. If
// more than maxChanges memories are new, the others join soon after.
func (svc *Service) View(ctx context.Context, wt *workspace.Tenant) (*View, error) {
	t := svc.tenants.Of(wt)
	if err := wt.Current(ctx); err != nil {
		return nil, err
	}
	if err := svc.await(ctx, t.book.loading); err != nil {
		return nil, err
	}
	defer t.book.loading.release()
	if err := svc.refresh(ctx, t, true); err != nil {
		return nil, err
	}
	return svc.view(t, wt), nil
}

// Latest is View for the path of a search: it waits only for the first load. Settlements of other
// servers, and memories that joined in the last moments, may be missing.
func (svc *Service) Latest(ctx context.Context, wt *workspace.Tenant) (*View, error) {
	t := svc.tenants.Of(wt)
	switch {
	case t.book.current():
		return svc.view(t, wt), nil
	case !t.book.known():
		if err := svc.await(ctx, t.book.loading); err != nil {
			return nil, err
		}
	case !t.book.loading.try():
		return svc.view(t, wt), nil
	}
	defer t.book.loading.release()
	if err := svc.refresh(ctx, t, false); err != nil {
		return nil, err
	}
	return svc.view(t, wt), nil
}

func (svc *Service) view(t *tenant, wt *workspace.Tenant) *View {
	return &View{svc: svc, t: t, scope: wt.Scope, settledOnly: wt.Scope.Sight.LimitsClasses(), now: t.Now()}
}

// refresh loads the settlements if they changed, and lets changed memories join. verify says
// whether another server may have changed them. The caller holds loading.
func (svc *Service) refresh(ctx context.Context, t *tenant, verify bool) error {
	if !t.book.current() || verify && !svc.Exclusive() {
		if err := svc.load(ctx, t); err != nil {
			return err
		}
	}
	if t.book.position() >= t.Cursor() && svc.Exclusive() {
		return nil
	}
	return svc.joinChanged(ctx, t)
}

// readVersion returns the version of the settlements; empty: there was never one.
func readVersion(r graph.Reader) (string, error) {
	text, err := r.Setting(versionSetting)
	if known, err := graph.Found(err); !known {
		return "", err
	}
	return string(text), nil
}
