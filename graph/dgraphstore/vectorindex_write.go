package dgraphstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dgraphstore/reach"
)

// vectorIndexState says where the vectors of a tenant are indexed.
type vectorIndexState struct {
	Current string `json:"near"`   // predicate that every commit keeps up to date; "": there is no index
	Filled  string `json:"filled"` // predicate that has all vectors of its dimension; searches use only this one
}

// vectorIndexDraft is what a transaction changes in the vector index.
type vectorIndexDraft struct {
	vectors        map[string][]float32 // by key of the memory's node; nil: removed
	previous       []indexedVector      // their previous entries
	firstPredicate string               // predicate of the first index of a tenant without memories; "": none
	state          *vectorIndexState    // new state of the index; nil: unchanged
}

// makeVectorDraft computes the changes of the index for the vectors that were written. nodes
// are those of the memories.
func (r *reader) makeVectorDraft(nodes map[graph.ID]string) (vectorIndexDraft, error) {
	d := vectorIndexDraft{vectors: map[string][]float32{}, state: r.writes.vectorIndex}
	var before []string
	dimension := 0
	for id, v := range r.writes.vectors {
		key := r.ks.nodeKey(id)
		d.vectors[key] = v
		if v != nil {
			dimension = len(v)
		}
		if !strings.HasPrefix(nodes[id], "_:") {
			before = append(before, key)
		}
	}
	head, err := r.tenantHead()
	if err != nil {
		return d, err
	}
	if head.Current != "" {
		d.previous, err = r.indexedVectors(r.ctx, before)
		return d, err
	}
	if r.store.options.IndexVectors && head.Memories == 0 && dimension > 0 {
		d.firstPredicate = vectorPredicate(r.tenant, dimension)
		err = r.store.declareVectorIndex(r.ctx, d.firstPredicate)
	}
	return d, err
}

// merge adds the changes of another draft of the same commit.
func (d *vectorIndexDraft) merge(o vectorIndexDraft) {
	if d.vectors == nil {
		d.vectors = map[string][]float32{}
	}
	maps.Copy(d.vectors, o.vectors)
	d.previous = append(d.previous, o.previous...)
	d.firstPredicate = cmp.Or(d.firstPredicate, o.firstPredicate)
	d.state = cmp.Or(o.state, d.state)
}

// stateAfter is the state of the index after a commit.
func (d *vectorIndexDraft) stateAfter(head tenantHead) vectorIndexState {
	switch {
	case d.state != nil:
		return *d.state
	case head.Current == "" && head.Memories == 0 && d.firstPredicate != "":
		return vectorIndexState{d.firstPredicate, d.firstPredicate}
	}
	return head.vectorIndexState
}

// addTo adds the changes to a commit. node is the tenant's.
func (d *vectorIndexDraft) addTo(m *api.Mutation, node string, head tenantHead) {
	next := d.stateAfter(head)
	if next != head.vectorIndexState {
		m.Set = append(m.Set, quad(node, "tenant.near", next.Current), quad(node, "tenant.filled", next.Filled))
	}
	for _, o := range d.previous {
		m.Del = append(m.Del, deleteValues(o.UID, o.Predicate), deleteValues(o.UID, "near.in"), deleteValues(o.UID, "near.of"))
	}
	dimension := predicateDimension(next.Current)
	for key, v := range d.vectors {
		if v == nil || len(v) != dimension {
			continue
		}
		place := "_:v" + key[len(key)-36:]
		m.Set = append(m.Set, quad(place, next.Current, vectorText(v)), quad(place, "near.of", key), quad(place, "near.in", next.Current))
	}
}

// declareVectorIndex makes the predicate and adds its entry vector: the first vector, where
// every search begins. If it were deleted, Dgraph would begin at another vector, remove that
// one's neighbours, and find nothing else. So the first vector belongs to no memory. Two
// servers may make one each, which is harmless.
func (s *Store) declareVectorIndex(ctx context.Context, predicate string) error {
	if err := s.alterSchema(ctx, vectorSchema(predicate)); err != nil {
		return err
	}
	entry := make([]float32, predicateDimension(predicate))
	for i := range entry {
		entry[i] = float32(1 / math.Sqrt(float64(len(entry))))
	}
	err := s.retry(ctx, func(ctx context.Context) error {
		_, err := s.clientFor(ctx).NewTxn().Do(ctx, &api.Request{
			CommitNow: true, Query: `query q($p: string) { e as var(func: eq(near.of, $p)) q(func: uid(e)) { uid } }`, Vars: map[string]string{"$p": predicate},
			Mutations: []*api.Mutation{{Cond: "@if(eq(len(e), 0))", Set: []*api.NQuad{
				quad("_:entry", predicate, vectorText(entry)), quad("_:entry", "near.of", predicate), quad("_:entry", "near.in", predicate),
			}}},
		})
		if reach.IsAborted(err) {
			return nil // another server makes it
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("dgraphstore: create a vector index: %w", err)
	}
	return nil
}

// indexFills are the indexes that this process is filling.
type indexFills struct {
	sync.Mutex
	running map[string]bool // by predicate
}

// Limits of filling.
const (
	fillPage  = 128 // memories per page
	fillBatch = 32  // vectors per commit
)

// fillInBackground fills the index of a tenant, unless this process already does so.
func (s *Store) fillInBackground(sc graph.Scope, predicate string) {
	s.indexFills.Lock()
	defer s.indexFills.Unlock()
	if s.indexFills.running[predicate] || s.background.Err() != nil {
		return
	}
	if s.indexFills.running == nil {
		s.indexFills.running = map[string]bool{}
	}
	s.indexFills.running[predicate] = true
	s.goroutines.Go(func() {
		n, err := s.fillVectorIndex(s.background, sc.Tenant, predicate)
		switch {
		case err == nil:
			s.options.Logger.Info("[WRITE] the vectors of a tenant are indexed", "tenant", sc.Tenant, "vectors", n)
		case s.background.Err() == nil:
			s.options.Logger.Error("[WRITE] the vectors of a tenant can't be indexed; the next search will retry", "tenant", sc.Tenant, "error", err)
		}
		s.indexFills.Lock()
		defer s.indexFills.Unlock()
		delete(s.indexFills.running, predicate)
	})
}

// fillVectorIndex puts every vector of a tenant with the dimension of the predicate into the
// index, and returns how many it added. It may be repeated, and run on several servers at once.
func (s *Store) fillVectorIndex(ctx context.Context, tenant graph.Tenant, predicate string) (n int, err error) {
	if err := s.declareVectorIndex(ctx, predicate); err != nil {
		return 0, err
	}
	setState := func(next func(vectorIndexState) vectorIndexState) error {
		_, err := s.update(ctx, tenant, func(t tx) error {
			if err := t.guardKey(onVectorIndex); err != nil {
				return err
			}
			head, err := t.tenantHead()
			if state := next(head.vectorIndexState); err == nil && state != head.vectorIndexState {
				t.writes.vectorIndex = &state
			}
			return err
		})
		return err
	}
	// From here on every commit, of any server, keeps the index up to date.
	if err := setState(func(st vectorIndexState) vectorIndexState { return vectorIndexState{predicate, st.Filled} }); err != nil {
		return 0, err
	}
	for after := graph.ID(""); ; {
		last, missing, err := s.unindexedVectors(ctx, tenant, predicate, after)
		if err != nil {
			return n, err
		}
		for some := range slices.Chunk(missing, fillBatch) {
			if _, err := s.update(ctx, tenant, func(t tx) error { return t.rewriteEmbeddings(some, predicate) }); err != nil {
				return n, err
			}
			n += len(some)
		}
		if last == "" {
			break
		}
		after = last
	}
	return n, setState(func(st vectorIndexState) vectorIndexState {
		if st.Current == predicate { // else the tenant changed to another model
			st.Filled = predicate
		}
		return st
	})
}

// unindexedVectors reads a page of memories after an id. It returns the last of them, "" if
// there are no more, and those whose vectors are not in the predicate.
func (s *Store) unindexedVectors(ctx context.Context, tenant graph.Tenant, predicate string, after graph.ID) (last graph.ID, missing []graph.ID, err error) {
	r := newReader(ctx, s.newSnapshot(), tenant)
	page, err := r.ListMemories(graph.MemoryQuery{After: after, Limit: fillPage})
	if err != nil {
		return "", nil, err
	}
	for _, m := range page {
		last = m.ID
		if m.EmbeddingModel != "" && m.Status() != graph.Forgotten {
			missing = append(missing, m.ID)
		}
	}
	found, err := r.indexedVectors(ctx, r.ks.nodeKeys(missing))
	indexed := make(map[string]bool, len(found))
	for _, f := range found {
		indexed[f.NodeKey] = indexed[f.NodeKey] || f.Predicate == predicate
	}
	return last, slices.DeleteFunc(missing, func(id graph.ID) bool { return indexed[r.ks.nodeKey(id)] }), err
}

// rewriteEmbeddings writes vectors unchanged, so that they are added to the index.
func (t tx) rewriteEmbeddings(ids []graph.ID, predicate string) error {
	if _, err := t.Memories(ids); err != nil { // all at once
		return err
	}
	vectors, err := t.readVectors(ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if len(vectors[id]) != predicateDimension(predicate) {
			continue
		}
		m, err := t.Memory(id)
		if errors.Is(err, graph.ErrNotFound) || err == nil && m.Status() == graph.Forgotten {
			continue
		}
		if err != nil {
			return err
		}
		if err := t.PutEmbedding(id, vectors[id]); err != nil {
			return err
		}
	}
	return nil
}
