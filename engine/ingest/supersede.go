package ingest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Supersede corrects a belief: a new version replaces it, and the old one stays in the
// chain. The error is VERSION_CONFLICT if the version is not the last one (the message
// names the current id). It is FORBIDDEN if the grant of the caller or the given authority
// is below the authority of the belief, if the belief is safety-critical (Adjudicate replaces
// those), and for a caller without Admin if the belief is core or said by SYSTEM.
func (svc *Service) Supersede(ctx context.Context, c workspace.Caller, in SupersedeInput) (*SupersedeResult, error) {
	if !in.ID.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	if len(in.IdempotencyKey) > workspace.MaxKey {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "idempotencyKey", "has %d bytes, more than %d", len(in.IdempotencyKey), workspace.MaxKey)
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	old, err := svc.Memory(ctx, c, in.ID, workspace.Access{})
	if err != nil {
		return nil, workspace.AsTimeout(err)
	}
	d, err := svc.successor(c, old.Memory, in)
	if err != nil {
		return nil, err
	}
	svc.Embed(ctx, []*Draft{d})
	now := t.Now()
	near, err := svc.neighbours(ctx, t, []*Draft{d}, now)
	if err != nil {
		return nil, svc.PublicError(workspace.AsTimeout(err))
	}
	var r *SupersedeResult
	charge := t.Charge(ctx)
	err = t.UpdateOnly(ctx, func(tx graph.Tx) error {
		charge.Reset()
		s := &WriteTx{svc: svc, t: t, Tx: tx, Now: now, charge: charge}
		r, err = s.supersede(c, d, in, near[0])
		return err
	})
	charge.End(err == nil)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	if d.Vector == nil {
		t.WakePending()
	}
	if !r.Replayed {
		svc.engraver.EngraveSuccessor(ctx, t.Tenant, r.Memory)
	}
	r.ConflictsWith = svc.visible(ctx, c, r.ConflictsWith)
	return r, nil
}

// successor drafts the next version. It inherits what the input does not set.
func (svc *Service) successor(c workspace.Caller, old *graph.Memory, in SupersedeInput) (*Draft, error) {
	if old.Status() == graph.Forgotten {
		return nil, workspace.NotFound(graph.ErrNotFound)
	}
	authority := in.Authority
	if authority == nil {
		authority = &old.Authority
	}
	tags, meta := old.Tags, old.Meta
	if in.Tags != nil {
		tags = in.Tags
	}
	if in.Meta != nil {
		meta = in.Meta
	}
	// What an agent keeps private stays private.
	user, keeper := graph.SplitOwner(old.User)
	d, fault := svc.prepare(c, RememberInput{
		Content: in.Content, Consent: old.Consent, Type: old.Type, Namespace: old.Namespace,
		User: user, Session: old.Session, Project: old.Project, Agent: cmp.Or(keeper, old.Agent), Private: keeper != "",
		SourceKind: old.SourceKind, Source: cmp.Or(in.Source, old.Source), Authority: authority,
		Importance: &old.Importance, Criticality: &old.Criticality, Tags: tags, Meta: meta,
		DecayClass: old.DecayClass, Priority: old.Priority, Important: old.Important, SafetyCritical: old.SafetyCritical,
		Sensitivity: old.Sensitivity, ValidFrom: in.ValidFrom, ExternalID: in.ExternalID,
	})
	if fault != nil {
		if fault.Field == "sourceKind" {
			fault.Field = "id"
		}
		return nil, fault
	}
	m := d.Memory
	m.Subject = workspace.SubjectOf(old) // a correction keeps the subject of the belief
	if m.Predicate == "" {
		m.Predicate = old.Predicate
	}
	d.Analyse(m, d.analysed.At)
	d.Keyed = c.Keyed("supersede", in.IdempotencyKey, in)
	m.Reason = in.Reason
	if p := old.Procedure; p != nil { // the text gives the new steps
		m.Procedure = &graph.Procedure{Trigger: p.Trigger, LearnedFrom: p.LearnedFrom}
	}
	return d, nil
}

// supersede writes the successor and closes the previous version.
func (s *WriteTx) supersede(c workspace.Caller, d *Draft, in SupersedeInput, near []Neighbour) (*SupersedeResult, error) {
	if earlier, err := d.Earlier(s.Tx); err != nil {
		return nil, err
	} else if earlier != nil {
		return s.replaySupersede(earlier)
	}
	old, err := workspace.LoadOwned(s.Tx, c, in.ID)
	if err != nil {
		return nil, err
	}
	if old, err = s.mergeTarget(c, old); err != nil {
		return nil, err
	}
	if err := s.mayReplace(c, old); err != nil {
		return nil, err
	}
	switch {
	case old.SafetyCritical:
		return nil, safetyError("id")
	case in.Authority != nil && *in.Authority < old.Authority:
		return nil, graph.FieldError(graph.CodeForbidden, "authority", "is below %.2f, the authority of the belief", old.Authority)
	}
	// The belief may be another memory, into which the one with the given id was merged.
	d.Memory.Authority = max(d.Memory.Authority, min(c.Grant, old.Authority))
	d.Memory.Consent, d.Memory.ConsentDefaulted, d.Memory.Sensitivity = old.Consent, old.ConsentDefaulted, old.Sensitivity
	rules, err := s.Policy(old.Namespace)
	if err != nil {
		return nil, err
	}
	if !passesGate(rules, d.Memory, old, 1) {
		return nil, graph.FieldError(graph.CodeQuorumUnmet, "authority", "%.2f is less evidence than the %.2f that the gate of this memory requires", d.Memory.Authority, rules.Quorum)
	}
	if err := s.mayName(d, old); err != nil {
		return nil, err
	}
	m, contradictions, err := s.replace(d, old, near)
	if err != nil {
		return nil, err
	}
	if d.Key != "" {
		err := s.Tx.PutRequest(graph.Request{Key: d.Key, Digest: d.Digest, Result: m.ID, Before: old.ID, At: s.Now})
		if err != nil {
			return nil, err
		}
	}
	return &SupersedeResult{Memory: workspace.NewView(m, workspace.Access{}, s.Now), Previous: workspace.NewView(old, workspace.Access{}, s.Now), ConflictsWith: idsOf(contradictions)}, nil
}

// replace writes the successor of a version and closes that version.
func (s *WriteTx) replace(d *Draft, old *graph.Memory, near []Neighbour) (*graph.Memory, []Contradiction, error) {
	var others []Neighbour
	for _, n := range near {
		if n.Chain != old.Chain {
			others = append(others, n)
		}
	}
	contradictions, _, err := s.Compare(d, others)
	if err != nil {
		return nil, nil, err
	}
	m, at, err := s.nextVersion(d, old, others, contradictions)
	if err != nil {
		return nil, nil, err
	}
	if err := s.noteCorrection(old, m); err != nil {
		return nil, nil, err
	}
	if err := lifecycle.RecomputeConflicts(s.Tx, old, s.Now); err != nil {
		return nil, nil, err
	}
	if err := s.withdrawSummaries(old); err != nil {
		return nil, nil, err
	}
	old.SetState(at, func(st *graph.State) {
		st.Status, st.Core = graph.Superseded, false
		if st.ValidTo.IsZero() || st.ValidTo.After(m.ValidFrom) {
			st.ValidTo = m.ValidFrom
		}
	})
	old.SupersededBy, old.UpdatedAt = m.ID, s.Now
	if err := lifecycle.Unmerge(s.Tx, old); err != nil {
		return nil, nil, err
	}
	if err := s.Tx.PutMemory(old, graph.EventSuperseded); err != nil {
		return nil, nil, err
	}
	return m, contradictions, s.putNew(m, d.Vector, contradictions)
}

// mayReplace returns nil if the caller may replace the version, and the reason as an error
// otherwise.
func (s *WriteTx) mayReplace(c workspace.Caller, old *graph.Memory) error {
	switch {
	case old.Pattern != nil:
		return graph.FieldError(graph.CodeForbidden, "id", "is a pattern and can't be corrected: a sleep writes its next version. expire ends it; forget erases it, but the next sleep may draw it again from its sources")
	case old.SupersededBy != "":
		current, err := s.latestVersion(old)
		if err != nil {
			return err
		}
		return graph.FieldError(graph.CodeVersionConflict, "id", "is version %d; the current one is %s", old.Version, current)
	case !slices.Contains([]graph.Status{graph.Active, graph.Superseded, graph.Archived, graph.Consolidated}, old.Status()):
		// A version that sleep archived or merged is still the last one.
		return graph.FieldError(graph.CodeVersionConflict, "id", "is %s, not ACTIVE", old.Status())
	}
	return mayEnd(c, old)
}

// mayChange returns FORBIDDEN unless the grant of the caller reaches the authority of a memory,
// and it may change what belongs to nobody.
func mayChange(c workspace.Caller, m *graph.Memory) error {
	if c.Grant < m.Authority {
		return graph.FieldError(graph.CodeForbidden, "id", "has authority %.2f, above the grant of %.2f", m.Authority, c.Grant)
	}
	if c.MayWriteFor(m.User) != nil {
		return graph.FieldError(graph.CodeForbidden, "id", "belongs to nobody: changing it requires the scope %s", access.MemoryShare)
	}
	return nil
}

// mayEnd returns nil if the standing of the caller lets it end a memory, and FORBIDDEN otherwise.
func mayEnd(c workspace.Caller, m *graph.Memory) error {
	if err := mayChange(c, m); err != nil {
		return err
	}
	switch {
	case !c.Admin && m.State().Core:
		return graph.FieldError(graph.CodeForbidden, "id", "is core, which only administrators change")
	case !c.Admin && m.SourceKind == graph.FromSystem:
		return graph.FieldError(graph.CodeForbidden, "id", "was said by SYSTEM, which only administrators change")
	}
	return nil
}

// safetyError is the error for a safety-critical memory that would end without the gate.
func safetyError(field string) error {
	return graph.FieldError(graph.CodeForbidden, field, "is safety-critical: only adjudicate replaces it, and forget erases it")
}

// mergeTarget follows a memory that was merged as a duplicate to the memory that it was
// merged into. A correction applies to both, so that no outdated duplicate stays.
func (s *WriteTx) mergeTarget(c workspace.Caller, m *graph.Memory) (*graph.Memory, error) {
	for m.Status() == graph.Consolidated && m.Consolidated != "" {
		target, err := workspace.LoadOwned(s.Tx, c, m.Consolidated)
		if err != nil {
			return nil, err
		}
		if target.SourceKind == graph.FromConsolidation {
			return m, nil // a summary contains more than m
		}
		m = target
	}
	return m, nil
}

// withdrawSummaries archives the summaries that contain a memory, because they are
// outdated. The other memories in them become active again, and the next sleep distils
// them again.
func (s *WriteTx) withdrawSummaries(m *graph.Memory) error {
	derived, err := s.Tx.Edges(m.ID, graph.In, graph.DerivedFrom)
	if err != nil {
		return err
	}
	for _, edge := range derived {
		summary, err := s.Tx.Memory(edge.From)
		if err != nil {
			return err
		}
		if summary.Status() != graph.Active || summary.SourceKind != graph.FromConsolidation || summary.Pattern != nil {
			continue // a pattern outlives its sources; the next sleep weighs what they say now
		}
		if err := lifecycle.ReactivateMerged(s.Tx, summary, map[graph.ID]bool{m.ID: true}, s.Now); err != nil {
			return err
		}
		summary.SetState(s.Now, func(st *graph.State) { st.Status = graph.Archived })
		summary.UpdatedAt = s.Now
		if err := s.Tx.PutMemory(summary, graph.EventArchived); err != nil {
			return err
		}
		if err := lifecycle.RecomputeConflicts(s.Tx, summary, s.Now); err != nil {
			return err
		}
	}
	return nil
}

// errRing is the error of a chain whose versions supersede each other in a circle, which only
// damaged data has.
func errRing(id graph.ID) error {
	return fmt.Errorf("%w: the versions of %s are a ring", graph.ErrIntegrity, id)
}

// latestVersion follows a chain to the id of its last version.
func (s *WriteTx) latestVersion(m *graph.Memory) (graph.ID, error) {
	id := m.ID
	passed := map[graph.ID]bool{id: true}
	for next := m.SupersededBy; next != ""; {
		n, err := s.Tx.Memory(next)
		if err != nil {
			return "", err
		}
		if passed[n.ID] {
			return "", errRing(n.ID)
		}
		passed[n.ID] = true
		id, next = n.ID, n.SupersededBy
	}
	return id, nil
}

// nextVersion completes the successor. It is strictly later than the previous version, and
// gets the next number, the tier and the pin of that version. The successor of an engram
// begins in L2.
func (s *WriteTx) nextVersion(d *Draft, old *graph.Memory, near []Neighbour, contradictions []Contradiction) (*graph.Memory, time.Time, error) {
	at := s.Now
	if last := old.State().From; !at.After(last) {
		at = last.Add(time.Millisecond)
	}
	id, err := s.svc.NewID(at)
	if err != nil {
		return nil, at, err
	}
	number, err := lastVersion(s.Tx, old)
	if err != nil {
		return nil, at, err
	}
	m := *d.Memory
	m.ID, m.Chain, m.Version, m.Supersedes = id, old.Chain, number+1, old.ID
	m.CreatedAt, m.UpdatedAt, m.RecordedAt, m.AnchorAt = at, at, at, at
	m.ExternalID = cmp.Or(m.ExternalID, old.ExternalID)
	lifecycle.DateClaims(&m)
	p, err := s.Policy(m.Namespace)
	if err != nil {
		return nil, at, err
	}
	m.ExpiresAt = old.ExpiresAt // a correction expires with the version that it corrects
	if old.OwnDecay {
		m.DecayK, m.OwnDecay = old.DecayK, true // and decays equally fast
	}
	lifecycle.BindPolicy(&m, p)
	m.ValidFrom = lifecycle.FirstTime(graph.Millis(m.ValidFrom), at)
	m.OccurredAt = m.ValidFrom
	known, err := s.Link(&m, d)
	if err != nil {
		return nil, at, err
	}
	m.Surprise = surprise(known, near)
	for _, c := range contradictions {
		m.Conflict = max(m.Conflict, c.score*min(1, lifecycle.Ratio(c.authority, m.Authority)))
	}
	before := old.State()
	m.SetState(at, func(st *graph.State) {
		st.Status, st.Tier, st.Core = graph.Active, before.Tier, before.Core
		switch st.Tier {
		case graph.L0:
			st.Tier = graph.L1 // a correction is not a turn: it is analysed and compared already
		case graph.L3:
			st.Tier = graph.L2 // until it is in the recess, see Engraver.EngraveSuccessor
		}
		if st.Tier == graph.L1 && lifecycle.Plasticity(&m, p) > p.PromoteAt {
			st.Tier = graph.L2
		}
	})
	m.Checksum = graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source)
	if d.Vector != nil {
		m.EmbeddingModel = s.svc.Embedder.Name()
	}
	return &m, at, nil
}

// lastVersion returns the highest version number that the chain has assigned. A later
// version may have been withdrawn. A version that was always ACTIVE is the last.
func lastVersion(r graph.Reader, m *graph.Memory) (int, error) {
	if !slices.ContainsFunc(m.History, func(s graph.State) bool { return s.Status != graph.Active }) {
		return m.Version, nil
	}
	newest, err := r.ListMemories(graph.MemoryQuery{Chain: m.Chain, Descending: true, Limit: 1})
	if err != nil || len(newest) == 0 {
		return m.Version, err
	}
	return max(m.Version, newest[0].Version), nil
}

// replaySupersede returns the result of the first call under the key.
func (s *WriteTx) replaySupersede(request *graph.Request) (*SupersedeResult, error) {
	m, err := s.Tx.Memory(request.Result)
	if err != nil {
		return nil, err
	}
	old, err := s.Tx.Memory(request.Before)
	if err != nil {
		return nil, err
	}
	return &SupersedeResult{Memory: workspace.NewView(m, workspace.Access{}, s.Now), Previous: workspace.NewView(old, workspace.Access{}, s.Now), Replayed: true}, nil
}

func idsOf(contradictions []Contradiction) []graph.ID {
	ids := make([]graph.ID, len(contradictions))
	for i, c := range contradictions {
		ids[i] = c.ID
	}
	return ids
}
