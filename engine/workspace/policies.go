package workspace

import (
	"cmp"
	"context"
	"errors"

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

// SetNamespacePolicy changes what a namespace decides for itself, for scores, writes and
// decisions from now on: what is written already keeps what was bound to it.
// INVALID_REQUEST names the field that is out of its range, and nothing is changed;
// FORBIDDEN without the right to administer.
func (ws *Space) SetNamespacePolicy(ctx context.Context, c Caller, in PolicyInput) (*PolicyView, error) {
	in.Namespace = cmp.Or(in.Namespace, DefaultNamespace)
	if err := c.wholeNamespace(in.Namespace); err != nil {
		return nil, err
	}
	if !c.Admin {
		return nil, graph.Errorf(graph.CodeForbidden, "only who may administer can change a policy")
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
		if v.Policy, err = policy.Merge(v.Policy, in.Update); err != nil {
			return err
		}
		v.Stored = true
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

// wholeNamespace answers why the caller does not see all of a namespace, or nil.
func (c Caller) wholeNamespace(namespace string) error {
	if !graph.ValidNamespace(namespace) {
		return graph.FieldError(graph.CodeInvalidRequest, "namespace", "must be 1 to 64 letters, digits or underscores")
	}
	if !c.Sees(namespace, "") || c.User != "" {
		return graph.FieldError(graph.CodeForbidden, "namespace", "the credentials grant only a part of this namespace")
	}
	return nil
}

// PolicySetting names the setting that holds the policy of a namespace.
func PolicySetting(namespace string) string { return "policy." + namespace }

// readPolicyView reads the policy of a namespace, the default where it has none.
func readPolicyView(r graph.Reader, namespace string) (*PolicyView, error) {
	v := &PolicyView{Namespace: namespace, Policy: policy.Default()}
	text, err := r.Setting(PolicySetting(namespace))
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

// PolicyOf is the policy in force in a namespace.
func PolicyOf(r graph.Reader, namespace string) (policy.Policy, error) {
	v, err := readPolicyView(r, namespace)
	if err != nil {
		return policy.Policy{}, err
	}
	return v.Policy, nil
}

// PolicyCache are the policies read in one transaction or through one night, by namespace.
type PolicyCache map[string]policy.Policy

// In is the policy of a namespace, read once.
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
