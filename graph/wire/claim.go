package wire

import "github.com/somnograph/somnograph/graph"

// Claim is a graph.Claim.
type Claim struct {
	N          int          `cbor:"1,keyasint"`
	Qualifiers []Qualifier  `cbor:"2,keyasint,omitempty"`
	Modality   string       `cbor:"3,keyasint,omitempty"`
	Single     bool         `cbor:"4,keyasint,omitempty"`
	Speaker    string       `cbor:"5,keyasint,omitempty"`
	Certainty  float64      `cbor:"6,keyasint,omitempty"`
	Start      int          `cbor:"7,keyasint,omitempty"`
	End        int          `cbor:"8,keyasint,omitempty"`
	History    []ClaimState `cbor:"9,keyasint"`
}

// Qualifier is a graph.Qualifier.
type Qualifier struct {
	Kind string `cbor:"1,keyasint"`
	Text string `cbor:"2,keyasint"`
}

// ClaimState is a graph.ClaimState.
type ClaimState struct {
	From      Stamp  `cbor:"1,keyasint"`
	Subject   string `cbor:"2,keyasint,omitempty"`
	Predicate string `cbor:"3,keyasint"`
	Object    string `cbor:"4,keyasint,omitempty"`
	Negated   bool   `cbor:"5,keyasint,omitempty"`
	ValidFrom Stamp  `cbor:"6,keyasint,omitempty"`
	ValidTo   Stamp  `cbor:"7,keyasint,omitempty"`
	RevisedBy []byte `cbor:"8,keyasint,omitempty"`
	Withdrawn bool   `cbor:"9,keyasint,omitempty"`
	Corrected bool   `cbor:"10,keyasint,omitempty"`
	Confirmed bool   `cbor:"11,keyasint,omitempty"`
}

// ClaimsOf is the stored form of claims. It fails if an id in them is invalid.
func ClaimsOf(claims []graph.Claim) ([]Claim, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	out := make([]Claim, len(claims))
	for i, c := range claims {
		out[i] = Claim{N: c.N, Modality: c.Modality, Single: c.Single, Speaker: c.Speaker, Certainty: c.Certainty, Start: c.Start, End: c.End}
		for _, q := range c.Qualifiers {
			out[i].Qualifiers = append(out[i].Qualifiers, Qualifier(q))
		}
		for _, s := range c.History {
			by, err := IDBytes("revisedBy", s.RevisedBy)
			if err != nil {
				return nil, err
			}
			out[i].History = append(out[i].History, ClaimState{
				From: StampOf(s.From), Subject: s.Subject, Predicate: s.Predicate, Object: s.Object, Negated: s.Negated,
				ValidFrom: StampOf(s.ValidFrom), ValidTo: StampOf(s.ValidTo), RevisedBy: by, Withdrawn: s.Withdrawn, Corrected: s.Corrected, Confirmed: s.Confirmed,
			})
		}
	}
	return out, nil
}

// Claims converts stored claims.
func Claims(rows []Claim) []graph.Claim {
	if len(rows) == 0 {
		return nil
	}
	out := make([]graph.Claim, len(rows))
	for i, r := range rows {
		out[i] = graph.Claim{N: r.N, Modality: r.Modality, Single: r.Single, Speaker: r.Speaker, Certainty: r.Certainty, Start: r.Start, End: r.End}
		for _, q := range r.Qualifiers {
			out[i].Qualifiers = append(out[i].Qualifiers, graph.Qualifier(q))
		}
		for _, s := range r.History {
			out[i].History = append(out[i].History, graph.ClaimState{
				From: s.From.Time(), Subject: s.Subject, Predicate: s.Predicate, Object: s.Object, Negated: s.Negated,
				ValidFrom: s.ValidFrom.Time(), ValidTo: s.ValidTo.Time(), RevisedBy: ID(s.RevisedBy), Withdrawn: s.Withdrawn, Corrected: s.Corrected, Confirmed: s.Confirmed,
			})
		}
	}
	return out
}
