package session

import (
	"cmp"
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Observation is one turn of a conversation.
type Observation struct {
	Session              string // 1 to graph.MaxName bytes
	Role                 string // user, assistant, tool or system
	Text                 string // same limits as the content of a memory
	Consent              graph.Consent
	Namespace            string // empty: default
	User, Agent, Project string // User empty: the user of the credentials
	OccurredAt           time.Time
	IdempotencyKey       string
	// ToolCalls are for the roles assistant and tool: a person calls no tools. What a tool answered
	// is kept with the turn and is nobody's statement.
	ToolCalls []graph.ToolCall `json:",omitempty"`
	Private   bool             `json:",omitempty"` // only the agent sees the turn and what is derived from it; needs Agent
}

// Observed is the result of observing a turn.
type Observed struct {
	Memory   *workspace.View   // the turn, in L0
	Flushed  []*workspace.View // turns that left the ring to make room; they reach L1 within 500 ms
	Replayed bool
}

// roles maps the role of a speaker to the kind of source.
var roles = map[string]graph.SourceKind{
	"user": graph.FromUser, "assistant": graph.FromAssistant, "tool": graph.FromTool, "system": graph.FromSystem,
}

// turnItem stores a turn that enters or leaves L0.
type turnItem struct {
	buffer    *sessionBuffer
	row       graph.ID      // the turn, if it leaves; empty: it enters
	tokens    int           // size of a turn that enters
	displaced []graph.ID    // turns that left the ring for it
	plain     *ingest.Draft // of a turn that leaves and says something together with an earlier one, the draft of what was said; nil: it stands alone
}

// Enters reports whether the turn enters L0.
func (item *turnItem) Enters() bool { return item.row == "" }

// Observe adds a turn of a conversation to L0, the working buffer of its session. It
// returns when the turn is durable: one small write, however long the session is. Search
// finds the turn by its words at once, and by meaning after it is embedded. Entities,
// statement and signals are extracted when the turn leaves for L1. A turn in a closed
// session reopens it.
func (svc *Service) Observe(ctx context.Context, c workspace.Caller, in Observation) (*Observed, error) {
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	named := in.Consent != ""
	if !named {
		if in.Consent, err = svc.ingest.DefaultConsent(ctx, t.Tenant, in.Namespace); err != nil {
			return nil, svc.PublicError(workspace.AsTimeout(err))
		}
	}
	d, turn, fault := svc.draftObservation(c, in)
	if fault != nil {
		return nil, fault
	}
	d.Memory.ConsentDefaulted = !named
	turn.buffer = t.buffer
	if err := svc.load(ctx, t); err != nil {
		return nil, svc.PublicError(workspace.AsTimeout(err))
	}
	results, err := svc.ingest.Submit(ctx, t.Tenant, []*ingest.Draft{d})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	if results[0].Error != nil {
		return nil, results[0].Error
	}
	o := &Observed{Memory: results[0].Memory, Replayed: results[0].Replayed}
	if o.Flushed, err = svc.readTurns(ctx, c, turn.displaced); err != nil { // the turn is written, so this is no error
		svc.Log.WarnContext(ctx, "[READ] turns that left the ring could not be read for the response", "items", len(turn.displaced), "error", err)
	}
	return o, nil
}

// readTurns reads turns, without the erased ones.
func (svc *Service) readTurns(ctx context.Context, c workspace.Caller, ids []graph.ID) ([]*workspace.View, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	views, err := svc.MemoriesByID(ctx, c, ids, workspace.Access{})
	return slices.DeleteFunc(views, func(v *workspace.View) bool { return v == nil || v.State.Status == graph.Forgotten }), err
}

// draftObservation validates a turn and drafts it. It does not analyse the text.
func (svc *Service) draftObservation(c workspace.Caller, in Observation) (*ingest.Draft, *turnItem, *graph.Error) {
	kind, known := roles[in.Role]
	switch {
	case in.Session == "" || len(in.Session) > graph.MaxName || !utf8.ValidString(in.Session):
		return nil, nil, graph.FieldError(graph.CodeInvalidRequest, "session", "must be 1 to %d bytes of UTF-8", graph.MaxName)
	case !known:
		return nil, nil, graph.FieldError(graph.CodeInvalidRequest, "role", "must be user, assistant, tool or system")
	case len(in.ToolCalls) > 0 && kind != graph.FromAssistant && kind != graph.FromTool:
		return nil, nil, graph.FieldError(graph.CodeInvalidRequest, "toolCalls", "are for turns of the roles assistant and tool")
	}
	if err := graph.ValidateToolCalls(in.ToolCalls); err != nil {
		return nil, nil, err
	}
	in.User, in.Agent = cmp.Or(in.User, c.User), cmp.Or(in.Agent, c.Agent)
	check := ingest.RememberInput{
		Content: in.Text, Consent: in.Consent, Namespace: in.Namespace, User: in.User, Agent: in.Agent, Private: in.Private, SourceKind: kind, IdempotencyKey: in.IdempotencyKey,
	}
	if err := svc.ingest.CheckInput(c, &check); err != nil {
		switch err.Field {
		case "content":
			err.Field = "text"
		case "sourceKind":
			err.Field = "role"
		}
		return nil, nil, err
	}
	in.Namespace = check.Namespace
	m := &graph.Memory{
		Namespace: in.Namespace, User: check.Owner(), Agent: in.Agent, Session: in.Session, Project: in.Project,
		Type: graph.Episodic, Content: in.Text, DecayClass: lifecycle.DecayClassOf(graph.Episodic),
		Authority: ingest.BoundAuthority(nil, lifecycle.AuthorityOf(kind), c.Grant), Importance: lifecycle.DefaultImportance, Criticality: lifecycle.DefaultCriticality,
		Sensitivity: graph.Internal, Consent: in.Consent, SourceKind: kind, Principal: c.Name, Version: 1, OccurredAt: graph.Millis(in.OccurredAt),
		ToolCalls: in.ToolCalls,
	}
	m.Confidence = min(lifecycle.DefaultConfidence, (1+m.Authority)/2)
	turn := &turnItem{tokens: prompt.Count(in.Text)}
	d := &ingest.Draft{Memory: m, Item: turn, Sight: c.Sight()}
	d.Keyed = c.Keyed("observe", in.IdempotencyKey, in)
	return d, turn, nil
}

// storeTurn writes a turn into L0.
func storeTurn(s *ingest.WriteTx, d *ingest.Draft) (ingest.RememberResult, error) {
	m, err := s.NewMemory(d)
	if err != nil {
		return ingest.RememberResult{}, err
	}
	m.SetState(s.Now, func(st *graph.State) { st.Status, st.Tier = graph.Active, graph.L0 })
	if err := s.Create(m); err != nil {
		return ingest.RememberResult{}, err
	}
	if err := openSession(s, m); err != nil {
		return ingest.RememberResult{}, err
	}
	r := ingest.RememberResult{Memory: workspace.NewView(m, workspace.Access{}, s.Now), Pending: true}
	return r, s.KeepAnswer(d, m.ID, r)
}

// noteCommitted adds the committed turns to their rings. It runs in the writer, so a ring has
// the order of the commits.
func (svc *Service) noteCommitted(t *tenant, drafts []*ingest.Draft, results []ingest.RememberResult) {
	for i, d := range drafts {
		r := results[i]
		if d.Item == nil && r.Error == nil && !r.Replayed && r.DuplicateOf == "" && mayName(r.Memory.Memory, t.Now()) {
			t.buffer.readLater(r.Memory.ID)
		}
		turn, ok := d.Item.(*turnItem)
		if !ok || !turn.Enters() || r.Error != nil || r.Replayed {
			continue
		}
		turn.displaced = t.buffer.push(workspace.ConversationOf(r.Memory.Memory), slot{r.Memory.ID, turn.tokens}, r.Memory.CreatedAt)
		svc.hear(t, r.Memory.Memory)
	}
}
