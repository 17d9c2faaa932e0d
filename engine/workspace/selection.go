package workspace

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Selection selects the memories of an erasure: those that match all fields that are set.
type Selection struct {
	IDs        []graph.ID `json:"ids,omitempty"`
	User       string     `json:"user,omitempty"`
	Subject    string     `json:"subject,omitempty"`
	Entities   []graph.ID `json:"entities,omitempty"` // ascending; memories that mention one of them
	Namespaces []string   `json:"namespaces,omitempty"`
	Owners     []string   `json:"owners,omitempty"` // users whose memories the caller may erase; empty: any
	Seen       bool       `json:"seen,omitempty"`   // of what agents keep private, only that of Agent: the caller does not see the rest
	Agent      string     `json:"agent,omitempty"`
}

// TakesOwner reports whether an erasure by owner takes what belongs to an owner in a namespace, such as
// the record of a conversation or a document.
func (s *Selection) TakesOwner(namespace, owner string) bool {
	user, agent := graph.SplitOwner(owner)
	return (s.User == "" || s.User == user) && (!s.Seen || agent == "" || agent == s.Agent) &&
		(len(s.Namespaces) == 0 || slices.Contains(s.Namespaces, namespace)) &&
		(len(s.Owners) == 0 || slices.Contains(s.Owners, user))
}
