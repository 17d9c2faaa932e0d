package engine

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// Thresholds of a write, SPEC sections 4 and 5.
const (
	duplicateCosine   = 0.95
	duplicateConflict = 0.2
	contested         = 0.3 // unresolved conflict above it
)

// storing is one run of the transaction that writes drafts. It may run again from
// the start, so it keeps nothing outside itself.
type storing struct {
	e     *Engine
	t     *tenant
	tx    graph.Tx
	now   time.Time
	used  []graph.ID     // duplicates that were reinforced
	fresh []freshMemory  // what this transaction wrote, and the one before it that the look missed: neighbours of what follows
	core  map[string]int // tokens of core memories added by user
	last  finisher       // of its items; nil: none
	rules policies       // of the namespaces written to
	turn  *turn          // that this decision takes; nil: none

	closed   map[graph.ID]bool    // beliefs that a decision of this transaction replaced
	opinions map[graph.ID]opinion // of a language model, on what the rules are in doubt about
}

// writing begins the transaction tx of writes of a tenant at the instant.
func (e *Engine) writing(t *tenant, tx graph.Tx, now time.Time) *storing {
	return &storing{e: e, t: t, tx: tx, now: now}
}

// policy is that of a namespace, the same through the transaction.
func (s *storing) policy(namespace string) (policy.Policy, error) {
	if s.rules == nil {
		s.rules = policies{}
	}
	return s.rules.in(s.tx, namespace)
}

type freshMemory struct {
	existing
	memory *graph.Memory
	vector []float32
	names  []string // canonical
}

// wrote takes a memory among the neighbours of what follows in this transaction.
func (s *storing) wrote(m *graph.Memory, d *draft) {
	x := &d.reading
	as := statementOf(m)
	if graph.Day(as.At) == graph.Day(d.read.At) {
		as.At = d.read.At // "today" is the same day
	}
	if as != d.read {
		again := conflict.Analyse(statementOf(m))
		x = &again
	}
	s.fresh = append(s.fresh, freshMemory{existingOf(m, x), m, d.vector, d.names()})
}

// answer is what an idempotency key replays.
type answer struct {
	Promoted      bool       `json:"promoted,omitempty"`
	DuplicateOf   graph.ID   `json:"duplicateOf,omitempty"`
	Score         float64    `json:"score"`
	ConflictsWith []graph.ID `json:"conflictsWith,omitempty"`
}

// one writes one draft, or finds what stands for it already.
func (s *storing) one(d *draft, near []neighbour) (RememberResult, error) {
	if d.key != "" {
		r, err := s.tx.Request(d.key)
		switch {
		case err == nil:
			return s.replay(d, r)
		case !errors.Is(err, graph.ErrNotFound):
			return RememberResult{}, err
		}
	}
	if d.item == nil || d.enters() {
		p, err := s.policy(d.memory.Namespace)
		if err != nil {
			return RememberResult{}, err
		}
		if err := admits(p, d.memory.Consent); err != nil {
			return RememberResult{Error: s.e.shown(err)}, nil
		}
	}
	if d.item != nil {
		return d.item.Store(s, d, near)
	}
	if d.in.OnDuplicate != Insert {
		if m, err := s.echoed(d); m != nil || err != nil {
			if err != nil {
				return RememberResult{}, err
			}
			return s.recognise(d, m)
		}
	}
	near = s.withFresh(d, near)
	clashes, duplicate := s.compare(d, near)
	if duplicate != nil && d.in.OnDuplicate == Reject {
		return refusedDuplicate(duplicate.id), nil
	}
	if duplicate != nil && d.in.OnDuplicate == Reinforce {
		return s.reinforce(d, duplicate.id)
	}
	return s.insert(d, near, clashes)
}

// refusedDuplicate is the answer where a duplicate is not wanted.
func refusedDuplicate(of graph.ID) RememberResult {
	return RememberResult{Error: &graph.Error{Code: graph.CodeDuplicateMemory, Field: "content", Message: "says what memory " + string(of) + " says"}, DuplicateOf: of}
}

// replay answers as the first write under the key did.
func (s *storing) replay(d *draft, r *graph.Request) (RememberResult, error) {
	if r.Digest != d.digest {
		return RememberResult{Error: graph.FieldError(graph.CodeInvalidRequest, "idempotencyKey", "was used for another write")}, nil
	}
	m, err := s.tx.Memory(r.Result)
	if err != nil {
		return RememberResult{}, err
	}
	var a answer
	if err := json.Unmarshal(r.Answer, &a); err != nil {
		return RememberResult{}, errors.Join(graph.ErrIntegrity, err)
	}
	return RememberResult{
		Memory: view(m, Access{}, s.now), Replayed: true, Promoted: a.Promoted, DuplicateOf: a.DuplicateOf,
		Score: a.Score, ConflictsWith: a.ConflictsWith,
	}, nil
}

// withFresh are the neighbours that were found, with the fresh memories that a draft must
// be compared with. One that was found too counts as it was written.
func (s *storing) withFresh(d *draft, near []neighbour) []neighbour {
	found, names, sharing := len(near), d.names(), 0
	near = slices.Clip(near) // it is looked at again where the transaction is run again
	for i := range slices.Backward(s.fresh) {
		f := &s.fresh[i]
		if f.memory.Namespace != d.memory.Namespace || !d.everyone && !inCircle(d.memory.User, f.memory.User) {
			continue
		}
		n := neighbour{f.existing, dot(f.vector, d.vector)}
		if n.cosine < neighbourFloor && (d.memory.Subject == "" || f.memory.Subject != d.memory.Subject) {
			if sharing == sharedLimit || !slices.ContainsFunc(f.names, func(n string) bool { return slices.Contains(names, n) }) {
				continue
			}
			sharing++
		}
		if at := slices.IndexFunc(near[:found], func(x neighbour) bool { return x.id == n.id }); at >= 0 {
			near = slices.Clone(near)
			near[at] = n
		} else {
			near = append(near, n)
		}
	}
	return near
}

// clash is a neighbour that contradicts a draft.
type clash struct {
	id        graph.ID
	authority float64
	score     float64
}

// compare scores conflict first, then looks for a near duplicate: what contradicts
// is never one.
func (s *storing) compare(d *draft, near []neighbour) (clashes []clash, duplicate *existing) {
	best := 0.0
	for i := range near {
		n := &near[i]
		score := conflict.Compare(d.reading, *n.reading).Score
		if score > contested {
			clashes = append(clashes, clash{n.id, n.authority, score})
			continue
		}
		if n.cosine >= duplicateCosine && n.cosine > best && score < duplicateConflict && repeats(d.memory, n.existing, s.now) {
			best, duplicate = n.cosine, &n.existing
		}
	}
	return clashes, duplicate
}

// repeats reports whether the draft only says again what the memory says: same
// owner and consent, no number, date, name or negation that differs. Episodes of
// different sessions or days are corroboration.
func repeats(d *graph.Memory, m existing, now time.Time) bool {
	if d.User != m.user || d.Consent != m.consent || d.Type != m.kind {
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
	return extract.SameFacts(d.Content, m.reading.Text())
}

// reinforce strengthens the memory that a draft repeats.
func (s *storing) reinforce(d *draft, id graph.ID) (RememberResult, error) {
	// What is near may have been read before this transaction began.
	m, err := s.tx.Memory(id)
	if err != nil {
		return RememberResult{}, err
	}
	if m.Status() != graph.Active {
		return s.insert(d, nil, nil)
	}
	if err := s.strengthen(m); err != nil {
		return RememberResult{}, err
	}
	p, err := s.policy(m.Namespace)
	if err != nil {
		return RememberResult{}, err
	}
	r := RememberResult{Memory: view(m, Access{}, s.now), DuplicateOf: m.ID, Score: score(m, p)}
	return r, s.remember(d, m.ID, r)
}

// strengthen reinforces a memory that was said again, and counts a use of it.
func (s *storing) strengthen(m *graph.Memory) error {
	m.Salience = plasticity.Reinforce(m.Salience, plasticity.Eta, m.Surprise)
	m.AnchorAt, m.UpdatedAt = s.now, s.now
	s.used = append(s.used, m.ID)
	return s.tx.PutMemory(m, graph.EventReinforced)
}

// remember keeps the answer under the idempotency key.
func (s *storing) remember(d *draft, id graph.ID, r RememberResult) error {
	if d.key == "" {
		return nil
	}
	a, err := json.Marshal(answer{Promoted: r.Promoted, DuplicateOf: r.DuplicateOf, Score: r.Score, ConflictsWith: r.ConflictsWith})
	if err != nil {
		return err
	}
	return s.tx.PutRequest(graph.Request{Key: d.key, Digest: d.digest, Result: id, Answer: a, At: s.now})
}

// insert writes the draft as a new memory.
func (s *storing) insert(d *draft, near []neighbour, clashes []clash) (RememberResult, error) {
	m, err := s.born(d)
	if err != nil {
		return RememberResult{}, err
	}
	if d.in.Core {
		if err := s.roomForCore(m); err != nil {
			return RememberResult{Error: err}, nil
		}
	}
	r, err := s.assess(m, d, near, clashes)
	if err != nil {
		return RememberResult{}, err
	}
	m.SetState(s.now, func(st *graph.State) {
		st.Status, st.Tier, st.Core, st.ValidTo = graph.Active, graph.L1, d.in.Core, d.validTo
		if r.Promoted {
			st.Tier = graph.L2
		}
	})
	if d.vector != nil {
		m.EmbeddingModel = s.e.embedder.Name()
	}
	if err := s.put(m, d.vector, clashes); err != nil {
		return RememberResult{}, err
	}
	s.wrote(m, d)
	r.Memory = view(m, Access{}, s.now)
	return r, s.remember(d, m.ID, r)
}

// born is the draft as a memory of this instant, in no state yet.
func (s *storing) born(d *draft) (*graph.Memory, error) {
	id, err := s.e.newID(s.now)
	if err != nil {
		return nil, err
	}
	m := *d.memory
	m.ID, m.Chain = id, id
	m.CreatedAt, m.UpdatedAt, m.RecordedAt, m.AnchorAt = s.now, s.now, s.now, s.now
	if m.OccurredAt.IsZero() {
		m.OccurredAt = firstTime(m.ValidFrom, s.now)
	}
	if m.ValidFrom.IsZero() {
		m.ValidFrom = m.OccurredAt
	}
	m.Checksum = graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source)
	if d.ttl > 0 {
		m.ExpiresAt = s.now.Add(d.ttl)
	}
	p, err := s.policy(m.Namespace)
	if err != nil {
		return nil, err
	}
	bindPolicy(&m, p)
	return &m, nil
}

// assess links the memory to its entities and scores what its surroundings say of it:
// surprise, conflict, and whether it is promoted.
func (s *storing) assess(m *graph.Memory, d *draft, near []neighbour, clashes []clash) (RememberResult, error) {
	known, err := s.link(m, d)
	if err != nil {
		return RememberResult{}, err
	}
	if !d.given.surprise {
		m.Surprise = surprise(known, near)
	}
	r := RememberResult{Pending: d.vector == nil}
	for _, c := range clashes {
		m.Conflict = max(m.Conflict, c.score*min(1, ratio(c.authority, m.Authority)))
		r.ConflictsWith = append(r.ConflictsWith, c.id)
	}
	p, err := s.policy(m.Namespace)
	if err != nil {
		return RememberResult{}, err
	}
	r.Score = score(m, p)
	r.Promoted = r.Score > p.PromoteAt
	return r, nil
}

// put writes a new memory, its vector, and its conflicts on both sides.
func (s *storing) put(m *graph.Memory, vector []float32, clashes []clash) error {
	return s.putAs(graph.EventCreated, m, vector, clashes)
}

// putAs is put with another word for what happened to the memory.
func (s *storing) putAs(kind graph.EventKind, m *graph.Memory, vector []float32, clashes []clash) error {
	if err := s.tx.PutMemory(m, kind); err != nil {
		return err
	}
	if vector != nil {
		if err := s.tx.PutEmbedding(m.ID, vector); err != nil {
			return err
		}
	}
	for _, c := range clashes {
		if err := s.tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.Contradicts, To: c.id, Weight: c.score, At: s.now}); err != nil {
			return err
		}
		other, err := s.tx.Memory(c.id)
		if err != nil {
			return err
		}
		if signal := c.score * min(1, ratio(m.Authority, other.Authority)); signal > other.Conflict && other.Status() == graph.Active {
			other.Conflict, other.UpdatedAt = signal, s.now
			if err := s.tx.PutMemory(other, graph.EventUpdated); err != nil {
				return err
			}
		}
	}
	return nil
}

// score is the plasticity of a memory at write, as its namespace weighs it: S is S₀.
func score(m *graph.Memory, p policy.Policy) float64 {
	return plasticity.Score(plasticity.Signals{
		Salience: m.Salience, Usage: m.Usage.Count, Authority: m.Authority, Conflict: m.Conflict, Surprise: m.Surprise,
	}, p.Coefficients)
}

// ratio is a/b where b is positive, else 1.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return 1
	}
	return a / b
}

func firstTime(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}
