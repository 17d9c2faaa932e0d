package recall

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// demoteDisputed ranks a contradicted memory below the contradicting memory if that has more
// precedence (see lifecycle.ComparePrecedence), else more authority, or the same and is the later one, whatever their scores. A question of the past keeps
// the order of statements with the same authority. Scores do not change. A
// contradicting memory that was not chosen, or that no channel found, is inserted and the last hit is dropped if there
// are more than limit.
func (svc *Service) demoteDisputed(ctx context.Context, q *query, chosen []scored, limit int) ([]scored, error) {
	if !slices.ContainsFunc(chosen, disputed) {
		return chosen, nil
	}
	past := q.window.Bounded() || temporal.TenseOf(q.in.Query) == temporal.Before
	out := slices.Clone(chosen)
	err := q.t.View(ctx, func(r graph.Reader) error {
		out = append(out[:0], chosen...)
		for _, weak := range chosen {
			if !disputed(weak) {
				continue
			}
			edges, err := r.Edges(weak.Doc.ID, graph.Both, graph.Contradicts)
			if err != nil {
				return err
			}
			for _, edge := range edges {
				if edge.At.After(q.at) || edge.Weight <= lifecycle.ContestedAbove {
					continue
				}
				strong, found := svc.candidate(q, lifecycle.OtherEnd(edge, weak.Doc.ID))
				if !found {
					continue
				}
				later := !past && edge.From == strong.Doc.ID && strong.Doc.Authority == weak.Doc.Authority
				if later {
					other, err := svc.asksWhatStands(r, q, weak, strong)
					if err != nil {
						return err
					}
					later = !other
				}
				switch c := workspace.CompareRivals(strong.Doc, weak.Doc); {
				case !strong.active:
				case c > 0 || c == 0 && (later || strong.Doc.Authority > weak.Doc.Authority):
					out = inFront(out, strong, weak.Doc.ID, limit)
				case c < 0:
					out = inFront(out, weak, strong.Doc.ID, limit)
				case !past && edge.From == weak.Doc.ID && !graph.Contests(weak.Doc.User, strong.Doc.User) && strong.Doc.Authority <= weak.Doc.Authority:
					out = inFront(out, weak, strong.Doc.ID, limit) // the other one does not know that it is disputed
				}
			}
		}
		return nil
	})
	return out, err
}

// asksWhatStands reports that a question is about what a memory says besides what a later one disputes.
func (svc *Service) asksWhatStands(r graph.Reader, q *query, weak, strong scored) (bool, error) {
	found, err := graph.Undamaged(r, []graph.ID{weak.Doc.ID, strong.Doc.ID})
	if err != nil || found[0] == nil || found[1] == nil {
		return false, err
	}
	return q.asksRest(found[0], found[1], svc.Said.Relate(q.t.Scope.Tenant, found[0], found[1]).Earlier), nil
}

// candidate returns a memory as a candidate of the search, also if no channel found it: it must pass the filter of the search
// and may not have faded. The candidate is not scored then.
func (svc *Service) candidate(q *query, id graph.ID) (scored, bool) {
	for _, list := range [][]scored{q.kept, q.unlike} {
		if i := slices.IndexFunc(list, func(k scored) bool { return k.Doc.ID == id }); i >= 0 {
			return list[i], true
		}
	}
	doc := svc.Index.Passing(q.t.Scope, &q.ask.Filter, q.now, id)
	if doc == nil {
		return scored{}, false
	}
	return q.asCandidate(&index.Candidate{Doc: doc})
}

// disputed reports whether a memory is ACTIVE and its conflict exceeds
// lifecycle.ContestedAbove.
func disputed(k scored) bool { return k.active && k.Doc.Conflict > lifecycle.ContestedAbove }

// mayBeContested reports a hit that is disputed, or a pattern that contradicts another one: while nobody has decided, both are contested,
// though the more confident one answers.
func mayBeContested(k scored) bool {
	return k.active && lifecycle.MayBeContested(k.Doc.Conflict, k.Doc.Pattern != "")
}

// inFront moves a hit directly before another, or inserts it there.
func inFront(hits []scored, one scored, other graph.ID, limit int) []scored {
	place := func(id graph.ID) int {
		return slices.IndexFunc(hits, func(k scored) bool { return k.Doc.ID == id })
	}
	at, behind := place(one.Doc.ID), place(other)
	if behind < 0 || at >= 0 && at < behind {
		return hits
	}
	if at >= 0 {
		hits = slices.Delete(hits, at, at+1)
	}
	hits = slices.Insert(hits, behind, one)
	return hits[:min(limit, len(hits))]
}

// maxRivals is the number of rivals of one hit that are read.
const maxRivals = 50

// contest says what contests hits, of what the caller sees.
type contest struct {
	rivals map[graph.ID][]graph.ID // of each hit, as of the search, the strongest conflict first
	now    map[graph.ID]bool       // hits that are contested at present
}

// contested reports whether something that the caller sees contests a memory at present.
func (x contest) contested(c workspace.Caller, m *graph.Memory) bool {
	if s := c.Sight(); s.LimitsOwners() || s.LimitsClasses() {
		return x.now[m.ID] // the signal counts what others see, too
	}
	return x.now[m.ID] || m.Conflict > lifecycle.ContestedAbove
}

// contest returns, for the contested hits, the ACTIVE memories that contradict them and that the
// caller sees.
func (svc *Service) contest(ctx context.Context, c workspace.Caller, q *query, chosen []scored) (contest, error) {
	found := contest{map[graph.ID][]graph.ID{}, map[graph.ID]bool{}}
	if !slices.ContainsFunc(chosen, mayBeContested) {
		return found, nil
	}
	err := q.t.View(ctx, func(r graph.Reader) error {
		clear(found.rivals)
		clear(found.now)
		for _, hit := range chosen {
			if !mayBeContested(hit) {
				continue
			}
			edges, err := r.Edges(hit.Doc.ID, graph.Both, graph.Contradicts)
			if err != nil {
				return err
			}
			edges = slices.DeleteFunc(edges, func(e graph.Edge) bool { return !lifecycle.MayBeContested(e.Weight, hit.Doc.Pattern != "") })
			slices.SortStableFunc(edges, func(a, b graph.Edge) int { return cmp.Compare(b.Weight, a.Weight) })
			for _, edge := range edges[:min(len(edges), maxRivals)] {
				m, err := r.Memory(lifecycle.OtherEnd(edge, hit.Doc.ID))
				if known, err := graph.Found(err); err != nil {
					return err
				} else if !known || edge.Weight <= lifecycle.ContestedAbove && m.Pattern == nil {
					continue
				}
				found.add(c, q, hit.Doc, m, edge.At.After(q.at))
			}
		}
		return nil
	})
	return found, err
}

// add takes in that a hit and m contradict each other; later: since after the search's instant.
func (x contest) add(c workspace.Caller, q *query, hit *index.Doc, m *graph.Memory, later bool) {
	v := workspace.Visible(m, c, q.in.Access, q.now)
	if v == nil {
		return
	}
	both := !graph.Contests(hit.User, m.User) // the signal of m does not say so
	if m.Status() == graph.Active {
		x.now[hit.ID] = true
		x.now[m.ID] = x.now[m.ID] || both
	}
	if later || v.State.Status != graph.Active {
		return
	}
	if !slices.Contains(x.rivals[hit.ID], m.ID) {
		x.rivals[hit.ID] = append(x.rivals[hit.ID], m.ID)
	}
	if both && !slices.Contains(x.rivals[m.ID], hit.ID) {
		x.rivals[m.ID] = append(x.rivals[m.ID], hit.ID)
	}
}

// inParts orders the first hits by themselves if the search asks for a head, so that they are those of a
// search for so many: what is moved to the front from farther down would push them out. order returns at
// most limit hits. What it drops from the head is offered to the rest.
func (q *query) inParts(hits []scored, order func(part []scored, limit int) ([]scored, error)) ([]scored, error) {
	n := q.in.head
	if n == 0 || len(hits) <= n {
		return order(hits, q.in.TopK)
	}
	head, err := order(hits[:n:n], n)
	if err != nil {
		return nil, err
	}
	in := map[graph.ID]bool{}
	for _, k := range head {
		in[k.Doc.ID] = true
	}
	var rest []scored
	for _, k := range hits {
		if !in[k.Doc.ID] {
			rest = append(rest, k)
		}
	}
	tail, err := order(rest, q.in.TopK-len(head))
	if err != nil {
		return nil, err
	}
	for _, k := range tail {
		if !in[k.Doc.ID] { // a rival that order inserted may be in the head
			head = append(head, k)
		}
	}
	return head, nil
}
