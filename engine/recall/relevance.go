package recall

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/engine/recall/holding"
	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/internal/english"
)

// Default ratios of a search in mode ANSWER and of a context.
const (
	answerRatio  = 0.5
	contextRatio = 0.6
)

// sharesTopic is the share of the question's topics from which a memory that shares no word with
// it may answer.
const sharesTopic = 0.5

// aloneAtMost is how many hits the ratio spares because they share topics with the question and no word. The topics are
// broad: in a small store most memories share one with any question.
const aloneAtMost = 4

// nextShare is the share of the least relevance that is enough for what the speaker of the best hit
// says next: "It was one of those moments" has few words of the question.
const nextShare = 0.8

func defaultRatio(m SearchMode) *float64 {
	ratio := 0.0
	if m == ModeAnswer {
		ratio = answerRatio
	}
	return &ratio
}

// answer says how surely hits answer a question.
type answer uint8

const (
	noAnswer answer = iota
	byTopics        // a hit shares topics with the question, and hardly a word, or says what somebody does for a role
	surely          // by its words, its meaning, an entity, its time or a claim
)

// weigh sets the relevance of the hits. It returns the best relevance, which is that of the memories
// not marked irrelevant for a similar question, and how surely any hit answers the question. A hit that
// says no name of the question loses relevance if another hit does.
func (svc *Service) weigh(ctx context.Context, q *query, hits []scored) (best float64, answered answer) {
	if len(hits) == 0 {
		return 0, noAnswer
	}
	floor := rank.FloorSemantic
	if q.ask.Vector != nil { // otherwise there are no cosines, and the model may be silent
		known := false
		if q.scale, known = svc.semanticScale(ctx); !known {
			q.lack(workspace.PartEmbedder)
		}
		floor = svc.floor(ctx, q, q.scale)
	}
	meant := phrase.Ordinary(q.in.Query)
	coverage := svc.Index.Coverage(q.t.Scope, q.ask.Filter.Namespaces, phrase.Matter(q.ask.Texts[0]), q.ask.Related, docsOf(hits))
	if _, builtIn := svc.Embedder.(models.Weigher); (builtIn || q.fallsBack) && slices.Max(coverage) == 0 && phrase.Strange(q.in.Query) {
		floor = highestFloor // the built-in embedder compares letters
	}
	q.floor = floor
	words, may := svc.wordings(q, hits), svc.mayAnswer(q, hits)
	for i := range hits {
		k := &hits[i]
		e := rank.Evidence{Semantic: q.scale.apply(k.parts.Semantic), Keyword: k.parts.Keyword, Coverage: coverage[i]}
		k.relevance, k.aboveFloor, k.coverage = rank.Relevance(e), e.AboveFloor(floor), e.Coverage
		if k.crossed { // the cross-encoder has read both texts
			k.relevance = max(k.relevance, rank.Relevance(rank.Evidence{Semantic: k.cross, Keyword: k.cross, Coverage: k.cross}))
		}
		if k.nameless = words[i].nameless; k.nameless {
			k.relevance *= namelessFactor
		}
		k.topicAlone = words[i].wordless && !words[i].nameless && k.Topical >= topicAlone
		if q.marked[k.Doc.ID] == 0 {
			best = max(best, k.relevance)
		}
		switch {
		case !may[i] && q.serving[k.Doc.ID]:
			answered = max(answered, byTopics)
		case !may[i]:
		case k.aboveFloor || k.Graph > 0 || q.happened(k.Doc):
			answered = surely
		case meant && q.unsaid == "" && k.Topical >= sharesTopic:
			answered = max(answered, byTopics)
		}
	}
	for i := range hits {
		if k := &hits[i]; q.facts[k.Doc.ID] && q.marked[k.Doc.ID] == 0 {
			k.relevance, k.aboveFloor, answered = max(k.relevance, best), true, surely
		}
	}
	return best, answered
}

// stateOthers reports whether no hit answers a question for an attribute: all state another attribute, or that of another thing. The same holds if
// no claim answers and the first hit states the attribute of somebody else, or not as what is so.
func (q *query) stateOthers(hits []Hit) bool {
	if len(q.facts) == 0 && len(hits) > 0 && q.past == nil && *q.in.MinScoreRatio > 0 && attribute.StatesElse(hits[0].Memory.Memory, q.wording, q.in.User) {
		return true
	}
	asked, ok := phrase.AttributeOf(q.wording)
	return ok && *q.in.MinScoreRatio > 0 && !slices.ContainsFunc(hits, func(h Hit) bool {
		return q.facts[h.Memory.ID] && !asked.OtherThing(h.Memory.Content) || len(h.Path) > 0 || h.AboveFloor && !asked.Other(h.Memory.Content)
	})
}

// tagStored marks memories that a client stores to read back, and not to find. Only searches for the
// tag return them.
const tagStored = "_stored"

// searchable returns a copy of the hits without those that have tagStored, if the search does not ask
// for it.
func searchable(q *query, hits []scored) []scored {
	if slices.Contains(q.in.Tags, tagStored) {
		return slices.Clone(hits)
	}
	return slices.DeleteFunc(slices.Clone(hits), func(k scored) bool { return slices.Contains(k.Doc.Tags, tagStored) })
}

// relevant sets the relevance of the hits and drops those below the ratio, or all if none is
// above the floor. Those of a question in ordinary words stay in q.doubtful. The ratio does not cut
// what happened in the time that the question names, nor the first hits that share topics with the question
// and no word. What the speaker of the best hit says next needs less. Of the answers to a question that asks for several things
// only those without its names are cut, and none if it asks for a number: "How many women did I mentor at Caribbean Media?" may be answered by "I mentor seven now".
func (svc *Service) relevant(ctx context.Context, q *query, hits []scored) ([]scored, error) {
	hits = searchable(q, hits)
	for i := range hits {
		hits[i].aboveFloor = hits[i].aboveFloor || q.overview
	}
	if q.in.Query == "" || len(hits) == 0 {
		return hits, nil
	}
	if *q.in.MinScoreRatio > 0 && english.Wordless(q.in.Query) {
		return nil, nil
	}
	var err error
	if q.serving, err = svc.serving(ctx, q, hits); err != nil {
		return nil, err
	}
	best, answered := svc.weigh(ctx, q, hits)
	q.best = best
	q.unsure = answered != surely && *q.in.MinScoreRatio > 0
	if answered == noAnswer && *q.in.MinScoreRatio > 0 {
		if !q.further && phrase.Ordinary(q.in.Query) {
			q.doubtful = hits
		}
		return nil, nil
	}
	if answered == byTopics && q.unsaid != "" && *q.in.MinScoreRatio > 0 { // what does not say it of anybody answers nothing
		hits = slices.DeleteFunc(hits, func(k scored) bool { return !q.serving[k.Doc.ID] })
		best = slices.MaxFunc(hits, func(a, b scored) int { return cmp.Compare(a.relevance, b.relevance) }).relevance
		q.best = best
	}
	least, next := *q.in.MinScoreRatio*best, svc.saidNext(q, hits[0].Doc)
	several, counts := attribute.AsksForSeveral(q.in.Query), attribute.AsksHowMany(q.in.Query)
	enough := func(k scored) bool {
		return k.relevance >= least || several && (counts || !k.nameless) || q.preferred(k) || q.happened(k.Doc) || k.Doc.ID == next && k.relevance >= nextShare*least
	}
	chosen := len(hits)
	if answered == surely && *q.in.MinScoreRatio > 0 {
		hits = svc.refill(ctx, q, hits, best, enough)
	}
	more := len(hits) - chosen
	hits, err = q.inParts(hits, func(part []scored, limit int) ([]scored, error) { return svc.laterFirst(ctx, q, part, limit+more) })
	if err == nil {
		hits, err = svc.wrongLast(ctx, q, hits)
	}
	if err != nil || *q.in.MinScoreRatio == 0 {
		return hits, err
	}
	kept, alone := hits[:0], 0
	for _, k := range hits {
		spared := k.topicAlone && k.relevance < least && alone < aloneAtMost
		if spared {
			alone++
		}
		if spared || enough(k) {
			kept = append(kept, k)
		}
	}
	return kept[:min(len(kept), q.in.TopK)], nil
}

// wrongLast moves memories of which a person found everything to be wrong behind the others, unless the read is of the past.
func (svc *Service) wrongLast(ctx context.Context, q *query, hits []scored) ([]scored, error) {
	texts, err := svc.hitsStored(ctx, q, hits)
	if err != nil || !q.in.Access.AsOf.IsZero() {
		return hits, err
	}
	right, wrong := make([]scored, 0, len(hits)), []scored(nil)
	for i, k := range hits {
		if texts[i] != nil && holding.Wrong(texts[i]) {
			wrong = append(wrong, k)
		} else {
			right = append(right, k)
		}
	}
	return append(right, wrong...), nil
}

// saidNext returns the memory in which the same speaker goes on in the session: one of the next two,
// because others answer in between; "" if there is none.
func (svc *Service) saidNext(q *query, d *index.Doc) graph.ID {
	if d.Session == "" {
		return ""
	}
	for _, next := range svc.Index.Following(q.t.Scope, d.ID, 2) {
		if next.SourceKind == d.SourceKind && next.Agent == d.Agent && next.User == d.User {
			return next.ID
		}
	}
	return ""
}
