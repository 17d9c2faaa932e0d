package sleep

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// rollbackSetting holds the running rollback, so that a rollback interrupted by a crash is
// resumed.
const rollbackSetting = "sleep.rollback"

// rollbackJob is a running rollback of one sleep, and those of earlier sleeps that follow it.
type rollbackJob struct {
	Report    graph.ID       `json:"report"`
	At        time.Time      `json:"at"`                  // instant of the cycle
	Next      int            `json:"next"`                // the next undo note, from the last down to 0
	Namespace string         `json:"namespace,omitempty"` // empty: all but Except
	Except    []string       `json:"except,omitempty"`    // namespaces that are rolled back already
	Rest      []*rollbackJob `json:"rest,omitempty"`      // that follow, newest first
}

// following is the job after this one.
func (job *rollbackJob) following() *rollbackJob {
	next := *job.Rest[0]
	next.Rest = job.Rest[1:]
	return &next
}

// covers reports whether the job rolls back what was done in a namespace.
func (job *rollbackJob) covers(namespace string) bool {
	return (job.Namespace == "" || job.Namespace == namespace) && !slices.Contains(job.Except, namespace)
}

// readUndo reads an undo record of the sleep, without what the job does not cover.
func (job *rollbackJob) readUndo(r graph.Reader, number int) (*undoRecord, error) {
	u, err := readUndo(r, job.At, job.Report, number)
	if err != nil || job.Namespace == "" && len(job.Except) == 0 {
		return u, err
	}
	return job.limit(r, u)
}

// limit returns the part of an undo record that the job covers. A memory, an edge and a relation
// belong to one namespace each.
func (job *rollbackJob) limit(r graph.Reader, u *undoRecord) (*undoRecord, error) {
	var failed error
	outside := func(id graph.ID) bool {
		m, err := r.Memory(id)
		known, err := graph.Found(err)
		if err != nil {
			failed = err
		}
		return !known || !job.covers(m.Namespace)
	}
	out := &undoRecord{
		Memories: slices.DeleteFunc(u.Memories, func(p memoryPatch) bool { return outside(p.ID) }),
		Edges:    slices.DeleteFunc(u.Edges, func(p *edgePatch) bool { return outside(p.From) }),
		Vectors:  slices.DeleteFunc(u.Vectors, outside),
		Engraved: slices.DeleteFunc(u.Engraved, outside),
		Clusters: slices.DeleteFunc(u.Clusters, func(id graph.ID) bool {
			n, err := r.Note(graph.NoteClusters, id)
			known, err := graph.Found(err)
			if err != nil {
				failed = err
			}
			return !known || !job.covers(n.Namespace)
		}),
		Relations: slices.DeleteFunc(u.Relations, func(p *relationPatch) bool {
			x, err := r.RelationByID(p.ID)
			known, err := graph.Found(err)
			if err != nil {
				failed = err
			}
			return !known || !job.covers(x.Namespace)
		}),
		Dropped: slices.DeleteFunc(u.Dropped, func(id graph.ID) bool {
			var x graph.Relation
			there, err := job.readSaved(r, savedRelation, id, &x)
			if err != nil {
				failed = err
			}
			return !there || !job.covers(x.Namespace)
		}),
	}
	return out, failed
}

// rollbackRunning reports whether a rollback is running.
func rollbackRunning(r graph.Reader) (bool, error) {
	var job rollbackJob
	return lifecycle.ReadSetting(r, rollbackSetting, &job)
}

// start stores the rollback, unless a sleep or another rollback is running.
func (job *rollbackJob) start(tx graph.Tx) error {
	current, err := readCheckpoint(tx)
	if err != nil {
		return err
	}
	taken, err := rollbackRunning(tx)
	if err != nil {
		return err
	}
	if current != nil || taken {
		return graph.Errorf(graph.CodeSleepRunning, "a sleep or a rollback is in progress")
	}
	return lifecycle.PutSetting(tx, rollbackSetting, job)
}

// checkCurrent checks that no other server has advanced the rollback. It guards each
// transaction of a rollback.
func (job *rollbackJob) checkCurrent(tx graph.Tx) error {
	var left rollbackJob
	if found, err := lifecycle.ReadSetting(tx, rollbackSetting, &left); err != nil {
		return err
	} else if !found || left.Report != job.Report || left.Next != job.Next {
		return graph.Errorf(graph.CodeUnavailable, "another server continues this rollback")
	}
	return nil
}

// advance records that the current undo note is done.
func (job *rollbackJob) advance(tx graph.Tx) error {
	if err := job.checkCurrent(tx); err != nil {
		return err
	}
	left := *job
	left.Next--
	return lifecycle.PutSetting(tx, rollbackSetting, &left)
}
