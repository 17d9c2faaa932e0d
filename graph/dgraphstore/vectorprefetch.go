package dgraphstore

import (
	"encoding/json"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// vectorPrefetchSize is how many vectors are read at once for a caller that reads one by one.
const vectorPrefetchSize = 128

// vectorPrefetch reads vectors before they are requested. A caller that lists memories and
// then reads the vector of each would pay a round trip per memory; the first read also
// fetches the vectors of the next memories in the list.
type vectorPrefetch struct {
	listed   []graph.ID             // ids of the last listed memories
	position map[graph.ID]int       // in listed
	vectors  map[graph.ID][]float32 // nil: there is none
}

// setListed records the memories that were read together; nil is a missing one.
func (a *vectorPrefetch) setListed(ms []*graph.Memory) {
	*a = vectorPrefetch{position: make(map[graph.ID]int, len(ms))}
	for _, m := range ms {
		if m != nil && m.EmbeddingModel != "" {
			a.position[m.ID] = len(a.listed)
			a.listed = append(a.listed, m.ID)
		}
	}
}

// readVector returns a stored vector, nil if there is none.
func (r *reader) readVector(id graph.ID) ([]float32, error) {
	if v, ok := r.prefetched.vectors[id]; ok && r.writes == nil {
		delete(r.prefetched.vectors, id) // it belongs to the caller now
		return v, nil
	}
	if v, ok := r.vectorPrefetch.vectors[id]; ok {
		delete(r.vectorPrefetch.vectors, id) // it belongs to the caller now
		return v, nil
	}
	ids := []graph.ID{id}
	if at, ok := r.vectorPrefetch.position[id]; ok && r.writes == nil {
		ids = r.vectorPrefetch.listed[at:min(len(r.vectorPrefetch.listed), at+vectorPrefetchSize)]
	}
	vectors, err := r.readVectors(ids)
	if err != nil {
		return nil, err
	}
	v := vectors[id]
	delete(vectors, id)
	r.vectorPrefetch.vectors = vectors
	return v, nil
}

// readVectors reads stored vectors; a missing one is nil.
func (r *reader) readVectors(ids []graph.ID) (map[graph.ID][]float32, error) {
	found := make(map[graph.ID][]float32, len(ids))
	for _, id := range ids {
		found[id] = nil
	}
	vars := map[string]string{}
	declared, named := variables("k", r.ks.nodeKeys(ids), vars)
	var answer struct{ Q []vectorRow }
	if err := r.runQuery(r.ctx, "query q("+declared+") { q(func: eq(node.key, "+named+")) { "+vectorFields+" } }", vars, &answer); err != nil {
		return nil, err
	}
	return found, r.decodeVectors(answer.Q, found)
}

// vectorRow is the result of a query for a vector.
type vectorRow struct {
	Key    string
	Vector json.RawMessage
	Sealed string
}

// vectorFields are the fields of a vectorRow.
const vectorFields = "key: node.key vector: memory.embedding sealed: memory.vector"

// decodeVectors adds the vectors of rows to a map and skips rows without one.
func (r *reader) decodeVectors(rows []vectorRow, into map[graph.ID][]float32) error {
	for _, q := range rows {
		id, err := r.ks.parseID(q.Key)
		if err != nil {
			return err
		}
		if q.Sealed != "" {
			if into[id], err = r.openVector(q.Key, q.Sealed); err != nil {
				return err
			}
			continue
		}
		if len(q.Vector) == 0 {
			continue
		}
		var v []float32
		if err := json.Unmarshal(q.Vector, &v); err != nil || len(v) == 0 {
			return integrityError(sealKey("vector", q.Key), "not a vector")
		}
		into[id] = slices.Clip(v)
	}
	return nil
}
