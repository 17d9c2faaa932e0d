package index

import (
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// Query asks for candidates. A channel whose input is empty is off. With all
// channels off the candidates are the most recent memories that pass the filter.
type Query struct {
	Texts           []string   // words channel: variants of the question; a memory counts with its best
	Related         []Related  // words channel: what else may stand where a text says a word
	Topics          bool       // words channel: memories about what a text is about are found too
	Approximate     bool       // fewer memories are scored exactly, see wordsearch.go and sketch.go
	Exhaustive      bool       // words channel: every memory is scored with its neighbour boost, see wordsearch.go
	Vector          []float32  // vector channel: unit length, dimension of the tenant's model
	BlendNeighbours bool       // Semantic is the cosine to a memory with those around it (scene.go); not where vectors live elsewhere
	Entities        []graph.ID // graph channel: seeds of the spreading activation
	Hops            int        // graph channel: 1 to 6; 0 is 2
	From, To        time.Time  // time channel: what happened in [From, To), the latest first; off unless both are set
	Limit           int        // candidates a channel; 0 is 200
	Filter          Filter
	Now             time.Time // the present, for expiry and for as-of reads that leave a clock open
}

// Filter is applied inside every channel, before its top k. What is set must all
// hold; what is zero holds for all.
type Filter struct {
	Namespaces    []string        // any of
	Users         []string        // any of; "" stands for memories without a user
	Project       string          // exact
	Session       string          // exact
	Subject       string          // exact, as stored
	Types         []graph.Type    // any of
	Tags          []string        // all of
	Consents      []graph.Consent // any of
	Statuses      []graph.Status  // any of; empty: what was active at the instant (see AsOf)
	Since, Until  time.Time       // on the event time, both inclusive
	MinAuthority  float64
	MinImportance float64
	// AsOf: a memory must have been recorded by AsOf.Recorded (zero: now) and its
	// state of that instant is the one the filter sees. With AsOf.Valid set,
	// ValidFrom ≤ Valid < ValidTo must hold as well, and empty Statuses mean ACTIVE
	// or SUPERSEDED: the versions of a chain divide valid time between them.
	AsOf graph.AsOf
}

// Result is what the channels found.
type Result struct {
	Candidates []Candidate // union of the channels, in no particular order, each id once
	Semantic   int         // how many each channel gave
	Keyword    int
	Graph      int
	HasTopics  bool          // the first text is about a topic that is known
	VectorsErr error         // why the vectors did not answer, where they live elsewhere; nil: they did
	Considered int           // memories that passed the filter
	Took       time.Duration // inside the index
}

// Candidate is one memory with the raw evidence of every channel, whichever found it.
type Candidate struct {
	Doc      *Doc    // read-only, shared
	Semantic float64 // cosine to the query vector, see Query.Scene, clamped at 0; 0 where either has none
	Keyword  float64 // BM25, with what the neighbours in the session lend, ÷ the best of the query, [0,1]
	Graph    float64 // activation, [0,1]
	Topical  float64 // how much of what the first text is about it is about, [0,1]; 0 without Result.Matter
	Ranks    Ranks
	Via      []graph.ID // entities on the way from a seed, where the graph found it
}

// Ranks are places inside the channels, from 1; 0: not among its candidates.
type Ranks struct{ Semantic, Keyword, Graph int }

// Doc is what the index knows of a memory besides its words. It is immutable once
// published: a change makes a new one. What many memories have in common they share.
type Doc struct {
	ID graph.ID
	*Ownership
	*Treatment
	*Timestamps
	*Lineage
	Subject                          string
	Tags                             []string
	Entities                         []graph.ID
	Importance, Confidence, Salience float64
	OccurredAt, ValidFrom            time.Time
	History                          []graph.State
	Chain                            graph.ID
	QuestionShare                    float32 // share of its content that asks, [0,1]
	AboutUser                        bool    // speaks of the user
	Embedded                         bool    // has a vector, which Index.Vectors answers; false while pending

	topics    topicSet
	vectorRef vectors.Ref // nowhere while pending, and where vectors live elsewhere
}

// belonging says whose a memory is: the same for all of a session.
type Ownership struct{ Namespace, User, Agent, Project, Session string }

// bearing is how a memory is to be treated.
type Treatment struct {
	Type                      graph.Type
	Consent                   graph.Consent
	SourceKind                graph.SourceKind
	Sensitivity               graph.Sensitivity
	Authority, Conflict       float64
	DecayClass                graph.DecayClass
	DecayK                    float64
	Important, SafetyCritical bool
}

// moments are instants that what is written together has in common.
type Timestamps struct{ CreatedAt, RecordedAt, AnchorAt, ExpiresAt time.Time }

// trail is what became of a memory.
type Lineage struct {
	Supersedes, SupersededBy graph.ID
	Version                  int
	Usage                    graph.Usage
}

// Near is a neighbour by meaning.
type Near struct {
	Doc    *Doc
	Cosine float64
}
