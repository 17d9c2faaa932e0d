package umap

const (
	treeCount = 8
	leafSize  = 48 // maximum rows in a leaf
)

// tree is a random projection tree (Dasgupta and Freund 2008). A node divides its rows by which
// of two rows they are more similar to, as in Annoy.
type tree struct {
	nodes []split
	rows  []int32 // in the order of the leaves
}

// split is a node; a leaf has left < 0.
type split struct {
	a, b        int32 // the two rows; in a leaf the range in tree.rows
	left, right int32 // child nodes: more similar to a, more similar to b
}

// growForest builds the trees of a forest.
func (v *vectors) growForest(c workerPool) ([]*tree, error) {
	forest := make([]*tree, treeCount)
	err := c.forEach(treeCount, 1, func(t, _ int) {
		noise := seeded(mapSeed, streamTree, t)
		g := grower{v: v, noise: &noise, tree: &tree{rows: make([]int32, v.len())}}
		for i := range g.rows {
			g.rows[i] = int32(i)
		}
		g.grow(0, len(g.rows))
		forest[t] = g.tree
	})
	return forest, err
}

type grower struct {
	*tree
	v     *vectors
	noise *splitmix
}

// grow divides tree.rows[from:to] and returns the node.
func (g *grower) grow(from, to int) int32 {
	at := int32(len(g.nodes))
	g.nodes = append(g.nodes, split{int32(from), int32(to), -1, -1})
	if to-from <= leafSize {
		return at
	}
	a, b, middle := g.splitRows(from, to)
	left := g.grow(from, middle)
	right := g.grow(middle, to)
	g.nodes[at] = split{a, b, left, right}
	return at
}

// splitRows reorders tree.rows[from:to] into those more similar to a row a, before middle, and
// those more similar to b. If the rows are so similar that one side would be nearly empty, the
// split is random.
func (g *grower) splitRows(from, to int) (a, b int32, middle int) {
	rows := g.rows[from:to]
	for range 3 {
		a = rows[g.noise.below(len(rows))]
		b = rows[g.noise.below(len(rows))]
		if n := g.partition(rows, func(i int32) bool { return g.v.key(int(i), int(a)) > g.v.key(int(i), int(b)) }); min(n, len(rows)-n) > len(rows)/20 {
			return a, b, from + n
		}
	}
	for i := range rows {
		j := i + g.noise.below(len(rows)-i)
		rows[i], rows[j] = rows[j], rows[i]
	}
	return a, b, from + len(rows)/2
}

// partition moves the rows of the first side to the front and counts them.
func (g *grower) partition(rows []int32, first func(int32) bool) int {
	n, end := 0, len(rows)
	for n < end {
		if first(rows[n]) {
			n++
		} else {
			end--
			rows[n], rows[end] = rows[end], rows[n]
		}
	}
	return n
}

// leafRows returns the rows of the leaf for a direction.
func (t *tree) leafRows(key func(row int) float32) []int32 {
	at := int32(0)
	for t.nodes[at].left >= 0 {
		s := t.nodes[at]
		if at = s.right; key(int(s.a)) > key(int(s.b)) {
			at = s.left
		}
	}
	return t.rows[t.nodes[at].a:t.nodes[at].b]
}

// leavesByRow lists, for each row, the leaves that contain it.
func leavesByRow(forest []*tree, n int) [][][]int32 {
	in := make([][][]int32, n)
	for _, t := range forest {
		for _, s := range t.nodes {
			if s.left < 0 {
				members := t.rows[s.a:s.b]
				for _, i := range members {
					in[i] = append(in[i], members)
				}
			}
		}
	}
	return in
}
