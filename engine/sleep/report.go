package sleep

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Kind is the kind of consolidation that a report describes.
type Kind string

// The kinds.
const (
	DeepSleep   Kind = "DEEP"   // N1 to REM, all memories
	LightSleep  Kind = "LIGHT"  // N1 to N3, recent memories
	ByHandSleep Kind = "MANUAL" // manual consolidation, see Consolidate
)

// Trigger is the reason for which a sleep began.
type Trigger string

// The triggers.
const (
	TriggerHand     Trigger = "HAND"
	TriggerSchedule Trigger = "SCHEDULE"
	TriggerEvent    Trigger = "EVENT"
	TriggerPressure Trigger = "PRESSURE"
)

// Phase is a phase of a sleep.
type Phase string

// The phases, in order.
const (
	PhaseN1     Phase = "N1"     // rank
	PhaseN2     Phase = "N2"     // strengthen and archive
	PhaseN3     Phase = "N3"     // deduplicate
	PhaseREM    Phase = "REM"    // promote, engrave, dream, distil
	PhaseReport Phase = "REPORT" // compute totals and write the report
)

// Phases lists every Phase, in order.
var Phases = []Phase{PhaseN1, PhaseN2, PhaseN3, PhaseREM, PhaseReport}

// Report is a morning report: the results of a sleep, as numbers.
type Report struct {
	ID                     graph.ID
	Kind                   Kind
	Trigger                Trigger
	StartedAt, CompletedAt time.Time // CompletedAt is zero while it runs
	Resumed                bool      // it continued after an interruption
	Complete               bool      // it did all its work, within its budget
	DryRun                 bool      // nothing was changed: the report is a prediction

	Reinforced   int // confidence or salience strengthened
	Decayed      int // S(t) fell by more than 1 % of S₀ since the last sleep
	Pruned       int // memories archived
	Deduplicated int // memories merged into another
	Promoted     int // L1 to L2
	Engraved     int // into the recess
	Dreamed      int // replayed
	Recalled     int // replayed memories that a search for their content found: the probe
	Consolidated int // merged into a derived memory
	Derived      int // memories created: summaries, patterns
	InL1         int // ACTIVE in L1 at the start
	Sparsified   int // relations dropped to limit the degree
	Clustered    int // owners (a namespace and a user) whose clusters were found again

	TokensSaved   int              // of what was merged, superseded or archived, minus those of the summaries in its place; never negative
	PromotionRate float64          // promoted ÷ memories in L1, per day; 0.05 to 0.10 is normal
	Phases        []PhaseRun       // in order, those that ran
	BudgetKept    bool             // it stayed within maxItems and maxSeconds
	MaxTime       time.Duration    `json:",omitempty"` // its budget; 0: it had none
	CutOff        Phase            `json:",omitempty"` // the phase in which the budget ended it; empty: it did not
	ClustersLeft  int              `json:",omitempty"` // owners whose clustering the time of the sleep cut off or did not reach
	OwnersLeft    []graph.ID       `json:",omitempty"` // the first of them, see grouping.Service.Left
	Skipped       []graph.ID       // preparation took longer than 200 ms and had no effect; retried in the next sleep
	Review        []graph.ID       // low-confidence facts for review by a person
	Doubts        []graph.ID       // gates to L3 open, but a contradiction was found
	SafetyEnded   []graph.ID       `json:",omitempty"` // safety-critical memories whose time to live ended since the previous sleep
	Degraded      []workspace.Part `json:",omitempty"` // parts that were unavailable
	Balance       Balance          // accounts for every memory
	RolledBackAt  time.Time        // zero: not rolled back, or only in some namespaces
	HealthBefore  float64          // importance.Health of the memories
	HealthAfter   *float64         // nil while it runs

	// RolledBackIn lists the namespaces in which the sleep was rolled back, if not in all.
	RolledBackIn []NamespaceRollback `json:",omitempty"`

	// Planned lists the first 1,000 steps of a dry run, in order. It is not stored.
	Planned []Step `json:"-"`
}

// NamespaceRollback is a rollback that was limited to a namespace.
type NamespaceRollback struct {
	Namespace string
	At        time.Time
}

// PhaseRun is the result of one phase.
type PhaseRun struct {
	Phase    Phase
	Items    int
	Duration time.Duration
}

// Balance accounts for every memory that was ACTIVE at the start of a sleep: In = Kept +
// Merged + Archived + Left. Derived memories are additional.
type Balance struct {
	In       int // ACTIVE at the start
	Kept     int // ACTIVE at the end
	Merged   int // CONSOLIDATED by the sleep
	Archived int // ARCHIVED by the sleep
	Left     int // superseded, expired or erased by others in the meantime
	Derived  int // created by the sleep and ACTIVE
}

// clone returns a copy that can be changed without changing r.
func (r Report) clone() Report {
	r.Phases, r.Skipped = slices.Clone(r.Phases), slices.Clone(r.Skipped)
	r.Review, r.Doubts = slices.Clone(r.Review), slices.Clone(r.Doubts)
	r.SafetyEnded, r.OwnersLeft = slices.Clone(r.SafetyEnded), slices.Clone(r.OwnersLeft)
	r.RolledBackIn = slices.Clone(r.RolledBackIn)
	return r
}

// addPhase records the result of a phase. Parts of an interrupted phase are added up.
func (r *Report) addPhase(p Phase, items int, took time.Duration) {
	if i := len(r.Phases) - 1; i >= 0 && r.Phases[i].Phase == p {
		r.Phases[i].Items, r.Phases[i].Duration = items, r.Phases[i].Duration+took
		return
	}
	r.Phases = append(r.Phases, PhaseRun{p, items, took})
}

// maxListed is the maximum length of an id list in a report.
const maxListed = 200

// addSkipped records memories whose step took too long.
func (r *Report) addSkipped(ids []graph.ID) { r.Skipped = appendListed(r.Skipped, ids...) }

// appendListed appends ids up to maxListed.
func appendListed(list []graph.ID, ids ...graph.ID) []graph.ID {
	return append(list, ids[:max(0, min(len(ids), maxListed-len(list)))]...)
}

// addDegraded records parts that were unavailable.
func (r *Report) addDegraded(parts []workspace.Part) {
	for _, p := range parts {
		if !slices.Contains(r.Degraded, p) {
			r.Degraded = append(slices.Clip(r.Degraded), p)
		}
	}
}
