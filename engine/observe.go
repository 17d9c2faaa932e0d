package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// Observation is one turn of a conversation.
type Observation struct {
	Session              string // 1 to graph.MaxName bytes
	Role                 string // user, assistant, tool or system
	Text                 string // as long as the content of a memory
	Consent              graph.Consent
	Namespace            string // empty: default
	User, Agent, Project string // User empty: that of the credentials
	OccurredAt           time.Time
	IdempotencyKey       string
}

// Observed is what became of a turn.
type Observed struct {
	Memory   *View   // the turn, in L0
	Flushed  []*View // turns that left the ring for L1 to make room; they get there within 500 ms
	Replayed bool
}

// roles are who may speak, and what kind of source each is.
var roles = map[string]graph.SourceKind{
	"user": graph.FromUser, "assistant": graph.FromAssistant, "tool": graph.FromTool, "system": graph.FromSystem,
}

// passage is the way of a turn through L0.
type passage struct {
	buffer *buffer
	row    graph.ID   // of a turn that leaves; empty: it comes in
	tokens int        // of a turn that comes in
	left   []graph.ID // turns that it pushed out
}

// Enters reports a turn that comes into L0.
func (p *passage) Enters() bool { return p.row == "" }

// Observe puts a turn of a conversation into L0, the working buffer of its session, and
// answers when that is durable: one small write, however long the session is. The turn
// is found by its words at once and by its meaning as soon as it is embedded; entities,
// statement and signals are read when it leaves for L1. A turn in a session that was
// closed opens it again.
func (e *Engine) Observe(ctx context.Context, c Caller, in Observation) (*Observed, error) {
	d, turn, fault := e.observed(c, in)
	if fault != nil {
		return nil, fault
	}
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, err
	}
	turn.buffer = t.buffer
	if err := e.buffered(ctx, t); err != nil {
		return nil, e.whole(early(err))
	}
	results, err := e.submit(ctx, t, []*draft{d})
	if err != nil {
		return nil, e.whole(err)
	}
	if results[0].Error != nil {
		return nil, results[0].Error
	}
	o := &Observed{Memory: results[0].Memory, Replayed: results[0].Replayed}
	if o.Flushed, err = e.living(ctx, c, turn.left); err != nil { // the turn is written: say so
		e.log.Warn("[READ] turns that left a ring were not read back", "items", len(turn.left), "error", err)
	}
	return o, nil
}

// living reads turns, without those that were erased.
func (e *Engine) living(ctx context.Context, c Caller, ids []graph.ID) ([]*View, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	views, err := e.MemoriesByID(ctx, c, ids, Access{})
	return slices.DeleteFunc(views, func(v *View) bool { return v == nil || v.State.Status == graph.Forgotten }), err
}

// observed checks a turn and drafts it. Nothing is read from its text yet.
func (e *Engine) observed(c Caller, in Observation) (*draft, *passage, *graph.Error) {
	kind, known := roles[in.Role]
	switch {
	case in.Session == "" || len(in.Session) > graph.MaxName || !utf8.ValidString(in.Session):
		return nil, nil, graph.FieldError(graph.CodeInvalidRequest, "session", "must be 1 to %d bytes of UTF-8", graph.MaxName)
	case !known:
		return nil, nil, graph.FieldError(graph.CodeInvalidRequest, "role", "must be user, assistant, tool or system")
	}
	if in.User == "" {
		in.User = c.User
	}
	check := RememberInput{Content: in.Text, Consent: in.Consent, Namespace: in.Namespace, User: in.User, IdempotencyKey: in.IdempotencyKey}
	if err := e.checkInput(c, &check); err != nil {
		if err.Field == "content" {
			err.Field = "text"
		}
		return nil, nil, err
	}
	in.Namespace = check.Namespace
	m := &graph.Memory{
		Namespace: in.Namespace, User: in.User, Agent: in.Agent, Session: in.Session, Project: in.Project,
		Type: graph.Episodic, Content: in.Text, DecayClass: decayClassOf(graph.Episodic),
		Authority: bound(nil, authorityOf(kind), c.Grant), Importance: defaultImportance, Criticality: defaultCriticality,
		Sensitivity: graph.Internal, Consent: in.Consent, SourceKind: kind, Version: 1, OccurredAt: graph.Millis(in.OccurredAt),
	}
	m.Confidence = min(defaultConfidence, (1+m.Authority)/2)
	turn := &passage{tokens: prompt.Count(in.Text)}
	d := &draft{memory: m, item: turn}
	if in.IdempotencyKey != "" {
		d.key, d.digest = "observe:"+in.IdempotencyKey, digest(in)
	}
	return d, turn, nil
}

// speaker is who said a turn: "I" in its text.
func speaker(m *graph.Memory) string {
	if m.SourceKind == graph.FromUser {
		return cmp.Or(m.User, "user")
	}
	return cmp.Or(m.Agent, strings.ToLower(string(m.SourceKind)))
}

// wasTurn reports whether a memory began in L0.
func wasTurn(m *graph.Memory) bool { return m.History[0].Tier == graph.L0 }

// enter writes a turn into L0.
func enter(s *storing, d *draft) (RememberResult, error) {
	m, err := s.born(d)
	if err != nil {
		return RememberResult{}, err
	}
	m.SetState(s.now, func(st *graph.State) { st.Status, st.Tier = graph.Active, graph.L0 })
	if err := s.tx.PutMemory(m, graph.EventCreated); err != nil {
		return RememberResult{}, err
	}
	if err := openSession(s, m); err != nil {
		return RememberResult{}, err
	}
	r := RememberResult{Memory: view(m, Access{}, s.now), Pending: true}
	return r, s.remember(d, m.ID, r)
}

// entered takes the turns that a commit wrote into their rings, and notes its tasks. It
// runs in the writer, so the order of a ring is that of the commits.
func (t *tenant) entered(drafts []*draft, results []RememberResult) {
	for i, d := range drafts {
		r := results[i]
		if r.Error == nil && isTask(d.memory) {
			t.buffer.tasked(opened(r.Memory.Memory))
		}
		turn, ok := d.item.(*passage)
		if !ok || !turn.Enters() || r.Error != nil || r.Replayed {
			continue
		}
		turn.left = t.buffer.push(conversationOf(r.Memory.Memory), slot{r.Memory.ID, turn.tokens}, r.Memory.CreatedAt)
	}
}
