package upkeep

import (
	"context"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// maxRelease is the number of engrams that one call may release.
const maxRelease = 100

// isUnproven reports whether an engram was not used in enough known sessions: an earlier version may
// have engraved it because it was only shown. A version that replaced an engram needs no uses. An
// engram without consent is unproven in any case.
func isUnproven(d *index.Doc) bool {
	s := workspace.StateOf(d)
	return s.Status == graph.Active && s.Tier == graph.L3 &&
		(d.Consent == graph.ConsentNone || len(d.Usage.Sessions) < plasticity.EngraveSessions && d.Supersedes == "")
}

// ReleaseEngrams takes engrams back from the recess to L2 and returns the memories; others stay as
// they are. A sleep engraves them again if the gates are open. The errors are INVALID_REQUEST for
// no ids or more than 100, MEMORY_NOT_FOUND, FORBIDDEN for a caller without administrator rights,
// and UNAVAILABLE without a recess.
func (svc *Service) ReleaseEngrams(ctx context.Context, c workspace.Caller, ids []graph.ID) ([]*workspace.View, error) {
	switch {
	case !c.Admin:
		return nil, graph.Errorf(graph.CodeForbidden, "only an administrator may release engrams")
	case len(ids) == 0 || len(ids) > maxRelease:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "ids", "must be 1 to %d", maxRelease)
	case svc.Recess == nil:
		return nil, graph.Errorf(graph.CodeUnavailable, "the recess is not open, so no engram can be released")
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	var views []*workspace.View
	var released []graph.ID
	err = t.UpdateOnly(ctx, func(tx graph.Tx) error {
		views, released = nil, nil
		now := t.Now()
		for i, id := range ids {
			if !id.Valid() {
				return graph.FieldError(graph.CodeInvalidRequest, fmt.Sprintf("ids[%d]", i), "must be a UUID")
			}
			m, err := workspace.LoadOwned(tx, c, id)
			if err != nil {
				return err
			}
			if m.State().Tier == graph.L3 && !slices.Contains(released, id) {
				m.UpdatedAt = m.SetState(now, func(s *graph.State) { s.Tier = graph.L2 })
				if err := tx.PutMemory(m, graph.EventUpdated); err != nil {
					return err
				}
				released = append(released, id)
			}
			views = append(views, workspace.NewView(m, workspace.Access{}, now))
		}
		return nil
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	if len(released) > 0 {
		if err := svc.Recess.Withdraw(context.WithoutCancel(ctx), t.Scope, released); err != nil {
			// An engram whose memory is not in L3 is not served.
			svc.Log.Error("[ENGRAM] released, but still in the recess", "items", len(released), "error", err)
		}
	}
	return views, nil
}
