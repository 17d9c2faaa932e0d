package sleep

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// In REM what matters rises: L1 to L2 by its score, L2 to L3 through the three gates.
// SPEC sections 4 and 9.

const (
	urgentScore     = 2.2 // score above which an engraving does not wait for a larger budget
	secondLookLimit = 64  // memories of a subject that the second look reads
)

// rises reports whether a memory's score lifts it from L1 to L2 at the cycle's instant.
func (run *sleepRun) promotable(m *graph.Memory, p policy.Policy) bool {
	return m.State().Tier == graph.L1 && run.score(m, p) > p.PromoteAt
}

// score is the plasticity of a memory at the cycle's instant: S is S(t).
func (run *sleepRun) score(m *graph.Memory, p policy.Policy) float64 {
	return plasticity.Score(plasticity.Signals{
		Salience: m.Salience * decay.RetentionAt(workspace.DecayOf(m, m.State()), run.checkpoint.At), Usage: m.Usage.Count,
		Authority: m.Authority, Conflict: m.Conflict, Surprise: m.Surprise,
	}, p.Coefficients)
}

// planRaise lists what rises, what is engraved first where the budget may be short.
func planPromotion(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	all := run.candidates()
	var promote, engrave []plannedStep
	urgent := map[graph.ID]bool{}
	err := run.t.View(ctx, func(r graph.Reader) error {
		promote, engrave = nil, nil
		for _, c := range all {
			if c.state.Tier == graph.L0 || c.state.Tier == graph.L3 || c.Type == graph.Working {
				continue
			}
			p, err := run.policy(r, c.Namespace)
			if err != nil {
				return err
			}
			// Most stay where they are, and can be told from the index alone: surprise is
			// at most 1.
			most := plasticity.Score(plasticity.Signals{Salience: c.salience(), Usage: c.Usage.Count, Authority: c.Authority, Conflict: c.Conflict, Surprise: 1}, p.Coefficients)
			gates := p.Engraves(len(c.Usage.Days), c.Confidence, c.Conflict) || run.succeedsEngram(c)
			if !gates && (c.state.Tier == graph.L2 || most <= p.PromoteAt) {
				continue
			}
			m, err := r.Memory(c.ID)
			if err != nil {
				return err
			}
			rises := run.promotable(m, p)
			if rises {
				promote = append(promote, plannedStep{Verb: StepPromote, IDs: []graph.ID{m.ID}})
			}
			if gates && (rises || m.State().Tier == graph.L2) && run.svc.Recess != nil {
				engrave = append(engrave, plannedStep{Verb: StepEngrave, IDs: []graph.ID{m.ID}})
				urgent[m.ID] = run.score(m, p) > urgentScore
			}
		}
		return nil
	})
	rank := func(s plannedStep) int {
		if urgent[s.IDs[0]] {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(engrave, func(a, b plannedStep) int { return cmp.Compare(rank(a), rank(b)) })
	return append(promote, engrave...), err
}

// succeedsEngram reports the same as the function of this name, from the index.
func (run *sleepRun) succeedsEngram(c *candidate) bool {
	if c.Supersedes == "" || c.state.Tier != graph.L2 {
		return false
	}
	before, known := run.svc.Index.Doc(run.t.Scope, c.Supersedes)
	return known && before.History[len(before.History)-1].Tier == graph.L3
}

func applyPromote(b *batch, s plannedStep, _ any) error {
	m, err := b.active(s.IDs[0])
	if m == nil {
		return err
	}
	p, err := b.run.policy(b, m.Namespace)
	if err != nil || !b.run.promotable(m, p) {
		return err
	}
	m.SetState(b.now, func(s *graph.State) { s.Tier = graph.L2 })
	m.UpdatedAt = b.now
	b.report.Promoted++
	b.did(StepPromote, "", m.ID)
	return b.PutMemory(m, graph.EventPromoted)
}

// engraving is what was found out about a memory before it is engraved.
type engraving struct {
	doubt bool // something on the same subject stands against it
	tried bool // it would have gone there, if nothing was away
	done  bool // it is in the recess
}

// prepareEngrave looks a second time at everything on the subject, and hands the memory
// to the recess. What is in the recess but not engraved here is harmless: the row says
// where a memory stands.
func prepareEngrave(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
	var m *graph.Memory
	var vector []float32
	var ready engraving
	var rivals []rival
	below := 0.0
	shared := false // others have a part in the vector: an engram keeps that of its own words, for it never changes
	err := run.t.View(ctx, func(r graph.Reader) (err error) {
		if m, err = r.Memory(s.IDs[0]); err != nil {
			return err
		}
		if vector, err = r.Embedding(m.ID); err != nil && !errors.Is(err, graph.ErrNotFound) {
			return err
		}
		p, err := run.policy(r, m.Namespace)
		if err != nil {
			return err
		}
		if opens, err := run.gatesOpen(r, m, p); err != nil || !opens {
			m = nil
			return err
		}
		folded, err := r.Edges(m.ID, graph.Out, graph.DerivedFrom)
		if err != nil {
			return err
		}
		shared = len(folded) > 0 && vector != nil && !lifecycle.MadeOfOthers(m)
		below = p.EngraveConflict
		ready.doubt, rivals, err = run.secondLook(ctx, r, m, vector, p)
		return err
	})
	if err != nil || m == nil || ready.doubt {
		return ready, err
	}
	if fine, err := run.uncontradicted(ctx, m, rivals, below); err != nil || !fine {
		ready.doubt = !fine && err == nil
		return ready, err
	}
	ready.tried = true
	if shared {
		vectors, err := run.svc.Embedder.Embed(ctx, []string{m.Content}, models.Passage)
		if err != nil {
			run.svc.Log.Warn("[ENGRAM] not engraved: the embedder is away", "id", m.ID, "error", err)
			return ready, ctx.Err()
		}
		vector = vectors[0]
	}
	if err := run.engraveWithRetries(ctx, m, vector); err != nil {
		// It stays in L2 and comes again tomorrow; the others go on.
		run.svc.Log.Error("[ENGRAM] not engraved", "id", m.ID, "error", err)
		return ready, ctx.Err()
	}
	ready.done = true
	return ready, nil
}

// engraves reports whether all gates to L3 are open for a memory, which may still be on
// its way from L1.
func (run *sleepRun) gatesOpen(r graph.Reader, m *graph.Memory, p policy.Policy) (bool, error) {
	s := m.State()
	if s.Status == graph.Active && (s.Tier == graph.L2 || run.promotable(m, p)) && p.Engraves(len(m.Usage.Days), m.Confidence, m.Conflict) {
		return true, nil
	}
	return lifecycle.SucceedsEngram(r, m)
}

// doubtful takes the second look: whether anything ACTIVE on the subject, or near by
// meaning, stands against the memory. Rivals are those of which the rules can't say.
func (run *sleepRun) secondLook(ctx context.Context, r graph.Reader, m *graph.Memory, vector []float32, p policy.Policy) (doubt bool, rivals []rival, err error) {
	var others []*graph.Memory
	if m.Subject != "" {
		found, err := r.ListMemories(graph.MemoryQuery{
			Namespaces: []string{m.Namespace}, Subject: m.Subject, Statuses: []graph.Status{graph.Active}, Descending: true, Limit: secondLookLimit,
		})
		if err != nil {
			return false, nil, err
		}
		others = found
	}
	if vector != nil {
		k := workspace.Circle{Namespace: m.Namespace, User: m.User}
		near, err := run.svc.Index.Nearest(ctx, run.t.Scope, [][]float32{vector}, k.Filter(), run.checkpoint.At, workspace.NeighbourLimit, workspace.NeighbourFloor)
		if err != nil {
			return false, nil, err
		}
		for _, x := range near[0] {
			found, err := r.Memory(x.Doc.ID)
			if err != nil {
				return false, nil, err
			}
			others = append(others, found)
		}
	}
	reading := run.svc.Readings.Read(m)
	for _, other := range others {
		if other.ID == m.ID || other.Status() != graph.Active || !workspace.SameOwner(m.User, other.User) {
			continue
		}
		if fine, err := lifecycle.IsDismissed(r, m.ID, other.ID); err != nil {
			return false, nil, err
		} else if fine {
			continue
		}
		against := run.svc.Readings.Read(other)
		score, weight := conflict.Compare(reading, against).Score, min(1, lifecycle.Ratio(other.Authority, m.Authority))
		if run.svc.Chat != nil && workspace.Undecided(score, reading, against) {
			rivals = append(rivals, rival{other.Content, score, weight})
		} else if score*weight >= p.EngraveConflict {
			return true, nil, nil
		}
	}
	return false, rivals, nil
}

func applyEngrave(b *batch, s plannedStep, ready any) error {
	found := ready.(engraving)
	m, err := b.active(s.IDs[0])
	if m == nil {
		return err
	}
	if found.doubt {
		b.report.Doubts = appendListed(b.report.Doubts, m.ID)
		return nil
	}
	p, err := b.run.policy(b, m.Namespace)
	if err != nil || !found.done || m.State().Tier != graph.L2 {
		return err
	}
	if opens, err := b.run.gatesOpen(b, m, p); err != nil || !opens {
		return err
	}
	m.SetState(b.now, func(s *graph.State) { s.Tier = graph.L3 })
	m.UpdatedAt = b.now
	b.report.Engraved++
	b.undo.Engraved = append(b.undo.Engraved, m.ID)
	b.did(StepEngrave, "", m.ID)
	if err := workspace.DropLetter(b, m, workspace.WorkEngrave); err != nil {
		return err
	}
	return b.PutMemory(m, graph.EventEngraved)
}
