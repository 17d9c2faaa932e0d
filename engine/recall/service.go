package recall

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Service answers questions to memory: search, prompt contexts, and what surrounds a memory.
type Service struct {
	*workspace.Space
	reranker models.Reranker // may be nil
	sessions Sessions
	tenants  *workspace.PerTenant[tenant]
}

// Sessions knows the conversations under way.
type Sessions interface {
	// OpenTasks are the tasks that the caller sees and that were open at the instant.
	OpenTasks(ctx context.Context, c workspace.Caller, t *workspace.Tenant, at time.Time) ([]workspace.OpenTask, error)
	// NotePrompt notes that a prompt of the conversations that match held the memories ids.
	NotePrompt(t *workspace.Tenant, match func(workspace.Conversation) bool, ids []graph.ID)
}

// New makes the service. Reranker may be nil.
func New(ws *workspace.Space, reranker models.Reranker, sessions Sessions) *Service {
	svc := &Service{Space: ws, reranker: reranker, sessions: sessions, tenants: workspace.NewPerTenant(newTenant)}
	ws.AddForgetter(func(t *workspace.Tenant) { svc.tenants.Of(t).examples.forget() })
	return svc
}

// tenant is what the service keeps in memory about one tenant.
type tenant struct {
	*workspace.Tenant
	examples feedbackExamples // marked irrelevant
}

func newTenant(t *workspace.Tenant) *tenant { return &tenant{Tenant: t} }

func (svc *Service) open(ctx context.Context, scope graph.Scope) (*tenant, error) {
	return svc.tenants.Open(ctx, svc.Space, scope)
}
