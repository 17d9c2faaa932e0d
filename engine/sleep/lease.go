package sleep

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// keepLease renews the lease of a cycle as time passes, until ctx ends: a phase may think
// for longer than a lease lasts, and commits nothing meanwhile. Where another has taken
// the cycle over it says so through lost. What makes sure of it is the check in every
// transaction of the night; this only spares it the work.
func (run *sleepRun) keepLease(ctx context.Context, c *checkpoint, lost context.CancelCauseFunc) {
	tick := time.NewTicker(run.svc.options.RenewEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := run.renewLease(ctx, c)
		if errors.Is(err, errLeaseLost) {
			lost(err)
			return
		}
		if err != nil && ctx.Err() == nil {
			run.svc.Log.Warn("[SLEEP] the lease was not renewed", "report", c.ID, "error", err)
		}
	}
}

// renewLease moves the end of the lease, and nothing else of what is stored.
func (run *sleepRun) renewLease(ctx context.Context, c *checkpoint) error {
	return run.t.Update(ctx, func(tx graph.Tx) error {
		if err := c.checkLease(tx); err != nil {
			return err
		}
		current, err := readCheckpoint(tx)
		if err != nil {
			return err
		}
		current.LeaseUntil = run.svc.Now().Add(leaseDuration)
		return lifecycle.PutSetting(tx, checkpointSetting, current)
	})
}
