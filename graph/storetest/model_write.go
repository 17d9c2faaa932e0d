package storetest

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// modelTx writes to a copy of the tenant's state, and keeps its writes to repeat them on
// the version that is present when it commits.
type modelTx struct {
	modelReader
	baseNumber uint64 // number of the version that it began on
	dirty      bool
	redo       []func(*tenantState)
	changes    []graph.Change
	written    map[string]bool
}

func (t *modelTx) write(fn func(*tenantState)) {
	t.dirty = true
	fn(t.state)
	t.redo = append(t.redo, fn)
}

// lockKey marks a key as read and written.
func (t *modelTx) lockKey(what string, words ...string) error {
	if err := t.pointRead(what, words...); err != nil {
		return err
	}
	t.markWritten(what, words...)
	return nil
}

// markWritten marks a key as written.
func (t *modelTx) markWritten(what string, words ...string) {
	if t.written == nil {
		t.written = map[string]bool{}
	}
	t.written[what+" "+strings.Join(words, "\x00")] = true
}

func (t *modelTx) addChange(node graph.NodeKind, kind graph.EventKind, id graph.ID, namespace string, at time.Time) {
	at = graph.Millis(at)
	t.changes = append(t.changes, graph.Change{At: at, Node: node, Kind: kind, ID: id, Namespace: namespace})
	t.write(func(state *tenantState) { state.noteRecorded(at) })
}

func invalid(field string) error {
	return graph.FieldError(graph.CodeInvalidRequest, field, "is not valid")
}

// validIDs returns an error unless each id is well-formed.
func validIDs(ids []graph.ID) error {
	if slices.ContainsFunc(ids, func(id graph.ID) bool { return !id.Valid() }) {
		return invalid("id")
	}
	return nil
}

// validOrEmpty is validIDs for fields that may be empty.
func validOrEmpty(ids ...graph.ID) error {
	return validIDs(slices.DeleteFunc(ids, func(id graph.ID) bool { return id == "" }))
}

// mustNotBeForgotten returns an error if the memory is FORGOTTEN. It and Erase conflict
// with each other.
func (t *modelTx) mustNotBeForgotten(id graph.ID) error {
	t.markWritten("hang", string(id))
	m, err := t.Memory(id)
	if err == graph.ErrNotFound {
		return nil
	}
	if err == nil && m.Status() == graph.Forgotten {
		return invalid("id")
	}
	return err
}

func (t *modelTx) PutMemory(m *graph.Memory, kind graph.EventKind) error {
	if err := errors.Join(m.ValidatePut(kind), validIDs(m.Entities), validOrEmpty(m.Supersedes, m.SupersededBy, m.Consolidated)); err != nil {
		return err
	}
	if err := t.lockKey("memory", string(m.ID)); err != nil {
		return err
	}
	if err := t.mustNotBeForgotten(m.ID); err != nil {
		return err
	}
	old, known := t.state.memories.get(m.ID)
	if m.ExternalID != "" && (!known || old.ExternalID != m.ExternalID) {
		if err := t.lockKey("external", m.Namespace, m.ExternalID); err != nil {
			return err
		}
	}
	for _, e := range m.Entities {
		if !known || !slices.Contains(old.Entities, e) {
			t.markWritten("hang", string(e)) // DeleteEntity reads it
		}
	}
	m = copyMemory(m)
	t.write(func(state *tenantState) { state.memories.set(m.ID, m) })
	t.addChange(graph.NodeMemory, kind, m.ID, m.Namespace, m.UpdatedAt)
	return nil
}

// DropDamaged finds nothing: the model's rows are never damaged.
func (t *modelTx) DropDamaged(id graph.ID) (graph.Damage, error) {
	if !id.Valid() {
		return graph.Damage{}, invalid("id")
	}
	return graph.Damage{}, errors.Join(t.lockKey("memory", string(id)), t.lockKey("embedding", string(id)))
}

func (t *modelTx) PutEmbedding(id graph.ID, vector []float32) error {
	if err := graph.ValidateEmbedding(vector); err != nil {
		return err
	}
	if err := t.lockKey("embedding", string(id)); err != nil {
		return err
	}
	if _, err := t.Memory(id); err != nil {
		return err
	}
	if err := t.mustNotBeForgotten(id); err != nil {
		return err
	}
	v := slices.Clone(vector)
	t.write(func(state *tenantState) { state.vectors.set(id, v) })
	return nil
}

func (t *modelTx) PutEdge(e graph.Edge) error {
	if err := errors.Join(e.Validate(), validIDs([]graph.ID{e.From, e.To})); err != nil {
		return err
	}
	if err := t.lockKey("edge", string(e.From), string(e.Kind), string(e.To)); err != nil {
		return err
	}
	for _, id := range []graph.ID{e.From, e.To} {
		if err := t.mustNotBeForgotten(id); err != nil {
			return err
		}
	}
	e.At = graph.Millis(e.At)
	t.write(func(state *tenantState) { state.edges.set(edgeKey{e.From, e.Kind, e.To}, e) })
	return nil
}

func (t *modelTx) DeleteEdge(from graph.ID, kind graph.EdgeKind, to graph.ID) error {
	if _, err := t.Edge(from, kind, to); err == graph.ErrNotFound {
		return nil
	}
	if err := t.lockKey("edge", string(from), string(kind), string(to)); err != nil {
		return err
	}
	t.write(func(state *tenantState) { state.edges.remove(edgeKey{from, kind, to}) })
	return nil
}

func (t *modelTx) PutEntity(e *graph.Entity) error {
	if err := e.Validate(); err != nil {
		return err
	}
	if err := t.lockEntity(e); err != nil {
		return err
	}
	old, err := t.Entity(e.ID)
	if err == nil && (old.Namespace != e.Namespace || old.User != e.User || old.Canonical != e.Canonical) {
		return invalid("canonical")
	}
	if other, err := t.EntityByName(e.Namespace, e.User, e.Canonical); err == nil && other.ID != e.ID {
		return graph.ErrConflict
	}
	at := time.Time{}
	if err != nil {
		at = e.FirstSeen
	}
	e = copyEntity(e)
	t.write(func(state *tenantState) { state.entities.set(e.ID, e) })
	t.addChange(graph.NodeEntity, graph.EventUpdated, e.ID, e.Namespace, at)
	return nil
}

func (t *modelTx) lockEntity(e *graph.Entity) error {
	return errors.Join(t.lockKey("entity", string(e.ID)), t.lockKey("name", e.Namespace, e.User, e.Canonical))
}

func (t *modelTx) DeleteEntity(id graph.ID) error {
	e, err := t.Entity(id)
	if err == graph.ErrNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if err := errors.Join(t.lockEntity(e), t.pointRead("hang", string(id))); err != nil {
		return err
	}
	t.write(func(state *tenantState) { state.entities.remove(id) })
	t.addChange(graph.NodeEntity, graph.EventForgotten, id, e.Namespace, time.Time{})
	return nil
}

func (t *modelTx) PutRelation(r *graph.Relation) error {
	if err := errors.Join(r.Validate(), validIDs(append([]graph.ID{r.Source, r.Target}, r.Memories...))); err != nil {
		return err
	}
	if err := t.lockRelation(r); err != nil {
		return err
	}
	old := t.state.relation(r.Source, r.Predicate, r.Target)
	if old != nil && old.ID != r.ID {
		return graph.ErrConflict
	}
	if had, ok := t.state.relations.get(r.ID); ok && had != old {
		return invalid("predicate")
	}
	for _, id := range r.Memories {
		if old != nil && slices.Contains(old.Memories, id) {
			continue
		}
		if err := t.mustNotBeForgotten(id); err != nil {
			return err
		}
	}
	if old == nil {
		t.markWritten("hang", string(r.Source))
		t.markWritten("hang", string(r.Target))
	}
	r = copyRelation(r)
	t.write(func(state *tenantState) { state.relations.set(r.ID, r) })
	t.addChange(graph.NodeRelation, graph.EventUpdated, r.ID, r.Namespace, r.ChangedAt())
	return nil
}

func (t *modelTx) lockRelation(r *graph.Relation) error {
	return errors.Join(t.lockKey("relation", string(r.Source), r.Predicate, string(r.Target)), t.lockKey("relation", string(r.ID)))
}

// MostRelations counts the relations that it reads.
func (t *modelTx) MostRelations(entities ...graph.ID) (int, error) {
	return graph.MostRelations(t, entities...)
}

func (t *modelTx) DeleteRelation(source graph.ID, predicate string, target graph.ID) error {
	r, err := t.Relation(source, predicate, target)
	if err == graph.ErrNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if err := t.lockRelation(r); err != nil {
		return err
	}
	t.write(func(state *tenantState) { state.relations.remove(r.ID) })
	t.addChange(graph.NodeRelation, graph.EventForgotten, r.ID, r.Namespace, time.Time{})
	return nil
}

func (t *modelTx) Erase(id graph.ID, at time.Time) error {
	m, err := t.Memory(id)
	if err != nil {
		return err
	}
	if m.Status() == graph.Forgotten {
		return nil
	}
	if err := t.lockKey("memory", string(id)); err != nil {
		return err
	}
	if err := t.pointRead("hang", string(id)); err != nil {
		return err
	}
	stub := m.Stub(at)
	t.write(func(state *tenantState) {
		state.memories.set(id, stub)
		state.usage.remove(id)
		state.vectors.remove(id)
		for k := range state.edges.entries {
			if k.from == id || k.to == id {
				state.edges.remove(k)
			}
		}
		state.removeRequests(id)
		for k, n := range state.notes.entries {
			if slices.Contains(n.Memories, id) {
				n.Data = nil
				state.notes.set(k, n)
				if k.kind == graph.NoteDecision {
					state.removeRequests(k.id)
				}
			}
		}
	})
	for _, r := range t.state.relations.entries {
		if !slices.Contains(r.Memories, id) {
			continue
		}
		left := copyRelation(r)
		left.Memories = slices.DeleteFunc(left.Memories, func(m graph.ID) bool { return m == id })
		if len(left.Memories) == 0 {
			err = t.DeleteRelation(r.Source, r.Predicate, r.Target)
		} else {
			err = t.PutRelation(left)
		}
		if err != nil {
			return err
		}
	}
	t.addChange(graph.NodeMemory, graph.EventForgotten, id, m.Namespace, stub.DeletedAt)
	return nil
}

func (t *modelTx) PutRequest(q graph.Request) error {
	if err := errors.Join(q.Validate(), validOrEmpty(q.Result, q.Before)); err != nil {
		return err
	}
	if err := t.lockKey("request", q.Key); err != nil {
		return err
	}
	if _, ok := t.state.requests.get(q.Key); ok {
		return graph.ErrConflict
	}
	if q.Result != "" {
		if err := t.mustNotBeForgotten(q.Result); err != nil {
			return err
		}
	}
	q.Answer, q.At = slices.Clone(q.Answer), graph.Millis(q.At)
	t.write(func(state *tenantState) { state.requests.set(q.Key, q); state.noteRecorded(q.At) })
	return nil
}

func (t *modelTx) PutReceipt(r graph.Receipt) error {
	if !r.ID.Valid() {
		return invalid("id")
	}
	if err := t.lockKey("receipt", string(r.ID)); err != nil {
		return err
	}
	r.RequestedAt, r.CompletedAt = graph.Millis(r.RequestedAt), graph.Millis(r.CompletedAt)
	t.write(func(state *tenantState) {
		state.receipts.set(r.ID, r)
		state.noteRecorded(r.RequestedAt)
		state.noteRecorded(r.CompletedAt)
	})
	return nil
}

func (t *modelTx) PutReceiptIDs(receipt graph.ID, ids []graph.ID) error {
	ids = slices.Clone(ids)
	if err := errors.Join(validIDs(append(ids, receipt)), t.listRead()); err != nil {
		return err
	}
	t.write(func(state *tenantState) {
		for _, id := range ids {
			state.receiptIDs.set([2]graph.ID{receipt, id}, true)
		}
	})
	return nil
}

func (t *modelTx) PutSetting(name string, value []byte) error {
	if err := graph.ValidateSetting(name, value); err != nil {
		return err
	}
	if err := t.lockKey("setting", name); err != nil {
		return err
	}
	if value == nil {
		t.write(func(state *tenantState) { state.settings.remove(name) })
		return nil
	}
	value = append([]byte{}, value...)
	t.write(func(state *tenantState) { state.settings.set(name, value) })
	return nil
}
