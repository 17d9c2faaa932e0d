package pattern

import (
	"time"

	"github.com/somnograph/somnograph/graph"
)

const (
	// MatureMembers is the number of members from which a cluster is mature.
	MatureMembers = 20
	// MatureAbove is the density above which a cluster is mature, [0,1].
	MatureAbove = 0.7
	// SeveralClusters is the number of clusters in which something occurs that needs no mature cluster.
	SeveralClusters = 3
	// MinConfidence is the lowest confidence of a pattern.
	MinConfidence = 0.6
	// HeldOutAbove is the share of the sources kept aside that must be exceeded by those that agree.
	HeldOutAbove = 0.8

	minOccurrences = 4    // in a mature cluster, or occasions if there are few sources
	fewSources     = 70   // below which minOccurrences are enough occasions
	minSpread      = 3    // in several clusters
	folds          = 5    // each keeps a fifth of the sources aside
	minorShare     = 0.2  // of the sources on a matter, below which evidence against a pattern changes nothing
	majorShare     = 0.8  // above which it replaces the pattern
	leastHalf      = 0.45 // of the sources on a matter, from which on one of two sides that begin to disagree is a pattern too
	againstWeight  = 0.4  // of the share of contradicting sources, see confidenceOf
)

// Source is a memory in which patterns are looked for.
type Source struct {
	ID      graph.ID
	Text    string
	At      time.Time // when it was said or happened, as the caller says
	Session string    // in which it was said; empty: unknown
	Speaker string    // the name for which "I" stands; empty if unknown
	Cluster graph.ID  // that it is in; empty: none
	Mature  bool      // its cluster is mature
	// Recorded is when the server was told; zero: when it was said.
	Recorded time.Time
	// Principal wrote it; empty: unknown. Authority is that of the memory, [0,1].
	Principal string
	Authority float64
	// Holder holds in its place since it was superseded; empty: it holds itself. What was superseded counts for what its holder
	// says of the matter: with its own occasion if that is the same, else without one.
	Holder graph.ID
}

// Known is a pattern that was stored before.
type Known struct {
	ID          graph.ID
	Kind        graph.PatternKind
	Text        string
	Conditions  []string
	Actions     []string
	Occurrences int
	Confidence  float64
	Ended       bool // a person ended it: it is not found again
	Revised     bool // too many of its sources were superseded since: found again, it is a new version
}

// Found is a pattern.
type Found struct {
	Kind       graph.PatternKind
	Text       string     // one sentence of the sources, or one that consists of their steps
	Conditions []string   // when it applies
	Actions    []string   // what is done, avoided or seen; the steps of a workflow, in order
	Confidence float64    // [0,1]
	HeldOut    float64    // share of the sources kept aside that agree, [0,1]
	Sources    []graph.ID // that agree and hold, ascending
	Sentence   int        // the place of the sentence of the last of Sources that says it; 0 for a workflow
	Former     int        // further sources that said the same, and were superseded by what says the same
	Against    []graph.ID // that contradict it, ascending
	Clusters   []graph.ID // of the sources that agree, ascending

	Known     graph.ID   // the stored pattern that it repeats or replaces; empty: none
	Replaces  bool       // it says otherwise than Known: new evidence outweighs it
	Conflicts []graph.ID // stored patterns that it contradicts, ascending; Known is not among them
	Rivals    []int      // indices of other patterns found that it contradicts, ascending
}

// Occurrences is the number of sources in which the pattern occurs.
func (f *Found) Occurrences() int { return len(f.Sources) + f.Former }

// Refused is a candidate that did not become a pattern.
type Refused struct {
	Kind        graph.PatternKind
	Reason      string // without words of the sources
	Confidence  float64
	Occurrences int
	Sources     []graph.ID // that agree, ascending
	Lapsed      graph.ID   // the stored pattern that says so, and ends; empty: none
}

// Differs reports whether a pattern found again differs enough from the stored one for a new
// version: it says something else, too many of its sources were superseded, its occurrences grew by half or fell by a third, or its
// confidence moved by .1.
func (f *Found) Differs(k Known) bool {
	n, before := float64(f.Occurrences()), float64(k.Occurrences)
	return f.Replaces || k.Revised || n >= 1.5*before || n <= before/1.5 || f.Confidence-k.Confidence >= 0.1 || k.Confidence-f.Confidence >= 0.1
}

// closeFrom returns the mean likeness to its leading statement that n statements must have: few must
// be alike, because some of many statements resemble each other by chance.
func closeFrom(n int) float64 { return max(0.55, 0.85-0.05*float64(max(0, n-minOccurrences))) }

// confidenceOf returns the confidence of a pattern: the rule of succession of Laplace without its
// prior (n/(n+1)), lowered by the share of contradicting sources and by those kept aside that do
// not agree.
func confidenceOf(agree, against int, heldOut float64) float64 {
	n, c := float64(agree), float64(against)
	if agree == 0 {
		return 0
	}
	return n / (n + 1) * (1 - againstWeight*c/(n+c)) * heldOut
}
