package ingest

import (
	"slices"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

// exclusion is how the relation model reads a fact beside a belief at the gate.
type exclusion struct {
	certainty   float64 // that the fact states another value of what the belief states; 0: it does not
	otherMatter bool    // they state two attributes: where somebody lives, and which team somebody was moved to
}

// vetoAttribute is the veto of the relation model for two attributes of one thing.
const vetoAttribute reader.Veto = "attribute"

const (
	// singleExcludes is the certainty, [0,1], from which two values of a predicate with one value, or in one form, exclude each other at the gate.
	singleExcludes = 0.45
	// subjectExcludes is the same for a fact and a belief about the subject that the caller names, if they give two places of one kind.
	subjectExcludes = 0.5
)

// exclusion relates a fact to a belief. It is enough if the two revise in one form, or would be rivals with one predicate: who names a subject and
// submits evidence means to change what is believed, writes no series of notes, and the quorum decides. A belief or fact that states several facts is
// left to the conflict scorer, because the whole belief is replaced. Two attributes exclude nothing, whatever the conflict scorer says.
func (s *WriteTx) exclusion(d *Draft, m *graph.Memory, reading *conflict.Analysis) exclusion {
	said := s.svc.Said.Read(s.t.Scope.Tenant, m)
	if d.said == nil || said == nil || !readAlike(d.said, said) || said.Facts() > 1 || d.said.Facts() > 1 {
		return exclusion{}
	}
	r := relationOf(d.said, said, false)
	if r.Kind == reader.Same || r.Veto == vetoLanguage {
		return exclusion{}
	}
	if r.Certainty < reader.Rivals && r.Veto == vetoAttribute && !onePredicate(said, d.said, r) && !sharesMatter(d, m) {
		return exclusion{otherMatter: true}
	}
	fact, belief := statement{d.Memory, d.said, &d.analysis}, statement{m, said, reading}
	named := d.Memory.Subject != "" && speaksOf(m, d.Memory.Subject)
	certainty := certaintyOf(fact, belief, r)
	switch {
	case sure(fact, belief, r, certainty), certainty >= singleExcludes && reader.OneForm(said, d.said), certainty >= reader.Rivals && said.PlacesElsewhere(d.said, r):
		return exclusion{certainty: certainty}
	case named && certainty >= subjectExcludes && said.OtherPlace(d.said, r):
		return exclusion{certainty: certainty}
	case certainty < reader.Rivals || !r.Slot && !onePredicate(said, d.said, r):
		return exclusion{}
	case contests(fact, belief, r), certainty >= singleExcludes && r.Anchored && singlePredicate(said, r):
		return exclusion{certainty: certainty}
	}
	return exclusion{}
}

// onePredicate reports whether the two claims that a relation compares have one predicate: "studies forestry", "studies nautics".
func onePredicate(earlier, later *reader.Prepared, r reader.Relation) bool {
	a, known := earlier.Claim(r.Earlier)
	b, both := later.Claim(r.Later)
	return known && both && a.Predicate != "" && a.Predicate == b.Predicate
}

// singlePredicate reports whether the predicate of the earlier claim has one value by the table.
func singlePredicate(earlier *reader.Prepared, r reader.Relation) bool {
	c, known := earlier.Claim(r.Earlier)
	return known && reader.Valued(c.Predicate) == reader.One
}

// sharesMatter reports whether a fact and a belief state one attribute of one person, by the keys of mattersOf.
func sharesMatter(d *Draft, m *graph.Memory) bool {
	for i := range m.Claims {
		for _, x := range attribute.Of(m, &m.Claims[i], m.Claims[i].State()) {
			if slices.ContainsFunc(x.Names, func(name string) bool { return slices.Contains(d.matters, attribute.Key(name, x.Attribute)) }) {
				return true
			}
		}
	}
	return false
}

// mattersOf returns the keys of the attributes that a fact states, at most slotKeys. "I" is its user, or else the subject. They find beliefs
// that share neither a word nor the subject with the fact: "My husband is called Emil" for "I am married to Jonas".
func mattersOf(d *Draft, subject string) (keys []uint64) {
	m := *d.Memory
	if d.allOwners {
		m.User, m.Claims = subject, nil
		lifecycle.ReadClaims(&m, extract.Statement{}, m.CreatedAt)
	}
	for i := range m.Claims {
		s := m.Claims[i].State()
		for _, x := range attribute.Of(&m, &m.Claims[i], s) {
			for _, name := range x.Names {
				if key := attribute.Key(name, x.Attribute); (name != reader.User || !d.allOwners) && len(keys) < slotKeys && !slices.Contains(keys, key) { // "user" is every user
					keys = append(keys, key)
				}
			}
		}
	}
	return keys
}
