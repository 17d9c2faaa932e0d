package engine

import (
	"context"
	"math/big"

	"github.com/somnograph/somnograph/graph"
)

// SleepReport answers the report of one sleep or consolidation. MEMORY_NOT_FOUND where
// there is none.
func (e *Engine) SleepReport(ctx context.Context, c Caller, id graph.ID) (*SleepReport, error) {
	b, err := id.Bytes()
	if err != nil {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	// Reports are listed by descending id: those behind the next larger one begin with it.
	next := new(big.Int).Add(new(big.Int).SetBytes(b[:]), big.NewInt(1))
	var behind [16]byte
	if next.BitLen() <= 8*len(behind) {
		next.FillBytes(behind[:])
	}
	found, _, err := e.SleepReports(ctx, c, 1, graph.IDFromBytes(behind))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 || found[0].ID != id {
		return nil, graph.FieldError(graph.CodeMemoryNotFound, "id", "no sleep has this id")
	}
	return &found[0], nil
}
