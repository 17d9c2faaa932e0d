package sleep

import (
	"cmp"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/pattern"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	maxClusterSources = 300  // of one cluster, the strongest members first
	maxOwnerSources   = 5000 // of one owner
)

// evidence is what patterns of one owner are drawn from.
type evidence struct {
	sources []pattern.Source
	known   []pattern.Known
	stored  map[graph.ID]*graph.Memory // the ACTIVE patterns, by id
}

// evidenceOf reads the evidence of an owner: the members of its clusters, the memories that were
// merged into them, and the other sources of its patterns, which left the clusters or were archived
// since. An archived memory says what it said; a superseded or erased one says nothing.
func (svc *Service) evidenceOf(r graph.Reader, scope graph.Scope, owner workspace.Circle, clusters []Cluster) (*evidence, error) {
	e := &evidence{stored: map[graph.ID]*graph.Memory{}}
	seen := map[graph.ID]bool{}
	clusters = slices.Clone(clusters)
	slices.SortFunc(clusters, func(a, b Cluster) int { return cmp.Compare(a.ID, b.ID) })
	mature := map[graph.ID]bool{}
	for _, c := range clusters {
		members, err := clusterMembers(r, c)
		if err != nil {
			return nil, err
		}
		mature[c.ID] = len(members) >= pattern.MatureMembers && c.Density > pattern.MatureAbove
		for _, m := range members[:min(len(members), maxClusterSources)] {
			if !seen[m.ID] && len(e.sources) < maxOwnerSources {
				seen[m.ID] = true
				e.sources = append(e.sources, patternSource(m, c.ID, mature[c.ID]))
			}
		}
	}
	patterns, err := svc.storedPatterns(r, scope, owner)
	if err != nil {
		return nil, err
	}
	for _, m := range patterns {
		ended := m.Status() == graph.Expired
		if m.Status() != graph.Active && !ended {
			continue
		}
		e.known = append(e.known, KnownPattern(m))
		if ended {
			continue
		}
		e.stored[m.ID] = m
		sources, err := r.Edges(m.ID, graph.Out, graph.DerivedFrom)
		if err != nil {
			return nil, err
		}
		for _, edge := range sources {
			if seen[edge.To] {
				continue
			}
			x, err := r.Memory(edge.To)
			if err != nil {
				return nil, err
			}
			if !mayBeEvidence(x) {
				continue
			}
			seen[x.ID] = true
			s := patternSource(x, "", false)
			for _, id := range m.Pattern.Clusters {
				if _, there := mature[id]; there {
					s.Cluster, s.Mature = id, mature[id]
					break
				}
			}
			e.sources = append(e.sources, s)
		}
	}
	return e, nil
}

// clusterMembers reads the members of a cluster that may be sources of a pattern, the strongest
// first, each followed by the memories that were merged into it. A summary stands for these alone.
func clusterMembers(r graph.Reader, c Cluster) ([]*graph.Memory, error) {
	var out []*graph.Memory
	for part := range slices.Chunk(c.Members, graph.MaxPage) {
		found, err := r.Memories(part)
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			if m == nil || m.Namespace != c.Namespace || m.User != c.User || m.Pattern != nil || m.Status() != graph.Active && m.Status() != graph.Consolidated {
				continue
			}
			if mayBeEvidence(m) {
				out = append(out, m)
			}
			if m.Status() != graph.Active {
				continue
			}
			folded, err := r.Edges(m.ID, graph.In, graph.ConsolidatedInto)
			if err != nil {
				return nil, err
			}
			for _, edge := range folded {
				x, err := r.Memory(edge.From)
				if err != nil {
					return nil, err
				}
				if x.Status() == graph.Consolidated && x.Consolidated == m.ID && lifecycle.WasActive(x) && mayBeEvidence(x) {
					out = append(out, x)
				}
			}
		}
	}
	return out, nil
}

// mayBeEvidence reports whether a memory may be a source of a pattern.
func mayBeEvidence(m *graph.Memory) bool {
	switch m.Status() {
	case graph.Active, graph.Consolidated, graph.Archived:
	default:
		return false
	}
	return m.Consent != graph.ConsentNone && m.State().Tier != graph.L0 && m.Pattern == nil && m.SourceKind != graph.FromConsolidation
}

func patternSource(m *graph.Memory, cluster graph.ID, mature bool) pattern.Source {
	speaker := lifecycle.Speaker(m)
	if speaker == reader.User {
		speaker = ""
	}
	return pattern.Source{ID: m.ID, Text: m.Content, At: m.OccurredAt, Speaker: speaker, Cluster: cluster, Mature: mature}
}

// storedPatterns returns the patterns of an owner in any status, by id.
func (svc *Service) storedPatterns(r graph.Reader, scope graph.Scope, owner workspace.Circle) ([]*graph.Memory, error) {
	var ids []graph.ID
	svc.Index.Docs(scope, func(d *index.Doc) bool {
		if d.Pattern != "" && d.Namespace == owner.Namespace && d.User == owner.User {
			ids = append(ids, d.ID)
		}
		return true
	})
	slices.Sort(ids)
	found, err := r.Memories(ids)
	return slices.DeleteFunc(found, func(m *graph.Memory) bool { return m == nil || m.Pattern == nil || m.Status() == graph.Forgotten }), err
}

// KnownPattern converts a stored pattern for package pattern.
func KnownPattern(m *graph.Memory) pattern.Known {
	p := m.Pattern
	return pattern.Known{
		ID: m.ID, Kind: p.Kind, Text: m.Content, Conditions: p.Conditions, Actions: p.Actions, Occurrences: p.Occurrences,
		Confidence: p.Confidence, Ended: m.Status() == graph.Expired,
	}
}
