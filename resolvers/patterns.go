package resolvers

import (
	"context"
	"encoding/json"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

// Maximum sizes of the lists of patterns.
const (
	maxClusterPatterns = 50 // of a cluster
	maxConflicts       = 50 // of a pattern
)

// loadPatterns makes a batch of patterns.
func (r *resolverRoot) loadPatterns(c engine.Caller, found []engine.Pattern) []loader.Pattern {
	views := make([]*engine.Pattern, len(found))
	for i := range found {
		views[i] = &found[i]
	}
	return loader.Patterns(r.verbs, c, views)
}

// onePattern makes a batch of a single pattern.
func (r *resolverRoot) onePattern(c engine.Caller, p *engine.Pattern, err error) (*gql.Pattern, error) {
	if err != nil {
		return nil, err
	}
	return encodePattern(loader.Patterns(r.verbs, c, []*engine.Pattern{p})[0]), nil
}

// encodePattern converts a pattern; nil if there is none.
func encodePattern(self loader.Pattern) *gql.Pattern {
	v := self.View
	if v == nil {
		return nil
	}
	m, p := v.Memory, v.Memory.Pattern
	out := &gql.Pattern{
		Self: self, ID: string(m.ID), Kind: gql.PatternKind(p.Kind), Text: m.Content, Confidence: p.Confidence, Occurrences: p.Occurrences, Version: m.Version,
		Status: gql.PatternStatus(v.Status), Namespace: m.Namespace, User: nullable[string](graph.UserOf(m.User)), Conditions: append([]string{}, p.Conditions...),
		Actions: append([]string{}, p.Actions...), HeldOut: p.HeldOut, SafetyCritical: p.SafetyCritical, Memory: encodeMemory(self.Memory),
		CreatedAt: m.CreatedAt, ValidatedAt: p.ValidatedAt,
	}
	if rate, known := p.SuccessRate(); known {
		out.SuccessRate = &rate
	}
	return out
}

// encodePatterns converts patterns; there is always a list.
func encodePatterns(members []loader.Pattern) []*gql.Pattern {
	out := make([]*gql.Pattern, len(members))
	for i, p := range members {
		out[i] = encodePattern(p)
	}
	return out
}

func (r queryResolver) Patterns(ctx context.Context, namespaces []string, user *string, kinds []gql.PatternKind, first *int, after *string) (*gql.PatternConnection, error) {
	c := caller(ctx)
	in := engine.PatternInput{Namespaces: namespaces, User: valueOr(user, ""), Kinds: enumValues[graph.PatternKind](kinds)}
	var err error
	if in.First, in.After, err = pageArguments(cursorPatterns, first, 50, graph.MaxPage, after); err != nil {
		return nil, err
	}
	page, err := r.verbs.Patterns(ctx, c, in)
	if err != nil {
		return nil, err
	}
	out := &gql.PatternConnection{Nodes: encodePatterns(r.loadPatterns(c, page.Patterns))}
	id := func(p engine.Pattern) graph.ID { return p.ID }
	out.Edges, out.PageInfo, err = connect(cursorPatterns, page.Patterns, id, out.Nodes, in.After, page.More, func(cursor string, node *gql.Pattern) *gql.PatternEdge {
		return &gql.PatternEdge{Cursor: cursor, Node: node}
	})
	return out, err
}

func (r queryResolver) Pattern(ctx context.Context, id string) (*gql.Pattern, error) {
	c := caller(ctx)
	p, err := r.verbs.Pattern(ctx, c, graph.ID(id))
	return r.onePattern(c, p, err)
}

func (r queryResolver) PatternLineage(ctx context.Context, id string) (*gql.PatternLineage, error) {
	c := caller(ctx)
	l, err := r.verbs.PatternLineage(ctx, c, graph.ID(id))
	if err != nil {
		return nil, err
	}
	out := &gql.PatternLineage{
		Pattern: encodePatterns(r.loadPatterns(c, []engine.Pattern{l.Pattern}))[0],
		Chain:   r.loadPatterns(c, l.Versions), Clusters: make([]*gql.PatternSources, len(l.Clusters)),
	}
	in := loader.ClusterRefs(r.verbs, c, convert(l.Clusters, func(s engine.PatternSources) graph.ID { return s.Cluster }))
	for i, s := range l.Clusters {
		out.Clusters[i] = &gql.PatternSources{In: in[i], Members: r.load(c, s.Memories...)}
	}
	return out, nil
}

func (r patternSourcesResolver) Cluster(ctx context.Context, obj *gql.PatternSources) (*gql.Cluster, error) {
	found, err := obj.In.Cluster(ctx)
	return encodeCluster(found), err
}

func (r patternSourcesResolver) Memories(_ context.Context, obj *gql.PatternSources, first *int) ([]*gql.Memory, error) {
	n, err := boundedInt("first", first, 50, maxNestedItems)
	if err != nil {
		return nil, err
	}
	return encodeMemories(obj.Members[:min(n, len(obj.Members))]), nil
}

func (r patternLineageResolver) Versions(_ context.Context, obj *gql.PatternLineage, first *int) ([]*gql.Pattern, error) {
	n, err := boundedInt("first", first, 50, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	return encodePatterns(obj.Chain[max(0, len(obj.Chain)-n):]), nil
}

func (r queryResolver) PatternProvenance(ctx context.Context, id string) (json.RawMessage, error) {
	return r.verbs.PatternProvenance(ctx, caller(ctx), graph.ID(id))
}

func (r queryResolver) PatternConflicts(ctx context.Context, namespaces []string, open *bool, first *int) ([]*gql.PatternConflict, error) {
	c := caller(ctx)
	n, err := boundedInt("first", first, 50, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	found, err := r.verbs.PatternConflicts(ctx, c, engine.PatternConflictsInput{Namespaces: namespaces, Open: valueOr(open, true), First: n})
	if err != nil {
		return nil, err
	}
	var all []engine.Pattern
	for _, x := range found {
		all = append(all, x.Patterns...)
	}
	members := encodePatterns(r.loadPatterns(c, all))
	out := make([]*gql.PatternConflict, len(found))
	for i, x := range found {
		out[i] = &gql.PatternConflict{
			ID: string(x.ID), Patterns: members[:len(x.Patterns)], Since: x.Since, Waits: x.Waits, Kept: nullable[string](x.Kept),
			ResolvedAt: nullableTime(x.ResolvedAt), ResolvedBy: nullable[string](x.ResolvedBy), Note: nullable[string](x.Note),
		}
		members = members[len(x.Patterns):]
	}
	return out, nil
}

func (r mutationResolver) ExtractPattern(ctx context.Context, cluster string) (*gql.ExtractPatternPayload, error) {
	c := caller(ctx)
	made, err := r.verbs.ExtractPattern(ctx, c, graph.ID(cluster))
	if err != nil {
		return nil, err
	}
	return &gql.ExtractPatternPayload{
		Patterns: encodePatterns(r.loadPatterns(c, made.Patterns)),
		Refused: convert(made.Refused, func(x engine.RefusedPattern) *gql.RefusedPattern {
			return &gql.RefusedPattern{Kind: gql.PatternKind(x.Kind), Reason: x.Reason, Confidence: x.Confidence, Occurrences: x.Occurrences}
		}),
	}, nil
}

func (r mutationResolver) ValidatePattern(ctx context.Context, id string) (*gql.Pattern, error) {
	c := caller(ctx)
	p, err := r.verbs.ValidatePattern(ctx, c, graph.ID(id))
	return r.onePattern(c, p, err)
}

func (r mutationResolver) ResolvePattern(ctx context.Context, keep, end string, note *string) (*gql.Pattern, error) {
	c := caller(ctx)
	p, err := r.verbs.ResolvePattern(ctx, c, graph.ID(keep), graph.ID(end), valueOr(note, ""))
	return r.onePattern(c, p, err)
}

func (r patternResolver) Sources(ctx context.Context, obj *gql.Pattern, first *int) ([]*gql.Memory, error) {
	n, err := boundedInt("first", first, 50, maxNestedItems)
	if err != nil {
		return nil, err
	}
	found, err := obj.Self.DerivedFrom(ctx, n)
	return encodeMemories(found), err
}

func (r patternResolver) Clusters(ctx context.Context, obj *gql.Pattern, first *int) ([]*gql.Cluster, error) {
	n, err := boundedInt("first", first, 10, graph.MaxPatternClusters)
	if err != nil {
		return nil, err
	}
	found, err := obj.Self.Clusters(ctx)
	return convert(found[:min(n, len(found))], encodeCluster), err
}

func (r patternResolver) Conflicts(ctx context.Context, obj *gql.Pattern, first *int) ([]*gql.Pattern, error) {
	n, err := boundedInt("first", first, 5, maxConflicts)
	if err != nil {
		return nil, err
	}
	found, err := obj.Self.Conflicts(ctx)
	return encodePatterns(found[:min(n, len(found))]), err
}

func (r clusterResolver) Patterns(ctx context.Context, obj *gql.Cluster, first *int) ([]*gql.Pattern, error) {
	n, err := boundedInt("first", first, 10, maxClusterPatterns)
	if err != nil {
		return nil, err
	}
	found, err := obj.Self.Patterns(ctx, n)
	return encodePatterns(found), err
}

func (r memoryResolver) Pattern(ctx context.Context, obj *gql.Memory) (*gql.Pattern, error) {
	found, err := obj.Self.Pattern(ctx)
	return encodePattern(found), err
}
