package badgerstore

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// idChunk is how many ids of an index are read before their memories are.
const idChunk = 256

// indexKeys returns the keys of a memory's index rows.
func (r rowReader) indexKeys(m *graph.Memory, b [16]byte) []key {
	var keys []key
	add := func(index byte, value [16]byte) { keys = append(keys, r.indexKey(index, value, b[:]...)) }
	add(byNamespace, r.names.name(m.Namespace))
	add(byUser, r.names.name(m.User))
	if c, err := m.Chain.Bytes(); err == nil {
		add(byChain, c)
	}
	if m.Session != "" {
		add(bySession, r.names.name(m.Session))
	}
	if m.Subject != "" {
		add(bySubject, r.names.name(m.Subject))
	}
	if m.Project != "" {
		add(byProject, r.names.name(m.Project))
	}
	if m.ExternalID != "" {
		add(byExternal, r.names.name(m.ExternalID))
	}
	if !m.ExpiresAt.IsZero() {
		add(byExpiry, expiryValue(m.ExpiresAt))
	}
	if m.EmbeddingPending() {
		add(byPending, [16]byte{})
	}
	return keys
}

// expiryValue is an instant in the index of expiry: ascending, also before 1970.
func expiryValue(t time.Time) (v [16]byte) {
	binary.BigEndian.PutUint64(v[:], uint64(t.UnixMilli())^1<<63)
	return v
}

// ListMemories returns the memories that match the query, by ascending id (descending if
// q.Descending), at most q.Limit.
//
// It reads the index that promises the fewest rows, and filters the memories.
func (r *reader) ListMemories(q graph.MemoryQuery) ([]*graph.Memory, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	if err := graph.ValidateAfter(q.After); err != nil {
		return nil, err
	}
	lister := memoryLister{reader: r, query: q, limit: graph.PageSize(q.Limit), wanted: wantedRows(q.Statuses)}
	if !q.ExpiresBy.IsZero() {
		return lister.listExpiring()
	}
	return lister.run()
}

// memoryLister runs one query.
type memoryLister struct {
	*reader
	query    graph.MemoryQuery
	limit    int
	wanted   func(meta byte) bool // of the user meta bytes of memories; nil: any
	memories []*graph.Memory
}

// wantedRows returns which user meta bytes of rows of memories can belong to memories of the
// statuses, nil for all.
func wantedRows(statuses []graph.Status) func(meta byte) bool {
	switch {
	case slices.Equal(statuses, []graph.Status{graph.Forgotten}):
		return func(meta byte) bool { return meta == stubMeta }
	case slices.Equal(statuses, []graph.Status{graph.Active}):
		return func(meta byte) bool { return meta != stubMeta && meta != endedMeta }
	}
	return nil
}

// indexPaths returns the index paths of the query, each as the prefixes of keys that cover
// all its memories, the likely shortest first. The last one covers everything.
func (lister *memoryLister) indexPaths() [][]key {
	var paths [][]key
	add := func(index byte, values ...[16]byte) {
		var p []key
		for _, v := range values {
			p = append(p, lister.indexKey(index, v))
		}
		paths = append(paths, p)
	}
	q := lister.query
	if q.Chain != "" {
		c, err := q.Chain.Bytes()
		if err != nil {
			return [][]key{{}} // no memory has an invalid id
		}
		add(byChain, c)
	}
	if q.ExternalID != "" {
		add(byExternal, lister.names.name(q.ExternalID))
	}
	if q.Session != "" {
		add(bySession, lister.names.name(q.Session))
	}
	if q.Subject != "" {
		add(bySubject, lister.names.name(q.Subject))
	}
	if q.Pending {
		add(byPending, [16]byte{})
	}
	if q.Project != "" {
		add(byProject, lister.names.name(q.Project))
	}
	if len(q.Users) > 0 && !slices.Contains(q.Users, "") {
		add(byUser, lister.names.names(q.Users)...)
	}
	if len(q.Namespaces) > 0 {
		add(byNamespace, lister.names.names(q.Namespaces)...)
	}
	if slices.Contains(q.Users, "") {
		add(byUser, lister.names.names(q.Users)...)
	}
	return append(paths, []key{lister.ks.rowKey(rowMemory)})
}

// run uses the first path that ends within one chunk, else the first one, and loads the
// memories of the path chunk by chunk.
func (lister *memoryLister) run() ([]*graph.Memory, error) {
	paths := lister.indexPaths()
	if len(paths) == 1 && len(lister.query.Chain) == 0 {
		return lister.scanAll()
	}
	var path []key
	for i, p := range paths {
		ids, end, err := lister.nextIDs(p, lister.query.After)
		if err != nil {
			return nil, err
		}
		if end == "" {
			err := lister.loadMatching(ids)
			return lister.memories, err
		}
		if i == 0 {
			path = p
		}
		if i == len(paths)-2 {
			break // the last path is the longest
		}
	}
	for after := lister.query.After; ; {
		ids, end, err := lister.nextIDs(path, after)
		if err != nil {
			return nil, err
		}
		if err := lister.loadMatching(ids); err != nil || end == "" || len(lister.memories) == lister.limit {
			return lister.memories, err
		}
		after = end
	}
}

// nextIDs returns ids of a path after the given id, in the requested order, and the id
// after which to continue, empty at the end.
func (lister *memoryLister) nextIDs(path []key, after graph.ID) (ids []graph.ID, end graph.ID, err error) {
	if err := lister.ctx.Err(); err != nil {
		return nil, "", err
	}
	for _, prefix := range path {
		some, err := lister.scanIDs(prefix, after, lister.query.Descending, idChunk)
		if err != nil {
			return nil, "", err
		}
		ids = append(ids, some...)
		if len(some) == idChunk && (end == "" || lister.comesAfter(end, some[idChunk-1])) {
			end = some[idChunk-1] // after it, this prefix is not known
		}
	}
	graph.SortIDs(ids, lister.query.Descending)
	ids = slices.Compact(ids)
	if end != "" {
		ids = slices.DeleteFunc(ids, func(id graph.ID) bool { return lister.comesAfter(id, end) })
	}
	return ids, end, nil
}

// comesAfter reports whether a comes after b in the requested order.
func (lister *memoryLister) comesAfter(a, b graph.ID) bool {
	return graph.Follows(a, b, lister.query.Descending)
}

// loadMatching loads the memories and keeps those that match, up to the limit.
func (lister *memoryLister) loadMatching(ids []graph.ID) error {
	for _, id := range ids {
		if len(lister.memories) == lister.limit {
			return nil
		}
		b, err := id.Bytes()
		if err != nil {
			return err
		}
		m, err := lister.readMemoryOf(lister.wanted, id, b)
		if err != nil {
			err = mustExist(err, rowMemory, "an index refers to a missing memory")
		} else if m != nil {
			err = lister.keepMatching(m, b)
		}
		if err != nil && !lister.leavesOut(err) {
			return err
		}
	}
	return nil
}

// leavesOut reports whether the query leaves out the row that an error is about.
func (lister *memoryLister) leavesOut(err error) bool {
	return lister.query.Undamaged && graph.DamagedRow(err)
}

// scanAll scans the memories themselves.
func (lister *memoryLister) scanAll() ([]*graph.Memory, error) {
	prefix := lister.ks.rowKey(rowMemory)
	from, err := seekKey(prefix, lister.query.After, lister.query.Descending)
	if err != nil {
		return nil, err
	}
	err = lister.scanRowsOf(lister.wanted, lister.leavesOut, prefix, from, lister.query.Descending, func(k key, payload []byte) (bool, error) {
		if err := lister.ctx.Err(); err != nil {
			return false, err
		}
		id, err := lastID(k)
		if err != nil {
			return false, err
		}
		m, err := decodeMemory(k, id, payload)
		if err != nil {
			return false, err
		}
		err = lister.keepMatching(m, [16]byte(k[len(k)-16:]))
		return len(lister.memories) < lister.limit, err
	})
	return lister.memories, err
}

// listExpiring scans the index of expiry, whose order is not that of ids.
func (lister *memoryLister) listExpiring() ([]*graph.Memory, error) {
	prefix := lister.namedKey(rowIndex, []byte{byExpiry})
	bound := expiryValue(lister.query.ExpiresBy)
	var ids []graph.ID
	err := lister.scanRows(prefix, prefix, false, func(k key, _ []byte) (bool, error) {
		if string(k[len(prefix):len(prefix)+16]) > string(bound[:]) {
			return false, nil
		}
		id, err := lastID(k)
		if lister.comesAfter(id, lister.query.After) {
			ids = append(ids, id)
		}
		return true, err
	})
	if err != nil {
		return nil, err
	}
	graph.SortIDs(ids, lister.query.Descending)
	err = lister.loadMatching(ids)
	return lister.memories, err
}

// keepMatching keeps a memory that matches, with its usage.
func (lister *memoryLister) keepMatching(m *graph.Memory, b [16]byte) error {
	if !lister.query.Matches(m) {
		return nil
	}
	if err := lister.fillUsage(m, b); err != nil {
		return err
	}
	lister.memories = append(lister.memories, m)
	return nil
}
