// Command hnsw compares graph/index/hnsw with hnswlib on the same made-up vectors, on one
// thread, in interleaved rounds, at the least effort with a recall of .98. See run and
// docs/benchmarks.md.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/graph/index/kernel"
)

const (
	m            = 16
	construction = 100
	wanted       = 10  // number of neighbours per query
	enough       = .98 // recall
)

func main() {
	program := flag.String("peer", "", "path of the compiled peer/peer.cpp")
	rounds := flag.Int("rounds", 7, "number of search rounds; the figures are medians")
	builds := flag.Int("builds", 1, "number of builds")
	sizes := flag.String("sizes", "100000", "numbers of vectors")
	questions := flag.Int("queries", 500, "queries per round")
	only := flag.String("set", "", "clustered or isotropic; empty: both")
	dim := flag.Int("dim", 384, "dimensions")
	flag.Parse()
	runtime.LockOSThread()
	if err := run(*program, *sizes, *only, *rounds, *builds, *questions, *dim); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// result holds all figures. Ratios above 1 favour graph/index/hnsw.
type result struct {
	Go, Machine, Kernel string
	Sets                []*set
}

func run(program, sizes, only string, rounds, builds, questions, dim int) error {
	r := result{Go: runtime.Version(), Machine: runtime.GOOS + "/" + runtime.GOARCH, Kernel: kernel.Name()}
	for field := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(field)
		if err != nil {
			return fmt.Errorf("--sizes: %w", err)
		}
		for _, k := range []kind{easy, hard} {
			if only != "" && only != k.Name {
				continue
			}
			s := &set{Name: k.Name, N: n, dim: dim}
			s.data, s.queries = k.vectors(n, questions, dim)
			if err := s.measure(program, rounds, builds); err != nil {
				return err
			}
			r.Sets = append(r.Sets, s)
		}
	}
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// set holds the figures of one set of vectors.
type set struct {
	Name          string
	N             int
	Sides         []*side
	dim           int
	data, queries []float32
}

// side holds the figures of one implementation.
type side struct {
	Name   string
	Build  float64 // seconds of processor time
	Builds float64 `json:",omitempty"` // time of the peer / this time
	Effort int     // the least with enough recall
	Recall float64
	Micros float64 // processor time per query, median of the rounds
	Times  float64 `json:",omitempty"` // queries per second / those of the peer
	Bytes  int     `json:",omitempty"` // of links and vectors, without those that are only reranked
	times  []float64
	builds []float64
	who    contender
}

func (s *set) measure(program string, rounds, builds int) error {
	dir, err := os.MkdirTemp("", "hnsw")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	hired, err := hire(program, dir, s)
	if err != nil {
		return err
	}
	floats, codes := &ours{set: s}, &ours{set: s, codes: true}
	s.Sides = []*side{{Name: "hnswlib", who: hired}, {Name: "float32", who: floats}, {Name: "int8", who: codes}}
	right := truth(s.data, s.queries, s.dim, wanted)
	for range builds {
		for _, x := range s.Sides {
			seconds, err := x.who.build()
			if err != nil {
				return err
			}
			x.builds = append(x.builds, seconds)
			fmt.Fprintf(os.Stderr, "%s %d: %s built in %.1f s\n", s.Name, s.N, x.Name, seconds)
		}
	}
	for _, x := range s.Sides {
		if err := x.suffice(right); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s %d: %s finds %.4f with %d\n", s.Name, s.N, x.Name, x.Recall, x.Effort)
	}
	for range rounds {
		for _, x := range s.Sides {
			seconds, _, err := x.who.search(x.Effort, wanted)
			if err != nil {
				return err
			}
			x.times = append(x.times, seconds/float64(len(right))*1e6)
		}
	}
	for _, x := range s.Sides {
		x.Build, x.Micros = median(x.builds), median(x.times)
	}
	for _, x := range s.Sides[1:] {
		x.Builds, x.Times = s.Sides[0].Build/x.Build, s.Sides[0].Micros/x.Micros
		o := x.who.(*ours)
		x.Bytes = o.graph.Bytes() + o.space.Bytes()
	}
	return hired.dismiss()
}

// suffice finds the least effort with enough recall, to within 5 %.
func (x *side) suffice(right [][]uint32) error {
	short, effort := 0, wanted
	for {
		recall, err := x.recall(right, effort)
		if err != nil {
			return err
		}
		if recall >= enough {
			x.Effort, x.Recall = effort, recall
			if effort-short <= max(1, short/20) {
				return nil
			}
			effort = (short + effort) / 2
			continue
		}
		short = effort
		if effort *= 2; x.Effort > 0 {
			effort = (short + x.Effort) / 2
			if x.Effort-short <= max(1, short/20) {
				return nil
			}
		}
	}
}

// recall returns the share of the true neighbours that an effort finds.
func (x *side) recall(right [][]uint32, effort int) (float64, error) {
	_, found, err := x.who.search(effort, wanted)
	hits := 0
	for i, ids := range found {
		for _, id := range ids {
			if slices.Contains(right[i], id) {
				hits++
			}
		}
	}
	return float64(hits) / float64(len(right)*wanted), err
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}
