package sleep

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// Settings of the tenant.
const (
	checkpointSetting = "sleep.cycle" // the running sleep; absent while none runs
	lastSleepSetting  = "sleep.last"  // what the last sleep hands to the next
)

// checkpoint is a sleep under way as it is stored.
type checkpoint struct {
	ID             graph.ID            `json:"id"`
	At             time.Time           `json:"at"`               // the instant that everything is decided at
	PreviousAt     time.Time           `json:"before"`           // the instant of the sleep before, zero if there was none
	Since          time.Time           `json:"since"`            // what was used or new until then was looked at; earlier than Before where budgets were short
	Strengthened   []strengthenedRange `json:"strong,omitempty"` // what was strengthened since then all the same
	CompleteDeepAt time.Time           `json:"deep"`             // the instant of the last complete deep sleep, zero if there was none
	Holder         string              `json:"holder"`
	Fence          int                 `json:"fence"` // how often the lease was taken: one that was taken again is another
	LeaseUntil     time.Time           `json:"until"` // of the lease

	MaxItems  int               `json:"maxItems,omitempty"` // 0: no limit
	MaxTime   time.Duration     `json:"maxTime,omitempty"`  // 0: no limit
	TimeSpent time.Duration     `json:"spent,omitempty"`    // before a crash
	Items     int               `json:"items"`              // steps carried out
	Input     *ConsolidateInput `json:"input,omitempty"`    // of a consolidation by hand

	Phase       int          `json:"phase"`           // index into the phases of its kind
	Plans       []storedPlan `json:"plans,omitempty"` // of the phases that are planned
	Done        int          `json:"done"`            // steps of the phase that were carried out
	BudgetSpent bool         `json:"spare,omitempty"` // the budget is spent: what is left waits for the next sleep
	UndoNotes   int          `json:"undo"`            // notes of undoing

	ArchivedAt time.Time         `json:"letGo"`            // the instant of the last deep sleep that let all go that had gone quiet
	Deferred   *deferredArchival `json:"quiet,omitempty"`  // what the sleep before did not come to let go
	Dreamed    []graph.ID        `json:"dreamt,omitempty"` // that night

	Report Report `json:"report"`
}

// last is what a sleep leaves for the next.
type lastSleep struct {
	ID             graph.ID  `json:"id"`
	At             time.Time `json:"at"`   // the instant it decided at
	CompleteDeepAt time.Time `json:"deep"` // of the last complete deep one

	DeepAt     time.Time `json:"night"` // of the last deep one, complete or not
	ArchivedAt time.Time `json:"letGo"` // of the last deep one that let all go that had gone quiet

	Backlog *backlog   `json:"rest,omitempty"`   // what its budget left undone; nil: nothing
	Dreamed []graph.ID `json:"dreamt,omitempty"` // since the last complete deep one
}

// rest is what a short budget leaves to the next sleep, so that it does that and repeats
// nothing: what was used or new since an instant is still to be looked at, but for the
// strengthening of some.
type backlog struct {
	Since        time.Time           `json:"since"`
	Strengthened []strengthenedRange `json:"strong,omitempty"`
	Deferred     *deferredArchival   `json:"quiet,omitempty"`
}

// quiet is the part of a plan that a night did not come to: what is to be let go. It is
// kept, for the weakest of those that are left are others than the weakest of all.
type deferredArchival struct {
	Report graph.ID   `json:"cycle"`
	At     time.Time  `json:"at"` // of the cycle
	Phase  int        `json:"phase"`
	Plan   storedPlan `json:"plan"`
	Done   int        `json:"done"`
}

// steps reads what is left.
func (q *deferredArchival) steps(r graph.Reader) ([]plannedStep, error) {
	var left []plannedStep
	from := 0
	for chunk, upto := range q.Plan.Chunks {
		if upto > q.Done {
			id, err := (&checkpoint{ID: q.Report, At: q.At}).planNoteID(q.Phase, chunk)
			if err != nil {
				return nil, err
			}
			steps, err := readPlan(r, id)
			if err != nil {
				return nil, err
			}
			left = append(left, steps[max(0, q.Done-from):]...)
		}
		from = upto
	}
	return left, nil
}

// span says that the memories up to an id, and behind the span before it, were
// strengthened at an instant.
type strengthenedRange struct {
	UpTo graph.ID  `json:"upto"`
	At   time.Time `json:"at"`
}

// lastID is behind every other.
const greatestID graph.ID = "ffffffff-ffff-7fff-bfff-ffffffffffff"

// strengthenedAt is up to when the uses of a memory have strengthened it.
func (c *checkpoint) strengthenedAt(id graph.ID) time.Time {
	for _, s := range c.Strengthened {
		if id <= s.UpTo {
			return s.At
		}
	}
	return c.Since
}

// follow takes over what the sleep before has left.
func (c *checkpoint) continueFrom(previous lastSleep) {
	c.PreviousAt, c.Since, c.CompleteDeepAt, c.ArchivedAt = previous.At, previous.At, previous.CompleteDeepAt, previous.ArchivedAt
	if previous.Backlog != nil {
		c.Since, c.Strengthened, c.Deferred = previous.Backlog.Since, previous.Backlog.Strengthened, previous.Backlog.Deferred
	}
	if c.At.Sub(previous.At) < minDeepInterval {
		c.Dreamed = previous.Dreamed
	}
}

// nightly is how far apart the nights are that let memories go and dream: a second sleep
// before it has passed leaves everything as the first one left it.
const minDeepInterval = 20 * time.Hour

// doneRecently reports whether a deep sleep has done the night's work already.
func (c *checkpoint) doneRecently() bool {
	return !c.CompleteDeepAt.IsZero() && c.At.Sub(c.CompleteDeepAt) < minDeepInterval
}

// archivesToday reports whether the night is still to let go what has gone quiet.
func (c *checkpoint) archivalDue() bool {
	return c.ArchivedAt.IsZero() || c.At.Sub(c.ArchivedAt) >= minDeepInterval
}

// readCycle answers the cycle under way, or nil.
func readCheckpoint(r graph.Reader) (*checkpoint, error) {
	var c checkpoint
	if found, err := lifecycle.ReadSetting(r, checkpointSetting, &c); err != nil || !found {
		return nil, err
	}
	return &c, nil
}

// saveCheckpoint changes what is stored of the cycle.
func (run *sleepRun) saveCheckpoint(ctx context.Context, change func(*checkpoint)) error {
	var next checkpoint
	err := run.t.Update(ctx, func(tx graph.Tx) error {
		if err := run.checkpoint.checkLease(tx); err != nil {
			return err
		}
		next = *run.checkpoint
		change(&next)
		return run.putCheckpoint(tx, &next)
	})
	if err == nil {
		run.checkpoint = &next
	}
	return err
}

// save writes the checkpoint and renews the lease.
func (run *sleepRun) putCheckpoint(tx graph.Tx, next *checkpoint) error {
	stored := *next
	stored.TimeSpent, stored.LeaseUntil = run.timeSpent(), run.svc.Now().Add(leaseDuration)
	return lifecycle.PutSetting(tx, checkpointSetting, &stored)
}
