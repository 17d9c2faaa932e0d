package workspace

import (
	"slices"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// DecayOfDoc is DecayOf for a memory in the index.
func DecayOfDoc(d *index.Doc, s graph.State) decay.Memory {
	return decay.Memory{
		Class: d.DecayClass, K: d.DecayK,
		CreatedAt: d.CreatedAt, AnchorAt: d.AnchorAt,
		Usage: d.Usage.Count, Days: d.Usage.Days, LastUse: d.Usage.Last,
		Important: d.Important, Confidence: d.Confidence,
		Permanent: s.Core || d.SafetyCritical || s.Tier == graph.L3,
	}
}

// Owners returns the owners whose entities may be linked to a memory of owner.
func Owners(owner string) []string { return graph.Owners(owner) }

const (
	NeighbourFloor = 0.35 // cosine below which two texts are unrelated
	NeighbourLimit = 12   // nearest memories that a draft is compared with
)

// Circle is the set of memories that a draft is compared with: those of a namespace that
// belong to its owner or have no owner, or those of every owner.
type Circle struct {
	Namespace, User string
	Everyone        bool
}

// SameOwner reports whether a draft of owner is compared with a memory of other: the same
// owner, one that all who see it see, or none.
func SameOwner(owner, other string) bool {
	return other == "" || other == owner || graph.AgentOf(owner) != "" && slices.Contains(graph.Owners(owner), other)
}

// StateOf is the last stored state of a memory in the index.
func StateOf(d *index.Doc) graph.State { return d.History[len(d.History)-1] }

func (k Circle) Filter() index.Filter {
	f := index.Filter{Namespaces: []string{k.Namespace}, Users: graph.Owners(k.User), Statuses: []graph.Status{graph.Active}}
	if k.Everyone {
		f.Users = nil
	}
	return f
}

// DecayOf is the input of the decay curve for a memory in a state.
func DecayOf(m *graph.Memory, s graph.State) decay.Memory {
	return decay.Memory{
		Class: m.DecayClass, K: m.DecayK,
		CreatedAt: m.CreatedAt, AnchorAt: m.AnchorAt,
		Usage: m.Usage.Count, Days: m.Usage.Days, LastUse: m.Usage.Last,
		Important: m.Important, Confidence: m.Confidence,
		Permanent: s.Core || m.SafetyCritical || s.Tier == graph.L3,
	}
}
