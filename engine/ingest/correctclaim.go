package ingest

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// CorrectClaimInput corrects what was read in a memory. Nil fields do not change.
type CorrectClaimInput struct {
	ID                         string // of the claim, see graph.ClaimID
	Subject, Predicate, Object *string
	Wrong                      bool // the memory does not say this at all
}

// CorrectClaim changes what is recorded of a claim from now on: its subject, predicate or
// object, or that it is wrong and counts no more. Reads as of an earlier time see the claim as
// it was. The text of the memory stays the same; Supersede corrects that. A corrected claim
// counts as an assertion, whatever the modality that was read. FORBIDDEN if the grant of the
// caller is below the authority of the memory.
func (svc *Service) CorrectClaim(ctx context.Context, c workspace.Caller, in CorrectClaimInput) (*workspace.ClaimView, error) {
	if _, _, ok := graph.ParseClaimID(in.ID); !ok {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be the id of a claim")
	}
	if err := in.validate(); err != nil {
		return nil, err
	}
	return svc.changeClaim(ctx, c, in.ID, func(s graph.ClaimState) (graph.ClaimState, error) { return in.applied(s), nil })
}

// applied returns the state with the changes of the input.
func (in *CorrectClaimInput) applied(s graph.ClaimState) graph.ClaimState {
	s.Corrected, s.Confirmed = true, false
	if in.Wrong {
		s.Withdrawn = true
		return s
	}
	for _, f := range in.fields() {
		if f.value != nil {
			*f.of(&s) = strings.TrimSpace(*f.value)
		}
	}
	s.Withdrawn = false
	return s
}

// claimField is a field of a claim that a person may correct.
type claimField struct {
	name  string
	value *string
	limit int
	of    func(*graph.ClaimState) *string
}

func (in *CorrectClaimInput) fields() []claimField {
	return []claimField{
		{"subject", in.Subject, graph.MaxName, func(s *graph.ClaimState) *string { return &s.Subject }},
		{"predicate", in.Predicate, graph.MaxName, func(s *graph.ClaimState) *string { return &s.Predicate }},
		{"object", in.Object, 4 * graph.MaxName, func(s *graph.ClaimState) *string { return &s.Object }},
	}
}

func (in *CorrectClaimInput) validate() error {
	given := false
	for _, f := range in.fields() {
		switch {
		case f.value == nil:
			continue
		case in.Wrong:
			return graph.FieldError(graph.CodeInvalidRequest, f.name, "must be omitted for a claim that is wrong")
		case strings.TrimSpace(*f.value) == "":
			return graph.FieldError(graph.CodeInvalidRequest, f.name, "must not be empty")
		case len(*f.value) > f.limit:
			return graph.FieldError(graph.CodeLimitExceeded, f.name, "has %d bytes, more than %d", len(*f.value), f.limit)
		case !utf8.ValidString(*f.value):
			return graph.FieldError(graph.CodeInvalidRequest, f.name, "is not valid UTF-8")
		}
		given = true
	}
	if !given && !in.Wrong {
		return graph.FieldError(graph.CodeInvalidRequest, "wrong", "must be true, or subject, predicate or object given")
	}
	return nil
}
