package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Candidates per layer. The token budget decides how many are kept.
const (
	contextRules     = 20
	contextProject   = 20
	contextMemories  = mmrPool // as a search, so that both order the same candidates for diversity
	contextDocuments = 20
	contextTurns     = 60
	maxContextTokens = 1 << 20
)

// Context assembles the prompt context of an agent: rules, the project and the core, matching
// memories, document chunks and the recent turns. Hits of its query may count as used, unless
// in.Preview is set; the rest is only shown.
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
	if least := prompt.LeastTokens(format); in.TokenBudget > 0 && in.TokenBudget < least {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "tokenBudget", "must be at least %d in the format %s, the tokens of an empty context", least, format)
	}
	t, err := svc.open(ctx, c)
	if err != nil {
		return nil, err
	}
	turns, err := svc.turns(ctx, c, in)
	if err != nil {
		return nil, err
	}
	a := asking{text: in.Query, session: in.Session, user: in.User, namespaces: in.Namespaces}
	if last := len(turns) - 1; in.Query == "" && last >= 0 {
		// Without a query, the last turn is the query.
		in.Query = workspace.Truncate(turns[last].Content, maxQuery)
		if turns[last].SourceKind == graph.FromUser {
			a.text = in.Query
		}
	}
	g := &gathering{askedPast: pastAsked(SearchInput{Query: in.Query, Access: in.Access}, t.Now()), svc: svc, t: t, c: c, in: in, taken: map[graph.ID]bool{}, turn: map[graph.ID]bool{}, heeded: map[graph.ID]bool{}, shown: map[graph.ID]*workspace.View{}, unsure: map[[2]graph.ID]bool{}}
	ask := prompt.Input{Budget: in.TokenBudget, Format: format, Turns: g.turns(turns)}
	for i, v := range turns {
		g.turn[v.ID], g.taken[v.ID] = true, i >= len(turns)-lastTurns // the last ones always appear
	}
	if ask.Tasks, err = g.todos(ctx); err != nil {
		return nil, err
	}
	if err := g.fill(ctx, &ask); err != nil {
		return nil, err
	}
	if err := g.dropChanged(ctx, &ask); err != nil {
		return nil, err
	}
	if err := g.tellDeaths(ctx, &ask); err != nil {
		return nil, err
	}
	if err := g.settleRivals(ctx, &ask); err != nil {
		return nil, err
	}
	if err := g.topics(ctx, &ask); err != nil {
		return nil, err
	}
	g.focus(&ask, in.Access.Instant(t.Now()))
	if err := g.embed(ctx, &ask); err != nil {
		return nil, err
	}
	result, err := prompt.Assemble(ask)
	if err != nil {
		return nil, err
	}
	result.Items = g.explained(result.Items)
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
		t.Expose(len(used))
		return result, nil
	}
	g.count(ctx, a, result, used, now)
	svc.sessions.NotePrompt(t.Tenant, a.matches(c), used)
	return result, nil
}

// count counts the uses and exposures of a prompt, and renews the rules in it. An open task that
// matches the query is a hit of it; any other one is used only if the answer says something of it.
func (g *gathering) count(ctx context.Context, ask asking, result *prompt.Result, shown []graph.ID, now time.Time) {
	ask.at = now
	hits, tasks := slices.Clone(g.hits), slices.Clone(g.tasks)
	tasks = slices.DeleteFunc(tasks, func(v *workspace.View) bool {
		at := slices.IndexFunc(g.matched, func(h Hit) bool { return h.Memory.ID == v.ID && h.AboveFloor && h.Relevance > 0 })
		if at >= 0 {
			hits = append(hits, g.matched[at])
		}
		return at >= 0
	})
	in := func(id graph.ID) bool {
		_, in := slices.BinarySearch(shown, id)
		return in
	}
	hits = slices.DeleteFunc(hits, func(h Hit) bool { return !in(h.Memory.ID) })
	answers := answersOf(hits)
	for _, v := range tasks {
		if in(v.ID) {
			answers = append(answers, recalledOf(v.Memory, false))
		}
	}
	g.t.Expose(len(shown))
	g.svc.use(ctx, g.t, g.c, ask, answers)
	var rules []*workspace.View
	for _, layer := range result.Layers {
		if layer.Name != prompt.Procedural {
			continue
		}
		for _, id := range layer.MemoryIDs {
			if v := g.shown[graph.ID(id)]; v != nil {
				rules = append(rules, v)
			}
		}
	}
	g.svc.keepRules(ctx, g.t, rules, now)
}

// turns returns the last turns of the session, oldest first. Turns that were consolidated into
// a memory or superseded are included. Tasks are not, because they are extracted and not spoken.
func (svc *Service) turns(ctx context.Context, c workspace.Caller, in ContextInput) ([]*workspace.View, error) {
	statuses := []graph.Status{graph.Active, graph.Consolidated, graph.Superseded}
	list, err := svc.Memories(ctx, c, workspace.ListInput{
		Namespaces: in.Namespaces, Session: in.Session, Statuses: statuses, Access: in.Access, First: contextTurns, Descending: true,
	})
	if err != nil {
		return nil, err
	}
	turns := slices.DeleteFunc(list.Memories, func(v *workspace.View) bool {
		return v.Unavailable != nil || in.User != "" && !workspace.SameOwner(c.Reads(in.User), v.User) || v.State.Status != graph.Active && !workspace.WasTurn(v.Memory) || lifecycle.IsTask(v.Memory)
	})
	slices.SortStableFunc(turns, func(a, b *workspace.View) int {
		return cmp.Or(a.OccurredAt.Compare(b.OccurredAt), cmp.Compare(a.ID, b.ID))
	})
	return turns, nil
}

// gathering collects the layers. Each memory is in one layer only.
type gathering struct {
	svc       *Service
	t         *tenant
	c         workspace.Caller
	in        ContextInput
	askedPast *temporal.Past // what of the past the query asks about; nil: the present
	taken     map[graph.ID]bool
	turn      map[graph.ID]bool            // turns of the conversation, which take no place of the first answers
	heeded    map[graph.ID]bool            // what is there whatever the query is, and a hit if it matches the query
	shown     map[graph.ID]*workspace.View // view of every item
	unsure    map[[2]graph.ID]bool         // pairs of rivals that may both hold
	left      []prompt.Placed              // what was left out before the prompt was assembled
	hits      []Hit                        // items that match the query
	tasks     []*workspace.View            // open tasks
	matched   []Hit                        // hits of the search for the layer of memories
}

// owner is the user whose memories, and those of nobody, the context shows; "": of anybody.
func (g *gathering) owner() string { return g.c.Reads(cmp.Or(g.in.User, g.c.User)) }

// leave notes why an item is left out.
func (g *gathering) leave(x prompt.Item, layer prompt.Name, why string) {
	g.left = append(g.left, prompt.Placed{ID: x.ID, Layer: layer, Reason: why})
}

// explained adds what was left out before the prompt was assembled. Each id appears once.
func (g *gathering) explained(items []prompt.Placed) []prompt.Placed {
	known := map[string]bool{}
	for _, p := range items {
		known[p.ID] = true
	}
	for _, p := range g.left {
		if !known[p.ID] {
			known[p.ID] = true
			items = append(items, p)
		}
	}
	return items
}

// fill finds the items of the first four layers.
func (g *gathering) fill(ctx context.Context, ask *prompt.Input) error {
	pinned, rules, critical, err := g.always(ctx)
	if err != nil {
		return err
	}
	if ask.Project, err = g.core(ctx, pinned); err != nil {
		return err
	}
	if ask.Procedural, err = g.rules(ctx, rules); err != nil {
		return err
	}
	heeded, err := g.heed(ctx)
	if err != nil {
		return err
	}
	ask.Procedural = append(ask.Procedural, heeded...)
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
	g.leaveAside(ask)
	rest, err := g.safety(ctx, critical)
	if err != nil {
		return err
	}
	ask.Procedural = append(ask.Procedural, rest...)
	return g.cover(ctx, ask.Procedural, ask.Project, ask.Memories)
}

// search finds the items of one layer among the user's memories and those without a user.
func (g *gathering) search(ctx context.Context, n int, types []graph.Type, project string) ([]prompt.Item, error) {
	mode := ModeAnswer
	if g.in.Query == "" {
		mode = ModeManager
	}
	ratio := contextRatio
	// What has faded stands where the present memories would. Without a query everything would match.
	further := types[0] == graph.Semantic && project == "" && g.in.Query != ""
	switch {
	case types[0] == graph.Procedural:
		ratio = 0 // rules hold whatever the query is
	case g.in.MinScoreRatio != nil:
		ratio = *g.in.MinScoreRatio
	case further:
		ratio = answerRatio // the first hits are those of a search; answersToo is stricter with the others
	}
	in := SearchInput{
		MinScoreRatio: &ratio, presentOnly: !further, asNow: !further, Query: g.in.Query, TopK: n, Mode: mode, Namespaces: g.in.Namespaces, User: g.in.User,
		Project: project, Types: types, Access: g.in.Access,
	}
	if further {
		in.head = topicAnswers
	}
	r, err := g.svc.Search(ctx, g.c, in)
	if err != nil {
		return nil, err
	}
	if further {
		g.matched = slices.DeleteFunc(slices.Clone(r.Hits), func(h Hit) bool { return g.turn[h.Memory.ID] })
	}
	scores := leadingScores(r.Hits)
	var items []prompt.Item
	found, best := map[graph.ID]bool{}, 0.0
	others := 0
	for i, h := range r.Hits {
		found[h.Memory.ID] = true
		if !g.turn[h.Memory.ID] {
			others++
		}
		if g.heeded[h.Memory.ID] {
			g.hits, g.heeded[h.Memory.ID] = append(g.hits, h), false
		}
		if g.taken[h.Memory.ID] || h.Memory.Unavailable != nil {
			continue
		}
		if best = max(best, h.Relevance); further && others > topicAnswers && !g.answersToo(h, best) {
			g.leave(prompt.Item{ID: string(h.Memory.ID)}, prompt.Memories, fmt.Sprintf("ten others match better; relevance %.2f", h.Relevance))
			continue
		}
		if types[0] == graph.Procedural && !lifecycle.Instructs(h.Memory.Memory) {
			g.leave(prompt.Item{ID: string(h.Memory.ID)}, prompt.Procedural, "neither the user nor the system laid it down")
			continue
		}
		g.taken[h.Memory.ID] = true
		g.hits = append(g.hits, h)
		x := g.item(h.Memory, scores[i], g.why(h, project))
		if types[0] == graph.Procedural && !g.mayBind(h.Memory.SourceKind, h.Memory.Consent, h.Memory.Project) {
			x.Score-- // after what the user and the system lay down
		}
		if h.Label == Faded {
			x.Mark = cmp.Or(x.Mark, fadedMark)
		}
		items = append(items, x)
	}
	if further {
		g.raisePast(items)
	}
	if !g.in.Explain || g.in.Query == "" || ratio == 0 {
		return items, nil
	}
	in.MinScoreRatio = new(float64)
	if r, err = g.svc.Search(ctx, g.c, in); err != nil {
		return nil, err
	}
	for _, h := range r.Hits {
		if !found[h.Memory.ID] {
			layer := prompt.Memories
			if types[0] == graph.Document {
				layer = prompt.Documents
			}
			g.leave(prompt.Item{ID: string(h.Memory.ID)}, layer, fmt.Sprintf("of too little relevance for the query: %.2f", h.Relevance))
		}
	}
	return items, nil
}

// leadingScores returns the score of each hit, or of the best hit after it: a later statement that the search put before an
// earlier one of more score is printed before it.
func leadingScores(hits []Hit) []float64 {
	scores := make([]float64, len(hits))
	best := 0.0
	for i, h := range slices.Backward(hits) {
		best = max(best, h.Score)
		scores[i] = best
	}
	return scores
}

// why says why a hit is offered to the prompt.
func (g *gathering) why(h Hit, project string) string {
	about := "recent and important"
	if g.in.Query != "" {
		about = fmt.Sprintf("matches the query, relevance %.2f", h.Relevance)
	}
	if project != "" {
		about = "of the project; " + about
	}
	return fmt.Sprintf("%s, score %.2f", about, h.Score)
}

// always finds the index entries of what does not depend on the query: memories that were ever
// pinned, those that may be standing rules, and others that are safety-critical.
func (g *gathering) always(ctx context.Context) (pinned []graph.ID, rules, critical []*index.Doc, err error) {
	spaces, err := g.c.AllowedNamespaces(g.in.Namespaces)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := g.t.Current(ctx); err != nil {
		return nil, nil, nil, err
	}
	g.svc.Index.Docs(g.t.Scope, func(d *index.Doc) bool {
		if !workspace.SameOwner(g.owner(), d.User) || len(spaces) > 0 && !slices.Contains(spaces, d.Namespace) {
			return true
		}
		if slices.ContainsFunc(d.History, func(s graph.State) bool { return s.Core }) {
			pinned = append(pinned, d.ID)
		}
		if g.mayRule(d) {
			rules = append(rules, d)
		}
		if d.SafetyCritical && g.mayBind(d.SourceKind, d.Consent, d.Project) {
			critical = append(critical, d)
		}
		return true
	})
	return pinned, rules, critical, nil
}

// core returns those memories that were pinned at the read's instant.
func (g *gathering) core(ctx context.Context, ids []graph.ID) ([]prompt.Item, error) {
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
		x := g.item(v, 1, "pinned")
		x.Core = true
		items = append(items, x)
	}
	return items, nil
}

// turns makes items of the turns.
func (g *gathering) turns(views []*workspace.View) []prompt.Item {
	var items []prompt.Item
	for i, v := range views {
		why := "a turn of the session"
		if i >= len(views)-lastTurns {
			why = "one of the last turns of the session"
		}
		items = append(items, g.item(v, 0, why))
	}
	return items
}

func (g *gathering) item(v *workspace.View, score float64, why string) prompt.Item {
	g.shown[v.ID] = v
	x := prompt.Item{ID: string(v.ID), Text: v.Content, Score: score, At: v.OccurredAt, Lines: linesOf(v.Memory), Why: why}
	x.Role, x.Who = speakerOf(v.Memory)
	if g.in.Project != "" && v.Project != "" && v.Project != g.in.Project {
		x.Mark = "project " + strconv.Quote(v.Project) // what is so there need not be so here
	}
	return x
}

// speakerOf returns the role of who says a memory, and the name if it is known.
func speakerOf(m *graph.Memory) (role, name string) {
	switch m.SourceKind {
	case graph.FromUser:
		return "user", cmp.Or(graph.UserOf(m.User), m.Agent)
	case graph.FromConsolidation:
		return "summary", ""
	}
	return strings.ToLower(string(m.SourceKind)), m.Agent
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
		g.svc.Log.WarnContext(ctx, "[READ] vectors are not available; a context may contain near-duplicates", "error", err)
		return nil
	}
	for i, x := range to {
		x.Vector = vectors[i]
	}
	return nil
}
