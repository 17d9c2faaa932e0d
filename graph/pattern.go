package graph

import (
	"slices"
	"time"
	"unicode/utf8"
)

// PatternKind is the kind of a pattern.
type PatternKind string

// The kinds of pattern.
const (
	Workflow         PatternKind = "WORKFLOW"          // steps that are done in one order
	StatedPreference PatternKind = "PREFERENCE"        // what somebody prefers, likes or avoids
	Constraint       PatternKind = "CONSTRAINT"        // what must be, must not be, or is limited
	FailureSignature PatternKind = "FAILURE_SIGNATURE" // a condition under which something fails
)

// PatternKinds lists every PatternKind in the order of the API.
var PatternKinds = []PatternKind{Workflow, StatedPreference, Constraint, FailureSignature}

// Valid reports whether k is one of PatternKinds.
func (k PatternKind) Valid() bool { return slices.Contains(PatternKinds, k) }

// Limits of a pattern.
const (
	MaxPatternParts    = 64   // conditions or actions
	MaxPatternPart     = 2048 // bytes of a condition or an action
	MaxPatternClusters = 64   // clusters that a pattern was drawn from
)

// Pattern is what a memory that holds a pattern says apart from its content. The memory has the
// text, DERIVED_FROM edges to the sources, and the versions. A new version may differ in anything
// but the kind; of a written version only HeldOut, ValidatedAt, Successes and Failures change.
type Pattern struct {
	Kind        PatternKind
	Conditions  []string  // when it applies, at most MaxPatternParts
	Actions     []string  // what is done, avoided or seen, in order for a workflow; 1 to MaxPatternParts
	Confidence  float64   // [0,1], when the version was derived
	Occurrences int       // sources in which it occurs, at least 1
	HeldOut     float64   // share of the sources kept aside that agree, [0,1]
	Clusters    []ID      // that it was drawn from, at most MaxPatternClusters
	Successes   int       // feedback that it was used or helped; carried over to the next version
	Failures    int       // feedback that it was ignored or did harm; likewise
	ValidatedAt time.Time // when HeldOut was computed

	SafetyCritical bool // a source is safety-critical: a person decides its conflicts
}

// SuccessRate returns the share of positive feedback, [0,1], and whether there is any.
func (p *Pattern) SuccessRate() (rate float64, known bool) {
	all := p.Successes + p.Failures
	if all == 0 {
		return 0, false
	}
	return float64(p.Successes) / float64(all), true
}

// Clone returns a copy that shares nothing with p; nil for nil.
func (p *Pattern) Clone() *Pattern {
	if p == nil {
		return nil
	}
	c := *p
	c.Conditions, c.Actions, c.Clusters = slices.Clone(p.Conditions), slices.Clone(p.Actions), slices.Clone(p.Clusters)
	return &c
}

// Validate returns an *Error that names the first invalid field, or nil. A nil pattern is valid.
func (p *Pattern) Validate() error {
	switch {
	case p == nil:
		return nil
	case !p.Kind.Valid():
		return FieldError(CodeInvalidRequest, "pattern.kind", "is not a kind of pattern")
	case len(p.Actions) == 0:
		return FieldError(CodeInvalidRequest, "pattern.actions", "must have at least one item")
	case p.Occurrences < 1:
		return FieldError(CodeInvalidRequest, "pattern.occurrences", "must be at least 1")
	case p.Successes < 0 || p.Failures < 0:
		return FieldError(CodeInvalidRequest, "pattern.successes", "successes and failures must be at least 0")
	case len(p.Clusters) > MaxPatternClusters:
		return FieldError(CodeLimitExceeded, "pattern.clusters", "has %d items, more than %d", len(p.Clusters), MaxPatternClusters)
	case p.ValidatedAt.IsZero():
		return FieldError(CodeInvalidRequest, "pattern.validatedAt", "is required")
	}
	if err := Unit("pattern.confidence", p.Confidence); err != nil {
		return err
	}
	if err := Unit("pattern.heldOut", p.HeldOut); err != nil {
		return err
	}
	for _, f := range []struct {
		name  string
		parts []string
	}{{"pattern.conditions", p.Conditions}, {"pattern.actions", p.Actions}} {
		if len(f.parts) > MaxPatternParts {
			return FieldError(CodeLimitExceeded, f.name, "has %d items, more than %d", len(f.parts), MaxPatternParts)
		}
		for _, s := range f.parts {
			if s == "" || len(s) > MaxPatternPart || !utf8.ValidString(s) {
				return FieldError(CodeInvalidRequest, f.name, "each must have 1 to %d bytes of UTF-8", MaxPatternPart)
			}
		}
	}
	for _, id := range p.Clusters {
		if !id.Valid() {
			return FieldError(CodeInvalidRequest, "pattern.clusters", "each must be a UUID")
		}
	}
	return nil
}
