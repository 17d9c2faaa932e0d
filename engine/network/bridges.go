package network

// bridges marks the edges, taken as undirected, whose removal disconnects the graph. A
// depth-first search finds them in linear time (Tarjan, A note on finding the bridges of a
// graph, Information Processing Letters 1974). at holds the edges at each node.
func bridges(edges []Edge, at [][]int32) []bool {
	bridge := make([]bool, len(edges))
	seen := make([]int, len(at)) // order of discovery, from 1; 0: not yet
	low := make([]int, len(at))  // the earliest node reachable from it
	type step struct {
		node int32
		via  int32 // edge by which it was reached, −1 at a root
		next int   // index in its row
	}
	clock := 0
	enter := func(v int32) {
		clock++
		seen[v], low[v] = clock, clock
	}
	var path []step // an explicit stack: a chain may be as long as the graph
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
				case i == s.via: // the edge to the parent; a second edge to it is another path
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

// disjointSets is a disjoint-set forest with path halving and union by size (Tarjan, van
// Leeuwen, Worst-case Analysis of Set Union Algorithms, JACM 1984).
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

// union joins two sets. It returns false if they were one set.
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
