package engine

import (
	"errors"

	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// policySetting names the setting that holds the policy of a namespace.
func policySetting(namespace string) string { return "policy." + namespace }

// policyIn reads the policy of a namespace, the default where it has none.
func policyIn(r graph.Reader, namespace string) (policy.Policy, error) {
	text, err := r.Setting(policySetting(namespace))
	if errors.Is(err, graph.ErrNotFound) {
		return policy.Default(), nil
	}
	if err != nil {
		return policy.Policy{}, err
	}
	return policy.Decode(text)
}
