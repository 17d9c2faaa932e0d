package graph

import (
	"cmp"
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

// ValidateAfter returns the error for a list that is to begin after something else than an id.
func ValidateAfter(after ID) error {
	if after != "" && !after.Valid() {
		return FieldError(CodeInvalidRequest, "after", "must be a UUID")
	}
	return nil
}

// Follows reports whether an id comes after another one in the order of a list. Every id
// comes after the empty one.
func Follows(id, after ID, descending bool) bool {
	return after == "" || id != after && (id > after) != descending
}

// SortIDs sorts ids in the order of a list.
func SortIDs(ids []ID, descending bool) {
	slices.Sort(ids)
	if descending {
		slices.Reverse(ids)
	}
}

// SortEdges sorts the edges of a memory by kind and the other end's id; of two equal ones,
// the outgoing comes first.
func SortEdges(of ID, edges []Edge) {
	slices.SortFunc(edges, func(a, b Edge) int {
		if c := cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.otherEnd(of), b.otherEnd(of))); c != 0 || a.From == b.From {
			return c
		}
		if a.From == of {
			return -1
		}
		return 1
	})
}

func (e *Edge) otherEnd(of ID) ID {
	if e.From == of {
		return e.To
	}
	return e.From
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
		(q.ExternalID == "" || q.ExternalID == m.ExternalID) &&
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
