package badgerstore

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// chunk is how many ids of an index are read before their memories are.
const chunk = 256

// indexed answers the rows of the indexes that a memory has.
func (s keyspace) indexed(m *graph.Memory, b [16]byte) []key {
	var keys []key
	add := func(index byte, value [16]byte) { keys = append(keys, s.index(index, value, b[:]...)) }
	add(byNamespace, name(m.Namespace))
	add(byUser, name(m.User))
	if c, err := m.Chain.Bytes(); err == nil {
		add(byChain, c)
	}
	if m.Session != "" {
		add(bySession, name(m.Session))
	}
	if m.Subject != "" {
		add(bySubject, name(m.Subject))
	}
	if m.Project != "" {
		add(byProject, name(m.Project))
	}
	if !m.ExpiresAt.IsZero() {
		add(byExpiry, instant(m.ExpiresAt))
	}
	if pending(m) {
		add(byPending, [16]byte{})
	}
	return keys
}

// pending reports whether a memory waits for its embedding.
func pending(m *graph.Memory) bool { return m.EmbeddingModel == "" && m.Status() != graph.Forgotten }

// instant is a time as it stands in an index: ascending, from before 1970 on.
func instant(t time.Time) (v [16]byte) {
	binary.BigEndian.PutUint64(v[:], uint64(t.UnixMilli())^1<<63)
	return v
}

// ListMemories answers what the query matches, by ascending id (descending where
// q.Descending), at most q.Limit.
//
// It walks the index that promises fewest rows and filters what it loads.
func (r *reader) ListMemories(q graph.MemoryQuery) ([]*graph.Memory, error) {
	if err := r.alive(); err != nil {
		return nil, err
	}
	if q.After != "" && !q.After.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	l := lister{reader: r, q: q, limit: page(q.Limit)}
	if !q.ExpiresBy.IsZero() {
		return l.expiring()
	}
	return l.walk()
}

// lister runs one query.
type lister struct {
	*reader
	q     graph.MemoryQuery
	limit int
	found []*graph.Memory
}

// paths answers the ways to the memories of the query, each as the prefixes of keys
// that hold all of them, the likely shortest first. The last one holds everything.
func (l *lister) paths() [][]key {
	var paths [][]key
	add := func(index byte, values ...[16]byte) {
		var p []key
		for _, v := range values {
			p = append(p, l.ks.index(index, v))
		}
		paths = append(paths, p)
	}
	q := l.q
	if q.Chain != "" {
		c, err := q.Chain.Bytes()
		if err != nil {
			return [][]key{{}} // what is no id has no memories
		}
		add(byChain, c)
	}
	if q.Session != "" {
		add(bySession, name(q.Session))
	}
	if q.Subject != "" {
		add(bySubject, name(q.Subject))
	}
	if q.Pending {
		add(byPending, [16]byte{})
	}
	if q.Project != "" {
		add(byProject, name(q.Project))
	}
	if len(q.Users) > 0 && !slices.Contains(q.Users, "") {
		add(byUser, names(q.Users)...)
	}
	if len(q.Namespaces) > 0 {
		add(byNamespace, names(q.Namespaces)...)
	}
	if slices.Contains(q.Users, "") {
		add(byUser, names(q.Users)...)
	}
	return append(paths, []key{l.ks.row(rowMemory)})
}

func names(words []string) [][16]byte {
	var out [][16]byte
	for _, w := range words {
		if n := name(w); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// walk takes the first path that ends within one chunk, else the first one, and
// loads along it chunk by chunk.
func (l *lister) walk() ([]*graph.Memory, error) {
	paths := l.paths()
	if len(paths) == 1 && len(l.q.Chain) == 0 {
		return l.all()
	}
	var path []key
	for i, p := range paths {
		ids, end, err := l.chunk(p, l.q.After)
		if err != nil {
			return nil, err
		}
		if end == "" {
			err := l.take(ids)
			return l.found, err
		}
		if i == 0 {
			path = p
		}
		if i == len(paths)-2 {
			break // the last path is the longest of all
		}
	}
	for after := l.q.After; ; {
		ids, end, err := l.chunk(path, after)
		if err != nil {
			return nil, err
		}
		if err := l.take(ids); err != nil || end == "" || len(l.found) == l.limit {
			return l.found, err
		}
		after = end
	}
}

// chunk answers ids along a path behind after, in the order asked for, and the id
// to go on behind, empty at the end.
func (l *lister) chunk(path []key, after graph.ID) (ids []graph.ID, end graph.ID, err error) {
	if err := l.ctx.Err(); err != nil {
		return nil, "", err
	}
	for _, prefix := range path {
		some, err := l.ids(prefix, after, l.q.Descending, chunk)
		if err != nil {
			return nil, "", err
		}
		ids = append(ids, some...)
		if len(some) == chunk && (end == "" || l.later(end, some[chunk-1])) {
			end = some[chunk-1] // behind it, this prefix is not known
		}
	}
	slices.SortFunc(ids, func(a, b graph.ID) int {
		if l.later(a, b) {
			return 1
		}
		return -1
	})
	ids = slices.Compact(ids)
	if end != "" {
		ids = slices.DeleteFunc(ids, func(id graph.ID) bool { return l.later(id, end) })
	}
	return ids, end, nil
}

// later reports whether a comes behind b in the order asked for.
func (l *lister) later(a, b graph.ID) bool {
	if l.q.Descending {
		return a < b
	}
	return a > b
}

// take loads the memories and keeps those that match, up to the limit.
func (l *lister) take(ids []graph.ID) error {
	for _, id := range ids {
		if len(l.found) == l.limit {
			return nil
		}
		b, err := id.Bytes()
		if err != nil {
			return err
		}
		m, err := l.stored(id, b)
		if errors.Is(err, graph.ErrNotFound) {
			return broken(l.ks.row(rowMemory), "an index names a memory that is not there")
		}
		if err != nil {
			return err
		}
		if err := l.keep(m, b); err != nil {
			return err
		}
	}
	return nil
}

// all walks the memories themselves.
func (l *lister) all() ([]*graph.Memory, error) {
	prefix := l.ks.row(rowMemory)
	from, err := behind(prefix, l.q.After, l.q.Descending)
	if err != nil {
		return nil, err
	}
	err = l.scan(prefix, from, l.q.Descending, func(k key, payload []byte) (bool, error) {
		if err := l.ctx.Err(); err != nil {
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
		err = l.keep(m, [16]byte(k[len(k)-16:]))
		return len(l.found) < l.limit, err
	})
	return l.found, err
}

// expiring walks the index of expiry, whose order is not that of ids.
func (l *lister) expiring() ([]*graph.Memory, error) {
	prefix := l.ks.row(rowIndex, []byte{byExpiry})
	bound := instant(l.q.ExpiresBy)
	var ids []graph.ID
	err := l.scan(prefix, prefix, false, func(k key, _ []byte) (bool, error) {
		if string(k[len(prefix):len(prefix)+16]) > string(bound[:]) {
			return false, nil
		}
		id, err := lastID(k)
		if l.q.After == "" || l.later(id, l.q.After) {
			ids = append(ids, id)
		}
		return true, err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(ids)
	if l.q.Descending {
		slices.Reverse(ids)
	}
	err = l.take(ids)
	return l.found, err
}

// keep adds a memory that matches, with its usage.
func (l *lister) keep(m *graph.Memory, b [16]byte) error {
	if !matches(l.q, m) {
		return nil
	}
	if err := l.fillUsage(m, b); err != nil {
		return err
	}
	l.found = append(l.found, m)
	return nil
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
