package recall

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/engine/recall/dead"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// maxOfDead is the number of memories about one person among which a death is looked for, the last written ones.
const maxOfDead = 16

// tellDeaths adds the death of everybody of whom an item tells.
func (g *gathering) tellDeaths(ctx context.Context, ask *prompt.Input) error {
	spaces, err := g.c.AllowedNamespaces(g.in.Namespaces)
	if err != nil {
		return err
	}
	seen := map[string]bool{} // items, and names
	items := slices.Concat(ask.Procedural, ask.Project, ask.Memories, ask.Turns)
	for i := range items {
		seen[items[i].ID] = true
	}
	for i := range items {
		for _, name := range dead.Spoken(g.shown[graph.ID(items[i].ID)].Memory) {
			if seen[name] {
				continue
			}
			seen[name] = true
			found, err := g.ofSubject(ctx, name, spaces)
			if err != nil {
				return err
			}
			for _, v := range found {
				if !seen[string(v.ID)] && dead.Tells(v.Memory, name) {
					seen[string(v.ID)] = true
					ask.Memories = append(ask.Memories, g.item(v, items[i].Score, "the death of "+name))
				}
			}
		}
	}
	return nil
}

// ofSubject returns the ACTIVE memories about a subject that the context may show.
func (g *gathering) ofSubject(ctx context.Context, name string, spaces []string) (out []*workspace.View, err error) {
	var ids []graph.ID
	for _, d := range g.svc.Index.MemoriesClaiming(g.t.Scope, spaces, claimkey.Subject(name), func(d *index.Doc) bool {
		return g.owner() == "" || workspace.SameOwner(g.owner(), d.User)
	}, maxOfDead) {
		ids = append(ids, d.ID)
	}
	now := g.t.Now()
	err = g.t.View(ctx, func(r graph.Reader) error {
		out = nil
		found, err := graph.Undamaged(r, ids)
		for _, m := range found {
			if m == nil || lifecycle.IsExpired(m, now) {
				continue
			}
			if w := workspace.Visible(m, g.c, g.in.Access, now); w != nil && w.State.Status == graph.Active {
				out = append(out, w)
			}
		}
		return err
	})
	g.svc.Verify(ctx, g.t.Scope, out...)
	return slices.DeleteFunc(out, func(w *workspace.View) bool { return w.Unavailable != nil }), err
}
