package recall

import (
	"time"

	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// SearchMode selects the weights of a search.
type SearchMode string

// The search modes.
const (
	ModeAnswer  SearchMode = "ANSWER"  // answer a question
	ModeManager SearchMode = "MANAGER" // resume earlier work; needs no query
	ModeBase    SearchMode = "BASE"    // the base weights, unchanged
)

// Effort limits the cost of a search.
type Effort string

// The effort levels.
const (
	EffortFast     Effort = "FAST"
	EffortBalanced Effort = "BALANCED"
	EffortAccurate Effort = "ACCURATE"
)

// Fusion is the method that combines the channels into one score.
type Fusion string

// The fusion methods.
const (
	FusionWeighted Fusion = "WEIGHTED"
	FusionRRF      Fusion = "RRF"
)

// SearchOrder is the order of the hits of a search.
type SearchOrder string

// The orders.
const (
	OrderDiverse SearchOrder = "DIVERSE" // what repeats better hits comes later, and of two statements on one matter the earlier
	OrderScore   SearchOrder = "SCORE"   // by descending score
)

// TierPreference says which tiers of memory answer a search.
type TierPreference string

// The preferences.
const (
	TiersAuto     TierPreference = "AUTO"           // patterns, clusters and memories together
	PatternsFirst TierPreference = "PATTERNS_FIRST" // patterns of enough relevance come before all others
	MemoriesOnly  TierPreference = "MEMORIES_ONLY"  // no patterns, and nothing found only through a cluster
	ClustersOnly  TierPreference = "CLUSTERS_ONLY"  // the best members of the best clusters
)

// TierPreferences lists every TierPreference in the order of the API.
var TierPreferences = []TierPreference{TiersAuto, PatternsFirst, MemoriesOnly, ClustersOnly}

// HitTier is the tier that a hit comes from.
type HitTier string

// The tiers.
const (
	TierPattern HitTier = "PATTERN" // the memory is a pattern
	TierCluster HitTier = "CLUSTER" // found only through its cluster
	TierMemory  HitTier = "MEMORY"  // any other
)

// TierCounts counts the hits of a search by tier.
type TierCounts struct{ Patterns, Clusters, Memories int }

// ClusterHit is a cluster that matches a question.
type ClusterHit struct {
	ID    graph.ID
	Score float64 // relevance, [0,1], see SearchResult.Clusters
}

// SearchInput is a search query. Empty fields take the API's defaults.
type SearchInput struct {
	Query                       string
	TopK                        int // 1 to 100; 0: 10
	Mode                        SearchMode
	Effort                      Effort
	Fusion                      Fusion
	Namespaces                  []string
	User, Project, Session      string
	Types                       []graph.Type
	Tags                        []string
	Statuses                    []graph.Status
	Since, Until                time.Time
	Access                      workspace.Access
	MinAuthority, MinImportance float64
	Hops                        *int // 0 to 6; nil: 2; 0 turns the graph channel off
	Weights                     *rank.Overrides
	Track                       bool // a use of the hits may count
	// AskedIn is the session in which this is asked, to count uses: in an observed conversation its
	// next answer decides, else it names the session of the use. It filters nothing.
	AskedIn string
	Prompts bool // the hits go into a prompt of AskedIn: they are used only if an observed answer says something of them
	// MinScoreRatio leaves out hits whose relevance is below this share of the best, and all hits
	// if none is above the floor, see rank.Relevance; 0: neither; nil: 0.5 in mode ANSWER, else 0.
	MinScoreRatio *float64
	Order         SearchOrder // empty: DIVERSE
	// TierPreference is AUTO if empty. CLUSTERS_ONLY is refused for a read of the past, because
	// clusters are those of the present.
	TierPreference TierPreference
	presentOnly    bool // no second look at what has faded
	asNow          bool // as of the present, also if the question asks what was believed earlier
	head           int  // the first hits are those of a search for so many; 0: for TopK
}

// SearchResult is the result of a search.
type SearchResult struct {
	Hits                     []Hit
	Weights                  rank.Parts // weights used, sum 1
	Latency                  time.Duration
	Semantic, Keyword, Graph int // number of candidates from each channel
	Considered               int // memories that passed the filter
	Degraded                 []workspace.Part
	NoMatch                  bool     // nothing was relevant enough
	Unsure                   bool     // no hit surely answers: they share topics with the question, or are the nearest ones
	Manager                  *Manager // in mode MANAGER, except within a context
	Tiers                    TierCounts
	// Clusters returns the clusters that match the question, the best first, at most 20. The score
	// combines the cosine of the question to the centroid, on the scale of the built-in embedder,
	// and the relevance of the best hit in the cluster, as if they were independent: 1−(1−c)(1−r).
	// A centroid counts from the cosine at which a memory is above the floor. It takes as long as
	// comparing the question with every cluster. Without a match, and for a read of the past, there
	// are none; for a caller whose sight limits consent or sensitivity only the hits count.
	Clusters func() []ClusterHit
}

// HitLabel is the present status of a hit.
type HitLabel string

// The hit labels.
const (
	Current    HitLabel = "CURRENT"
	Historical HitLabel = "HISTORICAL"
	Contested  HitLabel = "CONTESTED"
	Faded      HitLabel = "FADED" // found only because nothing else answers: archived, or with hardly any retention
)

// Hit is one memory in a search result.
type Hit struct {
	Memory     *workspace.View
	Score      float64
	Label      HitLabel
	Parts      rank.Parts               // each input in [0,1], before its weight
	Explain    func() *rank.Explanation // explains the score; takes as long as reading the memory
	Relevance  float64                  // see rank.Relevance; 0: without a query
	AboveFloor bool                     // by its words and meaning, see rank.Evidence; false: without a query
	Provenance []Provenance
	Path       []graph.ID // entities through which the graph channel reached it
	Tier       HitTier
	Cluster    graph.ID   // cluster that the memory is in; empty: none, or a read of the past
	Rivals     []graph.ID // ACTIVE memories that contradict it, the strongest conflict first
	Corrected  string     // the text as a person corrected its claims; empty: as written
}

// MemoryStore names the store that a version was read from.
type MemoryStore string

// The memory stores.
const (
	StoreBuffer MemoryStore = "BUFFER"
	StoreIndex  MemoryStore = "INDEX"
	StoreSchema MemoryStore = "SCHEMA"
	StoreRecess MemoryStore = "RECESS"
)

// Provenance identifies the store, the id and the version of a hit.
type Provenance struct {
	Store   MemoryStore
	ID      graph.ID
	Version int
}

// Version is one entry of a lineage.
type Version struct {
	Memory       *workspace.View
	Version      int
	Checksum     string
	Reason       string
	RecordedAt   time.Time
	SupersededAt time.Time
}

// ContextInput is a request for a prompt context.
type ContextInput struct {
	Session, User, Project, Query string
	Namespaces                    []string
	Format                        string   // MARKDOWN, XML or JSON; empty: MARKDOWN
	TokenBudget                   int      // 0: 4,400
	MinScoreRatio                 *float64 // as in SearchInput, for the memories that match the query; nil: 0.6
	Access                        workspace.Access
	Preview                       bool // count no use, and do not record the prompt in the session
	Rivals                        bool // show both of two memories that disagree; false: the one that prevails
	Explain                       bool // Result.Items also has what the search left out
}

// Instant is one bucket of the timeline.
type Instant struct {
	From                    time.Time
	Born, Superseded, Ended int
}
