package network

// bridges marks the edges, taken as undirected, without which one part of the graph
// comes off: a depth-first search finds them in linear time as the edges behind which
// nothing leads back (Tarjan, A note on finding the bridges of a graph, Information
// Processing Letters 1974). at holds the edges at each node.
func bridges(edges []Edge, at [][]int32) []bool {
	bridge := make([]bool, len(edges))
	seen := make([]int, len(at)) // when a node was first reached, from 1; 0: not yet
	low := make([]int, len(at))  // the earliest node that it leads back to
	type step struct {
		node int32
		via  int32 // edge it was reached by, −1 at a root
		next int   // place in its row
	}
	clock := 0
	enter := func(v int32) {
		clock++
		seen[v], low[v] = clock, clock
	}
	var path []step // a stack of our own: a chain may be as long as the graph
	for root := range at {
		if seen[root] > 0 {
			continue
		}
		enter(int32(root))
		path = append(path, step{int32(root), -1, 0})
		for len(path) > 0 {
			s := &path[len(path)-1]
			if s.next < len(at[s.node]) {
				i := at[s.node][s.next]
				s.next++
				w := edges[i].other(s.node)
				switch {
				case i == s.via: // the way it came; a second edge back is another way
				case seen[w] > 0:
					low[s.node] = min(low[s.node], seen[w])
				default:
					enter(w)
					path = append(path, step{w, i, 0})
				}
				continue
			}
			done := *s
			path = path[:len(path)-1]
			if len(path) == 0 {
				continue
			}
			above := path[len(path)-1].node
			low[above] = min(low[above], low[done.node])
			bridge[done.via] = low[done.node] > seen[above]
		}
	}
	return bridge
}

// disjointSets are disjoint sets of nodes: a forest with path halving and union by size
// (Tarjan, van Leeuwen, Worst-case Analysis of Set Union Algorithms, JACM 1984).
type disjointSets struct{ parent, size []int32 }

func newDisjointSets(n int) *disjointSets {
	s := &disjointSets{make([]int32, n), make([]int32, n)}
	for v := range n {
		s.parent[v], s.size[v] = int32(v), 1
	}
	return s
}

func (s *disjointSets) find(v int32) int32 {
	for s.parent[v] != v {
		s.parent[v] = s.parent[s.parent[v]]
		v = s.parent[v]
	}
	return v
}

// union makes one set of two and reports whether they were two.
func (s *disjointSets) union(a, b int32) bool {
	a, b = s.find(a), s.find(b)
	if a == b {
		return false
	}
	if s.size[a] < s.size[b] {
		a, b = b, a
	}
	s.parent[b] = a
	s.size[a] += s.size[b]
	return true
}
