package dgraphstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

var _ graph.VectorSearcher = (*Store)(nil)

// cosineChunk is how many vectors one query compares.
const cosineChunk = 1000

// vectorPredicate is the predicate that indexes the vectors of a tenant with a dimension. Each
// tenant has predicates of its own (ADR 42), so that no search sees a vector of another
// tenant. The name consists of hex digits and a number: it has no text from outside.
func vectorPredicate(t graph.Tenant, dimension int) string {
	name := newKeyspace(t).hashedKey("near", string(t))
	return "near.v" + name[strings.LastIndexByte(name, '/')+1:] + "_" + strconv.Itoa(dimension)
}

// vectorSchema declares the predicate. Vectors have unit length, so that their inner product
// is the cosine, and a vector of zeros is no error. efConstruction is also the largest
// number of neighbours of a vector.
func vectorSchema(predicate string) string {
	return predicate + `: float32vector @index(hnsw(metric: "dotproduct", efConstruction: "64")) .`
}

// predicateDimension is the dimension of the vectors of a predicate.
func predicateDimension(predicate string) int {
	n, err := strconv.Atoi(predicate[strings.LastIndexByte(predicate, '_')+1:])
	if err != nil {
		return 0
	}
	return n
}

// Near searches Dgraph's index. If the tenant has no index for the dimension, Near starts to
// build one in the background.
func (s *Store) Near(ctx context.Context, sc graph.Scope, vector []float32, k, effort int) ([]graph.Alike, error) {
	if err := s.calls.BeginScoped(ctx, sc); err != nil {
		return nil, err
	}
	defer s.calls.End()
	if k <= 0 || len(vector) == 0 {
		return nil, nil
	}
	if s.keys != nil {
		return nil, graph.ErrNotIndexed
	}
	predicate := vectorPredicate(sc.Tenant, len(vector))
	snap := s.newSnapshot()
	head, err := snap.readHead(ctx, sc.Tenant)
	switch {
	case err != nil:
		return nil, err
	case head.Commit == 0:
		return nil, nil
	case head.Filled != predicate:
		s.fillInBackground(sc, predicate)
		return nil, graph.ErrNotIndexed
	}
	var answer struct {
		Q []struct {
			Of     string
			Cosine *float64
		}
	}
	err = snap.runQuery(ctx, `query q($v: float32vector, $k: int, $ef: int) {
		near as var(func: similar_to(`+predicate+`, $k, $v, ef: $ef)) { v as `+predicate+` c as math(v dot $v) }
		q(func: uid(near)) { of: near.of cosine: val(c) } }`,
		map[string]string{"$v": vectorText(vector), "$k": strconv.Itoa(k + 1), "$ef": strconv.Itoa(max(k, effort) + 1)}, &answer)
	if err != nil {
		return nil, fmt.Errorf("dgraphstore: search vectors: %w", err)
	}
	ks := newKeyspace(sc.Tenant)
	out := make([]graph.Alike, 0, len(answer.Q))
	for _, q := range answer.Q {
		if q.Of == "" || q.Of == predicate || q.Cosine == nil {
			continue // the vector was removed, or it is the entry
		}
		id, err := ks.parseID(q.Of)
		if err != nil {
			return nil, err
		}
		out = append(out, graph.Alike{ID: id, Cosine: *q.Cosine})
	}
	slices.SortFunc(out, func(a, b graph.Alike) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID)) })
	return out[:min(k, len(out))], nil
}

// Cosines computes the cosines in the cluster, so that no vector is transferred.
func (s *Store) Cosines(ctx context.Context, sc graph.Scope, vector []float32, ids []graph.ID) (map[graph.ID]float64, error) {
	if err := s.calls.BeginScoped(ctx, sc); err != nil {
		return nil, err
	}
	defer s.calls.End()
	if s.keys != nil {
		return nil, graph.ErrNotIndexed
	}
	ks, snap, text := newKeyspace(sc.Tenant), s.newSnapshot(), vectorText(vector)
	out := make(map[graph.ID]float64, len(ids))
	for some := range slices.Chunk(ids, cosineChunk) {
		vars := map[string]string{"$v": text}
		declared, named := variables("k", ks.nodeKeys(some), vars)
		var answer struct {
			Q []struct {
				Key    string
				Cosine *float64
			}
		}
		err := snap.runQuery(ctx, `query q($v: float32vector, `+declared+`) {
			m as var(func: eq(node.key, `+named+`)) { v as memory.embedding c as math(v dot $v) }
			q(func: uid(m)) { key: node.key cosine: val(c) } }`, vars, &answer)
		if err != nil {
			return nil, fmt.Errorf("dgraphstore: compare vectors: %w", err)
		}
		for _, q := range answer.Q {
			id, err := ks.parseID(q.Key)
			if err != nil {
				return nil, err
			}
			if q.Cosine != nil {
				out[id] = *q.Cosine
			}
		}
	}
	return out, nil
}

// Embeddings returns the vectors of memories in the order of ids, nil for a memory without one.
func (s *Store) Embeddings(ctx context.Context, sc graph.Scope, ids []graph.ID) ([][]float32, error) {
	if err := s.calls.BeginScoped(ctx, sc); err != nil {
		return nil, err
	}
	defer s.calls.End()
	defer s.reads.Begin()()
	r := newReader(ctx, s.newSnapshot(), sc.Tenant)
	out := make([][]float32, 0, len(ids))
	for some := range slices.Chunk(ids, vectorPrefetchSize) {
		found, err := r.readVectors(some)
		if err != nil {
			return nil, err
		}
		for _, id := range some {
			out = append(out, found[id])
		}
	}
	return out, nil
}

// indexedVector is a vector in the index. It has a node of its own, since Dgraph takes a
// changed vector for a deleted one and loses it.
type indexedVector struct {
	UID       string `json:"uid"`
	NodeKey   string `json:"of"` // key of the memory's node
	Predicate string `json:"in"` // predicate of the vector
}

// indexedVectors reads the entries of memories in the index.
func (snap *snapshot) indexedVectors(ctx context.Context, keys []string) ([]indexedVector, error) {
	var all []indexedVector
	for some := range slices.Chunk(keys, queryChunk) {
		vars := map[string]string{}
		declared, named := variables("k", some, vars)
		var answer struct{ Q []indexedVector }
		if err := snap.runQuery(ctx, `query q(`+declared+`) { q(func: eq(near.of, `+named+`)) { uid of: near.of in: near.in } }`, vars, &answer); err != nil {
			return nil, err
		}
		all = append(all, answer.Q...)
	}
	return all, nil
}
