package workspace

import (
	"github.com/somnograph/somnograph/graph"
)

// ListInput selects memories for a list. It is graph.MemoryQuery with the API's names.
type ListInput struct {
	Namespaces             []string
	User, Project, Session string
	Subject                string
	Entity                 graph.ID // only memories that mention it
	Types                  []graph.Type
	Statuses               []graph.Status // empty: ACTIVE, and SUPERSEDED with a valid instant
	Tags                   []string
	Access                 Access
	First                  int // 1 to 1,000; 0: 50
	After                  graph.ID
	Descending             bool
}

// ListResult is a page of memories.
type ListResult struct {
	Memories []*View
	More     bool
}
