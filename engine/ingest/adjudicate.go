package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// maxEvidence is the number of evidence items that an adjudication accepts.
const maxEvidence = 10

// Evidence is one item that supports a fact.
type Evidence struct {
	Source             string
	Weight, Confidence float64 // [0,1]
}

// AdjudicateInput asks the gate whether evidence may change a belief.
type AdjudicateInput struct {
	Fact, Subject, Namespace string
	Consent                  graph.Consent
	Evidence                 []Evidence
	IdempotencyKey           string
	User                     string `json:",omitempty"` // whose belief; empty: the user of the credentials
}

// Adjudication is the decision of the gate. Current is the belief after the decision,
// Previous the replaced version.
type Adjudication struct {
	Decision             gate.Decision
	Reason               graph.Code // if REJECTED: QUORUM_UNMET, or CONSENT_REQUIRED if the fact has no consent and the belief has
	Quorum, Required     float64
	Conflict, Similarity float64 // with the deciding belief; 0 without one
	Current, Previous    *workspace.View
	Replayed             bool
	Judge                *workspace.Judgement // of the language model, if the rules were undecided on the deciding belief
	Degraded             []workspace.Part     // CHAT: the model was needed and not available
}

// verdict is the stored record of a decision. An idempotency key replays it.
type verdict struct {
	Decision   gate.Decision        `json:"decision"`
	Fact       string               `json:"fact"`
	Subject    string               `json:"subject"`
	Evidence   []Evidence           `json:"evidence"`
	Quorum     float64              `json:"quorum"`
	Required   float64              `json:"required"`
	Conflict   float64              `json:"conflict"`
	Similarity float64              `json:"similarity"`
	Belief     graph.ID             `json:"belief,omitempty"` // the deciding belief
	Current    graph.ID             `json:"current"`
	States     []string             `json:"states"` // states that the belief passed through
	Judge      *workspace.Judgement `json:"judge,omitempty"`
	Reason     graph.Code           `json:"reason,omitempty"` // why it was rejected; empty: QUORUM_UNMET
	User       string               `json:"user,omitempty"`   // owner of a fact of which no memory was written: only who sees what is the owner's sees the decision
}

// Adjudicate decides whether evidence changes a belief. Adjudications of one subject are
// serial in order of arrival, and across servers in order of commit. Those of different
// subjects that are queued together are decided in one transaction, each after the ones
// before it. One transaction writes the old version, the new one, the lineage and the
// decision.
func (svc *Service) Adjudicate(ctx context.Context, c workspace.Caller, in AdjudicateInput) (*Adjudication, error) {
	items, err := evidenceOf(c, in.Evidence)
	if err != nil {
		return nil, err
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	defaulted := false
	if in.Consent == "" {
		if in.Consent, err = svc.DefaultConsent(ctx, t.Tenant, in.Namespace); err != nil {
			return nil, svc.PublicError(workspace.AsTimeout(err))
		}
		defaulted = in.Consent != ""
	}
	d, err := svc.draftClaim(c, in, items)
	if err != nil {
		return nil, err
	}
	d.Memory.ConsentDefaulted = defaulted
	svc.Embed(ctx, []*Draft{d})
	opinions, degraded, err := svc.opinions(ctx, c, t, d)
	if err != nil {
		return nil, svc.PublicError(workspace.AsTimeout(err))
	}
	a, err := svc.decide(ctx, t, &decision{caller: c, draft: d, in: in, quorum: gate.Quorum(items), opinions: opinions})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	if degraded && !a.Replayed {
		a.Degraded = []workspace.Part{workspace.PartChat}
	}
	if d.Vector == nil {
		t.WakePending()
	}
	if a.Decision == gate.Replaced && !a.Replayed {
		svc.engraver.EngraveSuccessor(ctx, t.Tenant, a.Current)
	}
	return a, nil
}

// evidenceOf validates the items and determines the principal of each. Unless the sources
// of the caller are principals themselves, all items count as evidence of the caller.
func evidenceOf(c workspace.Caller, in []Evidence) ([]gate.Evidence, error) {
	if len(in) > maxEvidence {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "evidence", "has %d items, more than %d", len(in), maxEvidence)
	}
	items := make([]gate.Evidence, len(in))
	for i, x := range in {
		at := fmt.Sprintf("evidence.%d.", i)
		if x.Source == "" || len(x.Source) > graph.MaxName {
			return nil, graph.FieldError(graph.CodeInvalidRequest, at+"source", "must have 1 to %d bytes", graph.MaxName)
		}
		if err := errors.Join(graph.Unit(at+"weight", x.Weight), graph.Unit(at+"confidence", x.Confidence)); err != nil {
			return nil, err
		}
		items[i] = gate.Evidence{Principal: c.Name, Grant: c.Grant, Weight: x.Weight, Confidence: x.Confidence}
		if c.Sources {
			items[i].Principal, items[i].Grant = x.Source, 1
		}
	}
	return items, nil
}

// draftClaim drafts the fact. Its authority and source are those of the strongest item, so
// it can be withdrawn with that source.
func (svc *Service) draftClaim(c workspace.Caller, in AdjudicateInput, items []gate.Evidence) (*Draft, error) {
	subject := extract.Canonical(in.Subject)
	if subject == "" {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "subject", "names nothing")
	}
	authority, source := min(c.Grant, lifecycle.AuthorityOf(graph.FromUser)), ""
	for i, x := range items {
		if trust := min(x.Weight, x.Grant); i == 0 || trust > authority {
			authority, source = trust, x.Principal
		}
	}
	user := cmp.Or(in.User, c.User)
	d, fault := svc.prepare(c, RememberInput{
		Content: in.Fact, Subject: in.Subject, Namespace: in.Namespace, User: user, Consent: in.Consent, Type: graph.Semantic, Authority: &authority, Source: source,
	})
	if fault != nil {
		if fault.Field == "content" {
			fault.Field = "fact"
		}
		return nil, fault
	}
	if onlyAsks(d.Memory) {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "fact", "is a question; it must state what is so")
	}
	if d.allOwners = user == ""; d.allOwners {
		d.said = reader.Prepare(reader.Statement{Text: in.Fact, Speaker: subject, At: svc.Now()}) // "I" is the subject
	}
	d.matters = mattersOf(d, subject)
	if len(in.IdempotencyKey) > workspace.MaxKey {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "idempotencyKey", "has %d bytes, more than %d", len(in.IdempotencyKey), workspace.MaxKey)
	}
	in.User = user
	d.Keyed = c.Keyed("adjudicate", in.IdempotencyKey, in)
	return d, nil
}

// onlyAsks reports whether a memory states nothing: all its sentences, or all that is read in it, are questions.
func onlyAsks(m *graph.Memory) bool {
	states := func(x graph.Claim) bool { return x.Modality != reader.Question.String() }
	said := func(s extract.Sentence) bool { return !s.Question }
	return !slices.ContainsFunc(extract.Sentences(m.Content), said) || len(m.Claims) > 0 && !slices.ContainsFunc(m.Claims, states)
}

// adjudicate is one run of the transaction.
func (s *WriteTx) adjudicate(ctx context.Context, c workspace.Caller, d *Draft, in AdjudicateInput, quorum float64, near []Neighbour) (*Adjudication, error) {
	if earlier, err := d.Earlier(s.Tx); err != nil {
		return nil, err
	} else if earlier != nil {
		return s.replayVerdict(earlier)
	}
	if err := s.sequence.Advance(s.Tx); err != nil {
		return nil, err
	}
	p, err := s.Policy(d.Memory.Namespace)
	if err != nil {
		return nil, err
	}
	if err := lifecycle.Admits(p, d.Memory.Consent); err != nil {
		return nil, err
	}
	near = s.visibleNeighbours(d, near)
	beliefs, scores, err := s.beliefs(ctx, c, s.Tx, d, near)
	if err != nil {
		return nil, err
	}
	v := verdict{Fact: in.Fact, Subject: d.Memory.Subject, Evidence: in.Evidence, Quorum: quorum, Required: p.Quorum, Decision: gate.Stored}
	var belief *graph.Memory
	if at := gate.Choose(scores); at >= 0 {
		belief = beliefs[at]
		v.Belief, v.Conflict, v.Similarity = belief.ID, scores[at].Conflict, scores[at].Similarity
		v.Decision = gate.Decide(scores[at], quorum, v.Required)
		if o, asked := s.opinions[belief.ID]; asked && o.checksum == belief.Checksum {
			v.Judge = &o.Judgement
		}
		if v.Decision == gate.Replaced && !mayReplaceConsent(d.Memory, belief) {
			v.Decision, v.Reason = gate.Rejected, graph.CodeConsentRequired
		}
	}
	if v.Decision == gate.Replaced { // evidence takes the place of no right
		if err := mayEnd(c, belief); err != nil {
			return nil, workspace.Renamed(err, "subject")
		}
	}
	a := &Adjudication{Decision: v.Decision, Reason: v.Reason, Quorum: quorum, Required: v.Required, Conflict: v.Conflict, Similarity: v.Similarity, Judge: v.Judge}
	owner := d.Memory.User
	about, err := s.apply(c, a, d, belief, near)
	if err != nil {
		return nil, err
	}
	if belief != nil && len(about) == 1 && about[0] == belief.ID { // nothing of the owner was written that the decision is about
		v.User = owner
	}
	v.Current, v.States = a.Current.ID, statesPassed(v.Decision)
	return a, s.recordDecision(d, v, about)
}

// statesPassed returns the states that a decision takes the belief through.
func statesPassed(d gate.Decision) []string {
	switch d {
	case gate.Replaced, gate.Rejected:
		return []string{"stable", "labile", "re-stabilised"}
	}
	return []string{"stable"}
}

// beliefs returns the memories that the fact may affect, with the score of each: those on
// the subject, and the nearest by meaning. If the subject has memories, the others count
// only if they have no subject or mention it (ADR 12).
func (s *WriteTx) beliefs(ctx context.Context, c workspace.Caller, r graph.Reader, d *Draft, near []Neighbour) ([]*graph.Memory, []gate.Candidate, error) {
	beliefs, err := r.ListMemories(graph.MemoryQuery{
		Undamaged:  true,
		Namespaces: []string{d.Memory.Namespace}, Subject: d.Memory.Subject, Statuses: []graph.Status{graph.Active}, Limit: graph.MaxPage,
	})
	if err != nil {
		return nil, nil, err
	}
	near = nearby(near)
	cosines := map[graph.ID]float64{}
	for _, n := range near {
		cosines[n.ID] = n.cosine
	}
	beliefs = slices.DeleteFunc(beliefs, func(m *graph.Memory) bool {
		return !c.Sight().Memory(m) || !d.allOwners && !workspace.SameOwner(d.Memory.User, m.User) || lifecycle.IsExpired(m, s.Now)
	})
	subjectKnown := len(beliefs) > 0
	near = slices.DeleteFunc(slices.Clone(near), func(n Neighbour) bool {
		return slices.ContainsFunc(beliefs, func(m *graph.Memory) bool { return m.ID == n.ID })
	})
	ids := make([]graph.ID, len(near))
	for i, n := range near {
		ids[i] = n.ID
	}
	// The neighbours may have been read before this transaction began.
	stored, err := r.Memories(ids)
	if err != nil {
		return nil, nil, err
	}
	for i, n := range near {
		m := stored[i]
		if m == nil {
			return nil, nil, graph.ErrNotFound
		}
		if m.Status() != graph.Active || lifecycle.IsExpired(m, s.Now) || !c.Sight().Memory(m) {
			continue
		}
		nearest := n.cosine > gate.SimilarityAbove
		free := m.Subject == "" || speaksOf(m, d.Memory.Subject)
		if !free && (d.allOwners || workspace.SameOwner(d.Memory.User, m.User)) {
			free = s.aboutSame(d, m)
		}
		if free && (nearest || s.compareWithBelief(d, m, 0).Conflict > gate.ConflictAbove) || !subjectKnown && nearest {
			beliefs = append(beliefs, m)
		}
	}
	var docs []*index.Doc
	for _, m := range beliefs {
		if _, known := cosines[m.ID]; known {
			continue
		}
		if doc, ok := s.svc.Index.Doc(s.t.Scope, m.ID); ok {
			docs = append(docs, doc)
		}
	}
	vectors, err := s.svc.Index.Vectors(ctx, s.t.Scope, docs)
	if err != nil {
		return nil, nil, err
	}
	for i, doc := range docs {
		cosines[doc.ID] = clampedCosine(vectors[i], d.Vector)
	}
	scores := make([]gate.Candidate, len(beliefs))
	for i, m := range beliefs {
		scores[i] = s.compareWithBelief(d, m, cosines[m.ID])
	}
	return beliefs, scores, nil
}

// compareWithBelief scores a memory against the fact. Two texts with different values, or with their
// words in another order, never count as the same, however high their cosine.
func (s *WriteTx) compareWithBelief(d *Draft, m *graph.Memory, cosine float64) gate.Candidate {
	reading := s.svc.Readings.Read(s.t.Scope.Tenant, m)
	score := gate.Candidate{Similarity: cosine, Conflict: conflict.Compare(d.analysis, reading).Score}
	x := s.exclusion(d, m, &reading)
	if score.Conflict <= gate.ConflictAbove {
		score.Conflict = max(score.Conflict, x.certainty)
	} else if x.otherMatter {
		score.Conflict = 0
	}
	if o, asked := s.opinions[m.ID]; asked && o.checksum == m.Checksum {
		score.Conflict = o.Score
	}
	if d.Statement.Functional && m.Subject == d.Memory.Subject && m.Predicate == d.Memory.Predicate || conflict.Agree(d.analysis, reading) {
		score.Similarity = 1
	}
	if score.Conflict <= gate.ConflictAbove && (x.otherMatter || conflict.Differ(d.analysis, reading) || !extract.SameOrder(d.Memory.Content, m.Content)) {
		score.Similarity = min(score.Similarity, gate.SimilarityAbove)
	}
	return score
}

// aboutSame reports whether the texts of a fact and a memory speak of one subject or slot, under whatever subject each is
// kept: "My text editor is Emacs" and "I switched to Helix" are about the speaker.
func (s *WriteTx) aboutSame(d *Draft, m *graph.Memory) bool {
	said := s.svc.Said.Read(s.t.Scope.Tenant, m)
	if d.said == nil || said == nil || !readAlike(d.said, said) {
		return false
	}
	r := relationOf(d.said, said, false)
	return r.Certainty >= reader.Rivals && (r.Anchored || r.Slot)
}

// speaksOf reports whether m mentions the subject: each word of the subject occurs in the
// text or in the subject of m.
func speaksOf(m *graph.Memory, subject string) bool {
	words := strings.Fields(extract.Canonical(m.Content) + " " + m.Subject)
	for w := range strings.FieldsSeq(subject) {
		if !slices.Contains(words, w) {
			return false
		}
	}
	return true
}

// apply carries out the decision and returns the ids of the memories that it concerns.
func (s *WriteTx) apply(c workspace.Caller, a *Adjudication, d *Draft, belief *graph.Memory, near []Neighbour) ([]graph.ID, error) {
	switch a.Decision {
	case gate.Stored:
		contradictions, _, err := s.Compare(d, near)
		if err != nil {
			return nil, err
		}
		keyless := *d
		keyless.Keyed = workspace.Keyed{} // the key replays the verdict
		relations, err := s.Relations(&keyless, keyless.Memory, ownedBy(near, d.Memory.User))
		if err != nil {
			return nil, err
		}
		r, err := s.insert(&keyless, near, contradictions, relations)
		if err != nil {
			return nil, err
		}
		a.Current = r.Memory
		return []graph.ID{r.Memory.ID}, nil
	case gate.Merged:
		return s.merge(c, a, d, belief)
	case gate.Replaced:
		// A quorum may raise the authority above that of one source.
		d.Memory.Authority = max(d.Memory.Authority, min(1, a.Quorum))
		d.Memory.Reason = fmt.Sprintf("adjudicated: quorum %.2f of %.2f", a.Quorum, a.Required)
		inherit(d.Memory, belief)
		m, _, err := s.replace(d, belief, ownedBy(near, d.Memory.User))
		if err != nil {
			return nil, err
		}
		s.noteClosed(belief, m, d)
		a.Current, a.Previous = workspace.NewView(m, workspace.Access{}, s.Now), workspace.NewView(belief, workspace.Access{}, s.Now)
		return []graph.ID{belief.ID, m.ID}, nil
	}
	a.Reason = cmp.Or(a.Reason, graph.CodeQuorumUnmet)
	a.Current = workspace.NewView(belief, workspace.Access{}, s.Now)
	return []graph.ID{belief.ID}, nil
}

// ownedBy returns the neighbours that a memory of owner may be compared with.
func ownedBy(near []Neighbour, owner string) []Neighbour {
	return slices.DeleteFunc(slices.Clone(near), func(n Neighbour) bool { return !workspace.SameOwner(owner, n.user) })
}

// inherit copies the attributes of a belief that don't depend on its wording to its
// successor.
func inherit(m, old *graph.Memory) {
	m.User, m.Project, m.Session, m.Agent = old.User, old.Project, old.Session, old.Agent
	m.Type, m.Tags, m.Meta, m.DecayClass = old.Type, old.Tags, old.Meta, old.DecayClass
	m.Importance, m.Criticality, m.Important = old.Importance, old.Criticality, old.Important
	m.SafetyCritical, m.Sensitivity, m.Priority = old.SafetyCritical, old.Sensitivity, old.Priority
	if m.Predicate == "" {
		m.Predicate = old.Predicate
	}
}

// mayReplaceConsent reports whether the consent of a memory lets it replace another: what has no
// consent replaces nothing that has.
func mayReplaceConsent(m, old *graph.Memory) bool {
	return m.Consent != graph.ConsentNone || old.Consent == graph.ConsentNone
}

// merge keeps the text of the belief, strengthens it, and stores the fact as evidence for
// it. A fact without consent is no evidence: nothing is stored. What recall served within the last
// day does not strengthen.
func (s *WriteTx) merge(c workspace.Caller, a *Adjudication, d *Draft, belief *graph.Memory) ([]graph.ID, error) {
	if d.Memory.Consent == graph.ConsentNone {
		a.Current = workspace.NewView(belief, workspace.Access{}, s.Now)
		return []graph.ID{belief.ID}, nil
	}
	id, err := s.svc.NewID(s.Now)
	if err != nil {
		return nil, err
	}
	m := *d.Memory
	m.ID, m.Chain, m.Consolidated = id, id, belief.ID
	m.CreatedAt, m.UpdatedAt, m.RecordedAt, m.AnchorAt, m.OccurredAt, m.ValidFrom = s.Now, s.Now, s.Now, s.Now, s.Now, s.Now
	if c.MayWriteFor(belief.User) == nil { // otherwise it stays with who said it
		m.User = belief.User
	}
	lifecycle.DateClaims(&m)
	m.SetState(s.Now, func(st *graph.State) { st.Status, st.Tier = graph.Consolidated, graph.L1 })
	m.Checksum = graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source)
	if d.Vector != nil {
		m.EmbeddingModel = s.svc.Embedder.Name()
	}
	if err := s.putNew(&m, d.Vector, nil); err != nil {
		return nil, err
	}
	for _, edge := range []graph.Edge{
		{From: id, Kind: graph.EvidenceFor, To: belief.ID, Weight: min(1, a.Quorum), At: s.Now},
		{From: id, Kind: graph.ConsolidatedInto, To: belief.ID, Weight: 1, At: s.Now},
	} {
		if err := s.Tx.PutEdge(edge); err != nil {
			return nil, err
		}
	}
	if s.servedFrom(&m) == "" {
		lifecycle.Reinforce(belief, s.Now)
		if err := s.Tx.PutMemory(belief, graph.EventReinforced); err != nil {
			return nil, err
		}
	}
	a.Current = workspace.NewView(belief, workspace.Access{}, s.Now)
	return []graph.ID{belief.ID, id}, nil
}

// recordDecision stores the decision in the log, and under the idempotency key if there is
// one.
func (s *WriteTx) recordDecision(d *Draft, v verdict, about []graph.ID) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	id, err := s.svc.NewID(s.Now)
	if err != nil {
		return err
	}
	err = s.Tx.PutNote(graph.Note{Kind: graph.NoteDecision, ID: id, Namespace: d.Memory.Namespace, Memories: about, At: s.Now, Data: text})
	if err != nil || d.Key == "" {
		return err
	}
	result := v.Current
	if v.Current == v.Belief { // it may outlive an erasure of who stated the fact, and the decision does not
		result = id
	}
	v.Fact, v.Subject, v.Evidence = "", "", nil
	if text, err = json.Marshal(v); err != nil {
		return err
	}
	return s.Tx.PutRequest(graph.Request{Key: d.Key, Digest: d.Digest, Result: result, Before: v.Belief, Answer: text, At: s.Now})
}

// replayVerdict returns the decision of the first call under the key.
func (s *WriteTx) replayVerdict(request *graph.Request) (*Adjudication, error) {
	var v verdict
	if err := json.Unmarshal(request.Answer, &v); err != nil {
		return nil, errors.Join(graph.ErrIntegrity, err)
	}
	current, err := s.Tx.Memory(v.Current)
	if err != nil {
		return nil, err
	}
	a := &Adjudication{
		Decision: v.Decision, Quorum: v.Quorum, Required: v.Required, Conflict: v.Conflict, Similarity: v.Similarity,
		Current: workspace.NewView(current, workspace.Access{}, s.Now), Replayed: true, Judge: v.Judge,
	}
	switch v.Decision {
	case gate.Rejected:
		a.Reason = cmp.Or(v.Reason, graph.CodeQuorumUnmet)
	case gate.Replaced:
		old, err := s.Tx.Memory(v.Belief)
		if err != nil {
			return nil, err
		}
		a.Previous = workspace.NewView(old, workspace.Access{}, s.Now)
	}
	return a, nil
}
