package engine

import (
	"encoding/json"
	"time"

	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/graph"
)

// Access is what a read may see; reads nested in it obey the same.
type Access struct {
	AsOf            graph.AsOf
	RequireConsent  bool // never NONE; IMPLICIT only with IncludeImplicit
	IncludeImplicit bool
}

// View is a memory as one read sees it. Everything of the memory is today's but
// State, which is that of the read's instant.
type View struct {
	*graph.Memory
	State       graph.State
	Retention   float64      // at the read's instant, [0,1]
	Access      Access       // for nested reads
	Unavailable *graph.Error // why the content can't be served; nil: it can
}

// RememberInput is one memory to write. Nil and empty mean "not given".
type RememberInput struct {
	Content                             string
	Consent                             graph.Consent
	Type                                graph.Type
	Namespace                           string // empty: "default"
	User, Session, Project, Agent       string
	Subject, Predicate, Object          string
	SourceKind                          graph.SourceKind // empty: USER
	Source                              string
	Authority, Salience, Surprise       *float64
	Confidence, Importance, Criticality *float64
	Entities, Tags                      []string
	Meta                                json.RawMessage
	DecayClass                          graph.DecayClass
	DecayK                              *float64 // per day, above 0; nil: by policy and class
	Priority                            graph.Priority
	TTLSeconds                          *int
	ValidFrom, ValidTo, OccurredAt      time.Time
	Important, Core, SafetyCritical     bool
	Sensitivity                         graph.Sensitivity // empty: INTERNAL
	OnDuplicate                         OnDuplicate       // empty: REINFORCE
	IdempotencyKey                      string
}

// OnDuplicate says what becomes of a near duplicate.
type OnDuplicate string

// The ways to treat a near duplicate.
const (
	Reinforce OnDuplicate = "REINFORCE" // the old one is strengthened, nothing is stored
	Reject    OnDuplicate = "REJECT"    // DUPLICATE_MEMORY
	Insert    OnDuplicate = "INSERT"    // stored beside it
)

// RememberResult is what became of one memory. Error is set, and the rest empty,
// where an item of a batch failed.
type RememberResult struct {
	Memory        *View
	Promoted      bool
	DuplicateOf   graph.ID
	Replayed      bool    // the idempotency key had been used before
	Score         float64 // plasticity at write
	ConflictsWith []graph.ID
	Pending       bool // stored, but its embedding is still to come
	Error         *graph.Error
}

// SearchMode chooses the weights.
type SearchMode string

// The modes of search.
const (
	ModeAnswer  SearchMode = "ANSWER"  // answer a question
	ModeManager SearchMode = "MANAGER" // where were we? needs no query
	ModeBase    SearchMode = "BASE"    // the base weights as they are
)

// Effort is how much a search may spend.
type Effort string

// The efforts.
const (
	EffortFast     Effort = "FAST"
	EffortBalanced Effort = "BALANCED"
	EffortAccurate Effort = "ACCURATE"
)

// Fusion is how the channels are put together.
type Fusion string

// The fusions.
const (
	FusionWeighted Fusion = "WEIGHTED"
	FusionRRF      Fusion = "RRF"
)

// SearchInput is a question to memory. Empty fields take the API's defaults.
type SearchInput struct {
	Query                       string
	TopK                        int // 1 to 100; 0 is 10
	Mode                        SearchMode
	Effort                      Effort
	Fusion                      Fusion
	Namespaces                  []string
	User, Project, Session      string
	Types                       []graph.Type
	Tags                        []string
	Statuses                    []graph.Status
	Since, Until                time.Time
	Access                      Access
	MinAuthority, MinImportance float64
	Hops                        *int // 0 to 6; nil is 2; 0 turns the graph channel off
	Weights                     *rank.Overrides
	Track                       bool // count this read as usage
	shared                      bool // with User: what belongs to nobody counts too
}

// Part names a part of the system that may be missing from an answer.
type Part string

// The parts.
const (
	PartEmbedder Part = "EMBEDDER"
	PartVectors  Part = "VECTORS"
	PartWords    Part = "WORDS"
	PartGraph    Part = "GRAPH"
	PartRecess   Part = "RECESS"
	PartStore    Part = "STORE"
	PartReranker Part = "RERANKER"
	PartChat     Part = "CHAT" // the language model
)

// SearchResult is the answer of a search.
type SearchResult struct {
	Hits                     []Hit
	Weights                  rank.Parts // what was used, sum 1
	Latency                  time.Duration
	Semantic, Keyword, Graph int // candidates each channel gave
	Considered               int // memories that passed the filter
	Degraded                 []Part
}

// HitLabel says how a hit stands today.
type HitLabel string

// The labels.
const (
	Current    HitLabel = "CURRENT"
	Historical HitLabel = "HISTORICAL"
	Contested  HitLabel = "CONTESTED"
)

// Hit is one memory found.
type Hit struct {
	Memory     *View
	Score      float64
	Label      HitLabel
	Parts      rank.Parts               // each input in [0,1], before its weight
	Explain    func() *rank.Explanation // says how the score came about; writing that takes as long as reading the memory
	Provenance []Provenance
	Path       []graph.ID // entities that led to it, where the graph did
}

// MemoryStore names where a version was read from.
type MemoryStore string

// The stores of memory.
const (
	StoreBuffer MemoryStore = "BUFFER"
	StoreIndex  MemoryStore = "INDEX"
	StoreSchema MemoryStore = "SCHEMA"
	StoreRecess MemoryStore = "RECESS"
)

// Provenance says where a hit comes from.
type Provenance struct {
	Store   MemoryStore
	ID      graph.ID
	Version int
}

// ListInput selects memories for a list; as graph.MemoryQuery, with names of the API.
type ListInput struct {
	Namespaces             []string
	User, Project, Session string
	Subject                string
	Entity                 graph.ID // only what mentions it
	Types                  []graph.Type
	Statuses               []graph.Status // empty: ACTIVE, with a valid instant SUPERSEDED too
	Tags                   []string
	Access                 Access
	First                  int // 1 to 1,000; 0 is 50
	After                  graph.ID
	Descending             bool
}

// ListResult is a page of memories.
type ListResult struct {
	Memories []*View
	More     bool
}

// Version is one entry of a lineage.
type Version struct {
	Memory       *View
	Version      int
	Checksum     string
	Reason       string
	RecordedAt   time.Time
	SupersededAt time.Time
}

// SupersedeInput is a direct correction of a belief.
type SupersedeInput struct {
	ID             graph.ID
	Content        string
	Reason         string
	ValidFrom      time.Time
	Source         string
	Authority      *float64
	IdempotencyKey string
}

// SupersedeResult is the new version and the one it replaced.
type SupersedeResult struct {
	Memory, Previous *View
	Replayed         bool
	ConflictsWith    []graph.ID
}

// UpdateInput changes what is not the belief itself. Nil means "leave it".
type UpdateInput struct {
	ID         graph.ID
	Importance *float64
	Tags       []string // nil: leave; empty: none
	SetTags    bool
	Meta       json.RawMessage
	SetMeta    bool
	Priority   graph.Priority
	Important  *bool
	DecayK     *float64 // per day, above 0
	SetDecayK  bool     // with no DecayK: by policy and class again
}

// ForgetInput selects what to erase; what is set must all hold. Nothing set is
// INVALID_REQUEST; Tenant alone means everything.
type ForgetInput struct {
	IDs            []graph.ID
	User           string
	Subject        string
	Namespace      string
	Tenant         bool
	DryRun         bool
	IdempotencyKey string
}

// ContextInput asks for a prompt context.
type ContextInput struct {
	Session, User, Project, Query string
	Namespaces                    []string
	Format                        string // MARKDOWN, XML or JSON; empty: MARKDOWN
	TokenBudget                   int    // 0: 4,400
	Access                        Access
	Preview                       bool // it does not count as used, and the session is not said to have seen it
}

// EntityInput selects entities for a list.
type EntityInput struct {
	Namespaces []string
	User       string
	Types      []graph.EntityType
	Name       string // prefix of the canonical name
	First      int
	After      graph.ID
}

// EntityView is an entity with what is derived about it.
type EntityView struct {
	*graph.Entity
	MentionCount int
	LastSeen     time.Time
}

// RelationView is a relation as of an instant.
type RelationView struct {
	*graph.Relation
	Weight float64 // strength ÷ sum of the strengths at its source, [0,1]
}

// EdgeView is an edge between two memories, stored or derived.
type EdgeView struct {
	From, To graph.ID
	Kind     string  // SUPERSEDES, DERIVED_FROM, CONSOLIDATED_INTO, EVIDENCE_FOR, CONTRADICTS, SAME_SESSION, TEMPORAL_SEQ, ENTITY_OVERLAP
	Weight   float64 // [0,1]; Jaccard for ENTITY_OVERLAP
}

// RelatedResult is a bounded neighbourhood, breadth first.
type RelatedResult struct {
	Memories  []*View // by depth, then id
	Edges     []EdgeView
	Truncated bool // the budget of nodes was used up
}

// Event is one change of a memory for subscribers. Memory is nil where it is gone
// or hidden.
type Event struct {
	Cursor graph.Cursor
	Kind   graph.EventKind
	ID     graph.ID
	Memory *View
	At     time.Time
}

// HealthReport is the state of a tenant's memory.
type HealthReport struct {
	Score            float64 // H, [0,1]
	Status           string  // HEALTHY, WARNING, CRITICAL
	Memories         int     // ACTIVE
	Engrams          int
	Entities         int
	ChecksumFailures int
	Details          map[string]any
}

// Instant is one bucket of the timeline.
type Instant struct {
	From                    time.Time
	Born, Superseded, Ended int
}
