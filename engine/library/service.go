package library

import (
	"context"
	"hash/fnv"

	"github.com/somnograph/somnograph/engine/document"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Service keeps documents.
type Service struct {
	*workspace.Space
	ingest  *ingest.Service
	limits  document.Limits
	tenants *workspace.PerTenant[tenant]
}

// New creates the service. It reads documents within the limits.
func New(ws *workspace.Space, in *ingest.Service, limits document.Limits) *Service {
	return &Service{Space: ws, ingest: in, limits: limits, tenants: workspace.NewPerTenant(ws, newTenant)}
}

// tenant is the in-memory state of the service for one tenant.
type tenant struct {
	*workspace.Tenant
	progress progress
	locks    [64]chan struct{} // held while a document is ingested; documents share them by id
}

func newTenant(t *workspace.Tenant) *tenant {
	x := &tenant{Tenant: t}
	for i := range x.locks {
		x.locks[i] = make(chan struct{}, 1)
	}
	return x
}

// lock waits until no other ingest of the document runs in this process. The caller must call
// release.
func (t *tenant) lock(ctx context.Context, id graph.ID) (release func(), err error) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // never fails
	l := t.locks[h.Sum32()%uint32(len(t.locks))]
	select {
	case l <- struct{}{}:
		return func() { <-l }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
