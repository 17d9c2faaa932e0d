package engine

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// PolicyInput changes what a namespace decides for itself. What is nil stays as it is; a
// preset begins anew.
type PolicyInput struct {
	Namespace string // empty: default
	policy.Update
}

// PolicyView is the policy in force in a namespace.
type PolicyView struct {
	Namespace string
	policy.Policy
	Stored bool // false: the namespace decided nothing, these are the defaults
}

// NamespacePolicy answers what a namespace decides for itself, the defaults where it
// decided nothing. FORBIDDEN where the caller sees only a part of the namespace.
func (e *Engine) NamespacePolicy(ctx context.Context, c Caller, namespace string) (*PolicyView, error) {
	namespace = cmp.Or(namespace, DefaultNamespace)
	if err := c.wholeNamespace(namespace); err != nil {
		return nil, err
	}
	if _, err := e.tenant(ctx, c.scope()); err != nil {
		return nil, err
	}
	var v *PolicyView
	err := e.store.View(ctx, c.scope(), func(r graph.Reader) (err error) { v, err = policyView(r, namespace); return err })
	if err != nil {
		return nil, e.whole(err)
	}
	return v, nil
}

// SetNamespacePolicy changes what a namespace decides for itself, for scores, writes and
// decisions from now on: what is written already keeps what was bound to it.
// INVALID_REQUEST names the field that is out of its range, and nothing is changed;
// FORBIDDEN without the right to administer.
func (e *Engine) SetNamespacePolicy(ctx context.Context, c Caller, in PolicyInput) (*PolicyView, error) {
	in.Namespace = cmp.Or(in.Namespace, DefaultNamespace)
	if err := c.wholeNamespace(in.Namespace); err != nil {
		return nil, err
	}
	if !c.Admin {
		return nil, graph.Errorf(graph.CodeForbidden, "only who may administer can change a policy")
	}
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, err
	}
	var v *PolicyView
	err = t.UpdateOnly(ctx, func(tx graph.Tx) error {
		if v, err = policyView(tx, in.Namespace); err != nil {
			return err
		}
		if v.Policy, err = policy.Merge(v.Policy, in.Update); err != nil {
			return err
		}
		v.Stored = true
		text, err := policy.Encode(v.Policy)
		if err != nil {
			return err
		}
		return tx.PutSetting(policySetting(in.Namespace), text)
	})
	if err != nil {
		return nil, e.whole(err)
	}
	return v, nil
}

// wholeNamespace answers why the caller does not see all of a namespace, or nil.
func (c Caller) wholeNamespace(namespace string) error {
	if !graph.ValidNamespace(namespace) {
		return graph.FieldError(graph.CodeInvalidRequest, "namespace", "must be 1 to 64 letters, digits or underscores")
	}
	if !c.sees(namespace, "") || c.User != "" {
		return graph.FieldError(graph.CodeForbidden, "namespace", "the credentials grant only a part of this namespace")
	}
	return nil
}

// policySetting names the setting that holds the policy of a namespace.
func policySetting(namespace string) string { return "policy." + namespace }

// policyView reads the policy of a namespace, the default where it has none.
func policyView(r graph.Reader, namespace string) (*PolicyView, error) {
	v := &PolicyView{Namespace: namespace, Policy: policy.Default()}
	text, err := r.Setting(policySetting(namespace))
	if errors.Is(err, graph.ErrNotFound) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v.Stored = true
	v.Policy, err = policy.Decode(text)
	return v, err
}

// policyIn is the policy in force in a namespace.
func policyIn(r graph.Reader, namespace string) (policy.Policy, error) {
	v, err := policyView(r, namespace)
	if err != nil {
		return policy.Policy{}, err
	}
	return v.Policy, nil
}

// policies are the policies read in one transaction or through one night, by namespace.
type policies map[string]policy.Policy

// in is the policy of a namespace, read once.
func (p policies) in(r graph.Reader, namespace string) (policy.Policy, error) {
	if found, known := p[namespace]; known {
		return found, nil
	}
	found, err := policyIn(r, namespace)
	if err == nil {
		p[namespace] = found
	}
	return found, err
}

// admits answers CONSENT_REQUIRED where a namespace takes no write under the consent.
func admits(p policy.Policy, c graph.Consent) error {
	if p.AllowsConsent(c) {
		return nil
	}
	return graph.FieldError(graph.CodeConsentRequired, "consent", "%s is too weak for this namespace: it asks for %s", c, p.MinConsent)
}

// bindPolicy gives a memory what its namespace decides about its life: the decay constant
// of its class, unless it has one of its own, and an end by its sensitivity, counted from its recording, where none is
// earlier. It is bound to the memory, so that a later policy does not change the past
// (ADR 16).
func bindPolicy(m *graph.Memory, p policy.Policy) {
	if !m.OwnDecay {
		m.DecayK = p.DecayK[m.DecayClass]
	}
	if ttl, ends := p.TTL[m.Sensitivity]; ends {
		m.ExpiresAt = earlier(m.ExpiresAt, m.CreatedAt.Add(ttl))
	}
}

// earlier is the earlier of two ends; zero means none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
