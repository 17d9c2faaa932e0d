package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// settleRivals marks the items that are contested. Of two rivals it keeps the one that prevails,
// see lifecycle.Prevails, unless both were asked for. One that no layer has yet takes the place of
// the other. Core memories and the last turns stay.
func (g *gathering) settleRivals(ctx context.Context, ask *prompt.Input) error {
	rivals := map[graph.ID][]*workspace.View{}
	older := max(0, len(ask.Turns)-lastTurns)
	lists := []*[]prompt.Item{&ask.Procedural, &ask.Project, &ask.Memories, &ask.Documents}
	present := map[graph.ID]bool{}
	for _, list := range append(lists, &ask.Turns) {
		for _, x := range *list {
			present[graph.ID(x.ID)] = true
		}
	}
	for n := 0; n < len(lists); n++ {
		list := lists[n]
		for i := 0; i < len(*list); i++ { // the list grows
			x := &(*list)[i]
			best, err := g.prevailing(ctx, graph.ID(x.ID), rivals)
			if err != nil {
				return err
			}
			for _, v := range g.printed(graph.ID(x.ID), best, rivals) {
				if !present[v.ID] {
					present[v.ID] = true
					other := g.item(v, x.Score, "rival of "+x.ID)
					other.Rule = x.Rule && IsRule(v.Memory)
					*list = append(*list, other)
					x = &(*list)[i]
				}
			}
			x.Mark = withRivals(x.Mark, contestedMark(g.shown[graph.ID(x.ID)], rivals[graph.ID(x.ID)]))
		}
		*list = slices.DeleteFunc(*list, func(x prompt.Item) bool { return !x.Core && g.loses(graph.ID(x.ID), x, layerOf[n], rivals) })
	}
	for i := range ask.Turns {
		id := graph.ID(ask.Turns[i].ID)
		best, err := g.prevailing(ctx, id, rivals)
		if err != nil {
			return err
		}
		ask.Turns[i].Mark = withRivals(ask.Turns[i].Mark, contestedMark(g.shown[id], rivals[id]))
		if best != nil && i < older && !present[best.ID] {
			present[best.ID] = true
			other := g.item(best, 0, "rival of "+string(id))
			other.Mark = contestedMark(best, rivals[best.ID])
			ask.Memories = append(ask.Memories, other)
		}
	}
	kept := ask.Turns[:0]
	for i, x := range ask.Turns {
		if i >= older || !g.loses(graph.ID(x.ID), x, prompt.Conversation, rivals) {
			kept = append(kept, x)
		}
	}
	ask.Turns = kept
	return nil
}

// layerOf are the layers in order.
var layerOf = []prompt.Name{prompt.Procedural, prompt.Project, prompt.Memories, prompt.Documents, prompt.Conversation}

// memoriesLayer and turnsLayer are the places of the matching memories and of the conversation in layerOf.
const (
	memoriesLayer = 2
	turnsLayer    = 4
)

// lastTurns is the number of turns that stand in a prompt as they were said.
const lastTurns = 3

// printed returns the memories that are printed because of an item that another one prevails over: that one
// and the safety-critical rivals, or all rivals if both sides were asked for.
func (g *gathering) printed(id graph.ID, best *workspace.View, rivals map[graph.ID][]*workspace.View) []*workspace.View {
	switch {
	case g.in.Rivals:
		return rivals[id]
	case best == nil:
		return nil
	}
	out := slices.DeleteFunc(slices.Clone(rivals[id]), func(v *workspace.View) bool { return !v.SafetyCritical || v == best })
	return append(out, best)
}

// loses reports whether an item is left out because of a rival, and notes why. What is safety-critical stays. A standing rule is left
// out only for another rule that surely excludes it. A memory that answers the query and says a name of it that the
// rival does not say is about somebody else, and stays; patterns in conflict are about one matter. A memory that answers the query is also left out for
// one that answers it too and states something in the same slot. A rival that does not answer is more likely
// to be about something else. Without a slot in common the two may both hold, if they do not surely exclude each other.
// Otherwise both are printed, and the mark says that the other one is later.
func (g *gathering) loses(id graph.ID, x prompt.Item, layer prompt.Name, rivals map[graph.ID][]*workspace.View) bool {
	if g.in.Rivals {
		return false
	}
	m := g.shown[id].Memory
	if m.SafetyCritical {
		return false
	}
	for _, v := range rivals[id] {
		switch {
		case !lifecycle.Prevails(v.Memory, m), m.Pattern == nil && g.answers(id) && namesMore(g.in.Query, m.Content, v.Content),
			x.Rule && !IsRule(v.Memory): // a fact does not say that a rule no longer holds
			continue
		}
		r := g.relation(m, v.Memory)
		if unsure := r.Unsure || g.unsure[[2]graph.ID{id, v.ID}]; !unsure || !x.Rule && !r.Unsure && r.Slot && (!g.answers(id) || g.answers(v.ID)) {
			g.leave(x, layer, fmt.Sprintf("contested by %s, which prevails", v.ID))
			return true
		}
	}
	return false
}

// relation returns how the reader relates two memories in the order of their events.
func (g *gathering) relation(a, b *graph.Memory) reader.Relation {
	if lifecycle.CompareEvents(a, b) > 0 {
		a, b = b, a
	}
	return g.svc.Said.Relate(g.t.Scope.Tenant, a, b)
}

// namesMore reports whether a text says a name or a number of a question that another text does not say.
func namesMore(question, text, other string) bool {
	in, out := wordSetOf(text), wordSetOf(other)
	for i, w := range phrase.Parts(question) {
		if low := english.Lower(w); phrase.IsNameAt(w, i) && in[low] && !out[low] {
			return true
		}
	}
	return false
}

// answers reports whether a memory is one of the first topicAnswers hits of the query.
func (g *gathering) answers(id graph.ID) bool {
	return g.in.Query != "" && slices.ContainsFunc(g.matched[:min(topicAnswers, len(g.matched))], func(h Hit) bool { return h.Memory.ID == id })
}

// prevailing returns the memory that prevails over a contested one and over those that it
// contradicts, or nil if it prevails itself. It fills rivals on the way.
func (g *gathering) prevailing(ctx context.Context, id graph.ID, rivals map[graph.ID][]*workspace.View) (*workspace.View, error) {
	best := g.shown[id]
	for seen := map[graph.ID]bool{}; !seen[best.ID]; {
		seen[best.ID] = true
		if _, read := rivals[best.ID]; !read {
			found, err := g.rivalsOf(ctx, best)
			if err != nil {
				return nil, err
			}
			rivals[best.ID] = found
		}
		over := best
		for _, r := range rivals[over.ID] {
			if lifecycle.Prevails(r.Memory, over.Memory) && (best == over || lifecycle.CompareEvents(r.Memory, best.Memory) > 0) {
				best = r
			}
		}
	}
	if best.ID == id {
		return nil, nil
	}
	return best, nil
}

// rivalsOf returns the memories that contradict an ACTIVE contested one, were ACTIVE at the read's
// instant, and that the context may show.
func (g *gathering) rivalsOf(ctx context.Context, v *workspace.View) (out []*workspace.View, err error) {
	if v.State.Status != graph.Active || !lifecycle.MayBeContested(v.Conflict, v.Memory.Pattern != nil) || v.Unavailable != nil {
		return nil, nil
	}
	spaces, err := g.c.AllowedNamespaces(g.in.Namespaces)
	if err != nil {
		return nil, err
	}
	now := g.t.Now()
	var unsure []graph.ID
	err = g.t.View(ctx, func(r graph.Reader) error {
		out, unsure = nil, nil
		edges, err := r.Edges(v.ID, graph.Both, graph.Contradicts)
		if err != nil {
			return err
		}
		for _, edge := range edges {
			if edge.Weight <= 0 || edge.At.After(g.in.Access.Instant(now)) {
				continue
			}
			m, err := r.Memory(lifecycle.OtherEnd(edge, v.ID))
			if err != nil {
				return err
			}
			if !lifecycle.Contested(edge, v.Memory, m) {
				continue
			}
			w := workspace.Visible(m, g.c, g.in.Access, now)
			if w == nil || w.State.Status != graph.Active || g.owner() != "" && !workspace.SameOwner(g.owner(), m.User) || len(spaces) > 0 && !slices.Contains(spaces, m.Namespace) {
				continue
			}
			out = append(out, w)
			if edge.Weight < lifecycle.SurelyContested && m.Pattern == nil {
				unsure = append(unsure, w.ID)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, id := range unsure {
		g.unsure[[2]graph.ID{v.ID, id}] = true
	}
	g.svc.Verify(ctx, g.t.Scope, out...)
	return slices.DeleteFunc(out, func(w *workspace.View) bool { return w.Unavailable != nil }), nil
}

// withRivals adds the mark of a contested memory to one that it has. That of a corrected one stays: its words are those of who corrected it.
func withRivals(mark, contested string) string {
	switch {
	case contested == "":
		return mark
	case strings.HasPrefix(mark, correctedMark):
		return mark + ", " + contested
	}
	return contested
}

// contestedMark says who contests a memory, when, and whether that is later or earlier: contested
// by user "ana" 2026-03-05, later.
func contestedMark(v *workspace.View, rivals []*workspace.View) string {
	if len(rivals) == 0 {
		return ""
	}
	last := slices.MaxFunc(rivals, func(a, b *workspace.View) int { return lifecycle.CompareEvents(a.Memory, b.Memory) })
	when := "earlier"
	if lifecycle.CompareEvents(last.Memory, v.Memory) > 0 {
		when = "later"
	}
	role, name := speakerOf(last.Memory)
	return fmt.Sprintf("contested by %s %s, %s", prompt.Speaker(role, name), last.OccurredAt.UTC().Format("2006-01-02"), when)
}
