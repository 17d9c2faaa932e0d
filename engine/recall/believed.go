package recall

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// asBelieved reads a question that asks what was believed at a time. It returns the instant as of which to answer, zero for
// another question or if the caller gives instants, and the question about the matter itself; empty if it names none.
//
// The instant is a recorded one if a memory of the query had been recorded by then. If none had, as in a history that was
// imported later, it is a valid one: what held then, as far as is known.
func (svc *Service) asBelieved(t *tenant, in SearchInput, namespaces, users []string, now time.Time) (asOf graph.AsOf, subject string) {
	if in.asNow || !in.Access.AsOf.IsZero() || !in.Since.IsZero() || !in.Until.IsZero() || in.TierPreference == ClustersOnly {
		return graph.AsOf{}, ""
	}
	b, ok := temporal.Believed(in.Query, now)
	if !ok {
		return graph.AsOf{}, ""
	}
	if !phrase.Empty(b.Subject) {
		subject = b.Subject
	}
	recorded := false
	svc.Index.Docs(t.Scope, func(d *index.Doc) bool {
		recorded = (namespaces == nil || slices.Contains(namespaces, d.Namespace)) && (users == nil || slices.Contains(users, d.User)) && !d.History[0].From.After(b.Last)
		return !recorded
	})
	if recorded {
		return graph.AsOf{Recorded: b.Last}, subject
	}
	return graph.AsOf{Valid: b.Last}, subject
}
