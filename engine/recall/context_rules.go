package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Limits of the standing rules of a context.
const (
	maxRules     = 64      // rules in one context; the budget keeps fewer
	maxRulesRead = 2048    // memories read in one context to find rules; the next one reads on
	rulesBatch   = 128     // memories read at once
	rulesCached  = 1 << 16 // per tenant
)

// ruleCache knows which memories state a standing rule. The text of an id never changes, and the
// cache holds no text. It is safe for concurrent use.
type ruleCache struct {
	mu    sync.Mutex
	known *simplelru.LRU[graph.ID, bool]
}

func newRuleCache() *ruleCache {
	known, err := simplelru.NewLRU[graph.ID, bool](rulesCached, nil)
	if err != nil { // only for a size below 1
		panic(err)
	}
	return &ruleCache{known: known}
}

func (x *ruleCache) get(id graph.ID) (rule, known bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.known.Get(id)
}

func (x *ruleCache) put(id graph.ID, rule bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.known.Add(id, rule)
}

// mayRule reports whether a memory may be a standing rule of the context: a procedure, or a turn
// that is not analysed yet, of the user or of nobody.
func (g *gathering) mayRule(d *index.Doc) bool {
	return g.mayBind(d.SourceKind, d.Consent, d.Project) && (d.Type == graph.Procedural || workspace.StateOf(d).Tier == graph.L0)
}

// mayBind reports whether a memory may be in the context whatever the query is: it is of the project or of none. Only
// people and the system lay down rules: a text that a tool or a document brought is not in every prompt.
func (g *gathering) mayBind(from graph.SourceKind, consent graph.Consent, project string) bool {
	return (from == graph.FromUser || from == graph.FromSystem) && consent != graph.ConsentNone && (project == "" || project == g.in.Project)
}

// rules returns the standing rules, the most important ones first, and of those equally important
// the newest ones. They do not depend on the query.
func (g *gathering) rules(ctx context.Context, docs []*index.Doc) ([]prompt.Item, error) {
	slices.SortFunc(docs, func(a, b *index.Doc) int {
		return cmp.Or(cmp.Compare(b.Importance, a.Importance), b.OccurredAt.Compare(a.OccurredAt), cmp.Compare(b.ID, a.ID))
	})
	var items []prompt.Item
	read := 0
	for len(docs) > 0 && len(items) < maxRules && read < maxRulesRead {
		var batch []graph.ID
		for len(docs) > 0 && len(batch) < rulesBatch {
			if rule, known := g.t.rules.get(docs[0].ID); rule || !known {
				batch = append(batch, docs[0].ID)
			}
			docs = docs[1:]
		}
		read += len(batch)
		views, err := g.svc.MemoriesByID(ctx, g.c, batch, g.in.Access)
		if err != nil {
			return nil, err
		}
		for _, v := range views {
			if v == nil || v.Unavailable != nil || v.State.Status != graph.Active && !g.past(v) || g.taken[v.ID] {
				continue
			}
			rule, known := g.t.rules.get(v.ID)
			if !known {
				rule = IsRule(v.Memory)
				g.t.rules.put(v.ID, rule)
			}
			if rule && len(items) < maxRules {
				g.taken[v.ID] = true
				x := g.item(v, v.Importance, fmt.Sprintf("standing rule, importance %.2f", v.Importance))
				x.Rule = true
				items = append(items, x)
			}
		}
	}
	return items, nil
}

// heed adds what has to be heeded whatever the query is, because harm follows: what memories say so of the user or the
// user's family. They are like rules.
func (g *gathering) heed(ctx context.Context) ([]prompt.Item, error) {
	facts, err := g.svc.facts(ctx, g.c, FactsInput{
		Subject: "I", attribute: attribute.Care, User: cmp.Or(g.in.User, g.c.User), Namespaces: g.in.Namespaces, Access: g.in.Access, First: maxRules,
	})
	if err != nil {
		return nil, err
	}
	ids := make([]graph.ID, len(facts))
	for i, f := range facts {
		ids[i] = f.MemoryView.ID
	}
	items, err := g.binding(ctx, ids, "harm follows if it is not heeded")
	for i := range items {
		items[i].Rule, g.heeded[graph.ID(items[i].ID)] = true, true
	}
	return items, err
}

// safety returns safety-critical memories that no other search found, the most important ones first.
func (g *gathering) safety(ctx context.Context, docs []*index.Doc) ([]prompt.Item, error) {
	slices.SortFunc(docs, func(a, b *index.Doc) int {
		return cmp.Or(cmp.Compare(b.Importance, a.Importance), b.OccurredAt.Compare(a.OccurredAt), cmp.Compare(b.ID, a.ID))
	})
	ids := make([]graph.ID, 0, maxRules)
	for _, d := range docs[:min(maxRules, len(docs))] {
		ids = append(ids, d.ID)
	}
	return g.binding(ctx, ids, "safety-critical")
}

// binding returns items of the memories that may be in the context whatever the query is, and are not there yet.
func (g *gathering) binding(ctx context.Context, ids []graph.ID, why string) (items []prompt.Item, err error) {
	views, err := g.svc.MemoriesByID(ctx, g.c, ids, g.in.Access)
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		if v == nil || v.Unavailable != nil || g.taken[v.ID] || !g.mayBind(v.SourceKind, v.Consent, v.Project) ||
			v.State.Status != graph.Active && v.State.Status != graph.Archived {
			continue
		}
		g.taken[v.ID] = true
		items = append(items, g.item(v, v.Importance, fmt.Sprintf("%s, importance %.2f", why, v.Importance)))
	}
	return items, nil
}

// IsRule reports whether a memory states a standing rule. In a procedure, a request counts as one.
func IsRule(m *graph.Memory) bool {
	r := reader.RuleIn(m.Content)
	return r == reader.StandingRule || r == reader.Request && m.Type == graph.Procedural
}

// leaveAside leaves out procedures that match the query much less than what answers it: a search for procedures
// alone compares them with each other only, and where none answers, all seem to. Standing rules and what is
// safety-critical stay.
func (g *gathering) leaveAside(ask *prompt.Input) {
	if g.in.Query == "" {
		return
	}
	ratio := answerRatio
	if g.in.MinScoreRatio != nil {
		ratio = *g.in.MinScoreRatio
	}
	relevance, best := map[string]float64{}, 0.0
	for _, h := range g.hits {
		relevance[string(h.Memory.ID)] = h.Relevance
		best = max(best, h.Relevance)
	}
	ask.Procedural = slices.DeleteFunc(ask.Procedural, func(x prompt.Item) bool {
		r, matched := relevance[x.ID]
		if !matched || x.Rule || r >= ratio*best || g.shown[graph.ID(x.ID)].SafetyCritical {
			return false
		}
		g.leave(x, prompt.Procedural, fmt.Sprintf("of too little relevance for the query: %.2f", r))
		return true
	})
}
