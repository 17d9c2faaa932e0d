package sleep

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/network"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	maxDreams  = 20 // memories of one night
	maxRelated = 5  // memories that are replayed with one
)

// planDream lists the memories to replay: the most salient ones with a confidence below
// that of an engram, ties by id. A replay reads and embeds a memory again, with the
// memories most like it, and strengthens the relations between their entities. It is not a use. A night dreams once. A memory that
// this sleep derived is replayed in the next night.
func planDream(_ context.Context, run *sleepRun) ([]plannedStep, error) {
	if run.checkpoint.doneRecently() {
		return nil, nil
	}
	all := slices.DeleteFunc(run.candidates(), func(c *candidate) bool {
		return c.state.Tier == graph.L3 || c.state.Tier == graph.L0 || c.Confidence >= plasticity.EngraveTrust || !c.Embedded || c.Consent == graph.ConsentNone ||
			slices.Contains(run.checkpoint.Dreamed, c.ID) || c.SourceKind == graph.FromConsolidation && c.CreatedAt.After(run.checkpoint.CompleteDeepAt)
	})
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(b.salience(), a.salience()) })
	var steps []plannedStep
	for _, c := range all[:max(0, min(maxDreams-len(run.checkpoint.Dreamed), len(all)))] {
		steps = append(steps, plannedStep{Verb: StepDream, IDs: []graph.ID{c.ID}})
	}
	return steps, nil
}

// replay is the result of replaying a memory.
type replay struct {
	vector      []float32    // nil: the embedder is unavailable, or the memory is no longer ACTIVE
	findsItself bool         // a search for its content still finds it: the probe
	related     []index.Near // the memories replayed with it: the ones most like it, best first
}

// prepareDream embeds a memory again and finds the memories that are most like it: they are replayed
// with it. It also tests whether a search for its content still finds it.
func prepareDream(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
	var m *graph.Memory
	err := run.view(ctx, func(r graph.Reader) (err error) { m, err = r.Memory(s.IDs[0]); return err })
	if err != nil || m.Status() != graph.Active || !run.svc.Ceilings.Embedder.Allows(m) {
		return replay{}, err
	}
	vectors, err := run.svc.Embedder.Embed(ctx, []string{m.Content}, models.Passage)
	if err != nil {
		run.svc.Log.Warn("[SLEEP] a memory could not be embedded for a dream", "id", m.ID, "error", err)
		return replay{}, nil
	}
	f := index.Filter{Namespaces: []string{m.Namespace}, Users: []string{m.User}, Statuses: []graph.Status{graph.Active}}
	near, err := run.svc.Index.Nearest(ctx, run.t.Scope, vectors, f, run.checkpoint.At, 2*maxRelated, 0)
	if err != nil {
		return replay{}, err
	}
	itself := func(x index.Near) bool { return x.Doc.ID == m.ID }
	found := slices.ContainsFunc(near[0][:min(2, len(near[0]))], itself)
	related := slices.DeleteFunc(near[0], func(x index.Near) bool {
		tier := workspace.StateOf(x.Doc).Tier
		return itself(x) || x.Doc.Consent == graph.ConsentNone || tier == graph.L0 || tier == graph.L3
	})
	return replay{vectors[0], found, related[:min(maxRelated, len(related))]}, nil
}

func applyDream(b *batch, s plannedStep, ready any) error {
	m, err := b.active(s.IDs[0])
	if m == nil {
		return err
	}
	r := ready.(replay)
	if r.vector == nil {
		return nil
	}
	b.report.Dreamed++
	if r.findsItself {
		b.report.Recalled++
	}
	b.did(StepDream, "", m.ID)
	return b.strengthenRelations(m, r.related)
}

// strengthenRelations raises the relations between entities that were replayed together: by ζ within
// a memory, and by ζ times the similarity of two memories where one mentions the source and the other
// the target. A relation is raised once, by the greatest similarity.
func (b *batch) strengthenRelations(m *graph.Memory, related []index.Near) error {
	likeness := map[graph.ID]float64{} // of the memory that mentions the entity to m
	for _, x := range slices.Backward(related) {
		for _, entity := range x.Doc.Entities {
			likeness[entity] = x.Cosine
		}
	}
	for _, entity := range m.Entities {
		likeness[entity] = 1
	}
	for _, entity := range slices.Sorted(maps.Keys(likeness)) {
		relations, err := b.Relations(entity, graph.Out, "", graph.MaxPage)
		if err != nil {
			return err
		}
		for _, r := range relations {
			other, known := likeness[r.Target]
			if !known || !slices.Contains(m.Entities, r.Source) && !slices.Contains(m.Entities, r.Target) {
				continue // the two ends were not replayed together
			}
			sim := min(likeness[r.Source], other)
			r.Strength, r.StrengthAt = network.Hebb(r.Strength, r.StrengthAt, sim, b.now)
			if err := b.PutRelation(r); err != nil {
				return err
			}
		}
	}
	return nil
}
