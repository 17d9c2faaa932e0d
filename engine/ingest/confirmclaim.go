package ingest

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// ConfirmClaim records that a person found a claim to be read right: from now on its certainty
// is 1. Reads as of an earlier time see the certainty of the reading. Confirming twice changes
// nothing. INVALID_REQUEST with the field id if the claim was withdrawn, FORBIDDEN if the grant
// of the caller is below the authority of the memory.
func (svc *Service) ConfirmClaim(ctx context.Context, c workspace.Caller, claimID string) (*workspace.ClaimView, error) {
	return svc.changeClaim(ctx, c, claimID, func(s graph.ClaimState) (graph.ClaimState, error) {
		if s.Withdrawn {
			return s, graph.FieldError(graph.CodeInvalidRequest, "id", "was withdrawn; correct it instead")
		}
		s.Confirmed = true
		return s, nil
	})
}

// changeClaim records another state of a claim from now on, unless change returns the state as
// it is.
func (svc *Service) changeClaim(ctx context.Context, c workspace.Caller, claimID string, change func(graph.ClaimState) (graph.ClaimState, error)) (*workspace.ClaimView, error) {
	id, n, ok := graph.ParseClaimID(claimID)
	if !ok {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be the id of a claim")
	}
	unknown := graph.FieldError(graph.CodeMemoryNotFound, "id", "the memory has no claim with this number")
	v, err := svc.Change(ctx, c, id, func(_ graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		claim := m.Claim(n)
		if claim == nil {
			return "", unknown
		}
		if err := mayChange(c, m); err != nil {
			return "", err
		}
		was := claim.State()
		is, err := change(was)
		if err != nil || is == was {
			return "", err
		}
		if len(claim.History) == graph.MaxClaimStates {
			return "", graph.FieldError(graph.CodeLimitExceeded, "id", "the claim was changed %d times already", graph.MaxClaimStates-1)
		}
		if is.Predicate != was.Predicate {
			claim.Single = reader.Valued(is.Predicate) == reader.One
		}
		claim.SetState(now, func(s *graph.ClaimState) { *s = is })
		return graph.EventUpdated, nil
	})
	if err != nil {
		return nil, err
	}
	for _, x := range v.Claims(svc.Now()) {
		if x.Claim.N == n {
			return &x, nil
		}
	}
	return nil, unknown
}
