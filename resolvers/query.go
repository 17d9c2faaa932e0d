package resolvers

import (
	"cmp"
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

func (r queryResolver) Memory(ctx context.Context, id string, at *gql.AsOf, requireConsent, includeImplicit *bool) (*gql.Memory, error) {
	c := caller(ctx)
	v, err := r.verbs.Memory(ctx, c, graph.ID(id), accessOf(at, requireConsent, includeImplicit, true))
	return r.loadOne(c, v, err)
}

func (r queryResolver) MemoryByExternalID(ctx context.Context, externalID string, inNamespace *string, at *gql.AsOf, requireConsent, includeImplicit *bool) (*gql.Memory, error) {
	space, err := namespace(inNamespace)
	if err != nil {
		return nil, err
	}
	c := caller(ctx)
	v, err := r.verbs.MemoryByExternalID(ctx, c, cmp.Or(space, "default"), externalID, accessOf(at, requireConsent, includeImplicit, true))
	return r.loadOne(c, v, err)
}

func (r queryResolver) Search(ctx context.Context, input gql.SearchInput) (*gql.SearchResult, error) {
	c := caller(ctx)
	asked, err := searchInput(input)
	if err != nil {
		return nil, err
	}
	found, err := r.verbs.Search(ctx, c, asked)
	if err != nil {
		return nil, err
	}
	views := convert(found.Hits, func(h engine.Hit) *engine.View { return h.Memory })
	out := &gql.SearchResult{
		Weights: encodeParts(found.Weights), LatencyMs: float64(found.Latency.Microseconds()) / 1000,
		SemanticCandidates: found.Semantic, KeywordCandidates: found.Keyword, GraphCandidates: found.Graph,
		ConsideredCount: found.Considered, Degraded: enumValues[gql.Part](found.Degraded),
		NoMatch: found.NoMatch, Unsure: found.Unsure, Result: found,
		Tiers: &gql.TierCounts{Patterns: found.Tiers.Patterns, Clusters: found.Tiers.Clusters, Memories: found.Tiers.Memories},
	}
	in := loader.ClusterRefs(r.verbs, c, convert(found.Hits, func(h engine.Hit) graph.ID { return h.Cluster }))
	explained := selectsPath(ctx, "hits", "explanation")
	for i, self := range r.load(c, views...) {
		h, err := encodeHit(found.Hits[i], self, explained)
		if err != nil {
			return nil, err
		}
		h.InCluster = in[i]
		out.Hits = append(out.Hits, h)
	}
	if m := found.Manager; m != nil {
		out.Manager = &gql.ManagerState{Working: encodeMemories(r.load(c, m.Working...)), Decisions: encodeMemories(r.load(c, m.Decisions...))}
		for i, self := range r.load(c, m.Tasks...) {
			x := engine.TaskOf(m.Tasks[i])
			x.BlockedBy = m.BlockedBy[i]
			out.Manager.Tasks = append(out.Manager.Tasks, encodeTask(x, self))
		}
	}
	return out, nil
}

// maxClusterHits is the maximum number of clusters of a search.
const maxClusterHits = 20

// Clusters that the caller does not see any more are left out.
func (r searchResultResolver) Clusters(ctx context.Context, obj *gql.SearchResult, first *int) ([]*gql.ClusterHit, error) {
	n, err := boundedInt("first", first, 5, maxClusterHits)
	if err != nil {
		return nil, err
	}
	found := obj.Result.Clusters()
	found = found[:min(n, len(found))]
	views, err := r.verbs.ClustersByID(ctx, caller(ctx), convert(found, func(x engine.ClusterHit) graph.ID { return x.ID }))
	if err != nil {
		return nil, err
	}
	out := []*gql.ClusterHit{}
	for i, x := range loader.Clusters(r.verbs, caller(ctx), views) {
		if x.View != nil {
			out = append(out, &gql.ClusterHit{Cluster: encodeCluster(x), Score: found[i].Score})
		}
	}
	return out, nil
}

func (r hitResolver) Cluster(ctx context.Context, obj *gql.Hit) (*gql.Cluster, error) {
	found, err := obj.InCluster.Cluster(ctx)
	return encodeCluster(found), err
}

func (r queryResolver) Lineage(ctx context.Context, id string, first, afterVersion *int) ([]*gql.MemoryVersion, error) {
	c := caller(ctx)
	n, err := boundedInt("first", first, 200, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	after := valueOr(afterVersion, 0)
	if after < 0 {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "afterVersion", "must be 0 or more")
	}
	versions, err := r.verbs.Lineage(ctx, c, graph.ID(id), n, after)
	if err != nil {
		return nil, err
	}
	views := convert(versions, func(v engine.Version) *engine.View { return v.Memory })
	out := make([]*gql.MemoryVersion, len(versions))
	for i, self := range r.load(c, views...) {
		v := versions[i]
		out[i] = &gql.MemoryVersion{
			Memory: encodeMemory(self), Version: v.Version, Checksum: nullable[string](v.Checksum), Reason: nullable[string](v.Reason),
			RecordedAt: v.RecordedAt, SupersededAt: nullableTime(v.SupersededAt),
		}
	}
	return out, nil
}

func (r queryResolver) Context(ctx context.Context, input gql.ContextInput) (*gql.PromptContext, error) {
	budget := valueOr(input.TokenBudget, 0)
	if input.TokenBudget != nil && budget < 1 {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "tokenBudget", "must be 1 or more")
	}
	p, err := r.verbs.Context(ctx, caller(ctx), engine.ContextInput{
		Session: input.Session, User: valueOr(input.User, ""), Project: valueOr(input.Project, ""), Query: valueOr(input.Query, ""),
		MinScoreRatio: input.MinScoreRatio, Namespaces: input.Namespaces, Format: enumValue[string](input.Format), TokenBudget: budget,
		Access: accessOf(input.AsOf, input.RequireConsent, input.IncludeImplicit, false), Preview: !valueOr(input.Track, true),
		Rivals: valueOr(input.Rivals, false), Explain: valueOr(input.Explain, false),
	})
	if err != nil {
		return nil, err
	}
	out := &gql.PromptContext{Text: p.Text, TotalTokens: p.TotalTokens, Truncated: p.Truncated, TokensSaved: p.TokensSaved}
	for _, l := range p.Layers {
		out.Layers = append(out.Layers, &gql.ContextLayer{
			Name: gql.ContextLayerName(l.Name), Text: l.Text, Tokens: l.Tokens, MemoryIds: append([]string{}, l.MemoryIDs...),
		})
	}
	if valueOr(input.Explain, false) {
		out.Items = make([]*gql.ContextItem, len(p.Items))
		for i, x := range p.Items {
			out.Items[i] = &gql.ContextItem{MemoryID: x.ID, Layer: gql.ContextLayerName(x.Layer), Shown: x.Shown, Reason: x.Reason}
		}
	}
	return out, nil
}

func (r queryResolver) Core(ctx context.Context, user *string, namespaces []string) ([]*gql.Memory, error) {
	c := caller(ctx)
	views, err := r.verbs.Core(ctx, c, valueOr(user, ""), namespaces)
	if err != nil {
		return nil, err
	}
	return encodeMemories(r.load(c, views...)), nil
}

func (r queryResolver) Timeline(ctx context.Context, namespaces []string, buckets *int) ([]*gql.TimelineBucket, error) {
	n, err := boundedInt("buckets", buckets, 100, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	line, err := r.verbs.Timeline(ctx, caller(ctx), namespaces, n)
	if err != nil {
		return nil, err
	}
	return convert(line, func(b engine.Instant) *gql.TimelineBucket {
		return &gql.TimelineBucket{From: b.From, Born: b.Born, Superseded: b.Superseded, Ended: b.Ended}
	}), nil
}

func (r queryResolver) DeletionReceipt(ctx context.Context, id string) (*gql.DeletionReceipt, error) {
	found, err := r.verbs.DeletionReceipt(ctx, caller(ctx), graph.ID(id))
	if err != nil {
		return nil, err
	}
	return encodeReceipt(found), nil
}

func (r queryResolver) DeletionReceipts(ctx context.Context, status *gql.DeletionStatus, first *int, after *string) (*gql.DeletionReceiptConnection, error) {
	n, start, err := pageArguments(cursorReceipts, first, 20, 100, after)
	if err != nil {
		return nil, err
	}
	found, more, err := r.verbs.DeletionReceipts(ctx, caller(ctx), engine.ReceiptsInput{Status: graph.DeletionStatus(valueOr(status, "")), First: n, After: start})
	if err != nil {
		return nil, err
	}
	out := &gql.DeletionReceiptConnection{Nodes: convert(found, encodeReceipt)}
	id := func(x *graph.Receipt) graph.ID { return x.ID }
	out.Edges, out.PageInfo, err = connect(cursorReceipts, found, id, out.Nodes, start, more, func(cursor string, node *gql.DeletionReceipt) *gql.DeletionReceiptEdge {
		return &gql.DeletionReceiptEdge{Cursor: cursor, Node: node}
	})
	return out, err
}

func (r queryResolver) Whoami(ctx context.Context) (*gql.Principal, error) {
	c := caller(ctx)
	return &gql.Principal{
		Tenant: string(c.Tenant), Name: c.Name, User: nullable[string](c.User), Namespaces: c.Namespaces, Grant: c.Grant, Admin: c.Admin,
		Agent: nullable[string](c.Agent), Scopes: enumValues[gql.Scope](c.Scopes),
	}, nil
}
