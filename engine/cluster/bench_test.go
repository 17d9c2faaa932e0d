package cluster

import (
	"math/rand/v2"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

const dimension = 384

// matters draws n vectors around n/12 directions. The neighbours of a point are the other
// points of its direction and eight random points, as an index would answer.
func matters(n int) (vectors [][]float32, near listed) {
	r := rand.New(rand.NewPCG(7, 7))
	near = make(listed, n)
	for len(vectors) < n {
		from := len(vectors)
		vectors = append(vectors, blob(r, direction(r, dimension), min(12, n-from), 0.3+0.4*r.Float64())...)
		for i := from; i < len(vectors); i++ {
			for j := from; j < len(vectors); j++ {
				near[i] = append(near[i], j)
			}
			for range 8 {
				near[i] = append(near[i], r.IntN(n))
			}
		}
	}
	return vectors, near
}

func BenchmarkEpisodes20000(b *testing.B) { benchmarkEpisodes(b, 20_000) }

func BenchmarkEpisodes100000(b *testing.B) { benchmarkEpisodes(b, 100_000) }

func benchmarkEpisodes(b *testing.B, n int) {
	vectors, near := matters(n)
	r := rand.New(rand.NewPCG(8, 8))
	items := make([]Episode, n)
	for i := range items {
		items[i] = Episode{ID: name(i), Vector: vectors[i], At: noon, Entities: []graph.ID{"user", name(i / 12), name(r.IntN(200))}}
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(Episodes(items, near, EpisodeDefaults())) == 0 {
			b.Fatal("no group")
		}
	}
}

func BenchmarkDuplicates20000(b *testing.B) {
	vectors, near := matters(20_000)
	items := make([]Item, len(vectors))
	var pairs [][2]int
	for i := range items {
		items[i] = Item{ID: name(i), Vector: vectors[i], Confidence: float64(i%10) / 10, Trust: graph.Trust{Consent: graph.ConsentExplicit, Sensitivity: graph.Internal}, Type: graph.Semantic}
		for _, j := range near[i] {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		Duplicates(items, pairs, always)
	}
}

func BenchmarkHDBSCAN20000(b *testing.B) {
	vectors, near := matters(20_000)
	ids := make([]graph.ID, len(vectors))
	for i := range ids {
		ids[i] = name(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(HDBSCAN(ids, vectors, near, MinSize).Clusters) == 0 {
			b.Fatal("no cluster")
		}
	}
}

func BenchmarkSettle100000(b *testing.B) { benchmarkSettle(b, 100_000) }

func BenchmarkSettle10000(b *testing.B) { benchmarkSettle(b, 10_000) }

func benchmarkSettle(b *testing.B, n int) {
	vectors, near := matters(n)
	for i := range near {
		near[i] = near[i][:min(16, len(near[i]))]
	}
	ids := make([]graph.ID, n)
	for i := range ids {
		ids[i] = name(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		s := Settle(SettleInput{IDs: ids, Vectors: vectors, Near: near, NewID: func(n int) graph.ID { return name(1_000_000 + n) }})
		if len(s.Clusters) == 0 {
			b.Fatal("no cluster")
		}
	}
}
