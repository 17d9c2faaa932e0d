package workspace

import (
	"github.com/somnograph/somnograph/graph"
)

// Selection names the memories of an erasure: those that match everything that is set.
type Selection struct {
	IDs        []graph.ID `json:"ids,omitempty"`
	User       string     `json:"user,omitempty"`
	Subject    string     `json:"subject,omitempty"`
	Namespaces []string   `json:"namespaces,omitempty"`
	Owners     []string   `json:"owners,omitempty"` // whose memories the caller may erase; empty: anyone's
}
