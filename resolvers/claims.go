package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

func (r memoryResolver) Claims(_ context.Context, obj *gql.Memory, first *int) ([]*gql.Claim, error) {
	n, err := boundedInt("first", first, 20, graph.MaxClaims)
	if err != nil {
		return nil, err
	}
	claims := obj.Self.View.Claims(r.verbs.Now())
	claims = claims[:min(n, len(claims))]
	out := make([]*gql.Claim, len(claims))
	for i := range claims {
		out[i] = encodeClaim(&claims[i], obj.Self)
	}
	return out, nil
}

// ContestedBy of a claim leaves out memories that contest another claim of the same memory.
func (r claimResolver) ContestedBy(ctx context.Context, obj *gql.Claim, first *int) ([]*gql.Memory, error) {
	n, err := boundedInt("first", first, 5, 20)
	if err != nil {
		return nil, err
	}
	members, err := obj.Self.ContestedBy(ctx)
	if err != nil || len(members) == 0 {
		return []*gql.Memory{}, err
	}
	byView := make(map[*engine.View]loader.Memory, len(members))
	for _, m := range members {
		byView[m.View] = m
	}
	views := obj.View.ContestedBy(convert(members, func(m loader.Memory) *engine.View { return m.View }), r.verbs.Now())
	return encodeMemories(convert(views[:min(n, len(views))], func(v *engine.View) loader.Memory { return byView[v] })), nil
}

func (r queryResolver) Facts(ctx context.Context, subject string, predicate, user *string, namespaces []string, at *gql.AsOf, includePast *bool, first, offset *int, requireConsent, includeImplicit *bool) ([]*gql.Claim, error) {
	c := caller(ctx)
	n, err := boundedInt("first", first, 100, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	facts, err := r.verbs.Facts(ctx, c, engine.FactsInput{
		Subject: subject, Predicate: valueOr(predicate, ""), User: valueOr(user, ""), Namespaces: namespaces,
		Access: accessOf(at, requireConsent, includeImplicit, true), IncludePast: valueOr(includePast, false), First: n, Offset: valueOr(offset, 0),
	})
	if err != nil {
		return nil, err
	}
	views := convert(facts, func(x engine.ClaimView) *engine.View { return x.MemoryView })
	out := make([]*gql.Claim, len(facts))
	for i, self := range r.load(c, views...) {
		out[i] = encodeClaim(&facts[i], self)
	}
	return out, nil
}

func (r mutationResolver) CorrectClaim(ctx context.Context, id string, subject, predicate, object *string, wrong *bool) (*gql.Claim, error) {
	c := caller(ctx)
	x, err := r.verbs.CorrectClaim(ctx, c, engine.CorrectClaimInput{ID: id, Subject: subject, Predicate: predicate, Object: object, Wrong: valueOr(wrong, false)})
	if err != nil {
		return nil, err
	}
	return encodeClaim(x, r.load(c, x.MemoryView)[0]), nil
}

func (r mutationResolver) ConfirmClaim(ctx context.Context, id string) (*gql.Claim, error) {
	c := caller(ctx)
	x, err := r.verbs.ConfirmClaim(ctx, c, id)
	if err != nil {
		return nil, err
	}
	return encodeClaim(x, r.load(c, x.MemoryView)[0]), nil
}

func (r queryResolver) Known(ctx context.Context, user string, namespaces []string, at *gql.AsOf, includePast *bool, first, offset *int, requireConsent, includeImplicit *bool) (*gql.KnownPage, error) {
	c := caller(ctx)
	n, err := boundedInt("first", first, 100, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	page, err := r.verbs.Known(ctx, c, engine.KnownInput{
		User: user, Namespaces: namespaces, Access: accessOf(at, requireConsent, includeImplicit, true),
		IncludePast: valueOr(includePast, false), First: n, Offset: valueOr(offset, 0),
	})
	if err != nil {
		return nil, err
	}
	out := &gql.KnownPage{Total: page.Total, Lines: make([]*gql.KnownLine, len(page.Lines))}
	for i, self := range r.load(c, convert(page.Lines, func(l engine.KnownLine) *engine.View { return l.Memory })...) {
		out.Lines[i] = &gql.KnownLine{Memory: encodeMemory(self)}
		if claim := page.Lines[i].Claim; claim != nil {
			out.Lines[i].Claim = encodeClaim(claim, self)
		}
	}
	return out, nil
}

func encodeClaim(x *engine.ClaimView, self loader.Memory) *gql.Claim {
	out := &gql.Claim{
		Self: self, View: x,
		ID: x.ID, Subject: x.State.Subject, Predicate: x.State.Predicate, Attribute: x.Attribute(), Object: x.State.Object, Negated: x.State.Negated,
		Confidence: x.Certainty(), ValidFrom: x.ValidFrom, ValidTo: nullableTime(x.ValidTo), Current: x.Current,
		Modality: x.Claim.Modality, Speaker: x.Speaker(), Corrected: x.State.Corrected, Confirmed: x.State.Confirmed, Withdrawn: x.State.Withdrawn,
		RevisedBy: nullable[string](x.State.RevisedBy), Memory: encodeMemory(self), Qualifiers: []string{},
	}
	for _, q := range x.Claim.Qualifiers {
		out.Qualifiers = append(out.Qualifiers, q.Text)
	}
	return out
}
