package recall

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Candidates per layer. The token budget decides how many are kept.
const (
	contextRules     = 20
	contextProject   = 20
	contextMemories  = 60
	contextDocuments = 20
	contextTurns     = 60
	maxContextTokens = 1 << 20
)

// Context assembles the prompt context of an agent: rules, the project and the core, matching
// memories, document chunks and the recent turns. The memories in it count as used, unless
// in.Preview is set.
func (svc *Service) Context(ctx context.Context, c workspace.Caller, in ContextInput) (*prompt.Result, error) {
	if in.Session == "" {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "session", "is required")
	}
	if in.TokenBudget < 0 || in.TokenBudget > maxContextTokens {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "tokenBudget", "must be 1 to %d", maxContextTokens)
	}
	format := prompt.Format(cmp.Or(in.Format, string(prompt.Markdown)))
	if format != prompt.Markdown && format != prompt.XML && format != prompt.JSON {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "format", "must be MARKDOWN, XML or JSON")
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	turns, err := svc.turns(ctx, c, in)
	if err != nil {
		return nil, err
	}
	if in.Query == "" && len(turns) > 0 {
		// Without a query, the last turn is the query.
		in.Query = workspace.Truncate(turns[len(turns)-1].Content, maxQuery)
	}
	g := &gathering{svc: svc, t: t, c: c, in: in, taken: map[graph.ID]bool{}, shown: map[graph.ID]*workspace.View{}}
	for _, v := range turns {
		g.taken[v.ID] = true
	}
	ask := prompt.Input{Budget: in.TokenBudget, Format: format, Turns: g.items(turns)}
	if err := g.fill(ctx, &ask); err != nil {
		return nil, err
	}
	if err := g.embed(ctx, &ask); err != nil {
		return nil, err
	}
	result, err := prompt.Assemble(ask)
	if err != nil {
		return nil, err
	}
	var used []graph.ID
	for _, l := range result.Layers {
		for _, id := range l.MemoryIDs {
			used = append(used, graph.ID(id))
		}
	}
	slices.Sort(used)
	used = slices.Compact(used)
	now := t.Now()
	t.Served.Context(result, g.shown, now)
	if in.Preview {
		return result, nil
	}
	svc.CountUses(ctx, t.Tenant, used, now)
	user := cmp.Or(in.User, c.User)
	svc.sessions.NotePrompt(t.Tenant, func(k workspace.Conversation) bool {
		return k.Session == in.Session && c.Sees(k.Namespace, k.User) && (user == "" || user == k.User) &&
			(len(in.Namespaces) == 0 || slices.Contains(in.Namespaces, k.Namespace))
	}, used)
	return result, nil
}

// turns returns the last turns of the session, oldest first. Turns that were consolidated into
// a memory are included. Tasks are not, because they are extracted and not spoken.
func (svc *Service) turns(ctx context.Context, c workspace.Caller, in ContextInput) ([]*workspace.View, error) {
	statuses := []graph.Status{graph.Active, graph.Consolidated}
	if !in.Access.AsOf.Valid.IsZero() {
		statuses = append(statuses, graph.Superseded)
	}
	list, err := svc.Memories(ctx, c, workspace.ListInput{
		Namespaces: in.Namespaces, Session: in.Session, Statuses: statuses, Access: in.Access, First: contextTurns, Descending: true,
	})
	if err != nil {
		return nil, err
	}
	turns := slices.DeleteFunc(list.Memories, func(v *workspace.View) bool {
		return in.User != "" && !workspace.SameOwner(in.User, v.User) || v.State.Status == graph.Consolidated && !workspace.WasTurn(v.Memory) || lifecycle.IsTask(v.Memory)
	})
	slices.SortStableFunc(turns, func(a, b *workspace.View) int {
		return cmp.Or(a.OccurredAt.Compare(b.OccurredAt), cmp.Compare(a.ID, b.ID))
	})
	return turns, nil
}

// gathering collects the layers. Each memory is in one layer only.
type gathering struct {
	svc   *Service
	t     *tenant
	c     workspace.Caller
	in    ContextInput
	taken map[graph.ID]bool
	shown map[graph.ID]*workspace.View // view of every item
}

// fill finds the items of the first four layers.
func (g *gathering) fill(ctx context.Context, ask *prompt.Input) error {
	core, err := g.core(ctx)
	if err != nil {
		return err
	}
	ask.Project = core
	for _, layer := range []struct {
		into    *[]prompt.Item
		n       int
		types   []graph.Type
		project string
	}{
		{&ask.Procedural, contextRules, []graph.Type{graph.Procedural}, ""},
		{&ask.Project, contextProject, []graph.Type{graph.Semantic, graph.Episodic, graph.Working}, g.in.Project},
		{&ask.Memories, contextMemories, []graph.Type{graph.Semantic, graph.Episodic, graph.Working}, ""},
		{&ask.Documents, contextDocuments, []graph.Type{graph.Document}, ""},
	} {
		if layer.into == &ask.Project && layer.project == "" {
			continue
		}
		found, err := g.search(ctx, layer.n, layer.types, layer.project)
		if err != nil {
			return err
		}
		*layer.into = append(*layer.into, found...)
	}
	return g.cover(ctx, ask.Procedural, ask.Project, ask.Memories)
}

// search finds the items of one layer among the user's memories and those without a user.
func (g *gathering) search(ctx context.Context, n int, types []graph.Type, project string) ([]prompt.Item, error) {
	mode := ModeAnswer
	if g.in.Query == "" {
		mode = ModeManager
	}
	r, err := g.svc.Search(ctx, g.c, SearchInput{
		Query: g.in.Query, TopK: n, Mode: mode, Namespaces: g.in.Namespaces, User: g.in.User, shared: true,
		Project: project, Types: types, Access: g.in.Access,
	})
	if err != nil {
		return nil, err
	}
	var items []prompt.Item
	for _, h := range r.Hits {
		if g.taken[h.Memory.ID] || h.Memory.Unavailable != nil {
			continue
		}
		g.taken[h.Memory.ID] = true
		items = append(items, g.item(h.Memory, h.Score))
	}
	return items, nil
}

// core returns the memories that were pinned at the read's instant.
func (g *gathering) core(ctx context.Context) ([]prompt.Item, error) {
	spaces, err := g.c.AllowedNamespaces(g.in.Namespaces)
	if err != nil {
		return nil, err
	}
	if err := g.t.Current(ctx); err != nil {
		return nil, err
	}
	var ids []graph.ID
	g.svc.Index.Docs(g.t.Scope, func(d *index.Doc) bool {
		everCore := slices.ContainsFunc(d.History, func(s graph.State) bool { return s.Core })
		if everCore && workspace.SameOwner(cmp.Or(g.in.User, g.c.User), d.User) && (len(spaces) == 0 || slices.Contains(spaces, d.Namespace)) {
			ids = append(ids, d.ID)
		}
		return true
	})
	views, err := g.svc.MemoriesByID(ctx, g.c, ids, g.in.Access)
	if err != nil {
		return nil, err
	}
	var items []prompt.Item
	for _, v := range views {
		if v == nil || v.Unavailable != nil || !v.State.Core || v.State.Status != graph.Active || g.taken[v.ID] {
			continue
		}
		g.taken[v.ID] = true
		x := g.item(v, 1)
		x.Core = true
		items = append(items, x)
	}
	return items, nil
}

func (g *gathering) items(views []*workspace.View) []prompt.Item {
	var items []prompt.Item
	for _, v := range views {
		if v.Unavailable == nil {
			items = append(items, g.item(v, 0))
		}
	}
	return items
}

func (g *gathering) item(v *workspace.View, score float64) prompt.Item {
	g.shown[v.ID] = v
	x := prompt.Item{ID: string(v.ID), Text: v.Content, Score: score, At: v.OccurredAt, Who: cmp.Or(v.Agent, v.User), Lines: linesOf(v.Memory)}
	if workspace.WasTurn(v.Memory) {
		x.Who = workspace.Speaker(v.Memory)
	}
	return x
}

// embed sets the vectors of the items, which deduplication compares. If the vectors are
// unavailable, deduplication compares texts only.
func (g *gathering) embed(ctx context.Context, ask *prompt.Input) error {
	var docs []*index.Doc
	var to []*prompt.Item
	for _, layer := range [][]prompt.Item{ask.Procedural, ask.Project, ask.Memories, ask.Documents, ask.Turns} {
		for i := range layer {
			if d, ok := g.svc.Index.Doc(g.t.Scope, graph.ID(layer[i].ID)); ok && d.Embedded {
				docs, to = append(docs, d), append(to, &layer[i])
			}
		}
	}
	vectors, err := g.svc.Index.Vectors(ctx, g.t.Scope, docs)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		g.svc.Log.Warn("[READ] vectors are not available; a context may contain near-duplicates", "error", err)
		return nil
	}
	for i, x := range to {
		x.Vector = vectors[i]
	}
	return nil
}
