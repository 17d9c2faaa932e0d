package ingest

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Audience says who sees a memory that was private.
type Audience string

// The audiences.
const (
	ToUser Audience = "USER" // its user
	ToTeam Audience = "TEAM" // everybody in the tenant
)

// Share shows a private memory to its user or to everybody: it is written again for them, judged like
// any new memory, and in the same transaction the private one expires, unless it is safety-critical. It
// may be called again after an error. INVALID_REQUEST if the memory is not private, not active or a chunk of a document, FORBIDDEN for ToTeam without
// MEMORY_SHARE.
func (svc *Service) Share(ctx context.Context, c workspace.Caller, id graph.ID, with Audience) (*RememberResult, error) {
	if !id.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	v, err := svc.Memory(ctx, c, id, workspace.Access{})
	if err != nil {
		return nil, workspace.AsTimeout(err)
	}
	m := v.Memory
	user, agent := graph.SplitOwner(m.User)
	writer := c
	switch {
	case agent == "":
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "is not private")
	case m.Chunk != nil:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "is a chunk of a private document: ingest the document again without private")
	case v.State.Status != graph.Active:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "is %s, not ACTIVE", v.State.Status)
	case with == ToUser && user == "":
		return nil, graph.FieldError(graph.CodeInvalidRequest, "with", "must be TEAM: the memory belongs to no user")
	case with == ToUser:
	case with != ToTeam:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "with", "must be USER or TEAM")
	default:
		if err := c.Require(access.MemoryShare, "with", "sharing with the team"); err != nil {
			return nil, err
		}
		user, writer.User = "", "" // a credential of a user writes for nobody
	}
	in := RememberInput{
		Content: m.Content, Consent: m.Consent, Type: m.Type, Namespace: m.Namespace, User: user, Session: m.Session, Project: m.Project, Agent: agent,
		Subject: m.Subject, Predicate: m.Predicate, Object: m.Object, SourceKind: m.SourceKind, Source: m.Source,
		Authority: &m.Authority, Importance: &m.Importance, Criticality: &m.Criticality, Tags: m.Tags, Meta: m.Meta, DecayClass: m.DecayClass,
		ValidFrom: m.ValidFrom, ValidTo: v.State.ValidTo, OccurredAt: m.OccurredAt, Important: m.Important, SafetyCritical: m.SafetyCritical,
		Sensitivity: m.Sensitivity, IdempotencyKey: "share " + string(with) + " " + string(id),
		shares: &sharing{by: c, id: id, expires: m.ExpiresAt},
	}
	r, err := svc.Remember(ctx, writer, in)
	if err != nil {
		return nil, err
	}
	r.ConflictsWith, r.Revised, r.Ended = svc.visible(ctx, c, r.ConflictsWith), svc.visible(ctx, c, r.Revised), svc.visible(ctx, c, r.Ended)
	return r, nil
}

// sharing is a private memory that is shared by a caller.
type sharing struct {
	by      workspace.Caller
	id      graph.ID
	expires time.Time // when the private memory expires, and the shared one with it; zero: never
}

// begin checks in the transaction that the caller may still share the memory.
func (x *sharing) begin(s *WriteTx) error {
	m, err := workspace.LoadOwned(s.Tx, x.by, x.id)
	switch {
	case err != nil:
		return err
	case m.Status() != graph.Active:
		return graph.FieldError(graph.CodeVersionConflict, "id", "is %s, not ACTIVE", m.Status())
	case m.SafetyCritical: // it stays
		return nil
	}
	return mayEnd(x.by, m)
}

// end ends the private memory, after it was written for others.
func (x *sharing) end(s *WriteTx) error {
	m, err := s.Tx.Memory(x.id) // the write may have changed its conflicts
	if err != nil || m.SafetyCritical {
		return err
	}
	m.SetState(s.Now, func(st *graph.State) { st.Status = graph.Expired })
	if err := lifecycle.RecomputeConflicts(s.Tx, m, s.Now); err != nil {
		return err
	}
	m.UpdatedAt = s.Now
	return s.Tx.PutMemory(m, graph.EventExpired)
}
