package ingest

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

// A predicate that the table of the reader does not declare has many values: a second value stands
// beside the first one. It has one value if the policy of its namespace declares it, or once its value
// was corrected twice there, by supersede or through the gate.

const (
	learnedAfter   = 2    // corrections after which a predicate has one value
	learnedAtMost  = 1000 // predicates of a namespace that are counted; later ones are not learned
	learnedRelates = 0.9  // certainty, [0,1], with which another value then revises the earlier one
	takenBackOnce  = -1   // count of a predicate of which a revision was taken back: it is not learned again
)

// vetoMany is the veto of the relation model for another value of a predicate with many values.
const vetoMany reader.Veto = "many"

// corrections counts the corrections of the predicates of a namespace. The keys are hashes of
// predicates, so that no word of a memory outlives its erasure.
type corrections map[string]int

// hashOf returns the hash of a text in hexadecimal digits.
func hashOf(text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // a hash never fails
	return fmt.Sprintf("%016x", h.Sum64())
}

// correctionsSetting returns the name of the setting with the corrections of a namespace.
func correctionsSetting(namespace string) string { return "predicates." + hashOf(namespace) }

// correctionsIn returns the counts of a namespace. They are read once in a transaction.
func (s *WriteTx) correctionsIn(namespace string) (corrections, error) {
	if known, ok := s.corrected[namespace]; ok {
		return known, nil
	}
	counts := corrections{}
	if _, err := lifecycle.ReadSetting(s.Tx, correctionsSetting(namespace), &counts); err != nil {
		return nil, err
	}
	if s.corrected == nil {
		s.corrected = map[string]corrections{}
	}
	s.corrected[namespace] = counts
	return counts, nil
}

// relation relates a new statement to another one of a namespace, as relationOf does. If both give one
// subject different values of a predicate that has one value in that namespace, the later one revises.
func (s *WriteTx) relation(namespace string, said, other *reader.Prepared, late bool) (reader.Relation, error) {
	r := relationOf(said, other, late)
	if r.Certainty >= learnedRelates || r.Veto != "" && r.Veto != vetoMany {
		return r, nil
	}
	earlier, later := other, said
	if late {
		earlier, later = said, other
	}
	u, ok := earlier.Undeclared(later)
	if !ok {
		return r, nil
	}
	single, err := s.singleValued(namespace, u)
	if err != nil || !single {
		return r, err
	}
	return reader.Relation{Kind: reader.Changed, Certainty: learnedRelates, Slot: true, Anchored: true, Earlier: u.Earlier, Later: u.Later}, nil
}

// singleValued reports whether a predicate has one value in a namespace: its policy says so, or it was
// learned.
func (s *WriteTx) singleValued(namespace string, u reader.Undeclared) (bool, error) {
	rules, err := s.Policy(namespace)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(rules.SingleValued, func(name string) bool { return reader.Predicate(name) == u.Predicate }) {
		return true, nil
	}
	if u.Known { // the table says that it has many values
		return false, nil
	}
	counts, err := s.correctionsIn(namespace)
	return counts[hashOf(u.Predicate)] >= learnedAfter, err
}

// noteCorrection counts that a memory was corrected by its next version, for each predicate of which
// both state one value for one subject.
func (s *WriteTx) noteCorrection(old, next *graph.Memory) error {
	return s.countPredicates(old, next, func(n int) int {
		if n == takenBackOnce {
			return n
		}
		return min(n+1, learnedAfter)
	})
}

// noteTakenBack records that a revision was taken back: its predicate may have several values.
func (s *WriteTx) noteTakenBack(old, next *graph.Memory) error {
	return s.countPredicates(old, next, func(int) int { return takenBackOnce })
}

// countPredicates changes the counts of the predicates outside the table of which two memories give
// one subject different values.
func (s *WriteTx) countPredicates(old, next *graph.Memory, count func(int) int) error {
	if old.Namespace != next.Namespace {
		return nil
	}
	names := changedPredicates(old, next)
	if len(names) == 0 {
		return nil
	}
	counts, err := s.correctionsIn(old.Namespace)
	if err != nil {
		return err
	}
	changed := false
	for _, name := range names {
		key := hashOf(name)
		if n, known := counts[key]; known || len(counts) < learnedAtMost {
			counts[key] = count(n)
			changed = changed || counts[key] != n
		}
	}
	if !changed {
		return nil
	}
	return lifecycle.PutSetting(s.Tx, correctionsSetting(old.Namespace), counts)
}

// changedPredicates returns the predicates outside the table of which two memories assert different
// values for one subject, each once. A memory that states two values of a predicate shows that it has
// many.
func changedPredicates(old, next *graph.Memory) (names []string) {
	if old.Stated && !next.Stated { // the next version has a text alone, and another value if it lacks the words of the former one
		if name, known, ok := reader.UndeclaredPredicate(old.Predicate); ok && !known && reader.OtherValue(old.Object, next.Content) {
			return []string{name}
		}
		return nil
	}
	for i := range old.Claims {
		a := &old.Claims[i]
		was := a.State()
		name, known, ok := reader.UndeclaredPredicate(was.Predicate)
		if !ok || known || !plainClaim(a) || values(old, was) > 1 {
			continue
		}
		for j := range next.Claims {
			b := &next.Claims[j]
			is := b.State()
			other, _, ok := reader.UndeclaredPredicate(is.Predicate)
			if ok && plainClaim(b) && other == name && extract.Canonical(was.Subject) == extract.Canonical(is.Subject) &&
				values(next, is) == 1 && reader.OtherValue(was.Object, is.Object) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// values returns the number of claims of a memory about the subject and the predicate of a state.
func values(m *graph.Memory, of graph.ClaimState) (n int) {
	for i := range m.Claims {
		s := m.Claims[i].State()
		if extract.Canonical(s.Subject) == extract.Canonical(of.Subject) && reader.Predicate(s.Predicate) == reader.Predicate(of.Predicate) {
			n++
		}
	}
	return n
}

// plainClaim reports whether a claim asserts a value without qualifiers.
func plainClaim(c *graph.Claim) bool {
	s := c.State()
	return c.Modality == reader.Asserted.String() && !s.Negated && !s.Withdrawn && len(c.Qualifiers) == 0 && s.Subject != "" && s.Object != ""
}

// severalStand reports whether a draft gives another value than a neighbour of a verb that takes several in their namespace.
func (s *WriteTx) severalStand(d *Draft, n *Neighbour) (bool, error) {
	u, ok := n.said.Undeclared(d.said)
	if !ok || !u.Acts {
		return false, nil
	}
	single, err := s.singleValued(d.Memory.Namespace, u)
	return err == nil && !single, err
}
