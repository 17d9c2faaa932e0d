package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

func (r queryResolver) Reconsolidations(ctx context.Context, namespaces []string, memory *string, first *int, after *string) (*gql.ReconsolidationConnection, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	n, err := boundedInt("first", first, 20, 100)
	if err != nil {
		return nil, err
	}
	start, err := decodeAfterID(cursorDecisions, after)
	if err != nil {
		return nil, err
	}
	found, more, err := r.verbs.Reconsolidations(ctx, c, namespaces, graph.ID(valueOr(memory, "")), n, start)
	if err != nil {
		return nil, err
	}
	ids := make([]graph.ID, len(found))
	for i, v := range found {
		ids[i] = v.ID
	}
	info, cursors, err := pageInfo(cursorDecisions, ids, start, more)
	if err != nil {
		return nil, err
	}
	out := &gql.ReconsolidationConnection{PageInfo: info}
	for i, v := range found {
		node := encodeReconsolidation(v)
		out.Nodes = append(out.Nodes, node)
		out.Edges = append(out.Edges, &gql.ReconsolidationEdge{Cursor: cursors[i], Node: node})
	}
	return out, nil
}

func encodeReconsolidation(v engine.Reconsolidation) *gql.Reconsolidation {
	out := &gql.Reconsolidation{ID: string(v.ID), At: v.At, Namespace: v.Namespace, MemoryIds: idStrings(v.Memories), Erased: v.Erased, States: v.States}
	if v.Erased {
		return out
	}
	out.Decision, out.Fact, out.Subject = nullable[gql.GateDecision](v.Decision), nullable[string](v.Fact), nullable[string](v.Subject)
	out.Quorum, out.Required, out.Conflict, out.Similarity = &v.Quorum, &v.Required, &v.Conflict, &v.Similarity
	out.Judge = encodeJudgement(v.Judge)
	for _, e := range v.Evidence {
		out.Evidence = append(out.Evidence, &gql.Evidence{Source: e.Source, Weight: e.Weight, Confidence: e.Confidence})
	}
	return out
}

func encodeJudgement(j *engine.Judgement) *gql.Judgement {
	if j == nil {
		return nil
	}
	return &gql.Judgement{Model: j.Model, Rules: j.Rules, Said: j.Said, Score: j.Score}
}
