package recall

import (
	"context"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/question"
	"github.com/somnograph/somnograph/engine/recall/phrase"
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

// answerLead is the share, of what is left up to 1, by which such a memory leads the others if its
// score is not above theirs; times its score, which keeps the order of several.
const answerLead = 0.05

// Numbers of facts up to which each of them answers: of those in a slot, and of those that state an
// attribute. A slot with more, such as what somebody likes, does not tell which of them is asked for.
const (
	maxFacts  = 2
	maxStated = 6
)

// overviewFacts is the number of facts of which an overview of a user is made.
const overviewFacts = 500

// factsAsked finds the memories with a claim that holds now and states an attribute that the question
// asks for, or is in a slot that it asks about. A question about the past, or about a time, has none,
// but one for what stays, such as an origin.
func (svc *Service) factsAsked(ctx context.Context, c workspace.Caller, q *query) error {
	if q.in.Query == "" || q.window.Bounded() {
		return nil
	}
	before := temporal.TenseOf(q.wording) == temporal.Before
	q.facts = map[graph.ID]bool{}
	for _, x := range attribute.Question(q.wording) {
		if before && !x.Stays {
			continue
		}
		n := len(q.facts)
		for _, name := range x.Attributes {
			if err := svc.addFacts(ctx, c, q, FactsInput{Subject: x.Subject, attribute: name, IncludePast: x.Stays}, maxStated); err != nil {
				return err
			}
			if len(q.facts) > n {
				break
			}
		}
		if len(q.facts) > n {
			continue
		}
		if past, err := svc.stated(ctx, c, q, FactsInput{Subject: x.Subject, attribute: x.Attributes[0], IncludePast: true, First: 1}); err != nil {
			return err
		} else if len(past) == 0 && phrase.Somebody(x.Subject) {
			q.unsaid = x.Subject
		}
	}
	for _, slot := range question.Asked(q.wording, reader.Hints{At: q.at}) {
		if before || reader.FirstPerson(slot.Subject) && q.in.User == "" {
			continue
		}
		if err := svc.addFacts(ctx, c, q, FactsInput{Subject: slot.Subject, Predicate: slot.Predicate}, maxFacts); err != nil {
			return err
		}
	}
	if len(q.facts) > 0 {
		q.unsaid = ""
	}
	return nil
}

// stated returns facts of what the query searches, none if the words name nothing.
func (svc *Service) stated(ctx context.Context, c workspace.Caller, q *query, in FactsInput) ([]workspace.ClaimView, error) {
	in.User, in.Namespaces, in.Access = q.in.User, q.in.Namespaces, q.in.Access
	facts, err := svc.facts(ctx, c, in)
	if graph.CodeOf(err) == graph.CodeInvalidRequest || graph.CodeOf(err) == graph.CodeLimitExceeded {
		return nil, nil
	}
	return facts, err
}

// addFacts adds the memories with a fact, if there are at most as many.
func (svc *Service) addFacts(ctx context.Context, c workspace.Caller, q *query, in FactsInput, most int) error {
	in.First = most + 1
	facts, err := svc.stated(ctx, c, q, in)
	if err != nil || len(facts) > most {
		return err
	}
	for _, f := range facts {
		if status := f.MemoryView.State.Status; status == graph.Active || status == graph.Archived {
			q.facts[f.MemoryView.ID] = true
		}
	}
	return nil
}

// factsOfUser makes the facts of the user the only answers to a question for all that is known of the user, if there are any. The first
// ones by predicate are read.
func (svc *Service) factsOfUser(ctx context.Context, c workspace.Caller, q *query) error {
	in := FactsInput{Subject: q.in.User, User: q.in.User, Namespaces: q.in.Namespaces, Access: q.in.Access, belongings: true, First: overviewFacts}
	facts, err := svc.facts(ctx, c, in)
	q.facts = map[graph.ID]bool{}
	for _, f := range facts {
		q.facts[f.MemoryView.ID] = true
	}
	q.overview = len(q.facts) > 0
	return err
}

// raiseFacts adds the memories that answer the question to the candidates, unless the search is
// narrowed further than to namespaces, a user and types, and raises their parts to the best ones.
func (svc *Service) raiseFacts(q *query, found *index.Result) {
	if len(q.facts) == 0 {
		return
	}
	semantic, keyword := lowestFloor, 0.0 // it may share nothing with the question
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

// mayAnswer reports which hits may answer the question: all, but if no claim states what it asks
// for, only what is about whom it asks about. Where Tom works does not answer "Where do I work?"
func (svc *Service) mayAnswer(q *query, hits []scored) []bool {
	own := reader.FirstPerson(strings.ToLower(q.unsaid))
	said := svc.Index.Coverage(q.t.Scope, q.ask.Filter.Namespaces, q.unsaid, related(q.unsaid), docsOf(hits))
	may := make([]bool, len(hits))
	for i, k := range hits {
		may[i] = q.unsaid == "" || own && q.aboutUser(k.Doc) || !own && (said[i] > 0 || k.Graph > 0 || namesAgent(phrase.Parts(q.unsaid), k.Doc.Agent))
	}
	return may
}

// serving returns the hits that say what somebody does, if the question asks who has the role and no claim names anybody, see
// phrase.Serves.
func (svc *Service) serving(ctx context.Context, q *query, hits []scored) (map[graph.ID]bool, error) {
	words := phrase.Words(q.unsaid)
	if len(words) < 2 || !phrase.AsksWho(q.wording) {
		return nil, nil
	}
	texts, err := svc.hitsStored(ctx, q, hits)
	if err != nil {
		return nil, err
	}
	serves := map[graph.ID]bool{}
	for _, m := range texts {
		if m != nil && phrase.Serves(words[len(words)-1], m.Content) {
			serves[m.ID] = true
		}
	}
	return serves, nil
}

// answersFirst raises the scores of the memories that answer the question above all others.
func (q *query) answersFirst(kept []scored) {
	best := 0.0
	for i := range kept {
		if !q.facts[kept[i].Doc.ID] {
			best = max(best, kept[i].score)
		}
	}
	for i := range kept {
		if k := &kept[i]; q.facts[k.Doc.ID] && k.score <= best {
			k.score = best + (1-best)*answerLead*k.score
		}
	}
}

// answering is the factor for a memory with a claim that answers the question.
func (q *query) answering(d *index.Doc) float64 {
	if q.facts[d.ID] {
		return answerFactor
	}
	return 1
}
