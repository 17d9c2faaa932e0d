package instance

import (
	"context"
	"log/slog"

	"github.com/somnograph/somnograph/engine"
)

// DeleteAgain deletes the tenants that were deleted before and are back, from an older copy or a backup, and finishes deletions that were interrupted.
func (in *Instance) DeleteAgain(log *slog.Logger) error {
	ctx := context.Background()
	again, err := in.Tenants.Record(ctx, in.Ledger)
	for _, name := range again {
		log.Warn("a deleted tenant was back, from an older copy or a backup, or its deletion was not finished; it is deleted again", "tenant", name)
		receipt, err := in.Engine.EraseTenant(ctx, engine.Loopback(), name)
		if err == nil {
			_, err = in.Tenants.FinishDelete(ctx, name, receipt.ID)
		}
		if err != nil { // its credentials are refused all the same
			log.Error("a deleted tenant was not erased again; run somnograph tenants delete", "tenant", name, "error", err)
		}
	}
	return err
}
