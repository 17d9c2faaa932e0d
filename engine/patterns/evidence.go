package patterns

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

// Evidence is what patterns of one owner are drawn from.
type Evidence struct {
	Sources []pattern.Source
	Known   []pattern.Known // the patterns that are ACTIVE, and those that a person ended
	Stored  int             // number of ACTIVE patterns
}

// ReadEvidence reads the evidence of an owner: the members of its clusters, the memories that were
// merged into them or superseded by them, and the other sources of its patterns, which left the clusters, were archived
// or superseded since. An archived memory counts for what it says, a superseded one for the memory that replaced it; an erased one
// counts for nothing.
func ReadEvidence(r graph.Reader, x workspace.Index, scope graph.Scope, owner workspace.Circle, clusters []Cluster) (*Evidence, error) {
	e := &Evidence{}
	seen, of := map[graph.ID]bool{}, map[graph.ID]bool{} // of: sources of patterns
	former := formerOf(x, scope, owner)
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
			if !seen[m.ID] && len(e.Sources) < maxOwnerSources {
				seen[m.ID] = true
				e.Sources = append(e.Sources, SourceOf(m, c.ID, mature[c.ID]))
			}
		}
	}
	patterns, err := Stored(r, x, scope, owner)
	if err != nil {
		return nil, err
	}
	for _, m := range patterns {
		ended := m.Status() == graph.Expired
		if m.Status() != graph.Active && !ended {
			continue
		}
		e.Known = append(e.Known, KnownOf(m))
		if ended {
			continue
		}
		e.Stored++
		sources, err := r.Edges(m.ID, graph.Out, graph.DerivedFrom)
		if err != nil {
			return nil, err
		}
		cluster := graph.ID("")
		if at := slices.IndexFunc(m.Pattern.Clusters, func(id graph.ID) bool { _, there := mature[id]; return there }); at >= 0 {
			cluster = m.Pattern.Clusters[at]
		}
		revised := 0
		for _, edge := range sources {
			of[edge.To] = true
			if former[edge.To] != "" {
				revised++
			}
			id := cmp.Or(former[edge.To], edge.To)
			if seen[id] {
				continue
			}
			source, err := r.Memory(id)
			if known, err := graph.Found(err); err != nil {
				return nil, err
			} else if !known || !MayBeEvidence(source) {
				continue
			}
			seen[id] = true
			e.Sources = append(e.Sources, SourceOf(source, cluster, mature[cluster]))
		}
		e.Known[len(e.Known)-1].Revised = float64(revised) > lifecycle.PatternStands*float64(len(sources))
	}
	return e, e.addFormer(r, former, of)
}

// OnlySeen leaves the evidence that a scope shows: of an extraction by hand.
func (e *Evidence) OnlySeen(x workspace.Index, scope graph.Scope) {
	hidden := func(id graph.ID) bool {
		_, seen := x.Doc(scope, id)
		return !seen
	}
	e.Sources = slices.DeleteFunc(e.Sources, func(s pattern.Source) bool { return hidden(s.ID) })
	e.Known = slices.DeleteFunc(e.Known, func(k pattern.Known) bool { return hidden(k.ID) })
}

// addFormer adds what was superseded by a source, and the sources of patterns that were superseded by anything.
func (e *Evidence) addFormer(r graph.Reader, former map[graph.ID]graph.ID, of map[graph.ID]bool) error {
	holders := map[graph.ID]pattern.Source{}
	for _, s := range e.Sources {
		holders[s.ID] = s
	}
	var ids []graph.ID
	for id, by := range former {
		if _, holds := holders[by]; holds || of[id] {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for part := range slices.Chunk(ids[:min(len(ids), maxOwnerSources)], graph.MaxPage) {
		found, err := graph.Undamaged(r, part)
		if err != nil {
			return err
		}
		for _, m := range found {
			if m == nil || m.Status() != graph.Superseded || !citable(m) {
				continue
			}
			holder := holders[former[m.ID]]
			s := SourceOf(m, holder.Cluster, holder.Mature)
			s.Holder = former[m.ID]
			e.Sources = append(e.Sources, s)
		}
	}
	return nil
}

// formerOf returns, for each memory of an owner that was superseded, the one that was written last in its place.
func formerOf(x workspace.Index, scope graph.Scope, owner workspace.Circle) map[graph.ID]graph.ID {
	by := map[graph.ID]graph.ID{}
	x.Docs(scope, func(d *index.Doc) bool {
		if d.SupersededBy != "" && d.Pattern == "" && d.Namespace == owner.Namespace && d.User == owner.User && workspace.StateOf(d).Status == graph.Superseded {
			by[d.ID] = d.SupersededBy
		}
		return true
	})
	return lastOf(by)
}

// lastOf returns, for each id, the end of the chain that begins with it. A circle ends anywhere. Each id is followed once.
func lastOf(by map[graph.ID]graph.ID) map[graph.ID]graph.ID {
	last := make(map[graph.ID]graph.ID, len(by))
	for id := range by {
		var path []graph.ID
		for len(path) <= len(by) {
			if end, known := last[id]; known {
				id = end
				break
			}
			next, more := by[id]
			if !more {
				break
			}
			path, id = append(path, id), next
		}
		for _, passed := range path {
			last[passed] = id
		}
	}
	return last
}

// clusterMembers reads the members of a cluster that may be sources of a pattern, the strongest
// first, each followed by the memories that were merged into it. A summary stands for these alone.
func clusterMembers(r graph.Reader, c Cluster) ([]*graph.Memory, error) {
	var out []*graph.Memory
	for part := range slices.Chunk(c.Members, graph.MaxPage) {
		found, err := graph.Undamaged(r, part)
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			if m == nil || m.Namespace != c.Namespace || m.User != c.User || m.Pattern != nil || m.Status() != graph.Active && m.Status() != graph.Consolidated {
				continue
			}
			if MayBeEvidence(m) {
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
				if x.Status() == graph.Consolidated && x.Consolidated == m.ID && lifecycle.WasActive(x) && MayBeEvidence(x) {
					out = append(out, x)
				}
			}
		}
	}
	return out, nil
}

// MayBeEvidence reports whether a memory may be a source of a pattern.
func MayBeEvidence(m *graph.Memory) bool {
	switch m.Status() {
	case graph.Active, graph.Consolidated, graph.Archived:
	default:
		return false
	}
	return citable(m)
}

// citable reports whether a memory may be a source of a pattern, whatever its status.
func citable(m *graph.Memory) bool {
	return m.Consent != graph.ConsentNone && m.State().Tier != graph.L0 && m.Pattern == nil && m.SourceKind != graph.FromConsolidation
}

// SourceOf converts a memory for package pattern.
func SourceOf(m *graph.Memory, cluster graph.ID, mature bool) pattern.Source {
	speaker := lifecycle.Speaker(m)
	if speaker == reader.User {
		speaker = ""
	}
	return pattern.Source{
		ID: m.ID, Text: m.Content, At: m.OccurredAt, Recorded: m.RecordedAt, Session: m.Session, Speaker: speaker, Cluster: cluster, Mature: mature,
		Principal: m.Principal, Authority: m.Authority,
	}
}

// SourcesOf converts memories that are in no cluster.
func SourcesOf(all []*graph.Memory) []pattern.Source {
	out := make([]pattern.Source, len(all))
	for i, m := range all {
		out[i] = SourceOf(m, "", false)
	}
	return out
}

// Stored returns the patterns of an owner in any status, by id.
func Stored(r graph.Reader, x workspace.Index, scope graph.Scope, owner workspace.Circle) ([]*graph.Memory, error) {
	var ids []graph.ID
	x.Docs(scope, func(d *index.Doc) bool {
		if d.Pattern != "" && d.Namespace == owner.Namespace && d.User == owner.User {
			ids = append(ids, d.ID)
		}
		return true
	})
	slices.Sort(ids)
	found, err := graph.Undamaged(r, ids)
	return slices.DeleteFunc(found, func(m *graph.Memory) bool { return m == nil || m.Pattern == nil || m.Status() == graph.Forgotten }), err
}

// KnownOf converts a stored pattern for package pattern.
func KnownOf(m *graph.Memory) pattern.Known {
	p := m.Pattern
	return pattern.Known{
		ID: m.ID, Kind: p.Kind, Text: m.Content, Conditions: p.Conditions, Actions: p.Actions, Occurrences: p.Occurrences,
		Confidence: p.Confidence, Ended: m.Status() == graph.Expired,
	}
}
