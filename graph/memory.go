package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// NoModel stands for the model of a memory that has no vector and gets none: what is left of a memory that was erased, until
// the erasure is repeated.
const NoModel = "none"

// Memory is one remembered thing, the main node of the graph. Its embedding is stored
// apart from it (Reader.Embedding), and so is its usage ([Usage]).
type Memory struct {
	ID        ID
	Namespace string // see NamespaceRule
	User      string // empty: not of a particular user
	Agent     string
	Session   string
	Project   string

	ExternalID string // the caller's own name, unique among the chains of its namespace that its writer saw; empty: none

	Type    Type
	Content string // 1 B to MaxContent
	Summary string

	Subject   string // canonical subject of the belief, if it is one
	Predicate string
	Object    string

	EmbeddingModel string // model whose vector is stored; empty: pending; NoModel: it gets none

	Salience    float64 // S₀ in [0,1]; at t it has decayed to S₀·retention(t)
	Authority   float64 // bound at write, [0,1]
	Conflict    float64 // signal C in [0,1]
	Surprise    float64 // Δ in [0,1]
	Confidence  float64 // [0,1]
	Importance  float64 // [0,1], as given or scored at write
	Criticality float64 // [0,1]

	DecayClass     DecayClass
	DecayK         float64 // per day; 0: derived from DecayClass and stability
	OwnDecay       bool    // DecayK was given for this memory: no policy replaces it
	Priority       Priority
	Important      bool // marked by the user
	SafetyCritical bool
	Sensitivity    Sensitivity
	Consent        Consent
	SourceKind     SourceKind
	Source         string // free reference; names the principal on loopback
	Principal      string // the authenticated principal that wrote it; empty: written before principals were stored
	Stated         bool   // the caller gave Subject, Predicate and Object; false: they were read in Content
	Typed          bool   // the caller gave Type; false: it was read in Content
	Tags           []string
	Meta           json.RawMessage // any JSON value, or nil
	Entities       []ID            // targets of MENTIONS edges, in order of first mention

	Chain        ID     // id of the first version of its supersede chain; its own id for a first version
	Version      int    // 1 for the first version
	Supersedes   ID     // the previous version, or empty
	SupersededBy ID     // the next version, or empty
	Reason       string // why this version replaced the previous one
	Consolidated ID     // the memory that it was merged into, or empty

	CreatedAt  time.Time // decay and ageing run from here
	UpdatedAt  time.Time // last change of any field
	RecordedAt time.Time // when Somnograph learned it
	OccurredAt time.Time // event time; RecordedAt if none was given
	ValidFrom  time.Time
	ExpiresAt  time.Time // zero: never
	AnchorAt   time.Time // last reinforcement; decay runs from the later of this and the last use
	DeletedAt  time.Time // zero unless FORGOTTEN

	History  []State     // oldest first, at least one; status, tier, core and validTo as recorded intervals
	Position *[3]float32 // place on the map; nil: not placed yet
	Checksum string      // lower-case hex, see Sum; empty after an erasure

	Claims []Claim // what was read in the text; their order is that of their numbers
	ReadBy int     // version of the rules that read the claims; 0: not read yet

	// ConfidenceDay is the last UTC day of use (see Day) on which confidence took its
	// daily step; 0: none yet.
	ConfidenceDay int32
	// SalienceDay is the last UTC day of use that Salience contains; 0: none yet.
	SalienceDay int32
	// ConsentDefaulted is true if the write named no consent: Consent is then the default of the
	// namespace or the server.
	ConsentDefaulted bool

	Chunk     *Chunk     // nil: not a part of a document
	Procedure *Procedure // of a PROCEDURAL memory; nil: none was given
	Pattern   *Pattern   // what a sleep found to repeat; nil: the memory is no pattern
	ToolCalls []ToolCall // of a turn by an assistant or a tool, in their order

	Usage Usage // filled on read; ignored on write
}

// State is the part of a memory that changes on the recorded clock. It holds from
// From until the From of the next state.
type State struct {
	From    time.Time
	Status  Status
	Tier    Tier
	Core    bool
	ValidTo time.Time // zero: still true
}

// State is the present state.
func (m *Memory) State() State { return m.History[len(m.History)-1] }

// Status is the present status as stored. An expired time to live shows in StateAt
// before a sweep has stored it.
func (m *Memory) Status() Status { return m.State().Status }

// EmbeddingPending reports whether the memory waits for its embedding.
func (m *Memory) EmbeddingPending() bool {
	return m.EmbeddingModel == "" && m.Status() != Forgotten
}

// StateAt is the state that was recorded at t, and whether the memory existed then.
// A time to live that had ended by t reads as EXPIRED.
func (m *Memory) StateAt(t time.Time) (State, bool) { return StateAt(m.History, m.ExpiresAt, t) }

// StateAt is the entry of history in force at t, with expiry applied.
func StateAt(history []State, expires, t time.Time) (State, bool) {
	for i := len(history) - 1; i >= 0; i-- {
		s := history[i]
		if s.From.After(t) {
			continue
		}
		if s.Status == Active && !expires.IsZero() && !expires.After(t) {
			s.Status = Expired
		}
		return s, true
	}
	return State{}, false
}

// SetState records a change of state at t, or one millisecond after the last
// state if t is not later than it. It returns the instant that it recorded.
func (m *Memory) SetState(t time.Time, change func(*State)) time.Time {
	t = Millis(t)
	var next State
	if n := len(m.History); n > 0 {
		next = m.History[n-1]
		if !t.After(next.From) {
			t = next.From.Add(time.Millisecond)
		}
	}
	change(&next)
	next.From = t
	m.History = append(m.History[:len(m.History):len(m.History)], next)
	return t
}

// SupersededAt is when the memory was first recorded as SUPERSEDED; zero: never.
func (m *Memory) SupersededAt() time.Time {
	for _, s := range m.History {
		if s.Status == Superseded {
			return s.From
		}
	}
	return time.Time{}
}

// LastAccessedAt is the last use, or the creation if there was none.
func (m *Memory) LastAccessedAt() time.Time {
	if m.Usage.Last.IsZero() {
		return m.CreatedAt
	}
	return m.Usage.Last
}

// Sum is the checksum of a memory's content, creation and source, as lower-case
// hex: SHA-256 of content ∥ NUL ∥ createdAt as 2026-02-19T00:00:00.000Z ∥ NUL ∥
// source kind ":" source reference.
func Sum(content string, createdAt time.Time, kind SourceKind, source string) string {
	h := sha256.New()
	h.Write([]byte(content))
	h.Write([]byte{0})
	h.Write([]byte(createdAt.UTC().Format("2006-01-02T15:04:05.000Z")))
	h.Write([]byte{0})
	h.Write([]byte(string(kind) + ":" + source))
	return hex.EncodeToString(h.Sum(nil))
}

// Stub is what an erasure at an instant leaves of a memory: id, namespace, times, chain and
// version. DeletedAt is when the erasure is recorded: later than the last state.
func (m *Memory) Stub(at time.Time) *Memory {
	s := &Memory{
		ID: m.ID, Namespace: m.Namespace, Chain: m.Chain, Version: m.Version,
		CreatedAt: m.CreatedAt, RecordedAt: m.RecordedAt, OccurredAt: m.OccurredAt, ValidFrom: m.ValidFrom,
		ExpiresAt: m.ExpiresAt, AnchorAt: m.AnchorAt, History: m.History,
	}
	s.DeletedAt = s.SetState(at, func(st *State) { st.Status, st.Core = Forgotten, false })
	s.UpdatedAt = s.DeletedAt
	return s
}
