package workspace

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
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

// OpenTask is the part of an open task that reads use.
type OpenTask struct {
	Doc    *index.Doc
	Turn   graph.ID
	Blocks string    // what waits for it; empty: unknown
	Due    time.Time // zero: unknown
}

// Blockers returns the ids of the open tasks that a task has to wait for: those of the same
// namespace and owner, in the same project or in none, that block something whose content words all
// stand in the text of the task.
func Blockers(id graph.ID, namespace, user, project, text string, open []OpenTask) (ids []graph.ID) {
	for _, x := range open {
		d := x.Doc
		if x.Blocks == "" || d.ID == id || d.Namespace != namespace || d.User != user || d.Project != "" && project != "" && d.Project != project {
			continue
		}
		if extract.Waits(text, x.Blocks) {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

// TaskReference is the task part of the score of a memory that an active task refers to.
const TaskReference = 0.5

// Refers reports whether a task refers to a memory: it is the task or its turn, or they share an
// entity.
func (x OpenTask) Refers(d *index.Doc) bool {
	if d.ID == x.Turn || d.ID == x.Doc.ID {
		return true
	}
	return d.Namespace == x.Doc.Namespace && SameOwner(x.Doc.User, d.User) &&
		slices.ContainsFunc(d.Entities, func(id graph.ID) bool { return slices.Contains(x.Doc.Entities, id) })
}
