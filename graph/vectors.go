package graph

import (
	"context"
	"errors"
)

// ErrNotIndexed is returned by Near while the store has no index of the tenant's vectors,
// or is still building it. Cosines and Embeddings work all the same.
var ErrNotIndexed = errors.New("graph: the vectors of the tenant are not indexed yet")

// Alike is a memory with the cosine of its vector to that of a question, [−1,1].
type Alike struct {
	ID     ID
	Cosine float64
}

// VectorSearcher is what a store can do that keeps an index of vectors itself, for data
// that is larger than the memory of a server. Every answer sees what was committed before
// the call. Vectors are of unit length, as the engine promises.
type VectorSearcher interface {
	// Near answers the at most k memories of the tenant whose vectors have the highest
	// cosines to the vector, in any status, best first, equal ones by id. It is approximate:
	// effort, at least k, says how many are kept in sight on the way, and a memory may be
	// missing. What it says of those it found is exact. ErrNotIndexed where there is no index.
	Near(ctx context.Context, sc Scope, vector []float32, k, effort int) ([]Alike, error)
	// Cosines answers the exact cosine of the vector to those of the memories. Those that
	// have none, or one of another dimension, are not in the answer.
	Cosines(ctx context.Context, sc Scope, vector []float32, ids []ID) (map[ID]float64, error)
	// Embeddings answers the vectors of memories in the order of ids; nil where one has none.
	Embeddings(ctx context.Context, sc Scope, ids []ID) ([][]float32, error)
}
