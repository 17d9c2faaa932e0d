package session

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// Task is something that a conversation named as still to be done.
type Task struct {
	Memory     *workspace.View // WORKING; its content is the task
	Status     lifecycle.TaskStatus
	Confidence float64    // 0.6·strength + 0.25·entity density + 0.15·recency boost
	Strength   float64    // strength of the cue, [0,1]
	Blocks     string     // what it blocks; empty: unknown
	BlockedBy  []graph.ID // open tasks that it has to wait for, ascending; Tasks and the verbs fill it
	Due        time.Time  // when it is to be done, see temporal.Deadline; zero: unknown
	EndedAt    time.Time  // when it was done or dismissed; zero: it was not
	Turn       graph.ID   // first turn that named it; empty: not extracted from a turn
}

// TaskInput selects tasks. Tasks that are done or dismissed are only selected by status.
type TaskInput struct {
	Namespaces             []string
	User, Project, Session string
	Status                 lifecycle.TaskStatus // empty: candidates and confirmed tasks
	DueBefore              time.Time            // only tasks that are due before; zero: all
	Access                 workspace.Access
	First                  int // 1 to 1,000; 0 is 50
	After                  graph.ID
}

// TaskOf returns the task of a memory view, without BlockedBy.
func TaskOf(v *workspace.View) *Task {
	x := lifecycle.MetaOf(v.Memory)
	t := &Task{Memory: v, Status: x.Status, Confidence: x.Confidence, Strength: x.Strength, Blocks: x.Blocks, Due: x.Due, Turn: x.Turn}
	if v.Status() == graph.Expired {
		t.EndedAt = v.Memory.State().From
	}
	return t
}

// Tasks lists tasks by ascending id and reports whether there are more. It includes the
// tasks of every turn that was acknowledged before the call, as long as the store accepts
// writes.
func (svc *Service) Tasks(ctx context.Context, c workspace.Caller, in TaskInput) ([]*Task, bool, error) {
	switch in.Status {
	case "", lifecycle.TaskCandidate, lifecycle.TaskConfirmed, lifecycle.TaskDone, lifecycle.TaskDismissed:
	default:
		return nil, false, graph.FieldError(graph.CodeInvalidRequest, "status", "must be CANDIDATE, CONFIRMED, DONE or DISMISSED")
	}
	first, err := workspace.PageSize("first", in.First, 50)
	if err != nil {
		return nil, false, err
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, false, err
	}
	if err := svc.readTasks(ctx, t); err != nil {
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		svc.Log.WarnContext(ctx, "[READ] tasks of the latest turns are not extracted yet", "error", err)
	}
	list := workspace.ListInput{
		Namespaces: in.Namespaces, User: in.User, Project: in.Project, Session: in.Session, Tags: []string{lifecycle.TaskTag},
		Types: []graph.Type{graph.Working}, Access: in.Access, First: graph.MaxPage, After: in.After,
	}
	if in.Status == lifecycle.TaskDone || in.Status == lifecycle.TaskDismissed {
		list.Statuses = []graph.Status{graph.Expired}
	}
	var tasks []*Task
	for {
		r, err := svc.Memories(ctx, c, list)
		if err != nil {
			return nil, false, err
		}
		for _, v := range r.Memories {
			x := TaskOf(v)
			if !lifecycle.IsTask(v.Memory) || in.Status != "" && x.Status != in.Status || !in.DueBefore.IsZero() && (x.Due.IsZero() || !x.Due.Before(in.DueBefore)) {
				continue
			}
			if len(tasks) == first {
				return tasks, true, svc.findBlockers(ctx, c, t, tasks)
			}
			tasks = append(tasks, x)
		}
		if !r.More {
			return tasks, false, svc.findBlockers(ctx, c, t, tasks)
		}
		list.After = r.Memories[len(r.Memories)-1].ID
	}
}

// ConfirmTask makes a candidate a tracked task: only the time to live of its sensitivity
// can end it, and it outlives its session. A confirmed task is returned unchanged. The
// error is VERSION_CONFLICT if the task is no longer ACTIVE.
func (svc *Service) ConfirmTask(ctx context.Context, c workspace.Caller, id graph.ID) (*Task, error) {
	return svc.changeTask(ctx, c, id, func(tx graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		x := lifecycle.MetaOf(m)
		switch {
		case m.Status() != graph.Active || lifecycle.IsExpired(m, now):
			return "", graph.FieldError(graph.CodeVersionConflict, "id", "is not ACTIVE")
		case x.Status == lifecycle.TaskConfirmed:
			return "", nil
		}
		p, err := workspace.PolicyOf(tx, m.Namespace)
		if err != nil {
			return "", err
		}
		x.Status, m.ExpiresAt = lifecycle.TaskConfirmed, time.Time{}
		lifecycle.BindPolicy(m, p)
		return graph.EventUpdated, lifecycle.SetMeta(m, x)
	})
}

// CompleteTask ends a task that was done: it becomes EXPIRED with status DONE, and what waited for it
// no longer waits. A task that is done is returned unchanged. The error is VERSION_CONFLICT if the
// task is otherwise not ACTIVE.
func (svc *Service) CompleteTask(ctx context.Context, c workspace.Caller, id graph.ID) (*Task, error) {
	return svc.endTask(ctx, c, id, lifecycle.TaskDone)
}

// DismissTask ends a task that was none or is not wanted: it becomes EXPIRED. A dismissed
// task is returned unchanged. The error is VERSION_CONFLICT if the task is otherwise not
// ACTIVE.
func (svc *Service) DismissTask(ctx context.Context, c workspace.Caller, id graph.ID) (*Task, error) {
	return svc.endTask(ctx, c, id, lifecycle.TaskDismissed)
}

// endTask ends a task with status DONE or DISMISSED.
func (svc *Service) endTask(ctx context.Context, c workspace.Caller, id graph.ID, as lifecycle.TaskStatus) (*Task, error) {
	return svc.changeTask(ctx, c, id, func(tx graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		switch {
		case lifecycle.MetaOf(m).Status == as:
			return "", nil
		case m.Status() != graph.Active:
			return "", graph.FieldError(graph.CodeVersionConflict, "id", "is %s, not ACTIVE", m.Status())
		}
		return graph.EventExpired, end(tx, m, as, now)
	})
}

// changeTask applies step to the memory of a task in one transaction.
func (svc *Service) changeTask(ctx context.Context, c workspace.Caller, id graph.ID, step func(graph.Tx, *graph.Memory, time.Time) (graph.EventKind, error)) (*Task, error) {
	v, err := svc.ingest.Change(ctx, c, id, func(tx graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		if !lifecycle.IsTask(m) || m.Type != graph.Working {
			return "", graph.FieldError(graph.CodeMemoryNotFound, "id", "no task has this id")
		}
		if c.MayWriteFor(m.User) != nil {
			return "", graph.FieldError(graph.CodeForbidden, "id", "belongs to nobody: changing it requires the scope %s", access.MemoryShare)
		}
		return step(tx, m, now)
	})
	if err != nil {
		return nil, err
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	t.buffer.addTasks(openTasksOf(v.Memory))
	x := TaskOf(v)
	return x, svc.findBlockers(ctx, c, t, []*Task{x})
}

// findBlockers fills BlockedBy of open tasks: the open tasks of the same owner and namespace, in the
// same project or in none, that block something whose content words are all in the task.
func (svc *Service) findBlockers(ctx context.Context, c workspace.Caller, t *tenant, tasks []*Task) error {
	if err := t.Current(ctx); err != nil { // the index knows which tasks are open
		return err
	}
	now := t.Now()
	open, err := svc.OpenTasks(ctx, c, t.Tenant, now)
	if err != nil {
		return err
	}
	for _, x := range tasks {
		if m := x.Memory.Memory; lifecycle.IsOpenTask(m) && !lifecycle.IsExpired(m, now) {
			x.BlockedBy = workspace.Blockers(m.ID, m.Namespace, m.User, m.Project, m.Content, open)
		}
	}
	return nil
}

// readTasks extracts the tasks of the turns that arrived since the last call. After a
// restart it processes the turns in L0 again. The id of a task is derived from its turn,
// so the task is written once.
func (svc *Service) readTasks(ctx context.Context, t *tenant) error {
	if err := svc.load(ctx, t); err != nil {
		return err
	}
	b := t.buffer
	b.readingTasks.Lock()
	defer b.readingTasks.Unlock()
	for {
		due := b.nextUnread(workspace.MaxBatch)
		if len(due) == 0 {
			return nil
		}
		if err := svc.readTasksOf(ctx, t, due); err != nil {
			b.wakeUp()
			return err
		}
		b.doneReading(len(due))
	}
}

// readTasksOf extracts the tasks of some turns, in order.
func (svc *Service) readTasksOf(ctx context.Context, t *tenant, ids []graph.ID) error {
	var found []taskInTurn
	err := t.View(ctx, func(r graph.Reader) (err error) { found, err = tasksIn(r, t.buffer, ids); return err })
	if err != nil {
		return err
	}
	return svc.storeTasks(ctx, t, found)
}

// storeTasks writes tasks in one transaction.
func (svc *Service) storeTasks(ctx context.Context, t *tenant, found []taskInTurn) error {
	if len(found) == 0 {
		return nil
	}
	return svc.ingest.RunExclusive(ctx, t.Tenant, func(ctx context.Context) error {
		now := t.Now()
		var written map[graph.ID]openTask
		err := t.Update(ctx, func(tx graph.Tx) error {
			s := svc.ingest.NewWriteTx(t.Tenant, tx, now, nil)
			written = map[graph.ID]openTask{}
			for _, x := range found {
				store := storeTask
				if x.done {
					store = completeTasks
				}
				if err := store(s, t.buffer, x, written); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		t.buffer.addTasks(written)
		if len(written) > 0 {
			t.WakePending()
		}
		return nil
	})
}

// taskInTurn is a task that a turn names.
type taskInTurn struct {
	turn     *graph.Memory
	index    int // among the tasks of the turn
	task     extract.Task
	repeated bool      // an earlier turn named it too
	ended    time.Time // of an imported session; zero: the task lives from the recording of the turn
	needs    bool      // what the user has to do once is a task
	done     bool      // the turn may say instead that tasks are done
}

// repeatWindow is the number of previous turns in which a task counts as repeated.
const repeatWindow = 10

// tasksIn returns the tasks of the turns. A damaged turn has none.
func tasksIn(r graph.Reader, b *sessionBuffer, ids []graph.ID) ([]taskInTurn, error) {
	var found []taskInTurn
	for _, id := range ids {
		m, err := r.Memory(id)
		if code := graph.CodeOf(err); code == graph.CodeIntegrityFailure || code == graph.CodeMemoryNotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		if m.Status() == graph.Forgotten || m.Consent == graph.ConsentNone {
			continue // nothing is derived without consent
		}
		if m.SourceKind == graph.FromUser && (len(found) > 0 || b.hasTasksOf(workspace.ConversationOf(m))) && extract.TellsDone(m.Content) {
			found = append(found, taskInTurn{turn: m, done: true})
		}
		tasks := tasksOf(m, isWritten(m))
		if len(tasks) == 0 {
			continue
		}
		needs := isWritten(m)
		if !needs {
			x, err := loadSession(r, workspace.ConversationOf(m))
			if err != nil && !errors.Is(err, graph.ErrIntegrity) {
				return nil, err
			}
			needs = x != nil && x.Needs
		}
		earlier, err := graph.Undamaged(r, b.turnsBefore(workspace.ConversationOf(m), id, repeatWindow))
		if err != nil {
			return nil, err
		}
		for i, x := range tasks[:min(len(tasks), lifecycle.MaxTurnTasks)] {
			repeated := slices.ContainsFunc(earlier, func(m *graph.Memory) bool {
				return m != nil && slices.ContainsFunc(tasksOf(m, false), func(y extract.Task) bool { return sameTask(x.Text, y.Text) })
			})
			if needs || !x.Own {
				found = append(found, taskInTurn{turn: m, index: i, task: x, repeated: repeated, needs: needs})
			}
		}
	}
	return found, nil
}

// tasksOf returns the tasks that a memory names. What an assistant or a tool has to do is none. written says that it is no turn: an assistant
// remembers what the user asked to be reminded of.
func tasksOf(m *graph.Memory, written bool) []extract.Task {
	tasks := extract.Tasks(m.Content)
	if m.SourceKind == graph.FromUser {
		return tasks
	}
	return slices.DeleteFunc(tasks, func(t extract.Task) bool {
		return t.Own && !(written && t.Certain && m.SourceKind == graph.FromAssistant)
	})
}

// isWritten reports a memory that was remembered and is no turn.
func isWritten(m *graph.Memory) bool { return len(m.History) > 0 && m.History[0].Tier != graph.L0 }

// mayName reports whether a memory that was remembered may name tasks, or say that some are done: it was said lately, and it is no document, and no rule or working
// memory that the caller called so.
func mayName(m *graph.Memory, now time.Time) bool {
	if m.Type == graph.Document || m.Typed && m.Type != graph.Episodic && m.Type != graph.Semantic || m.SourceKind != graph.FromUser && m.SourceKind != graph.FromAssistant {
		return false
	}
	return lifecycle.FirstTime(m.OccurredAt, m.CreatedAt).Add(lifecycle.TaskTTL).After(now) &&
		(len(tasksOf(m, true)) > 0 || m.SourceKind == graph.FromUser && extract.TellsDone(m.Content))
}

// named reports whether a task is proposed: by its confidence, or because the user has to do it once and says when.
func (x *taskInTurn) named(confidence float64, due time.Time) bool {
	return x.task.Candidate(confidence) || x.needs && !due.IsZero() && x.turn.SourceKind == graph.FromUser && x.task.Once()
}

// sameTask reports whether two texts name the same task.
func sameTask(a, b string) bool { return extract.Canonical(a) == extract.Canonical(b) }

// storeTask writes a task if it is a candidate, or strengthens the open task that it repeats, of this
// or another conversation. written collects the tasks of this transaction.
func storeTask(s *ingest.WriteTx, b *sessionBuffer, x taskInTurn, written map[graph.ID]openTask) error {
	id, err := lifecycle.TaskID(x.turn.ID, x.turn.CreatedAt, x.index)
	if err != nil {
		return err
	}
	if _, err := s.Tx.Memory(id); err == nil || !errors.Is(err, graph.ErrNotFound) {
		return err // written before, whatever its state now
	}
	hints := extract.Hints{Speaker: workspace.Speaker(x.turn)}
	text := extract.Text(x.task.Text, hints)
	known, err := anyKnown(s.Tx, x.turn, extract.Text(x.task.Sentence, hints).Entities)
	if err != nil {
		return err
	}
	due := dueOf(x)
	old, err := b.findSameTask(s, x, due, written)
	if err != nil {
		return err
	}
	confidence := extract.TaskConfidence(x.task.Strength, known, x.repeated || old != nil)
	if old != nil {
		return repeatTask(s, old, x, due, confidence, written)
	}
	if !x.named(confidence, due) {
		return nil
	}
	m := &graph.Memory{
		ID: id, Chain: id, Version: 1, Namespace: x.turn.Namespace, User: x.turn.User, Agent: x.turn.Agent, Session: x.turn.Session, Project: x.turn.Project,
		Type: graph.Working, Content: x.task.Text, DecayClass: lifecycle.DecayClassOf(graph.Working), Priority: taskPriority(confidence), Tags: []string{lifecycle.TaskTag},
		// A task has the authority, consent and sensitivity of its turn.
		Authority: x.turn.Authority, Consent: x.turn.Consent, ConsentDefaulted: x.turn.ConsentDefaulted, Sensitivity: x.turn.Sensitivity, SourceKind: graph.FromExtraction, Source: x.turn.Source,
		Confidence: min(confidence, (1+x.turn.Authority)/2), Importance: lifecycle.DefaultImportance, Criticality: lifecycle.DefaultCriticality,
		CreatedAt: s.Now, UpdatedAt: s.Now, RecordedAt: s.Now, AnchorAt: s.Now, OccurredAt: x.turn.OccurredAt, ValidFrom: x.turn.OccurredAt,
		ExpiresAt: lifecycle.FirstTime(x.ended, x.turn.CreatedAt).Add(lifecycle.TaskTTL),
	}
	p, err := s.Policy(m.Namespace)
	if err != nil {
		return err
	}
	lifecycle.BindPolicy(m, p)
	lifecycle.ReadClaims(m, extract.Statement{}, m.OccurredAt)
	lifecycle.DateClaims(m)
	m.Salience = text.Salience
	m.Checksum = graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source)
	m.SetState(s.Now, func(st *graph.State) { st.Status, st.Tier = graph.Active, graph.L1 })
	if err := lifecycle.SetMeta(m, lifecycle.TaskMeta{Status: lifecycle.TaskCandidate, Confidence: confidence, Strength: x.task.Strength, Blocks: x.task.Blocks, Due: due, Turn: x.turn.ID, Again: x.repeated}); err != nil {
		return err
	}
	if _, err := s.Link(m, &ingest.Draft{Named: text.Entities}); err != nil {
		return err
	}
	if err := s.Tx.PutMemory(m, graph.EventCreated); err != nil {
		return err
	}
	maps.Copy(written, openTasksOf(m))
	return s.Tx.PutEdge(graph.Edge{From: id, Kind: graph.DerivedFrom, To: x.turn.ID, Weight: 1, At: s.Now})
}

// repeatTask strengthens an open task that a turn names again, and lets it live for as long as if it were new.
func repeatTask(s *ingest.WriteTx, old *graph.Memory, x taskInTurn, due time.Time, confidence float64, written map[graph.ID]openTask) error {
	p, err := s.Policy(old.Namespace)
	if err != nil {
		return err
	}
	meta := lifecycle.MetaOf(old)
	longer := lifecycle.ProlongTask(old, lifecycle.FirstTime(x.ended, x.turn.CreatedAt), p)
	if !longer && meta.Again && meta.Confidence >= confidence && (due.IsZero() || due.Equal(meta.Due)) {
		return nil
	}
	if !due.IsZero() {
		meta.Due = due // named last
	}
	if x.task.Blocks != "" {
		meta.Blocks = x.task.Blocks
	}
	meta.Again, meta.Confidence, meta.Strength = true, max(meta.Confidence, confidence), max(meta.Strength, x.task.Strength)
	old.Priority, old.UpdatedAt = taskPriority(meta.Confidence), s.Now
	if err := lifecycle.SetMeta(old, meta); err != nil {
		return err
	}
	maps.Copy(written, openTasksOf(old))
	return s.Tx.PutMemory(old, graph.EventUpdated)
}

// dueOf returns when a task is to be done, as its text says or else its sentence, relative to the
// time of its turn.
func dueOf(x taskInTurn) time.Time {
	at := lifecycle.FirstTime(x.turn.OccurredAt, x.turn.CreatedAt)
	due, ok := temporal.Deadline(x.task.Text, at)
	if !ok {
		due, _ = temporal.Deadline(x.task.Sentence, at)
	}
	return due
}

// taskPriority returns the priority of a task with that confidence.
func taskPriority(confidence float64) graph.Priority {
	if confidence > extract.TaskHighAt {
		return graph.High
	}
	return graph.Medium
}

// anyKnown reports whether one of the names is an entity known to the user of the turn.
func anyKnown(r graph.Reader, turn *graph.Memory, names []extract.Entity) (bool, error) {
	for _, name := range names {
		for _, owner := range workspace.Owners(turn.User) {
			e, err := r.EntityByName(turn.Namespace, owner, name.Canonical)
			if known, err := graph.Found(err); err != nil || known && !(isWritten(turn) && e.FirstSeen.Equal(turn.CreatedAt)) {
				return known, err // and not named by that memory first
			}
		}
	}
	return false, nil
}

// findSameTask returns the open task that a turn names again, or nil: one with the same text in the
// same conversation, or one that repeats says is the same.
func (b *sessionBuffer) findSameTask(s *ingest.WriteTx, x taskInTurn, due time.Time, written map[graph.ID]openTask) (*graph.Memory, error) {
	open := b.openTasks()
	maps.Copy(open, written)
	own, said := workspace.ConversationOf(x.turn), readingOf(x.task.Text, x.turn.OccurredAt)
	for _, id := range slices.Sorted(maps.Keys(open)) {
		o := open[id]
		if o.turn == x.turn.ID || o.said != said || o.conversation.Namespace != own.Namespace || o.conversation.User != own.User {
			continue
		}
		m, err := s.Tx.Memory(id)
		if err != nil {
			return nil, err
		}
		if !lifecycle.IsOpenTask(m) || lifecycle.IsExpired(m, s.Now) {
			continue
		}
		if o.conversation == own && sameTask(m.Content, x.task.Text) || repeats(m, x.turn, due) {
			return m, nil
		}
	}
	return nil, nil
}

// repeats reports whether a turn that says the same as a task names it again: it is of the same owner,
// project and trust, was said later, and gives no other date.
func repeats(task, turn *graph.Memory, due time.Time) bool {
	before := lifecycle.MetaOf(task).Due
	return task.Project == turn.Project && (task.User != "" || task.Agent == turn.Agent) &&
		task.Authority == turn.Authority && task.Consent == turn.Consent && task.Sensitivity == turn.Sensitivity &&
		!turn.OccurredAt.Before(task.OccurredAt) && (due.IsZero() || before.IsZero() || due.Equal(before))
}

// passedOver are words that make no other task of one.
var passedOver = english.WordSet("a an the my our this that these those please")

// readingOf returns the words of a task in their base forms, without determiners and times.
func readingOf(text string, at time.Time) string {
	var b strings.Builder
	from := 0
	for _, s := range temporal.Read(text, at).Spans {
		b.WriteString(text[from:s.Start])
		from = s.End
	}
	b.WriteString(text[from:])
	var words []string
	for t := range english.Tokens(b.String(), english.Names) {
		if low := english.Lower(t.Text); t.IsWord() && !passedOver[low] {
			words = append(words, english.Lemma(low))
		}
	}
	if len(words) == 0 {
		return extract.Canonical(text)
	}
	return strings.Join(words, " ")
}

// openTask is the in-memory entry of a task that may be open.
type openTask struct {
	conversation workspace.Conversation
	turn         graph.ID
	blocks       string
	due          time.Time
	said         string // see readingOf
}

// openTasksOf returns the open tasks among some memories.
func openTasksOf(memories ...*graph.Memory) map[graph.ID]openTask {
	tasks := map[graph.ID]openTask{}
	for _, m := range memories {
		if m.Type == graph.Working && m.Status() == graph.Active && lifecycle.IsTask(m) {
			x := lifecycle.MetaOf(m)
			tasks[m.ID] = openTask{workspace.ConversationOf(m), x.Turn, x.Blocks, x.Due, readingOf(m.Content, m.OccurredAt)}
		}
	}
	return tasks
}

// OpenTasks returns the tasks that the caller sees and that were open at the time at.
func (svc *Service) OpenTasks(ctx context.Context, c workspace.Caller, wt *workspace.Tenant, at time.Time) ([]workspace.OpenTask, error) {
	t := svc.tenants.Of(wt)
	if err := svc.load(ctx, t); err != nil {
		return nil, err
	}
	var tasks []workspace.OpenTask
	var closed []graph.ID
	for id, x := range t.buffer.openTasks() {
		d, ok := svc.Index.Doc(t.Scope, id)
		if !ok {
			continue // the index does not have its commit yet
		}
		if d.History[len(d.History)-1].Status != graph.Active || d.Type != graph.Working {
			closed = append(closed, id)
			continue
		}
		s, known := graph.StateAt(d.History, d.ExpiresAt, at)
		if known && s.Status == graph.Active && c.SeesDoc(d) {
			tasks = append(tasks, workspace.OpenTask{Doc: d, Turn: x.turn, Blocks: x.blocks, Due: x.due})
		}
	}
	t.buffer.closeTasks(closed)
	slices.SortFunc(tasks, func(a, b workspace.OpenTask) int { return cmp.Compare(a.Doc.ID, b.Doc.ID) })
	return tasks, nil
}

// NotePrompt records the memories ids in a prompt of the matching conversations.
func (svc *Service) NotePrompt(t *workspace.Tenant, match func(workspace.Conversation) bool, ids []graph.ID) {
	svc.tenants.Of(t).buffer.notePrompt(match, ids)
}
