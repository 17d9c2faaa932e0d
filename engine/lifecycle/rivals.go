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

// Prevails reports whether a prompt prefers a memory to one that it contradicts. That of more
// precedence does, see ComparePrecedence; else the later of two
// does, if it may stand against the earlier one: what an assistant, a tool, a document or an
// extraction says does not prevail over what a user said, nor does a memory over one of more
// authority by another speaker, or over one that it is too weak to contest.
func Prevails(m, over *graph.Memory) bool {
	if c := ComparePrecedence(precedenceOf(m), precedenceOf(over)); c != 0 {
		return c > 0
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
