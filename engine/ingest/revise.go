package ingest

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

// Reasons of a version that revised the previous one.
const (
	ReasonRevised   = "REVISED"   // the previous one was true until then
	ReasonCorrected = "CORRECTED" // the previous one was never true
)

// maxRevised is the number of memories that one statement may revise.
const maxRevised = 32

// Relations is what a statement does to the memories near it.
type Relations struct {
	Revised    []Revision      // memories that it revises, the surest first; the first becomes its previous version
	Past       *Revision       // the later statement that revises it, because it arrived late; nil: none
	Rivals     []Contradiction // memories that state the same differently
	pastClaims []Revision      // later statements that end one of its claims each, because it arrived late
	doubts     []doubt         // memories that it may revise, of which the reading is unsure
	gone       []graph.ID      // neighbours that it does not contest: no longer ACTIVE, or an episode of another day
	latest     time.Time       // latest event time of the memories that it revises or rivals
}

// Revision is one memory that a statement revises, or that revises a late statement.
type Revision struct {
	memory    *graph.Memory
	certainty float64     // of the reading, [0,1]
	kind      reader.Kind // Corrected, or any other kind for a change
	from      time.Time   // instant from which the later statement holds, as its text says; zero: not said
	told      time.Time   // beginning of the period that its text names, if from is a later instant in it; zero: it is not
	begins    time.Time   // of a plan that gets another day, that day; zero: it is none
	instead   graph.ID    // of a claim that a plan with another day ended, that plan
	illness   string      // that a recovery ends which names none; empty: it is none
	off       bool        // memory, or claim, is a plan that is called off before it took effect
	moved     time.Time   // of a plan that is moved, the day; zero: it is not
	recorded  time.Time   // of a plan that was moved, since when its claim says so; in one batch with the plan it is after the write
	claim     int         // number of the claim of memory that ends, because others still hold; 0: all of it ends
}

// partial reports whether the revised memory states other facts that still hold.
func (r *Revision) partial() bool { return r.claim > 0 }

// IDs returns the memories that a statement supersedes.
func (x *Relations) IDs() []graph.ID { return x.revised(false) }

// revised returns the memories that a statement supersedes or, if partial, those of which it ends a claim.
func (x *Relations) revised(partial bool) []graph.ID {
	var ids []graph.ID
	for _, r := range x.Revised {
		if r.partial() == partial && !slices.Contains(ids, r.memory.ID) {
			ids = append(ids, r.memory.ID)
		}
	}
	return ids
}

// Contest returns the contradictions of a statement: those of the conflict scorer without the
// memories that it revises, and its rivals, the strongest first.
func (x *Relations) Contest(found []Contradiction) []Contradiction {
	if len(x.Revised)+len(x.Rivals)+len(x.gone)+len(x.pastClaims) == 0 && x.Past == nil {
		return found
	}
	out := slices.DeleteFunc(slices.Clone(found), func(c Contradiction) bool {
		is := func(r Revision) bool { return r.memory.ID == c.ID }
		return x.Past != nil || slices.Contains(x.gone, c.ID) || slices.ContainsFunc(x.Revised, is) || slices.ContainsFunc(x.pastClaims, is)
	})
	for _, rival := range x.Rivals {
		if i := slices.IndexFunc(out, func(c Contradiction) bool { return c.ID == rival.ID }); i >= 0 {
			out[i].score, out[i].late = max(out[i].score, rival.score), rival.late
		} else if x.Past == nil {
			out = append(out, rival)
		}
	}
	slices.SortStableFunc(out, func(a, b Contradiction) int { return cmp.Compare(b.score, a.score) })
	return out
}

// Restates reports whether a draft that repeats a memory of the event time at restates an
// older value: something newer says otherwise.
func (x *Relations) Restates(at time.Time) bool { return x.latest.After(at) }

// Revises reports whether a memory, or a claim of it, is revised.
func (x *Relations) Revises(id graph.ID) bool {
	return slices.ContainsFunc(x.Revised, func(r Revision) bool { return r.memory.ID == id })
}

// ApplyRelations ends the memories that m revises, and makes m the next version of the first one. A
// memory that arrived late enters as past instead. m has its state and is not written yet.
func (s *WriteTx) ApplyRelations(x Relations, m *graph.Memory) error {
	state := &m.History[len(m.History)-1]
	if x.Past != nil {
		enterAsPast(m, state, *x.Past)
		if by := x.Past.memory; x.Past.beginIn(by) {
			by.UpdatedAt = s.Now
			if err := s.Tx.PutMemory(by, graph.EventUpdated); err != nil {
				return err
			}
		}
		return s.fitIn(m, state, x.Past.memory)
	}
	for _, r := range x.pastClaims {
		s.endLateClaim(r, m)
	}
	if err := s.lastAsLong(x, m); err != nil {
		return err
	}
	followed := false
	for i := range x.Revised {
		r := &x.Revised[i]
		r.beginIn(m)
		if !r.moved.IsZero() {
			if err := s.movePlan(r); err != nil {
				return err
			}
			continue
		}
		if err := s.restore(*r, m, x.Revised); err != nil {
			return err
		}
		if !r.partial() && !followed {
			followed = true
			if err := s.follow(m, state, *r); err != nil {
				return err
			}
		}
		if err := s.end(*r, m); err != nil {
			return err
		}
	}
	return nil
}

// lastAsLong gives a statement that revises or contests another one a type that lasts as long: "I sold the Mazda" and "she never worked
// there" would fade before the facts that they end or deny. What the user or the system puts in place of a rule is a rule: "Emojis
// are fine now". What only lifts it ("You can stop answering in Dutch") is none. A type and a decay class that the caller gave stay.
func (s *WriteTx) lastAsLong(x Relations, m *graph.Memory) error {
	lifts := m.Type != graph.Working && slices.ContainsFunc(x.Revised, func(r Revision) bool { return r.memory.Type == graph.Procedural }) && reader.Lifts(m.Content)
	if m.Typed || m.Type != graph.Episodic && m.Type != graph.Semantic && !lifts {
		return nil
	}
	to := m.Type
	if lifts {
		to = graph.Semantic
	}
	for _, r := range x.Revised {
		switch {
		case lifts:
		case r.memory.Type == graph.Procedural && lifecycle.LaysDownRules(m.SourceKind):
			to = graph.Procedural
		case r.memory.Type == graph.Semantic && to == graph.Episodic:
			to = graph.Semantic
		}
	}
	for i := 0; i < len(x.Rivals) && to == graph.Episodic; i++ {
		rival, err := s.Tx.Memory(x.Rivals[i].ID)
		if err != nil {
			return err
		}
		if rival.Type == graph.Semantic {
			to = graph.Semantic
		}
	}
	if to == m.Type {
		return nil
	}
	byType := m.DecayClass == lifecycle.DecayClassOf(m.Type)
	m.Type = to
	if !byType {
		return nil
	}
	p, err := s.Policy(m.Namespace)
	if err != nil {
		return err
	}
	m.DecayClass = lifecycle.DecayClassOf(m.Type)
	lifecycle.BindPolicy(m, p)
	return nil
}

// LinkRevisions records what m revised. m and the revised memories are written.
func (s *WriteTx) LinkRevisions(x Relations, m *graph.Memory) error {
	s.noteDoubts(x, m)
	if x.Past != nil {
		return s.Tx.PutEdge(graph.Edge{From: x.Past.memory.ID, Kind: graph.Revises, To: m.ID, Weight: x.Past.certainty, At: s.Now})
	}
	var errs error
	for _, r := range x.pastClaims {
		errs = errors.Join(errs, s.Tx.PutEdge(graph.Edge{From: r.memory.ID, Kind: graph.Revises, To: m.ID, Weight: r.certainty, At: s.Now}))
	}
	for _, r := range x.Revised {
		errs = errors.Join(errs, s.Tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.Revises, To: r.memory.ID, Weight: r.certainty, At: lifecycle.Later(s.Now, r.recorded)}))
	}
	return errs
}

// enterAsPast closes a statement that a later one revises: it was true until then, or never.
func enterAsPast(m *graph.Memory, state *graph.State, by Revision) {
	state.Status, state.Core = graph.Superseded, false
	end := lifecycle.FirstTime(by.from, by.memory.ValidFrom)
	switch {
	case by.kind == reader.Corrected:
		end = m.ValidFrom
	case !end.After(m.ValidFrom):
		end = m.ValidFrom.Add(time.Millisecond)
	}
	if state.ValidTo.IsZero() || state.ValidTo.After(end) {
		state.ValidTo = end
	}
	m.SupersededBy = by.memory.ID
}

// follow makes m the next version of a memory. m keeps its own text, authority and time to
// live. It takes over the pin, and L2 from a previous version in L2 or L3.
func (s *WriteTx) follow(m *graph.Memory, state *graph.State, r Revision) error {
	old := r.memory
	number, err := lastVersion(s.Tx, old)
	if err != nil {
		return err
	}
	m.Chain, m.Version, m.Supersedes, m.Reason = old.Chain, number+1, old.ID, ReasonRevised
	state.Core = state.Core || old.State().Core
	if tier := old.State().Tier; state.Tier == graph.L1 && (tier == graph.L2 || tier == graph.L3) {
		state.Tier = graph.L2
	}
	switch {
	case r.kind == reader.Corrected:
		m.Reason, m.ValidFrom = ReasonCorrected, old.ValidFrom
	case r.from.After(old.ValidFrom):
		m.ValidFrom = r.from
	}
	return nil
}

// end closes a memory that m revised, or the one claim of it. A change closes it at the event;
// a correction withdraws it from its beginning.
func (s *WriteTx) end(r Revision, m *graph.Memory) error {
	old := r.memory
	if r.partial() {
		return s.endClaim(r, m)
	}
	if err := lifecycle.RecomputeConflicts(s.Tx, old, s.Now); err != nil {
		return err
	}
	if err := s.withdrawSummaries(old); err != nil {
		return err
	}
	until := r.until(old.ValidFrom, m)
	old.SetState(lifecycle.Later(s.Now, m.State().From), func(st *graph.State) {
		st.Status, st.Core = graph.Superseded, false
		if st.ValidTo.IsZero() || st.ValidTo.After(until) {
			st.ValidTo = until
		}
	})
	old.SupersededBy, old.UpdatedAt = m.ID, s.Now
	if err := lifecycle.Unmerge(s.Tx, old); err != nil {
		return err
	}
	if s.replaced == nil {
		s.replaced = map[graph.ID]bool{}
	}
	s.replaced[old.ID] = true
	return s.Tx.PutMemory(old, graph.EventSuperseded)
}

// until returns the end of what was true from an instant and was revised by m.
func (r *Revision) until(from time.Time, m *graph.Memory) time.Time {
	end := lifecycle.FirstTime(r.from, lifecycle.Later(m.OccurredAt, m.ValidFrom))
	switch {
	case r.kind == reader.Corrected, r.off && !end.After(from):
		return from
	case !end.After(from):
		return from.Add(time.Millisecond)
	}
	return end
}

// endClaim closes one claim of a memory that m revised. The memory stays ACTIVE.
func (s *WriteTx) endClaim(r Revision, m *graph.Memory) error {
	old := r.memory
	c := old.Claim(r.claim)
	from := lifecycle.FirstTime(c.State().ValidFrom, old.ValidFrom)
	c.SetState(s.Now, func(st *graph.ClaimState) {
		redated := r.instead != "" && st.RevisedBy == r.instead
		st.RevisedBy, st.Withdrawn = m.ID, r.kind == reader.Corrected
		if until := r.until(from, m); st.ValidTo.IsZero() || st.ValidTo.After(until) || redated {
			st.ValidTo = until
		}
	})
	if err := s.withdrawSummaries(old); err != nil {
		return err
	}
	old.UpdatedAt = s.Now
	return s.Tx.PutMemory(old, graph.EventUpdated)
}

// Confirm revises the rivals of a memory that its speaker repeats in another session: the
// repetition confirms the reading. It returns what m revised.
func (s *WriteTx) Confirm(d *Draft, m *graph.Memory) (x Relations, err error) {
	if x, err = s.confirmed(d, m); err != nil || len(x.Revised) == 0 {
		return x, err
	}
	return x, s.confirm(x, m)
}

// confirm makes a stored memory revise others.
func (s *WriteTx) confirm(x Relations, m *graph.Memory) (err error) {
	for _, r := range x.Revised {
		if err := s.restore(r, m, x.Revised); err != nil {
			return err
		}
		if err := s.end(r, m); err != nil {
			return err
		}
	}
	if m, err = s.Tx.Memory(m.ID); err != nil { // its conflict changed
		return err
	}
	if whole := slices.IndexFunc(x.Revised, func(r Revision) bool { return !r.partial() }); whole >= 0 && m.Version == 1 && m.Supersedes == "" {
		var failed error
		m.SetState(s.Now, func(st *graph.State) { failed = s.follow(m, st, x.Revised[whole]) })
		if failed != nil {
			return failed
		}
	}
	m.UpdatedAt = s.Now
	if err := s.Tx.PutMemory(m, graph.EventUpdated); err != nil {
		return err
	}
	return s.LinkRevisions(x, m)
}
