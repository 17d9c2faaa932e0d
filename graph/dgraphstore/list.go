package dgraphstore

import (
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

// page is the limit of a list.
func page(limit int) int {
	if limit <= 0 || limit > graph.MaxPage {
		return graph.MaxPage
	}
	return limit
}

// ListMemories answers what the query matches, by ascending id (descending where
// q.Descending), at most q.Limit.
func (r *reader) ListMemories(q graph.MemoryQuery) ([]*graph.Memory, error) {
	if err := r.scan(); err != nil {
		return nil, err
	}
	if q.After != "" && !q.After.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	if q.Chain != "" && !q.Chain.Valid() {
		return nil, nil // what is no id has no memories
	}
	l := lister{reader: r, q: q, limit: page(q.Limit) + r.edited(memories)}
	if err := l.run(); err != nil {
		return nil, err
	}
	rows, err := r.present(memories, l.found, func(key, record string) (bool, error) {
		id, err := r.ks.id(key)
		if err != nil {
			return false, err
		}
		m, err := decodeMemory(sealed("memory", key), id, record)
		return err == nil && matches(q, m) && (q.After == "" || l.behind(id)), err
	})
	if err != nil {
		return nil, err
	}
	sortRows(rows, q.Descending)
	var out []*graph.Memory
	for _, s := range rows[:min(len(rows), page(q.Limit))] {
		m, err := r.memory(s.Key, s.Record, s)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	r.ahead.list(out)
	return out, nil
}

// lister finds the stored rows of one query.
type lister struct {
	*reader
	q     graph.MemoryQuery
	limit int
	found []row // in the order asked for
}

// path is a way to the memories of a query: they have one of the values in memory.by.
type path []string

// paths answers the ways to the memories of the query, the likely shortest first.
func (l *lister) paths() (paths []path) {
	q := l.q
	for _, f := range []struct{ what, value string }{{byChain, string(q.Chain)}, {bySession, q.Session}, {bySubject, q.Subject}} {
		if f.value != "" {
			paths = append(paths, path{l.ks.name(f.what, f.value)})
		}
	}
	if q.Pending {
		paths = append(paths, path{l.ks.name(byPending)})
	}
	if q.Project != "" {
		paths = append(paths, path{l.ks.name(byProject, q.Project)})
	}
	users := l.every(byUser, q.Users)
	if len(users) > 0 && !slices.Contains(q.Users, "") {
		paths = append(paths, users)
	}
	if namespaces := l.every(byNamespace, q.Namespaces); len(namespaces) > 0 {
		paths = append(paths, namespaces)
	}
	if len(users) > 0 && slices.Contains(q.Users, "") {
		paths = append(paths, users)
	}
	return paths
}

func (l *lister) every(what string, values []string) (p path) {
	for _, v := range values {
		if n := l.ks.name(what, v); !slices.Contains(p, n) {
			p = append(p, n)
		}
	}
	return p
}

// run takes the first path that is short, else walks in time along the first.
func (l *lister) run() error {
	if !l.q.ExpiresBy.IsZero() {
		return l.expiring()
	}
	if stored, ok := l.told.subjects[l.ks.name(bySubject, l.q.Subject)]; ok && l.q.Subject != "" && slices.Equal(l.q.Statuses, []graph.Status{graph.Active}) {
		return l.take(stored)
	}
	h, err := l.where()
	if err != nil || h.Memories == 0 {
		return err
	}
	paths := l.paths()
	for _, p := range paths[:min(len(paths), 2)] {
		ids, err := l.along(p)
		if err != nil {
			return err
		}
		if len(ids) <= l.store.short {
			return l.load(ids)
		}
	}
	if len(l.q.Statuses) > 0 && !slices.Contains(l.q.Statuses, graph.Active) {
		ids, short, err := l.inStatus()
		if err != nil {
			return err
		}
		if short {
			return l.load(ids)
		}
	}
	s := stretch{predicate: "memory.key", ks: l.ks, count: h.Memories, oldest: h.Oldest, newest: h.Newest}
	if len(paths) > 0 {
		s.filter, s.values = "memory.by", paths[0]
	}
	return l.walk(s, l.q.After, l.q.Descending, l.limit, func(ids []graph.ID) (bool, error) {
		err := l.load(ids)
		return len(l.found) < l.limit, err
	})
}

// along answers the ids of a path, or more than Store.short of them where it is not short.
func (l *lister) along(p path) ([]graph.ID, error) {
	vars := map[string]string{"$n": strconv.Itoa(l.store.short + 1)}
	declared, named := list("v", p, vars)
	var answer struct{ Q []struct{ Key string } }
	text := "query q($n: int, " + declared + ") { q(func: eq(memory.by, " + named + "), first: $n) { key: memory.key } }"
	if err := l.ask(l.ctx, text, vars, &answer); err != nil {
		return nil, err
	}
	ids := make([]graph.ID, 0, len(answer.Q))
	for _, q := range answer.Q {
		id, err := l.ks.id(q.Key)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	l.sort(ids)
	return ids, nil
}

// inStatus answers the ids of memories in the statuses of the query, and whether these are
// all. Few memories are in any but ACTIVE, though those of other tenants are among them.
func (l *lister) inStatus() (ids []graph.ID, short bool, err error) {
	vars := map[string]string{"$n": strconv.Itoa(l.store.short + 1)}
	var statuses []string
	for _, s := range l.q.Statuses {
		statuses = append(statuses, string(s))
	}
	declared, named := list("s", statuses, vars)
	var answer struct{ Q []struct{ Key string } }
	text := "query q($n: int, " + declared + ") { q(func: eq(memory.status, " + named + "), first: $n) { key: memory.key } }"
	if err := l.ask(l.ctx, text, vars, &answer); err != nil {
		return nil, false, err
	}
	for _, q := range answer.Q {
		if strings.HasPrefix(q.Key, string(l.ks)) {
			id, err := l.ks.id(q.Key)
			if err != nil {
				return nil, false, err
			}
			ids = append(ids, id)
		}
	}
	l.sort(ids)
	return ids, len(answer.Q) <= l.store.short, nil
}

func (l *lister) sort(ids []graph.ID) {
	slices.Sort(ids)
	if l.q.Descending {
		slices.Reverse(ids)
	}
}

// behind reports whether an id comes behind the one that is asked from.
func (l *lister) behind(id graph.ID) bool {
	if l.q.Descending {
		return id < l.q.After
	}
	return id > l.q.After
}

// load reads memories and keeps those that match, up to the limit.
func (l *lister) load(ids []graph.ID) error {
	if l.q.After != "" {
		ids = slices.DeleteFunc(ids, func(id graph.ID) bool { return !l.behind(id) })
	}
	for len(ids) > 0 && len(l.found) < l.limit {
		some := ids[:min(len(ids), max(16, min(chunk, l.limit-len(l.found))))]
		ids = ids[len(some):]
		keys := make([]string, len(some))
		for i, id := range some {
			keys[i] = l.ks.node(id)
		}
		rows, err := l.fetch(l.ctx, memories, keys)
		if err != nil {
			return err
		}
		for i, key := range keys {
			m, err := decodeMemory(sealed("memory", key), some[i], rows[key].Record)
			if err != nil {
				return err
			}
			if matches(l.q, m) && len(l.found) < l.limit {
				l.found = append(l.found, rows[key])
			}
		}
	}
	return nil
}

// take keeps what matches of rows that were read before, up to the limit.
func (l *lister) take(stored []row) error {
	stored = slices.Clone(stored)
	sortRows(stored, l.q.Descending)
	for _, s := range stored {
		id, err := l.ks.id(s.Key)
		if err != nil {
			return err
		}
		m, err := decodeMemory(sealed("memory", s.Key), id, s.Record)
		if err != nil {
			return err
		}
		if matches(l.q, m) && (l.q.After == "" || l.behind(id)) && len(l.found) < l.limit {
			l.found = append(l.found, s)
		}
	}
	return nil
}

// expiring finds what has run out by an instant, whose order is not that of ids.
func (l *lister) expiring() error {
	vars := map[string]string{"$a": string(l.ks), "$b": l.ks.expiry(l.q.ExpiresBy)}
	var answer struct{ Q []struct{ Key string } }
	err := l.ask(l.ctx, `query q($a: string, $b: string) { q(func: between(memory.expiry, $a, $b)) { key: memory.key } }`, vars, &answer)
	if err != nil {
		return err
	}
	var ids []graph.ID
	for _, q := range answer.Q {
		id, err := l.ks.id(q.Key)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	l.sort(ids)
	return l.load(ids)
}

// matches reports whether a memory is what the query asks for, After and Limit aside.
func matches(q graph.MemoryQuery, m *graph.Memory) bool {
	for _, tag := range q.Tags {
		if !slices.Contains(m.Tags, tag) {
			return false
		}
	}
	return anyOf(q.Namespaces, m.Namespace) && anyOf(q.Users, m.User) &&
		anyOf(q.Types, m.Type) && anyOf(q.Statuses, m.Status()) &&
		(q.Session == "" || q.Session == m.Session) &&
		(q.Project == "" || q.Project == m.Project) &&
		(q.Subject == "" || q.Subject == m.Subject) &&
		(q.Chain == "" || q.Chain == m.Chain) &&
		(!q.Pending || pending(m)) &&
		(q.ExpiresBy.IsZero() || !m.ExpiresAt.IsZero() && !m.ExpiresAt.After(q.ExpiresBy))
}

// anyOf reports whether want is empty or holds have.
func anyOf[T comparable](want []T, have T) bool {
	return len(want) == 0 || slices.Contains(want, have)
}

// matchesEntity reports whether an entity is what the query asks for.
func matchesEntity(q graph.EntityQuery, e *graph.Entity) bool {
	return anyOf(q.Namespaces, e.Namespace) && anyOf(q.Users, e.User) && anyOf(q.Types, e.Type) &&
		strings.HasPrefix(e.Canonical, q.NamePrefix)
}
