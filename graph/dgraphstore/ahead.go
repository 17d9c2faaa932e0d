package dgraphstore

import (
	"encoding/json"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// aheadSize is how many vectors are read at once for who reads them one by one.
const aheadSize = 128

// ahead reads vectors before they are asked for. Who lists memories and then wants the
// vector of each would pay a round trip a memory; the first that is asked for brings
// those of the memories listed behind it.
type ahead struct {
	listed  []graph.ID             // the memories that were listed last
	place   map[graph.ID]int       // in listed
	vectors map[graph.ID][]float32 // nil: there is none
}

// list takes note of memories that were read together; nil stands for a missing one.
func (a *ahead) list(ms []*graph.Memory) {
	*a = ahead{place: make(map[graph.ID]int, len(ms))}
	for _, m := range ms {
		if m != nil && m.EmbeddingModel != "" {
			a.place[m.ID] = len(a.listed)
			a.listed = append(a.listed, m.ID)
		}
	}
}

// vector answers a stored vector, nil where there is none.
func (r *reader) vector(id graph.ID) ([]float32, error) {
	if v, ok := r.told.vectors[id]; ok && r.w == nil {
		delete(r.told.vectors, id) // it belongs to the caller now
		return v, nil
	}
	if v, ok := r.ahead.vectors[id]; ok {
		delete(r.ahead.vectors, id) // it belongs to the caller now
		return v, nil
	}
	ids := []graph.ID{id}
	if at, ok := r.ahead.place[id]; ok && r.w == nil {
		ids = r.ahead.listed[at:min(len(r.ahead.listed), at+aheadSize)]
	}
	vectors, err := r.vectors(ids)
	if err != nil {
		return nil, err
	}
	v := vectors[id]
	delete(vectors, id)
	r.ahead.vectors = vectors
	return v, nil
}

// vectors reads stored vectors; of those that are missing the answer is nil.
func (r *reader) vectors(ids []graph.ID) (map[graph.ID][]float32, error) {
	keys := make([]string, len(ids))
	found := make(map[graph.ID][]float32, len(ids))
	for i, id := range ids {
		keys[i], found[id] = r.ks.node(id), nil
	}
	vars := map[string]string{}
	declared, named := list("k", keys, vars)
	var answer struct{ Q []vectorRow }
	if err := r.ask(r.ctx, "query q("+declared+") { q(func: eq(node.key, "+named+")) { key: node.key vector: memory.embedding } }", vars, &answer); err != nil {
		return nil, err
	}
	return found, r.readVectors(answer.Q, found)
}

// vectorRow is what a query answers of a vector.
type vectorRow struct {
	Key    string
	Vector json.RawMessage
}

// readVectors reads the vectors of rows, as far as they have one.
func (r *reader) readVectors(rows []vectorRow, into map[graph.ID][]float32) error {
	for _, q := range rows {
		id, err := r.ks.id(q.Key)
		if err != nil {
			return err
		}
		if len(q.Vector) == 0 {
			continue
		}
		var v []float32
		if err := json.Unmarshal(q.Vector, &v); err != nil || len(v) == 0 {
			return broken(sealed("vector", q.Key), "not a vector")
		}
		into[id] = slices.Clip(v)
	}
	return nil
}
