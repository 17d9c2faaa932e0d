package workspace

import (
	"github.com/somnograph/somnograph/graph"
)

// ListInput selects memories for a list; as graph.MemoryQuery, with names of the API.
type ListInput struct {
	Namespaces             []string
	User, Project, Session string
	Subject                string
	Entity                 graph.ID // only what mentions it
	Types                  []graph.Type
	Statuses               []graph.Status // empty: ACTIVE, with a valid instant SUPERSEDED too
	Tags                   []string
	Access                 Access
	First                  int // 1 to 1,000; 0 is 50
	After                  graph.ID
	Descending             bool
}

// ListResult is a page of memories.
type ListResult struct {
	Memories []*View
	More     bool
}
