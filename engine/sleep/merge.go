package sleep

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	mergeNeighbours = 24 // nearest memories that a memory is compared with
	neighbourBatch  = 64 // memories per index lookup
	mergesPerStep   = 32 // memories merged by one step
)

// planMerge is the plan of N3, which merges memories with the same content. Only memories
// changed since the previous sleep can have new duplicates.
func planMerge(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	var all []*candidate
	place := map[graph.ID]int{}
	circles := map[workspace.Circle][]int{}
	for _, c := range run.activeMemories() {
		if !c.Embedded || c.state.Core || c.SafetyCritical || c.state.Tier == graph.L0 || c.state.Tier == graph.L3 ||
			c.Consent == graph.ConsentNone || c.Type == graph.Document || c.Pattern != "" || c.Type == graph.Working || !c.ExpiresAt.IsZero() {
			continue
		}
		place[c.ID] = len(all)
		if run.isRecent(c.Doc) {
			k := workspace.Circle{Namespace: c.Namespace, User: c.User}
			circles[k] = append(circles[k], len(all))
		}
		all = append(all, c)
	}
	pairs, err := run.duplicatePairs(ctx, all, place, circles)
	if err != nil || len(pairs) == 0 {
		return nil, err
	}
	vectors, err := run.vectorsOfPairs(ctx, all, pairs)
	if err != nil {
		return nil, err
	}
	items := make([]cluster.Item, len(all))
	for i, c := range all {
		items[i] = cluster.Item{
			ID: c.ID, Vector: vectors[i], Confidence: c.Confidence, Owner: c.Namespace + "\x00" + c.User,
			Trust: c.trust(), Type: c.Type, Session: c.Session, At: c.OccurredAt,
		}
	}
	var groups []cluster.Group
	err = run.view(ctx, func(r graph.Reader) error {
		var broken error
		groups = cluster.Duplicates(items, pairs, func(a, b int) bool {
			found, err := graph.Undamaged(r, []graph.ID{all[a].ID, all[b].ID})
			if err != nil {
				broken = errors.Join(broken, err)
				return false
			}
			if found[0] == nil || found[1] == nil {
				return false
			}
			score := conflict.Compare(run.svc.Readings.Read(run.t.Scope.Tenant, found[0]), run.svc.Readings.Read(run.t.Scope.Tenant, found[1])).Score
			return score < lifecycle.DuplicateConflict && extract.SameFacts(found[0].Content, found[1].Content)
		})
		return broken
	})
	if err != nil {
		return nil, err
	}
	var steps []plannedStep
	for _, g := range groups {
		var others []graph.ID
		for _, i := range g.Members {
			if i != g.Survivor {
				others = append(others, all[i].ID)
			}
		}
		for part := range slices.Chunk(others, mergesPerStep) {
			steps = append(steps, plannedStep{Verb: StepMerge, IDs: append([]graph.ID{all[g.Survivor].ID}, part...)})
		}
	}
	return steps, nil
}

// duplicatePairs returns the positions of pairs that are similar enough to be duplicates.
func (run *sleepRun) duplicatePairs(ctx context.Context, all []*candidate, place map[graph.ID]int, circles map[workspace.Circle][]int) ([][2]int, error) {
	var pairs [][2]int
	order := slices.SortedFunc(maps.Keys(circles), func(a, b workspace.Circle) int { return circles[a][0] - circles[b][0] })
	for _, k := range order {
		f := index.Filter{Namespaces: []string{k.Namespace}, Users: []string{k.User}, Statuses: []graph.Status{graph.Active}}
		for part := range slices.Chunk(circles[k], neighbourBatch) {
			part, vectors, err := run.withVectors(ctx, all, part)
			if err != nil {
				return nil, err
			}
			run.svc.Foreground.Yield(ctx, workspace.YieldFor)
			near, err := run.svc.Index.Nearest(ctx, run.t.Scope, vectors, f, run.checkpoint.At, mergeNeighbours, cluster.DuplicateAbove)
			if err != nil {
				return nil, err
			}
			for i, found := range near {
				for _, x := range found {
					if at, known := place[x.Doc.ID]; known && at != part[i] {
						pairs = append(pairs, [2]int{part[i], at})
					}
				}
			}
		}
	}
	return pairs, nil
}

// withVectors returns the positions of memories that have a vector, and the vectors.
func (run *sleepRun) withVectors(ctx context.Context, all []*candidate, places []int) (still []int, vectors [][]float32, err error) {
	some := make([]*candidate, len(places))
	for i, at := range places {
		some[i] = all[at]
	}
	found, err := run.vectors(ctx, some)
	if err != nil {
		return nil, nil, err
	}
	for i, v := range found {
		if v != nil {
			still, vectors = append(still, places[i]), append(vectors, v)
		}
	}
	return still, vectors, nil
}

// vectorsOfPairs returns the vectors of the memories in a pair, by position.
func (run *sleepRun) vectorsOfPairs(ctx context.Context, all []*candidate, pairs [][2]int) ([][]float32, error) {
	var places []int
	for _, p := range pairs {
		places = append(places, p[0], p[1])
	}
	slices.Sort(places)
	places, vectors, err := run.withVectors(ctx, all, slices.Compact(places))
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(all))
	for i, at := range places {
		out[at] = vectors[i]
	}
	return out, nil
}

// applyMerge merges memories into the first one. Those of equal trust fold into it; those of less
// trust become evidence for it. The first one keeps its text, its trust and its anchor.
func applyMerge(b *batch, s plannedStep, _ any) error {
	survivor, err := b.active(s.IDs[0])
	if survivor == nil || !foldable(survivor, survivor) {
		return err
	}
	var merged []graph.ID
	var middle cluster.Mean
	if err := addVector(&middle, b, survivor); err != nil {
		return err
	}
	before := middle.Members
	for _, id := range s.IDs[1:] {
		m, err := b.active(id)
		if err != nil {
			return err
		}
		if m == nil || !foldable(m, survivor) || !survivor.Trust().AtLeast(m.Trust()) {
			continue
		}
		if m.Trust() == survivor.Trust() {
			err = b.fold(m, survivor.ID, &middle)
		} else {
			err = b.addEvidence(m, survivor.ID)
		}
		if err != nil {
			return err
		}
		merged = append(merged, m.ID)
		b.report.TokensSaved += prompt.Count(m.Content)
	}
	if len(merged) == 0 {
		return nil
	}
	survivor.UpdatedAt = b.now
	if err := b.PutMemory(survivor, graph.EventUpdated); err != nil {
		return err
	}
	if v := middle.Unit(); v != nil && middle.Members > before {
		if err := b.PutEmbedding(survivor.ID, v); err != nil {
			return err
		}
	}
	b.report.Deduplicated += len(merged)
	b.did(StepMerge, survivor.ID, merged...)
	return nil
}

// fold merges a memory into one of equal trust, whose vector then includes that of the memory.
func (b *batch) fold(m *graph.Memory, into graph.ID, middle *cluster.Mean) error {
	if err := addVector(middle, b, m); err != nil {
		return err
	}
	return b.mergeInto(m, into)
}

// addEvidence makes a memory evidence for one of greater trust. Nothing of it enters the other:
// not its vector either, which whoever writes the same sentence could otherwise move.
func (b *batch) addEvidence(m *graph.Memory, belief graph.ID) error {
	if err := b.consolidate(m, belief); err != nil {
		return err
	}
	return b.PutEdge(graph.Edge{From: m.ID, Kind: graph.EvidenceFor, To: belief, Weight: m.Authority, At: b.now})
}

// mergeable reports whether a memory may still be merged. It can have been pinned after the
// plan was made, or engraved by an earlier step.
func mergeable(m *graph.Memory) bool {
	return !exemptFromArchival(m, m.State()) && m.Consent != graph.ConsentNone
}

// foldable reports whether a memory may still be merged into another. A rule that stands may be if its user said both in the same words.
func foldable(m, into *graph.Memory) bool {
	if !standingRule(m) && !standingRule(into) {
		return mergeable(m)
	}
	made := m.SourceKind == graph.FromConsolidation || into.SourceKind == graph.FromConsolidation
	return m.Content == into.Content && !made && !exempt(m, m.State()) && m.Consent != graph.ConsentNone
}

// mergeInto merges a memory into another, with edges in both directions.
func (b *batch) mergeInto(m *graph.Memory, into graph.ID) error {
	if err := b.consolidate(m, into); err != nil {
		return err
	}
	return b.PutEdge(graph.Edge{From: into, Kind: graph.DerivedFrom, To: m.ID, Weight: 1, At: b.now})
}

// consolidate makes a memory CONSOLIDATED, with an edge to the one that stands for it.
func (b *batch) consolidate(m *graph.Memory, into graph.ID) error {
	m.Consolidated, m.UpdatedAt = into, b.now
	m.SetState(b.now, func(s *graph.State) { s.Status = graph.Consolidated })
	if err := b.PutMemory(m, graph.EventConsolidated); err != nil {
		return err
	}
	if err := b.PutEdge(graph.Edge{From: m.ID, Kind: graph.ConsolidatedInto, To: into, Weight: 1, At: b.now}); err != nil {
		return err
	}
	return lifecycle.RecomputeConflicts(b, m, b.now)
}

// leastTrust is the trust of what is derived from memories: the lowest authority, the weakest
// consent and the highest sensitivity, so that consolidation never raises trust.
func leastTrust(from []*graph.Memory) graph.Trust {
	least := from[0].Trust()
	for _, m := range from[1:] {
		least = least.Least(m.Trust())
	}
	return least
}

// addVector adds the vector of a memory, if it has one, to a mean that is weighted by confidence.
func addVector(to *cluster.Mean, r graph.Reader, m *graph.Memory) error {
	v, err := r.Embedding(m.ID)
	if known, err := graph.Found(err); !known {
		return err
	}
	to.Add(v, m.Confidence)
	return nil
}
