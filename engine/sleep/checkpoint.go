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
	cycleSetting = "sleep.cycle" // the cycle under way, absent while awake
	lastSetting  = "sleep.last"  // what the last sleep leaves for the next
	leaseFor     = time.Minute   // after it a cycle whose holder fell silent may be taken over
	stepsAChunk  = 1000          // steps of one note of the plan
	chunkBytes   = 200 << 10     // of one note of the plan
)

// checkpoint is a sleep under way as it is stored.
type checkpoint struct {
	ID     graph.ID  `json:"id"`
	At     time.Time `json:"at"`               // the instant that everything is decided at
	Before time.Time `json:"before"`           // the instant of the sleep before, zero if there was none
	Since  time.Time `json:"since"`            // what was used or new until then was looked at; earlier than Before where budgets were short
	Strong []span    `json:"strong,omitempty"` // what was strengthened since then all the same
	Deep   time.Time `json:"deep"`             // the instant of the last complete deep sleep, zero if there was none
	Holder string    `json:"holder"`
	Fence  int       `json:"fence"` // how often the lease was taken: one that was taken again is another
	Until  time.Time `json:"until"` // of the lease

	MaxItems int               `json:"maxItems,omitempty"` // 0: no limit
	MaxTime  time.Duration     `json:"maxTime,omitempty"`  // 0: no limit
	Spent    time.Duration     `json:"spent,omitempty"`    // before a crash
	Items    int               `json:"items"`              // steps carried out
	Input    *ConsolidateInput `json:"input,omitempty"`    // of a consolidation by hand

	Phase int    `json:"phase"`           // index into the phases of its kind
	Plans []plan `json:"plans,omitempty"` // of the phases that are planned
	Done  int    `json:"done"`            // steps of the phase that were carried out
	Spare bool   `json:"spare,omitempty"` // the budget is spent: what is left waits for the next sleep
	Undo  int    `json:"undo"`            // notes of undoing

	LetGo  time.Time  `json:"letGo"`            // the instant of the last deep sleep that let all go that had gone quiet
	Quiet  *quiet     `json:"quiet,omitempty"`  // what the sleep before did not come to let go
	Dreamt []graph.ID `json:"dreamt,omitempty"` // that night

	Report SleepReport `json:"report"`
}

// plan says how a phase's plan is written down.
type plan struct {
	Steps  int   `json:"steps"`
	Chunks []int `json:"chunks,omitempty"` // steps up to the end of each note
}

// last is what a sleep leaves for the next.
type last struct {
	ID   graph.ID  `json:"id"`
	At   time.Time `json:"at"`   // the instant it decided at
	Deep time.Time `json:"deep"` // of the last complete deep one

	Night time.Time `json:"night"` // of the last deep one, complete or not
	LetGo time.Time `json:"letGo"` // of the last deep one that let all go that had gone quiet

	Rest   *rest      `json:"rest,omitempty"`   // what its budget left undone; nil: nothing
	Dreamt []graph.ID `json:"dreamt,omitempty"` // since the last complete deep one
}

// rest is what a short budget leaves to the next sleep, so that it does that and repeats
// nothing: what was used or new since an instant is still to be looked at, but for the
// strengthening of some.
type rest struct {
	Since  time.Time `json:"since"`
	Strong []span    `json:"strong,omitempty"`
	Quiet  *quiet    `json:"quiet,omitempty"`
}

// quiet is the part of a plan that a night did not come to: what is to be let go. It is
// kept, for the weakest of those that are left are others than the weakest of all.
type quiet struct {
	Cycle graph.ID  `json:"cycle"`
	At    time.Time `json:"at"` // of the cycle
	Phase int       `json:"phase"`
	Plan  plan      `json:"plan"`
	Done  int       `json:"done"`
}

// steps reads what is left.
func (q *quiet) steps(r graph.Reader) ([]step, error) {
	var left []step
	from := 0
	for chunk, upto := range q.Plan.Chunks {
		if upto > q.Done {
			id, err := (&checkpoint{ID: q.Cycle, At: q.At}).planNote(q.Phase, chunk)
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
func readPlan(r graph.Reader, id graph.ID) ([]step, error) {
	note, err := r.Note(graph.NotePlan, id)
	if err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	var steps []step
	if err := json.Unmarshal(note.Data, &steps); err != nil {
		return nil, fmt.Errorf("%w: plan of a sleep: %w", graph.ErrIntegrity, err)
	}
	return steps, nil
}

// span says that the memories up to an id, and behind the span before it, were
// strengthened at an instant.
type span struct {
	Upto graph.ID  `json:"upto"`
	At   time.Time `json:"at"`
}

// strengthenedAt is up to when the uses of a memory have strengthened it.
func (c *checkpoint) strengthenedAt(id graph.ID) time.Time {
	for _, s := range c.Strong {
		if id <= s.Upto {
			return s.At
		}
	}
	return c.Since
}

// follow takes over what the sleep before has left.
func (c *checkpoint) follow(before last) {
	c.Before, c.Since, c.Deep, c.LetGo = before.At, before.At, before.Deep, before.LetGo
	if before.Rest != nil {
		c.Since, c.Strong, c.Quiet = before.Rest.Since, before.Rest.Strong, before.Rest.Quiet
	}
	if c.At.Sub(before.At) < nightly {
		c.Dreamt = before.Dreamt
	}
}

// nightly is how far apart the nights are that let memories go and dream: a second sleep
// before it has passed leaves everything as the first one left it.
const nightly = 20 * time.Hour

// doneRecently reports whether a deep sleep has done the night's work already.
func (c *checkpoint) doneRecently() bool { return !c.Deep.IsZero() && c.At.Sub(c.Deep) < nightly }

// archivesToday reports whether the night is still to let go what has gone quiet.
func (c *checkpoint) archivesToday() bool { return c.LetGo.IsZero() || c.At.Sub(c.LetGo) >= nightly }

// note is the id of a note of the cycle, the same whenever it is asked for.
func (c *checkpoint) note(kind string, number int) (graph.ID, error) {
	return graph.DerivedID(c.At, string(c.ID), kind, fmt.Sprint(number))
}

// planNote is the id of a chunk of a phase's plan.
func (c *checkpoint) planNote(phase, chunk int) (graph.ID, error) {
	return c.note(fmt.Sprintf("plan.%d", phase), chunk)
}

// readCycle answers the cycle under way, or nil.
func readCycle(r graph.Reader) (*checkpoint, error) {
	var c checkpoint
	if found, err := lifecycle.ReadSetting(r, cycleSetting, &c); err != nil || !found {
		return nil, err
	}
	return &c, nil
}

// errLeaseLost ends a sleep whose lease another has taken over.
var errLeaseLost = graph.Errorf(graph.CodeSleepRunning, "another server has taken this sleep over")

// begin takes the lease of the tenant's sleep: a new cycle, or the interrupted one.
func (svc *Service) begin(ctx context.Context, t *tenant, fresh *checkpoint) (c *checkpoint, err error) {
	now := t.Now()
	err = t.Update(ctx, func(tx graph.Tx) error {
		c = fresh
		under, err := readCycle(tx)
		if err != nil {
			return err
		}
		if taken, err := takenBack(tx); err != nil {
			return err
		} else if taken {
			return graph.Errorf(graph.CodeSleepRunning, "a rollback is under way")
		}
		if under != nil {
			if under.Holder != "" && under.Until.After(now) && under.Holder != svc.Holder && !svc.Exclusive() {
				return graph.Errorf(graph.CodeSleepRunning, "a sleep is under way")
			}
			c = under
			c.Report.Resumed = true
		}
		if under == nil {
			if err := svc.orderAfterAll(tx, c); err != nil {
				return err
			}
		}
		c.Holder, c.Until, c.Fence = svc.Holder, now.Add(leaseFor), c.Fence+1
		if under == nil {
			var before last
			if _, err := lifecycle.ReadSetting(tx, lastSetting, &before); err != nil {
				return err
			}
			c.follow(before)
			if err := putReport(tx, c); err != nil {
				return err
			}
		}
		return lifecycle.PutSetting(tx, cycleSetting, c)
	})
	return c, err
}

// orderAfterAll makes sure that the name of a new cycle stands behind those of all before it,
// also of servers whose clocks are ahead: reports are listed and resumed by it.
func (svc *Service) orderAfterAll(r graph.Reader, c *checkpoint) (err error) {
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
func (c *checkpoint) held(tx graph.Tx) error {
	under, err := readCycle(tx)
	if err != nil {
		return err
	}
	if under == nil || under.ID != c.ID || under.Holder != c.Holder || under.Fence != c.Fence {
		return errLeaseLost
	}
	return nil
}

// putReport writes the report as it stands.
func putReport(tx graph.Tx, c *checkpoint) error {
	kept := reportNote{Report: c.Report, At: c.At, Undo: c.Undo}
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
type reportNote struct {
	Report    SleepReport `json:"report"`
	At        time.Time   `json:"at"`
	Undo      int         `json:"undo"`
	Namespace string      `json:"namespace,omitempty"` // that it kept to; empty: to none
}

func readReport(n *graph.Note) (*reportNote, error) {
	var r reportNote
	if err := json.Unmarshal(n.Data, &r); err != nil {
		return nil, fmt.Errorf("%w: sleep report: %w", graph.ErrIntegrity, err)
	}
	return &r, nil
}
