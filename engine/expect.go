package engine

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// expect tells a transaction for which each read is a journey what it will ask for the
// drafts: their idempotency keys, the names that they mention, and what their namespaces
// decided; and what else it will ask for.
func expect(tx graph.Tx, drafts []*draft, x graph.Expected) error {
	ahead, ok := tx.(graph.Expecter)
	if !ok {
		return nil
	}
	for _, d := range drafts {
		if setting := policySetting(d.memory.Namespace); !slices.Contains(x.Settings, setting) {
			x.Settings = append(x.Settings, setting)
		}
		if d.key != "" {
			x.Requests = append(x.Requests, d.key)
		}
		for _, canonical := range d.names() {
			for _, owner := range owners(d.memory.User) {
				n := graph.EntityName{Namespace: d.memory.Namespace, User: owner, Canonical: canonical}
				if !slices.Contains(x.Names, n) {
					x.Names = append(x.Names, n)
				}
			}
		}
	}
	return ahead.Expect(x)
}
