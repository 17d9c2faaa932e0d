package sleep

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// leaseDuration is the time after which a lease expires unless its holder renews it.
const leaseDuration = time.Minute

// errLeaseLost ends a sleep whose lease another server has taken over.
var errLeaseLost = graph.Errorf(graph.CodeSleepRunning, "another server has taken over this sleep")

// takeLease takes the lease of the tenant's sleep: for a new cycle, or for the interrupted
// one.
func (svc *Service) takeLease(ctx context.Context, t *tenant, fresh *checkpoint) (c *checkpoint, err error) {
	now := t.Now()
	err = t.Update(ctx, func(tx graph.Tx) error {
		c = fresh
		current, err := readCheckpoint(tx)
		if err != nil {
			return err
		}
		if taken, err := rollbackRunning(tx); err != nil {
			return err
		} else if taken {
			return graph.Errorf(graph.CodeSleepRunning, "a rollback is in progress")
		}
		if current != nil {
			if current.Holder != "" && current.LeaseUntil.After(now) && current.Holder != svc.Holder && !svc.Exclusive() {
				return graph.Errorf(graph.CodeSleepRunning, "a sleep is in progress")
			}
			c = current
			c.Report.Resumed = true
		}
		if current == nil {
			if err := svc.orderAfterEarlier(tx, c); err != nil {
				return err
			}
		}
		c.Holder, c.LeaseUntil, c.Fence = svc.Holder, now.Add(leaseDuration), c.Fence+1
		if current == nil {
			var previous lastSleep
			if _, err := lifecycle.ReadSetting(tx, lastSleepSetting, &previous); err != nil {
				return err
			}
			c.continueFrom(previous)
			if err := putReport(tx, c); err != nil {
				return err
			}
		}
		return lifecycle.PutSetting(tx, checkpointSetting, c)
	})
	return c, err
}

// orderAfterEarlier makes the id of a new cycle greater than every earlier one, also of
// servers whose clocks are ahead. Reports are listed and resumed in the order of their ids.
func (svc *Service) orderAfterEarlier(r graph.Reader, c *checkpoint) (err error) {
	newest, err := r.Notes(graph.NoteSleep, "", true, 1)
	if err != nil || len(newest) == 0 || newest[0].ID < c.ID {
		return err
	}
	c.At = newest[0].At.Add(time.Millisecond)
	if c.ID, err = svc.NewID(c.At); err != nil {
		return err
	}
	c.Report.ID, c.Report.StartedAt = c.ID, c.At
	return nil
}

// checkLease returns errLeaseLost unless this process still holds the cycle. It guards
// every transaction of a sleep.
func (c *checkpoint) checkLease(tx graph.Tx) error {
	current, err := readCheckpoint(tx)
	if err != nil {
		return err
	}
	if current == nil || current.ID != c.ID || current.Holder != c.Holder || current.Fence != c.Fence {
		return errLeaseLost
	}
	return nil
}

// keepLease renews the lease periodically until ctx ends, because the planning of a phase
// can take longer than a lease lasts. If another server has taken the cycle over, it calls
// lost. This only saves work: correctness depends on checkLease in every transaction.
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

// renewLease extends the lease, and changes nothing else in the store.
func (run *sleepRun) renewLease(ctx context.Context, c *checkpoint) error {
	return run.updateLease(ctx, c, func(stored *checkpoint) { stored.LeaseUntil = run.svc.Now().Add(leaseDuration) })
}

// releaseLease gives the lease back, so that no server has to wait for its expiry.
func (run *sleepRun) releaseLease(ctx context.Context) error {
	return run.updateLease(ctx, run.checkpoint, func(stored *checkpoint) { stored.Holder, stored.TimeSpent = "", run.timeSpent() })
}

// updateLease changes the lease in the stored checkpoint, which can be ahead of this process.
func (run *sleepRun) updateLease(ctx context.Context, c *checkpoint, change func(stored *checkpoint)) error {
	return run.t.Update(ctx, func(tx graph.Tx) error {
		if err := c.checkLease(tx); err != nil {
			return err
		}
		stored, err := readCheckpoint(tx)
		if err != nil {
			return err
		}
		change(stored)
		return lifecycle.PutSetting(tx, checkpointSetting, stored)
	})
}
