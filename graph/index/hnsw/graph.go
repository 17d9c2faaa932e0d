package hnsw

import (
	"math"
	"sync"
	"sync/atomic"
)

const (
	pageBits = 10
	pageSize = 1 << pageBits
	pageMask = pageSize - 1

	// MaxM is the maximum of [Options.M].
	MaxM = 32
	// MaxNodes is the maximum number of nodes of a graph.
	MaxNodes = 1 << 30

	maxLevel = 15 // with M = 16, one node in 16^15 would be higher
)

// Special values of a link.
const (
	noLink = ^uint32(0) // the list ends here
	noNode = noLink - 1 // as the first of its list: the node is not in the graph
)

// Options configure a graph. A zero field means its default.
type Options struct {
	// M of the paper: the number of neighbours that a new node gets on each level. A node has at
	// most M links, on level 0 at most 2·M. 2 to MaxM; the default is 16.
	M int
	// Effort is efConstruction of the paper: the number of candidates from which the neighbours
	// are selected. At least M; the default is 100.
	Effort int
	// Seed changes which nodes are on higher levels.
	Seed uint64
}

func (o Options) withDefaults() Options {
	if o.M == 0 {
		o.M = 16
	}
	if o.M < 2 || o.M > MaxM {
		panic("hnsw: M must be 2 to MaxM")
	}
	if o.Effort == 0 {
		o.Effort = 100
	}
	o.Effort = max(o.Effort, o.M)
	return o
}

// Graph holds the links between nodes.
type Graph struct {
	opts        Options
	pages       atomic.Pointer[[]*page]
	entryPoint  atomic.Uint64 // (level + 1) << 32 | node at which every search begins; 0: empty
	count       atomic.Int64
	upperLevels atomic.Int64 // number of levels above 0, over all nodes
	growMu      sync.Mutex   // held while pages are added or entryPoint moves
	locks       [256]sync.Mutex
	searchers   sync.Pool // of *Searcher
}

// page holds the links of pageSize nodes.
type page struct {
	base       []uint32               // level 0: 2·M links for each node
	inLinks    [pageSize]atomic.Int32 // number of links of level 0 to a node
	upperLinks [pageSize]atomic.Pointer[nodeLevels]
}

// nodeLevels holds the links of a node above level 0: M for each level.
type nodeLevels struct{ links []uint32 }

// New makes an empty graph.
func New(o Options) *Graph {
	g := &Graph{opts: o.withDefaults()}
	g.pages.Store(&[]*page{})
	g.searchers.New = func() any { return &Searcher{graph: g} }
	return g
}

// Len returns the number of nodes.
func (g *Graph) Len() int { return int(g.count.Load()) }

// Has reports whether a node is in the graph.
func (g *Graph) Has(node uint32) bool {
	p := g.page(node)
	return p != nil && atomic.LoadUint32(&g.links(p, node, 0)[0]) != noNode
}

// Bytes returns the size of the graph in memory, without the vectors.
func (g *Graph) Bytes() int {
	return len(*g.pages.Load())*pageSize*(2*g.opts.M*4+4+8) + int(g.upperLevels.Load())*(4*g.opts.M+24)
}

// page returns the page of a node, nil if there is none yet.
func (g *Graph) page(node uint32) *page {
	pages := *g.pages.Load()
	if i := int(node >> pageBits); i < len(pages) {
		return pages[i]
	}
	return nil
}

// grow makes the page of a node, if there is none, and returns it.
func (g *Graph) grow(node uint32) *page {
	if p := g.page(node); p != nil {
		return p
	}
	if node >= MaxNodes {
		panic("hnsw: more nodes than MaxNodes")
	}
	g.growMu.Lock()
	defer g.growMu.Unlock()
	pages := *g.pages.Load()
	for len(pages) <= int(node>>pageBits) {
		p := &page{base: make([]uint32, pageSize*2*g.opts.M)}
		for i := range p.base {
			p.base[i] = noLink
		}
		for i := 0; i < len(p.base); i += 2 * g.opts.M {
			p.base[i] = noNode
		}
		pages = append(pages[:len(pages):len(pages)], p)
	}
	g.pages.Store(&pages)
	return pages[node>>pageBits]
}

// links returns the links of a node on a level; they end at the first noLink.
func (g *Graph) links(p *page, node uint32, level int) []uint32 {
	m := g.opts.M
	if level == 0 {
		at := int(node&pageMask) * 2 * m
		return p.base[at : at+2*m : at+2*m]
	}
	t := p.upperLinks[node&pageMask].Load()
	if t == nil || len(t.links) < level*m {
		return nil
	}
	return t.links[(level-1)*m : level*m : level*m]
}

// level returns the highest level of a node in the graph.
func (g *Graph) level(p *page, node uint32) int {
	if t := p.upperLinks[node&pageMask].Load(); t != nil {
		return len(t.links) / g.opts.M
	}
	return 0
}

// addNode adds a node on all levels up to level, without links.
func (g *Graph) addNode(p *page, node uint32, level int) {
	if level > 0 {
		t := &nodeLevels{make([]uint32, level*g.opts.M)}
		for i := range t.links {
			t.links[i] = noLink
		}
		p.upperLinks[node&pageMask].Store(t)
		g.upperLevels.Add(int64(level))
	}
	atomic.StoreUint32(&g.links(p, node, 0)[0], noLink)
	g.count.Add(1)
}

func (g *Graph) lock(node uint32) *sync.Mutex { return &g.locks[node%uint32(len(g.locks))] }

// storeLinks replaces links. A concurrent reader sees a mix of old and new links. On level 0 it
// counts the incoming links. The caller holds the lock of the node.
func (g *Graph) storeLinks(list, links []uint32, level int) {
	if level == 0 {
		g.countInLinks(list, links)
	}
	for i := range list {
		l := noLink
		if i < len(links) {
			l = links[i]
		}
		if atomic.LoadUint32(&list[i]) != l {
			atomic.StoreUint32(&list[i], l)
		}
	}
}

// countInLinks counts the new links and uncounts those of list.
func (g *Graph) countInLinks(list, links []uint32) {
	for _, l := range links {
		g.inLinks(l).Add(1)
	}
	for i := range list {
		l := atomic.LoadUint32(&list[i])
		if l >= noNode {
			break
		}
		g.inLinks(l).Add(-1)
	}
}

// inLinks returns the counter of the links to a node.
func (g *Graph) inLinks(node uint32) *atomic.Int32 { return &g.page(node).inLinks[node&pageMask] }

// minInLinks is how many links should lead to a node. By the rule of the paper, a node far from
// all others soon has no incoming link, and is then never found.
const minInLinks = 2

// entry returns the node at which a search begins, with its level; false in an empty graph.
func (g *Graph) entry() (node uint32, level int, ok bool) {
	t := g.entryPoint.Load()
	return uint32(t), int(t>>32) - 1, t != 0
}

// randomLevel returns the level of a new node: geometric with the factor 1/M (mL = 1/ln M of the
// paper), from a hash of the node.
func (g *Graph) randomLevel(node uint32) int {
	u := (float64(splitMix64(g.opts.Seed^splitMix64(uint64(node)+1))>>11) + 0.5) / (1 << 53)
	return min(maxLevel, int(-math.Log(u)/math.Log(float64(g.opts.M))))
}

// splitMix64 is the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
func splitMix64(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
