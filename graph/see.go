package graph

import (
	"context"
	"time"
)

// See returns a reader that shows of r what the sight shows. Every store applies it in View, so
// that no caller can omit it. It returns r itself if the sight shows everything. The reader may
// read more rows than it returns, and is not safe for concurrent use.
func See(r Reader, s Sight) Reader {
	if s.Whole() && s.Receipts == "" {
		return r
	}
	seen := &sightReader{r: r, sight: s, memories: map[ID]shown{}}
	if ahead, ok := r.(Expecter); ok {
		return &expectingSightReader{seen, ahead}
	}
	return seen
}

// expectingSightReader is a sightReader over an [Expecter].
type expectingSightReader struct {
	*sightReader
	Expecter
}

// shown is what a sight shows of a memory.
type shown struct{ visible, erased bool }

// sightReader filters a reader.
type sightReader struct {
	r        Reader
	sight    Sight
	memories map[ID]shown // of those that were read
}

// Memory returns a visible memory, or ErrNotFound.
func (x *sightReader) Memory(id ID) (*Memory, error) {
	m, err := x.r.Memory(id)
	if err == nil && !x.sight.Memory(m) {
		return nil, ErrNotFound
	}
	return m, err
}

// Memories returns memories in the order of ids, nil for a missing or invisible one.
func (x *sightReader) Memories(ids []ID) ([]*Memory, error) {
	all, err := x.r.Memories(ids)
	for i, m := range all {
		if m != nil && !x.sight.Memory(m) {
			all[i] = nil
		}
	}
	return all, err
}

// visible reports which memories are visible.
func (x *sightReader) visible(ids []ID) ([]bool, error) {
	all := make([]bool, len(ids))
	if x.sight.Whole() {
		for i := range all {
			all[i] = true
		}
		return all, nil
	}
	err := x.read(ids)
	for i, id := range ids {
		all[i] = x.memories[id].visible
	}
	return all, err
}

// read finds out what the sight shows of memories.
func (x *sightReader) read(ids []ID) error {
	var unknown []ID
	for _, id := range ids {
		if _, known := x.memories[id]; !known {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) > 0 {
		found, err := x.r.Memories(unknown)
		if err != nil {
			return err
		}
		for i, m := range found {
			x.remember(unknown[i], m)
		}
	}
	return nil
}

// remember notes what the sight shows of a memory, nil if there is none, and reports whether it is
// visible.
func (x *sightReader) remember(id ID, m *Memory) bool {
	s := shown{visible: m != nil && x.sight.Memory(m), erased: m != nil && m.Status() == Forgotten}
	x.memories[id] = s
	return s.visible
}

// sees returns ErrNotFound unless all of the memories are visible.
func (x *sightReader) sees(ids ...ID) error {
	all, err := x.visible(ids)
	if err != nil {
		return err
	}
	for _, ok := range all {
		if !ok {
			return ErrNotFound
		}
	}
	return nil
}

// Embedding returns the vector of a visible memory, or ErrNotFound.
func (x *sightReader) Embedding(id ID) ([]float32, error) {
	if err := x.sees(id); err != nil {
		return nil, err
	}
	return x.r.Embedding(id)
}

// ListMemories returns the visible memories that match the query.
func (x *sightReader) ListMemories(q MemoryQuery) ([]*Memory, error) {
	namespaces, ok := narrow(q.Namespaces, x.sight.Namespaces)
	users, some := narrow(q.Users, x.sight.Users())
	if !ok || !some {
		return nil, ValidateAfter(q.After)
	}
	q.Namespaces, q.Users = namespaces, users
	return seenPages(q.After, q.Limit, func(after ID, limit int) ([]*Memory, error) {
		q.After, q.Limit = after, limit
		return x.r.ListMemories(q)
	}, func(m *Memory) ID { return m.ID }, func(page []*Memory) ([]bool, error) {
		shown := make([]bool, len(page))
		for i, m := range page {
			shown[i] = x.remember(m.ID, m)
		}
		return shown, nil
	})
}

// seenPages returns the visible items of a list after an id, at most limit.
func seenPages[T any](after ID, limit int, list func(after ID, limit int) ([]T, error), id func(T) ID, visible func([]T) ([]bool, error)) ([]T, error) {
	limit = PageSize(limit)
	var out []T
	for {
		page, err := list(after, limit)
		if err != nil {
			return nil, err
		}
		shown, err := visible(page)
		if err != nil {
			return nil, err
		}
		for i, item := range page {
			after = id(item)
			if shown[i] {
				if out = append(out, item); len(out) == limit {
					return out, nil
				}
			}
		}
		if len(page) < limit {
			return out, nil
		}
	}
}

// Edge returns an edge between visible memories, or ErrNotFound.
func (x *sightReader) Edge(from ID, kind EdgeKind, to ID) (*Edge, error) {
	if err := x.sees(from, to); err != nil {
		return nil, err
	}
	return x.r.Edge(from, kind, to)
}

// Edges returns the edges of a visible memory to visible memories.
func (x *sightReader) Edges(id ID, dir Direction, kinds ...EdgeKind) ([]Edge, error) {
	if shown, err := x.visible([]ID{id}); err != nil || !shown[0] {
		return nil, err
	}
	all, err := x.r.Edges(id, dir, kinds...)
	if err != nil || len(all) == 0 {
		return all, err
	}
	others := make([]ID, len(all))
	for i, e := range all {
		if others[i] = e.To; e.To == id {
			others[i] = e.From
		}
	}
	shown, err := x.visible(others)
	if err != nil {
		return nil, err
	}
	var out []Edge
	for i, e := range all {
		if shown[i] {
			out = append(out, e)
		}
	}
	return out, nil
}

// entity returns the entity if it is visible, else ErrNotFound.
func (x *sightReader) entity(e *Entity, err error) (*Entity, error) {
	if err != nil {
		return nil, err
	}
	switch ok, err := x.seesEntity(e); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, ErrNotFound
	}
	return e, nil
}

func (x *sightReader) seesEntity(e *Entity) (bool, error) {
	if !x.sight.Owner(e.Namespace, e.User) || !x.sight.LimitsClasses() {
		return x.sight.Owner(e.Namespace, e.User), nil
	}
	some, err := x.Mentions(e.ID, "", 1)
	return len(some) > 0, err
}

// Entity returns a visible entity, or ErrNotFound.
func (x *sightReader) Entity(id ID) (*Entity, error) { return x.entity(x.r.Entity(id)) }

// EntityByName returns a visible entity, or ErrNotFound.
func (x *sightReader) EntityByName(namespace, user, canonical string) (*Entity, error) {
	return x.entity(x.r.EntityByName(namespace, user, canonical))
}

// ListEntities returns the visible entities that match the query.
func (x *sightReader) ListEntities(q EntityQuery) ([]*Entity, error) {
	namespaces, ok := narrow(q.Namespaces, x.sight.Namespaces)
	users, some := narrow(q.Users, x.sight.Users())
	if !ok || !some {
		return nil, ValidateAfter(q.After)
	}
	q.Namespaces, q.Users = namespaces, users
	return seenPages(q.After, q.Limit, func(after ID, limit int) ([]*Entity, error) {
		q.After, q.Limit = after, limit
		return x.r.ListEntities(q)
	}, func(e *Entity) ID { return e.ID }, func(page []*Entity) (shown []bool, err error) {
		shown = make([]bool, len(page))
		for i, e := range page {
			if shown[i], err = x.seesEntity(e); err != nil {
				return nil, err
			}
		}
		return shown, nil
	})
}

// Mentions returns the ids of the visible memories that mention the entity.
func (x *sightReader) Mentions(entity, after ID, limit int) ([]ID, error) {
	return seenPages(after, limit, func(after ID, limit int) ([]ID, error) { return x.r.Mentions(entity, after, limit) },
		func(id ID) ID { return id }, x.visible)
}

// relation returns the relation as it is visible, or ErrNotFound: both ends are visible and, if
// memories state it, one of them is. Its Memories are the visible ones.
func (x *sightReader) relation(r *Relation, err error) (*Relation, error) {
	if err != nil {
		return nil, err
	}
	for _, end := range [...]ID{r.Source, r.Target} {
		if _, err := x.Entity(end); err != nil {
			return nil, err
		}
	}
	if len(r.Memories) == 0 || x.sight.Whole() {
		return r, nil
	}
	if err := x.read(r.Memories); err != nil {
		return nil, err
	}
	var stating []ID
	for _, id := range r.Memories {
		if s := x.memories[id]; s.visible && !s.erased {
			stating = append(stating, id)
		}
	}
	if len(stating) == 0 {
		return nil, ErrNotFound
	}
	r.Memories = stating
	return r, nil
}

// Relation returns a visible relation, or ErrNotFound.
func (x *sightReader) Relation(source ID, predicate string, target ID) (*Relation, error) {
	return x.relation(x.r.Relation(source, predicate, target))
}

// RelationByID returns a visible relation, or ErrNotFound.
func (x *sightReader) RelationByID(id ID) (*Relation, error) {
	return x.relation(x.r.RelationByID(id))
}

// Relations returns the visible relations of an entity.
func (x *sightReader) Relations(entity ID, dir Direction, after ID, limit int) ([]*Relation, error) {
	return seenPages(after, limit, func(after ID, limit int) ([]*Relation, error) {
		return x.r.Relations(entity, dir, after, limit)
	}, func(r *Relation) ID { return r.ID }, func(page []*Relation) ([]bool, error) {
		shown := make([]bool, len(page))
		for i, r := range page {
			_, err := x.relation(r, nil)
			if shown[i], err = Found(err); err != nil {
				return nil, err
			}
		}
		return shown, nil
	})
}

// Request returns an idempotency record. Its key contains its principal, so that nobody can name
// that of another.
func (x *sightReader) Request(key string) (*Request, error) { return x.r.Request(key) }

// Receipt returns a visible receipt, or ErrNotFound.
func (x *sightReader) Receipt(id ID) (*Receipt, error) {
	receipt, err := x.r.Receipt(id)
	if err != nil || x.sight.Receipts == "" || receipt.Owner == PrincipalMark(string(id), x.sight.Receipts) {
		return receipt, err
	}
	if !x.sight.Administers || receipt.Status != DeletionComplete || receipt.Count == 0 {
		return nil, ErrNotFound
	}
	for after := ID(""); ; {
		ids, err := x.r.ReceiptIDs(id, after, MaxPage)
		if err == nil {
			err = x.sees(ids...)
		}
		if err != nil {
			return nil, err
		}
		if len(ids) < MaxPage {
			return receipt, nil
		}
		after = ids[len(ids)-1]
	}
}

// ReceiptIDs returns the ids of a visible receipt.
func (x *sightReader) ReceiptIDs(receipt, after ID, limit int) ([]ID, error) {
	if ok, err := Found(errorOf(x.Receipt(receipt))); !ok {
		return nil, err
	}
	return x.r.ReceiptIDs(receipt, after, limit)
}

func errorOf[T any](_ T, err error) error { return err }

// note reports whether a note is visible: its namespace is, all its memories are, and its owner
// is, whom its Data names as "user". A note without memories that has no namespace concerns the
// whole tenant. A decision whose Data was removed names no owner any more, and is visible only to a sight of
// all owners. One without memories may be about any class of memories, except those of clusters:
// they hold ids and numbers, and their reader shows of them what the sight shows of the memories.
func (x *sightReader) note(n *Note) (bool, error) {
	if x.sight.Whole() {
		return true, nil
	}
	if n.Kind.OfClusters() {
		return x.sight.Namespace(n.Namespace), nil
	}
	if !x.sight.Namespace(n.Namespace) || len(n.Memories) == 0 && (n.Namespace == "" || x.sight.LimitsClasses()) {
		return false, nil
	}
	if ok, err := Found(x.sees(n.Memories...)); !ok {
		return false, err
	}
	if !x.sight.LimitsOwners() {
		return true, nil
	}
	if len(n.Data) == 0 {
		return n.Kind != NoteDecision, nil
	}
	owner, known := n.Owner()
	if !known {
		return len(n.Memories) > 0, nil
	}
	return x.sight.Owner(n.Namespace, owner), nil
}

// Note returns a visible note, or ErrNotFound.
func (x *sightReader) Note(kind NoteKind, id ID) (*Note, error) {
	n, err := x.r.Note(kind, id)
	if err != nil {
		return nil, err
	}
	switch ok, err := x.note(n); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, ErrNotFound
	}
	return n, nil
}

// Notes returns the visible notes of a kind.
func (x *sightReader) Notes(kind NoteKind, after ID, descending bool, limit int) ([]*Note, error) {
	return seenPages(after, limit, func(after ID, limit int) ([]*Note, error) {
		return x.r.Notes(kind, after, descending, limit)
	}, func(n *Note) ID { return n.ID }, func(page []*Note) (shown []bool, err error) {
		shown = make([]bool, len(page))
		for i, n := range page {
			if shown[i], err = x.note(n); err != nil {
				return nil, err
			}
		}
		return shown, nil
	})
}

// Setting returns a setting: they are the state of the server, not of a user.
func (x *sightReader) Setting(name string) ([]byte, error) { return x.r.Setting(name) }

// LastRecorded is that of the whole tenant, because clocks must not go below it.
func (x *sightReader) LastRecorded() (time.Time, error) { return x.r.LastRecorded() }

// SeenChanges lists the visible changes after the cursor, in order, at most limit: those of
// memories, entities and relations that the sight of the scope shows now. Every store applies it
// in Changes. list returns the changes of the whole tenant.
func SeenChanges(ctx context.Context, v Viewer, scope Scope, after Cursor, limit int, list func(after Cursor, limit int) ([]Change, error)) ([]Change, error) {
	if scope.Sight.Whole() {
		return list(after, limit)
	}
	limit = PageSize(limit)
	var out []Change
	for {
		page, err := list(after, limit)
		if err != nil || len(page) == 0 {
			return out, err
		}
		after = page[len(page)-1].Cursor
		var kept []Change
		if err := v.View(ctx, scope, func(r Reader) (err error) { kept, err = seenChanges(r, scope.Sight, page); return err }); err != nil {
			return nil, err
		}
		if out = append(out, kept...); len(out) >= limit {
			return out[:limit], nil
		}
	}
}

func seenChanges(r Reader, s Sight, page []Change) (kept []Change, err error) {
	var ids []ID
	for _, ch := range page {
		if ch.Node == NodeMemory || ch.Node == NodeUsage {
			ids = append(ids, ch.ID)
		}
	}
	memories, err := r.Memories(ids)
	if err != nil {
		return nil, err
	}
	for _, ch := range page {
		ok := false
		switch ch.Node {
		case NodeMemory, NodeUsage:
			ok, memories = memories[0] != nil, memories[1:]
		case NodeEntity:
			ok, err = Found(errorOf(r.Entity(ch.ID)))
		case NodeRelation:
			ok, err = Found(errorOf(r.RelationByID(ch.ID)))
		}
		if err != nil {
			return nil, err
		}
		if ok && s.Namespace(ch.Namespace) {
			kept = append(kept, ch)
		}
	}
	return kept, nil
}
