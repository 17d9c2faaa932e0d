package recall

import (
	"context"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
)

// seat waits until a search of the caller may use the processor. A search that asks a model of
// another server does not, because it would keep a seat while it waits for the answer; its index
// has slots.
func (svc *Service) seat(ctx context.Context, c workspace.Caller) (context.Context, func(), error) {
	if _, local := svc.Embedder.(models.Weigher); !local || svc.reranker != nil {
		return ctx, func() {}, nil
	}
	return svc.Seat(ctx, string(c.Tenant), c.Name)
}
