package upkeep

import (
	"context"
	"sync"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// reembedSetting holds the reembedState; it is absent when the tenant is not moving to
// another model.
const reembedSetting = "reembed"

// ModelSpec specifies an embedding model, with the terms of the configuration.
type ModelSpec struct {
	Kind, URL, Model           string
	Token                      string // secret: it is not stored
	Dimension                  int    // 0: the model's own
	QueryPrefix, PassagePrefix string
}

// Reembedding is the progress of a tenant's move to another model.
type Reembedding struct {
	Model    string // the new model; empty: no move
	Done     int    // memories embedded with the new model
	Total    int    // memories at the start
	Running  bool   // in this process
	Complete bool   // the next start with the model switches to it
	Failure  string // why it stopped; another request resumes it
}

// reembedState is the stored progress.
type reembedState struct {
	Model     string   `json:"model"`
	Dimension int      `json:"dimension"`
	After     graph.ID `json:"after"` // the last memory embedded with the new model
	Done      int      `json:"done"`
	Total     int      `json:"total"`
	Complete  bool     `json:"complete,omitempty"`
	Switching bool     `json:"switching,omitempty"` // the switch has begun; it can't be cancelled
}

// reembedProgress is the in-memory state of a tenant's move.
type reembedProgress struct {
	mu      sync.Mutex
	running bool
	failure string
}

// Reembed starts or resumes embedding every memory of the tenant with another model, in the
// background. INVALID_REQUEST if it is the tenant's present model or can't be opened;
// FORBIDDEN without the right to administer the whole tenant.
func (svc *Service) Reembed(ctx context.Context, c workspace.Caller, spec ModelSpec) (*Reembedding, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	switch {
	case !c.Admin:
		return nil, graph.Errorf(graph.CodeForbidden, "changing the model requires administrator rights")
	case svc.openModel == nil:
		return nil, graph.Errorf(graph.CodeUnavailable, "this server can't open another model")
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	t.reembed.mu.Lock()
	running := t.reembed.running
	t.reembed.running, t.reembed.failure = true, ""
	t.reembed.mu.Unlock()
	if running {
		return svc.Reembedding(ctx, c)
	}
	over := func(err error) {
		t.reembed.mu.Lock()
		defer t.reembed.mu.Unlock()
		if t.reembed.running = false; err != nil && svc.Ctx.Err() == nil {
			t.reembed.failure = workspace.Refusal(err)
			svc.Log.Error("[WRITE] embedding with another model stopped", "tenant", t.Scope.Tenant, "error", err)
		}
	}
	model, release, err := svc.openModelToMoveTo(ctx, spec)
	if err == nil {
		if err = svc.beginReembed(ctx, t, model); err != nil {
			release()
		}
	}
	if err != nil {
		over(nil) // the caller gets the error
		return nil, svc.PublicError(err)
	}
	var ceiling *workspace.Ceiling
	if svc.ceilingOf != nil {
		ceiling = svc.ceilingOf(spec)
	}
	err = svc.Spawn(func() {
		defer release()
		over(svc.embedAside(audit.As(svc.Ctx, "reembed"), t, model, ceiling))
	})
	if err != nil {
		release()
		over(nil)
		return nil, err
	}
	return svc.Reembedding(ctx, c)
}

// openModelToMoveTo opens a model other than the one in use.
func (svc *Service) openModelToMoveTo(ctx context.Context, spec ModelSpec) (models.Embedder, func(), error) {
	model, release, err := svc.openModel(ctx, spec)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, graph.FieldError(graph.CodeInvalidRequest, "model", "can't be opened: %v", err)
	}
	if model.Name() == svc.Embedder.Name() {
		release()
		return nil, nil, graph.FieldError(graph.CodeInvalidRequest, "model", "is %s, with which the memories are already embedded", model.Name())
	}
	return model, release, nil
}

// Reembedding returns the progress of the tenant's move to another model.
func (svc *Service) Reembedding(ctx context.Context, c workspace.Caller) (*Reembedding, error) {
	if err := c.WholeTenant(); err != nil { // it counts all memories
		return nil, err
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	t.reembed.mu.Lock() // first: if the move has ended, the state below is final
	running, failure := t.reembed.running, t.reembed.failure
	t.reembed.mu.Unlock()
	m, err := svc.reembedState(ctx, t)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return &Reembedding{Model: m.Model, Done: m.Done, Total: max(m.Total, m.Done), Running: running, Complete: m.Complete && !running, Failure: failure}, nil
}

// reembedState reads the stored progress; zero if there is no move.
func (svc *Service) reembedState(ctx context.Context, t *tenant) (m reembedState, err error) {
	err = t.View(ctx, func(r graph.Reader) error {
		m = reembedState{}
		_, err := lifecycle.ReadSetting(r, reembedSetting, &m)
		return err
	})
	return m, err
}

// beginReembed resumes the move to the same model, or starts one to another model.
func (svc *Service) beginReembed(ctx context.Context, t *tenant, model models.Embedder) error {
	m, err := svc.reembedState(ctx, t)
	if err != nil || m.Model == model.Name() {
		return err
	}
	if err := deleteAside(ctx, svc.Store, t.Scope); err != nil {
		return err
	}
	if err := t.Current(ctx); err != nil { // the total comes from the index
		return err
	}
	m = reembedState{Model: model.Name(), Dimension: model.Dimension(), Total: svc.countMemories(t)}
	return t.Update(ctx, func(tx graph.Tx) error { return lifecycle.PutSetting(tx, reembedSetting, m) })
}

// embedAside embeds the memories after the last embedded one, until none are left. Memories above
// the ceiling of the model are not sent to it, and have no vector of it.
func (svc *Service) embedAside(ctx context.Context, t *tenant, model models.Embedder, ceiling *workspace.Ceiling) error {
	most := max(1, min(maxAsideVectors, maxAsideBytes/(6*model.Dimension())))
	for {
		var m reembedState
		var page []*graph.Memory
		err := t.View(ctx, func(r graph.Reader) (err error) {
			m = reembedState{}
			if _, err = lifecycle.ReadSetting(r, reembedSetting, &m); err != nil {
				return err
			}
			page, err = r.ListMemories(graph.MemoryQuery{Statuses: embeddable, After: m.After, Limit: most})
			return err
		})
		if err != nil {
			return err
		}
		if m.Model != model.Name() {
			return graph.Errorf(graph.CodeUnavailable, "another server is switching to a different model")
		}
		if m.Complete = len(page) == 0; m.Complete {
			return t.Update(ctx, func(tx graph.Tx) error { return lifecycle.PutSetting(tx, reembedSetting, m) })
		}
		vectors, _, err := embedMemories(ctx, model, ceiling, page) // refused texts wait until the new model is in use
		if err != nil {
			return err
		}
		m.After, m.Done = page[len(page)-1].ID, m.Done+len(page)
		if err := t.Update(ctx, func(tx graph.Tx) error { return putAsideNote(tx, m, page, vectors) }); err != nil {
			return err
		}
	}
}

// countMemories returns the number of memories in the index.
func (svc *Service) countMemories(t *tenant) (n int) {
	svc.Index.Docs(t.Scope, func(*index.Doc) bool { n++; return true })
	return n
}
