package ingest

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// What an assistant, a tool or an extraction says revises nothing that a user said. If the write cites the
// turn in which the user said it, it is a statement of the user.

// withCited reads the turns that inputs cite. A turn that the caller does not see stays nil.
func (svc *Service) withCited(ctx context.Context, c workspace.Caller, in []RememberInput) ([]RememberInput, error) {
	if !slices.ContainsFunc(in, func(x RememberInput) bool { return x.Cites != "" }) {
		return in, nil
	}
	in = slices.Clone(in)
	for i := range in {
		if !in[i].Cites.Valid() {
			continue // prepare refuses it
		}
		views, err := svc.MemoriesByID(ctx, c, []graph.ID{in[i].Cites}, workspace.Access{IncludeImplicit: true})
		if err != nil {
			return nil, err
		}
		if v := views[0]; v != nil && v.Unavailable == nil {
			in[i].cited = v.Memory
		}
	}
	return in, nil
}

// cite makes an input a statement of the user whose turn it cites, with at most the trust of that turn.
// The input was checked.
func (in *RememberInput) cite() *graph.Error {
	refuse := func(format string, args ...any) *graph.Error {
		return graph.FieldError(graph.CodeInvalidRequest, "cites", format, args...)
	}
	turn := in.cited
	switch {
	case in.Cites == "":
		return nil
	case !in.Cites.Valid():
		return refuse("must be a UUID")
	case in.SourceKind != graph.FromAssistant && in.SourceKind != graph.FromTool && in.SourceKind != graph.FromExtraction:
		return refuse("is for sourceKind ASSISTANT, TOOL and EXTRACTION, not %s", in.SourceKind)
	case turn == nil || turn.Status() == graph.Forgotten:
		return graph.FieldError(graph.CodeMemoryNotFound, "cites", "no memory has this id")
	case turn.SourceKind != graph.FromUser || in.Session == "" || turn.Session != in.Session || turn.Namespace != in.Namespace || turn.User != in.Owner():
		return refuse("must be a turn of the same user in the same session and namespace")
	}
	said := reader.Prepare(reader.Statement{Text: turn.Content, Speaker: lifecycle.Speaker(turn), User: lifecycle.UserIn(turn), At: turn.OccurredAt})
	if !said.Supports(reader.Prepare(reader.Statement{Text: in.Content, Speaker: graph.UserOf(turn.User), User: lifecycle.UserIn(turn), At: turn.OccurredAt})) {
		return refuse("the turn does not say this")
	}
	trust := graph.Trust{Authority: valueOr(in.Authority, lifecycle.AuthorityOf(graph.FromUser)), Consent: in.Consent, Sensitivity: in.Sensitivity}.Least(turn.Trust())
	in.SourceKind, in.Authority, in.Consent, in.Sensitivity = graph.FromUser, &trust.Authority, trust.Consent, trust.Sensitivity
	return nil
}
