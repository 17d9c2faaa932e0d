package recall

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// A question that asks for a fact, "Where do I live?", is answered by the claim in its slot, whose
// text may share no word with it: "I moved to Bergen." Such a memory counts as near to the question
// as the nearest candidate, and answers although it has faded: it is still true.

// answerFactor multiplies the score of a memory with a claim that answers the question.
const answerFactor = 1.1

// maxFacts is the number of facts in a slot up to which each of them answers. A slot with more,
// such as what somebody likes, does not tell which of them is asked for.
const maxFacts = 2

// factsAsked returns the memories with a claim that holds now, in a slot that the question asks
// about. A question about the past, or about a time, has none.
func (svc *Service) factsAsked(ctx context.Context, c workspace.Caller, q *query) (map[graph.ID]bool, error) {
	if q.in.Query == "" || q.window.Bounded() || temporal.TenseOf(q.in.Query) == temporal.Before {
		return nil, nil
	}
	var found map[graph.ID]bool
	for _, slot := range reader.Asked(q.in.Query, reader.Hints{At: q.at}) {
		if reader.FirstPerson(slot.Subject) && q.in.User == "" {
			continue
		}
		facts, err := svc.Facts(ctx, c, FactsInput{
			Subject: slot.Subject, Predicate: slot.Predicate, User: q.in.User, Namespaces: q.in.Namespaces, Access: q.in.Access, First: maxFacts + 1,
		})
		if graph.CodeOf(err) == graph.CodeInvalidRequest || graph.CodeOf(err) == graph.CodeLimitExceeded {
			continue // the words name nothing
		}
		if err != nil {
			return nil, err
		}
		if len(facts) > maxFacts {
			continue
		}
		for _, f := range facts {
			if status := f.MemoryView.State.Status; status != graph.Active && status != graph.Archived {
				continue
			}
			if found == nil {
				found = map[graph.ID]bool{}
			}
			found[f.MemoryView.ID] = true
		}
	}
	return found, nil
}

// raiseFacts adds the memories that answer the question to the candidates, unless the search is
// narrowed further than to namespaces, a user and types, and raises their parts to the best ones.
func (svc *Service) raiseFacts(q *query, found *index.Result) {
	if len(q.facts) == 0 {
		return
	}
	var semantic, keyword float64
	missing := map[graph.ID]bool{}
	for id := range q.facts {
		missing[id] = true
	}
	for i := range found.Candidates {
		x := &found.Candidates[i]
		semantic, keyword = max(semantic, x.Semantic), max(keyword, x.Keyword)
		delete(missing, x.Doc.ID)
	}
	if !q.narrowed() {
		for id := range missing {
			if d, known := svc.Index.Doc(q.t.Scope, id); known && (len(q.in.Types) == 0 || slices.Contains(q.in.Types, d.Type)) {
				found.Candidates = append(found.Candidates, index.Candidate{Doc: d})
			}
		}
	}
	for i := range found.Candidates {
		if x := &found.Candidates[i]; q.facts[x.Doc.ID] {
			x.Semantic, x.Keyword = semantic, keyword
		}
	}
}

// narrowed reports whether the search has filters besides namespaces, user and types.
func (q *query) narrowed() bool {
	in := q.in
	return in.Project != "" || in.Session != "" || len(in.Tags) > 0 || len(in.Statuses) > 0 ||
		!in.Since.IsZero() || !in.Until.IsZero() || in.MinAuthority > 0 || in.MinImportance > 0
}

// answering is the factor for a memory with a claim that answers the question.
func (q *query) answering(d *index.Doc) float64 {
	if q.facts[d.ID] {
		return answerFactor
	}
	return 1
}
