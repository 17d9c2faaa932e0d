package recall

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// asBelieved returns the instant as of which a question asks what was believed; zero if it does not, or if the caller
// gives instants. It is a recorded one if a memory of the query had been recorded by then. If none had, as in a history that was
// imported later, it is a valid one: what held then, as far as is known.
func (svc *Service) asBelieved(t *tenant, in SearchInput, namespaces, users []string, now time.Time) graph.AsOf {
	if in.asNow || !in.Access.AsOf.IsZero() || !in.Since.IsZero() || !in.Until.IsZero() || in.TierPreference == ClustersOnly {
		return graph.AsOf{}
	}
	last, ok := temporal.Believed(in.Query, now)
	if !ok {
		return graph.AsOf{}
	}
	recorded := false
	svc.Index.Docs(t.Scope, func(d *index.Doc) bool {
		recorded = (namespaces == nil || slices.Contains(namespaces, d.Namespace)) && (users == nil || slices.Contains(users, d.User)) && !d.History[0].From.After(last)
		return !recorded
	})
	if recorded {
		return graph.AsOf{Recorded: last}
	}
	return graph.AsOf{Valid: last}
}
