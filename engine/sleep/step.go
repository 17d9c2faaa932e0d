package sleep

import (
	"github.com/somnograph/somnograph/graph"
)

// Step is a step of a sleep.
type Step struct {
	Phase Phase
	Verb  StepVerb
	From  []graph.ID // the memories that it changed, or from which it derived one
	To    graph.ID   // the memory that they were merged into, or that was derived from them; empty: none
}

// StepVerb is the action of a step.
type StepVerb string

// The verbs of steps.
const (
	StepStrengthen StepVerb = "STRENGTHEN"
	StepArchive    StepVerb = "ARCHIVE"
	StepMerge      StepVerb = "MERGE"
	StepPromote    StepVerb = "PROMOTE"
	StepEngrave    StepVerb = "ENGRAVE"
	StepDream      StepVerb = "DREAM"
	StepDistil     StepVerb = "DISTIL"    // episodes into a statement
	StepKeep       StepVerb = "KEEP"      // working memory into an episode
	StepSummarise  StepVerb = "SUMMARISE" // a project's month
	StepPattern    StepVerb = "PATTERN"   // what repeats into a pattern
	StepSparsify   StepVerb = "SPARSIFY"
	StepCluster    StepVerb = "CLUSTER" // the memories of an owner into groups that mean alike
)

// Why returns the rule for the step, as a sentence.
func (s Step) Why() string {
	if s.Verb == StepArchive && s.Phase == PhaseREM {
		return "chosen by hand, and the only memory of its group"
	}
	if s.Verb == StepPattern && s.ends() {
		return "most of what speaks of its matter says otherwise, or was superseded"
	}
	return whyByVerb[s.Verb]
}

// ends reports whether the memory was archived: it was weak, or a pattern that its sources no longer say.
func (s Step) ends() bool { return s.Verb == StepArchive || s.Verb == StepPattern && s.To == "" }

var whyByVerb = map[StepVerb]string{
	StepStrengthen: "used since the last sleep",
	StepArchive:    "not used for 30 days, and little salience or worth is left",
	StepMerge:      "says the same, with no number, date, name or negation that differs",
	StepPromote:    "its plasticity is above the threshold of its namespace",
	StepEngrave:    "used on enough days, with enough confidence and without conflict, or the successor of an engram",
	StepDream:      "among the most salient that are not certain yet",
	StepDistil:     "about the same subject, older than a week and not used since",
	StepKeep:       "working memory that was used, one day after it was written",
	StepSummarise:  "the month of its project is over",
	StepPattern:    "the same was repeated in a cluster, or a workflow on several occasions",
	StepSparsify:   "one of the weakest relations of an entity that has too many",
	StepCluster:    "memories of its owner were added, changed or removed",
}
