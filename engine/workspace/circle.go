package workspace

import (
	"slices"
	"sort"
	"time"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/importance"
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

// ArchivableAt returns the first instant from now to until at which a memory can be
// archived if it is not used again, to the minute; zero if there is none. Retention and
// keep worth only fall, so a memory stays archivable once it is.
func ArchivableAt(m *graph.Memory, centrality float64, relations int, now, until time.Time) time.Time {
	curve := DecayOf(m, m.State())
	quiet := func(at time.Time) bool {
		since := at.Sub(m.LastAccessedAt())
		worth := importance.KeepWorth(importance.KeepSignals{
			SinceCreation: at.Sub(m.CreatedAt), SinceAccess: since, Usage: m.Usage.Count,
			Centrality: centrality, Criticality: m.Criticality, Relations: relations,
		})
		return importance.ShouldArchive(since, m.Salience*decay.RetentionAt(curve, at), worth)
	}
	minutes := int(until.Sub(now) / time.Minute)
	n := sort.Search(minutes+1, func(n int) bool { return quiet(now.Add(time.Duration(n) * time.Minute)) })
	if n > minutes {
		return time.Time{}
	}
	return now.Add(time.Duration(n) * time.Minute)
}
