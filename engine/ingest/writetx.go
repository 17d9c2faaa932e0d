package ingest

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/pattern"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Echoed returns the memory that a draft only repeats back, and nil if the draft has
// content of its own. Only drafts of an assistant or a tool can be echoes. A person who repeats
// what recall served may say it, and reinforces nothing either. What the caller does not see is no echo.
func (s *WriteTx) Echoed(d *Draft) (*graph.Memory, error) {
	if k := d.Memory.SourceKind; k != graph.FromAssistant && k != graph.FromTool {
		return nil, nil
	}
	id := s.servedFrom(d.Memory)
	if id == "" {
		return nil, nil
	}
	m, err := s.Tx.Memory(id)
	if err != nil || m.Status() == graph.Forgotten || !workspace.SameOwner(d.Memory.User, m.User) || !d.Sight.Memory(m) {
		return nil, err
	}
	return m, nil
}

// servedFrom returns the memory from which recall served the text of m within the last day, before it was said, or an empty id.
func (s *WriteTx) servedFrom(m *graph.Memory) graph.ID { return s.t.Served.Of(m, s.Now) }

// answerEcho returns the result for a draft that echoes m. It stores and reinforces
// nothing.
func (s *WriteTx) answerEcho(d *Draft, m *graph.Memory) (RememberResult, error) {
	if d.in.OnDuplicate == Reject {
		return refusedDuplicate(m.ID), nil
	}
	p, err := s.Policy(m.Namespace)
	if err != nil {
		return RememberResult{}, err
	}
	r := RememberResult{Memory: workspace.NewView(m, workspace.Access{}, s.Now), DuplicateOf: m.ID, Score: lifecycle.Plasticity(m, p)}
	return r, s.KeepAnswer(d, m.ID, r)
}

// duplicateCosine is the lowest cosine of two near duplicates.
const duplicateCosine = 0.95

// WriteTx is one run of the transaction that writes drafts. The transaction may run again
// from the start, so WriteTx keeps no state outside itself.
type WriteTx struct {
	svc        *Service
	t          *tenant
	Tx         graph.Tx
	Now        time.Time
	reinforced []workspace.Use       // duplicates that were reinforced
	written    []writtenMemory       // written by this transaction, or by the previous one after the search; neighbours of the next drafts
	coreAdded  map[string]int        // tokens of added core memories, by user
	AtEnd      finisher              // runs at the end of the transaction; nil: none
	rules      workspace.PolicyCache // policies of the namespaces written to
	sequence   *workspace.Sequence   // of the current decision; nil: none
	charge     *workspace.Charge     // counts new memories against the quotas of the tenant; nil: they are not counted

	replaced     map[graph.ID]bool      // beliefs that this transaction replaced
	lastVersions map[graph.ID]graph.ID  // of superseded memories that it followed
	corrected    map[string]corrections // by namespace, as read and changed by this transaction
	doubts       []doubt                // of the statements that it wrote
	opinions     map[graph.ID]opinion   // of the language model, on beliefs where the rules are undecided; by belief
}

// NewWriteTx returns a WriteTx over tx for writes of a tenant at the time now. charge counts the new
// memories; nil: they are not counted.
func (svc *Service) NewWriteTx(wt *workspace.Tenant, tx graph.Tx, now time.Time, charge *workspace.Charge) *WriteTx {
	t := svc.tenants.Of(wt)
	return &WriteTx{svc: svc, t: t, Tx: tx, Now: now, charge: charge}
}

// Create counts a new memory against the quotas of its tenant, and writes it.
func (s *WriteTx) Create(m *graph.Memory) error {
	if err := s.charge.Add(m); err != nil {
		return err
	}
	return s.Tx.PutMemory(m, graph.EventCreated)
}

// EmbeddingModel returns the name of the model of the vectors that this transaction
// writes.
func (s *WriteTx) EmbeddingModel() string { return s.svc.Embedder.Name() }

// Policy returns the policy of a namespace. It is the same throughout the transaction, except that
// an alarm may raise the quorum.
func (s *WriteTx) Policy(namespace string) (policy.Policy, error) {
	if s.rules == nil {
		s.rules = workspace.PolicyCache{}
	}
	p, err := s.rules.In(s.Tx, namespace)
	p.Quorum = s.svc.Guards.Quorum(p.Quorum)
	return p, err
}

// writtenMemory is a memory of the current transaction as a neighbour of later drafts.
type writtenMemory struct {
	existingMemory
	memory *graph.Memory
	vector []float32
	names  []string // canonical
	slots  []uint64 // see Draft.slots
}

// NoteWritten adds a memory to the neighbours of the later drafts in this transaction.
func (s *WriteTx) NoteWritten(m *graph.Memory, d *Draft) {
	analysis := &d.analysis
	statement := workspace.StatementOf(m)
	if graph.Day(statement.At) == graph.Day(d.analysed.At) {
		statement.At = d.analysed.At // "today" is the same day
	}
	if statement != d.analysed {
		reanalysed := conflict.Analyse(workspace.StatementOf(m))
		analysis = &reanalysed
	}
	s.written = append(s.written, writtenMemory{existingFromMemory(m, analysis, d.said), m, d.Vector, d.names(), d.slots()})
}

// storedAnswer is the result that is stored under an idempotency key.
type storedAnswer struct {
	Promoted      bool       `json:"promoted,omitempty"`
	DuplicateOf   graph.ID   `json:"duplicateOf,omitempty"`
	Score         float64    `json:"score"`
	ConflictsWith []graph.ID `json:"conflictsWith,omitempty"`
	Revised       []graph.ID `json:"revised,omitempty"`
}

// write writes one draft, or returns the memory that already says the same. If the draft shares a
// private memory, that ends in the same transaction.
func (s *WriteTx) write(d *Draft, near []Neighbour) (RememberResult, error) {
	if d.in.shares == nil {
		return s.writeDraft(d, near)
	}
	if err := d.in.shares.begin(s); err != nil {
		return RememberResult{Error: s.svc.ItemError(err)}, nil
	}
	r, err := s.writeDraft(d, near)
	if err != nil || r.Error != nil {
		return r, err
	}
	return r, d.in.shares.end(s)
}

// writeDraft is write for a draft that shares nothing.
func (s *WriteTx) writeDraft(d *Draft, near []Neighbour) (RememberResult, error) {
	switch earlier, err := d.Earlier(s.Tx); {
	case errors.Is(err, workspace.ErrKeyReused):
		return RememberResult{Error: workspace.ErrKeyReused}, nil
	case err != nil:
		return RememberResult{}, err
	case earlier != nil:
		return s.replay(earlier)
	}
	if d.Item == nil || d.enters() {
		p, err := s.Policy(d.Memory.Namespace)
		if err != nil {
			return RememberResult{}, err
		}
		if err := lifecycle.Admits(p, d.Memory.Consent); err != nil {
			return RememberResult{Error: s.svc.ItemError(err)}, nil
		}
	}
	if d.Item != nil {
		return d.Item.Store(s, d, near)
	}
	if d.Memory.ExternalID != "" {
		switch holder, err := externalHolder(s.Tx, d.Sight, d.Memory.Namespace, d.Memory.ExternalID); {
		case err != nil:
			return RememberResult{}, err
		case holder != nil:
			return s.answerHolder(d, holder)
		}
	}
	if err := d.over(s.Now); err != nil {
		return RememberResult{Error: err}, nil
	}
	if d.in.OnDuplicate == Reject || d.reinforces() {
		if m, err := s.Echoed(d); m != nil || err != nil {
			if err != nil {
				return RememberResult{}, err
			}
			return s.answerEcho(d, m)
		}
	}
	near = s.WithWritten(d, near)
	contradictions, duplicate, err := s.Compare(d, near)
	if err != nil {
		return RememberResult{}, err
	}
	relations, err := s.Relations(d, d.Memory, near)
	if err != nil {
		return RememberResult{}, err
	}
	if duplicate != nil {
		if err := s.Insists(&relations, d, d.Memory, duplicate.ID); err != nil {
			return RememberResult{}, err
		}
	}
	if duplicate != nil && (relations.Restates(duplicate.occurredAt) || relations.Revises(duplicate.ID)) {
		duplicate = nil // a new version, or "my contract with Acme is over"
	}
	if duplicate != nil && d.in.OnDuplicate == Reject {
		return refusedDuplicate(duplicate.ID), nil
	}
	if duplicate != nil && d.reinforces() {
		if !s.isOccasion(d, near) {
			return s.reinforce(d, duplicate.ID)
		}
		if err := s.strengthenRule(d, duplicate.ID); err != nil {
			return RememberResult{}, err
		}
	}
	return s.insert(d, near, contradictions, relations)
}

// refusedDuplicate is the result for a duplicate where the caller asked to reject
// duplicates.
func refusedDuplicate(of graph.ID) RememberResult {
	return RememberResult{Error: &graph.Error{Code: graph.CodeDuplicateMemory, Field: "content", Message: "is a duplicate of memory " + string(of)}, DuplicateOf: of}
}

// replay returns the result of the first write under the key.
func (s *WriteTx) replay(r *graph.Request) (RememberResult, error) {
	m, err := s.Tx.Memory(r.Result)
	if err != nil {
		return RememberResult{}, err
	}
	var a storedAnswer
	if err := json.Unmarshal(r.Answer, &a); err != nil {
		return RememberResult{}, errors.Join(graph.ErrIntegrity, err)
	}
	return RememberResult{
		Memory: workspace.NewView(m, workspace.Access{}, s.Now), Replayed: true, Promoted: a.Promoted, DuplicateOf: a.DuplicateOf,
		Score: a.Score, ConflictsWith: a.ConflictsWith, Revised: a.Revised,
	}, nil
}

// WithWritten returns the found neighbours together with the memories of this transaction
// that d must be compared with. The version of this transaction replaces a found one.
func (s *WriteTx) WithWritten(d *Draft, near []Neighbour) []Neighbour {
	found, names, slots, sharing := len(near), d.names(), d.slots(), 0
	near = slices.Clip(near) // a second run of the transaction needs the original
	for i := range slices.Backward(s.written) {
		f := &s.written[i]
		if f.memory.Namespace != d.Memory.Namespace || otherProject(d.Memory.Project, f.memory.Project) || !d.allOwners && !workspace.SameOwner(d.Memory.User, f.memory.User) {
			continue
		}
		n := Neighbour{f.existingMemory, clampedCosine(f.vector, d.Vector), false}
		sameSlot := slices.ContainsFunc(f.slots, func(k uint64) bool { return slices.Contains(slots, k) })
		if n.cosine < workspace.NeighbourFloor && !sameSlot && (d.Memory.Subject == "" || f.memory.Subject != d.Memory.Subject) {
			if sharing == sharedLimit || !slices.ContainsFunc(f.names, func(n string) bool { return slices.Contains(names, n) }) {
				if n.cosine < farFloor {
					continue
				}
				n.far = true
			} else {
				sharing++
			}
		}
		if at := slices.IndexFunc(near[:found], func(x Neighbour) bool { return x.ID == n.ID }); at >= 0 {
			near = slices.Clone(near)
			near[at] = n
		} else {
			near = append(near, n)
		}
	}
	if len(s.replaced) > 0 {
		near = slices.DeleteFunc(slices.Clone(near), func(n Neighbour) bool { return s.replaced[n.ID] })
	}
	return near
}

// Contradiction is a neighbour that contradicts a draft.
type Contradiction struct {
	ID        graph.ID
	authority float64
	score     float64
	late      bool // the neighbour is of a later time than the draft
}

// Compare finds the neighbours that contradict d, then the nearest duplicate. A
// contradicting neighbour is never a duplicate, and neither is one that the caller does not see: the
// answer, and whether the draft is stored, would tell that it exists. A sleep finds such twins.
func (s *WriteTx) Compare(d *Draft, near []Neighbour) (contradictions []Contradiction, duplicate *existingMemory, err error) {
	var alike []*Neighbour // as near as a duplicate
	at := lifecycle.FirstTime(d.Memory.OccurredAt, d.Memory.ValidFrom, s.Now)
	for i := range near {
		n := &near[i]
		if n.far {
			continue
		}
		score := conflict.Compare(d.analysis, *n.analysis).Score
		if score > lifecycle.ContestedAbove && d.said != nil && n.said != nil && (!d.said.Excludes(n.said) || apart(d.said, n.said, at.Before(n.occurredAt))) {
			continue
		}
		if score > lifecycle.ContestedAbove && longBefore(d, n, at) {
			continue
		}
		if score > lifecycle.ContestedAbove && d.said != nil && n.said != nil {
			several, err := s.severalStand(d, n)
			if err != nil {
				return nil, nil, err
			}
			if several {
				continue
			}
		}
		if score > lifecycle.ContestedAbove {
			contradictions = append(contradictions, Contradiction{ID: n.ID, authority: n.trust.Authority, score: score, late: at.Before(n.occurredAt)})
			continue
		}
		if n.cosine >= duplicateCosine && score < lifecycle.DuplicateConflict && d.shows(n) {
			alike = append(alike, n)
		}
	}
	slices.SortStableFunc(alike, func(a, b *Neighbour) int { return cmp.Compare(b.cosine, a.cosine) })
	for _, n := range alike[:min(len(alike), maxAlike)] {
		if repeats(d.Memory, n.existingMemory, s.Now) {
			return contradictions, &n.existingMemory, nil
		}
	}
	return contradictions, nil, nil
}

// maxAlike is the number of memories, the nearest first, whose words are compared with those of a new one. The vector of a duplicate is among the
// nearest: that of the same text is equal.
const maxAlike = 12

// maxApart is the number of statements that apart may compare with a new one in the time of maxWork.
const maxApart = workspace.MaxBatch

// apart reports whether the relation model finds that two single sentences are about two matters, as
// which a contradiction of them is a misreading.
func apart(said, other *reader.Prepared, late bool) bool {
	if said.Sentences()*other.Sentences() > 1 || said.Work(other) > maxWork/maxApart {
		return false
	}
	earlier, later := other, said
	if late {
		earlier, later = said, other
	}
	r := earlier.Relate(later)
	return r.Partly || r.Certainty < reader.Rivals && r.Veto.Apart()
}

// shows reports whether the caller sees a neighbour.
func (d *Draft) shows(n *Neighbour) bool {
	return d.Sight.Owner(d.Memory.Namespace, n.user) && d.Sight.Class(n.trust.Consent, n.trust.Sensitivity)
}

// repeats reports whether d only repeats m. They must have the same owner, consent and
// type, and no number, date, name or negation may differ. The trust of m must be at least
// that of d. Episodes of different sessions or days are corroboration, not repetition.
func repeats(d *graph.Memory, m existingMemory, now time.Time) bool {
	if d.User != m.user || d.Consent != m.trust.Consent || d.Type != m.kind || !m.trust.AtLeast(d.Trust()) {
		return false
	}
	if d.Type == graph.Episodic {
		at := d.OccurredAt
		if at.IsZero() {
			at = now
		}
		if d.Session != m.session || graph.Day(at) != graph.Day(m.occurredAt) {
			return false
		}
	}
	return extract.SameFacts(d.Content, m.analysis.Text()) && !restatesRule(d, m, now)
}

// restatesRule reports whether d says the rule of m in other words, on another occasion: that is a repetition that counts for a
// pattern.
func restatesRule(d *graph.Memory, m existingMemory, now time.Time) bool {
	return d.Content != m.analysis.Text() && otherOccasion(d, m, now) && pattern.SameRule(m.analysis.Text(), d.Content)
}

// StandsFor reports whether a duplicate of m, as the transaction reads it, can take its place: it is ACTIVE, has the
// owner and the consent of m, and is shown to everyone to whom m is shown.
func StandsFor(duplicate, m *graph.Memory) bool {
	return duplicate.Status() == graph.Active && duplicate.User == m.User && duplicate.Consent == m.Consent && duplicate.Trust().AtLeast(m.Trust())
}

// reinforce strengthens the memory that a draft repeats.
func (s *WriteTx) reinforce(d *Draft, id graph.ID) (RememberResult, error) {
	// The neighbour may have been read before this transaction began.
	m, err := s.Tx.Memory(id)
	if err != nil {
		return RememberResult{}, err
	}
	if !StandsFor(m, d.Memory) || !d.Sight.Memory(m) {
		return s.insert(d, nil, nil, Relations{})
	}
	if err := s.Strengthen(m, d.Memory); err != nil {
		return RememberResult{}, err
	}
	confirmed, err := s.Confirm(d, m)
	if err != nil {
		return RememberResult{}, err
	}
	if m, err = s.Tx.Memory(id); err != nil {
		return RememberResult{}, err
	}
	p, err := s.Policy(m.Namespace)
	if err != nil {
		return RememberResult{}, err
	}
	r := RememberResult{Memory: workspace.NewView(m, workspace.Access{}, s.Now), DuplicateOf: m.ID, Score: lifecycle.Plasticity(m, p), Revised: confirmed.IDs(), Ended: confirmed.revised(true)}
	return r, s.KeepAnswer(d, m.ID, r)
}

// Strengthen reinforces a memory that another statement repeats, once for each source and UTC
// day, and counts a use of it. The salience rises once a day. A text that recall served within
// the last day reinforces nothing, whoever says it, and neither does a speaker who repeats
// himself within a session.
func (s *WriteTx) Strengthen(m, by *graph.Memory) error {
	source := principalOf(by)
	if s.servedFrom(by) != "" || by.Session != "" && by.Session == m.Session && source == principalOf(m) {
		return nil
	}
	use := workspace.Reinforcement(m.ID, source, s.Now)
	if !s.t.Reinforces(use) || slices.ContainsFunc(s.reinforced, func(x workspace.Use) bool {
		return x.Source == use.Source && x.Memories[0] == m.ID
	}) {
		return nil
	}
	s.reinforced = append(s.reinforced, use)
	lifecycle.Reinforce(m, s.Now)
	return s.Tx.PutMemory(m, graph.EventReinforced)
}

// principalOf names who says a memory, for the counting of repetitions.
func principalOf(m *graph.Memory) string {
	return strings.Join([]string{m.User, m.Agent, m.Source}, "\x00")
}

// KeepAnswer stores the result under the idempotency key of d, if there is one.
func (s *WriteTx) KeepAnswer(d *Draft, id graph.ID, r RememberResult) error {
	if d.Key == "" {
		return nil
	}
	a, err := json.Marshal(storedAnswer{Promoted: r.Promoted, DuplicateOf: r.DuplicateOf, Score: r.Score, ConflictsWith: r.ConflictsWith, Revised: r.Revised})
	if err != nil {
		return err
	}
	return s.Tx.PutRequest(graph.Request{Key: d.Key, Digest: d.Digest, Result: id, Answer: a, At: s.Now})
}

// insert writes the draft as a new memory, which revises what relations says.
func (s *WriteTx) insert(d *Draft, near []Neighbour, contradictions []Contradiction, relations Relations) (RememberResult, error) {
	contradictions = relations.Contest(contradictions)
	m, err := s.NewMemory(d)
	if err != nil {
		return RememberResult{}, err
	}
	if d.in.Core {
		if err := s.reserveCore(m); err != nil {
			return RememberResult{Error: err}, nil
		}
	}
	r, err := s.ScoreNew(m, d, near, contradictions)
	if err != nil {
		return RememberResult{}, err
	}
	m.SetState(s.Now, func(st *graph.State) {
		st.Status, st.Tier, st.Core, st.ValidTo = graph.Active, graph.L1, d.in.Core, d.validTo
		if r.Promoted {
			st.Tier = graph.L2
		}
	})
	if d.Vector != nil {
		m.EmbeddingModel = s.svc.Embedder.Name()
	}
	if err := s.ApplyRelations(relations, m); err != nil {
		return RememberResult{}, err
	}
	if err := s.putNew(m, d.Vector, contradictions); err != nil {
		return RememberResult{}, err
	}
	if err := s.LinkRevisions(relations, m); err != nil {
		return RememberResult{}, err
	}
	if m.Status() == graph.Active {
		s.NoteWritten(m, d)
	}
	r.Revised, r.Ended = relations.IDs(), relations.revised(true)
	r.Memory = workspace.NewView(m, workspace.Access{}, s.Now)
	return r, s.KeepAnswer(d, m.ID, r)
}

// NewMemory returns the draft as a memory created now. Its state is not set.
func (s *WriteTx) NewMemory(d *Draft) (*graph.Memory, error) {
	id, err := s.svc.NewID(s.Now)
	if err != nil {
		return nil, err
	}
	m := *d.Memory
	m.ID, m.Chain = id, id
	m.CreatedAt, m.UpdatedAt, m.RecordedAt, m.AnchorAt = s.Now, s.Now, s.Now, s.Now
	if m.OccurredAt.IsZero() {
		m.OccurredAt = lifecycle.FirstTime(m.ValidFrom, s.Now)
	}
	if m.ValidFrom.IsZero() {
		m.ValidFrom = lifecycle.SaidFrom(&m)
	}
	m.Checksum = graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source)
	lifecycle.DateClaims(&m)
	if d.ttl > 0 {
		m.ExpiresAt = s.Now.Add(d.ttl)
	}
	if x := d.in.shares; x != nil {
		m.ExpiresAt = x.expires
	}
	p, err := s.Policy(m.Namespace)
	if err != nil {
		return nil, err
	}
	lifecycle.BindPolicy(&m, p)
	return &m, nil
}

// ScoreNew links the memory to its entities. It then sets surprise and conflict from the
// neighbours, and decides whether the memory is promoted.
func (s *WriteTx) ScoreNew(m *graph.Memory, d *Draft, near []Neighbour, contradictions []Contradiction) (RememberResult, error) {
	known, err := s.Link(m, d)
	if err != nil {
		return RememberResult{}, err
	}
	if !d.explicit.surprise {
		m.Surprise = surprise(known, nearby(near))
	}
	r := RememberResult{Pending: d.Vector == nil}
	for _, c := range contradictions {
		m.Conflict = max(m.Conflict, c.score*min(1, lifecycle.Ratio(c.authority, m.Authority)))
		r.ConflictsWith = append(r.ConflictsWith, c.ID)
	}
	p, err := s.Policy(m.Namespace)
	if err != nil {
		return RememberResult{}, err
	}
	r.Score = lifecycle.Plasticity(m, p)
	r.Promoted = r.Score > p.PromoteAt
	return r, nil
}

// putNew writes a new memory, its vector, and its conflicts on both sides.
func (s *WriteTx) putNew(m *graph.Memory, vector []float32, contradictions []Contradiction) error {
	return s.PutAs(graph.EventCreated, m, vector, contradictions)
}

// PutAs is like putNew, but records kind as the event.
func (s *WriteTx) PutAs(kind graph.EventKind, m *graph.Memory, vector []float32, contradictions []Contradiction) error {
	put := func() error { return s.Tx.PutMemory(m, kind) }
	if kind == graph.EventCreated {
		put = func() error { return s.Create(m) }
	}
	if err := put(); err != nil {
		return err
	}
	if vector != nil {
		if err := s.Tx.PutEmbedding(m.ID, vector); err != nil {
			return err
		}
	}
	for _, c := range contradictions {
		edge := graph.Edge{From: m.ID, Kind: graph.Contradicts, To: c.ID, Weight: c.score, At: s.Now}
		if c.late {
			edge.From, edge.To = edge.To, edge.From
		}
		if err := s.Tx.PutEdge(edge); err != nil {
			return err
		}
		other, err := s.Tx.Memory(c.ID)
		if err != nil {
			return err
		}
		if !graph.Contests(m.User, other.User) {
			continue
		}
		if signal := c.score * min(1, lifecycle.Ratio(m.Authority, other.Authority)); signal > other.Conflict && other.Status() == graph.Active {
			other.Conflict, other.UpdatedAt = signal, s.Now
			if err := s.Tx.PutMemory(other, graph.EventUpdated); err != nil {
				return err
			}
		}
	}
	return nil
}
