package workspace

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Speaker is the speaker of a turn: "I" in its text.
func Speaker(m *graph.Memory) string { return lifecycle.Speaker(m) }

// WasTurn reports whether a memory was created in L0.
func WasTurn(m *graph.Memory) bool { return m.History[0].Tier == graph.L0 }

// Conversation identifies a ring: one user's session in a namespace.
type Conversation struct{ Namespace, User, Session string }

// ConversationOf returns the conversation of a memory.
func ConversationOf(m *graph.Memory) Conversation {
	return Conversation{m.Namespace, m.User, m.Session}
}

// Note is the id of the conversation's record, derived from its name.
func (k Conversation) Note() (graph.ID, error) {
	return graph.DerivedID(time.UnixMilli(0), k.Namespace, k.User, k.Session)
}

// OpenTask is the part of an open task that search uses.
type OpenTask struct {
	Doc  *index.Doc
	Turn graph.ID
}

// TaskReference is the task part of the score of a memory that an active task refers to.
const TaskReference = 0.5

// Refers reports whether a task refers to a memory: the task was extracted from it, or they
// share an entity.
func (x OpenTask) Refers(d *index.Doc) bool {
	if d.ID == x.Turn {
		return true
	}
	return d.ID != x.Doc.ID && d.Namespace == x.Doc.Namespace && SameOwner(x.Doc.User, d.User) &&
		slices.ContainsFunc(d.Entities, func(id graph.ID) bool { return slices.Contains(x.Doc.Entities, id) })
}
