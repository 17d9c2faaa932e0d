package dgraphstore

import (
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

// ListMemories returns the memories that match the query, by ascending id (descending if
// q.Descending), at most q.Limit.
func (r *reader) ListMemories(q graph.MemoryQuery) ([]*graph.Memory, error) {
	if err := r.scanRead(); err != nil {
		return nil, err
	}
	if q.After != "" && !q.After.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	if q.Chain != "" && !q.Chain.Valid() {
		return nil, nil // no memory has an invalid id
	}
	lister := memoryLister{reader: r, query: q, limit: graph.PageSize(q.Limit) + r.editedRows(memories)}
	if err := lister.run(); err != nil {
		return nil, err
	}
	rows, err := r.visibleRows(memories, lister.rows, func(key, record string) (bool, error) {
		id, err := r.ks.parseID(key)
		if err != nil {
			return false, err
		}
		m, err := decodeMemory(sealKey("memory", key), id, record)
		return err == nil && q.Matches(m) && (q.After == "" || lister.isAfter(id)), err
	})
	if err != nil {
		return nil, err
	}
	sortRows(rows, q.Descending)
	var out []*graph.Memory
	for _, storedRow := range rows[:min(len(rows), graph.PageSize(q.Limit))] {
		m, err := r.memoryOf(storedRow.Key, storedRow.Record, storedRow)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	r.vectorPrefetch.setListed(out)
	return out, nil
}

// memoryLister finds the stored rows of one query.
type memoryLister struct {
	*reader
	query graph.MemoryQuery
	limit int
	rows  []row // in the requested order
}

// indexPath is a set of values of memory.by, one of which the memories must have.
type indexPath []string

// indexPaths returns the index paths of the query, the likely shortest first.
func (lister *memoryLister) indexPaths() (paths []indexPath) {
	q := lister.query
	for _, f := range []struct{ what, value string }{{byChain, string(q.Chain)}, {bySession, q.Session}, {bySubject, q.Subject}} {
		if f.value != "" {
			paths = append(paths, indexPath{lister.ks.hashedKey(f.what, f.value)})
		}
	}
	if q.Pending {
		paths = append(paths, indexPath{lister.ks.hashedKey(byPending)})
	}
	if q.Project != "" {
		paths = append(paths, indexPath{lister.ks.hashedKey(byProject, q.Project)})
	}
	users := lister.hashedKeys(byUser, q.Users)
	if len(users) > 0 && !slices.Contains(q.Users, "") {
		paths = append(paths, users)
	}
	if namespaces := lister.hashedKeys(byNamespace, q.Namespaces); len(namespaces) > 0 {
		paths = append(paths, namespaces)
	}
	if len(users) > 0 && slices.Contains(q.Users, "") {
		paths = append(paths, users)
	}
	return paths
}

func (lister *memoryLister) hashedKeys(what string, values []string) (p indexPath) {
	for _, v := range values {
		if n := lister.ks.hashedKey(what, v); !slices.Contains(p, n) {
			p = append(p, n)
		}
	}
	return p
}

// run uses the first path that is short, else a range scan along the first path.
func (lister *memoryLister) run() error {
	if !lister.query.ExpiresBy.IsZero() {
		return lister.listExpiring()
	}
	if stored, ok := lister.prefetched.subjects[lister.ks.hashedKey(bySubject, lister.query.Subject)]; ok && lister.query.Subject != "" && slices.Equal(lister.query.Statuses, []graph.Status{graph.Active}) {
		return lister.keepMatching(stored)
	}
	head, err := lister.tenantHead()
	if err != nil || head.Memories == 0 {
		return err
	}
	paths := lister.indexPaths()
	for _, p := range paths[:min(len(paths), 2)] {
		ids, err := lister.idsAlong(p)
		if err != nil {
			return err
		}
		if len(ids) <= lister.store.shortList {
			return lister.loadMatching(ids)
		}
	}
	if len(lister.query.Statuses) > 0 && !slices.Contains(lister.query.Statuses, graph.Active) {
		ids, short, err := lister.idsInStatus()
		if err != nil {
			return err
		}
		if short {
			return lister.loadMatching(ids)
		}
	}
	scan := keyRange{predicate: "memory.key", keyspace: lister.ks, count: head.Memories, oldest: head.Oldest, newest: head.Newest}
	if len(paths) > 0 {
		scan.filter, scan.values = "memory.by", paths[0]
	}
	return lister.rangeScan(scan, lister.query.After, lister.query.Descending, lister.limit, func(ids []graph.ID) (bool, error) {
		err := lister.loadMatching(ids)
		return len(lister.rows) < lister.limit, err
	})
}

// idsAlong returns the ids of a path, or more than Store.shortList of them if it is not short.
func (lister *memoryLister) idsAlong(p indexPath) ([]graph.ID, error) {
	vars := map[string]string{"$n": strconv.Itoa(lister.store.shortList + 1)}
	declared, named := variables("v", p, vars)
	var answer struct{ Q []struct{ Key string } }
	text := "query q($n: int, " + declared + ") { q(func: eq(memory.by, " + named + "), first: $n) { key: memory.key } }"
	if err := lister.runQuery(lister.ctx, text, vars, &answer); err != nil {
		return nil, err
	}
	ids := make([]graph.ID, 0, len(answer.Q))
	for _, q := range answer.Q {
		id, err := lister.ks.parseID(q.Key)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	lister.sortIDs(ids)
	return ids, nil
}

// idsInStatus returns the ids of memories in the statuses of the query, and whether these are
// all. Few memories have a status other than ACTIVE, but those of other tenants are included.
func (lister *memoryLister) idsInStatus() (ids []graph.ID, short bool, err error) {
	vars := map[string]string{"$n": strconv.Itoa(lister.store.shortList + 1)}
	var statuses []string
	for _, s := range lister.query.Statuses {
		statuses = append(statuses, string(s))
	}
	declared, named := variables("s", statuses, vars)
	var answer struct{ Q []struct{ Key string } }
	text := "query q($n: int, " + declared + ") { q(func: eq(memory.status, " + named + "), first: $n) { key: memory.key } }"
	if err := lister.runQuery(lister.ctx, text, vars, &answer); err != nil {
		return nil, false, err
	}
	for _, q := range answer.Q {
		if strings.HasPrefix(q.Key, string(lister.ks)) {
			id, err := lister.ks.parseID(q.Key)
			if err != nil {
				return nil, false, err
			}
			ids = append(ids, id)
		}
	}
	lister.sortIDs(ids)
	return ids, len(answer.Q) <= lister.store.shortList, nil
}

func (lister *memoryLister) sortIDs(ids []graph.ID) {
	slices.Sort(ids)
	if lister.query.Descending {
		slices.Reverse(ids)
	}
}

// isAfter reports whether an id comes after query.After in the requested order.
func (lister *memoryLister) isAfter(id graph.ID) bool {
	if lister.query.Descending {
		return id < lister.query.After
	}
	return id > lister.query.After
}

// loadMatching reads memories and keeps those that match, up to the limit.
func (lister *memoryLister) loadMatching(ids []graph.ID) error {
	if lister.query.After != "" {
		ids = slices.DeleteFunc(ids, func(id graph.ID) bool { return !lister.isAfter(id) })
	}
	for len(ids) > 0 && len(lister.rows) < lister.limit {
		some := ids[:min(len(ids), max(16, min(queryChunk, lister.limit-len(lister.rows))))]
		ids = ids[len(some):]
		keys := make([]string, len(some))
		for i, id := range some {
			keys[i] = lister.ks.nodeKey(id)
		}
		rows, err := lister.fetchRows(lister.ctx, memories, keys)
		if err != nil {
			return err
		}
		for i, key := range keys {
			m, err := decodeMemory(sealKey("memory", key), some[i], rows[key].Record)
			if err != nil {
				return err
			}
			if lister.query.Matches(m) && len(lister.rows) < lister.limit {
				lister.rows = append(lister.rows, rows[key])
			}
		}
	}
	return nil
}

// keepMatching keeps the matching rows of those that were read before, up to the limit.
func (lister *memoryLister) keepMatching(stored []row) error {
	stored = slices.Clone(stored)
	sortRows(stored, lister.query.Descending)
	for _, storedRow := range stored {
		id, err := lister.ks.parseID(storedRow.Key)
		if err != nil {
			return err
		}
		m, err := decodeMemory(sealKey("memory", storedRow.Key), id, storedRow.Record)
		if err != nil {
			return err
		}
		if lister.query.Matches(m) && (lister.query.After == "" || lister.isAfter(id)) && len(lister.rows) < lister.limit {
			lister.rows = append(lister.rows, storedRow)
		}
	}
	return nil
}

// listExpiring finds memories that expire by an instant; their order is not that of ids.
func (lister *memoryLister) listExpiring() error {
	vars := map[string]string{"$a": string(lister.ks), "$b": lister.ks.expiryKey(lister.query.ExpiresBy)}
	var answer struct{ Q []struct{ Key string } }
	err := lister.runQuery(lister.ctx, `query q($a: string, $b: string) { q(func: between(memory.expiry, $a, $b)) { key: memory.key } }`, vars, &answer)
	if err != nil {
		return err
	}
	var ids []graph.ID
	for _, q := range answer.Q {
		id, err := lister.ks.parseID(q.Key)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	lister.sortIDs(ids)
	return lister.loadMatching(ids)
}
