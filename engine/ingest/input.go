package ingest

import (
	"encoding/json"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// RememberInput is one memory to write. Nil or empty fields are not set.
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
	DecayK                              *float64 // per day, above 0; nil: set by policy and class
	Priority                            graph.Priority
	TTLSeconds                          *int
	ValidFrom, ValidTo, OccurredAt      time.Time
	Important, Core, SafetyCritical     bool
	Sensitivity                         graph.Sensitivity // empty: INTERNAL
	OnDuplicate                         OnDuplicate       // empty: REINFORCE
	IdempotencyKey                      string
	ExternalID                          string `json:",omitempty"` // the caller's own name, unique among what the caller sees of the namespace; without it the digest of the input is as before

	Private bool `json:",omitempty"` // only the agent sees it, until it is shared; needs Agent

	Trigger     string     `json:",omitempty"` // of a procedure
	Steps       []string   `json:",omitempty"`
	LearnedFrom []graph.ID `json:",omitempty"` // memories that the caller sees

	Cites graph.ID `json:",omitempty"` // turn of the user that says it; empty: none

	defaulted     bool          // Consent is the default of the namespace or the server
	shares        *sharing      // ends a private memory in the transaction of the write; nil: none
	unknownSource bool          // LearnedFrom names a memory that the caller does not see
	cited         *graph.Memory // the memory with the id Cites; nil: the caller does not see it
}

// Owner is the owner of the memory.
func (in *RememberInput) Owner() string {
	if in.Private {
		return graph.PrivateOwner(in.User, in.Agent)
	}
	return in.User
}

// OnDuplicate selects the treatment of a near duplicate.
type OnDuplicate string

// The ways to treat a near duplicate.
const (
	Reinforce OnDuplicate = "REINFORCE" // strengthen the stored one, store nothing
	Reject    OnDuplicate = "REJECT"    // fail with DUPLICATE_MEMORY
	Insert    OnDuplicate = "INSERT"    // store both
)

// RememberResult is the result of writing one memory. If an item of a batch failed, Error
// is set and the rest is empty.
type RememberResult struct {
	Memory        *workspace.View
	Promoted      bool
	DuplicateOf   graph.ID
	Replayed      bool    // the idempotency key had been used before, or the external id for the same content
	Score         float64 // plasticity at write
	ConflictsWith []graph.ID
	Revised       []graph.ID // memories that became SUPERSEDED by it
	Ended         []graph.ID // memories of which a claim ended with it, while others hold; not of a replayed write
	Pending       bool       // stored, but not embedded yet
	Error         *graph.Error
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
	ExternalID     string `json:",omitempty"` // empty: that of the previous version; without it the digest of the input is as before
	// Tags and Meta replace those of the previous version; nil: they stay.
	Tags []string        `json:",omitempty"`
	Meta json.RawMessage `json:",omitempty"`
}

// SupersedeResult is the new version and the version that it replaced.
type SupersedeResult struct {
	Memory, Previous *workspace.View
	Replayed         bool
	ConflictsWith    []graph.ID
}

// UpdateInput changes attributes of a memory, not its text. Nil fields stay unchanged.
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
	SetDecayK  bool     // with a nil DecayK: reset to policy and class
}
