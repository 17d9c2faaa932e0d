package sleep

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/network"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// N2 makes what was used more certain and lets go of what went quiet. SPEC sections 4
// and 9.

// planStrengthen lists what was used, and what of the weak has gone quiet.
func planStrengthen(ctx context.Context, n *run) ([]step, error) {
	rank, err := n.ranking(ctx)
	if err != nil {
		return nil, err
	}
	all := n.sleepers()
	var steps []step
	for _, s := range all {
		// A use at the very instant of the sleep before may have come behind it; its day
		// is taken once in any case.
		since := n.checkpoint.strengthenedAt(s.ID)
		if _, ranked := rank[s.ID]; !ranked || s.Usage.Count == 0 || s.Usage.Last.Before(since) {
			continue
		}
		key := ""
		if rank[s.ID] == rankStrong && s.Usage.Last.After(since) {
			key = string(rankStrong)
		}
		steps = append(steps, step{Verb: StepStrengthen, IDs: []graph.ID{s.ID}, Key: key})
	}
	if n.checkpoint.Report.Kind == LightSleep || !n.checkpoint.archivesToday() {
		return steps, nil
	}
	if q := n.checkpoint.Quiet; q != nil && n.checkpoint.At.Sub(q.At) < nightly {
		err := n.t.View(ctx, func(r graph.Reader) error {
			left, err := q.steps(r)
			steps = append(steps, left...)
			return err
		})
		return steps, err
	}
	quiet, err := n.quiet(ctx, all, rank)
	if err != nil {
		return nil, err
	}
	for _, id := range quiet {
		steps = append(steps, step{Verb: StepArchive, IDs: []graph.ID{id}})
	}
	return steps, nil
}

func applyStrengthen(b *batch, s step, _ any) error {
	m, err := b.active(s.IDs[0])
	if m == nil {
		return err
	}
	if s.Verb == StepArchive {
		return b.archive(m)
	}
	before, day := m.Confidence, m.ConfidenceDay
	single, err := singleSource(b, m)
	if err != nil {
		return err
	}
	takeDays(m, b.n.checkpoint.At, single)
	if s.Key == string(rankStrong) {
		m.Confidence += plasticity.Eta * (1 - m.Confidence)
		if single {
			m.Confidence = min(m.Confidence, max(before, plasticity.SingleSourceCap(m.Authority)))
		}
	}
	if m.Confidence == before && m.ConfidenceDay == day {
		return nil
	}
	m.UpdatedAt = b.now
	if m.Confidence > before {
		b.report.Reinforced++
		b.did(StepStrengthen, "", m.ID)
	}
	return b.PutMemory(m, graph.EventReinforced)
}

// takeDays takes the step of confidence for every UTC day of use that it was not taken
// for yet.
func takeDays(m *graph.Memory, at time.Time, single bool) {
	for _, day := range m.Usage.Days {
		if day <= m.ConfidenceDay || day > graph.Day(at) {
			continue
		}
		m.Confidence = plasticity.Confidence(m.Confidence, plasticity.Signals{
			Salience: m.Salience * decay.RetentionAt(workspace.DecayOf(m, m.State()), at), Usage: m.Usage.Count,
			Authority: m.Authority, Conflict: m.Conflict, Surprise: m.Surprise,
		}, single)
		m.ConfidenceDay = day
	}
}

// singleSource reports whether a memory rests on one source's word: nothing from another
// principal stands behind it as evidence.
func singleSource(r graph.Reader, m *graph.Memory) (bool, error) {
	evidence, err := r.Edges(m.ID, graph.In, graph.EvidenceFor)
	if err != nil {
		return false, err
	}
	for _, edge := range evidence {
		other, err := r.Memory(edge.From)
		if err != nil {
			return false, err
		}
		if other.Status() != graph.Forgotten && other.Status() != graph.Archived && (other.SourceKind != m.SourceKind || other.Source != m.Source) {
			return false, nil
		}
	}
	return true, nil
}

// active reads a memory that a step was planned for: nil where it is not ACTIVE any more.
func (b *batch) active(id graph.ID) (*graph.Memory, error) {
	m, err := b.Memory(id)
	if err != nil {
		return nil, err
	}
	if m.Status() != graph.Active || lifecycle.IsExpired(m, b.now) {
		return nil, nil
	}
	return m, nil
}

// archive lets a memory go, unless something holds it after all.
func (b *batch) archive(m *graph.Memory) error {
	if m.Usage.Last.After(b.n.checkpoint.At) || spared(m, m.State()) {
		return nil
	}
	if only, err := onlySource(b, m.ID); err != nil || only {
		return err
	}
	m.SetState(b.now, func(s *graph.State) { s.Status = graph.Archived })
	m.UpdatedAt = b.now
	if err := b.PutMemory(m, graph.EventArchived); err != nil {
		return err
	}
	b.report.Pruned++
	b.report.TokensSaved += prompt.Count(m.Content)
	b.did(StepArchive, "", m.ID)
	return lifecycle.RecomputeConflicts(b, m, b.now)
}

// spared reports whether a memory is never archived for having gone quiet.
func spared(m *graph.Memory, s graph.State) bool {
	return s.Core || m.SafetyCritical || s.Tier == graph.L3 || s.Tier == graph.L0 || m.Type == graph.Document || lifecycle.IsTracked(m)
}

// onlySource reports whether a pattern rests on this memory alone.
func onlySource(r graph.Reader, id graph.ID) (bool, error) {
	derived, err := r.Edges(id, graph.In, graph.DerivedFrom)
	if err != nil {
		return false, err
	}
	for _, edge := range derived {
		pattern, err := r.Memory(edge.From)
		if err != nil {
			return false, err
		}
		if pattern.Type != graph.Procedural || pattern.Status() != graph.Active {
			continue
		}
		sources, err := r.Edges(pattern.ID, graph.Out, graph.DerivedFrom)
		if err != nil {
			return false, err
		}
		if len(sources) == 1 {
			return true, nil
		}
	}
	return false, nil
}

// quiet are the weak memories that have gone quiet, by id: unused for more than 30 days,
// and of low salience or worth.
func (n *run) quiet(ctx context.Context, all []*sleeper, rank map[graph.ID]StepVerb) ([]graph.ID, error) {
	var candidates []*sleeper
	for _, s := range all {
		if rank[s.ID] == rankWeak && s.since(n.checkpoint.At) > importance.ArchiveAfter {
			candidates = append(candidates, s)
		}
	}
	if len(candidates) == 0 {
		return nil, nil
	}
	central, err := n.centrality()
	if err != nil {
		return nil, err
	}
	var quiet []graph.ID
	err = n.t.View(ctx, func(r graph.Reader) error {
		quiet = quiet[:0]
		for _, s := range candidates {
			m, err := r.Memory(s.ID)
			if err != nil {
				return err
			}
			if spared(m, m.State()) {
				continue
			}
			edges, err := r.Edges(s.ID, graph.Both)
			if err != nil {
				return err
			}
			worth := importance.KeepWorth(importance.KeepSignals{
				SinceCreation: n.checkpoint.At.Sub(s.CreatedAt), SinceAccess: s.since(n.checkpoint.At), Usage: s.Usage.Count,
				Centrality: central[s.ID], Criticality: m.Criticality, Relations: len(edges) + len(s.Entities),
			})
			if importance.ShouldArchive(s.since(n.checkpoint.At), s.salience(), worth) {
				quiet = append(quiet, s.ID)
			}
		}
		return nil
	})
	return quiet, err
}

// centrality is the PageRank of memories over what they mention and each other, by that
// of the most central memory: what they mention is more central than any of them.
func (n *run) centrality() (map[graph.ID]float64, error) { return n.svc.centrality(n.t) }

func (svc *Service) centrality(t *tenant) (map[graph.ID]float64, error) {
	var ties []network.Link
	var memories []graph.ID
	svc.Index.Docs(t.Scope, func(d *index.Doc) bool {
		memories = append(memories, d.ID)
		for _, entity := range d.Entities {
			ties = append(ties, network.Link{A: d.ID, B: entity, Weight: 1})
		}
		if d.Supersedes != "" {
			ties = append(ties, network.Link{A: d.ID, B: d.Supersedes, Weight: 1})
		}
		return true
	})
	rank, err := network.Centrality(ties)
	if err != nil {
		return nil, err
	}
	top := 0.0
	for _, id := range memories {
		top = max(top, rank[id])
	}
	for _, id := range memories {
		if top > 0 {
			rank[id] /= top
		}
	}
	return rank, nil
}
