package sleep

import (
	"context"

	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/network"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// archivable returns the ids of weak memories that may be archived: unused for more than 30
// days, with low salience or a low keep worth. What this cycle folds is no longer weak.
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
	central, err := run.svc.centrality(run.t.Scope)
	if err != nil {
		return nil, err
	}
	var quiet []graph.ID
	err = run.view(ctx, func(r graph.Reader) error {
		quiet = quiet[:0]
		for _, c := range candidates {
			m, err := graph.Readable(r, c.ID)
			if err != nil {
				return err
			}
			if m == nil || exemptFromArchival(m, m.State()) {
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
	if err != nil {
		return nil, err
	}
	return run.withoutRepetitions(ctx, quiet)
}

// archive archives a memory, unless it is now exempt, its cluster is small, or a pattern has no other source.
func (b *batch) archive(m *graph.Memory) error {
	if m.Usage.Last.After(b.run.checkpoint.At) || exemptFromArchival(m, m.State()) || b.run.small[m.ID] {
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

// applyArchive carries out the archival of one memory.
func applyArchive(b *batch, s plannedStep) error {
	m, err := b.active(s.IDs[0])
	if m == nil {
		return err
	}
	return b.archive(m)
}

// smallCluster is the number of members below which the members of a cluster are not archived: too few say what they say.
const smallCluster = 5

// readSmallClusters reads the members of clusters with fewer than smallCluster members.
func (run *sleepRun) readSmallClusters(ctx context.Context) error {
	all, err := run.svc.clusters.Settled(ctx, run.t.Tenant)
	if err != nil {
		return err
	}
	run.small = map[graph.ID]bool{}
	for _, c := range all {
		if len(c.Members) >= smallCluster {
			continue
		}
		for _, id := range c.Members {
			run.small[id] = true
		}
	}
	return nil
}

// exemptFromArchival reports whether disuse never archives a memory.
func exemptFromArchival(m *graph.Memory, s graph.State) bool {
	return standingRule(m) || exempt(m, s)
}

// exempt is exemptFromArchival without rules that stand.
func exempt(m *graph.Memory, s graph.State) bool {
	return s.Core || m.SafetyCritical || m.Pattern != nil || s.Tier == graph.L3 || s.Tier == graph.L0 || m.Type == graph.Document || lifecycle.IsTracked(m)
}

// standingRule reports a rule that holds until it is revised: disuse does not end it.
func standingRule(m *graph.Memory) bool {
	return m.Type == graph.Procedural && reader.RuleIn(m.Content) == reader.StandingRule
}

// onlySource reports whether an ACTIVE pattern has this memory as its only source.
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
		if pattern.Pattern == nil && pattern.Type != graph.Procedural || pattern.Status() != graph.Active {
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

// centrality returns the PageRank of memories in the graph of memories and the entities
// that they mention. The rank of the most central memory is 1. Entities rank higher than
// any memory.
func (svc *Service) centrality(scope graph.Scope) (map[graph.ID]float64, error) {
	var ties []network.Link
	var memories []graph.ID
	svc.Index.Docs(scope, func(d *index.Doc) bool {
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
