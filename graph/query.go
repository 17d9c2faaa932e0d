package graph

import (
	"slices"
	"strings"
)

// PageSize is the effective limit of a list: MaxPage for one ≤ 0 or above MaxPage.
func PageSize(limit int) int {
	if limit <= 0 || limit > MaxPage {
		return MaxPage
	}
	return limit
}

// Matches reports whether a memory matches the query, without After and Limit.
func (q *MemoryQuery) Matches(m *Memory) bool {
	for _, tag := range q.Tags {
		if !slices.Contains(m.Tags, tag) {
			return false
		}
	}
	return emptyOrContains(q.Namespaces, m.Namespace) && emptyOrContains(q.Users, m.User) &&
		emptyOrContains(q.Types, m.Type) && emptyOrContains(q.Statuses, m.Status()) &&
		(q.Session == "" || q.Session == m.Session) &&
		(q.Project == "" || q.Project == m.Project) &&
		(q.Subject == "" || q.Subject == m.Subject) &&
		(q.Chain == "" || q.Chain == m.Chain) &&
		(!q.Pending || m.EmbeddingPending()) &&
		(q.ExpiresBy.IsZero() || !m.ExpiresAt.IsZero() && !m.ExpiresAt.After(q.ExpiresBy))
}

// Matches reports whether an entity matches the query, without After and Limit.
func (q *EntityQuery) Matches(e *Entity) bool {
	return emptyOrContains(q.Namespaces, e.Namespace) && emptyOrContains(q.Users, e.User) && emptyOrContains(q.Types, e.Type) &&
		strings.HasPrefix(e.Canonical, q.NamePrefix)
}

func emptyOrContains[T comparable](want []T, have T) bool {
	return len(want) == 0 || slices.Contains(want, have)
}
