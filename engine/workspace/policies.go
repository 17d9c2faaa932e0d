package workspace

import (
	"cmp"
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// PolicyInput changes the policy of a namespace. Nil fields do not change. A preset replaces
// the whole policy first.
type PolicyInput struct {
	Namespace string // empty: default
	policy.Update
}

// PolicyView is the policy in force in a namespace.
type PolicyView struct {
	Namespace string
	policy.Policy
	Stored bool // false: the namespace has no policy; these are the defaults
}

// NamespacePolicy returns the policy of a namespace, or the defaults if it has none. FORBIDDEN
// if the caller sees only a part of the namespace.
func (ws *Space) NamespacePolicy(ctx context.Context, c Caller, namespace string) (*PolicyView, error) {
	namespace = cmp.Or(namespace, DefaultNamespace)
	if err := c.wholeNamespace(namespace); err != nil {
		return nil, err
	}
	if _, err := ws.Tenant(ctx, c.Scope()); err != nil {
		return nil, err
	}
	var v *PolicyView
	err := ws.Store.View(ctx, c.Scope(), func(r graph.Reader) (err error) { v, err = readPolicyView(r, namespace); return err })
	if err != nil {
		return nil, ws.PublicError(err)
	}
	return v, nil
}

// SetNamespacePolicy changes the policy of a namespace for later scores, writes and decisions.
// Existing memories keep the values that they were written with. INVALID_REQUEST names a field
// that is out of range, and nothing changes. FORBIDDEN without the right to administer.
func (ws *Space) SetNamespacePolicy(ctx context.Context, c Caller, in PolicyInput) (*PolicyView, error) {
	in.Namespace = cmp.Or(in.Namespace, DefaultNamespace)
	if err := c.wholeNamespace(in.Namespace); err != nil {
		return nil, err
	}
	if !c.Admin {
		return nil, graph.Errorf(graph.CodeForbidden, "changing a policy requires administrator rights")
	}
	t, err := ws.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	var v *PolicyView
	err = t.UpdateOnly(ctx, func(tx graph.Tx) error {
		if v, err = readPolicyView(tx, in.Namespace); err != nil {
			return err
		}
		before := v.MinConsent
		if v.Policy, err = policy.Merge(v.Policy, in.Update); err != nil {
			return err
		}
		v.Stored = true
		if v.MinConsent != before {
			if err := lifecycle.PutSetting(tx, consentSetting(in.Namespace), Required{v.MinConsent, ws.Now()}); err != nil {
				return err
			}
		}
		text, err := policy.Encode(v.Policy)
		if err != nil {
			return err
		}
		return tx.PutSetting(PolicySetting(in.Namespace), text)
	})
	if err != nil {
		return nil, ws.PublicError(err)
	}
	return v, nil
}

// Required is the consent that writes of a namespace need, and since when.
type Required struct {
	Least graph.Consent `json:"least"`
	Since time.Time     `json:"since"`
}

func consentSetting(namespace string) string { return "consent." + namespace }

// RequiredConsent returns what was noted when a policy last changed the consent that writes of a namespace need; false: nothing was, or the policy
// was changed without a note, by an import or an earlier version.
func RequiredConsent(r graph.Reader, namespace string, p policy.Policy) (Required, bool, error) {
	var noted Required
	known, err := lifecycle.ReadSetting(r, consentSetting(namespace), &noted)
	return noted, known && noted.Least == p.MinConsent, err
}

// wholeNamespace returns an error if the caller does not see all of a namespace.
func (c Caller) wholeNamespace(namespace string) error {
	if !graph.ValidNamespace(namespace) {
		return graph.NamespaceError("namespace")
	}
	if !c.Sees(namespace, "") || c.User != "" || c.Sight().LimitsClasses() {
		return graph.FieldError(graph.CodeForbidden, "namespace", "the credentials grant only a part of this namespace")
	}
	return nil
}

// PolicySetting returns the name of the setting with the policy of a namespace.
func PolicySetting(namespace string) string { return "policy." + namespace }

// readPolicyView reads the policy of a namespace, or the defaults.
func readPolicyView(r graph.Reader, namespace string) (*PolicyView, error) {
	v := &PolicyView{Namespace: namespace, Policy: policy.Default()}
	text, err := r.Setting(PolicySetting(namespace))
	if v.Stored, err = graph.Found(err); v.Stored {
		v.Policy, err = policy.Decode(text)
	}
	return v, err
}

// PolicyOf returns the policy in force in a namespace.
func PolicyOf(r graph.Reader, namespace string) (policy.Policy, error) {
	v, err := readPolicyView(r, namespace)
	if err != nil {
		return policy.Policy{}, err
	}
	return v.Policy, nil
}

// PolicyCache caches policies by namespace for one transaction or one sleep.
type PolicyCache map[string]policy.Policy

// In returns the policy of a namespace and reads it once.
func (p PolicyCache) In(r graph.Reader, namespace string) (policy.Policy, error) {
	if found, known := p[namespace]; known {
		return found, nil
	}
	found, err := PolicyOf(r, namespace)
	if err == nil {
		p[namespace] = found
	}
	return found, err
}
