package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// taskTag marks the working memories that are tasks.
const taskTag = "task"

// TaskStatus is how far a task has come.
type TaskStatus string

// The statuses of a task.
const (
	TaskCandidate TaskStatus = "CANDIDATE" // read from a turn; it lives as long as a working memory
	TaskConfirmed TaskStatus = "CONFIRMED" // tracked: it outlives its session and its time to live
	TaskDismissed TaskStatus = "DISMISSED" // EXPIRED
)

// Task is something that was said to be still to be done.
type Task struct {
	Memory     *View // WORKING until its session ends; its content is what is to be done
	Status     TaskStatus
	Confidence float64  // 0.6·strength + 0.25·entity density + 0.15·recency boost, SPEC section 11
	Strength   float64  // of its cue, [0,1]
	Blocks     string   // what can't be done before it; empty: nothing is said
	Turn       graph.ID // that said it first; empty: it was not read from a turn
}

// TaskInput selects tasks. Dismissed ones are left out unless asked for.
type TaskInput struct {
	Namespaces             []string
	User, Project, Session string
	Status                 TaskStatus // empty: candidates and confirmed ones
	Access                 Access
	First                  int // 1 to 1,000; 0 is 50
	After                  graph.ID
}

// taskMeta is a task in the meta of its memory.
type taskMeta struct {
	Status     TaskStatus `json:"status"`
	Confidence float64    `json:"confidence"`
	Strength   float64    `json:"strength"`
	Blocks     string     `json:"blocks,omitempty"`
	Turn       graph.ID   `json:"turn,omitempty"`
	Again      bool       `json:"again,omitempty"` // it was said again
}

// isTask reports whether a memory is a task.
func isTask(m *graph.Memory) bool { return slices.Contains(m.Tags, taskTag) }

// metaOf reads the task of a memory. A memory that somebody tagged by hand is a
// candidate as sure as the memory is.
func metaOf(m *graph.Memory) taskMeta {
	x := taskMeta{Status: TaskCandidate, Confidence: m.Confidence}
	// What else stands in meta is the caller's; it need not fit.
	if err := json.Unmarshal(m.Meta, &x); err != nil || x.Status != TaskConfirmed && x.Status != TaskDismissed {
		x.Status = TaskCandidate
	}
	return x
}

// setMeta writes the task into the meta of its memory, beside what else stands there.
func setMeta(m *graph.Memory, x taskMeta) error {
	all := map[string]any{}
	if len(m.Meta) > 0 {
		if err := json.Unmarshal(m.Meta, &all); err != nil {
			all = map[string]any{} // no object: there is no room beside it
		}
	}
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	m.Meta, err = json.Marshal(all)
	return err
}

// tracked reports a task that was confirmed: it stays WORKING until it is dismissed.
func tracked(m *graph.Memory) bool {
	return m.Type == graph.Working && isTask(m) && metaOf(m).Status == TaskConfirmed
}

func taskView(v *View) *Task {
	x := metaOf(v.Memory)
	return &Task{Memory: v, Status: x.Status, Confidence: x.Confidence, Strength: x.Strength, Blocks: x.Blocks, Turn: x.Turn}
}

// Tasks lists tasks by ascending id and reports whether there are more. It knows those of
// every turn that was acknowledged before it, as long as the store takes writes.
func (e *Engine) Tasks(ctx context.Context, c Caller, in TaskInput) ([]*Task, bool, error) {
	switch in.Status {
	case "", TaskCandidate, TaskConfirmed, TaskDismissed:
	default:
		return nil, false, graph.FieldError(graph.CodeInvalidRequest, "status", "must be CANDIDATE, CONFIRMED or DISMISSED")
	}
	first, err := page("first", in.First, 50)
	if err != nil {
		return nil, false, err
	}
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, false, err
	}
	if err := e.heard(ctx, t); err != nil {
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		e.log.Warn("[READ] tasks of the last turns are not read yet", "error", err)
	}
	list := ListInput{
		Namespaces: in.Namespaces, User: in.User, Project: in.Project, Session: in.Session, Tags: []string{taskTag},
		Types: []graph.Type{graph.Working}, Access: in.Access, First: graph.MaxPage, After: in.After,
	}
	if in.Status == TaskDismissed {
		list.Statuses = []graph.Status{graph.Expired}
	}
	var tasks []*Task
	for {
		r, err := e.Memories(ctx, c, list)
		if err != nil {
			return nil, false, err
		}
		for _, v := range r.Memories {
			x := taskView(v)
			if in.Status != "" && x.Status != in.Status {
				continue
			}
			if len(tasks) == first {
				return tasks, true, nil
			}
			tasks = append(tasks, x)
		}
		if !r.More {
			return tasks, false, nil
		}
		list.After = r.Memories[len(r.Memories)-1].ID
	}
}

// ConfirmTask makes a candidate a task that is tracked: no time to live ends it but that
// of its sensitivity, and it outlives its session. One that is confirmed is answered as it is; VERSION_CONFLICT
// where it is not ACTIVE any more.
func (e *Engine) ConfirmTask(ctx context.Context, c Caller, id graph.ID) (*Task, error) {
	return e.changeTask(ctx, c, id, func(tx graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		x := metaOf(m)
		switch {
		case m.Status() != graph.Active || lapsed(m, now):
			return "", graph.FieldError(graph.CodeVersionConflict, "id", "is not ACTIVE")
		case x.Status == TaskConfirmed:
			return "", nil
		}
		p, err := policyIn(tx, m.Namespace)
		if err != nil {
			return "", err
		}
		x.Status, m.ExpiresAt = TaskConfirmed, time.Time{}
		bindPolicy(m, p)
		return graph.EventUpdated, setMeta(m, x)
	})
}

// DismissTask ends a task, whether it was done or was none: it becomes EXPIRED. One that
// is dismissed is answered as it is; VERSION_CONFLICT where it is not ACTIVE otherwise.
func (e *Engine) DismissTask(ctx context.Context, c Caller, id graph.ID) (*Task, error) {
	return e.changeTask(ctx, c, id, func(tx graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		x := metaOf(m)
		switch {
		case x.Status == TaskDismissed:
			return "", nil
		case m.Status() != graph.Active:
			return "", graph.FieldError(graph.CodeVersionConflict, "id", "is %s, not ACTIVE", m.Status())
		}
		x.Status = TaskDismissed
		m.SetState(now, func(s *graph.State) { s.Status = graph.Expired })
		if err := setMeta(m, x); err != nil {
			return "", err
		}
		return graph.EventExpired, settle(tx, m, now)
	})
}

func (e *Engine) changeTask(ctx context.Context, c Caller, id graph.ID, step func(graph.Tx, *graph.Memory, time.Time) (graph.EventKind, error)) (*Task, error) {
	v, err := e.change(ctx, c, id, func(tx graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		if !isTask(m) || m.Type != graph.Working {
			return "", graph.FieldError(graph.CodeMemoryNotFound, "id", "no task has this id")
		}
		return step(tx, m, now)
	})
	if err != nil {
		return nil, err
	}
	if t, err := e.tenant(ctx, c.scope()); err == nil {
		t.buffer.tasked(opened(v.Memory))
	}
	return taskView(v), nil
}

// heard reads the tasks out of the turns that came in since the last time. Turns still in
// L0 are heard again after a restart; a task has an id that follows from its turn, so it
// is written once.
func (e *Engine) heard(ctx context.Context, t *tenant) error {
	if err := e.buffered(ctx, t); err != nil {
		return err
	}
	b := t.buffer
	b.hearing.Lock()
	defer b.hearing.Unlock()
	for {
		due := b.unheard(maxBatch)
		if len(due) == 0 {
			return nil
		}
		if err := e.hear(ctx, t, due); err != nil {
			b.rouse()
			return err
		}
		b.listened(len(due))
	}
}

// hear reads the tasks out of some turns, in order.
func (e *Engine) hear(ctx context.Context, t *tenant, ids []graph.ID) error {
	var said []saying
	err := t.View(ctx, func(r graph.Reader) (err error) { said, err = sayings(r, t.buffer, ids); return err })
	if err != nil || len(said) == 0 {
		return err
	}
	return e.alone(ctx, t, func(ctx context.Context) error {
		now := t.Now()
		var made map[graph.ID]openTask
		err := t.Update(ctx, func(tx graph.Tx) error {
			s := e.writing(t, tx, now)
			made = map[graph.ID]openTask{}
			for _, x := range said {
				if err := takeTask(s, t.buffer, x, made); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		t.buffer.tasked(made)
		if len(made) > 0 {
			t.wakePending()
		}
		return nil
	})
}

// saying is a task in a turn.
type saying struct {
	turn   *graph.Memory
	nth    int // of the tasks of the turn
	task   extract.Task
	before bool // it was said in one of the turns before
}

// lastTurns is how far back a task counts as said before.
const lastTurns = 10

// sayings are the tasks of the turns. A damaged turn says nothing.
func sayings(r graph.Reader, b *buffer, ids []graph.ID) ([]saying, error) {
	var said []saying
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
		tasks := extract.Tasks(m.Content)
		if len(tasks) == 0 {
			continue
		}
		earlier, err := r.Memories(b.before(conversationOf(m), id, lastTurns))
		if err != nil {
			return nil, err
		}
		for i, x := range tasks {
			before := slices.ContainsFunc(earlier, func(m *graph.Memory) bool {
				return m != nil && slices.ContainsFunc(extract.Tasks(m.Content), func(y extract.Task) bool { return sameTask(x.Text, y.Text) })
			})
			said = append(said, saying{m, i, x, before})
		}
	}
	return said, nil
}

// sameTask reports whether two texts name one thing to do.
func sameTask(a, b string) bool { return extract.Canonical(a) == extract.Canonical(b) }

// takeTask writes a task down where it is a candidate, or strengthens the one that it
// says again. made are the tasks of this transaction.
func takeTask(s *storing, b *buffer, x saying, made map[graph.ID]openTask) error {
	id, err := graph.DerivedID(x.turn.CreatedAt, taskTag, string(x.turn.ID), fmt.Sprint(x.nth))
	if err != nil {
		return err
	}
	if _, err := s.tx.Memory(id); err == nil || !errors.Is(err, graph.ErrNotFound) {
		return err // written before, whatever became of it
	}
	text := extract.Text(x.task.Text, extract.Hints{Speaker: speaker(x.turn)})
	known, err := knows(s.tx, x.turn, text.Entities)
	if err != nil {
		return err
	}
	old, err := b.openTask(s, x.turn, x.task.Text, made)
	if err != nil {
		return err
	}
	confidence := extract.TaskConfidence(x.task.Strength, known, x.before || old != nil)
	if old != nil {
		meta := metaOf(old)
		if meta.Again && meta.Confidence >= confidence {
			return nil
		}
		meta.Again, meta.Confidence, meta.Strength = true, max(meta.Confidence, confidence), max(meta.Strength, x.task.Strength)
		old.Priority, old.UpdatedAt = taskPriority(meta.Confidence), s.now
		if err := setMeta(old, meta); err != nil {
			return err
		}
		return s.tx.PutMemory(old, graph.EventUpdated)
	}
	if !x.task.Candidate(confidence) {
		return nil
	}
	m := &graph.Memory{
		ID: id, Chain: id, Version: 1, Namespace: x.turn.Namespace, User: x.turn.User, Agent: x.turn.Agent, Session: x.turn.Session, Project: x.turn.Project,
		Type: graph.Working, Content: x.task.Text, DecayClass: decayClassOf(graph.Working), Priority: taskPriority(confidence), Tags: []string{taskTag},
		// What is derived has the authority, consent and sensitivity of what it is derived from.
		Authority: x.turn.Authority, Consent: x.turn.Consent, Sensitivity: x.turn.Sensitivity, SourceKind: graph.FromExtraction, Source: x.turn.Source,
		Confidence: min(confidence, (1+x.turn.Authority)/2), Importance: defaultImportance, Criticality: defaultCriticality,
		CreatedAt: s.now, UpdatedAt: s.now, RecordedAt: s.now, AnchorAt: s.now, OccurredAt: x.turn.OccurredAt, ValidFrom: x.turn.OccurredAt,
		ExpiresAt: s.now.Add(workingTTL),
	}
	p, err := s.policy(m.Namespace)
	if err != nil {
		return err
	}
	bindPolicy(m, p)
	m.Salience = text.Salience
	m.Checksum = graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source)
	m.SetState(s.now, func(st *graph.State) { st.Status, st.Tier = graph.Active, graph.L1 })
	if err := setMeta(m, taskMeta{TaskCandidate, confidence, x.task.Strength, x.task.Blocks, x.turn.ID, x.before}); err != nil {
		return err
	}
	if _, err := s.link(m, &draft{named: text.Entities}); err != nil {
		return err
	}
	if err := s.tx.PutMemory(m, graph.EventCreated); err != nil {
		return err
	}
	made[id] = openTask{conversationOf(m), x.turn.ID}
	return s.tx.PutEdge(graph.Edge{From: id, Kind: graph.DerivedFrom, To: x.turn.ID, Weight: 1, At: s.now})
}

func taskPriority(confidence float64) graph.Priority {
	if confidence > extract.TaskHighAt {
		return graph.High
	}
	return graph.Medium
}

// knows reports whether one of the names is that of an entity known to the turn's user.
func knows(r graph.Reader, turn *graph.Memory, names []extract.Entity) (bool, error) {
	for _, name := range names {
		for _, owner := range owners(turn.User) {
			_, err := r.EntityByName(turn.Namespace, owner, name.Canonical)
			if err == nil {
				return true, nil
			}
			if !errors.Is(err, graph.ErrNotFound) {
				return false, err
			}
		}
	}
	return false, nil
}

// openTask is the task of the conversation that says the same, where it is still open.
func (b *buffer) openTask(s *storing, turn *graph.Memory, text string, made map[graph.ID]openTask) (*graph.Memory, error) {
	open := b.openTasks()
	maps.Copy(open, made)
	for _, id := range slices.Sorted(maps.Keys(open)) {
		if open[id].of != conversationOf(turn) || open[id].turn == turn.ID {
			continue
		}
		m, err := s.tx.Memory(id)
		if err != nil {
			return nil, err
		}
		if m.Type == graph.Working && m.Status() == graph.Active && !lapsed(m, s.now) && sameTask(m.Content, text) {
			return m, nil
		}
	}
	return nil, nil
}

// openTask is what the engine keeps in memory about a task that may be open.
type openTask struct {
	of   conversation
	turn graph.ID
}

// opened answers the tasks among some memories.
func opened(some ...*graph.Memory) map[graph.ID]openTask {
	tasks := map[graph.ID]openTask{}
	for _, m := range some {
		if m.Type == graph.Working && m.Status() == graph.Active && isTask(m) {
			tasks[m.ID] = openTask{conversationOf(m), metaOf(m).Turn}
		}
	}
	return tasks
}

// taskAt is an open task as a search sees it.
type taskAt struct {
	doc  *index.Doc
	turn graph.ID
}

// taskReference is the part of the score of what an active task refers to, SPEC section 7.
const taskReference = 0.5

// tasksAt are the tasks that the caller sees and that were open at the instant.
func (e *Engine) tasksAt(ctx context.Context, c Caller, t *tenant, at time.Time) ([]taskAt, error) {
	if err := e.buffered(ctx, t); err != nil {
		return nil, err
	}
	var tasks []taskAt
	var over []graph.ID
	for id, x := range t.buffer.openTasks() {
		d, ok := e.index.Doc(t.scope, id)
		if !ok {
			continue // its commit is on the way to the index
		}
		if d.History[len(d.History)-1].Status != graph.Active || d.Type != graph.Working {
			over = append(over, id)
			continue
		}
		s, known := graph.StateAt(d.History, d.ExpiresAt, at)
		if known && s.Status == graph.Active && c.sees(d.Namespace, d.User) {
			tasks = append(tasks, taskAt{d, x.turn})
		}
	}
	t.buffer.closeTasks(over)
	return tasks, nil
}

// refers reports whether a task refers to a memory: it was read from it, or they share an
// entity.
func (x taskAt) refers(d *index.Doc) bool {
	if d.ID == x.turn {
		return true
	}
	return d.ID != x.doc.ID && d.Namespace == x.doc.Namespace && inCircle(x.doc.User, d.User) &&
		slices.ContainsFunc(d.Entities, func(id graph.ID) bool { return slices.Contains(x.doc.Entities, id) })
}
