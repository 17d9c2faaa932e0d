package cluster

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

func circle(degrees ...float64) ([]graph.ID, [][]float32) {
	var ids []graph.ID
	var vectors [][]float32
	for i, d := range degrees {
		ids, vectors = append(ids, name(i)), append(vectors, along(d))
	}
	return ids, vectors
}

// The figures are worked out by hand: chord(x) = 2·sin(x/2), λ = 1/chord.
func TestHDBSCANByHand(t *testing.T) {
	for _, c := range []struct {
		name      string
		degrees   []float64
		minSize   int
		labels    []int
		stability []float64
		strength  []float64 // nil: 1 for all points in a cluster
	}{
		{"nothing", nil, 5, []int{}, nil, nil},
		{"too few", []float64{0, 1, 2}, 5, []int{-1, -1, -1}, nil, nil},
		// The core distance is chord(2°) for all points of a triple. The triples join at
		// chord(38°). The single point joins at chord(59°), the distance of its second
		// neighbour. Each triple: 3·(28.64938 − 1.53578).
		{"two triples and a loner", []float64{0, 1, 2, 40, 41, 42, 100}, 3, []int{0, 0, 0, 1, 1, 1, -1}, []float64{81.3408, 81.3408}, nil},
		// Four of two pairs begin at 1/chord(55°) = 1.08284, part at 1/chord(3°) =
		// 19.10075: 72.07 against 2·2·(57.29741 − 19.10075) = 152.79 for the pairs.
		{"pairs outlive what holds them", []float64{0, 1, 4, 5, 60, 61}, 2, []int{0, 0, 1, 1, 2, 2}, []float64{76.3933, 76.3933, 112.4291}, nil},
		// The same at 1.5°: 4·(38.19828 − 1.05642) against 2·2·(57.29741 − 38.19828).
		{"what holds the pairs outlives them", []float64{0, 1, 2.5, 3.5, 60, 61}, 2, []int{0, 0, 0, 0, 1, 1}, []float64{148.5674, 112.4820}, nil},
		// With minSize 3 the fourth point leaves at chord(4°) (its second neighbour is
		// at 1°), the others at chord(2°): 14.3268/28.6494.
		{"a straggler", []float64{0, 1, 2, 5, 90, 91, 92}, 3, []int{0, 0, 0, 0, 1, 1, 1}, nil, []float64{1, 1, 1, 0.500152, 1, 1, 1}},
		{"twins", []float64{0, 0, 0, 90, 90, 90}, 3, []int{0, 0, 0, 1, 1, 1}, []float64{2997.8787, 2997.8787}, nil},
	} {
		ids, vectors := circle(c.degrees...)
		got := HDBSCAN(ids, vectors, exactNeighbours(vectors, len(ids)), c.minSize)
		if !slices.Equal(got.Labels, c.labels) {
			t.Errorf("%s: %v, want %v", c.name, got.Labels, c.labels)
			continue
		}
		for i, s := range c.stability {
			close(t, c.name+": stability", got.Clusters[i].Stability, s, 0.05)
		}
		for i, label := range got.Labels {
			want := 1.0
			if c.strength != nil {
				want = c.strength[i]
			}
			if label < 0 {
				want = 0
			}
			close(t, c.name+": strength", got.Strength[i], want, 1e-3)
		}
	}
}

func TestDensityIsTheMeanCosine(t *testing.T) {
	ids, vectors := circle(0, 10, 20, 120, 121, 122)
	got := HDBSCAN(ids, vectors, exactNeighbours(vectors, 6), 3)
	close(t, "density", got.Clusters[0].MeanCosine, (0.98480775+0.93969262+0.98480775)/3, 1e-6)
	close(t, "centroid", Cosine(got.Clusters[0].Centroid, along(10)), 1, 1e-6)
	close(t, "of one", meanCosine(1, 1), 1, 0)
	close(t, "of opposites", meanCosine(0, 2), 0, 0)
}

// Points without enough neighbours are noise. Parts that no list connects do not become one
// cluster.
func TestHDBSCANWithShortNeighbourLists(t *testing.T) {
	ids, vectors := circle(0, 1, 2, 3, 60, 61, 62, 63, 200)
	lists := listed{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}, {5, 6, 7}, {4, 6, 7}, {4, 5, 7}, {4, 5, 6}, {0}}
	got := HDBSCAN(ids, vectors, lists, 4)
	if want := []int{0, 0, 0, 0, 1, 1, 1, 1, -1}; !slices.Equal(got.Labels, want) {
		t.Errorf("%v, want %v", got.Labels, want)
	}
	if got := HDBSCAN(ids, vectors, none{}, 4); len(got.Clusters) != 0 {
		t.Errorf("without neighbours: %+v", got.Clusters)
	}
}

// Two dense blobs far apart with thin noise: each blob is one cluster, and noise in a cluster
// lies at its rim.
func TestTwoBlobsAndNoise(t *testing.T) {
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 4))
		vectors := slices.Concat(blob(r, direction(r, 32), 60, 0.4), blob(r, direction(r, 32), 40, 0.4))
		for range 20 {
			vectors = append(vectors, direction(r, 32))
		}
		ids := make([]graph.ID, len(vectors))
		for i := range ids {
			ids[i] = name(i)
		}
		for _, k := range []int{20, len(ids)} {
			got := HDBSCAN(ids, vectors, exactNeighbours(vectors, k), MinSize)
			if len(got.Clusters) != 2 {
				t.Fatalf("seed %d, k %d: %d clusters", seed, k, len(got.Clusters))
			}
			outside, inside := 0, 0
			for i, label := range got.Labels {
				switch {
				case i < 60 && label != 0, i >= 60 && i < 100 && label != 1:
					outside++
				case i >= 100 && got.Strength[i] > 0.8:
					inside++
				}
			}
			if outside > 5 || inside > 0 {
				t.Errorf("seed %d, k %d: %d of 100 are left out, %d of 20 lie deep inside", seed, k, outside, inside)
			}
		}
	}
}

func densityWorld(t *rapid.T) ([]graph.ID, [][]float32) {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
	var vectors [][]float32
	for range rapid.IntRange(0, 4).Draw(t, "blobs") {
		vectors = append(vectors, blob(r, direction(r, 6), 3+r.IntN(15), 0.1+r.Float64())...)
	}
	for range rapid.IntRange(0, 10).Draw(t, "noise") {
		vectors = append(vectors, direction(r, 6))
	}
	ids := make([]graph.ID, len(vectors))
	for i, p := range r.Perm(len(ids)) {
		ids[i] = name(p)
	}
	return ids, vectors
}

func TestHDBSCANIsAPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids, vectors := densityWorld(t)
		minSize := rapid.IntRange(2, 6).Draw(t, "minSize")
		got := HDBSCAN(ids, vectors, exactNeighbours(vectors, rapid.IntRange(1, 40).Draw(t, "k")), minSize)
		for k, c := range got.Clusters {
			if len(c.Members) < minSize || c.Stability < 0 || c.MeanCosine < 0 || c.MeanCosine > 1 || len(c.Centroid) != 6 {
				t.Fatalf("cluster %d: %+v", k, c)
			}
			for _, m := range c.Members {
				if got.Labels[m] != k || !(got.Strength[m] > 0 && got.Strength[m] <= 1) {
					t.Fatalf("%d of cluster %d: label %d, strength %v", m, k, got.Labels[m], got.Strength[m])
				}
			}
		}
		counted := 0
		for i, label := range got.Labels {
			if label >= 0 {
				counted++
			} else if got.Strength[i] != 0 {
				t.Fatalf("noise with strength %v", got.Strength[i])
			}
		}
		for _, c := range got.Clusters {
			counted -= len(c.Members)
		}
		if counted != 0 {
			t.Fatalf("%d points are in no cluster of their label", counted)
		}
	})
}

func TestHDBSCANInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids, vectors := densityWorld(t)
		near := exactNeighbours(vectors, 8)
		want := HDBSCAN(ids, vectors, near, 4)
		turn := shuffled(t, len(ids))
		back := make([]int, len(ids))
		for i, p := range turn {
			back[p] = i
		}
		movedIDs, moved, lists := make([]graph.ID, len(ids)), make([][]float32, len(ids)), make(listed, len(ids))
		for i, p := range turn {
			movedIDs[i], moved[i] = ids[p], vectors[p]
			for _, q := range near.Near(p) {
				lists[i] = append(lists[i], back[q])
			}
			slices.Reverse(lists[i])
		}
		got := HDBSCAN(movedIDs, moved, lists, 4)
		for i, p := range turn {
			if got.Labels[i] != want.Labels[p] || got.Strength[i] != want.Strength[p] {
				t.Fatalf("%s is labelled %d (%v), was %d (%v)", movedIDs[i], got.Labels[i], got.Strength[i], want.Labels[p], want.Strength[p])
			}
		}
		for k := range got.Clusters {
			for i, m := range got.Clusters[k].Members {
				got.Clusters[k].Members[i] = turn[m]
			}
		}
		if !reflect.DeepEqual(got.Clusters, want.Clusters) {
			t.Fatalf("clusters differ: %+v, want %+v", got.Clusters, want.Clusters)
		}
	})
}
