package resolvers

import (
	"context"
	"math"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

func (r queryResolver) NamespacePolicy(ctx context.Context, in *string) (*gql.NamespacePolicy, error) {
	space, err := namespace(in)
	if err != nil {
		return nil, err
	}
	return encodePolicy(r.verbs.NamespacePolicy(ctx, caller(ctx), space))
}

func (r mutationResolver) SetNamespacePolicy(ctx context.Context, input gql.NamespacePolicyInput) (*gql.NamespacePolicy, error) {
	in, err := policyInput(input)
	if err != nil {
		return nil, err
	}
	return encodePolicy(r.verbs.SetNamespacePolicy(ctx, caller(ctx), in))
}

func policyInput(in gql.NamespacePolicyInput) (engine.PolicyInput, error) {
	space, err := namespace(in.Namespace)
	out := engine.PolicyInput{Namespace: space, Update: policy.Update{
		Preset: enumPointer[policy.Preset](in.Preset), MinConsent: enumPointer[graph.Consent](in.MinConsent),
		DefaultConsent: enumPointer[policy.DefaultConsent](in.DefaultConsent),
		Alpha:          in.Alpha, Beta: in.Beta, Gamma: in.Gamma, Lambda: in.Lambda, Delta: in.Delta, Quorum: in.Quorum, PromoteAt: in.PromoteAt,
		EngraveDays: in.EngraveDays, EngraveConfidence: in.EngraveConfidence, EngraveConflict: in.EngraveConflict,
		Revision: enumPointer[policy.Revision](in.Revision), SingleValued: in.SingleValued,
	}}
	if k := in.DecayK; k != nil {
		out.DecayK = presentValues(map[graph.DecayClass]*float64{graph.DecaySlow: k.Slow, graph.DecayMedium: k.Medium, graph.DecayFast: k.Fast}, identity)
	}
	if s := in.TTLSeconds; s != nil {
		out.TTL = presentValues(map[graph.Sensitivity]*int{
			graph.Public: s.Public, graph.Internal: s.Internal, graph.Confidential: s.Confidential, graph.Restricted: s.Restricted,
		}, func(n int) time.Duration { return time.Duration(n) * time.Second })
	}
	return out, err
}

// enumPointer converts a nullable enum value to an engine type; null stays nil.
func enumPointer[To, From ~string](p *From) *To {
	if p == nil {
		return nil
	}
	to := To(*p)
	return &to
}

// presentValues returns the non-nil entries, converted to the engine's units. It is never nil.
func presentValues[K comparable, From, To any](all map[K]*From, unit func(From) To) map[K]To {
	out := map[K]To{}
	for k, v := range all {
		if v != nil {
			out[k] = unit(*v)
		}
	}
	return out
}

func identity[T any](v T) T { return v }

func encodePolicy(v *engine.PolicyView, err error) (*gql.NamespacePolicy, error) {
	if err != nil {
		return nil, err
	}
	k := v.Coefficients
	return &gql.NamespacePolicy{
		Namespace: v.Namespace, Preset: gql.PolicyPreset(v.Preset), Stored: v.Stored,
		Alpha: k.Alpha, Beta: k.Beta, Gamma: k.Gamma, Lambda: k.Lambda, Delta: k.Delta, Quorum: v.Quorum, PromoteAt: v.PromoteAt,
		EngraveDays: v.EngraveDays, EngraveConfidence: v.EngraveConfidence, EngraveConflict: v.EngraveConflict,
		DecayK:     &gql.DecayConstants{Slow: decayConstant(v, graph.DecaySlow), Medium: decayConstant(v, graph.DecayMedium), Fast: decayConstant(v, graph.DecayFast)},
		MinConsent: gql.Consent(v.MinConsent), DefaultConsent: gql.DefaultConsent(v.DefaultConsent), Revision: gql.RevisionMode(v.Revision),
		SingleValued: append([]string{}, v.SingleValued...),
		TTLSeconds: &gql.SensitivityTimes{
			Public: ttlSeconds(v, graph.Public), Internal: ttlSeconds(v, graph.Internal),
			Confidential: ttlSeconds(v, graph.Confidential), Restricted: ttlSeconds(v, graph.Restricted),
		},
	}, nil
}

func decayConstant(v *engine.PolicyView, c graph.DecayClass) *float64 {
	if k, set := v.DecayK[c]; set {
		return &k
	}
	return nil
}

// ttlSeconds is a time to live in seconds. A value above the range of Int (68 years) is
// clamped.
func ttlSeconds(v *engine.PolicyView, s graph.Sensitivity) *int {
	ttl, set := v.TTL[s]
	if !set {
		return nil
	}
	n := int(min(ttl/time.Second, math.MaxInt32))
	return &n
}
