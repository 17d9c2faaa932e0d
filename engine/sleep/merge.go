package sleep

import (
	"context"
	"errors"
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

// N3 folds memories that say the same into one. SPEC section 9.

const (
	twinsLimit  = 24 // nearest that a memory is compared with
	twinsBatch  = 64 // memories looked up at once
	mergedAtOne = 32 // memories folded by one step
)

// planMerge finds what says the same. Only what changed since the sleep before can have
// a new twin.
func planMerge(ctx context.Context, n *run) ([]step, error) {
	var all []*sleeper
	place := map[graph.ID]int{}
	circles := map[workspace.Circle][]int{}
	for _, s := range n.everybody() {
		if !s.Embedded || s.state.Core || s.SafetyCritical || s.state.Tier == graph.L0 || s.state.Tier == graph.L3 ||
			s.Consent == graph.ConsentNone || s.Type == graph.Document || s.Type == graph.Working || !s.ExpiresAt.IsZero() {
			continue
		}
		place[s.ID] = len(all)
		if n.recent(s.Doc) {
			k := workspace.Circle{Namespace: s.Namespace, User: s.User}
			circles[k] = append(circles[k], len(all))
		}
		all = append(all, s)
	}
	pairs, err := n.duplicates(ctx, all, place, circles)
	if err != nil || len(pairs) == 0 {
		return nil, err
	}
	vectors, err := n.paired(ctx, all, pairs)
	if err != nil {
		return nil, err
	}
	items := make([]cluster.Item, len(all))
	for i, s := range all {
		items[i] = cluster.Item{
			ID: s.ID, Vector: vectors[i], Confidence: s.Confidence, Owner: s.Namespace + "\x00" + s.User,
			Consent: s.Consent, Type: s.Type, Session: s.Session, At: s.OccurredAt,
		}
	}
	var groups []cluster.Group
	err = n.t.View(ctx, func(r graph.Reader) error {
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
			score := conflict.Compare(n.svc.Readings.Read(found[0]), n.svc.Readings.Read(found[1])).Score
			return score < lifecycle.DuplicateConflict && extract.SameFacts(found[0].Content, found[1].Content)
		})
		return broken
	})
	if err != nil {
		return nil, err
	}
	var steps []step
	for _, g := range groups {
		var others []graph.ID
		for _, i := range g.Members {
			if i != g.Survivor {
				others = append(others, all[i].ID)
			}
		}
		for part := range slices.Chunk(others, mergedAtOne) {
			steps = append(steps, step{Verb: StepMerge, IDs: append([]graph.ID{all[g.Survivor].ID}, part...)})
		}
	}
	return steps, nil
}

// duplicates are pairs of places that lie near enough to say the same.
func (n *run) duplicates(ctx context.Context, all []*sleeper, place map[graph.ID]int, circles map[workspace.Circle][]int) ([][2]int, error) {
	var pairs [][2]int
	order := make([]workspace.Circle, 0, len(circles))
	for k := range circles {
		order = append(order, k)
	}
	slices.SortFunc(order, func(a, b workspace.Circle) int { return circles[a][0] - circles[b][0] })
	for _, k := range order {
		f := index.Filter{Namespaces: []string{k.Namespace}, Users: []string{k.User}, Statuses: []graph.Status{graph.Active}}
		for part := range slices.Chunk(circles[k], twinsBatch) {
			part, vectors, err := n.embedded(ctx, all, part)
			if err != nil {
				return nil, err
			}
			n.svc.Foreground.Yield(ctx, workspace.YieldFor)
			near, err := n.svc.Index.Nearest(ctx, n.t.Scope, vectors, f, n.checkpoint.At, twinsLimit, cluster.DuplicateAbove)
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

// embedded are those of some places whose vectors are there, with their vectors.
func (n *run) embedded(ctx context.Context, all []*sleeper, places []int) (still []int, vectors [][]float32, err error) {
	some := make([]*sleeper, len(places))
	for i, at := range places {
		some[i] = all[at]
	}
	found, err := n.vectors(ctx, some)
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

// paired are the vectors of those that stand in a pair, by place.
func (n *run) paired(ctx context.Context, all []*sleeper, pairs [][2]int) ([][]float32, error) {
	var places []int
	for _, p := range pairs {
		places = append(places, p[0], p[1])
	}
	slices.Sort(places)
	places, vectors, err := n.embedded(ctx, all, slices.Compact(places))
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(all))
	for i, at := range places {
		out[at] = vectors[i]
	}
	return out, nil
}

// applyMerge folds memories into the first.
func applyMerge(b *batch, s step, _ any) error {
	kept, err := b.active(s.IDs[0])
	if kept == nil || !folds(kept) {
		return err
	}
	var others []*graph.Memory
	for _, id := range s.IDs[1:] {
		m, err := b.active(id)
		if err != nil {
			return err
		}
		if m != nil && folds(m) {
			others = append(others, m)
		}
	}
	if len(others) == 0 {
		return nil
	}
	var folded []graph.ID
	middle := newCentroid()
	if err := middle.add(b, kept); err != nil {
		return err
	}
	for _, m := range others {
		if err := middle.add(b, m); err != nil {
			return err
		}
		if err := b.fold(m, kept.ID); err != nil {
			return err
		}
		folded = append(folded, m.ID)
		b.report.TokensSaved += prompt.Count(m.Content)
	}
	authority := kept.Authority
	lowerTrust(kept, others...)
	kept.UpdatedAt = b.now
	if err := b.PutMemory(kept, graph.EventUpdated); err != nil {
		return err
	}
	if kept.Authority != authority { // its conflicts weigh otherwise
		if err := lifecycle.RecomputeReactivated(b, kept, b.now); err != nil {
			return err
		}
	}
	if v := middle.unit(); v != nil {
		if err := b.PutEmbedding(kept.ID, v); err != nil {
			return err
		}
	}
	b.report.Deduplicated += len(folded)
	b.did(StepMerge, kept.ID, folded...)
	return nil
}

// folds reports whether a memory may still become a part of another: it may have been
// pinned since the plan was made, or engraved by an earlier step of it.
func folds(m *graph.Memory) bool { return !spared(m, m.State()) && m.Consent != graph.ConsentNone }

// fold makes a memory part of another, with edges both ways.
func (b *batch) fold(m *graph.Memory, into graph.ID) error {
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

// lowerTrust gives what is derived the least authority, the weakest consent and the
// highest sensitivity of all its inputs: sleep launders nothing. SPEC section 6.
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

// centroid is the mean of vectors by confidence.
type centroid struct{ sum []float64 }

func newCentroid() *centroid { return &centroid{} }

// add takes a memory's vector in, where it has one.
func (c *centroid) add(r graph.Reader, m *graph.Memory) error {
	v, err := r.Embedding(m.ID)
	if errors.Is(err, graph.ErrNotFound) {
		return nil
	}
	if err != nil {
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

// unit is the mean at length 1; nil where there is none.
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
