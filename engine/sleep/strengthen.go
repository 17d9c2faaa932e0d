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
func planStrengthen(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	rank, err := run.ranking(ctx)
	if err != nil {
		return nil, err
	}
	all := run.candidates()
	var steps []plannedStep
	for _, c := range all {
		// A use at the very instant of the sleep before may have come behind it; its day
		// is taken once in any case.
		since := run.checkpoint.strengthenedAt(c.ID)
		if _, ranked := rank[c.ID]; !ranked || c.Usage.Count == 0 || c.Usage.Last.Before(since) {
			continue
		}
		key := ""
		if rank[c.ID] == rankStrong && c.Usage.Last.After(since) {
			key = string(rankStrong)
		}
		steps = append(steps, plannedStep{Verb: StepStrengthen, IDs: []graph.ID{c.ID}, Key: key})
	}
	if run.checkpoint.Report.Kind == LightSleep || !run.checkpoint.archivalDue() {
		return steps, nil
	}
	if q := run.checkpoint.Deferred; q != nil && run.checkpoint.At.Sub(q.At) < minDeepInterval {
		err := run.t.View(ctx, func(r graph.Reader) error {
			left, err := q.steps(r)
			steps = append(steps, left...)
			return err
		})
		return steps, err
	}
	quiet, err := run.archivable(ctx, all, rank)
	if err != nil {
		return nil, err
	}
	for _, id := range quiet {
		steps = append(steps, plannedStep{Verb: StepArchive, IDs: []graph.ID{id}})
	}
	return steps, nil
}

func applyStrengthen(b *batch, s plannedStep, _ any) error {
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
	reinforceByDays(m, b.run.checkpoint.At, single)
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
func reinforceByDays(m *graph.Memory, at time.Time, single bool) {
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
	if m.Usage.Last.After(b.run.checkpoint.At) || exemptFromArchival(m, m.State()) {
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
func exemptFromArchival(m *graph.Memory, s graph.State) bool {
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
func (run *sleepRun) archivable(ctx context.Context, all []*candidate, rank map[graph.ID]StepVerb) ([]graph.ID, error) {
	var candidates []*candidate
	for _, c := range all {
		if rank[c.ID] == rankWeak && c.unusedFor(run.checkpoint.At) > importance.ArchiveAfter {
			candidates = append(candidates, c)
		}
	}
	if len(candidates) == 0 {
		return nil, nil
	}
	central, err := run.centrality()
	if err != nil {
		return nil, err
	}
	var quiet []graph.ID
	err = run.t.View(ctx, func(r graph.Reader) error {
		quiet = quiet[:0]
		for _, c := range candidates {
			m, err := r.Memory(c.ID)
			if err != nil {
				return err
			}
			if exemptFromArchival(m, m.State()) {
				continue
			}
			edges, err := r.Edges(c.ID, graph.Both)
			if err != nil {
				return err
			}
			worth := importance.KeepWorth(importance.KeepSignals{
				SinceCreation: run.checkpoint.At.Sub(c.CreatedAt), SinceAccess: c.unusedFor(run.checkpoint.At), Usage: c.Usage.Count,
				Centrality: central[c.ID], Criticality: m.Criticality, Relations: len(edges) + len(c.Entities),
			})
			if importance.ShouldArchive(c.unusedFor(run.checkpoint.At), c.salience(), worth) {
				quiet = append(quiet, c.ID)
			}
		}
		return nil
	})
	return quiet, err
}

// centrality is the PageRank of memories over what they mention and each other, by that
// of the most central memory: what they mention is more central than any of them.
func (run *sleepRun) centrality() (map[graph.ID]float64, error) { return run.svc.centrality(run.t) }

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
