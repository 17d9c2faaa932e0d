package sleep

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// leaseDuration is how long a lease lasts unless its holder renews it.
const leaseDuration = time.Minute

// errLeaseLost ends a sleep whose lease another has taken over.
var errLeaseLost = graph.Errorf(graph.CodeSleepRunning, "another server has taken this sleep over")

// begin takes the lease of the tenant's sleep: a new cycle, or the interrupted one.
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
			return graph.Errorf(graph.CodeSleepRunning, "a rollback is under way")
		}
		if current != nil {
			if current.Holder != "" && current.LeaseUntil.After(now) && current.Holder != svc.Holder && !svc.Exclusive() {
				return graph.Errorf(graph.CodeSleepRunning, "a sleep is under way")
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

// orderAfterAll makes sure that the name of a new cycle stands behind those of all before it,
// also of servers whose clocks are ahead: reports are listed and resumed by it.
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

// held checks that the cycle is still ours: the guard of every transaction of a sleep.
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

// release gives the lease back, so that nobody has to wait until it runs out. What is stored
// of the cycle stands: it may be ahead of what this process knows.
func (run *sleepRun) releaseLease(ctx context.Context) error {
	return run.t.Update(ctx, func(tx graph.Tx) error {
		if err := run.checkpoint.checkLease(tx); err != nil {
			return err
		}
		current, err := readCheckpoint(tx)
		if err != nil {
			return err
		}
		current.Holder, current.TimeSpent = "", run.timeSpent()
		return lifecycle.PutSetting(tx, checkpointSetting, current)
	})
}
