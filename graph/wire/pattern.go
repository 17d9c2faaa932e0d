package wire

import "github.com/somnograph/somnograph/graph"

// Pattern is a graph.Pattern.
type Pattern struct {
	Kind        string   `cbor:"1,keyasint"`
	Conditions  []string `cbor:"2,keyasint,omitempty"`
	Actions     []string `cbor:"3,keyasint,omitempty"`
	Confidence  float64  `cbor:"4,keyasint,omitempty"`
	Occurrences int      `cbor:"5,keyasint,omitempty"`
	HeldOut     float64  `cbor:"6,keyasint,omitempty"`
	Clusters    []byte   `cbor:"7,keyasint,omitempty"` // ids, 16 bytes each
	Successes   int      `cbor:"8,keyasint,omitempty"`
	Failures    int      `cbor:"9,keyasint,omitempty"`
	ValidatedAt Stamp    `cbor:"10,keyasint,omitempty"`
	Safety      bool     `cbor:"11,keyasint,omitempty"` // SafetyCritical
}

// PatternOf is the stored form of a pattern; nil for nil. It fails if an id in it is invalid.
func PatternOf(p *graph.Pattern) (*Pattern, error) {
	if p == nil {
		return nil, nil
	}
	clusters, err := IDList("pattern.clusters", p.Clusters)
	return &Pattern{
		Kind: string(p.Kind), Conditions: p.Conditions, Actions: p.Actions, Confidence: p.Confidence, Occurrences: p.Occurrences,
		HeldOut: p.HeldOut, Clusters: clusters, Successes: p.Successes, Failures: p.Failures, ValidatedAt: StampOf(p.ValidatedAt), Safety: p.SafetyCritical,
	}, err
}

// Pattern converts a stored pattern; nil for nil.
func (p *Pattern) Pattern() *graph.Pattern {
	if p == nil {
		return nil
	}
	return &graph.Pattern{
		Kind: graph.PatternKind(p.Kind), Conditions: p.Conditions, Actions: p.Actions, Confidence: p.Confidence, Occurrences: p.Occurrences,
		HeldOut: p.HeldOut, Clusters: IDs(p.Clusters), Successes: p.Successes, Failures: p.Failures, ValidatedAt: p.ValidatedAt.Time(), SafetyCritical: p.Safety,
	}
}
