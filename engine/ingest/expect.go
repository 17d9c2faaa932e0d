package ingest

import (
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// expect tells a transaction for which each read is a journey what it will ask for the
// drafts: their idempotency keys, the names that they mention, and what their namespaces
// decided; and what else it will ask for.
func expect(tx graph.Tx, drafts []*Draft, expected graph.Expected) error {
	ahead, ok := tx.(graph.Expecter)
	if !ok {
		return nil
	}
	for _, d := range drafts {
		if setting := workspace.PolicySetting(d.Memory.Namespace); !slices.Contains(expected.Settings, setting) {
			expected.Settings = append(expected.Settings, setting)
		}
		if d.Key != "" {
			expected.Requests = append(expected.Requests, d.Key)
		}
		for _, canonical := range d.names() {
			for _, owner := range workspace.Owners(d.Memory.User) {
				n := graph.EntityName{Namespace: d.Memory.Namespace, User: owner, Canonical: canonical}
				if !slices.Contains(expected.Names, n) {
					expected.Names = append(expected.Names, n)
				}
			}
		}
	}
	return ahead.Expect(expected)
}
