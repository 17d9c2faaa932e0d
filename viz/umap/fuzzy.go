package umap

import (
	"math"
	"slices"
)

// edge is an edge to a point; weight is in (0,1].
type edge struct {
	to     int32
	weight float32
}

// fuzzyGraph is the fuzzy simplicial set as a graph: the edges of point i are
// edges[start[i]:start[i+1]], by ascending index. Every edge is stored at both ends.
type fuzzyGraph struct {
	start []int32
	edges []edge
}

func (g *fuzzyGraph) edgesOf(i int) []edge { return g.edges[g.start[i]:g.start[i+1]] }

// smoothDistances returns ρ, the distance to the nearest neighbour at another position, and σ,
// for which Σ exp(−max(0, d−ρ)/σ) = log₂ k over the neighbours of a point; k includes the point
// (algorithm 3). σ is at least a thousandth of the mean distance.
func smoothDistances(near []Neighbour, connectivity int) (rho, sigma float64) {
	var mean float64
	for _, n := range near {
		if connectivity > 0 && n.Distance > 0 && rho == 0 {
			rho = float64(n.Distance)
		}
		mean += float64(n.Distance) / float64(len(near))
	}
	want := log(float64(len(near)+1)) / math.Ln2
	low, high := 0.0, math.Inf(1)
	sigma = 1
	for range 64 {
		var sum float64
		for _, n := range near {
			sum += membership(n, rho, sigma)
		}
		if math.Abs(sum-want) < 1e-5 {
			break
		}
		if sum > want {
			high = sigma
			sigma = (low + high) / 2
		} else {
			low = sigma
			if sigma *= 2; high < math.Inf(1) {
				sigma = (low + high) / 2
			}
		}
	}
	return rho, max(sigma, mean/1000)
}

// membership is the membership strength of a neighbour in the neighbourhood of a point.
func membership(n Neighbour, rho, sigma float64) float64 {
	d := float64(n.Distance) - rho
	if d <= 0 || sigma == 0 {
		return 1
	}
	return exp(-d / sigma)
}

// memberships returns the edges from a point to its neighbours, by ascending index.
func memberships(near []Neighbour, connectivity int) []edge {
	rho, sigma := smoothDistances(near, connectivity)
	out := make([]edge, len(near))
	for i, n := range near {
		out[i] = edge{n.Index, float32(membership(n, rho, sigma))}
	}
	slices.SortFunc(out, func(a, b edge) int { return int(a.to - b.to) })
	return out
}

// buildFuzzyGraph combines the local neighbourhoods: a + b − ab for the two directions of an
// edge (section 3.1, the probabilistic t-conorm). Edges weaker than the strongest by more than
// the factor are dropped, because they would never be sampled.
func buildFuzzyGraph(c workerPool, near [][]Neighbour, factor float64) (*fuzzyGraph, error) {
	n := len(near)
	out, in := make([][]edge, n), make([][]edge, n)
	if err := c.forEach(n, 64, func(i, _ int) { out[i] = memberships(near[i], 1) }); err != nil {
		return nil, err
	}
	for i, list := range out {
		for _, e := range list {
			in[e.to] = append(in[e.to], edge{int32(i), e.weight})
		}
	}
	var top float32
	for i := range out {
		out[i] = mergeEdges(out[i], in[i])
		top = max(top, maxWeight(out[i]))
	}
	g := &fuzzyGraph{start: make([]int32, 1, n+1)}
	least := float32(float64(top) / factor)
	for _, list := range out {
		for _, e := range list {
			if e.weight >= least {
				g.edges = append(g.edges, e)
			}
		}
		g.start = append(g.start, int32(len(g.edges)))
	}
	return g, nil
}

// mergeEdges combines the edges from and to a point, both by ascending index.
func mergeEdges(out, in []edge) []edge {
	all := make([]edge, 0, len(out)+len(in))
	for len(out) > 0 || len(in) > 0 {
		switch {
		case len(in) == 0 || len(out) > 0 && out[0].to < in[0].to:
			all, out = append(all, out[0]), out[1:]
		case len(out) == 0 || in[0].to < out[0].to:
			all, in = append(all, in[0]), in[1:]
		default:
			a, b := out[0].weight, in[0].weight
			w := a + b - float32(a*b)
			if a > b { // the same at both ends despite rounding
				w = b + a - float32(b*a)
			}
			all = append(all, edge{out[0].to, w})
			out, in = out[1:], in[1:]
		}
	}
	return all
}
