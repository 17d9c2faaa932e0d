package patterns

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Lineage is where a pattern comes from.
type Lineage struct {
	Pattern  Pattern
	Versions []Pattern // the first one first; erased ones are omitted
	Clusters []Sources // the clusters that its sources are in now, by id; sources in no cluster last
}

// Sources are the sources of a pattern in one cluster.
type Sources struct {
	Cluster  graph.ID // empty: they are in no cluster now
	Memories []*workspace.View
}

// PatternLineage returns the versions of a pattern and its sources by cluster, as far as the caller
// sees them. The errors are those of [Service.Pattern].
func (svc *Service) PatternLineage(ctx context.Context, c workspace.Caller, id graph.ID) (*Lineage, error) {
	clusterOf, err := svc.clusterOf(ctx, c)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	l := &Lineage{}
	err = svc.view(ctx, c, func(r graph.Reader) error {
		*l = Lineage{}
		m, err := load(r, c, "id", id)
		if err != nil {
			return err
		}
		p, err := svc.show(r, c, m)
		if err != nil {
			return err
		}
		l.Pattern = *p
		chain, err := versionsOf(r, m)
		if err != nil {
			return err
		}
		for _, x := range chain {
			v, err := svc.show(r, c, x)
			if err != nil {
				return err
			}
			l.Versions = append(l.Versions, *v)
		}
		sources, err := sourcesOf(r, c, m.ID)
		if err != nil {
			return err
		}
		for _, s := range sources {
			in := clusterOf[s.ID]
			if in == "" {
				in = clusterOf[s.Consolidated]
			}
			at := slices.IndexFunc(l.Clusters, func(x Sources) bool { return x.Cluster == in })
			if at < 0 {
				l.Clusters, at = append(l.Clusters, Sources{Cluster: in}), len(l.Clusters)
			}
			l.Clusters[at].Memories = append(l.Clusters[at].Memories, workspace.NewView(s, workspace.Access{}, svc.Now()))
		}
		slices.SortFunc(l.Clusters, func(a, b Sources) int {
			if (a.Cluster == "") != (b.Cluster == "") {
				return cmp.Compare(b.Cluster, a.Cluster)
			}
			return cmp.Compare(a.Cluster, b.Cluster)
		})
		return nil
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return l, nil
}

// clusterOf returns the cluster of each member. Which members exist is decided by the caller's sight
// when they are read.
func (svc *Service) clusterOf(ctx context.Context, c workspace.Caller) (map[graph.ID]graph.ID, error) {
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	all, err := svc.clusters.Settled(ctx, t.Whole())
	of := map[graph.ID]graph.ID{}
	for _, x := range all {
		for _, id := range x.Members {
			of[id] = x.ID
		}
	}
	return of, err
}

// versionsOf reads the versions of a pattern that were not erased, the first one first.
func versionsOf(r graph.Reader, m *graph.Memory) ([]*graph.Memory, error) {
	var chain []*graph.Memory
	for x, err := range graph.AllMemories(r, graph.MemoryQuery{Chain: m.Chain}) {
		if err != nil {
			return nil, err
		}
		if x.Pattern != nil && x.Status() != graph.Forgotten {
			chain = append(chain, x)
		}
	}
	slices.SortFunc(chain, func(a, b *graph.Memory) int { return cmp.Compare(a.Version, b.Version) })
	return chain, nil
}

// Names of PROV-JSON (W3C Member Submission, 24 April 2013) that a provenance uses.
const (
	provNamespace = "https://somnograph.dev/ns#"
	provPrefix    = "somnograph:"
)

// PatternProvenance returns the provenance of a pattern as PROV-JSON: its versions and their sources
// as entities, the sleeps that derived them as activities, the clusters as collections. Only
// what the caller sees is in it, without content. The errors are those of [Service.Pattern].
func (svc *Service) PatternProvenance(ctx context.Context, c workspace.Caller, id graph.ID) (json.RawMessage, error) {
	doc := newProvenance()
	err := svc.view(ctx, c, func(r graph.Reader) error {
		doc = newProvenance()
		m, err := load(r, c, "id", id)
		if err != nil {
			return err
		}
		chain, err := versionsOf(r, m)
		if err != nil {
			return err
		}
		for _, v := range chain {
			sources, err := sourcesOf(r, c, v.ID)
			if err != nil {
				return err
			}
			doc.version(v, sources)
		}
		return nil
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return json.Marshal(doc)
}

type attributes map[string]any

// provenance is a document of PROV-JSON.
type provenance struct {
	Prefix     map[string]string     `json:"prefix"`
	Entity     map[string]attributes `json:"entity"`
	Activity   map[string]attributes `json:"activity"`
	Agent      map[string]attributes `json:"agent"`
	Generated  map[string]attributes `json:"wasGeneratedBy"`
	Used       map[string]attributes `json:"used"`
	Derived    map[string]attributes `json:"wasDerivedFrom"`
	Associated map[string]attributes `json:"wasAssociatedWith"`
}

func newProvenance() *provenance {
	p := &provenance{
		Prefix: map[string]string{"somnograph": provNamespace}, Entity: map[string]attributes{}, Activity: map[string]attributes{}, Agent: map[string]attributes{},
		Generated: map[string]attributes{}, Used: map[string]attributes{}, Derived: map[string]attributes{}, Associated: map[string]attributes{},
	}
	p.Agent[provPrefix+"somnograph"] = attributes{"prov:type": "prov:SoftwareAgent"}
	return p
}

func provID(id graph.ID) string { return provPrefix + string(id) }

func provTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// version adds one version of a pattern with its sources.
func (p *provenance) version(m *graph.Memory, sources []*graph.Memory) {
	me, sleep := provID(m.ID), provPrefix+m.Source
	p.Entity[me] = attributes{
		"prov:type": provPrefix + "Pattern", provPrefix + "kind": string(m.Pattern.Kind), provPrefix + "version": m.Version, provPrefix + "confidence": m.Pattern.Confidence,
		provPrefix + "heldOut": m.Pattern.HeldOut, provPrefix + "occurrences": m.Pattern.Occurrences, provPrefix + "validatedAt": provTime(m.Pattern.ValidatedAt),
	}
	p.Activity[sleep] = attributes{"prov:type": provPrefix + "Sleep", "prov:startTime": provTime(m.CreatedAt)}
	p.Associated["_:with-"+m.Source] = attributes{"prov:activity": sleep, "prov:agent": provPrefix + "somnograph"}
	p.Generated["_:generated-"+string(m.ID)] = attributes{"prov:entity": me, "prov:activity": sleep, "prov:time": provTime(m.CreatedAt)}
	if m.Supersedes != "" {
		p.Derived["_:revision-"+string(m.ID)] = attributes{"prov:generatedEntity": me, "prov:usedEntity": provID(m.Supersedes), "prov:type": "prov:Revision"}
	}
	for _, s := range sources {
		p.Entity[provID(s.ID)] = attributes{"prov:type": provPrefix + "Memory", provPrefix + "recordedAt": provTime(s.RecordedAt), provPrefix + "status": string(s.Status())}
		p.Derived["_:derived-"+string(m.ID)+"-"+string(s.ID)] = attributes{"prov:generatedEntity": me, "prov:usedEntity": provID(s.ID), "prov:activity": sleep}
		p.Used["_:used-"+m.Source+"-"+string(s.ID)] = attributes{"prov:activity": sleep, "prov:entity": provID(s.ID)}
	}
	for _, id := range m.Pattern.Clusters {
		p.Entity[provID(id)] = attributes{"prov:type": "prov:Collection"}
		p.Used["_:used-"+m.Source+"-"+string(id)] = attributes{"prov:activity": sleep, "prov:entity": provID(id)}
	}
}
