package session

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// completeTasks ends the open tasks of which the user of a turn says that they are done: those of the same user and namespace, in the same
// project or in none, that were named before the turn, and before the time of which it tells: "I renewed my passport in 2019" completes nothing.
func completeTasks(s *ingest.WriteTx, b *sessionBuffer, x taskInTurn, written map[graph.ID]openTask) error {
	open := b.openTasks()
	maps.Copy(open, written)
	own := workspace.ConversationOf(x.turn)
	for _, id := range slices.Sorted(maps.Keys(open)) {
		o := open[id]
		if o.turn == x.turn.ID || o.conversation.Namespace != own.Namespace || o.conversation.User != own.User || !extract.Done(strings.Fields(o.said), x.turn.Content) {
			continue
		}
		m, err := s.Tx.Memory(id)
		if code := graph.CodeOf(err); code == graph.CodeIntegrityFailure || code == graph.CodeMemoryNotFound {
			continue
		}
		if err != nil {
			return err
		}
		if !lifecycle.IsOpenTask(m) || lifecycle.IsExpired(m, s.Now) || m.Project != "" && m.Project != x.turn.Project || m.User == "" && m.Agent != x.turn.Agent ||
			x.turn.OccurredAt.Before(m.OccurredAt) || tellsOfBefore(x.turn, m.OccurredAt) || !namesAll(m.Content, x.turn.Content) {
			continue
		}
		if err := end(s.Tx, m, lifecycle.TaskDone, s.Now); err != nil {
			return err
		}
		m.UpdatedAt = s.Now
		if err := s.Tx.PutMemory(m, graph.EventExpired); err != nil {
			return err
		}
	}
	return nil
}

// tellsOfBefore reports that a turn tells of a time that was over at an instant.
func tellsOfBefore(turn *graph.Memory, at time.Time) bool {
	return slices.ContainsFunc(temporal.Read(turn.Content, turn.OccurredAt).Spans, func(s temporal.Span) bool { return !s.To.IsZero() && !s.To.After(at) })
}

// namesAll reports whether a text has each word for which a task is: "write the report for March" is not done by the report for April.
func namesAll(task, text string) bool {
	said, after := strings.ToLower(text), false
	for t := range english.Tokens(task, english.Names) {
		low := english.Lower(t.Text)
		if t.IsWord() && after && !english.StopWord(low) && !strings.Contains(said, low) {
			return false
		}
		after = t.IsWord() && (low == "for" || low == "of" || after && english.StopWord(low)) || !t.IsWord() && after
	}
	return true
}

// hasTasksOf reports whether a task of the user and the namespace of a conversation may be open.
func (b *sessionBuffer) hasTasksOf(k workspace.Conversation) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, x := range b.tasks {
		if x.conversation.Namespace == k.Namespace && x.conversation.User == k.User {
			return true
		}
	}
	return false
}

// end makes a task EXPIRED with a status. The task is not written.
func end(tx graph.Tx, m *graph.Memory, as lifecycle.TaskStatus, now time.Time) error {
	x := lifecycle.MetaOf(m)
	x.Status = as
	m.SetState(now, func(s *graph.State) { s.Status = graph.Expired })
	if err := lifecycle.SetMeta(m, x); err != nil {
		return err
	}
	return lifecycle.RecomputeConflicts(tx, m, now)
}
