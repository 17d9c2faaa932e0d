package sleep

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// SleepKind says what kind of consolidation a report is about.
type Kind string

// The kinds.
const (
	DeepSleep   Kind = "DEEP"   // N1 to REM over everything
	LightSleep  Kind = "LIGHT"  // N1 to N3 over what is recent
	ByHandSleep Kind = "MANUAL" // a consolidation by hand, see Consolidate
)

// SleepTrigger says why a sleep began.
type Trigger string

// The triggers.
const (
	TriggerHand     Trigger = "HAND"
	TriggerSchedule Trigger = "SCHEDULE"
	TriggerEvent    Trigger = "EVENT"
	TriggerPressure Trigger = "PRESSURE"
)

// SleepPhase is a phase of a sleep.
type Phase string

// The phases, in order.
const (
	PhaseN1     Phase = "N1"     // rank
	PhaseN2     Phase = "N2"     // strengthen and let go
	PhaseN3     Phase = "N3"     // deduplicate
	PhaseREM    Phase = "REM"    // promote, engrave, dream, distil
	PhaseReport Phase = "REPORT" // count and write down
)

// SleepReport is a morning report: what a sleep did, in numbers.
type Report struct {
	ID                     graph.ID
	Kind                   Kind
	Trigger                Trigger
	StartedAt, CompletedAt time.Time // CompletedAt is zero while it runs
	Resumed                bool      // it went on where a crash had stopped it
	Complete               bool      // it did all there was to do, within its budget
	DryRun                 bool      // nothing was changed: this is what would have been

	Reinforced   int // confidence or salience strengthened
	Decayed      int // S(t) fell by more than 1 % of S₀ since the last sleep
	Pruned       int // memories archived
	Deduplicated int // memories merged into another
	Promoted     int // L1 to L2
	Engraved     int // into the recess
	Dreamed      int // replayed
	Recalled     int // of those, still found by what they say: the probe of a dream
	Consolidated int // folded into something derived
	Derived      int // memories made: summaries, patterns
	InL1         int // ACTIVE in L1 when it began
	Sparsified   int // relations dropped to keep the degree bounded

	TokensSaved   int              // of ACTIVE content, before minus after
	PromotionRate float64          // promoted ÷ memories in L1, a day; 0.05 to 0.10 is normal
	Phases        []PhaseRun       // in order, those that ran
	BudgetKept    bool             // it stayed within maxItems and maxSeconds
	Skipped       []graph.ID       // took longer than 200 ms; retried in the next sleep
	Review        []graph.ID       // low-confidence facts that a person should look at
	Doubts        []graph.ID       // ready to be engraved, but in doubt on a second look
	Degraded      []workspace.Part `json:",omitempty"` // was away, and done without
	Balance       Balance          // where every memory went
	RolledBackAt  time.Time        // zero: it stands
	HealthBefore  float64          // H of SPEC section 4
	HealthAfter   *float64         // nil while it runs

	// Planned is what a dry run would do, in order, the first 1,000; it is not kept.
	Planned []Step `json:"-"`
}

// PhaseRun is how one phase went.
type PhaseRun struct {
	Phase    Phase
	Items    int
	Duration time.Duration
}

// Balance accounts for every memory that was ACTIVE when a sleep began: In = Kept +
// Merged + Archived + Left, and Derived came to them.
type Balance struct {
	In       int // ACTIVE when it began
	Kept     int // ACTIVE when it ended
	Merged   int // CONSOLIDATED by it
	Archived int // ARCHIVED by it
	Left     int // left ACTIVE by another's hand meanwhile: superseded, expired, erased
	Derived  int // made by it and ACTIVE
}

// clone is a report that can be changed without changing r.
func (r Report) clone() Report {
	r.Phases, r.Skipped = slices.Clone(r.Phases), slices.Clone(r.Skipped)
	r.Review, r.Doubts = slices.Clone(r.Review), slices.Clone(r.Doubts)
	return r
}

// ran notes how a phase went; where a crash cut it in two, the two are one.
func (r *Report) addPhase(p Phase, items int, took time.Duration) {
	if i := len(r.Phases) - 1; i >= 0 && r.Phases[i].Phase == p {
		r.Phases[i].Items, r.Phases[i].Duration = items, r.Phases[i].Duration+took
		return
	}
	r.Phases = append(r.Phases, PhaseRun{p, items, took})
}

// listed is how many ids a report names of each sort.
const maxListed = 200

// skip notes memories that took too long.
func (r *Report) addSkipped(ids []graph.ID) { r.Skipped = appendListed(r.Skipped, ids...) }

// note adds ids to a list of a report as long as it has room.
func appendListed(list []graph.ID, ids ...graph.ID) []graph.ID {
	return append(list, ids[:max(0, min(len(ids), maxListed-len(list)))]...)
}

// miss notes the parts that were away.
func (r *Report) addDegraded(parts []workspace.Part) {
	for _, p := range parts {
		if !slices.Contains(r.Degraded, p) {
			r.Degraded = append(slices.Clip(r.Degraded), p)
		}
	}
}
