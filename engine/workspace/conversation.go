package workspace

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Speaker is who said a turn: "I" in its text.
func Speaker(m *graph.Memory) string {
	if m.SourceKind == graph.FromUser {
		return cmp.Or(m.User, "user")
	}
	return cmp.Or(m.Agent, strings.ToLower(string(m.SourceKind)))
}

// WasTurn reports whether a memory began in L0.
func WasTurn(m *graph.Memory) bool { return m.History[0].Tier == graph.L0 }

// Conversation names a ring: one user's session in a namespace.
type Conversation struct{ Namespace, User, Session string }

// ConversationOf is the conversation that a memory belongs to.
func ConversationOf(m *graph.Memory) Conversation {
	return Conversation{m.Namespace, m.User, m.Session}
}

// Note is the id of the record of a conversation: whoever names it finds it.
func (k Conversation) Note() (graph.ID, error) {
	return graph.DerivedID(time.UnixMilli(0), k.Namespace, k.User, k.Session)
}

// OpenTask is an open task as a search sees it.
type OpenTask struct {
	Doc  *index.Doc
	Turn graph.ID
}

// TaskReference is the part of the score of what an active task refers to, SPEC section 7.
const TaskReference = 0.5

// Refers reports whether a task refers to a memory: it was read from it, or they share an
// entity.
func (x OpenTask) Refers(d *index.Doc) bool {
	if d.ID == x.Turn {
		return true
	}
	return d.ID != x.Doc.ID && d.Namespace == x.Doc.Namespace && SameOwner(x.Doc.User, d.User) &&
		slices.ContainsFunc(d.Entities, func(id graph.ID) bool { return slices.Contains(x.Doc.Entities, id) })
}
