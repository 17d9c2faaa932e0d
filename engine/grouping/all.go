package grouping

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
)

// Whole is a cluster with all of its members, whoever may see them: those of the settlement in any
// status, the strongest first, then those that joined since.
type Whole struct {
	Stored
	Owner Owner
}

// All returns the clusters in force, by id. It is for sleeps, which work on the whole tenant.
func (svc *Service) All(ctx context.Context, t *workspace.Tenant) ([]Whole, error) {
	v, err := svc.View(ctx, t.Whole())
	if err != nil {
		return nil, err
	}
	b := v.t.book
	b.mu.RLock()
	defer b.mu.RUnlock()
	var out []Whole
	for o, c := range b.owners {
		for _, g := range c.groups {
			w := Whole{Stored: g.Stored, Owner: o}
			w.Members = append(slices.Clone(g.Members), g.joined...)
			out = append(out, w)
		}
	}
	slices.SortFunc(out, func(a, b Whole) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}
