package entities

import "github.com/somnograph/somnograph/engine/workspace"

const (
	maxOffset = 100_000 // highest offset of a page
	claimPage = 500     // memories per read of the store
)

// Service answers for all tenants. It is safe for concurrent use.
type Service struct {
	*workspace.Space
}

// New makes the service.
func New(ws *workspace.Space) *Service { return &Service{ws} }
