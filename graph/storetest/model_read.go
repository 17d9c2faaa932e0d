package storetest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// modelReader reads one version of a tenant.
type modelReader struct {
	state *tenantState
	locks map[string]bool // point reads of an Update; nil in a View
	ended bool
}

func (r *modelReader) pointRead(what string, words ...string) error {
	if r.ended {
		return graph.ErrClosed
	}
	if r.locks != nil {
		r.locks[what+" "+strings.Join(words, "\x00")] = true
	}
	return nil
}

func (r *modelReader) listRead() error {
	if r.ended {
		return graph.ErrClosed
	}
	return nil
}

// get returns a copy of the value of a key that transactions conflict on, or ErrNotFound.
func get[K comparable, V, R any](r *modelReader, from table[K, V], k K, copied func(V) R, what string, words ...string) (c R, err error) {
	if err := r.pointRead(what, words...); err != nil {
		return c, err
	}
	v, ok := from.get(k)
	if !ok {
		return c, graph.ErrNotFound
	}
	return copied(v), nil
}

func pointerTo[T any](v T) *T { return &v }

func (r *modelReader) Memory(id graph.ID) (*graph.Memory, error) {
	return get(r, r.state.memories, id, r.state.withUsage, "memory", string(id))
}

// withUsage is a copy for the caller, with its usage.
func (state *tenantState) withUsage(m *graph.Memory) *graph.Memory {
	c := copyMemory(m)
	u := state.usage.entries[m.ID]
	c.Usage = u.Clone()
	return c
}

func (r *modelReader) Memories(ids []graph.ID) ([]*graph.Memory, error) {
	out := make([]*graph.Memory, len(ids))
	for i, id := range ids {
		m, err := r.Memory(id)
		if err != nil && err != graph.ErrNotFound {
			return nil, err
		}
		out[i] = m
	}
	return out, nil
}

func (r *modelReader) Embedding(id graph.ID) ([]float32, error) {
	return get(r, r.state.vectors, id, slices.Clone, "embedding", string(id))
}

func (r *modelReader) ListMemories(q graph.MemoryQuery) ([]*graph.Memory, error) {
	if err := r.listRead(); err != nil {
		return nil, err
	}
	if err := graph.ValidateAfter(q.After); err != nil {
		return nil, err
	}
	ids := slices.Collect(maps.Keys(r.state.memories.entries))
	graph.SortIDs(ids, q.Descending)
	var out []*graph.Memory
	for _, id := range ids {
		if m := r.state.memories.entries[id]; matches(q, m) && graph.Follows(id, q.After, q.Descending) {
			out = append(out, r.state.withUsage(m))
		}
		if len(out) == graph.PageSize(q.Limit) {
			break
		}
	}
	return out, nil
}

func matches(q graph.MemoryQuery, m *graph.Memory) bool {
	if len(q.Namespaces) > 0 && !slices.Contains(q.Namespaces, m.Namespace) {
		return false
	}
	if len(q.Users) > 0 && !slices.Contains(q.Users, m.User) {
		return false
	}
	if q.Session != "" && q.Session != m.Session || q.Project != "" && q.Project != m.Project {
		return false
	}
	if q.Subject != "" && q.Subject != m.Subject || q.Chain != "" && q.Chain != m.Chain {
		return false
	}
	if q.ExternalID != "" && q.ExternalID != m.ExternalID {
		return false
	}
	if len(q.Types) > 0 && !slices.Contains(q.Types, m.Type) {
		return false
	}
	if len(q.Statuses) > 0 && !slices.Contains(q.Statuses, m.Status()) {
		return false
	}
	for _, t := range q.Tags {
		if !slices.Contains(m.Tags, t) {
			return false
		}
	}
	if q.Pending && (m.EmbeddingModel != "" || m.Status() == graph.Forgotten) {
		return false
	}
	return q.ExpiresBy.IsZero() || !m.ExpiresAt.IsZero() && !m.ExpiresAt.After(q.ExpiresBy)
}

func (r *modelReader) Edge(from graph.ID, kind graph.EdgeKind, to graph.ID) (*graph.Edge, error) {
	return get(r, r.state.edges, edgeKey{from, kind, to}, pointerTo, "edge", string(from), string(kind), string(to))
}

func (r *modelReader) Edges(id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]graph.Edge, error) {
	if err := r.listRead(); err != nil {
		return nil, err
	}
	var found []graph.Edge
	for k, e := range r.state.edges.entries {
		if (len(kinds) == 0 || slices.Contains(kinds, k.kind)) && (k.from == id && dir != graph.In || k.to == id && dir != graph.Out) {
			found = append(found, e)
		}
	}
	graph.SortEdges(id, found)
	return found, nil
}

func (r *modelReader) Entity(id graph.ID) (*graph.Entity, error) {
	return get(r, r.state.entities, id, copyEntity, "entity", string(id))
}

func (r *modelReader) EntityByName(namespace, user, canonical string) (*graph.Entity, error) {
	if err := r.pointRead("name", namespace, user, canonical); err != nil {
		return nil, err
	}
	for _, e := range r.state.entities.entries {
		if e.Namespace == namespace && e.User == user && e.Canonical == canonical {
			return copyEntity(e), nil
		}
	}
	return nil, graph.ErrNotFound
}

func (r *modelReader) ListEntities(q graph.EntityQuery) ([]*graph.Entity, error) {
	if err := r.listRead(); err != nil {
		return nil, err
	}
	if err := graph.ValidateAfter(q.After); err != nil {
		return nil, err
	}
	var out []*graph.Entity
	for _, id := range slices.Sorted(maps.Keys(r.state.entities.entries)) {
		e := r.state.entities.entries[id]
		if id > q.After && (len(q.Namespaces) == 0 || slices.Contains(q.Namespaces, e.Namespace)) &&
			(len(q.Users) == 0 || slices.Contains(q.Users, e.User)) &&
			(len(q.Types) == 0 || slices.Contains(q.Types, e.Type)) && strings.HasPrefix(e.Canonical, q.NamePrefix) {
			out = append(out, copyEntity(e))
		}
		if len(out) == graph.PageSize(q.Limit) {
			break
		}
	}
	return out, nil
}

func (r *modelReader) Mentions(entity, after graph.ID, limit int) ([]graph.ID, error) {
	if err := r.listRead(); err != nil {
		return nil, err
	}
	var ids []graph.ID
	for id, m := range r.state.memories.entries {
		if id > after && slices.Contains(m.Entities, entity) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids[:min(len(ids), graph.PageSize(limit))], nil
}

func (r *modelReader) Relation(source graph.ID, predicate string, target graph.ID) (*graph.Relation, error) {
	if err := r.pointRead("relation", string(source), predicate, string(target)); err != nil {
		return nil, err
	}
	if rel := r.state.relation(source, predicate, target); rel != nil {
		return copyRelation(rel), nil
	}
	return nil, graph.ErrNotFound
}

func (state *tenantState) relation(source graph.ID, predicate string, target graph.ID) *graph.Relation {
	for _, rel := range state.relations.entries {
		if rel.Source == source && rel.Predicate == predicate && rel.Target == target {
			return rel
		}
	}
	return nil
}

func (r *modelReader) RelationByID(id graph.ID) (*graph.Relation, error) {
	return get(r, r.state.relations, id, copyRelation, "relation", string(id))
}

func (r *modelReader) Relations(entity graph.ID, dir graph.Direction, after graph.ID, limit int) ([]*graph.Relation, error) {
	if err := r.listRead(); err != nil {
		return nil, err
	}
	var out []*graph.Relation
	for _, id := range slices.Sorted(maps.Keys(r.state.relations.entries)) {
		rel := r.state.relations.entries[id]
		if id > after && (rel.Source == entity && dir != graph.In || rel.Target == entity && dir != graph.Out) {
			out = append(out, copyRelation(rel))
		}
		if len(out) == graph.PageSize(limit) {
			break
		}
	}
	return out, nil
}

func (r *modelReader) Request(key string) (*graph.Request, error) {
	return get(r, r.state.requests, key, copyRequest, "request", key)
}

func (r *modelReader) Receipt(id graph.ID) (*graph.Receipt, error) {
	return get(r, r.state.receipts, id, pointerTo, "receipt", string(id))
}

func (r *modelReader) ReceiptIDs(receipt, after graph.ID, limit int) ([]graph.ID, error) {
	if err := r.listRead(); err != nil {
		return nil, err
	}
	var ids []graph.ID
	for k := range r.state.receiptIDs.entries {
		if k[0] == receipt && k[1] > after {
			ids = append(ids, k[1])
		}
	}
	slices.Sort(ids)
	return ids[:min(len(ids), graph.PageSize(limit))], nil
}

func (r *modelReader) Setting(name string) ([]byte, error) {
	return get(r, r.state.settings, name, func(v []byte) []byte { return append([]byte{}, v...) }, "setting", name)
}

func (r *modelReader) LastRecorded() (time.Time, error) {
	if err := r.listRead(); err != nil {
		return time.Time{}, err
	}
	return r.state.last, nil
}
