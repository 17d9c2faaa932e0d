package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

func (r queryResolver) Reconsolidations(ctx context.Context, namespaces []string, memory *string, first *int, after *string) (*gql.ReconsolidationConnection, error) {
	n, start, err := pageArguments(cursorDecisions, first, 20, 100, after)
	if err != nil {
		return nil, err
	}
	found, more, err := r.verbs.Reconsolidations(ctx, caller(ctx), namespaces, graph.ID(valueOr(memory, "")), n, start)
	if err != nil {
		return nil, err
	}
	out := &gql.ReconsolidationConnection{Nodes: convert(found, encodeReconsolidation)}
	id := func(v engine.Reconsolidation) graph.ID { return v.ID }
	out.Edges, out.PageInfo, err = connect(cursorDecisions, found, id, out.Nodes, start, more, func(cursor string, node *gql.Reconsolidation) *gql.ReconsolidationEdge {
		return &gql.ReconsolidationEdge{Cursor: cursor, Node: node}
	})
	return out, err
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
