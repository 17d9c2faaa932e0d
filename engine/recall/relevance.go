package recall

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/rank"
)

// Default ratios of a search in mode ANSWER and of a context.
const (
	answerRatio  = 0.5
	contextRatio = 0.6
)

// sharesTopic is the share of the question's topics from which a memory that shares no word with
// it may answer.
const sharesTopic = 0.5

func defaultRatio(m SearchMode) *float64 {
	ratio := 0.0
	if m == ModeAnswer {
		ratio = answerRatio
	}
	return &ratio
}

// weigh sets the relevance of the hits. It returns the best relevance, which is that of the memories
// not marked irrelevant for a similar question, and whether any hit answers the question. A hit that
// says no name of the question loses relevance if another hit does.
func (svc *Service) weigh(ctx context.Context, q *query, hits []scored) (best float64, answered bool) {
	scale, floor := scale{}, rank.FloorSemantic
	if q.ask.Vector != nil { // otherwise there are no cosines, and the model may be silent
		scale = svc.semanticScale(ctx)
		floor = svc.floor(ctx, q, scale)
	}
	meant := ordinary(q.in.Query)
	coverage := svc.Index.Coverage(q.t.Scope, q.ask.Filter.Namespaces, q.in.Query, q.ask.Related, docsOf(hits))
	words := svc.wordings(q, hits)
	for i := range hits {
		k := &hits[i]
		e := rank.Evidence{Semantic: scale.apply(k.parts.Semantic), Keyword: k.parts.Keyword, Coverage: coverage[i]}
		k.relevance, k.aboveFloor = rank.Relevance(e), e.AboveFloor(floor)
		if k.crossed { // the cross-encoder has read both texts
			k.relevance = max(k.relevance, rank.Relevance(rank.Evidence{Semantic: k.cross, Keyword: k.cross, Coverage: k.cross}))
		}
		if words[i].nameless {
			k.relevance *= namelessFactor
		}
		k.topicAlone = words[i].wordless && !words[i].nameless && k.Topical >= topicAlone
		if q.marked[k.Doc.ID] == 0 {
			best = max(best, k.relevance)
		}
		answered = answered || k.aboveFloor || meant && k.Topical >= sharesTopic || k.Graph > 0 || q.happened(k.Doc)
	}
	for i := range hits {
		if k := &hits[i]; q.facts[k.Doc.ID] && q.marked[k.Doc.ID] == 0 {
			k.relevance, k.aboveFloor, answered = max(k.relevance, best), true, true
		}
	}
	return best, answered
}

// relevant sets the relevance of the hits and drops those below the ratio, or all if none is
// above the floor. Those of a question in ordinary words stay in q.doubtful. The ratio does not cut the answers to a question that asks for several things,
// nor what happened in the time that the question names, nor what shares topics with the question
// and no word.
func (svc *Service) relevant(ctx context.Context, q *query, hits []scored) ([]scored, error) {
	if q.in.Query == "" || len(hits) == 0 {
		return hits, nil
	}
	hits = slices.Clone(hits)
	best, answered := svc.weigh(ctx, q, hits)
	if !answered && *q.in.MinScoreRatio > 0 {
		if !q.further && ordinary(q.in.Query) {
			q.doubtful = hits
		}
		return nil, nil
	}
	hits, err := svc.laterFirst(ctx, q, hits)
	if err != nil || *q.in.MinScoreRatio == 0 || asksForList(q.in.Query) {
		return hits, err
	}
	kept := hits[:0]
	for _, k := range hits {
		if k.relevance >= *q.in.MinScoreRatio*best || k.topicAlone || q.happened(k.Doc) {
			kept = append(kept, k)
		}
	}
	return kept, nil
}
