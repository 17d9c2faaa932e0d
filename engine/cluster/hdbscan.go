package cluster

import (
	"cmp"
	"math"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// MinSize is the minimum number of points in a cluster.
const MinSize = 5

const (
	// minDistance is the distance below which float32 can't distinguish unit vectors.
	minDistance = 1e-3
	// unconnectedDistance joins parts that no neighbour list connects: the distance of
	// orthogonal vectors.
	unconnectedDistance = math.Sqrt2
)

// DensityCluster is a cluster found by HDBSCAN.
type DensityCluster struct {
	Members    []int     // indices, by id
	Centroid   []float32 // unit length
	Stability  float64   // excess of mass of Campello et al., ≥ 0: σ(C) = Σ (λ(x leaves C) − λ(C begins))
	MeanCosine float64   // mean cosine of its pairs, [0,1]
}

// Clustering is the result of HDBSCAN.
type Clustering struct {
	Labels   []int            // by index: the cluster, −1 for noise
	Strength []float64        // by index: how deep inside its cluster the point lies, [0,1]; 0 for noise
	Clusters []DensityCluster // ordered by the id of their first member
}

// HDBSCAN clusters points by density (Campello, Moulavi, Sander 2013). The distance of unit
// vectors is √(2−2·cosine). The core distance of a point is the distance to its minSize-th
// nearest point, counting itself. Mutual reachability is the maximum of the distance and both
// core distances. A spanning tree over it gives the hierarchy. A split with a part of fewer
// than minSize points only removes points from its cluster. The selected clusters are those
// with the highest total stability (excess of mass); the root is never selected. With λ =
// 1/distance, the strength of a point is the λ at which it leaves its cluster, divided by the
// highest such λ.
//
// If near is approximate, so is the result: the spanning forest of the neighbour graph replaces
// the spanning tree of all pairs, and unconnected parts join at √2. With lists of at least four
// times minSize points the difference is small. A point with fewer than minSize−1 neighbours is
// noise. It takes O(n·k·log n) time and O(n·k) memory.
func HDBSCAN(ids []graph.ID, vectors [][]float32, near Neighbours, minSize int) Clustering {
	minSize = max(2, minSize)
	places, rank := idOrder(len(ids), func(i int) graph.ID { return ids[i] })
	n := len(ids)
	c := Clustering{Labels: make([]int, n), Strength: make([]float64, n)}
	for i := range c.Labels {
		c.Labels[i] = -1
	}
	if n < minSize {
		return c
	}
	found := findDense(newLinks(near, places, rank, func(a, b int32) float64 { return Cosine(vectors[places[a]], vectors[places[b]]) }), minSize, minSize, condensedTree.selectClusters)
	c.Clusters = make([]DensityCluster, len(found.stability))
	for r, k := range found.of {
		if k < 0 {
			continue
		}
		p := places[r]
		c.Labels[p] = int(k)
		c.Clusters[k].Members = append(c.Clusters[k].Members, p)
		c.Strength[p] = found.lambda[r]
	}
	for i := range c.Clusters {
		d := &c.Clusters[i]
		d.Stability = found.stability[i]
		var m mean
		deepest := 0.0
		for _, p := range d.Members {
			m.add(vectors[p], 1)
			deepest = max(deepest, c.Strength[p])
		}
		for _, p := range d.Members {
			c.Strength[p] /= deepest
		}
		d.Centroid = m.unit()
		d.MeanCosine = meanCosine(m.length(), len(d.Members))
	}
	return c
}

// dense are the clusters that HDBSCAN selects, numbered by the lowest rank of their members.
type dense struct {
	of        []int32   // by rank: the cluster, −1 for noise
	lambda    []float64 // by rank: the λ at which the point leaves its cluster
	stability []float64 // by cluster
}

// findDense runs HDBSCAN over neighbour lists, with one of the ways to select clusters. corePoints
// is the number of points, the point itself counted, within the core distance.
func findDense(l links, minSize, corePoints int, choose func(condensedTree) []bool) dense {
	n := len(l.start) - 1
	t := condense(singleLinkage(spanningForest(l, corePoints), n), n, minSize)
	selected := choose(t)
	d := dense{of: make([]int32, n), lambda: t.exitLambda}
	at := map[int]int32{} // cluster of the tree to cluster of the result
	for r := range n {
		k := t.selectedAncestor(t.exitCluster[r], selected)
		if k < 0 {
			d.of[r] = -1
			continue
		}
		if _, seen := at[k]; !seen {
			at[k] = int32(len(d.stability))
			d.stability = append(d.stability, t.stability[k])
		}
		d.of[r] = at[k]
	}
	return d
}

// meanCosine is the mean cosine of all pairs of n unit vectors whose sum has this length: |Σv|²
// contains each pair twice and each vector once. It is clamped to [0,1].
func meanCosine(length float64, n int) float64 {
	if n < 2 {
		return 1
	}
	k := float64(n)
	return max(0, min(1, (length*length-k)/(k*(k-1))))
}

// treeEdge is an edge of the spanning forest, between ranks.
type treeEdge struct {
	a, b     int32 // a < b
	distance float32
}

// spanningForest is a minimum spanning forest of mutual reachability over the neighbour lists,
// by distance, ties by rank (Kruskal 1956).
func spanningForest(l links, corePoints int) []treeEdge {
	n := len(l.start) - 1
	core := make([]float32, n)
	for r := range core {
		core[r] = float32(math.Inf(1))
		if _, cosines := l.of(r); len(cosines) >= corePoints-1 {
			core[r] = chord(cosines[corePoints-2])
		}
	}
	edges := make([]treeEdge, 0, len(l.to))
	for r := range n {
		to, cosines := l.of(r)
		for i, other := range to {
			e := treeEdge{min(int32(r), other), max(int32(r), other), max(chord(cosines[i]), core[r], core[other])}
			if !math.IsInf(float64(e.distance), 1) {
				edges = append(edges, e)
			}
		}
	}
	slices.SortFunc(edges, compareTreeEdges)
	sets := newDisjointSets(n)
	kept := make([]treeEdge, 0, n)
	for _, e := range edges {
		if sets.union(int(e.a), int(e.b)) {
			kept = append(kept, e)
		}
	}
	return kept
}

func compareTreeEdges(x, y treeEdge) int {
	return cmp.Or(cmp.Compare(x.distance, y.distance), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
}

// dendrogramNode is an inner node of the hierarchy: two parts that join at a distance. Nodes
// below n are points; node n+i is the inner node i.
type dendrogramNode struct {
	left, right int32
	size        int32
	distance    float32
}

// singleLinkage builds the hierarchy; its last node is the root. Parts that the forest does not
// connect are joined last, in the order of their lowest ids.
func singleLinkage(forest []treeEdge, n int) []dendrogramNode {
	sets := newDisjointSets(n)
	node := make([]int32, n) // the node of each set, by its root
	for i := range node {
		node[i] = int32(i)
	}
	splits := make([]dendrogramNode, 0, n-1)
	join := func(a, b int, distance float32) {
		a, b = sets.find(a), sets.find(b)
		l, r := node[a], node[b]
		splits = append(splits, dendrogramNode{l, r, sizeOf(splits, l, n) + sizeOf(splits, r, n), distance})
		sets.union(a, b)
		node[sets.find(a)] = int32(n + len(splits) - 1)
	}
	far := float32(unconnectedDistance)
	for _, e := range forest {
		join(int(e.a), int(e.b), e.distance)
		far = max(far, e.distance)
	}
	for r := 1; r < n; r++ {
		if sets.find(0) != sets.find(r) {
			join(0, r, far)
		}
	}
	return splits
}

// sizeOf is the number of points below a node of a hierarchy of n points.
func sizeOf(splits []dendrogramNode, node int32, n int) int32 {
	if int(node) < n {
		return 1
	}
	return splits[int(node)-n].size
}

// condensedTree is the condensed hierarchy. Cluster 0 is the root. A parent has a lower number
// than its children.
type condensedTree struct {
	parent      []int
	birth       []float64 // λ
	stability   []float64
	exitCluster []int     // by rank: the cluster that the point leaves
	exitLambda  []float64 // by rank: the λ at which it leaves
}

// condense walks the hierarchy from the root and keeps the splits into two parts of at least
// minSize points.
func condense(splits []dendrogramNode, n, minSize int) condensedTree {
	t := condensedTree{parent: []int{-1}, birth: []float64{0}, stability: []float64{0}, exitCluster: make([]int, n), exitLambda: make([]float64, n)}
	type visit struct {
		node    int32
		cluster int
		lambda  float64 // λ at which the node left its cluster; 0 if it is still in it
	}
	stack := []visit{{int32(n + len(splits) - 1), 0, 0}}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if int(v.node) < n {
			t.exitCluster[v.node], t.exitLambda[v.node] = v.cluster, v.lambda
			continue
		}
		s := splits[int(v.node)-n]
		if v.lambda > 0 {
			stack = append(stack, visit{s.right, v.cluster, v.lambda}, visit{s.left, v.cluster, v.lambda})
			continue
		}
		lambda := 1 / float64(s.distance)
		l, r := int(sizeOf(splits, s.left, n)) >= minSize, int(sizeOf(splits, s.right, n)) >= minSize
		for _, part := range []struct {
			node       int32
			big, other bool
		}{{s.right, r, l}, {s.left, l, r}} {
			gone := float64(sizeOf(splits, part.node, n)) * (lambda - t.birth[v.cluster])
			switch {
			case part.big && part.other:
				t.stability[v.cluster] += gone
				t.parent = append(t.parent, v.cluster)
				t.birth = append(t.birth, lambda)
				t.stability = append(t.stability, 0)
				stack = append(stack, visit{part.node, len(t.parent) - 1, 0})
			case part.big:
				stack = append(stack, visit{part.node, v.cluster, 0})
			default:
				t.stability[v.cluster] += gone
				stack = append(stack, visit{part.node, v.cluster, lambda})
			}
		}
	}
	return t
}

// selectClusters selects the clusters with the highest total stability on each branch; on ties
// the larger one.
func (t condensedTree) selectClusters() []bool {
	selected := make([]bool, len(t.parent))
	best := make([]float64, len(t.parent)) // of the descendants
	for k := len(t.parent) - 1; k > 0; k-- {
		if t.stability[k] >= best[k] {
			selected[k] = true
			best[k] = t.stability[k]
		}
		best[t.parent[k]] += best[k]
	}
	return selected
}

// selectLeaves selects the clusters that contain no other: the densest places of all.
func (t condensedTree) selectLeaves() []bool {
	selected := make([]bool, len(t.parent))
	for k := len(t.parent) - 1; k > 0; k-- {
		selected[k] = true
	}
	for _, p := range t.parent[1:] {
		selected[p] = false
	}
	return selected
}

// selectedAncestor is the outermost selected cluster that contains one; −1 if there is none.
func (t condensedTree) selectedAncestor(k int, selected []bool) int {
	owner := -1
	for ; k > 0; k = t.parent[k] {
		if selected[k] {
			owner = k
		}
	}
	return owner
}

// disjointSets is a disjoint-set forest (Tarjan 1975): the root of a set is its lowest member.
type disjointSets []int32

func newDisjointSets(n int) disjointSets {
	s := make(disjointSets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

func (s disjointSets) find(i int) int {
	for int(s[i]) != i {
		s[i] = s[s[i]]
		i = int(s[i])
	}
	return i
}

// union joins two sets. It returns false if they were one set.
func (s disjointSets) union(a, b int) bool {
	a, b = s.find(a), s.find(b)
	if a == b {
		return false
	}
	s[max(a, b)] = int32(min(a, b))
	return true
}
