package workspace

import (
	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// DecayOfDoc is decayOf for what the index knows.
func DecayOfDoc(d *index.Doc, s graph.State) decay.Memory {
	return decay.Memory{
		Class: d.DecayClass, K: d.DecayK,
		CreatedAt: d.CreatedAt, AnchorAt: d.AnchorAt,
		Usage: d.Usage.Count, Days: d.Usage.Days, LastUse: d.Usage.Last,
		Important: d.Important, Confidence: d.Confidence,
		Permanent: s.Core || d.SafetyCritical || s.Tier == graph.L3,
	}
}

// Owners are those whose entities a memory of the user may be linked to.
func Owners(user string) []string {
	if user == "" {
		return []string{""}
	}
	return []string{user, ""}
}

const (
	NeighbourFloor = 0.35 // cosine under which texts have nothing to do with each other
	NeighbourLimit = 12   // nearest that a draft is compared with
)

// Circle is who a draft may agree or clash with: a namespace, and in it the owner's
// memories with those that belong to nobody, or everyone's.
type Circle struct {
	Namespace, User string
	Everyone        bool
}

// SameOwner reports whether a draft of the owner is compared with what belongs to
// the other: its own and what belongs to nobody.
func SameOwner(owner, other string) bool { return other == "" || other == owner }

// StateOf is the state of a memory that the index knows, as it is stored.
func StateOf(d *index.Doc) graph.State { return d.History[len(d.History)-1] }

func (k Circle) Filter() index.Filter {
	f := index.Filter{Namespaces: []string{k.Namespace}, Users: []string{""}, Statuses: []graph.Status{graph.Active}}
	switch {
	case k.Everyone:
		f.Users = nil
	case k.User != "":
		f.Users = append(f.Users, k.User)
	}
	return f
}

// DecayOf is what the decay curve asks of a memory.
func DecayOf(m *graph.Memory, s graph.State) decay.Memory {
	return decay.Memory{
		Class: m.DecayClass, K: m.DecayK,
		CreatedAt: m.CreatedAt, AnchorAt: m.AnchorAt,
		Usage: m.Usage.Count, Days: m.Usage.Days, LastUse: m.Usage.Last,
		Important: m.Important, Confidence: m.Confidence,
		Permanent: s.Core || m.SafetyCritical || s.Tier == graph.L3,
	}
}
