package recall

import (
	"context"
	"fmt"

	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/engine/recall/holding"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// hits reads the chosen memories and adds label, explanation and provenance.
func (svc *Service) hits(ctx context.Context, c workspace.Caller, q *query, chosen []scored) ([]Hit, error) {
	now := svc.Now()
	stored, err := svc.hitsStored(ctx, q, chosen)
	if err != nil {
		return nil, err
	}
	views := make([]*workspace.View, len(stored))
	for i, m := range stored {
		views[i] = workspace.Visible(m, c, q.in.Access, now)
	}
	svc.Verify(ctx, q.t.Scope, views...)
	against, err := svc.contest(ctx, c, q, chosen)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(chosen))
	for i, v := range views {
		if v == nil || v.State.Status == graph.Forgotten {
			continue // erased during the search
		}
		k := chosen[i]
		corrected := ""
		if h := holding.Read(v.Memory, q.now); !h.Corrected.IsZero() && q.in.Access.AsOf.IsZero() {
			corrected = h.Text
		}
		hits = append(hits, Hit{
			Corrected: corrected,
			Memory:    v, Score: k.score, Label: labelOf(v.Memory, q, k.retention, against.contested(c, v.Memory)), Parts: k.parts, Explain: func() *rank.Explanation {
				return explainText(q.explainTier(ctx, q.explain(k), k, v.Memory), corrected)
			},
			Relevance: k.relevance, AboveFloor: k.aboveFloor, Provenance: []Provenance{{Store: storeOf(v.State.Tier), ID: v.ID, Version: v.Version}}, Path: k.Via,
			Rivals: against.rivals[k.Doc.ID], Tier: q.tierOf(k), Cluster: q.clusterOf(k.Doc.ID),
		})
	}
	return hits, nil
}

// labelOf returns the label of a memory at present, independent of the read's instant. contested says that
// something that the caller sees contests it.
func labelOf(m *graph.Memory, q *query, retention float64, contested bool) HitLabel {
	s, _ := m.StateAt(lifecycle.Later(q.now, m.State().From))
	switch {
	case (q.further || q.facts[m.ID]) && (s.Status == graph.Archived || s.Status == graph.Active && retention < fadedBelow && m.Usage.Count == 0):
		return Faded
	case s.Status != graph.Active, !s.ValidTo.IsZero() && !s.ValidTo.After(q.now), lifecycle.IsOver(m, q.now), holding.Overruled(m, q.now):
		return Historical
	case contested:
		return Contested
	}
	return Current
}

// explainText adds what the text of a memory says as a person corrected it.
func explainText(x *rank.Explanation, corrected string) *rank.Explanation {
	if corrected != "" {
		x.Children = append(x.Children, &rank.Explanation{Value: 1, Message: "a person corrected what was read in the text: " + corrected})
	}
	return x
}

// storeOf returns the store that holds memories of the tier.
func storeOf(t graph.Tier) MemoryStore {
	switch t {
	case graph.L0:
		return StoreBuffer
	case graph.L2:
		return StoreSchema
	case graph.L3:
		return StoreRecess
	}
	return StoreIndex
}

// explain returns the derivation of a score as a tree.
func (q *query) explain(k scored) *rank.Explanation {
	var x *rank.Explanation
	if q.in.Fusion == FusionRRF {
		x = &rank.Explanation{Value: k.fusedScore(), Message: "0.6 · reciprocal rank fusion + 0.4 · importance now", Children: []*rank.Explanation{
			rankNote("meaning", k.Ranks.Semantic), rankNote("words", k.Ranks.Keyword), rankNote("graph", k.Ranks.Graph),
		}}
	} else {
		x = rank.Explain(k.parts, q.weights)
		x.Value = k.fusedScore()
		if q.window.Fresh {
			x.Children = append(x.Children, &rank.Explanation{Value: q.freshness(k.Doc), Message: "factor: recency of the event, because the question asks for the latest"})
		}
	}
	if f := q.settled(k.Doc); f > 1 {
		x.Children = append(x.Children, &rank.Explanation{Value: f, Message: "factor: older than 30 days, and the question does not ask for the latest"})
	}
	if f := q.answering(k.Doc); f > 1 {
		x.Children = append(x.Children, &rank.Explanation{Value: f, Message: "factor: a claim of the memory answers the question; its semantic and keyword parts are those of the best candidate"})
	}
	if q.matters {
		x.Children = append(x.Children, &rank.Explanation{Value: k.Topical, Message: fmt.Sprintf("topics in common with the question; %.0f %% of the semantic part are from them, the rest is the cosine of the vectors", 100*matterShare)})
	}
	if q.window.Bounded() {
		x.Children = append(x.Children, &rank.Explanation{Value: k.parts.Recency, Message: "recency: 1 within the period that the question names, lower with each day outside it"},
			&rank.Explanation{Value: q.inTime(k), Message: "factor: closeness to the period that the question names"})
	}
	if f := q.inVoice(k); f < 1 {
		x.Children = append(x.Children, &rank.Explanation{Value: f, Message: "factor: the question is about the words of another speaker"})
	}
	for _, f := range []struct {
		value float64
		what  string
	}{
		{q.inFirstPerson(k.Doc), "factor: the question is about the user, and the memory is not"},
		{telling(k.Doc), "factor: the memory consists partly of questions"},
		{vouched(k.Doc), fmt.Sprintf("factor: authority %.2f of its source", k.Doc.Authority)},
		{likeIgnored(k.likeMarked), fmt.Sprintf("factor: feedback marked a similar memory irrelevant for a similar question (cosine %.2f)", k.likeMarked)},
		{q.unmarked(k.Doc), fmt.Sprintf("factor: feedback marked the memory irrelevant for a similar question (cosine %.2f)", q.marked[k.Doc.ID])},
	} {
		if f.value < 1 {
			x.Children = append(x.Children, &rank.Explanation{Value: f.value, Message: f.what})
		}
	}
	if n := len(k.Via); n > 0 {
		x.Children = append(x.Children, &rank.Explanation{Value: k.Graph, Message: fmt.Sprintf("reached through entities of the question: %d", n)})
	}
	if k.relevance > 0 {
		x.Children = append(x.Children, &rank.Explanation{Value: k.relevance, Message: "relevance: the semantic and keyword parts only; minScoreRatio compares it with that of the best hit"})
	}
	x.Children = append(x.Children, &rank.Explanation{Value: k.retention, Message: "retention at that time; memories below 0.05 that were never used are left out"})
	return k.explainCross(k.explainModel(x))
}

func rankNote(channel string, place int) *rank.Explanation {
	if place == 0 {
		return &rank.Explanation{Message: "not among the candidates of the channel " + channel}
	}
	return &rank.Explanation{Value: rank.RRF(place), Message: fmt.Sprintf("rank %d in the channel %s", place, channel)}
}

// importanceNow is the importance term of the RRF score.
func (q *query) importanceNow(x *index.Candidate) float64 {
	last := x.Doc.Usage.Last
	if last.IsZero() {
		last = x.Doc.CreatedAt
	}
	relevance := x.Semantic
	if q.ask.Vector == nil {
		relevance = importance.NoQuery
	}
	return importance.Now(importance.Input{
		SinceAccess: q.at.Sub(last), Usage: x.Doc.Usage.Count, Relevance: relevance, Type: x.Doc.Type, Important: x.Doc.Important,
	})
}
