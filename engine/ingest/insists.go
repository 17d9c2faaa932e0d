package ingest

import (
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// insistedCertainty is the certainty, [0,1], with which a statement that its speaker says again revises what was corrected on the page.
const insistedCertainty = 0.9

// Insists adds to what a statement revises the memory that it repeats word for word, if a person has corrected since what was read in that
// memory. Who says it again says that it is so after all: it is a new statement and no duplicate.
func (s *WriteTx) Insists(x *Relations, d *Draft, m *graph.Memory, duplicate graph.ID) error {
	if d.said == nil || x.Past != nil || x.Revises(duplicate) || s.served(m) {
		return nil
	}
	old, err := s.Tx.Memory(duplicate)
	if known, err := graph.Found(err); !known {
		return err
	}
	if old.Status() != graph.Active || !workspace.SameOwner(old.User, m.User) {
		return nil
	}
	corrected := 0
	for i := range old.Claims {
		st := old.Claims[i].State()
		if (st.Corrected || st.Withdrawn) && st.RevisedBy == "" && !lifecycle.FirstTime(m.OccurredAt, s.Now).Before(st.From) {
			corrected = old.Claims[i].N
			break
		}
	}
	if corrected == 0 {
		return nil
	}
	rules, err := s.Policy(m.Namespace)
	if err != nil {
		return err
	}
	earlier := s.statementOf(old)
	if !s.revises(rules, statement{m, d.said, &d.analysis}, earlier, reader.Relation{Kind: reader.Changed, Certainty: insistedCertainty}, insistedCertainty) {
		x.latest = lifecycle.Later(x.latest, lifecycle.Later(old.OccurredAt, s.Now)) // no duplicate: both stand
		return nil
	}
	r := Revision{memory: old, certainty: insistedCertainty, kind: reader.Changed}
	if len(old.Claims) > 1 {
		r.claim = corrected
	}
	x.Revised = append(x.Revised, r)
	return nil
}
