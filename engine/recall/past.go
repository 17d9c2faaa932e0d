package recall

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/recall/excerpt"
	"github.com/somnograph/somnograph/engine/recall/holding"
	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// A question about what was so at an earlier time also considers statements that were superseded since. Its other hits stay.
const (
	maxRetired   = 30 // superseded candidates that are compared
	retiredHits  = 5  // hits whose earlier versions are followed
	retiredSteps = 8  // versions that are followed from one hit
)

// pastAsked reads which past a search asks about; nil: none, or the caller says what to search.
func pastAsked(in SearchInput, now time.Time) *temporal.Past {
	if in.asNow || !in.Access.AsOf.IsZero() || len(in.Statuses) > 0 || in.TierPreference == ClustersOnly || !phrase.IsQuestion(in.Query) {
		return nil
	}
	p, ok := temporal.PastOf(in.Query, now)
	if !ok || phrase.Empty(p.Subject) {
		return nil // "What did we do in November?" is about no matter
	}
	return &p
}

// wasSo reports whether a superseded memory states what was so in the past that a search asks about. What was corrected never
// was.
func (q *query) wasSo(d *index.Doc) bool {
	from, to := heldIn(d)
	return q.retiring && d.SupersededBy != "" && d.Pattern == "" && to.After(from) && (!q.past.Timed() || q.past.Overlap(from, to) > 0)
}

// heldIn returns the interval in which a memory held, as known at present; zero: no end.
func heldIn(d *index.Doc) (from, to time.Time) {
	s := workspace.StateOf(d)
	if to = s.ValidTo; to.IsZero() && s.Status == graph.Superseded {
		to = s.From
	}
	return d.ValidFrom, to
}

// retired is a superseded memory that a search about the past found.
type retired struct {
	scored
	rank  int      // among all candidates, of those that are relevant enough by themselves
	after graph.ID // the hit that states what replaced it; empty: none
}

// withRetired inserts superseded memories that state what was so in the past that the question asks about: before the hit that
// replaced them, unless that held for longer in the time asked about, and before what has less to do with the question.
// No hit is dropped but for the limit.
func (svc *Service) withRetired(ctx context.Context, q *query, hits []scored) ([]scored, error) {
	if q.past == nil {
		return hits, nil
	}
	hits, err := svc.endedFirst(ctx, q, hits)
	if err != nil {
		return nil, err
	}
	p := *q
	p.retiring, p.facts, p.unsaid, p.in.head = true, nil, "", 0
	p.ask.Filter.Statuses = append(slices.Clone(q.ask.Filter.Statuses), graph.Superseded)
	if len(q.ask.Filter.Statuses) == 0 {
		p.ask.Filter.Statuses = append(p.ask.Filter.Statuses, graph.Active)
	}
	if err := svc.askMatter(ctx, &p); err != nil {
		return nil, err
	}
	found, err := svc.tracedIndex(ctx, &p)
	if err != nil {
		return nil, err
	}
	if p.fallsBack {
		if err := svc.fallBack(ctx, &p, found.Candidates); err != nil && ctx.Err() != nil {
			return nil, err
		}
	}
	p.considered, p.matters = found.Considered, found.HasTopics
	p.asked = whoIsAsked(p.in.Query, found.Candidates)
	if p.asksUser() {
		for i := range found.Candidates {
			if err := svc.readSources(ctx, &p, []*index.Doc{found.Candidates[i].Doc}); err != nil {
				return nil, err
			}
		}
	}
	p.rank(found.Candidates)
	all := svc.retiredOf(ctx, &p, hits)
	q.lack(p.degraded...)
	if len(all) == 0 {
		return hits, nil
	}
	if err := svc.linkBySlot(ctx, q, all, hits); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(r retired) bool { return r.rank == math.MaxInt && r.after == "" })
	if err := svc.orderRetired(ctx, q, all); err != nil {
		return nil, err
	}
	ranks := map[graph.ID]int{}
	for i := range p.kept {
		ranks[p.kept[i].Doc.ID] = i
	}
	out := slices.Clone(hits)
	last := map[graph.ID]graph.ID{} // by the hit that replaced it, the one inserted last
	for _, r := range all {
		if !among(out, r.Doc.ID) {
			out = q.insertRetired(out, r, ranks, last[r.after])
		}
		if r.after != "" {
			last[r.after] = r.Doc.ID
		}
	}
	if q.in.Order == OrderScore {
		bestFirst(out)
	}
	return out[:min(len(out), q.in.TopK)], nil
}

// endedFirst moves a memory that is in part ended in front of a hit that revised that part, if the part was so in the past that the question
// asks about.
func (svc *Service) endedFirst(ctx context.Context, q *query, hits []scored) ([]scored, error) {
	if q.past.Beside || q.in.Order == OrderScore {
		return hits, nil
	}
	texts, err := svc.hitsStored(ctx, q, hits)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(hits)
	for i, m := range texts {
		if m == nil || !hits[i].active {
			continue
		}
		for n := range m.Claims {
			s := m.Claims[n].State()
			at := slices.IndexFunc(out, func(k scored) bool { return k.Doc.ID == s.RevisedBy })
			if at < 0 || s.Withdrawn || s.ValidTo.After(q.now) {
				continue
			}
			now, until := heldIn(out[at].Doc)
			if from := lifecycle.FirstTime(s.ValidFrom, m.ValidFrom); !q.past.Timed() || q.past.Overlap(from, s.ValidTo) > 0 && q.past.Overlap(from, s.ValidTo) >= q.past.Overlap(now, until) {
				out = before(out, hits[i], s.RevisedBy)
			}
		}
	}
	return out, nil
}

// askMatter leaves the time out of the question of a search.
func (svc *Service) askMatter(ctx context.Context, p *query) (err error) {
	if p.past.Subject == p.in.Query {
		return nil
	}
	p.in.Query, p.ask.Texts = p.past.Subject, []string{p.past.Subject}
	if p.ask.Related != nil {
		p.ask.Related = related(p.in.Query)
	}
	if p.ask.Vector == nil {
		return nil
	}
	if p.ask.Vector, err = svc.embedQuery(ctx, p.t.Scope, p.ask.Filter.Namespaces, p.in.Query); err != nil && ctx.Err() == nil {
		p.lack(workspace.PartEmbedder, workspace.PartVectors)
		p.fallsBack, err = true, nil
	}
	return err
}

// retiredOf returns the superseded candidates of a search, and those of which one of the first hits is a later version.
func (svc *Service) retiredOf(ctx context.Context, p *query, hits []scored) (out []retired) {
	var pool []scored
	var ranks []int
	old := 0
	for i, k := range searchable(p, p.kept) {
		switch {
		case k.active && among(hits, k.Doc.ID):
		case !k.active && workspace.StateOf(k.Doc).Status == graph.Superseded && old < maxRetired:
			old++
		default:
			continue
		}
		pool, ranks = append(pool, k), append(ranks, i)
	}
	best, _ := svc.weigh(ctx, p, pool)
	least := max(*p.in.MinScoreRatio, answerRatio) * best
	for i, k := range pool {
		if k.active || p.marked[k.Doc.ID] > 0 {
			continue
		}
		r := retired{scored: k, rank: math.MaxInt, after: svc.replacedBy(p, k.Doc, hits)}
		if k.aboveFloor && k.relevance >= least {
			r.rank = ranks[i]
		}
		out = append(out, r)
	}
	for _, h := range hits[:min(retiredHits, len(hits))] {
		id := h.Doc.Supersedes
		for range retiredSteps {
			d, known := svc.Index.Doc(p.t.Scope, id)
			if !known {
				break
			}
			if k, passes := svc.candidate(p, id); passes && !k.active && p.marked[id] == 0 && !slices.ContainsFunc(out, func(r retired) bool { return r.Doc.ID == id }) {
				out = append(out, retired{scored: k, rank: math.MaxInt, after: h.Doc.ID})
			}
			id = d.Supersedes
		}
	}
	return out
}

// replacedBy returns the hit that replaced a memory, itself or through others; empty: none.
func (svc *Service) replacedBy(p *query, d *index.Doc, hits []scored) graph.ID {
	for range retiredSteps {
		id := d.SupersededBy
		if among(hits, id) {
			return id
		}
		next, known := svc.Index.Doc(p.t.Scope, id)
		if !known {
			return ""
		}
		d = next
	}
	return ""
}

// linkBySlot finds, for what no hit replaced, a hit of the same user that states something in the same slot.
func (svc *Service) linkBySlot(ctx context.Context, q *query, all []retired, hits []scored) error {
	hits = hits[:min(retiredHits, len(hits))]
	texts, err := svc.hitsStored(ctx, q, append(slices.Clone(hits), scoredOf(all)...))
	if err != nil {
		return err
	}
	for i := range all {
		for j, h := range hits {
			if all[i].after == "" && h.Doc.User == all[i].Doc.User && lifecycle.SharesSlotKey(texts[j], texts[len(hits)+i]) {
				all[i].after = h.Doc.ID
			}
		}
	}
	return nil
}

// orderRetired sorts superseded memories: those that one hit replaced are together, the most relevant first. Of a time, what held for longest
// in it comes first; else the last, or the first if the question asks for that. What was so before the words after "before" comes
// before what says them.
func (svc *Service) orderRetired(ctx context.Context, q *query, all []retired) error {
	since, err := svc.saidSince(ctx, q, all)
	if err != nil {
		return err
	}
	group := func(r retired) graph.ID { return cmp.Or(r.after, r.Doc.ID) }
	best := map[graph.ID]int{}
	for _, r := range all {
		if rank, known := best[group(r)]; !known || r.rank < rank {
			best[group(r)] = r.rank
		}
	}
	slices.SortStableFunc(all, func(a, b retired) int {
		if x, y := group(a), group(b); x != y {
			return cmp.Or(cmp.Compare(best[x], best[y]), cmp.Compare(x, y))
		}
		from, to := heldIn(a.Doc)
		start, end := heldIn(b.Doc)
		switch {
		case q.past.Timed():
			return cmp.Or(cmp.Compare(q.past.Overlap(start, end), q.past.Overlap(from, to)), cmp.Compare(a.rank, b.rank))
		case q.past.First, from.Before(since) != start.Before(since):
			return from.Compare(start)
		}
		return end.Compare(to)
	})
	return nil
}

// saidSince returns when the last superseded memory that says words after the "before" of the question began to hold; zero: none does.
func (svc *Service) saidSince(ctx context.Context, q *query, all []retired) (since time.Time, err error) {
	than := excerpt.Words(q.past.Than)
	if len(than) == 0 {
		return time.Time{}, nil
	}
	texts, err := svc.hitsStored(ctx, q, scoredOf(all))
	for _, m := range texts {
		if m != nil && m.ValidFrom.After(since) && excerpt.Shares(m.Content, than) {
			since = m.ValidFrom
		}
	}
	return since, err
}

func scoredOf(all []retired) []scored {
	out := make([]scored, len(all))
	for i, r := range all {
		out[i] = r.scored
	}
	return out
}

// insertRetired puts a superseded memory in its place among the hits, after another one if that is one. ranks are those of the candidates
// with it among them.
func (q *query) insertRetired(hits []scored, r retired, ranks map[graph.ID]int, follows graph.ID) []scored {
	indexOf := func(id graph.ID) int {
		return slices.IndexFunc(hits, func(k scored) bool { return id != "" && k.Doc.ID == id })
	}
	place := slices.IndexFunc(hits, func(k scored) bool {
		rank, known := ranks[k.Doc.ID]
		return r.rank < math.MaxInt && (!known || rank > r.rank)
	})
	if place < 0 {
		place = len(hits)
	}
	if at := indexOf(r.after); at >= 0 {
		r.relevance, r.aboveFloor = max(r.relevance, hits[at].relevance), r.aboveFloor || hits[at].aboveFloor
		from, to := heldIn(r.Doc)
		now, until := heldIn(hits[at].Doc)
		if q.past.Beside || q.past.Timed() && q.past.Overlap(now, until) > q.past.Overlap(from, to) {
			place = at + 1
		} else {
			place = min(place, at)
		}
	}
	return slices.Insert(hits, max(place, indexOf(follows)+1), r.scored)
}

// raisePast raises the scores of the items about what was so above those of the hits after them, because a prompt orders its items by score.
func (g *gathering) raisePast(items []prompt.Item) {
	if g.askedPast == nil || g.askedPast.Beside {
		return
	}
	best := 0.0
	for i := len(items) - 1; i >= 0; i-- {
		x := &items[i]
		v := g.shown[graph.ID(x.ID)]
		if x.Score <= best && (v.State.Status == graph.Superseded || isEndedInPart(v.Memory, g.t.Now())) {
			x.Score = math.Nextafter(best, 2)
		}
		best = max(best, x.Score)
	}
}

// isEndedInPart reports whether a part of a memory was revised or withdrawn.
func isEndedInPart(m *graph.Memory, now time.Time) bool {
	h := holding.Read(m, now)
	return !h.Ended.IsZero()
}
