package resolvers

import (
	"context"
	"strconv"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

func (r queryResolver) Audit(ctx context.Context, first *int, after, verb, principal *string, since, until *time.Time, outcome *string, oldestFirst *bool) (*gql.AuditConnection, error) {
	n, err := boundedInt("first", first, 100, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	f := engine.AuditFilter{
		Verb: valueOr(verb, ""), Principal: valueOr(principal, ""), Outcome: valueOr(outcome, ""), Since: valueOr(since, time.Time{}), Until: valueOr(until, time.Time{}),
		After: valueOr(after, ""), OldestFirst: valueOr(oldestFirst, false), First: n,
	}
	found, more, err := r.verbs.Audit(ctx, caller(ctx), f)
	if err != nil {
		return nil, err
	}
	out := &gql.AuditConnection{Nodes: convert(found, encodeAudit), Edges: make([]*gql.AuditEdge, len(found)), PageInfo: &gql.PageInfo{HasNextPage: more, HasPreviousPage: f.After != ""}}
	for i, e := range found {
		out.Edges[i] = &gql.AuditEdge{Cursor: e.Cursor, Node: out.Nodes[i]}
	}
	if len(found) > 0 {
		out.PageInfo.StartCursor, out.PageInfo.EndCursor = &found[0].Cursor, &found[len(found)-1].Cursor
	}
	return out, nil
}

func encodeAudit(e engine.AuditEntry) *gql.AuditEntry {
	return &gql.AuditEntry{
		Seq: strconv.FormatUint(e.Seq, 10), At: e.At, Principal: e.Principal, Verb: e.Verb, Outcome: e.Outcome, Ids: idStrings(e.IDs), More: e.More,
		Namespaces: append([]string{}, e.Namespaces...), Decision: nullable[string](e.Decision), Count: e.Count, Milliseconds: e.Millis, Chain: e.Chain,
	}
}

func (r queryResolver) AuditCheck(ctx context.Context) (*gql.AuditCheck, error) {
	v, err := r.verbs.VerifyAudit(ctx, caller(ctx))
	if err != nil {
		return nil, err
	}
	out := &gql.AuditCheck{Intact: v.Intact(), Chains: []*gql.AuditChain{}}
	for _, c := range v.Chains {
		x := &gql.AuditChain{
			Chain: c.Chain, Rows: c.Rows, First: strconv.FormatUint(c.First, 10), Last: strconv.FormatUint(c.Last, 10), Waiting: c.Waiting, Roots: c.Roots, Keys: c.Keys,
			Problems: []*gql.AuditProblem{}, Restores: []*gql.AuditRestore{},
		}
		for _, y := range c.Restores {
			x.Restores = append(x.Restores, &gql.AuditRestore{First: strconv.FormatUint(y.First, 10), Last: strconv.FormatUint(y.Last, 10), To: y.To, At: y.At})
		}
		for _, p := range c.Problems {
			x.Problems = append(x.Problems, &gql.AuditProblem{Seq: strconv.FormatUint(p.Seq, 10), What: p.What})
		}
		out.Chains = append(out.Chains, x)
	}
	return out, nil
}

func (r queryResolver) ProofKey(ctx context.Context) (*string, error) {
	key, err := r.verbs.ProofKey(ctx, caller(ctx))
	return nullable[string](key), err
}

// Stores is empty for receipts that are not in the log of erasures.
func (r receiptResolver) Stores(ctx context.Context, obj *gql.DeletionReceipt) ([]*gql.StoreErasure, error) {
	out := []*gql.StoreErasure{}
	if obj.ID == "" {
		return out, nil
	}
	parts, err := r.verbs.ErasureParts(ctx, caller(ctx), graph.ID(obj.ID))
	for _, p := range parts {
		out = append(out, &gql.StoreErasure{Store: gql.ErasureStore(p.Store), Status: gql.ErasureStatus(p.Status), At: nullableTime(p.At)})
	}
	return out, err
}

// APIKeys are those of the forecast for a dry run.
func (r receiptResolver) APIKeys(ctx context.Context, obj *gql.DeletionReceipt) (int, error) {
	if obj.Forecast != nil {
		return obj.Forecast.APIKeys, nil
	}
	return r.verbs.ErasedKeys(ctx, caller(ctx), graph.ID(obj.ID))
}

// Proof is null for receipts that are not in the log of erasures.
func (r receiptResolver) Proof(ctx context.Context, obj *gql.DeletionReceipt) (*string, error) {
	if obj.ID == "" {
		return nil, nil
	}
	document, _, err := r.verbs.ProveErasure(ctx, caller(ctx), graph.ID(obj.ID))
	if graph.CodeOf(err) == graph.CodeMemoryNotFound && err != nil {
		return nil, nil
	}
	return nullable[string](string(document)), err
}
