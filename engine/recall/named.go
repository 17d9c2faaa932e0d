package recall

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/graph"
)

const (
	// mentionsNames is the share of the question's names, weighted by rarity, from which a hit says
	// whom or what the question is about.
	mentionsNames = 0.5
	// namelessFactor is the factor on the relevance of a hit that says no name of the question while
	// another does.
	namelessFactor = 0.25
	// topicAlone is the share of the question's topics from which a hit may answer that shares no word
	// with the question but names.
	topicAlone = 1.0 / 3
	// answersInWords is the share of the question's words, without names and weighted by rarity, from
	// which a hit makes answers without any less likely.
	answersInWords = 0.7
)

// wording is what the words of a question say about a hit.
type wording struct {
	nameless bool // it says no name of the question, nor do its entities lead there, while another hit says them
	wordless bool // it shares no word with the question but names, and no hit shares most of them or both are about the user
}

// wordings compares the hits with the names of the question and with its other words. The names
// are the capitalised words after the first one, without those of speakers, also as possessives
// without an apostrophe: people rarely say their own names. Words with related ones in the lexicon count as those.
func (svc *Service) wordings(q *query, hits []scored) []wording {
	out := make([]wording, len(hits))
	names, others := phrase.SplitNames(q.in.Query)
	docs := docsOf(hits)
	share := func(words []string) []float64 {
		return svc.Index.Coverage(q.t.Scope, q.ask.Filter.Namespaces, strings.Join(words, " "), q.ask.Related, docs)
	}
	if len(others) > 0 {
		said := share(others)
		inWords := slices.Max(said) >= answersInWords
		for i, k := range hits {
			own := q.asked.kind == graph.FromUser && q.aboutUser(k.Doc)
			out[i].wordless = said[i] == 0 && (own || !inWords)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(hits, func(k scored) bool {
			return slices.ContainsFunc(phrase.Parts(k.Doc.Agent), func(w string) bool { return name == w || name == w+"s" })
		})
	})
	if len(names) == 0 {
		return out
	}
	said := share(names)
	if slices.Max(said) < mentionsNames {
		return out
	}
	for i, k := range hits {
		out[i].nameless = said[i] == 0 && k.Graph == 0 && !k.crossed
	}
	return out
}
