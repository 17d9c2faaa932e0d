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

// In a dream the most salient of what is not permanent is replayed: read and embedded
// again, and what it ties together grows stronger. A dream is not a use. SPEC section 9.

const (
	dreamt       = 20  // memories of a night
	dreamMention = 256 // mentions of an entity that a likeness is taken from
)

// planDream lists what is replayed: the most salient with a confidence below that of an
// engram, ties by id. A night dreams once, and of what it made itself the next one.
func planDream(_ context.Context, n *run) ([]step, error) {
	if n.checkpoint.doneRecently() {
		return nil, nil
	}
	all := slices.DeleteFunc(n.sleepers(), func(s *sleeper) bool {
		return s.state.Tier == graph.L3 || s.state.Tier == graph.L0 || s.Confidence >= plasticity.EngraveTrust || !s.Embedded || s.Consent == graph.ConsentNone ||
			slices.Contains(n.checkpoint.Dreamt, s.ID) || s.SourceKind == graph.FromConsolidation && s.CreatedAt.After(n.checkpoint.Deep)
	})
	slices.SortStableFunc(all, func(a, b *sleeper) int { return cmp.Compare(b.salience(), a.salience()) })
	var steps []step
	for _, s := range all[:max(0, min(dreamt-len(n.checkpoint.Dreamt), len(all)))] {
		steps = append(steps, step{Verb: StepDream, IDs: []graph.ID{s.ID}})
	}
	return steps, nil
}

// replay is a memory as it was dreamt.
type replay struct {
	vector []float32 // nil: the embedder was away, or speaks another language than the store
	found  bool      // what it says still leads to it: the probe
}

// prepareDream embeds a memory again and asks whether what it says still leads to it.
func prepareDream(ctx context.Context, n *run, s step) (any, error) {
	var m *graph.Memory
	err := n.t.View(ctx, func(r graph.Reader) (err error) { m, err = r.Memory(s.IDs[0]); return err })
	if err != nil || m.Status() != graph.Active {
		return replay{}, err
	}
	vectors, err := n.svc.Embedder.Embed(ctx, []string{m.Content}, models.Passage)
	if err != nil {
		n.svc.Log.Warn("[SLEEP] a dream without an embedding", "id", m.ID, "error", err)
		return replay{}, nil
	}
	f := index.Filter{Namespaces: []string{m.Namespace}, Users: []string{m.User}, Statuses: []graph.Status{graph.Active}}
	near, err := n.svc.Index.Nearest(ctx, n.t.Scope, vectors, f, n.checkpoint.At, 2, 0)
	if err != nil {
		return replay{}, err
	}
	found := slices.ContainsFunc(near[0], func(x index.Near) bool { return x.Doc.ID == m.ID })
	return replay{vectors[0], found}, nil
}

func applyDream(b *batch, s step, ready any) error {
	m, err := b.active(s.IDs[0])
	if m == nil {
		return err
	}
	r := ready.(replay)
	if r.vector == nil {
		return nil
	}
	b.report.Dreamed++
	if r.found {
		b.report.Recalled++
	}
	b.did(StepDream, "", m.ID)
	return b.fireTogether(m)
}

// fireTogether raises the relations between the entities that a memory names, by how
// often the two are named together at all: the Jaccard index of their mentions.
func (b *batch) fireTogether(m *graph.Memory) error {
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
			sim, err := b.likeness(mentions, r.Source, r.Target)
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

// likeness is the Jaccard index of what mentions two entities.
func (b *batch) likeness(kept map[graph.ID][]graph.ID, x, y graph.ID) (float64, error) {
	for _, id := range []graph.ID{x, y} {
		if _, have := kept[id]; have {
			continue
		}
		ids, err := b.Mentions(id, "", dreamMention)
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
