package sleep

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// candidate is an ACTIVE memory as the plan of a phase sees it.
type candidate struct {
	*index.Doc
	state     graph.State
	retention float64 // retention at the cycle's instant
}

// trust is the trust of the memory.
func (c *candidate) trust() graph.Trust {
	return graph.Trust{Authority: c.Authority, Consent: c.Consent, Sensitivity: c.Sensitivity}
}

// salience is S(t).
func (c *candidate) salience() float64 { return c.Salience * c.retention }

// unusedFor returns the time since the last use of the memory, or since its creation if it was never used.
func (c *candidate) unusedFor(at time.Time) time.Duration {
	return at.Sub(lifecycle.FirstTime(c.Usage.Last, c.CreatedAt))
}

// candidates returns the memories that the cycle works on: all ACTIVE memories, or in a
// light sleep those created, used or changed since the previous sleep.
func (run *sleepRun) candidates() []*candidate {
	all := run.activeMemories()
	if run.checkpoint.Report.Kind == LightSleep {
		all = slices.DeleteFunc(all, func(c *candidate) bool { return !run.isRecent(c.Doc) })
	}
	return all
}

// activeMemories returns the ACTIVE memories that existed at the cycle's instant, by id.
func (run *sleepRun) activeMemories() []*candidate {
	var all []*candidate
	run.svc.Index.Docs(run.t.Scope, func(d *index.Doc) bool {
		d = run.rehearsedDoc(d)
		s, known := graph.StateAt(d.History, d.ExpiresAt, lifecycle.Later(run.checkpoint.At, d.History[len(d.History)-1].From))
		if known && s.Status == graph.Active && !d.CreatedAt.After(run.checkpoint.At) {
			all = append(all, &candidate{d, s, decay.RetentionAt(workspace.DecayOfDoc(d, s), run.checkpoint.At)})
		}
		return true
	})
	slices.SortFunc(all, func(a, b *candidate) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// isRecent reports whether a memory was created, used or changed after the point up to
// which the previous sleep worked.
func (run *sleepRun) isRecent(d *index.Doc) bool {
	for _, at := range []time.Time{d.CreatedAt, d.AnchorAt, d.Usage.Last, d.History[len(d.History)-1].From} {
		if at.After(run.checkpoint.Since) {
			return true
		}
	}
	return false
}

// vectors returns the vectors of candidates, in their order; nil for a memory without a vector.
func (run *sleepRun) vectors(ctx context.Context, of []*candidate) ([][]float32, error) {
	docs := make([]*index.Doc, len(of))
	for i, c := range of {
		docs[i] = c.Doc
	}
	found, err := run.svc.Index.Vectors(ctx, run.t.Scope, docs)
	if run.dryRun && err == nil {
		for i, c := range of {
			if v := run.rehearsal.Vector(c.ID); v != nil {
				found[i] = v
			}
		}
	}
	return found, err
}
