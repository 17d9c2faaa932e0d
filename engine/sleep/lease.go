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
func (n *run) keepLease(ctx context.Context, c *checkpoint, lost context.CancelCauseFunc) {
	tick := time.NewTicker(n.svc.options.Renew)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := n.renewLease(ctx, c)
		if errors.Is(err, errLeaseLost) {
			lost(err)
			return
		}
		if err != nil && ctx.Err() == nil {
			n.svc.Log.Warn("[SLEEP] the lease was not renewed", "report", c.ID, "error", err)
		}
	}
}

// renewLease moves the end of the lease, and nothing else of what is stored.
func (n *run) renewLease(ctx context.Context, c *checkpoint) error {
	return n.t.Update(ctx, func(tx graph.Tx) error {
		if err := c.held(tx); err != nil {
			return err
		}
		under, err := readCycle(tx)
		if err != nil {
			return err
		}
		under.Until = n.svc.Now().Add(leaseFor)
		return lifecycle.PutSetting(tx, cycleSetting, under)
	})
}
