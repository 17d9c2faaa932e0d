package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/reader/dialogue"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Importance of a turn by extracted type: a share of the confidence for facts and preferences,
// a fixed value for events.
const (
	factImportance       = 0.8
	preferenceImportance = 0.9
	eventImportance      = 0.6
)

// errRetryLater means that some turns must be tried again.
var errRetryLater = errors.New("some turns could not be moved to L1")

// load reads the rings and the open tasks from the store, once. A turn of tier L0 is in
// the ring of its conversation, whatever process wrote it.
func (svc *Service) load(ctx context.Context, t *tenant) error {
	t.buffer.loading.Lock()
	defer t.buffer.loading.Unlock()
	if t.buffer.loaded {
		return nil
	}
	if err := t.Current(ctx); err != nil {
		return err
	}
	var ids []graph.ID
	svc.Index.Docs(t.Scope, func(d *index.Doc) bool {
		if s := d.History[len(d.History)-1]; s.Status == graph.Active && (s.Tier == graph.L0 || d.Type == graph.Working && slices.Contains(d.Tags, lifecycle.TaskTag)) {
			ids = append(ids, d.ID)
		}
		return true
	})
	slices.Sort(ids) // ids ascend in the order of recording
	var memories []*graph.Memory
	var damaged []graph.ID
	err := t.View(ctx, func(r graph.Reader) error {
		memories, damaged = nil, nil
		for _, id := range ids {
			m, err := r.Memory(id)
			if graph.CodeOf(err) == graph.CodeIntegrityFailure {
				damaged = append(damaged, id)
				continue
			}
			if err != nil {
				return err
			}
			memories = append(memories, m)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, m := range memories {
		if lifecycle.InBuffer(m) {
			t.buffer.push(workspace.ConversationOf(m), slot{m.ID, prompt.Count(m.Content)}, m.CreatedAt)
			t.buffer.hear(m)
		}
	}
	t.buffer.addTasks(openTasksOf(memories...))
	t.buffer.dequeue(0, nil, damaged)
	t.buffer.loaded = true
	return nil
}

// runBuffer extracts tasks from turns, and moves turns that left their ring to L1, until
// Close.
func (svc *Service) runBuffer(t *tenant) {
	for {
		select {
		case <-svc.Ctx.Done():
			return
		case <-t.buffer.wake:
		}
		for {
			err := svc.flush(audit.As(svc.Ctx, "flushSession"), t)
			if err == nil {
				err = svc.readTasks(audit.As(svc.Ctx, "readTasks"), t)
			}
			if err == nil {
				break
			}
			if svc.Ctx.Err() != nil {
				return
			}
			wait := svc.Retry
			if next := t.buffer.nextLeaving(1); errors.Is(err, errRetryLater) && len(next) > 0 {
				wait = svc.RetryDelay(next[0].tries)
			}
			svc.Log.Warn("[WRITE] turns could not be read or moved to L1; will retry", "retry", wait, "error", err)
			if !svc.Pause(wait) {
				return
			}
		}
	}
}

// runIdle moves the turns of each conversation out of L0 when its time to live ends, until Close.
// It waits for the next such instant and for conversations that begin, so the turns are queued when
// the clock reaches the instant.
func (svc *Service) runIdle(t *tenant) {
	for {
		next, err := svc.leaveIdle(audit.As(svc.Ctx, "flushSession"), t)
		if err != nil && svc.Ctx.Err() == nil {
			svc.Log.Warn("[WRITE] idle conversations could not be moved out of L0; will retry", "retry", svc.Retry, "error", err)
			if !svc.Pause(svc.Retry) {
				return
			}
			continue
		}
		if !svc.WaitFor(next, t.buffer.begun) {
			return
		}
	}
}

// leaveIdle moves the turns of conversations to L1 that had no new turn for the time to live of L0.
// It returns when the time to live of the next conversation ends; zero: no turn is in L0.
func (svc *Service) leaveIdle(ctx context.Context, t *tenant) (next time.Time, err error) {
	if err := svc.load(ctx, t); err != nil {
		return time.Time{}, err
	}
	if len(t.buffer.emptyRings(idleSince(t.Now().Add(-svc.sessionIdle)))) > 0 {
		if err := svc.flush(ctx, t); err != nil && !errors.Is(err, errRetryLater) { // runBuffer retries those
			return time.Time{}, err
		}
	}
	if first := t.buffer.quietest(); !first.IsZero() {
		next = first.Add(svc.sessionIdle)
	}
	return next, nil
}

// flush moves the turns that have left their rings to L1, in order. A turn that fails
// alone goes to the end of the queue, and is given up after MaxRetries retries. If the
// store fails, all turns stay queued. The background worker retries the rest.
func (svc *Service) flush(ctx context.Context, t *tenant) error {
	results, err := svc.moveLeaving(ctx, t)
	svc.ingest.EngraveSuccessors(ctx, t.Tenant, results) // without the lock: the recess may take long
	return err
}

// moveLeaving is flush without the engraving of what has replaced an engram. It also returns the results of the turns that it stored.
func (svc *Service) moveLeaving(ctx context.Context, t *tenant) (stored []ingest.RememberResult, err error) {
	b := t.buffer
	b.flushing.Lock()
	defer b.flushing.Unlock()
	defer func() {
		if err != nil {
			b.wakeUp()
		}
	}()
	for n := b.leavingCount(); n > 0; {
		due := b.nextLeaving(min(n, workspace.MaxBatch))
		drafts, faults, ready, failure := svc.draftTurns(ctx, t, due)
		if failure != nil {
			return stored, failure
		}
		due = due[:ready]
		n -= ready
		results, failure := svc.ingest.Submit(ctx, t.Tenant, drafts)
		if failure != nil {
			return stored, failure
		}
		stored = append(stored, results...)
		for i, r := range results {
			if r.Error != nil && r.Error.Code == graph.CodeUnavailable {
				return stored, r.Error // the store failed, not the turn
			}
			if r.Error != nil {
				faults[drafts[i].Memory.ID] = r.Error
			}
		}
		if svc.settleQueue(t, due, faults) {
			err = errRetryLater
		}
	}
	b.dropIdlePrompts()
	return stored, err
}

// settleQueue removes the tried turns from the queue. It reports whether some of the
// failed ones must be tried again.
func (svc *Service) settleQueue(t *tenant, due []leavingTurn, faults map[graph.ID]error) bool {
	var retry []leavingTurn
	var stuck []graph.ID
	for _, l := range due {
		fault := faults[l.id]
		if fault == nil {
			continue
		}
		if l.tries++; l.tries <= workspace.MaxRetries {
			retry = append(retry, l)
			continue
		}
		svc.Log.Error("[WRITE] a turn can't be moved to L1; it stays in L0", "id", l.id, "error", fault)
		stuck = append(stuck, l.id)
	}
	t.buffer.dequeue(len(due), retry, stuck)
	return len(retry) > 0
}

// Stuck returns the turns visible to the caller that can't become L1 and need manual
// review.
func (svc *Service) Stuck(c workspace.Caller, wt *workspace.Tenant) []graph.ID {
	t := svc.tenants.Of(wt)
	return slices.DeleteFunc(t.buffer.listStuck(), func(id graph.ID) bool {
		d, ok := svc.Index.Doc(t.Scope, id)
		return !ok || !c.SeesDoc(d) || d.History[len(d.History)-1].Tier != graph.L0
	})
}

// Waiting returns the number of turns that wait to leave L0, with those that can't.
func (svc *Service) Waiting(wt *workspace.Tenant) int {
	b := svc.tenants.Of(wt).buffer
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.leaving) + len(b.stuckTurns)
}

// draftTurns drafts the first turns that are still in L0, as Remember does, and embeds those
// that have no vector yet. A turn that may say something only with one of them waits until that one is
// in L1; ready is the number of turns before it. faults holds the errors of damaged turns.
func (svc *Service) draftTurns(ctx context.Context, t *tenant, due []leavingTurn) (drafts []*ingest.Draft, faults map[graph.ID]error, ready int, err error) {
	var unembedded []*ingest.Draft
	err = t.View(ctx, func(r graph.Reader) error {
		drafts, unembedded, faults, ready = nil, nil, map[graph.ID]error{}, 0
		before := map[workspace.Conversation]bool{}
		for _, l := range due {
			d, turn, err := svc.draftTurn(r, t.buffer, l.id, before)
			if d == nil && turn != nil && err == nil {
				return nil
			}
			ready++
			switch {
			case graph.CodeOf(err) == graph.CodeIntegrityFailure:
				faults[l.id] = err
			case err != nil:
				return err
			case d != nil:
				before[workspace.ConversationOf(turn)] = true
				drafts = append(drafts, d)
				if d.Vector == nil {
					unembedded = append(unembedded, d)
				}
			}
		}
		return nil
	})
	if err == nil {
		svc.ingest.Embed(ctx, unembedded)
	}
	return drafts, faults, ready, err
}

// draftTurn drafts one turn. It returns nil if the turn was superseded, dismissed or
// erased meanwhile, and the turn without a draft if it may need one of its conversation that
// leaves L0 with it: before has their conversations.
func (svc *Service) draftTurn(r graph.Reader, b *sessionBuffer, id graph.ID, before map[workspace.Conversation]bool) (*ingest.Draft, *graph.Memory, error) {
	m, err := r.Memory(id)
	if err != nil || !lifecycle.InBuffer(m) {
		return nil, nil, err
	}
	if before[workspace.ConversationOf(m)] && ingest.MayComplete(m) {
		return nil, m, nil
	}
	d := svc.analyseTurn(m)
	item := &turnItem{buffer: b, row: m.ID}
	d.Item = item
	if m.EmbeddingModel != "" {
		d.Vector, err = r.Embedding(id)
	}
	if err != nil {
		return nil, nil, err
	}
	x, err := ingest.Complete(r, m, lifecycle.FirstTime(m.OccurredAt, m.RecordedAt))
	if x != nil && err == nil {
		item.plain, d = d, svc.analyseCompleted(m, x)
		d.Item = item
	}
	return d, m, err
}

// analyseCompleted analyses what a turn says together with an earlier one.
func (svc *Service) analyseCompleted(turn *graph.Memory, x *ingest.Completion) *ingest.Draft {
	d := svc.analyseTurn(&graph.Memory{
		Namespace: turn.Namespace, User: turn.User, Agent: turn.Agent, Session: turn.Session, Project: turn.Project, Type: graph.Episodic, Content: x.Text, Version: 1,
		Authority: turn.Authority, Confidence: turn.Confidence, Importance: lifecycle.DefaultImportance, Criticality: turn.Criticality, Important: turn.Important,
		SafetyCritical: turn.SafetyCritical, Priority: turn.Priority, Sensitivity: turn.Sensitivity, Consent: turn.Consent, ConsentDefaulted: turn.ConsentDefaulted,
		SourceKind: turn.SourceKind, Source: turn.Source, Principal: turn.Principal, OccurredAt: turn.OccurredAt,
	})
	d.Complete(x)
	return d
}

// analyseTurn analyses the text of a turn by rule, as Remember does.
func (svc *Service) analyseTurn(row *graph.Memory) *ingest.Draft {
	m := *row
	at := lifecycle.FirstTime(row.OccurredAt, row.ValidFrom, svc.Now())
	d := &ingest.Draft{}
	text := extract.Text(m.Content, extract.Hints{Speaker: workspace.Speaker(row), NoRules: !lifecycle.LaysDownRules(row.SourceKind)})
	text.Type = ingest.TypeOf(m.Content, row.SourceKind, text)
	d.Named = text.Entities
	text.Statement = d.InferSubject(conflict.Statement{Text: m.Content, At: at}, workspace.Speaker(row), text.Statement)
	m.Subject = extract.Canonical(text.Statement.Subject)
	m.Predicate, m.Object = text.Statement.Predicate, text.Statement.Object
	m.Salience = text.Salience
	lifecycle.ReadClaims(&m, extract.Statement{}, at)
	text.Type = ingest.LastingType(&m, text.Type)
	m.Type, m.Importance = typeAndImportance(text, row)
	m.DecayClass = decayClass(m.Type, row.SourceKind)
	d.Memory, d.Statement = &m, text.Statement
	d.Analyse(&m, at)
	return d
}

// decayClass is the class of an extraction. What only an assistant or a tool said in a conversation fades as fast as what a user says once, so
// that it does not outlive the user's word on the same matter.
func decayClass(t graph.Type, from graph.SourceKind) graph.DecayClass {
	if class := lifecycle.DecayClassOf(t); class != graph.DecaySlow || from != graph.FromAssistant && from != graph.FromTool {
		return class
	}
	return graph.DecayMedium
}

// typeAndImportance returns the type of an extraction and its importance:
// facts, preferences and rules, events.
func typeAndImportance(text extract.Result, row *graph.Memory) (graph.Type, float64) {
	switch {
	case text.Type == graph.Procedural, text.Type == graph.Semantic && lifecycle.LaysDownRules(row.SourceKind) && extract.Preference(text.Statement.Predicate):
		return graph.Procedural, preferenceImportance * row.Confidence
	case text.Type == graph.Semantic:
		return graph.Semantic, factImportance * row.Confidence
	}
	return graph.Episodic, eventImportance
}

// Store moves a turn into L0 or out of it.
func (item *turnItem) Store(s *ingest.WriteTx, d *ingest.Draft, near []ingest.Neighbour) (ingest.RememberResult, error) {
	if item.Enters() {
		return storeTurn(s, d)
	}
	m, err := s.Tx.Memory(item.row)
	if err != nil {
		return ingest.RememberResult{}, err
	}
	if !lifecycle.InBuffer(m) { // it left L0 meanwhile
		return ingest.RememberResult{Memory: workspace.NewView(m, workspace.Access{}, s.Now)}, nil
	}
	departuresOf(s, item.buffer).count(m)
	if item.plain != nil {
		return settleCompleted(s, item.buffer, d, item.plain, m, near, graph.EventUpdated)
	}
	return settleTurn(s, item.buffer, d, m, near, graph.EventUpdated)
}

// settleCompleted writes the statement of the draft d, which a turn makes together with an earlier one, into L1, and ends the turn: it
// stays in its conversation as it was said. If the statement no longer stands, or the turn was changed since it was read, the turn is settled alone, as plain.
func settleCompleted(s *ingest.WriteTx, b *sessionBuffer, d, plain *ingest.Draft, turn *graph.Memory, near []ingest.Neighbour, kind graph.EventKind) (ingest.RememberResult, error) {
	stands, err := s.Stands(d)
	if err != nil {
		return ingest.RememberResult{}, err
	}
	asRead := turn.Content == plain.Memory.Content && turn.Trust().Least(d.Memory.Trust()) == d.Memory.Trust()
	if !stands || !asRead {
		return settleTurn(s, b, plain, turn, nil, kind)
	}
	if r, err := endFiller(s, turn, plain.Vector, kind); err != nil {
		return r, err
	}
	m, err := s.NewCompleted(d, turn)
	if err != nil {
		return ingest.RememberResult{}, err
	}
	m.SetState(s.Now, func(st *graph.State) { st.Status, st.Tier = graph.Active, graph.L1 })
	if err := s.Tx.PutMemory(m, graph.EventCreated); err != nil {
		return ingest.RememberResult{}, err
	}
	r, err := settleTurn(s, b, d, m, near, graph.EventUpdated)
	if err != nil {
		return r, err
	}
	return r, s.LinkCompleted(d, m, turn)
}

// settleTurn writes a turn into L1, or into L2 if its score allows: one that leaves L0, or a new
// one, whose kind of event is CREATED. A row from L0 stays, and gets the attributes that Remember
// gives to a new memory. Manual changes made meanwhile are kept.
func settleTurn(s *ingest.WriteTx, b *sessionBuffer, d *ingest.Draft, m *graph.Memory, near []ingest.Neighbour, kind graph.EventKind) (ingest.RememberResult, error) {
	analysed := d.Memory
	rules, err := s.Policy(m.Namespace)
	if err != nil {
		return ingest.RememberResult{}, err
	}
	if dialogue.Filler(m.Content, m.SourceKind == graph.FromAssistant) {
		return endFiller(s, m, d.Vector, kind)
	}
	m.Type, m.DecayClass = analysed.Type, analysed.DecayClass
	lifecycle.BindPolicy(m, rules)
	m.Subject, m.Predicate, m.Object = analysed.Subject, analysed.Predicate, analysed.Object
	m.Claims, m.ReadBy = analysed.Claims, analysed.ReadBy
	lifecycle.DateClaims(m)
	m.Salience = max(m.Salience, analysed.Salience)
	if m.Importance == lifecycle.DefaultImportance {
		m.Importance = analysed.Importance
	}
	m.UpdatedAt = s.Now
	newVector := m.EmbeddingModel == "" && d.Vector != nil
	if newVector {
		m.EmbeddingModel = s.EmbeddingModel()
	}
	// A turn is compared with memories outside L0, never with itself or with a later turn.
	near = slices.DeleteFunc(slices.Clone(s.WithWritten(d, near)), func(n ingest.Neighbour) bool { return n.Tier == graph.L0 || n.Chain == m.Chain })
	contradictions, duplicate, err := s.Compare(d, near)
	if err != nil {
		return ingest.RememberResult{}, err
	}
	relations, err := s.Relations(d, m, near)
	if err != nil {
		return ingest.RememberResult{}, err
	}
	if duplicate != nil {
		if err := s.Insists(&relations, d, m, duplicate.ID); err != nil {
			return ingest.RememberResult{}, err
		}
	}
	contradictions = relations.Contest(contradictions)
	vector := d.Vector
	if !newVector {
		vector = nil // stored already, or not computed yet
	}
	if duplicate != nil && !relations.Restates(duplicate.OccurredAt()) && !relations.Revises(duplicate.ID) {
		if r, merged, err := mergeTurn(s, d, m, vector, duplicate.ID, b.reinforces(m)); merged || err != nil {
			return r, err
		}
	}
	r, err := s.ScoreNew(m, d, near, contradictions)
	if err != nil {
		return ingest.RememberResult{}, err
	}
	m.SetState(s.Now, func(st *graph.State) {
		st.Status, st.Tier = graph.Active, graph.L1
		if r.Promoted {
			st.Tier = graph.L2
		}
	})
	if r.Promoted && kind == graph.EventUpdated {
		kind = graph.EventPromoted
	}
	if contradictions, err = unrecorded(s, m, contradictions); err != nil {
		return ingest.RememberResult{}, err
	}
	if err := s.ApplyRelations(relations, m); err != nil {
		return ingest.RememberResult{}, err
	}
	if err := s.PutAs(kind, m, vector, contradictions); err != nil {
		return ingest.RememberResult{}, err
	}
	if err := s.LinkRevisions(relations, m); err != nil {
		return ingest.RememberResult{}, err
	}
	if m.Status() == graph.Active {
		s.NoteWritten(m, d)
	}
	r.Revised = relations.IDs()
	r.Memory = workspace.NewView(m, workspace.Access{}, s.Now)
	return r, nil
}

// endFiller ends a turn that says nothing of its own, "Got it.": it stays in its conversation as it was said, and is no memory that is
// found or printed.
func endFiller(s *ingest.WriteTx, m *graph.Memory, vector []float32, kind graph.EventKind) (ingest.RememberResult, error) {
	m.Claims, m.UpdatedAt = nil, s.Now
	m.SetState(s.Now, func(st *graph.State) { st.Status, st.Tier, st.Core = graph.Expired, graph.L1, false })
	if kind == graph.EventUpdated {
		kind = graph.EventExpired
	}
	if m.EmbeddingModel != "" {
		vector = nil
	} else if vector != nil {
		m.EmbeddingModel = s.EmbeddingModel()
	}
	if err := s.PutAs(kind, m, vector, nil); err != nil {
		return ingest.RememberResult{}, err
	}
	return ingest.RememberResult{Memory: workspace.NewView(m, workspace.Access{}, s.Now)}, nil
}

// unrecorded returns the contradictions that the other memory did not record while the
// turn was in L0.
func unrecorded(s *ingest.WriteTx, m *graph.Memory, contradictions []ingest.Contradiction) ([]ingest.Contradiction, error) {
	var missing []ingest.Contradiction
	for _, contradiction := range contradictions {
		switch _, err := s.Tx.Edge(contradiction.ID, graph.Contradicts, m.ID); {
		case errors.Is(err, graph.ErrNotFound):
			missing = append(missing, contradiction)
		case err != nil:
			return nil, err
		}
	}
	return missing, nil
}

// mergeTurn merges a turn that only repeats a memory into that memory, and strengthens it if the
// turn reinforces. The repetition in another session confirms the reading of that memory against its rivals. merged is false if the memory has changed meanwhile and can't stand for the turn: a
// caller who sees the turn would find neither.
func mergeTurn(s *ingest.WriteTx, d *ingest.Draft, m *graph.Memory, vector []float32, into graph.ID, reinforces bool) (r ingest.RememberResult, merged bool, err error) {
	target, err := s.Tx.Memory(into)
	if err != nil || !ingest.StandsFor(target, m) {
		return ingest.RememberResult{}, false, err
	}
	m.Consolidated = into
	m.SetState(s.Now, func(st *graph.State) { st.Status, st.Tier, st.Core = graph.Consolidated, graph.L1, false })
	if err := lifecycle.RecomputeConflicts(s.Tx, m, s.Now); err != nil {
		return ingest.RememberResult{}, false, err
	}
	if err := s.PutAs(graph.EventConsolidated, m, vector, nil); err != nil {
		return ingest.RememberResult{}, false, err
	}
	if err := s.Tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.ConsolidatedInto, To: into, Weight: 1, At: s.Now}); err != nil {
		return ingest.RememberResult{}, false, err
	}
	if target, err = s.Tx.Memory(into); err != nil { // RecomputeConflicts may have changed it
		return ingest.RememberResult{}, false, err
	}
	if reinforces {
		if err := s.Strengthen(target, m); err != nil {
			return ingest.RememberResult{}, false, err
		}
	}
	confirmed, err := s.Confirm(d, target)
	if err != nil {
		return ingest.RememberResult{}, false, err
	}
	if target, err = s.Tx.Memory(into); err != nil {
		return ingest.RememberResult{}, false, err
	}
	p, err := s.Policy(target.Namespace)
	if err != nil {
		return ingest.RememberResult{}, false, err
	}
	return ingest.RememberResult{Memory: workspace.NewView(m, workspace.Access{}, s.Now), DuplicateOf: into, Score: lifecycle.Plasticity(target, p), Revised: confirmed.IDs()}, true, nil
}
