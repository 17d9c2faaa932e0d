package hnsw

import "sync/atomic"

// Removed is the new number, in [Graph.Renumber], of a node that the new graph omits.
const Removed = noLink

// Renumber returns a new graph in which node i has the number to[i]. It omits nodes whose number
// is Removed or that are beyond the end of to, with all links to them. The new numbers must be
// distinct. It may run in parallel with searches, insertions and a repair; the copy may or may
// not contain their changes.
func (g *Graph) Renumber(to []uint32) *Graph {
	out := New(g.opts)
	name := func(node uint32) uint32 {
		if int64(node) < int64(len(to)) {
			return to[node]
		}
		return Removed
	}
	g.eachNode(func(p *page, node uint32) {
		called := name(node)
		if called == Removed {
			return
		}
		level := g.level(p, node)
		into := out.grow(called)
		out.addNode(into, called, level)
		for l := 0; l <= level; l++ {
			from, list, n := g.links(p, node, l), out.links(into, called, l), 0
			for i := range from {
				link := atomic.LoadUint32(&from[i])
				if link >= noNode {
					break
				}
				if link = name(link); link != Removed {
					list[n] = link
					n++
				}
			}
		}
	})
	out.prune()
	out.entryPoint.Store(out.highestNode(func(uint32) bool { return true }))
	return out
}

// prune removes links that lead to no node of their level and counts the others. It reports
// whether it removed any. No other goroutine may use the graph yet.
func (g *Graph) prune() (any bool) {
	there := make([]uint64, g.Bound()/64) // avoids a distant memory access for each link
	g.eachNode(func(_ *page, node uint32) { there[node>>6] |= 1 << (node & 63) })
	g.eachNode(func(p *page, node uint32) {
		for l := g.level(p, node); l >= 0; l-- {
			list, n := g.links(p, node, l), 0
			for _, link := range list {
				if link == noLink {
					break
				}
				if link == node || link >= g.Bound() || there[link>>6]>>(link&63)&1 == 0 || l > 0 && g.level(g.page(link), link) < l {
					any = true
					continue
				}
				list[n] = link
				n++
			}
			for i := n; i < len(list); i++ {
				list[i] = noLink
			}
			if l == 0 {
				g.countInLinks(nil, list[:n])
			}
		}
	})
	return any
}
