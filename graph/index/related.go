package index

import (
	"math"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/text"
)

// Related lists words that a memory may contain instead of Word of the question.
type Related struct {
	Word   string
	Others []string
}

// relatedWeight is the weight of a related word relative to the word of the question.
const relatedWeight = 0.5

// relatedGroup is a term of a question with its related terms. The score treats them as one
// term, whose document frequency counts the memories that contain any of them (Pirkola, "The
// effects of query structure and dictionary setups in dictionary-based cross-language
// information retrieval", SIGIR 1998).
type relatedGroup struct {
	weight float32 // of the term in the question
	terms  []string
}

// relatedGroups returns the terms of a question that have related words, in order.
func relatedGroups(a *text.Analyser, q wordQuery, related []Related) []relatedGroup {
	var out []relatedGroup
	for _, t := range q {
		g := relatedGroup{weight: t.frequency, terms: []string{t.term}}
		for _, r := range related {
			if !slices.Contains(a.Terms(r.Word), t.term) {
				continue
			}
			for _, other := range r.Others {
				for _, term := range a.Terms(other) {
					if !slices.Contains(g.terms, term) {
						g.terms = append(g.terms, term)
					}
				}
			}
		}
		if len(g.terms) > 1 {
			out = append(out, g)
		}
	}
	return out
}

// addGroup adds the BM25 score of a group as one term.
func (v *view) addGroup(r *wordScores, into *ownScores, g relatedGroup) {
	for _, term := range g.terms {
		_, items := v.lookup(keyTerm, term)
		for _, it := range items {
			if int(it.slot) >= v.n {
				break
			}
			if r.group[it.slot] == 0 {
				r.grouped = append(r.grouped, it.slot)
			}
			r.group[it.slot] += it.frequency
		}
	}
	df := float64(len(r.grouped))
	weight := float32(v.idf(df)*(bm25K1+1)) * g.weight * relatedWeight
	for _, s := range r.grouped {
		tf := r.group[s]
		r.group[s] = 0
		if r.pass.Has(s) {
			into.add(s, weight*v.saturationAt(s, tf))
		}
	}
	r.grouped = r.grouped[:0]
}

// idf returns the idf of a term that df memories of the view contain.
func (v *view) idf(df float64) float64 {
	return math.Log(1 + max(0, float64(v.live)-df+0.5)/(df+0.5))
}

// smoothingMemories are imaginary memories without the word, which Rarity adds to the real ones:
// a store of three memories says little about which words are rare.
const smoothingMemories = 100

// Rarity returns a function that computes the weight of a word in the namespaces (all if none is
// given): the square of its idf divided by the highest possible idf, in [0,1], reduced for a
// word that only phrases the question; false for a stop word. The idf is squared because
// it would weight both sides of a cosine, and memories are embedded without it.
func (x *Index) Rarity(sc graph.Scope, namespaces []string) func(word string) (weight float64, known bool) {
	t := x.tenantOrNil(sc)
	if t == nil {
		return func(string) (float64, bool) { return 0, false }
	}
	weigh := t.termRarity(sc.Sight, namespaces)
	return func(word string) (float64, bool) {
		a := x.analysers.Get().(*text.Analyser)
		terms := a.Terms(word)
		x.analysers.Put(a)
		best := 0.0
		for _, term := range terms {
			best = max(best, weigh.squared(term))
		}
		return best, len(terms) > 0
	}
}

// termRarity weighs terms by the memories of some namespaces.
type termRarity struct {
	views []*view
	all   view    // has the memories of all views
	top   float64 // idf of a term that no memory contains
}

func (t *tenant) termRarity(s graph.Sight, namespaces []string) termRarity {
	r := termRarity{all: view{live: smoothingMemories}}
	for _, v := range t.views(s, namespaces) {
		r.views = append(r.views, v)
		r.all.live += v.live
	}
	r.top = r.all.idf(0)
	return r
}

// idf is the idf of a term divided by the highest possible idf, in [0,1].
func (r *termRarity) idf(term string) float64 {
	df := 0
	for _, v := range r.views {
		_, items := v.lookup(keyTerm, term)
		df += len(items)
	}
	return r.all.idf(float64(df)) / r.top
}

// squared is the square of the idf, reduced for a term that phrases the question.
func (r *termRarity) squared(term string) float64 {
	idf := r.idf(term)
	return idf * idf * float64(text.QuestionWeight(term))
}
