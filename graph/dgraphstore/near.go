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

// cosinesAtOnce is how many vectors one query compares.
const cosinesAtOnce = 1000

// nearPredicate is where the vectors of a tenant with so many dimensions are indexed. It is
// a predicate of the tenant's own (ADR 42), so that no search meets a vector of another
// one. It is made of hex digits and a number: nothing that comes from outside stands in it.
func nearPredicate(t graph.Tenant, dimension int) string {
	name := newKeyspace(t).name("near", string(t))
	return "near.v" + name[strings.LastIndexByte(name, '/')+1:] + "_" + strconv.Itoa(dimension)
}

// nearSchema declares the predicate. Vectors have unit length, so that their inner product
// is the cosine, and a vector of zeros is no error. efConstruction is also how many
// neighbours a vector has at most.
func nearSchema(predicate string) string {
	return predicate + `: float32vector @index(hnsw(metric: "dotproduct", efConstruction: "64")) .`
}

// dimensionOf is how many dimensions the vectors of a predicate have.
func dimensionOf(predicate string) int {
	n, err := strconv.Atoi(predicate[strings.LastIndexByte(predicate, '_')+1:])
	if err != nil {
		return 0
	}
	return n
}

// Near asks Dgraph's index, and is graph.VectorSearcher's. Where the tenant has no index
// for vectors of the dimension one is begun in the background.
func (s *Store) Near(ctx context.Context, sc graph.Scope, vector []float32, k, effort int) ([]graph.Alike, error) {
	if err := s.admit(ctx, sc); err != nil {
		return nil, err
	}
	defer s.leave()
	if k <= 0 || len(vector) == 0 {
		return nil, nil
	}
	predicate := nearPredicate(sc.Tenant, len(vector))
	v := s.snapshot()
	h, err := v.head(ctx, sc.Tenant)
	switch {
	case err != nil:
		return nil, err
	case h.Commit == 0:
		return nil, nil
	case h.Filled != predicate:
		s.fillInBackground(sc, predicate)
		return nil, graph.ErrNotIndexed
	}
	var answer struct {
		Q []struct {
			Of     string
			Cosine *float64
		}
	}
	err = v.ask(ctx, `query q($v: float32vector, $k: int, $ef: int) {
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
			continue // its vector went, or it is the entry
		}
		id, err := ks.id(q.Of)
		if err != nil {
			return nil, err
		}
		out = append(out, graph.Alike{ID: id, Cosine: *q.Cosine})
	}
	slices.SortFunc(out, func(a, b graph.Alike) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID)) })
	return out[:min(k, len(out))], nil
}

// Cosines is graph.VectorSearcher's. The cluster compares, so that no vector travels.
func (s *Store) Cosines(ctx context.Context, sc graph.Scope, vector []float32, ids []graph.ID) (map[graph.ID]float64, error) {
	if err := s.admit(ctx, sc); err != nil {
		return nil, err
	}
	defer s.leave()
	ks, v, text := newKeyspace(sc.Tenant), s.snapshot(), vectorText(vector)
	out := make(map[graph.ID]float64, len(ids))
	for some := range slices.Chunk(ids, cosinesAtOnce) {
		keys := make([]string, len(some))
		for i, id := range some {
			keys[i] = ks.node(id)
		}
		vars := map[string]string{"$v": text}
		declared, named := list("k", keys, vars)
		var answer struct {
			Q []struct {
				Key    string
				Cosine *float64
			}
		}
		err := v.ask(ctx, `query q($v: float32vector, `+declared+`) {
			m as var(func: eq(node.key, `+named+`)) { v as memory.embedding c as math(v dot $v) }
			q(func: uid(m)) { key: node.key cosine: val(c) } }`, vars, &answer)
		if err != nil {
			return nil, fmt.Errorf("dgraphstore: compare vectors: %w", err)
		}
		for _, q := range answer.Q {
			id, err := ks.id(q.Key)
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

// Embeddings is graph.VectorSearcher's.
func (s *Store) Embeddings(ctx context.Context, sc graph.Scope, ids []graph.ID) ([][]float32, error) {
	if err := s.admit(ctx, sc); err != nil {
		return nil, err
	}
	defer s.leave()
	r := newReader(ctx, s.snapshot(), sc.Tenant)
	out := make([][]float32, 0, len(ids))
	for some := range slices.Chunk(ids, aheadSize) {
		found, err := r.vectors(some)
		if err != nil {
			return nil, err
		}
		for _, id := range some {
			out = append(out, found[id])
		}
	}
	return out, nil
}

// indexed is a vector as it stands in the index: a node of its own, since Dgraph takes a
// vector that was changed for a deleted one and loses it.
type inIndex struct {
	UID string `json:"uid"`
	Of  string `json:"of"` // key of the memory's node
	In  string `json:"in"` // predicate that the vector stands in
}

// inIndexes reads where the vectors of memories stand in the index.
func (v *snapshot) inIndexes(ctx context.Context, keys []string) ([]inIndex, error) {
	var all []inIndex
	for some := range slices.Chunk(keys, chunk) {
		vars := map[string]string{}
		declared, named := list("k", some, vars)
		var answer struct{ Q []inIndex }
		if err := v.ask(ctx, `query q(`+declared+`) { q(func: eq(near.of, `+named+`)) { uid of: near.of in: near.in } }`, vars, &answer); err != nil {
			return nil, err
		}
		all = append(all, answer.Q...)
	}
	return all, nil
}
