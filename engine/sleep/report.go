package sleep

import (
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// SleepInput asks for a sleep.
type Input struct {
	MaxItems, MaxSeconds *int
	Deep, DryRun, Wait   bool
}

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

// SleepStep is something that a sleep did, for those who want to see it.
type Step struct {
	Phase Phase
	Verb  StepVerb
	From  []graph.ID // the memories it was done to
	To    graph.ID   // what they were folded into, if anything
}

// Why says in a sentence by which rule a step is taken.
func (s Step) Why() string {
	if s.Verb == StepArchive && s.Phase == PhaseREM {
		return "chosen by hand, and alone in its group"
	}
	return whyByVerb[s.Verb]
}

var whyByVerb = map[StepVerb]string{
	StepStrengthen: "used since the last sleep",
	StepArchive:    "not used for 30 days, and little salience or worth is left",
	StepMerge:      "says the same, with no number, date, name or negation that differs",
	StepPromote:    "its plasticity is above the threshold of its namespace",
	StepEngrave:    "used on enough days, certain enough and in no conflict, or the successor of an engram",
	StepDream:      "among the most salient that are not certain yet",
	StepDistil:     "about one matter, older than a week and not used since",
	StepKeep:       "working memory that was used, a day later",
	StepSummarise:  "the month of its project is over",
	StepPattern:    "the same was done again and again",
	StepSparsify:   "the weakest of an entity with too many",
}

// StepVerb is what a step did.
type StepVerb string

// The verbs of steps.
const (
	StepStrengthen StepVerb = "STRENGTHEN"
	StepArchive    StepVerb = "ARCHIVE"
	StepMerge      StepVerb = "MERGE"
	StepPromote    StepVerb = "PROMOTE"
	StepEngrave    StepVerb = "ENGRAVE"
	StepDream      StepVerb = "DREAM"
	StepDistil     StepVerb = "DISTIL"    // episodes into what is true
	StepKeep       StepVerb = "KEEP"      // working memory into an episode
	StepSummarise  StepVerb = "SUMMARISE" // a project's month
	StepPattern    StepVerb = "PATTERN"   // repeated workflows into how it is done
	StepSparsify   StepVerb = "SPARSIFY"
)

// SleepProgress is how far a sleep has come.
type Progress struct {
	Report      graph.ID
	Phase       Phase
	Done, Total int    // steps of the phase
	Steps       []Step // done since the last one
}

// SleepStatus is where the consolidation of a tenant stands.
type Status struct {
	Running       *Report // nil: awake
	Phase         Phase   // of the running one
	Done, Total   int
	Interrupted   bool      // a sleep was cut short by a crash and goes on with the next
	Last          *Report   // nil: never slept
	NextScheduled time.Time // zero: no automatic sleeps
	ActiveL1      int       // memories that put pressure on a sleep
	PressureAt    int       // ActiveL1 above which pressure starts one
}

// Strategy is how a consolidation by hand chooses.
type Strategy string

// The strategies.
const (
	StrategyAge         Strategy = "AGE"          // what is older than OlderThanDays
	StrategyImportance  Strategy = "IMPORTANCE"   // what is less important than BelowImportance
	StrategyTokenBudget Strategy = "TOKEN_BUDGET" // the least worth keeping, until what is ACTIVE fits TokenBudget
)

// ConsolidateInput asks for a consolidation by hand. What is alone in its group is
// archived as it is.
type ConsolidateInput struct {
	Strategy        Strategy
	Namespace       string // empty: default
	User, Project   string
	OlderThanDays   *int     // AGE; default 30
	BelowImportance *float64 // IMPORTANCE; default 0.3
	TokenBudget     *int     // TOKEN_BUDGET; required there
	DryRun          bool
}
