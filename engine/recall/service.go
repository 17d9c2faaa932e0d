package recall

import (
	"cmp"
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Service answers read queries.
type Service struct {
	*workspace.Space
	groups   *grouping.Service
	reranker models.Reranker // may be nil
	effort   Effort          // of searches that name none
	sessions Sessions
	tenants  *workspace.PerTenant[tenant]
	scales   scaleCache
}

// Sessions is the part of the session service that recall uses.
type Sessions interface {
	// OpenTasks returns the tasks that are visible to the caller and were open at the instant.
	OpenTasks(ctx context.Context, c workspace.Caller, t *workspace.Tenant, at time.Time) ([]workspace.OpenTask, error)
	// Heard reports whether a conversation that matches had a turn since the instant, and whether a
	// user spoke in one of them.
	Heard(ctx context.Context, t *workspace.Tenant, match func(workspace.Conversation) bool, since time.Time) (observed, person bool, err error)
	// OnTurn registers a function that is called for each observed turn after it is committed.
	OnTurn(func(t *workspace.Tenant, turn *graph.Memory))
	// NotePrompt records, for each conversation that matches, that its prompt contained the
	// memories ids.
	NotePrompt(t *workspace.Tenant, match func(workspace.Conversation) bool, ids []graph.ID)
}

// Options configure a Service.
type Options struct {
	Reranker models.Reranker // reranks the best hits of ACCURATE searches; nil: none
	Effort   Effort          // of searches that name none; empty: BALANCED
}

// New makes the service.
func New(ws *workspace.Space, groups *grouping.Service, sessions Sessions, o Options) *Service {
	o.Effort = cmp.Or(o.Effort, EffortBalanced)
	svc := &Service{Space: ws, groups: groups, reranker: o.Reranker, effort: o.Effort, sessions: sessions, tenants: workspace.NewPerTenant(ws, func(t *workspace.Tenant) *tenant {
		return &tenant{t, &state{rules: newRuleCache(), sources: newPatternSources()}}
	})}
	sessions.OnTurn(svc.heard)
	ws.AddForgetter(func(wt *workspace.Tenant) {
		t := svc.tenants.Of(wt)
		t.examples.forget()
		t.sources.forget()
		t.awaiting.forget()
		t.asked.Forget()
	})
	return svc
}

// open returns the tenant as the caller sees it.
func (svc *Service) open(ctx context.Context, c workspace.Caller) (*tenant, error) {
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	return &tenant{t, svc.tenants.Of(t).state}, nil
}

// tenant is a tenant as a caller sees it.
type tenant struct {
	*workspace.Tenant
	*state
}

// state is the service's in-memory state of one tenant. It may be known to all callers: what
// depends on what a caller sees is kept by sight.
type state struct {
	examples feedbackExamples // negative examples
	floors   floors           // of relevance
	rules    *ruleCache
	sources  *patternSources
	awaiting questions       // questions of observed conversations
	asked    workspace.Polls // questions of the last days
}
