package umap

const (
	treeCount = 8
	leafSize  = 48 // rows in a leaf at most
)

// tree splits the rows again and again by which of two of them they are more like: a
// random projection tree (Dasgupta and Freund 2008), with the difference of two rows
// as the projection, as in Annoy.
type tree struct {
	nodes []split
	rows  []int32 // leaf by leaf
}

// split is a node; a leaf has left < 0.
type split struct {
	a, b        int32 // the two rows; in a leaf its bounds in tree.rows
	left, right int32 // nodes: more like a, more like b
}

// growForest grows the trees of a forest.
func (v *vectors) growForest(c workerPool, seed uint64) ([]*tree, error) {
	forest := make([]*tree, treeCount)
	err := c.forEach(treeCount, 1, func(t, _ int) {
		noise := seeded(seed, streamTree, t)
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

// grow splits tree.rows[from:to] and answers the node.
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

// splitRows reorders tree.rows[from:to] into those more like a row a, before middle, and
// those more like b. Where rows are so much the same that one side would stay all but
// empty, chance decides.
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

// partition brings the rows of the first side to the front and counts them.
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

// leafRows is the leaf a direction belongs to.
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

// leavesByRow are the leaves in which the trees hold each row.
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
