package ingest

import (
	"cmp"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

// ofPlan completes the revision of a plan that a later statement calls off, or moves to another day, after an instant. It reports false if the memory
// keeps no claim of the plan by which the rest of what it states could go on.
func (r *Revision) ofPlan(earlier statement, how reader.Relation, now time.Time) bool {
	n := claimOf(earlier, how.Earlier)
	if how.Day.IsZero() {
		r.off = true
		if earlier.said.Facts() > 1 || earlier.said.Sentences() > 1 || len(earlier.memory.Claims) > 1 {
			r.claim = n
			return n > 0
		}
		return true
	}
	r.claim, r.moved = n, graph.Millis(how.Day)
	return n > 0 && earlier.memory.Claim(n).State().ValidFrom.After(now)
}

// onePlan drops the revisions of plans if there are several plans that the statement may mean.
func (x *Relations) onePlan() *Relations {
	var first *graph.ClaimState
	several := false
	for i := range x.Revised {
		if c := x.Revised[i].plan(); c != nil && first == nil {
			first = c
		} else if c != nil && c.Object != first.Object && (c.Subject != first.Subject || c.Predicate != first.Predicate || c.ValidFrom.After(x.Revised[i].memory.ValidFrom)) {
			several = true
		}
	}
	if several {
		x.Revised = slices.DeleteFunc(x.Revised, func(r Revision) bool { return r.plan() != nil })
	}
	return x
}

// oneIllness drops the revisions of illnesses if there are several from which a recovery may be that names none.
func (x *Relations) oneIllness() {
	var first string
	several := false
	for i := range x.Revised {
		is := x.Revised[i].illness
		several = several || is != "" && first != "" && is != first
		first = cmp.Or(first, is)
	}
	if several {
		x.Revised = slices.DeleteFunc(x.Revised, func(r Revision) bool { return r.illness != "" })
	}
}

// plan returns what the plan says that a statement calls off or moves; nil: the revision is of another kind, or the plan has no claim.
func (r *Revision) plan() *graph.ClaimState {
	if !r.off && r.moved.IsZero() || len(r.memory.Claims) == 0 {
		return nil
	}
	c := &r.memory.Claims[0]
	if r.claim > 0 {
		c = r.memory.Claim(r.claim)
	}
	state := c.State()
	return &state
}

// movePlan moves the beginning of a plan to another day, and with it the end of what it ends. The revision keeps when that is recorded.
func (s *WriteTx) movePlan(r *Revision) error {
	plan := r.memory
	was := plan.Claim(r.claim).State().ValidFrom
	r.recorded = plan.Claim(r.claim).SetState(s.Now, func(st *graph.ClaimState) { st.ValidFrom = r.moved })
	if err := s.rebind(plan); err != nil {
		return err
	}
	plan.UpdatedAt = s.Now
	if err := s.Tx.PutMemory(plan, graph.EventUpdated); err != nil {
		return err
	}
	return s.eachEnded(plan, func(st graph.ClaimState) bool { return st.ValidTo.Equal(was) }, func(c *graph.Claim) {
		c.SetState(s.Now, func(st *graph.ClaimState) { st.ValidTo = r.moved })
	})
}

// rebind gives a plan with another day the decay constant by which it lasts until that day.
func (s *WriteTx) rebind(plan *graph.Memory) error {
	p, err := s.Policy(plan.Namespace)
	if err == nil {
		lifecycle.BindPolicy(plan, p)
	}
	return err
}

// eachEnded changes the claims that a plan ends and that have a state, and writes their memories.
func (s *WriteTx) eachEnded(plan *graph.Memory, has func(graph.ClaimState) bool, change func(*graph.Claim)) error {
	ended, err := s.endedBy(plan.ID)
	if err != nil {
		return err
	}
	for _, m := range ended {
		changed := false
		for i := range m.Claims {
			if c := &m.Claims[i]; c.State().RevisedBy == plan.ID && has(c.State()) {
				change(c)
				changed = true
			}
		}
		if !changed {
			continue
		}
		m.UpdatedAt = s.Now
		if err := s.Tx.PutMemory(m, graph.EventUpdated); err != nil {
			return err
		}
	}
	return nil
}

// endedBy returns the ACTIVE memories of which a plan revises something.
func (s *WriteTx) endedBy(plan graph.ID) (out []*graph.Memory, err error) {
	edges, err := s.Tx.Edges(plan, graph.Out, graph.Revises)
	if err != nil {
		return nil, err
	}
	for _, e := range edges {
		m, err := s.Tx.Memory(e.To)
		if known, err := graph.Found(err); err != nil {
			return nil, err
		} else if known && e.Weight != 0 && m.Status() == graph.Active {
			out = append(out, m)
		}
	}
	return out, nil
}

// movedBack undoes the move of a plan to another day that was recorded at an instant, for the plan and for what it ends, unless the plan was moved again
// since. It reports whether there was one.
func (s *WriteTx) movedBack(plan *graph.Memory, at time.Time) (moved bool, err error) {
	var was, to time.Time
	for i := range plan.Claims {
		c := &plan.Claims[i]
		k := slices.IndexFunc(c.History, func(st graph.ClaimState) bool { return st.From.Equal(at) })
		if k < 1 || c.History[k].RevisedBy != c.History[k-1].RevisedBy || c.History[k].ValidFrom.Equal(c.History[k-1].ValidFrom) || !c.State().ValidFrom.Equal(c.History[k].ValidFrom) {
			continue
		}
		was, to, moved = c.History[k-1].ValidFrom, c.History[k].ValidFrom, true
		c.SetState(s.Now, func(st *graph.ClaimState) { st.ValidFrom = was })
	}
	if !moved {
		return false, nil
	}
	if err := s.rebind(plan); err != nil {
		return false, err
	}
	return true, s.eachEnded(plan, func(st graph.ClaimState) bool { return !st.From.Before(at) && st.ValidTo.Equal(to) }, func(c *graph.Claim) {
		c.SetState(s.Now, func(st *graph.ClaimState) { st.ValidTo = was })
	})
}
