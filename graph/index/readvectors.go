package index

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// Vectors returns the vectors of memories, in their order. They have unit length and are
// read-only. A memory without a vector gets nil. With Options.Remote they are read from there,
// in pages.
func (x *Index) Vectors(ctx context.Context, sc graph.Scope, docs []*Doc) ([][]float32, error) {
	if x.opts.Remote != nil && len(docs) > 0 {
		t, err := x.openTenant(ctx, sc)
		if err != nil {
			return nil, err
		}
		return remoteVectors{x.opts.Remote, t}.loadVectors(ctx, docs)
	}
	out := make([][]float32, len(docs))
	if len(docs) == 0 {
		return out, nil
	}
	t, err := x.openTenant(ctx, sc)
	if err != nil {
		return nil, err
	}
	for i, d := range docs {
		var own []byte // backs the returned vector
		out[i] = t.files.Vector(d.ID, d.vectorRef, &own)
	}
	return out, nil
}
