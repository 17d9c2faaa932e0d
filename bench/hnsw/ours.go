package main

import (
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/somnograph/somnograph/graph/index/hnsw"
	"github.com/somnograph/somnograph/graph/index/kernel"
)

// now returns the processor time of this thread, in seconds.
func now() float64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return float64(t.Sec) + float64(t.Nsec)*1e-9
}

// space holds the vectors of a graph.
type space interface {
	hnsw.Space
	Set(node uint32, v []float32)
	SetQuery(s *hnsw.Searcher, v []float32)
	Bytes() int
}

// contender is an implementation that is measured. Its methods return the time to build, and
// the time to search all queries with an effort together with the k hits of each.
type contender interface {
	build() (seconds float64, err error)
	search(effort, k int) (seconds float64, found [][]uint32, err error)
}

// ours is a graph of graph/index/hnsw over one of the spaces.
type ours struct {
	set   *set
	codes bool // search by codes, rerank the best by floats
	graph *hnsw.Graph
	space space
}

func (o *ours) build() (float64, error) {
	dim := o.set.dim
	from := now()
	o.graph = hnsw.New(hnsw.Options{M: m, Effort: construction})
	o.space = hnsw.NewFloats(dim)
	if o.codes {
		o.space = hnsw.NewCodes(dim)
	}
	for i := range uint32(len(o.set.data) / dim) {
		o.space.Set(i, o.set.data[int(i)*dim:(int(i)+1)*dim])
		o.graph.Insert(o.space, i)
	}
	return now() - from, nil
}

// again is the number of candidates that are reranked, per neighbour wanted.
const again = 3

func (o *ours) search(effort, k int) (float64, [][]uint32, error) {
	dim := o.set.dim
	out := make([][]uint32, len(o.set.queries)/dim)
	all := make([]uint32, len(out)*k)
	rows, exact := make([]unsafe.Pointer, again*k), make([]float32, again*k)
	from := now()
	for i := range out {
		query := o.set.queries[i*dim : (i+1)*dim]
		s := o.graph.Searcher()
		o.space.SetQuery(s, query)
		hits, _ := s.Search(o.space, effort, hnsw.Constraints{})
		if o.codes {
			hits = hits[:min(again*k, len(hits))]
			for j, h := range hits {
				rows[j] = unsafe.Pointer(&o.set.data[int(h.Node)*dim])
			}
			kernel.DotsAt(query, rows[:len(hits)], exact)
			for j := range hits {
				hits[j].Score = exact[j]
			}
			slices.SortFunc(hits, func(a, b hnsw.Hit) int {
				switch {
				case a.Score > b.Score:
					return -1
				case a.Score < b.Score:
					return 1
				}
				return 0
			})
		}
		out[i] = all[i*k : i*k : (i+1)*k]
		for _, h := range hits[:min(k, len(hits))] {
			out[i] = append(out[i], h.Node)
		}
		s.Free()
	}
	return now() - from, out, nil
}
