package erasure

import (
	"context"
	"sync"

	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Sessions erases the records of conversations.
type Sessions interface {
	// EraseSessions deletes the records of the conversations of a selection.
	EraseSessions(ctx context.Context, t *workspace.Tenant, s workspace.Selection) error
	// EraseEmptySession deletes, in a transaction, the record of a conversation of which no memory is left.
	EraseEmptySession(tx graph.Tx, k workspace.Conversation) error
}

// Documents erases the records of documents.
type Documents interface {
	// EraseDocuments deletes the records of the documents of a selection.
	EraseDocuments(ctx context.Context, t *workspace.Tenant, s workspace.Selection) error
}

// Decisions erases decisions of the gate about facts of which no memory was written.
type Decisions interface {
	// EraseDecisions deletes, in a transaction, the decisions of a page after an id about facts of the owners of a selection; if that has
	// entities, those in which a text names one. It returns the last id of the page, and whether there may be more. record is called with
	// the ids before they are deleted.
	EraseDecisions(tx graph.Tx, s workspace.Selection, names func(text string) bool, record func([]graph.ID) error, after graph.ID) (last graph.ID, more bool, err error)
	// EraseDecisionsOf is EraseDecisions for the decisions about memories.
	EraseDecisionsOf(tx graph.Tx, memories []graph.ID, s workspace.Selection, names func(text string) bool, record func([]graph.ID) error) error
}

// Feedback erases the examples from feedback on questions.
type Feedback interface {
	// EraseFeedback deletes, in a transaction, the examples of a selection.
	EraseFeedback(tx graph.Tx, s workspace.Selection) error
}

// Service erases memories permanently and withdraws sources.
type Service struct {
	*workspace.Space
	sleep     *sleep.Service
	serial    sleep.Serial
	sessions  Sessions
	documents Documents
	decisions Decisions
	feedback  Feedback
	tenants   *workspace.PerTenant[tenant]
	proofMu   sync.Mutex // protects the making of the keys of proofs
}

// New creates the service.
func New(ws *workspace.Space, sl *sleep.Service, serial sleep.Serial, sessions Sessions, documents Documents, decisions Decisions, feedback Feedback) *Service {
	return &Service{Space: ws, sleep: sl, serial: serial, sessions: sessions, documents: documents, decisions: decisions, feedback: feedback, tenants: workspace.NewPerTenant(ws, func(t *workspace.Tenant) *tenant { return &tenant{Tenant: t} })}
}

// tenant is the in-memory state of the service for one tenant.
type tenant struct {
	*workspace.Tenant
	erasing sync.Mutex // one erasure at a time
	swept   sync.Once  // what the store removed when it was opened is counted once
}
