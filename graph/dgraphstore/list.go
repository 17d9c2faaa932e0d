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
	if err := graph.ValidateAfter(q.After); err != nil {
		return nil, err
	}
	if q.Chain != "" && !q.Chain.Valid() {
		return nil, nil // no memory has an invalid id
	}
	lister := memoryLister{reader: r, query: q, limit: graph.PageSize(q.Limit) + r.editedRows(memories)}
	if err := lister.run(); err != nil {
		return nil, err
	}
	rows, err := visibleRows(r, memories, decodeMemory, lister.rows, lister.matches)
	if err != nil {
		return nil, err
	}
	for _, m := range rows {
		if err := addUsage(m.value, m.Key, m.row); err != nil {
			return nil, err
		}
	}
	out := valuesByKey(rows, q.Descending, graph.PageSize(q.Limit))
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
	for _, f := range []struct{ what, value string }{{byChain, string(q.Chain)}, {byExternal, q.ExternalID}, {bySession, q.Session}, {bySubject, q.Subject}} {
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
		stored = slices.Clone(stored)
		slices.SortFunc(stored, func(a, b row) int { return strings.Compare(a.Key, b.Key) })
		if lister.query.Descending {
			slices.Reverse(stored)
		}
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
	scan := head.keyRange("memory.key", lister.ks, head.Memories)
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
	text, vars := lister.keysWith("memory.by", p)
	ids, err := lister.queryIDs(lister.ks, text, vars)
	graph.SortIDs(ids, lister.query.Descending)
	return ids, err
}

// keysWith is a query for the keys of the memories with one of the values: more than
// Store.shortList of them if the list is not short.
func (lister *memoryLister) keysWith(predicate string, values []string) (text string, vars map[string]string) {
	vars = map[string]string{"$n": strconv.Itoa(lister.store.shortList + 1)}
	declared, named := variables("v", values, vars)
	return "query q($n: int, " + declared + ") { q(func: eq(" + predicate + ", " + named + "), first: $n) { key: memory.key } }", vars
}

// idsInStatus returns the ids of memories in the statuses of the query, and whether these are
// all. Few memories have a status other than ACTIVE, but those of other tenants are included.
func (lister *memoryLister) idsInStatus() (ids []graph.ID, short bool, err error) {
	var statuses []string
	for _, s := range lister.query.Statuses {
		statuses = append(statuses, string(s))
	}
	text, vars := lister.keysWith("memory.status", statuses)
	var answer struct{ Q []foundKey }
	if err := lister.runQuery(lister.ctx, text, vars, &answer); err != nil {
		return nil, false, err
	}
	short = len(answer.Q) <= lister.store.shortList
	ids, err = lister.ks.parseIDs(slices.DeleteFunc(answer.Q, func(k foundKey) bool { return !strings.HasPrefix(k.Key, lister.ks.prefix) }))
	graph.SortIDs(ids, lister.query.Descending)
	return ids, short, err
}

// matches reports whether a memory belongs to the list.
func (lister *memoryLister) matches(m *graph.Memory) bool {
	return lister.query.Matches(m) && graph.Follows(m.ID, lister.query.After, lister.query.Descending)
}

// loadMatching reads memories and keeps those that match, up to the limit.
func (lister *memoryLister) loadMatching(ids []graph.ID) error {
	ids = slices.DeleteFunc(ids, func(id graph.ID) bool { return !graph.Follows(id, lister.query.After, lister.query.Descending) })
	for len(ids) > 0 && len(lister.rows) < lister.limit {
		some := ids[:min(len(ids), max(16, min(queryChunk, lister.limit-len(lister.rows))))]
		ids = ids[len(some):]
		rows, err := lister.rowsOf(memories, lister.ks, some)
		if err != nil {
			return err
		}
		if err := lister.keepMatching(rows); err != nil {
			return err
		}
	}
	return nil
}

// keepMatching keeps the matching rows, up to the limit.
func (lister *memoryLister) keepMatching(rows []row) error {
	for _, storedRow := range rows {
		m, err := decodeMemory(lister.ks, storedRow.Key, storedRow.Record)
		if lister.query.Undamaged && graph.DamagedRow(err) {
			continue
		}
		if err != nil {
			return err
		}
		if lister.matches(m) && len(lister.rows) < lister.limit {
			lister.rows = append(lister.rows, storedRow)
		}
	}
	return nil
}

// listExpiring finds memories that expire by an instant; their order is not that of ids.
func (lister *memoryLister) listExpiring() error {
	vars := map[string]string{"$a": lister.ks.prefix, "$b": lister.ks.expiryKey(lister.query.ExpiresBy)}
	ids, err := lister.queryIDs(lister.ks, `query q($a: string, $b: string) { q(func: between(memory.expiry, $a, $b)) { key: memory.key } }`, vars)
	if err != nil {
		return err
	}
	graph.SortIDs(ids, lister.query.Descending)
	return lister.loadMatching(ids)
}
