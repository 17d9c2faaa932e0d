package graph

import (
	"context"
	"errors"
)

// ErrNotIndexed is returned by Near while the store has no index of the tenant's vectors
// or is still building it. Cosines and Embeddings work nevertheless.
var ErrNotIndexed = errors.New("graph: the vectors of the tenant are not indexed yet")

// Alike is a memory with the cosine of its vector to the query vector, [−1,1].
type Alike struct {
	ID     ID
	Cosine float64
}

// VectorSearcher is implemented by a store that has a vector index of its own, for data
// that is larger than the memory of a server. Every call sees what was committed before
// it. Vectors have unit length; the engine ensures that.
type VectorSearcher interface {
	// Near returns the k memories of the tenant whose vectors have the highest cosines to
	// the vector, in any status, best first, ties by id. The search is approximate: effort,
	// at least k, is the number of candidates that it keeps, and it may miss a memory. The
	// cosines are exact. It returns ErrNotIndexed if there is no index.
	Near(ctx context.Context, sc Scope, vector []float32, k, effort int) ([]Alike, error)
	// Cosines returns the exact cosine of the vector to those of the memories. It omits
	// memories without a vector and those whose vector has another dimension.
	Cosines(ctx context.Context, sc Scope, vector []float32, ids []ID) (map[ID]float64, error)
	// Embeddings returns the vectors of memories in the order of ids, nil for a memory without one.
	Embeddings(ctx context.Context, sc Scope, ids []ID) ([][]float32, error)
}
