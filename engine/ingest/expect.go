package ingest

import (
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// expect tells a transaction whose reads are remote what it will read for the drafts:
// their idempotency keys, the names that they mention, and the policies of their
// namespaces. expected holds further reads.
func expect(tx graph.Tx, drafts []*Draft, expected graph.Expected) error {
	expecter, ok := tx.(graph.Expecter)
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
		if d.Former != "" {
			expected.Requests = append(expected.Requests, d.Former)
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
	return expecter.Expect(expected)
}
