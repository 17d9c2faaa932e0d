package ingest

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/reader"
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
	id, n, ok := graph.ParseClaimID(in.ID)
	if !ok {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be the id of a claim")
	}
	if err := in.validate(); err != nil {
		return nil, err
	}
	v, err := svc.Change(ctx, c, id, func(tx graph.Tx, m *graph.Memory, now time.Time) (graph.EventKind, error) {
		claim := m.Claim(n)
		if claim == nil {
			return "", graph.FieldError(graph.CodeMemoryNotFound, "id", "the memory has no claim with this number")
		}
		if c.Grant < m.Authority {
			return "", graph.FieldError(graph.CodeForbidden, "id", "its memory was bound with authority %.2f, above the grant of %.2f", m.Authority, c.Grant)
		}
		was := claim.State()
		is := in.applied(was)
		if is == was {
			return "", nil
		}
		if len(claim.History) == graph.MaxClaimStates {
			return "", graph.FieldError(graph.CodeLimitExceeded, "id", "the claim was changed %d times already", graph.MaxClaimStates-1)
		}
		if is.Predicate != was.Predicate {
			claim.Single = reader.Valued(is.Predicate) == reader.One
		}
		claim.SetState(now, func(s *graph.ClaimState) { *s = is })
		return graph.EventUpdated, nil
	})
	if err != nil {
		return nil, err
	}
	for _, x := range v.Claims(svc.Now()) {
		if x.Claim.N == n {
			return &x, nil
		}
	}
	return nil, graph.FieldError(graph.CodeMemoryNotFound, "id", "the memory has no claim with this number")
}

// applied returns the state with the changes of the input.
func (in *CorrectClaimInput) applied(s graph.ClaimState) graph.ClaimState {
	s.Corrected = true
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
