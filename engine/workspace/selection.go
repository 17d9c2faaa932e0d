package workspace

import (
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
}
