package upkeep

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// claimsSetting is the name of the setting with the progress of reading claims. An import
// removes it, because what it brings may not have been read.
const claimsSetting = "claims"

// claimsState is the progress of reading the claims of memories that were written before claims
// were kept.
type claimsState struct {
	After    graph.ID `json:"after,omitempty"` // the last memory that was looked at
	Looked   int      `json:"looked"`          // memories looked at
	Read     int      `json:"read"`            // memories whose claims were read
	Complete bool     `json:"complete"`
}

// runClaims reads the claims of memories that have not been read, at the start and after
// imports, until Close. It revises nothing.
func (svc *Service) runClaims(t *tenant) {
	fill := func() {
		for {
			more, err := svc.readClaims(audit.As(svc.Ctx, "readClaims"), t)
			if err != nil && svc.Ctx.Err() == nil {
				svc.Log.Warn("[WRITE] claims of earlier memories were not read; will retry", "error", err)
			}
			if err != nil || !more || !svc.Pause(claimsPause) {
				return
			}
		}
	}
	fill()
	svc.Every(svc.Sweep, fill)
}

// claimsPause leaves the store to others between two steps.
const claimsPause = 2 * time.Millisecond

// readClaims reads the claims of one page of memories in one transaction, and reports whether
// there may be more. A turn in L0 is read when it leaves L0.
func (svc *Service) readClaims(ctx context.Context, t *tenant) (more bool, err error) {
	s, err := svc.claimsProgress(ctx, t)
	if err != nil || s.Complete {
		return false, err
	}
	var page []*graph.Memory
	err = t.View(ctx, func(r graph.Reader) (err error) {
		page, err = r.ListMemories(graph.MemoryQuery{Undamaged: true, After: s.After, Limit: workspace.MaxBatch})
		return err
	})
	if err != nil || len(page) == 0 && s.Looked == 0 {
		return false, err // an empty store needs no note of it
	}
	read := map[graph.ID]*graph.Memory{}
	for _, m := range page {
		if unread(m) {
			lifecycle.ReadClaims(m, statementGiven(m), lifecycle.FirstTime(m.OccurredAt, m.ValidFrom, m.RecordedAt))
			lifecycle.DateClaims(m)
			read[m.ID] = m
		}
	}
	err = t.Update(ctx, func(tx graph.Tx) error {
		next := s
		for _, x := range page {
			from := read[x.ID]
			if from == nil {
				continue
			}
			m, err := tx.Memory(x.ID)
			if err != nil {
				return err
			}
			if !unread(m) || m.Checksum != from.Checksum {
				continue // it changed since, or another server read it
			}
			m.Claims, m.ReadBy = from.Claims, from.ReadBy
			if err := tx.PutMemory(m, graph.EventUpdated); err != nil {
				return err
			}
			next.Read++
		}
		next.Looked += len(page)
		if next.Complete = len(page) == 0; !next.Complete {
			next.After = page[len(page)-1].ID
		}
		return lifecycle.PutSetting(tx, claimsSetting, next)
	})
	if err == nil && len(page) == 0 && s.Read > 0 {
		svc.Log.Info("[WRITE] the claims of earlier memories were read", "tenant", t.Scope.Tenant, "memories", s.Read)
	}
	return len(page) > 0, err
}

// unread reports whether the claims of a memory are to be read now.
func unread(m *graph.Memory) bool {
	return m.ReadBy == 0 && m.Status() != graph.Forgotten && m.State().Tier != graph.L0
}

// statementGiven returns the statement of a memory if its caller gave it; empty if it was read
// in the text, or can't be told from that.
func statementGiven(m *graph.Memory) extract.Statement {
	if m.Subject == "" || m.Predicate == "" || m.Object == "" || m.Supersedes != "" {
		return extract.Statement{}
	}
	text := extract.Text(m.Content, extract.Hints{Speaker: workspace.Speaker(m)}).Statement
	if text.Predicate == m.Predicate && text.Object == m.Object {
		return extract.Statement{}
	}
	return extract.Statement{Subject: m.Subject, Predicate: m.Predicate, Object: m.Object}
}

// claimsProgress reads the stored progress; zero if there is none.
func (svc *Service) claimsProgress(ctx context.Context, t *tenant) (s claimsState, err error) {
	err = t.View(ctx, func(r graph.Reader) error {
		s = claimsState{}
		_, err := lifecycle.ReadSetting(r, claimsSetting, &s)
		return err
	})
	return s, err
}
