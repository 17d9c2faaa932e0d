package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/recall/excerpt"
	"github.com/somnograph/somnograph/engine/recall/holding"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/internal/counted"
)

// A question over a long history matches many members of a cluster. The first ones answer it and
// are printed; one line about the cluster stands for the others.

const (
	longTopic     = 10 // members from which a cluster may have a line
	maxTopics     = 3  // lines in a context
	topicAnswers  = 10 // matching memories that are printed whatever their cluster and relevance
	topicExcerpt  = 90 // bytes of a quoted memory
	quoteAttempts = 8  // members that are read to find one to quote
)

// answerShare is the share of the best relevance from which a matching memory after the first
// topicAnswers is printed, unless the question asks for several things.
const answerShare = 0.85

// answersToo reports whether a hit after the first topicAnswers still answers the question.
func (g *gathering) answersToo(h Hit, best float64) bool {
	return h.AboveFloor && (h.Relevance >= answerShare*best || attribute.AsksForSeveral(g.in.Query))
}

// topics adds a line for each long cluster whose members fill the memories, where the line is
// shorter than what it stands for.
func (g *gathering) topics(ctx context.Context, ask *prompt.Input) error {
	if g.in.Query == "" || !g.in.Access.AsOf.IsZero() || len(ask.Memories) <= topicAnswers {
		return nil
	}
	v, err := g.svc.groups.Latest(ctx, g.t.Tenant)
	if err != nil {
		return g.svc.PublicError(err)
	}
	var all []topic
	for in, items := range g.surplus(v, ask.Memories) {
		if t := (topic{id: in, items: items}); g.readTopic(v, &t) {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b topic) int { return cmp.Or(b.tokens-a.tokens, cmp.Compare(a.id, b.id)) })
	all = all[:min(maxTopics, len(all))]
	if len(all) == 0 {
		return nil
	}
	if err := g.name(ctx, all); err != nil {
		return err
	}
	printed := map[graph.ID]bool{}
	for _, list := range [][]prompt.Item{ask.Procedural, ask.Project, ask.Memories, ask.Documents, ask.Turns} {
		for _, x := range list {
			printed[graph.ID(x.ID)] = true
		}
	}
	for i := range all {
		for _, x := range all[i].items {
			delete(printed, graph.ID(x.ID))
		}
	}
	for i := range all {
		line, err := g.topicLine(ctx, &all[i], printed)
		if err != nil {
			return err
		}
		if prompt.Count(line.Text) < all[i].tokens {
			ask.Memories = append(ask.Memories, line)
		}
	}
	return nil
}

// topic is a cluster whose line stands for items.
type topic struct {
	id     graph.ID
	label  string
	items  []prompt.Item // that the line replaces, the best first
	tokens int           // of the items
	docs   []*index.Doc  // permitted members, the oldest event first
	medoid graph.ID      // empty: not permitted
}

// surplus returns, by cluster, the matching memories after the first topicAnswers.
func (g *gathering) surplus(v *grouping.View, items []prompt.Item) map[graph.ID][]prompt.Item {
	of := map[string]prompt.Item{}
	for _, x := range items {
		if !x.Core && !x.Rule {
			of[x.ID] = x
		}
	}
	out := map[graph.ID][]prompt.Item{}
	for _, h := range g.matched[min(topicAnswers, len(g.matched)):] {
		x, there := of[string(h.Memory.ID)]
		if h.Memory.SafetyCritical || h.Tier == TierPattern || !there {
			continue
		}
		if in, _, ok := v.Of(h.Memory.ID); ok {
			out[in] = append(out[in], x)
		}
	}
	return out
}

// readTopic reads the members of a cluster that the read permits. It reports whether there are
// enough of them for a line.
func (g *gathering) readTopic(v *grouping.View, t *topic) bool {
	consents := g.in.Access.Consents()
	for _, d := range v.Docs(t.id) {
		if len(consents) == 0 || slices.Contains(consents, d.Consent) {
			t.docs = append(t.docs, d)
		}
	}
	if len(t.docs) < longTopic {
		return false
	}
	c, _ := v.Cluster(t.id)
	if slices.ContainsFunc(t.docs, func(d *index.Doc) bool { return d.ID == c.Medoid }) {
		t.medoid = c.Medoid
	}
	slices.SortFunc(t.docs, func(a, b *index.Doc) int {
		return cmp.Or(a.OccurredAt.Compare(b.OccurredAt), cmp.Compare(a.ID, b.ID))
	})
	for _, x := range t.items {
		t.tokens += prompt.Count(x.Text)
	}
	return true
}

// name sets the labels of the topics. A label is made from all members that the caller sees, so a
// read that is permitted fewer gets none.
func (g *gathering) name(ctx context.Context, all []topic) error {
	if len(g.in.Access.Consents()) > 0 {
		return nil
	}
	ids := make([]graph.ID, len(all))
	for i := range all {
		ids[i] = all[i].id
	}
	found, err := g.svc.groups.ByID(ctx, g.c, ids)
	if err != nil {
		return err
	}
	for i, c := range found {
		if c != nil {
			all[i].label = c.Label.Text
		}
	}
	return nil
}

// topicLine writes the line of a topic: the number of memories, when they happened, the most typical
// and the latest one. It quotes neither what is printed anyway nor what is not current.
func (g *gathering) topicLine(ctx context.Context, t *topic, printed map[graph.ID]bool) (prompt.Item, error) {
	x := prompt.Item{Topic: true, Score: t.items[0].Score, Why: "a line about a topic with many memories"}
	for _, item := range t.items {
		x.Covers = append(x.Covers, item.ID)
	}
	text := "Topic"
	if t.label != "" {
		text += fmt.Sprintf(" \"%s\"", excerpt.Quotable(t.label, topicExcerpt))
	}
	text += fmt.Sprintf(": %s %s", counted.Of(len(t.docs), "memory"), excerpt.Period(t.docs[0].OccurredAt, t.docs[len(t.docs)-1].OccurredAt))
	var latest []graph.ID
	for _, d := range slices.Backward(t.docs) {
		if latest = append(latest, d.ID); len(latest) == quoteAttempts {
			break
		}
	}
	for _, quote := range []struct {
		what string
		of   []graph.ID
	}{{"most typical", []graph.ID{t.medoid}}, {"latest", latest}} {
		v, err := g.currentOf(ctx, quote.of)
		if err != nil {
			return x, err
		}
		if v == nil || printed[v.ID] {
			continue
		}
		printed[v.ID], g.shown[v.ID] = true, v
		x.Quotes = append(x.Quotes, string(v.ID))
		text += fmt.Sprintf("; %s: \"%s\"", quote.what, excerpt.Quotable(v.Content, topicExcerpt))
	}
	x.Text = text
	return x, nil
}

// currentOf returns the first of some memories whose text is true at present and not contested; nil:
// none is. A safety-critical one, which is never shortened, must be short.
func (g *gathering) currentOf(ctx context.Context, ids []graph.ID) (*workspace.View, error) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id graph.ID) bool { return id == "" })
	if len(ids) == 0 {
		return nil, nil
	}
	views, err := g.svc.MemoriesByID(ctx, g.c, ids, g.in.Access)
	if err != nil {
		return nil, err
	}
	now := g.t.Now()
	var found *workspace.View
	err = g.t.View(ctx, func(r graph.Reader) error {
		found = nil
		for _, v := range views {
			if v == nil || v.Unavailable != nil || v.State.Status != graph.Active || v.Conflict > lifecycle.ContestedAbove || v.SafetyCritical && len(v.Content) > topicExcerpt {
				continue
			}
			since, err := lifecycle.ChangedSince(r, v.Memory, now)
			if err != nil {
				return err
			}
			if h := holding.Read(v.Memory, now); since.IsZero() && !h.Changed() {
				found = v
				return nil
			}
		}
		return nil
	})
	return found, err
}
