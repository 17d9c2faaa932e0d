package index

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/text"
)

// Word is a term of a memory.
type Word struct {
	Term      string
	Frequency float64 // weighted by field
	Rarity    float64 // as of Index.Rarity
}

// Words returns the terms of memories, each in alphabetical order, with their rarity in the namespaces (all if none is
// given). A memory that the index does not have has none.
func (x *Index) Words(sc graph.Scope, namespaces []string, docs []*Doc) [][]Word {
	out := make([][]Word, len(docs))
	t := x.tenantOrNil(sc)
	if t == nil {
		return out
	}
	weigh, known := t.termRarity(sc.Sight, namespaces), map[string]float64{}
	for i, d := range docs {
		for _, term := range t.termsOf(sc.Sight, d.ID) {
			if strings.HasPrefix(term.term, topicPrefix) {
				continue
			}
			w, seen := known[term.term]
			if !seen {
				w = weigh.squared(term.term)
				known[strings.Clone(term.term)] = w
			}
			out[i] = append(out[i], Word{term.term, float64(term.frequency), w})
		}
		slices.SortFunc(out[i], func(a, b Word) int { return strings.Compare(a.Term, b.Term) })
	}
	return out
}

// Coverage returns, for each memory, the share of the text's terms that it contains, weighted by
// their idf in the namespaces (all if none is given), in [0,1]. A related word instead of a term
// counts relatedWeight. A single letter or digit counts as missing. It is 0 for all if the text
// has no term.
func (x *Index) Coverage(sc graph.Scope, namespaces []string, query string, related []Related, docs []*Doc) []float64 {
	out := make([]float64, len(docs))
	t := x.tenantOrNil(sc)
	if t == nil {
		return out
	}
	a := x.analysers.Get().(*text.Analyser)
	defer x.analysers.Put(a)
	questions := parseWordQueries(a, []string{query})
	if len(questions) == 0 {
		return out
	}
	weigh, groups := t.termRarity(sc.Sight, namespaces), relatedGroups(a, questions[0], related)
	sum := 0.0
	weights := make([]float64, len(questions[0]))
	for i, q := range questions[0] {
		weights[i] = weigh.idf(q.term) * float64(q.frequency)
		sum += weights[i]
	}
	for i, d := range docs {
		terms := t.termsOf(sc.Sight, d.ID)
		has := func(term string) bool {
			return slices.ContainsFunc(terms, func(x termCount) bool { return x.term == term })
		}
		for j, q := range questions[0] {
			switch {
			case len(q.term) == 1:
			case has(q.term):
				out[i] += weights[j] / sum
			case slices.ContainsFunc(groups, func(g relatedGroup) bool { return g.terms[0] == q.term && slices.ContainsFunc(g.terms, has) }):
				out[i] += relatedWeight * weights[j] / sum
			}
		}
	}
	return out
}

// termsOf returns the words and topics of a memory, none if the tenant does not have it.
func (t *tenant) termsOf(s graph.Sight, id graph.ID) []termCount {
	v, slot, d := t.findMemory(s, id)
	if d == nil {
		return nil
	}
	terms := v.chunks[slot>>slots.ChunkBits].terms[slot&slots.ChunkMask]
	if terms == nil {
		return nil
	}
	out, _ := v.postings.termsOf(terms)
	return out
}
