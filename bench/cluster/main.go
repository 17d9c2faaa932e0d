// Command cluster compares engine/cluster with HDBSCAN of the R package dbscan on the same vectors:
// blobs of several spreads on the unit sphere, and noise. It compares two things: the function
// HDBSCAN, which should find the same clusters, and Settle, which does more. bench/cluster/run runs it.
//
//	go run ./bench/cluster --sizes 500,2000
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/graph"
)

func main() {
	sizes := flag.String("sizes", "500,2000", "numbers of points, comma-separated")
	dim := flag.Int("dim", 32, "dimension")
	peer := flag.String("peer", "peer.R", "the program of the reference")
	flag.Parse()
	for field := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(field)
		if err == nil {
			err = compare(n, *dim, *peer)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "cluster:", err)
			os.Exit(1)
		}
	}
}

// report is one line of the output. Indices are adjusted Rand indices, times are in seconds.
type report struct {
	Points                              int
	HDBSCANAgainstReference             float64 // with lists of all points
	HDBSCANListsAgainstReference        float64 // with lists of 32
	SettleAgainstReference              float64
	HDBSCAN, Settle, Reference          float64 // against the truth
	HDBSCANSeconds, HDBSCANListsSeconds float64
	NeighbourSeconds                    float64 // exact lists of 32, by brute force
	SettleSeconds, ReferenceSeconds     float64
}

func compare(n, dim int, program string) error {
	vectors, truth := points(n, dim)
	ids := make([]graph.ID, n)
	for i := range ids {
		ids[i] = graph.ID(fmt.Sprintf("p%07d", i))
	}
	r := report{Points: n}
	at := time.Now()
	near := nearest(vectors, 32)
	r.NeighbourSeconds = time.Since(at).Seconds()
	at = time.Now()
	all := cluster.HDBSCAN(ids, vectors, everything(n), cluster.MinSize)
	r.HDBSCANSeconds = time.Since(at).Seconds()
	at = time.Now()
	some := cluster.HDBSCAN(ids, vectors, near, cluster.MinSize)
	r.HDBSCANListsSeconds = time.Since(at).Seconds()
	at = time.Now()
	settled := cluster.Settle(cluster.SettleInput{IDs: ids, Vectors: vectors, Near: near, NewID: func(n int) graph.ID { return graph.ID(strconv.Itoa(n)) }})
	r.SettleSeconds = time.Since(at).Seconds()
	labels := slices.Repeat([]int{-1}, n)
	for k, c := range settled.Clusters {
		for _, m := range c.Members {
			labels[m] = k
		}
	}
	reference, seconds, err := reference(vectors, dim, program)
	if err != nil {
		return err
	}
	r.ReferenceSeconds = seconds
	r.HDBSCANAgainstReference = adjustedRand(all.Labels, reference)
	r.HDBSCANListsAgainstReference = adjustedRand(some.Labels, reference)
	r.SettleAgainstReference = adjustedRand(labels, reference)
	r.HDBSCAN, r.Settle, r.Reference = adjustedRand(some.Labels, truth), adjustedRand(labels, truth), adjustedRand(reference, truth)
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// points draws unit vectors around n/50 directions, and one in ten anywhere (label −1).
func points(n, dim int) (vectors [][]float32, truth []int) {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	draw := func(middle []float64, spread float64) []float32 {
		v, length := make([]float64, dim), 0.0
		for k := range v {
			v[k] = spread * r.NormFloat64() / math.Sqrt(float64(dim))
			if middle != nil {
				v[k] += middle[k]
			}
			length += v[k] * v[k]
		}
		out := make([]float32, dim)
		for k, x := range v {
			out[k] = float32(x / math.Sqrt(length))
		}
		return out
	}
	middles := make([][]float64, max(2, n/50))
	for m := range middles {
		for _, x := range draw(nil, 1) {
			middles[m] = append(middles[m], float64(x))
		}
	}
	for i := range n {
		if i%10 == 0 {
			vectors, truth = append(vectors, draw(nil, 1)), append(truth, -1)
			continue
		}
		m := r.IntN(len(middles))
		vectors, truth = append(vectors, draw(middles[m], 0.4+0.1*float64(m%4))), append(truth, m)
	}
	return vectors, truth
}

// everything lists all n points as neighbours of each.
type everything int

// Near returns all points.
func (n everything) Near(int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// lists are neighbours that were found before.
type lists [][]int

// Near returns the list of a point.
func (l lists) Near(i int) []int { return l[i] }

// nearest finds the k nearest others of each vector.
func nearest(vectors [][]float32, k int) lists {
	out := make(lists, len(vectors))
	cosines := make([]float64, len(vectors))
	for i, v := range vectors {
		order := make([]int, len(vectors))
		for j, o := range vectors {
			cosines[j], order[j] = cluster.Cosine(v, o), j
		}
		cosines[i] = math.Inf(-1)
		slices.SortFunc(order, func(a, b int) int {
			if cosines[a] != cosines[b] {
				if cosines[a] > cosines[b] {
					return -1
				}
				return 1
			}
			return a - b
		})
		out[i] = order[:min(k, len(order)-1)]
	}
	return out
}

// reference runs the peer.
func reference(vectors [][]float32, dim int, program string) (labels []int, seconds float64, err error) {
	dir, err := os.MkdirTemp("", "cluster")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	flat := slices.Concat(vectors...)
	data, found := filepath.Join(dir, "vectors"), filepath.Join(dir, "labels")
	if err := os.WriteFile(data, unsafe.Slice((*byte)(unsafe.Pointer(&flat[0])), 4*len(flat)), 0o600); err != nil {
		return nil, 0, err
	}
	cmd := exec.Command("Rscript", program, data, strconv.Itoa(dim), strconv.Itoa(cluster.MinSize), found)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, 0, err
	}
	if seconds, err = strconv.ParseFloat(strings.TrimSpace(string(out)), 64); err != nil {
		return nil, 0, err
	}
	raw, err := os.ReadFile(found)
	if err != nil {
		return nil, 0, err
	}
	for line := range strings.FieldsSeq(string(raw)) {
		k, err := strconv.Atoi(line)
		if err != nil {
			return nil, 0, err
		}
		labels = append(labels, k-1)
	}
	return labels, seconds, nil
}

// adjustedRand is the adjusted Rand index (Hubert, Arabie 1985). A negative label is noise: each
// such point is a cluster of its own.
func adjustedRand(a, b []int) float64 {
	both, left, right := map[[2]int]float64{}, map[int]float64{}, map[int]float64{}
	for i := range a {
		x, y := a[i], b[i]
		if x < 0 {
			x = -1 - i
		}
		if y < 0 {
			y = -1 - i
		}
		both[[2]int{x, y}]++
		left[x]++
		right[y]++
	}
	index, sumA, sumB := 0.0, pairs(left), pairs(right)
	for _, n := range both {
		index += n * (n - 1) / 2
	}
	n := float64(len(a))
	expected := sumA * sumB / (n * (n - 1) / 2)
	return (index - expected) / ((sumA+sumB)/2 - expected)
}

func pairs(sizes map[int]float64) float64 {
	sum := 0.0
	for _, n := range sizes {
		sum += n * (n - 1) / 2
	}
	return sum
}
