package lifecycle

import (
	"cmp"

	"github.com/somnograph/somnograph/graph"
)

// CompareEvents orders memories by event time, then by the time at which they were recorded, then
// by id.
func CompareEvents(a, b *graph.Memory) int {
	return cmp.Or(a.OccurredAt.Compare(b.OccurredAt), a.RecordedAt.Compare(b.RecordedAt), cmp.Compare(a.ID, b.ID))
}

// Precedence is what decides between two memories that contradict each other before their times and
// their authority do.
type Precedence struct {
	Consent graph.Consent
	Safety  bool // safety-critical
	Kind    graph.SourceKind
}

// ComparePrecedence returns a positive number if a comes before b, 0 if time and authority decide.
// What has consent NONE does not prevail over what is better permitted, nor does a memory over a
// safety-critical one, unless a person says the former and the latter does not come from one. The
// gate decides about safety-critical memories, and no plain write.
func ComparePrecedence(a, b Precedence) int {
	switch {
	case (a.Consent == graph.ConsentNone) != (b.Consent == graph.ConsentNone):
		if b.Consent == graph.ConsentNone {
			return 1
		}
		return -1
	case a.Safety && !b.Safety && (byPerson(a.Kind) || !byPerson(b.Kind)):
		return 1
	case b.Safety && !a.Safety && (byPerson(b.Kind) || !byPerson(a.Kind)):
		return -1
	}
	return 0
}

func precedenceOf(m *graph.Memory) Precedence {
	return Precedence{m.Consent, m.SafetyCritical, m.SourceKind}
}

// CompareConfidence orders patterns: the more confident first, then the one that occurs more often, then by id.
func CompareConfidence(a, b *graph.Memory) int {
	return cmp.Or(cmp.Compare(b.Pattern.Confidence, a.Pattern.Confidence), cmp.Compare(b.Pattern.Occurrences, a.Pattern.Occurrences), cmp.Compare(a.ID, b.ID))
}

// PatternConflict is the weight of the edge between two patterns that contradict each other and wait for no person: the more
// confident one answers, and contests the other one.
const PatternConflict = ContestedAbove

// MayBeContested reports whether a conflict of a memory, or of a pattern, may be one that contests it, see Contested.
func MayBeContested(conflict float64, pattern bool) bool {
	return conflict > ContestedAbove || pattern && conflict > 0
}

// Contested reports whether the other end of an edge CONTRADICTS contests a memory. Of two patterns that wait for no person only
// the more confident one contests the other.
func Contested(e graph.Edge, m, other *graph.Memory) bool {
	return e.Weight > ContestedAbove || Outranked(e, m, other)
}

// Outranked reports whether a memory is a pattern that a more confident one contradicts, and no person needs to decide.
func Outranked(e graph.Edge, m, other *graph.Memory) bool {
	return e.Weight > 0 && e.Weight <= PatternConflict && m.Pattern != nil && other.Pattern != nil && CompareConfidence(other, m) < 0
}

// Prevails reports whether a prompt prefers a memory to one that it contradicts. That of more
// precedence does, see ComparePrecedence; else the later of two
// does, if it may stand against the earlier one: what an assistant, a tool, a document or an
// extraction says does not prevail over what a user said, nor does a memory over one of more
// authority by another speaker, or over one that it is too weak to contest. Of two patterns the more confident one does, and
// neither of two between which a person decides.
func Prevails(m, over *graph.Memory) bool {
	if c := ComparePrecedence(precedenceOf(m), precedenceOf(over)); c != 0 {
		return c > 0
	}
	if m.Pattern != nil && over.Pattern != nil {
		return !m.Pattern.SafetyCritical && !over.Pattern.SafetyCritical && CompareConfidence(m, over) < 0
	}
	if CompareEvents(m, over) > 0 {
		return mayStand(m, over)
	}
	return !mayStand(over, m)
}

// mayStand reports whether a later memory may stand against an earlier one.
func mayStand(later, earlier *graph.Memory) bool {
	switch {
	case earlier.SourceKind == graph.FromUser && !byPerson(later.SourceKind):
		return false
	case graph.Contests(later.User, earlier.User) && earlier.Conflict <= ContestedAbove: // otherwise its signal says nothing about the later one
		return false
	case later.Authority >= earlier.Authority:
		return true
	}
	return later.User == earlier.User && later.Agent == earlier.Agent && later.SourceKind == earlier.SourceKind && later.Source == earlier.Source
}

func byPerson(k graph.SourceKind) bool { return k == graph.FromUser || k == graph.FromSystem }
