package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// sessionRecord is the stored record of a conversation, as a note. It holds ids and times,
// never text. It is current whenever no turn of the conversation is in L0.
type sessionRecord struct {
	Session   string     `json:"session"`
	User      string     `json:"user,omitempty"`
	Agent     string     `json:"agent,omitempty"`
	StartedAt time.Time  `json:"startedAt"`
	LastAt    time.Time  `json:"lastAt,omitzero"`    // time of the last turn that left L0
	EndedAt   time.Time  `json:"endedAt,omitzero"`   // zero: the conversation is open
	Turns     int        `json:"turns,omitempty"`    // turns that left L0 or were imported
	Imported  int        `json:"imported,omitempty"` // turns that were imported
	Needs     bool       `json:"needs,omitempty"`    // what the user has to do is read from its turns, see tasksOf; not so for turns of an earlier version
	Context   []graph.ID `json:"context,omitempty"`  // memories in its last prompt
}

// departedTurns counts the turns of a conversation that leave L0 in one transaction.
type departedTurns struct {
	agent    string
	turns    int
	imported int // of the turns: those that were imported, see ObservePast
	first    time.Time
	last     time.Time
}

// loadSession reads the record of a conversation. It returns nil if there is none.
func loadSession(r graph.Reader, k workspace.Conversation) (*sessionRecord, error) {
	id, err := k.Note()
	if err != nil {
		return nil, err
	}
	n, err := r.Note(graph.NoteSession, id)
	if known, err := graph.Found(err); !known {
		return nil, err
	}
	var x sessionRecord
	if err := json.Unmarshal(n.Data, &x); err != nil {
		return nil, errors.Join(graph.ErrIntegrity, err)
	}
	return &x, nil
}

// CheckNote returns what is wrong with the record of a conversation that comes from elsewhere, or nil.
func CheckNote(n *graph.Note) error {
	var x sessionRecord
	if json.Unmarshal(n.Data, &x) != nil {
		return errors.New("in Data: it is no record of a conversation")
	}
	id, err := workspace.Conversation{Namespace: n.Namespace, User: x.User, Session: x.Session}.Note()
	switch {
	case !graph.ValidNamespace(n.Namespace):
		return errors.New("in Namespace: a conversation has one")
	case x.Session == "" || len(x.Session) > graph.MaxName || len(x.User) > graph.MaxName || len(x.Agent) > graph.MaxName:
		return fmt.Errorf("in Data: session must have 1 to %d bytes, user and agent at most as many", graph.MaxName)
	case err != nil || id != n.ID:
		return errors.New("in ID: it is not that of namespace, user and session")
	case x.StartedAt.IsZero() || x.Turns < 0 || x.Imported < 0:
		return errors.New("in Data: a conversation has a begin, and no negative numbers")
	case slices.ContainsFunc(x.Context, func(id graph.ID) bool { return !id.Valid() }):
		return errors.New("in Data: context must hold ids")
	}
	return nil
}

// putSession writes the record of a conversation.
func putSession(tx graph.Tx, k workspace.Conversation, x *sessionRecord, now time.Time) error {
	id, err := k.Note()
	if err != nil {
		return err
	}
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return tx.PutNote(graph.Note{Kind: graph.NoteSession, ID: id, Namespace: k.Namespace, At: now, Data: text})
}

// openSession creates the record of the conversation of a turn, or reopens it. If the
// record is open already, openSession reads one row and writes nothing.
func openSession(s *ingest.WriteTx, m *graph.Memory) error {
	k := workspace.ConversationOf(m)
	x, err := loadSession(s.Tx, k)
	if err != nil || x != nil && x.EndedAt.IsZero() && x.Needs {
		return err
	}
	if x == nil {
		x = &sessionRecord{Session: m.Session, User: m.User, Agent: m.Agent, StartedAt: s.Now}
	}
	x.EndedAt, x.Needs = time.Time{}, true
	return putSession(s.Tx, k, x, s.Now)
}

// departures counts the turns that leave L0 in one transaction, by conversation.
type departures struct {
	buffer         *sessionBuffer
	byConversation map[workspace.Conversation]departedTurns
	observed       map[workspace.Conversation][]*graph.Memory // turns that were observed live, see findObserved
}

// departuresOf returns the departures of the transaction of s, and creates them if needed.
func departuresOf(s *ingest.WriteTx, b *sessionBuffer) *departures {
	x, ok := s.AtEnd.(*departures)
	if !ok {
		x = &departures{b, map[workspace.Conversation]departedTurns{}, map[workspace.Conversation][]*graph.Memory{}}
		s.AtEnd = x
	}
	return x
}

// count counts a turn that leaves L0.
func (d *departures) count(m *graph.Memory) { d.add(m, m.CreatedAt, 0) }

// countImported counts a turn that was imported, at the time when it was said.
func (d *departures) countImported(m *graph.Memory) { d.add(m, m.OccurredAt, 1) }

func (d *departures) add(m *graph.Memory, at time.Time, imported int) {
	k := workspace.ConversationOf(m)
	departed, counted := d.byConversation[k]
	if !counted || at.Before(departed.first) {
		departed.first = at
	}
	departed.agent, departed.turns, departed.last = cmp.Or(departed.agent, m.Agent), departed.turns+1, lifecycle.Later(departed.last, at)
	departed.imported += imported
	d.byConversation[k] = departed
}

// Finish updates the records of the conversations whose turns left L0.
func (d *departures) Finish(s *ingest.WriteTx) error {
	for k, departed := range d.byConversation {
		x, err := loadSession(s.Tx, k)
		if err != nil {
			return err
		}
		over := departed.imported == departed.turns && (x == nil || !x.EndedAt.IsZero())
		if x == nil {
			x = &sessionRecord{Session: k.Session, User: k.User, StartedAt: departed.first}
		}
		if departed.imported > 0 && departed.first.Before(x.StartedAt) {
			x.StartedAt = departed.first
		}
		if over {
			x.EndedAt = lifecycle.Later(x.EndedAt, departed.last)
		}
		x.Imported += departed.imported
		x.Agent, x.Turns, x.LastAt = cmp.Or(x.Agent, departed.agent), x.Turns+departed.turns, lifecycle.Later(x.LastAt, departed.last)
		if ids := d.buffer.lastPrompt(k); ids != nil {
			x.Context = ids
		}
		if err := putSession(s.Tx, k, x, s.Now); err != nil {
			return err
		}
		if err := d.prolongTasks(s, k, x.LastAt); err != nil {
			return err
		}
	}
	return nil
}

// prolongTasks lets the unconfirmed tasks of a conversation that goes on live on.
func (d *departures) prolongTasks(s *ingest.WriteTx, k workspace.Conversation, last time.Time) error {
	p, err := s.Policy(k.Namespace)
	if err != nil {
		return err
	}
	for _, id := range d.buffer.tasksOf(k) {
		m, err := s.Tx.Memory(id)
		if code := graph.CodeOf(err); code == graph.CodeIntegrityFailure || code == graph.CodeMemoryNotFound {
			continue
		}
		if err != nil {
			return err
		}
		if lifecycle.IsExpired(m, s.Now) || !lifecycle.ProlongTask(m, last, p) {
			continue
		}
		m.UpdatedAt = s.Now
		if err := s.Tx.PutMemory(m, graph.EventUpdated); err != nil {
			return err
		}
	}
	return nil
}

// SessionReport is the result of closing a session.
type SessionReport struct {
	Session            string
	StartedAt, EndedAt time.Time
	Flushed            []*workspace.View // turns that became L1, or were merged into a memory that they repeat
	Kept, Expired      []*workspace.View // working memories that stay: open tasks, and those that became episodes; and those that expired
}

// CloseSession ends a session. Its turns leave L0. Its working memories of priority MEDIUM
// or HIGH that were used become episodes, the others become EXPIRED. Open tasks stay:
// confirmed ones until they end, the others for lifecycle.TaskTTL.
// It closes every conversation of that name in the namespace that the caller sees and may write. A
// second close returns the same end and does nothing. A later turn reopens the session.
// The error is MEMORY_NOT_FOUND if nothing of the session is known, and FORBIDDEN if all of it belongs to nobody and the caller may not
// share.
func (svc *Service) CloseSession(ctx context.Context, c workspace.Caller, session, namespace string) (*SessionReport, error) {
	namespace = cmp.Or(namespace, workspace.DefaultNamespace)
	if session == "" || len(session) > graph.MaxName || !utf8.ValidString(session) {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "session", "must be 1 to %d bytes of UTF-8", graph.MaxName)
	}
	if _, err := c.AllowedNamespaces([]string{namespace}); err != nil {
		if shown := (*graph.Error)(nil); errors.As(err, &shown) {
			shown.Field = "namespace"
		}
		return nil, err
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := svc.load(ctx, t); err != nil {
		return nil, svc.PublicError(err)
	}
	if err := t.CaughtUp(ctx); err != nil { // loads turns that other servers observed
		return nil, svc.PublicError(err)
	}
	leaving := t.buffer.emptyRings(func(k workspace.Conversation, _ *ring) bool {
		return k.Namespace == namespace && k.Session == session && c.Sees(k.Namespace, k.User) && c.MayWriteFor(k.User) == nil
	})
	if err := svc.flush(ctx, t); err != nil && !errors.Is(err, errRetryLater) {
		return nil, svc.PublicError(err)
	}
	if err := svc.readTasks(ctx, t); err != nil {
		return nil, svc.PublicError(err)
	}
	x := &sessionClose{svc: svc, t: t, report: &SessionReport{Session: session}, started: map[workspace.Conversation]time.Time{}}
	if err := x.survey(ctx, c, namespace); err != nil {
		return nil, svc.PublicError(err)
	}
	if len(x.started) == 0 && x.nobodys {
		return nil, graph.FieldError(graph.CodeForbidden, "session", "belongs to nobody: closing it requires the scope %s", access.MemoryShare)
	}
	if len(x.started) == 0 {
		return nil, graph.FieldError(graph.CodeMemoryNotFound, "session", "no session of the namespace %s has this name", namespace)
	}
	if err := svc.ingest.RunExclusive(ctx, t.Tenant, x.run); err != nil {
		return nil, svc.PublicError(err)
	}
	if x.report.Flushed, err = svc.readTurns(ctx, c, leaving); err != nil {
		return nil, svc.PublicError(err)
	}
	x.report.Flushed = slices.DeleteFunc(x.report.Flushed, func(v *workspace.View) bool { return v.State.Tier == graph.L0 })
	return x.report, nil
}

// sessionClose is the close of a session in progress.
type sessionClose struct {
	svc     *Service
	t       *tenant
	report  *SessionReport
	started map[workspace.Conversation]time.Time // time of the first memory of each conversation
	working []graph.ID
	nobodys bool // it has a conversation of nobody, which the caller may not close
}

// survey finds the conversations of the session that the caller may close, and their working memories.
func (x *sessionClose) survey(ctx context.Context, c workspace.Caller, namespace string) error {
	return x.svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		clear(x.started)
		x.working, x.nobodys = nil, false
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{Undamaged: true, Namespaces: []string{namespace}, Session: x.report.Session}) {
			if err != nil {
				return err
			}
			if m.Status() == graph.Forgotten {
				continue
			}
			if c.MayWriteFor(m.User) != nil {
				x.nobodys = true
				continue
			}
			if at, known := x.started[workspace.ConversationOf(m)]; !known || m.RecordedAt.Before(at) {
				x.started[workspace.ConversationOf(m)] = m.RecordedAt
			}
			if m.Type == graph.Working && m.Status() == graph.Active {
				x.working = append(x.working, m.ID)
			}
		}
		return nil
	})
}

// run settles the working memories and ends the records. It runs exclusively in the
// writer, so a turn is either written before it and flushed, or written after it and
// reopens the session.
func (x *sessionClose) run(ctx context.Context) error {
	now := x.t.Now()
	for ids := range slices.Chunk(x.working, workspace.MaxBatch) {
		var kept, expired []*workspace.View
		err := x.t.Update(ctx, func(tx graph.Tx) error {
			kept, expired = nil, nil
			rules := workspace.PolicyCache{}
			for _, id := range ids {
				m, err := tx.Memory(id)
				if err != nil {
					return err
				}
				if m.Type != graph.Working || m.Status() != graph.Active || lifecycle.IsExpired(m, now) {
					continue
				}
				p, err := rules.In(tx, m.Namespace)
				if err != nil {
					return err
				}
				stays, err := x.settleWorking(tx, m, p, now)
				if err != nil {
					return err
				}
				if stays {
					kept = append(kept, workspace.NewView(m, workspace.Access{}, now))
				} else {
					expired = append(expired, workspace.NewView(m, workspace.Access{}, now))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		x.report.Kept, x.report.Expired = append(x.report.Kept, kept...), append(x.report.Expired, expired...)
	}
	return x.t.Update(ctx, func(tx graph.Tx) error { return x.end(tx, now) })
}

// settleWorking keeps a working memory as an episode or expires it, at the close of its session.
// Open tasks stay: confirmed ones until they end, the others for lifecycle.TaskTTL.
func (x *sessionClose) settleWorking(tx graph.Tx, m *graph.Memory, p policy.Policy, now time.Time) (stays bool, err error) {
	if lifecycle.IsTask(m) {
		s, err := loadSession(tx, workspace.ConversationOf(m))
		if err != nil {
			return false, err
		}
		ended := now
		if s != nil {
			ended = lifecycle.FirstTime(s.EndedAt, now)
		}
		if lifecycle.ProlongTask(m, ended, p) {
			m.UpdatedAt = now
			err = tx.PutMemory(m, graph.EventUpdated)
		}
		return true, err
	}
	if lifecycle.EndWorking(m, p, now, now) {
		return true, tx.PutMemory(m, graph.EventUpdated)
	}
	if err := tx.PutMemory(m, graph.EventExpired); err != nil {
		return false, err
	}
	return false, lifecycle.RecomputeConflicts(tx, m, now)
}

// end writes the end of each conversation, once.
func (x *sessionClose) end(tx graph.Tx, now time.Time) error {
	r := x.report
	r.StartedAt, r.EndedAt = time.Time{}, time.Time{}
	for k, first := range x.started {
		s, err := loadSession(tx, k)
		if err != nil {
			return err
		}
		if s == nil {
			s = &sessionRecord{Session: k.Session, User: k.User, StartedAt: first}
		}
		if s.StartedAt.Before(first) {
			first = s.StartedAt // the first memory was erased
		}
		if r.StartedAt.IsZero() || first.Before(r.StartedAt) {
			r.StartedAt = first
		}
		ended := lifecycle.FirstTime(s.EndedAt, now)
		r.EndedAt = lifecycle.Later(r.EndedAt, ended)
		if !s.EndedAt.IsZero() || x.t.buffer.hasTurns(k) {
			continue // ended before, or a turn arrived after this close
		}
		s.EndedAt = ended
		if err := putSession(tx, k, s, now); err != nil {
			return err
		}
	}
	return nil
}

// EraseEmptySession deletes, in a transaction, the record of a conversation of which no memory is
// left: a name can be personal data too.
func (svc *Service) EraseEmptySession(tx graph.Tx, k workspace.Conversation) error {
	left, err := tx.ListMemories(graph.MemoryQuery{Namespaces: []string{k.Namespace}, Users: []string{k.User}, Session: k.Session, Limit: 1})
	if err != nil || len(left) > 0 {
		return err
	}
	id, err := k.Note()
	if err != nil {
		return err
	}
	return tx.DeleteNote(graph.NoteSession, id)
}

// EraseSessions deletes the records of the conversations in an erasure of a user, a
// namespace or the tenant. For an erasure by ids, subject or entity, [Service.EraseEmptySession]
// deletes those of which nothing is left.
func (svc *Service) EraseSessions(ctx context.Context, wt *workspace.Tenant, job workspace.Selection) error {
	t := svc.tenants.Of(wt)
	if len(job.IDs) > 0 || job.Subject != "" || len(job.Entities) > 0 {
		return nil
	}
	t.buffer.forget(func(k workspace.Conversation) bool { return job.TakesOwner(k.Namespace, k.User) })
	for after := graph.ID(""); ; {
		var page []*graph.Note
		err := t.Update(ctx, func(tx graph.Tx) (err error) {
			if page, err = tx.Notes(graph.NoteSession, after, false, workspace.MaxBatch); err != nil {
				return err
			}
			for _, n := range page {
				var x sessionRecord
				if err := json.Unmarshal(n.Data, &x); err != nil {
					return errors.Join(graph.ErrIntegrity, err)
				}
				if job.TakesOwner(n.Namespace, x.User) {
					if err := tx.DeleteNote(n.Kind, n.ID); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil || len(page) < workspace.MaxBatch {
			return err
		}
		after = page[len(page)-1].ID
	}
}
