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

// Prevails reports whether a prompt prefers a memory to one that it contradicts. The later of two
// does, if it may stand against the earlier one: what an assistant, a tool, a document or an
// extraction says does not prevail over what a user said, nor does a memory over one of more
// authority by another speaker, or over one that it is too weak to contest.
func Prevails(m, over *graph.Memory) bool {
	if CompareEvents(m, over) > 0 {
		return mayStand(m, over)
	}
	return !mayStand(over, m)
}

// mayStand reports whether a later memory may stand against an earlier one.
func mayStand(later, earlier *graph.Memory) bool {
	switch {
	case earlier.SourceKind == graph.FromUser && !byPerson(later.SourceKind), earlier.Conflict <= ContestedAbove:
		return false
	case later.Authority >= earlier.Authority:
		return true
	}
	return later.User == earlier.User && later.Agent == earlier.Agent && later.SourceKind == earlier.SourceKind && later.Source == earlier.Source
}

func byPerson(k graph.SourceKind) bool { return k == graph.FromUser || k == graph.FromSystem }
