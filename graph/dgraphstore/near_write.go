package dgraphstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"sync"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
)

// nearState says where the vectors of a tenant are indexed.
type nearState struct {
	Near   string `json:"near"`   // predicate that every commit keeps up to date; "": there is no index
	Filled string `json:"filled"` // predicate that all vectors of its dimension stand in; only that is asked
}

// nearDraft is what a transaction changes in the index of vectors.
type nearDraft struct {
	vectors map[string][]float32 // by key of the memory's node; nil: it has none any more
	old     []inIndex            // their vectors of before
	first   string               // what a tenant without memories begins with; "": with no index
	state   *nearState           // what becomes of the index itself; nil: nothing
}

// nearDraft reads what the vectors that were written mean for the index. nodes are those of
// the memories.
func (r *reader) nearDraft(nodes map[graph.ID]string) (nearDraft, error) {
	n := nearDraft{vectors: map[string][]float32{}, state: r.w.near}
	var before []string
	dimension := 0
	for id, v := range r.w.vectors {
		key := r.ks.node(id)
		n.vectors[key] = v
		if v != nil {
			dimension = len(v)
		}
		if !strings.HasPrefix(nodes[id], "_:") {
			before = append(before, key)
		}
	}
	h, err := r.where()
	if err != nil {
		return n, err
	}
	if h.Near != "" {
		n.old, err = r.inIndexes(r.ctx, before)
		return n, err
	}
	if r.store.opts.Near && h.Memories == 0 && dimension > 0 {
		n.first = nearPredicate(r.tenant, dimension)
		err = r.store.declareNear(r.ctx, n.first)
	}
	return n, err
}

// take adds what another draft of the same commit changes.
func (n *nearDraft) take(o nearDraft) {
	if n.vectors == nil {
		n.vectors = map[string][]float32{}
	}
	maps.Copy(n.vectors, o.vectors)
	n.old = append(n.old, o.old...)
	n.first = cmp.Or(n.first, o.first)
	n.state = cmp.Or(o.state, n.state)
}

// behind is the state of the index behind a commit.
func (n *nearDraft) behind(h head) nearState {
	switch {
	case n.state != nil:
		return *n.state
	case h.Near == "" && h.Memories == 0 && n.first != "":
		return nearState{n.first, n.first}
	}
	return h.nearState
}

// add writes the change into a commit. node is the tenant's.
func (n *nearDraft) add(m *api.Mutation, node string, h head) {
	next := n.behind(h)
	if next != h.nearState {
		m.Set = append(m.Set, quad(node, "tenant.near", next.Near), quad(node, "tenant.filled", next.Filled))
	}
	for _, o := range n.old {
		m.Del = append(m.Del, wipe(o.UID, o.In), wipe(o.UID, "near.in"), wipe(o.UID, "near.of"))
	}
	dimension := dimensionOf(next.Near)
	for key, v := range n.vectors {
		if v == nil || len(v) != dimension {
			continue
		}
		place := "_:v" + key[len(key)-36:]
		m.Set = append(m.Set, quad(place, next.Near, vectorText(v)), quad(place, "near.of", key), quad(place, "near.in", next.Near))
	}
}

// declareNear makes the predicate and puts its entry there: the vector that came first,
// where every search begins. Were it deleted Dgraph would begin at another one, which it
// robs of its neighbours, and would find nothing but that. So the first is one of ours, which
// belongs to no memory. That two servers make two of them is harmless.
func (s *Store) declareNear(ctx context.Context, predicate string) error {
	if err := s.alter(ctx, nearSchema(predicate)); err != nil {
		return err
	}
	entry := make([]float32, dimensionOf(predicate))
	for i := range entry {
		entry[i] = float32(1 / math.Sqrt(float64(len(entry))))
	}
	err := s.retry(ctx, func(ctx context.Context) error {
		_, err := s.client(ctx).NewTxn().Do(ctx, &api.Request{
			CommitNow: true, Query: `query q($p: string) { e as var(func: eq(near.of, $p)) q(func: uid(e)) { uid } }`, Vars: map[string]string{"$p": predicate},
			Mutations: []*api.Mutation{{Cond: "@if(eq(len(e), 0))", Set: []*api.NQuad{
				quad("_:entry", predicate, vectorText(entry)), quad("_:entry", "near.of", predicate), quad("_:entry", "near.in", predicate),
			}}},
		})
		if aborted(err) {
			return nil // another server makes it
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("dgraphstore: begin an index of vectors: %w", err)
	}
	return nil
}

// fills are the indexes that this process is filling.
type fills struct {
	sync.Mutex
	under map[string]bool // by predicate
}

// Bounds of filling.
const (
	fillPage  = 128 // memories that are looked at at once
	fillBatch = 32  // vectors of one commit
)

// fillInBackground fills the index of a tenant, unless this process does so already.
func (s *Store) fillInBackground(sc graph.Scope, predicate string) {
	s.fills.Lock()
	defer s.fills.Unlock()
	if s.fills.under[predicate] || s.background.Err() != nil {
		return
	}
	if s.fills.under == nil {
		s.fills.under = map[string]bool{}
	}
	s.fills.under[predicate] = true
	s.tasks.Go(func() {
		n, err := s.fill(s.background, sc.Tenant, predicate)
		switch {
		case err == nil:
			s.opts.Logger.Info("[WRITE] the vectors of a tenant are indexed", "tenant", sc.Tenant, "vectors", n)
		case s.background.Err() == nil:
			s.opts.Logger.Error("[WRITE] the vectors of a tenant can't be indexed; the next search tries again", "tenant", sc.Tenant, "error", err)
		}
		s.fills.Lock()
		defer s.fills.Unlock()
		delete(s.fills.under, predicate)
	})
}

// fill puts every vector of a tenant, of the dimension of the predicate, into the index and
// answers how many it put there. It is safe to repeat, and for several servers to do at once.
func (s *Store) fill(ctx context.Context, tenant graph.Tenant, predicate string) (n int, err error) {
	if err := s.declareNear(ctx, predicate); err != nil {
		return 0, err
	}
	become := func(next func(nearState) nearState) error {
		_, err := s.update(ctx, tenant, func(t tx) error {
			if err := t.guard(onNear); err != nil {
				return err
			}
			h, err := t.where()
			if state := next(h.nearState); err == nil && state != h.nearState {
				t.w.near = &state
			}
			return err
		})
		return err
	}
	// From here on every commit, of any server, keeps it up to date.
	if err := become(func(st nearState) nearState { return nearState{predicate, st.Filled} }); err != nil {
		return 0, err
	}
	for after := graph.ID(""); ; {
		last, missing, err := s.unindexed(ctx, tenant, predicate, after)
		if err != nil {
			return n, err
		}
		for len(missing) > 0 {
			some := missing[:min(fillBatch, len(missing))]
			missing = missing[len(some):]
			if _, err := s.update(ctx, tenant, func(t tx) error { return t.putAgain(some, predicate) }); err != nil {
				return n, err
			}
			n += len(some)
		}
		if last == "" {
			break
		}
		after = last
	}
	return n, become(func(st nearState) nearState {
		if st.Near == predicate { // else the tenant went on to another model
			st.Filled = predicate
		}
		return st
	})
}

// unindexed looks at a page of memories behind an id, and answers the last of them, ""
// where there are no more, and those whose vectors do not stand in the predicate.
func (s *Store) unindexed(ctx context.Context, tenant graph.Tenant, predicate string, after graph.ID) (last graph.ID, missing []graph.ID, err error) {
	r := newReader(ctx, s.snapshot(), tenant)
	page, err := r.ListMemories(graph.MemoryQuery{After: after, Limit: fillPage})
	if err != nil {
		return "", nil, err
	}
	var keys []string
	for _, m := range page {
		last = m.ID
		if m.EmbeddingModel != "" && m.Status() != graph.Forgotten {
			keys = append(keys, r.ks.node(m.ID))
		}
	}
	found, err := r.inIndexes(ctx, keys)
	if err != nil {
		return "", nil, err
	}
	there := make(map[string]bool, len(found))
	for _, f := range found {
		there[f.Of] = there[f.Of] || f.In == predicate
	}
	for _, key := range keys {
		if there[key] {
			continue
		}
		id, err := r.ks.id(key)
		if err != nil {
			return "", nil, err
		}
		missing = append(missing, id)
	}
	return last, missing, nil
}

// putAgain writes vectors as they are, so that they come into the index.
func (t tx) putAgain(ids []graph.ID, predicate string) error {
	if _, err := t.Memories(ids); err != nil { // all at once
		return err
	}
	vectors, err := t.vectors(ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if len(vectors[id]) != dimensionOf(predicate) {
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
