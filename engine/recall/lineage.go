package recall

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Lineage returns the versions in the chain of a memory, oldest first, from after
// afterVersion, at most first (0: 200). A memory that was never superseded has one entry, an
// unknown id none. Erased versions are omitted.
func (svc *Service) Lineage(ctx context.Context, c workspace.Caller, id graph.ID, first, afterVersion int) ([]Version, error) {
	if !id.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	first, err := workspace.PageSize("first", first, 200)
	if err != nil {
		return nil, err
	}
	now := svc.Now()
	var chain []*graph.Memory
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		m, err := workspace.LoadOwned(r, c, id)
		if err != nil {
			return err
		}
		for x, err := range graph.AllMemories(r, graph.MemoryQuery{Chain: m.Chain}) {
			if err != nil {
				return err
			}
			chain = append(chain, x)
		}
		return nil
	})
	if graph.CodeOf(err) == graph.CodeMemoryNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(chain, func(a, b *graph.Memory) int { return cmp.Compare(a.Version, b.Version) })
	var versions []Version
	for _, m := range chain {
		if m.Status() == graph.Forgotten || m.Version <= afterVersion || len(versions) == first {
			continue
		}
		versions = append(versions, Version{
			Memory: workspace.NewView(m, workspace.Access{}, now), Version: m.Version, Checksum: m.Checksum, Reason: m.Reason,
			RecordedAt: m.RecordedAt, SupersededAt: m.SupersededAt(),
		})
	}
	for _, v := range versions {
		svc.Verify(ctx, c.Scope(), v.Memory)
	}
	return versions, nil
}
