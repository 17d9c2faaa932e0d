package enginetest

import "github.com/somnograph/somnograph/graph"

// Mortal is a store as a process sees it that dies after so many commits: every call
// fails from then on, and the store behind it stays as it was.
func Mortal(s graph.Store, commits int) graph.Store { return &mortal{Store: s, left: commits} }
