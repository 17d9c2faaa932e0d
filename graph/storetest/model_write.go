package storetest

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// modelTx writes to a world of its own, and keeps what it did to do it again on the
// world that stands when it commits.
type modelTx struct {
	modelReader
	base    uint64 // number of the world it began on
	dirty   bool
	redo    []func(*world)
	changes []graph.Change
	written map[string]bool
}

func (t *modelTx) do(write func(*world)) {
	t.dirty = true
	write(t.w)
	t.redo = append(t.redo, write)
}

// lock marks a key as read and written.
func (t *modelTx) lock(what string, words ...string) error {
	if err := t.point(what, words...); err != nil {
		return err
	}
	t.mark(what, words...)
	return nil
}

// mark marks a key as written.
func (t *modelTx) mark(what string, words ...string) {
	if t.written == nil {
		t.written = map[string]bool{}
	}
	t.written[what+" "+strings.Join(words, "\x00")] = true
}

func (t *modelTx) changed(node graph.NodeKind, kind graph.EventKind, id graph.ID, namespace string, at time.Time) {
	at = graph.Millis(at)
	t.changes = append(t.changes, graph.Change{At: at, Node: node, Kind: kind, ID: id, Namespace: namespace})
	t.do(func(w *world) { w.note(at) })
}

func invalid(field string) error {
	return graph.FieldError(graph.CodeInvalidRequest, field, "is not valid")
}

// ids answers an error unless each is empty or well-formed.
func validIDs(ids ...graph.ID) error {
	for _, id := range ids {
		if id != "" && !id.Valid() {
			return invalid("id")
		}
	}
	return nil
}

func finite(xs ...float64) error {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return invalid("number")
		}
	}
	return nil
}

// hangable answers an error where the memory is FORGOTTEN. It and Erase exclude each
// other.
func (t *modelTx) hangable(id graph.ID) error {
	t.mark("hang", string(id))
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
	if err := m.Validate(); err != nil {
		return err
	}
	if m.Status() == graph.Forgotten || kind == graph.EventForgotten || kind == graph.EventLagged || !slices.Contains(graph.EventKinds, kind) {
		return invalid("kind")
	}
	if m.Position != nil {
		if err := finite(float64(m.Position[0]), float64(m.Position[1]), float64(m.Position[2])); err != nil {
			return err
		}
	}
	if slices.Contains(m.Entities, "") {
		return invalid("entities")
	}
	if err := validIDs(append([]graph.ID{m.Supersedes, m.SupersededBy, m.Consolidated}, m.Entities...)...); err != nil {
		return err
	}
	if err := t.lock("memory", string(m.ID)); err != nil {
		return err
	}
	if err := t.hangable(m.ID); err != nil {
		return err
	}
	m = copyMemory(m)
	t.do(func(w *world) { w.memories.set(m.ID, m) })
	t.changed(graph.NodeMemory, kind, m.ID, m.Namespace, m.UpdatedAt)
	return nil
}

func (t *modelTx) PutEmbedding(id graph.ID, vector []float32) error {
	if len(vector) == 0 || len(vector) > graph.MaxVector {
		return invalid("embedding")
	}
	for _, x := range vector {
		if err := finite(float64(x)); err != nil {
			return err
		}
	}
	if err := t.lock("embedding", string(id)); err != nil {
		return err
	}
	if _, err := t.Memory(id); err != nil {
		return err
	}
	if err := t.hangable(id); err != nil {
		return err
	}
	v := slices.Clone(vector)
	t.do(func(w *world) { w.vectors.set(id, v) })
	return nil
}

func (t *modelTx) PutEdge(e graph.Edge) error {
	if !e.From.Valid() || !e.To.Valid() || e.Kind == "" || len(e.Kind) > graph.MaxName {
		return invalid("edge")
	}
	if err := graph.Unit("weight", e.Weight); err != nil {
		return err
	}
	if err := t.lock("edge", string(e.From), string(e.Kind), string(e.To)); err != nil {
		return err
	}
	for _, id := range []graph.ID{e.From, e.To} {
		if err := t.hangable(id); err != nil {
			return err
		}
	}
	e.At = graph.Millis(e.At)
	t.do(func(w *world) { w.edges.set(edgeKey{e.From, e.Kind, e.To}, e) })
	return nil
}

func (t *modelTx) DeleteEdge(from graph.ID, kind graph.EdgeKind, to graph.ID) error {
	if _, err := t.Edge(from, kind, to); err == graph.ErrNotFound {
		return nil
	}
	if err := t.lock("edge", string(from), string(kind), string(to)); err != nil {
		return err
	}
	t.do(func(w *world) { w.edges.unset(edgeKey{from, kind, to}) })
	return nil
}

func (t *modelTx) PutEntity(e *graph.Entity) error {
	if !e.ID.Valid() || !graph.ValidNamespace(e.Namespace) || e.Canonical == "" || len(e.Properties) > 0 && !json.Valid(e.Properties) {
		return invalid("entity")
	}
	if err := t.lock("entity", string(e.ID)); err != nil {
		return err
	}
	if err := t.lock("name", e.Namespace, e.User, e.Canonical); err != nil {
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
	t.do(func(w *world) { w.entities.set(e.ID, e) })
	t.changed(graph.NodeEntity, graph.EventUpdated, e.ID, e.Namespace, at)
	return nil
}

func (t *modelTx) DeleteEntity(id graph.ID) error {
	e, err := t.Entity(id)
	if err == graph.ErrNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if err := t.lock("entity", string(id)); err != nil {
		return err
	}
	if err := t.lock("name", e.Namespace, e.User, e.Canonical); err != nil {
		return err
	}
	t.do(func(w *world) { w.entities.unset(id) })
	t.changed(graph.NodeEntity, graph.EventForgotten, id, e.Namespace, time.Time{})
	return nil
}

func (t *modelTx) PutRelation(r *graph.Relation) error {
	if !r.ID.Valid() || !r.Source.Valid() || !r.Target.Valid() || !graph.ValidNamespace(r.Namespace) || r.Predicate == "" ||
		r.Strength < 0 || finite(r.Strength) != nil {
		return invalid("relation")
	}
	if err := graph.Unit("confidence", r.Confidence); err != nil {
		return err
	}
	if slices.Contains(r.Memories, "") || validIDs(r.Memories...) != nil {
		return invalid("memories")
	}
	if err := t.lockRelation(r); err != nil {
		return err
	}
	old := t.w.relation(r.Source, r.Predicate, r.Target)
	if old != nil && old.ID != r.ID {
		return graph.ErrConflict
	}
	if had, ok := t.w.relations.get(r.ID); ok && had != old {
		return invalid("predicate")
	}
	for _, id := range r.Memories {
		if old != nil && slices.Contains(old.Memories, id) {
			continue
		}
		if err := t.hangable(id); err != nil {
			return err
		}
	}
	r = copyRelation(r)
	t.do(func(w *world) { w.relations.set(r.ID, r) })
	at := r.RecordedAt
	if r.StrengthAt.After(at) {
		at = r.StrengthAt
	}
	t.changed(graph.NodeRelation, graph.EventUpdated, r.ID, r.Namespace, at)
	return nil
}

func (t *modelTx) lockRelation(r *graph.Relation) error {
	if err := t.lock("relation", string(r.Source), r.Predicate, string(r.Target)); err != nil {
		return err
	}
	return t.lock("relation", string(r.ID))
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
	t.do(func(w *world) { w.relations.unset(r.ID) })
	t.changed(graph.NodeRelation, graph.EventForgotten, r.ID, r.Namespace, time.Time{})
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
	if err := t.lock("memory", string(id)); err != nil {
		return err
	}
	if err := t.point("hang", string(id)); err != nil {
		return err
	}
	stub := &graph.Memory{
		ID: m.ID, Namespace: m.Namespace, Chain: m.Chain, Version: m.Version,
		CreatedAt: m.CreatedAt, RecordedAt: m.RecordedAt, OccurredAt: m.OccurredAt, ValidFrom: m.ValidFrom,
		ExpiresAt: m.ExpiresAt, AnchorAt: m.AnchorAt, History: m.History,
	}
	at = stub.SetState(at, func(s *graph.State) { s.Status, s.Core = graph.Forgotten, false })
	stub.UpdatedAt, stub.DeletedAt = at, at
	t.do(func(w *world) {
		w.memories.set(id, stub)
		w.usage.unset(id)
		w.vectors.unset(id)
		for k := range w.edges.m {
			if k.from == id || k.to == id {
				w.edges.unset(k)
			}
		}
		for k, q := range w.requests.m {
			if q.Result == id {
				w.requests.unset(k)
			}
		}
		for k, n := range w.notes.m {
			if slices.Contains(n.Memories, id) {
				n.Data = nil
				w.notes.set(k, n)
			}
		}
	})
	for _, r := range t.w.relations.m {
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
	t.changed(graph.NodeMemory, graph.EventForgotten, id, m.Namespace, at)
	return nil
}

func (t *modelTx) PutRequest(q graph.Request) error {
	if q.Key == "" || len(q.Key) > 300 || validIDs(q.Result, q.Before) != nil {
		return invalid("idempotencyKey")
	}
	if err := t.lock("request", q.Key); err != nil {
		return err
	}
	if _, ok := t.w.requests.get(q.Key); ok {
		return graph.ErrConflict
	}
	if q.Result != "" {
		if err := t.hangable(q.Result); err != nil {
			return err
		}
	}
	q.Answer, q.At = slices.Clone(q.Answer), graph.Millis(q.At)
	t.do(func(w *world) { w.requests.set(q.Key, q); w.note(q.At) })
	return nil
}

func (t *modelTx) PutReceipt(r graph.Receipt) error {
	if !r.ID.Valid() {
		return invalid("id")
	}
	if err := t.lock("receipt", string(r.ID)); err != nil {
		return err
	}
	r.RequestedAt, r.CompletedAt = graph.Millis(r.RequestedAt), graph.Millis(r.CompletedAt)
	t.do(func(w *world) { w.receipts.set(r.ID, r); w.note(r.RequestedAt); w.note(r.CompletedAt) })
	return nil
}

func (t *modelTx) PutReceiptIDs(receipt graph.ID, ids []graph.ID) error {
	if !receipt.Valid() || slices.Contains(ids, "") || validIDs(ids...) != nil {
		return invalid("ids")
	}
	if err := t.list(); err != nil {
		return err
	}
	ids = slices.Clone(ids)
	t.do(func(w *world) {
		for _, id := range ids {
			w.receiptIDs.set([2]graph.ID{receipt, id}, true)
		}
	})
	return nil
}

func (t *modelTx) PutSetting(name string, value []byte) error {
	if name == "" {
		return invalid("name")
	}
	if len(value) > 64<<10 {
		return graph.ErrTooLarge
	}
	if err := t.lock("setting", name); err != nil {
		return err
	}
	if value == nil {
		t.do(func(w *world) { w.settings.unset(name) })
		return nil
	}
	value = append([]byte{}, value...)
	t.do(func(w *world) { w.settings.set(name, value) })
	return nil
}
