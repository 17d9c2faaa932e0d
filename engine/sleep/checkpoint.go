package sleep

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// A sleep is a cycle: a chain of phases, each of which plans on a frozen instant, writes
// the plan down, and carries it out in batches. Every batch is one transaction that
// carries out some steps, writes down how to take them back, and moves the checkpoint. So
// a cycle that is cut short, wherever that happens, goes on from its checkpoint and ends
// as if it had never stopped.

const (
	checkpointSetting = "sleep.cycle" // the cycle under way, absent while awake
	lastSleepSetting  = "sleep.last"  // what the last sleep leaves for the next
	leaseDuration     = time.Minute   // after it a cycle whose holder fell silent may be taken over
	maxChunkSteps     = 1000          // steps of one note of the plan
	maxChunkBytes     = 200 << 10     // of one note of the plan
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

// plan says how a phase's plan is written down.
type storedPlan struct {
	Steps  int   `json:"steps"`
	Chunks []int `json:"chunks,omitempty"` // steps up to the end of each note
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

// readPlan reads one note of a plan.
func readPlan(r graph.Reader, id graph.ID) ([]plannedStep, error) {
	note, err := r.Note(graph.NotePlan, id)
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	var steps []plannedStep
	if err := json.Unmarshal(note.Data, &steps); err != nil {
		return nil, fmt.Errorf("%w: plan of a sleep: %w", graph.ErrIntegrity, err)
	}
	return steps, nil
}

// span says that the memories up to an id, and behind the span before it, were
// strengthened at an instant.
type strengthenedRange struct {
	UpTo graph.ID  `json:"upto"`
	At   time.Time `json:"at"`
}

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

// note is the id of a note of the cycle, the same whenever it is asked for.
func (c *checkpoint) noteID(kind string, number int) (graph.ID, error) {
	return graph.DerivedID(c.At, string(c.ID), kind, fmt.Sprint(number))
}

// planNote is the id of a chunk of a phase's plan.
func (c *checkpoint) planNoteID(phase, chunk int) (graph.ID, error) {
	return c.noteID(fmt.Sprintf("plan.%d", phase), chunk)
}

// readCycle answers the cycle under way, or nil.
func readCheckpoint(r graph.Reader) (*checkpoint, error) {
	var c checkpoint
	if found, err := lifecycle.ReadSetting(r, checkpointSetting, &c); err != nil || !found {
		return nil, err
	}
	return &c, nil
}

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

// putReport writes the report as it stands.
func putReport(tx graph.Tx, c *checkpoint) error {
	kept := storedReport{Report: c.Report, At: c.At, UndoNotes: c.UndoNotes}
	if c.Input != nil {
		kept.Namespace = c.Input.Namespace
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteSleep, ID: c.ID, At: c.Report.StartedAt, Data: data})
}

// reportNote is a morning report as it is kept, with what a rollback needs. Whose
// memories a consolidation was about is not in it: no erasure would find the name there.
type storedReport struct {
	Report    Report    `json:"report"`
	At        time.Time `json:"at"`
	UndoNotes int       `json:"undo"`
	Namespace string    `json:"namespace,omitempty"` // that it kept to; empty: to none
}

func readReport(n *graph.Note) (*storedReport, error) {
	var r storedReport
	if err := json.Unmarshal(n.Data, &r); err != nil {
		return nil, fmt.Errorf("%w: sleep report: %w", graph.ErrIntegrity, err)
	}
	return &r, nil
}
