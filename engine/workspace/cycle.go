package workspace

import (
	"github.com/somnograph/somnograph/graph"
)

// Exclusive reports whether no other process can have the store open. If it is true, a lease
// with another holder belongs to a process that has ended.
func (ws *Space) Exclusive() bool {
	_, shared := ws.Store.(graph.Shared)
	return !shared
}
