package sleep

import (
	"context"
	"errors"
	"maps"
	"math"
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
			c.Consent == graph.ConsentNone || c.Type == graph.Document || c.Type == graph.Working || !c.ExpiresAt.IsZero() {
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
			Consent: c.Consent, Type: c.Type, Session: c.Session, At: c.OccurredAt,
		}
	}
	var groups []cluster.Group
	err = run.view(ctx, func(r graph.Reader) error {
		var broken error
		groups = cluster.Duplicates(items, pairs, func(a, b int) bool {
			found, err := r.Memories([]graph.ID{all[a].ID, all[b].ID})
			if err != nil {
				broken = errors.Join(broken, err)
				return false
			}
			if found[0] == nil || found[1] == nil {
				return false
			}
			score := conflict.Compare(run.svc.Readings.Read(found[0]), run.svc.Readings.Read(found[1])).Score
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

// applyMerge merges memories into the first one.
func applyMerge(b *batch, s plannedStep, _ any) error {
	survivor, err := b.active(s.IDs[0])
	if survivor == nil || !mergeable(survivor) {
		return err
	}
	var others []*graph.Memory
	for _, id := range s.IDs[1:] {
		m, err := b.active(id)
		if err != nil {
			return err
		}
		if m != nil && mergeable(m) {
			others = append(others, m)
		}
	}
	if len(others) == 0 {
		return nil
	}
	var folded []graph.ID
	var middle centroid
	if err := middle.add(b, survivor); err != nil {
		return err
	}
	for _, m := range others {
		if err := middle.add(b, m); err != nil {
			return err
		}
		if err := b.mergeInto(m, survivor.ID); err != nil {
			return err
		}
		folded = append(folded, m.ID)
		b.report.TokensSaved += prompt.Count(m.Content)
	}
	authority := survivor.Authority
	lowerTrust(survivor, others...)
	survivor.UpdatedAt = b.now
	if err := b.PutMemory(survivor, graph.EventUpdated); err != nil {
		return err
	}
	if survivor.Authority != authority { // the authority changes the weights of its conflicts
		if err := lifecycle.RecomputeReactivated(b, survivor, b.now); err != nil {
			return err
		}
	}
	if v := middle.unit(); v != nil {
		if err := b.PutEmbedding(survivor.ID, v); err != nil {
			return err
		}
	}
	b.report.Deduplicated += len(folded)
	b.did(StepMerge, survivor.ID, folded...)
	return nil
}

// mergeable reports whether a memory may still be merged. It can have been pinned after the
// plan was made, or engraved by an earlier step.
func mergeable(m *graph.Memory) bool {
	return !exemptFromArchival(m, m.State()) && m.Consent != graph.ConsentNone
}

// mergeInto merges a memory into another, with edges in both directions.
func (b *batch) mergeInto(m *graph.Memory, into graph.ID) error {
	m.Consolidated, m.UpdatedAt = into, b.now
	m.SetState(b.now, func(s *graph.State) { s.Status = graph.Consolidated })
	if err := b.PutMemory(m, graph.EventConsolidated); err != nil {
		return err
	}
	for _, edge := range []graph.Edge{
		{From: m.ID, Kind: graph.ConsolidatedInto, To: into, Weight: 1, At: b.now},
		{From: into, Kind: graph.DerivedFrom, To: m.ID, Weight: 1, At: b.now},
	} {
		if err := b.PutEdge(edge); err != nil {
			return err
		}
	}
	return lifecycle.RecomputeConflicts(b, m, b.now)
}

// lowerTrust gives a derived memory the lowest authority, the weakest consent and the
// highest sensitivity of its inputs, so that consolidation never raises trust.
func lowerTrust(to *graph.Memory, from ...*graph.Memory) {
	for _, m := range from {
		to.Authority = min(to.Authority, m.Authority)
		if slices.Index(graph.Consents, m.Consent) > slices.Index(graph.Consents, to.Consent) {
			to.Consent = m.Consent
		}
		if slices.Index(graph.Sensitivities, m.Sensitivity) > slices.Index(graph.Sensitivities, to.Sensitivity) {
			to.Sensitivity = m.Sensitivity
		}
	}
}

// centroid is the mean of vectors, weighted by confidence.
type centroid struct{ sum []float64 }

// add adds the vector of a memory, if it has one.
func (c *centroid) add(r graph.Reader, m *graph.Memory) error {
	v, err := r.Embedding(m.ID)
	if known, err := graph.Found(err); !known {
		return err
	}
	if c.sum == nil {
		c.sum = make([]float64, len(v))
	}
	if len(v) != len(c.sum) {
		return nil
	}
	for i, x := range v {
		c.sum[i] += m.Confidence * float64(x)
	}
	return nil
}

// unit returns the mean at length 1; nil if there is none.
func (c *centroid) unit() []float32 {
	norm := 0.0
	for _, x := range c.sum {
		norm += x * x
	}
	if norm == 0 {
		return nil
	}
	v := make([]float32, len(c.sum))
	for i, x := range c.sum {
		v[i] = float32(x / math.Sqrt(norm))
	}
	return v
}
