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
	lastSleepSetting  = "sleep.last"  // the state that the last sleep hands to the next
)

// checkpoint is the stored state of a running sleep. Every batch is one transaction: it
// carries out some steps, writes their undo record and moves the checkpoint. An interrupted
// cycle therefore resumes from its checkpoint and ends as if it had never stopped.
type checkpoint struct {
	ID             graph.ID            `json:"id"`
	At             time.Time           `json:"at"`               // the instant that all decisions of the cycle use
	PreviousAt     time.Time           `json:"before"`           // the instant of the previous sleep; zero if there was none
	Since          time.Time           `json:"since"`            // processed up to here; before PreviousAt if budgets were short
	Strengthened   []strengthenedRange `json:"strong,omitempty"` // ranges that were strengthened after Since
	CompleteDeepAt time.Time           `json:"deep"`             // the instant of the last complete deep sleep; zero if there was none
	Holder         string              `json:"holder"`
	Fence          int                 `json:"fence"` // number of times that the lease was taken; it tells one holder from the next
	LeaseUntil     time.Time           `json:"until"` // end of the lease

	MaxItems  int               `json:"maxItems,omitempty"` // 0: no limit
	MaxTime   time.Duration     `json:"maxTime,omitempty"`  // 0: no limit
	TimeSpent time.Duration     `json:"spent,omitempty"`    // before a crash
	EtaFactor float64           `json:"eta,omitempty"`      // factor of η that an alarm asked for; 0: 1
	Items     int               `json:"items"`              // steps carried out
	Input     *ConsolidateInput `json:"input,omitempty"`    // of a manual consolidation

	Cluster graph.ID     `json:"cluster,omitempty"` // whose patterns are extracted by hand; empty: no extraction
	Sight   *graph.Sight `json:"sight,omitempty"`   // classes of consent and sensitivity that the extraction sees; nil: all

	Phase         int          `json:"phase"`            // index into the phases of its kind
	Plans         []storedPlan `json:"plans,omitempty"`  // of the planned phases
	Done          int          `json:"done"`             // steps of the phase that were carried out
	Announced     int          `json:"said,omitempty"`   // steps of the phase up to which a batch was announced; it is finished whatever the budget
	BudgetSpent   bool         `json:"spare,omitempty"`  // the budget is spent: the rest is left to the next sleep
	ClusterRounds int          `json:"rounds,omitempty"` // phases that find clusters, besides one of every deep sleep; see clusterRound
	UndoNotes     int          `json:"undo"`             // number of undo notes

	ArchivedAt time.Time         `json:"letGo"`            // the instant of the last deep sleep that finished its archival
	Deferred   *deferredArchival `json:"quiet,omitempty"`  // archival that the previous sleep did not reach
	Dreamed    []graph.ID        `json:"dreamt,omitempty"` // memories dreamed that night

	Report Report `json:"report"`
}

// lastSleep is the state that a sleep leaves for the next.
type lastSleep struct {
	ID             graph.ID  `json:"id"`
	At             time.Time `json:"at"`   // the instant of its decisions
	CompleteDeepAt time.Time `json:"deep"` // of the last complete deep sleep

	DeepAt     time.Time `json:"night"` // of the last deep sleep, complete or not
	ArchivedAt time.Time `json:"letGo"` // of the last deep sleep that finished its archival

	Backlog *backlog   `json:"rest,omitempty"`   // work that its budget left undone; nil: none
	Dreamed []graph.ID `json:"dreamt,omitempty"` // since the last complete deep sleep
}

// backlog is the work that a short budget leaves to the next sleep, which does it and
// repeats nothing. Memories used or created after Since are still to be processed, except
// for the strengthening of the listed ranges.
type backlog struct {
	Since        time.Time           `json:"since"`
	Strengthened []strengthenedRange `json:"strong,omitempty"`
	Deferred     *deferredArchival   `json:"quiet,omitempty"`
}

// deferredArchival is the archival part of a plan that a sleep did not reach. The plan is
// kept, because the weakest of the remaining memories differ from the weakest of all.
type deferredArchival struct {
	Report graph.ID   `json:"cycle"`
	At     time.Time  `json:"at"` // instant of the cycle
	Phase  int        `json:"phase"`
	Plan   storedPlan `json:"plan"`
	Done   int        `json:"done"`
}

// steps reads the remaining steps.
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

// strengthenedRange says that the memories up to an id, and after the previous range, were
// strengthened at an instant.
type strengthenedRange struct {
	UpTo graph.ID  `json:"upto"`
	At   time.Time `json:"at"`
}

// greatestID sorts after every other id.
const greatestID graph.ID = "ffffffff-ffff-7fff-bfff-ffffffffffff"

// strengthenedAt returns the instant up to which the uses of a memory have strengthened it.
func (c *checkpoint) strengthenedAt(id graph.ID) time.Time {
	for _, s := range c.Strengthened {
		if id <= s.UpTo {
			return s.At
		}
	}
	return c.Since
}

// continueFrom takes over the state that the previous sleep left.
func (c *checkpoint) continueFrom(previous lastSleep) {
	c.PreviousAt, c.Since, c.CompleteDeepAt, c.ArchivedAt = previous.At, previous.At, previous.CompleteDeepAt, previous.ArchivedAt
	if previous.Backlog != nil {
		c.Since, c.Strengthened, c.Deferred = previous.Backlog.Since, previous.Backlog.Strengthened, previous.Backlog.Deferred
	}
	if c.At.Sub(previous.At) < minDeepInterval {
		c.Dreamed = previous.Dreamed
	}
}

// minDeepInterval is the minimum time between two nights that archive and dream. A second
// sleep within it leaves everything as the first left it.
const minDeepInterval = 20 * time.Hour

// doneRecently reports whether a complete deep sleep has already done this night's work.
func (c *checkpoint) doneRecently() bool {
	return !c.CompleteDeepAt.IsZero() && c.At.Sub(c.CompleteDeepAt) < minDeepInterval
}

// archivalDue reports whether this night's archival is still to be done.
func (c *checkpoint) archivalDue() bool {
	return c.ArchivedAt.IsZero() || c.At.Sub(c.ArchivedAt) >= minDeepInterval
}

// readCheckpoint returns the running cycle, or nil.
func readCheckpoint(r graph.Reader) (*checkpoint, error) {
	var c checkpoint
	if found, err := lifecycle.ReadSetting(r, checkpointSetting, &c); err != nil || !found {
		return nil, err
	}
	return &c, nil
}

// advance stores a changed checkpoint, in one transaction with the work that it records. This process must hold the lease.
func (run *sleepRun) advance(ctx context.Context, change func(tx graph.Tx, next *checkpoint) error) error {
	var next checkpoint
	err := run.t.Update(ctx, func(tx graph.Tx) error {
		if err := run.checkpoint.checkLease(tx); err != nil {
			return err
		}
		next = *run.checkpoint
		next.Report = run.checkpoint.Report.clone()
		if err := change(tx, &next); err != nil {
			return err
		}
		return run.putCheckpoint(tx, &next)
	})
	if err == nil {
		run.checkpoint = &next // after the commit, because the transaction may be retried
	}
	return err
}

// putCheckpoint writes the checkpoint and renews the lease.
func (run *sleepRun) putCheckpoint(tx graph.Tx, next *checkpoint) error {
	stored := *next
	stored.TimeSpent, stored.LeaseUntil = run.timeSpent(), run.svc.Now().Add(leaseDuration)
	return lifecycle.PutSetting(tx, checkpointSetting, &stored)
}
