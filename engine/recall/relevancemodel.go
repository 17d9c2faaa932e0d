package recall

import (
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/graph/index"
)

// reorder moves candidates up that use the words of the best ones, see rank.ByModel. It runs only
// for ACCURATE searches with a query.
func (svc *Service) reorder(q *query) {
	if q.in.Effort != EffortAccurate || q.in.Query == "" || len(q.kept) <= rank.ModelTop {
		return
	}
	pool := q.kept[:min(rank.ModelPool, len(q.kept))]
	texts := make([]rank.Text, len(pool))
	for i, words := range svc.Index.Words(q.t.Scope, q.ask.Filter.Namespaces, docsOf(pool)) {
		texts[i].Score = pool[i].score
		for _, w := range words {
			texts[i].Terms = append(texts[i].Terms, rank.Term{Text: w.Term, Frequency: w.Frequency, Rarity: w.Rarity})
		}
	}
	values := rank.ByModel(texts)
	best := pool[0].score
	for i := range q.kept {
		k := &q.kept[i]
		k.beforeModel, k.reordered = k.score, true
		k.score *= 1 - rank.ModelShare
		if i < len(values) {
			k.model = values[i]
			k.score += rank.ModelShare * best * values[i]
		}
	}
	bestFirst(q.kept)
}

// docsOf returns the index documents of candidates.
func docsOf(pool []scored) []*index.Doc {
	docs := make([]*index.Doc, len(pool))
	for i, k := range pool {
		docs[i] = k.Doc
	}
	return docs
}

// explainModel wraps the explanation of the score before the relevance model.
func (k scored) explainModel(x *rank.Explanation) *rank.Explanation {
	if !k.reordered {
		return x
	}
	return &rank.Explanation{Value: k.scoreBeforeCross(), Message: "0.8 · score + 0.2 · best score · words in common with the best hits", Children: []*rank.Explanation{
		{Value: k.model, Message: "words in common with the best hits, relative to the candidate with most"}, x,
	}}
}
