package index

import (
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// Query asks for candidates. A channel with empty input is off. If all channels are off, the
// candidates are the most recent memories that pass the filter.
type Query struct {
	Texts           []string   // words channel: variants of the question; the best one counts for each memory
	Related         []Related  // words channel: words that a memory may contain instead of a word of the text
	Topics          bool       // words channel: also finds memories about the topics of a text
	Approximate     bool       // fewer memories are scored exactly, see wordsearch.go and package vectors
	Exhaustive      bool       // words channel: every memory is scored with its neighbour boost, see wordsearch.go
	Vector          []float32  // vector channel: unit length, dimension of the tenant's model
	BlendNeighbours bool       // Semantic is the cosine to a memory together with its neighbours (contextvector.go); no effect with Options.Remote
	Entities        []graph.ID // graph channel: seeds of the spreading activation
	Hops            int        // graph channel: 1 to 6; 0 is 2
	From, To        time.Time  // time channel: event time in [From, To), the latest first; off unless both are set
	Limit           int        // candidates for each channel; 0 is 200
	Filter          Filter
	Now             time.Time // the present, for expiry and for as-of reads that leave a clock unset
}

// Filter is applied inside every channel, before its top k. All set conditions must hold; a zero
// field is no condition.
type Filter struct {
	Namespaces    []string        // any of
	Users         []string        // any of; "" matches memories without a user
	Project       string          // exact
	Session       string          // exact
	Subject       string          // exact, as stored
	Types         []graph.Type    // any of
	Tags          []string        // all of
	Consents      []graph.Consent // any of
	Statuses      []graph.Status  // any of; empty: active at the instant (see AsOf)
	Since, Until  time.Time       // of the event time, both inclusive
	MinAuthority  float64
	MinImportance float64
	// AsOf: a memory must have been recorded by AsOf.Recorded (zero: now), and the filter tests
	// its state at that instant. With AsOf.Valid set, ValidFrom ≤ Valid < ValidTo must hold as
	// well, and empty Statuses mean ACTIVE or SUPERSEDED, because the versions of a chain divide
	// valid time between them.
	AsOf graph.AsOf
}

// Result is the result of a Recall.
type Result struct {
	Candidates []Candidate // union of the channels, unordered, each id once
	Semantic   int         // number of candidates from each channel
	Keyword    int
	Graph      int
	HasTopics  bool          // the first text has a known topic
	VectorsErr error         // why Options.Remote did not answer; nil: it did
	Considered int           // memories that passed the filter
	Took       time.Duration // duration inside the index
	Channels   []Channel     // those that ran
}

// Names of channels.
const (
	ChannelVectors = "vectors"
	ChannelWords   = "words"
	ChannelGraph   = "graph"
)

// Channels are the names of all channels.
var Channels = []string{ChannelVectors, ChannelWords, ChannelGraph}

// Channel says how long a channel worked. Channels run beside each other and in pieces; waiting
// for another does not count.
type Channel struct {
	Name  string
	Began time.Time
	Took  time.Duration
	Found int // candidates
}

// Candidate is one memory with the raw evidence of every channel, whichever channel found it.
type Candidate struct {
	Doc      *Doc    // read-only, shared
	Semantic float64 // cosine to the query vector, see Query.BlendNeighbours, clamped at 0; 0 if either has no vector
	Keyword  float64 // BM25 with the neighbour boost, divided by the best of the query, [0,1]
	Graph    float64 // activation, [0,1]
	Topical  float64 // how much it shares the topics of the first text, [0,1]; 0 without Result.HasTopics
	Ranks    Ranks
	Via      []graph.ID // entities on the path from a seed, if the graph channel reached it
}

// Ranks are places in the channels, from 1; 0: not a candidate of the channel.
type Ranks struct{ Semantic, Keyword, Graph int }

// Doc holds what the index knows of a memory except its words. It is immutable after
// publication: a change makes a new Doc. Memories share equal parts.
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
	QuestionShare                    float32 // share of its content that is questions, [0,1]
	AboutUser                        bool    // its content is about the user
	Annotated                        bool    // has texts whose words are not indexed, see graph.Memory.Annotations
	Embedded                         bool    // has a vector, which Index.Vectors returns; false while pending

	topics    topicSet
	vectorRef vectors.Ref // zero while pending, and with Options.Remote
}

// Ownership says to whom a memory belongs. It is the same for all memories of a session.
type Ownership struct{ Namespace, User, Agent, Project, Session string }

// Treatment is how a memory is to be treated.
type Treatment struct {
	Type                      graph.Type
	Consent                   graph.Consent
	SourceKind                graph.SourceKind
	Sensitivity               graph.Sensitivity
	Authority, Conflict       float64
	DecayClass                graph.DecayClass
	DecayK                    float64
	Important, SafetyCritical bool
	Pattern                   graph.PatternKind // empty: the memory is no pattern
}

// Timestamps are instants that memories written together share.
type Timestamps struct{ CreatedAt, RecordedAt, AnchorAt, ExpiresAt time.Time }

// Lineage holds the versions and the usage of a memory.
type Lineage struct {
	Supersedes, SupersededBy graph.ID
	Version                  int
	Usage                    graph.Usage
}

// Near is a near memory and the cosine of its vector to the query.
type Near struct {
	Doc    *Doc
	Cosine float64
}
