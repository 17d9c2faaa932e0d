package sleep

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/network"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	maxDreams   = 20  // memories of one night
	maxMentions = 256 // mentions of an entity that the overlap is computed from
)

// planDream lists the memories to replay: the most salient ones with a confidence below
// that of an engram, ties by id. A replay reads and embeds a memory again and strengthens
// the relations between its entities. It is not a use. A night dreams once. A memory that
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
	vector      []float32 // nil: the embedder is unavailable, or the memory is no longer ACTIVE
	findsItself bool      // a search for its content still finds it: the probe
}

// prepareDream embeds a memory again and tests whether a search for its content still finds
// it.
func prepareDream(ctx context.Context, run *sleepRun, s plannedStep) (any, error) {
	var m *graph.Memory
	err := run.view(ctx, func(r graph.Reader) (err error) { m, err = r.Memory(s.IDs[0]); return err })
	if err != nil || m.Status() != graph.Active {
		return replay{}, err
	}
	vectors, err := run.svc.Embedder.Embed(ctx, []string{m.Content}, models.Passage)
	if err != nil {
		run.svc.Log.Warn("[SLEEP] a memory could not be embedded for a dream", "id", m.ID, "error", err)
		return replay{}, nil
	}
	f := index.Filter{Namespaces: []string{m.Namespace}, Users: []string{m.User}, Statuses: []graph.Status{graph.Active}}
	near, err := run.svc.Index.Nearest(ctx, run.t.Scope, vectors, f, run.checkpoint.At, 2, 0)
	if err != nil {
		return replay{}, err
	}
	found := slices.ContainsFunc(near[0], func(x index.Near) bool { return x.Doc.ID == m.ID })
	return replay{vectors[0], found}, nil
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
	return b.strengthenRelations(m)
}

// strengthenRelations raises the relations between the entities that a memory mentions, by
// the Jaccard index of their mentions.
func (b *batch) strengthenRelations(m *graph.Memory) error {
	mentions := map[graph.ID][]graph.ID{}
	for _, entity := range m.Entities {
		relations, err := b.Relations(entity, graph.Out, "", graph.MaxPage)
		if err != nil {
			return err
		}
		for _, r := range relations {
			if !slices.Contains(m.Entities, r.Target) {
				continue
			}
			sim, err := b.mentionOverlap(mentions, r.Source, r.Target)
			if err != nil {
				return err
			}
			r.Strength, r.StrengthAt = network.Hebb(r.Strength, r.StrengthAt, sim, b.now)
			if err := b.PutRelation(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// mentionOverlap is the Jaccard index of the memories that mention two entities.
func (b *batch) mentionOverlap(kept map[graph.ID][]graph.ID, x, y graph.ID) (float64, error) {
	for _, id := range []graph.ID{x, y} {
		if _, have := kept[id]; have {
			continue
		}
		ids, err := b.Mentions(id, "", maxMentions)
		if err != nil {
			return 0, err
		}
		kept[id] = ids
	}
	both := 0
	for _, id := range kept[x] {
		if _, in := slices.BinarySearch(kept[y], id); in {
			both++
		}
	}
	if all := len(kept[x]) + len(kept[y]) - both; all > 0 {
		return float64(both) / float64(all), nil
	}
	return 0, nil
}
