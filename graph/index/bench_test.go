package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
)

const benchDims = 512

// crowd is a feed of n memories: words drawn by Zipf's law, 30 turns a session, two
// users, a few entities each, and vectors around 200 centres.
func crowd(n, dims int) *feed {
	r := rand.New(rand.NewPCG(7, 11))
	words := rand.NewZipf(r, 1.1, 20, 30_000)
	f := newFeed()
	for i := range 2000 {
		f.putEntity(&graph.Entity{ID: testID(epoch, uint64(1_000_000+i)), Namespace: "main", Name: fmt.Sprintf("Entity%d", i), Canonical: fmt.Sprintf("entity%d", i), Type: graph.Concept, FirstSeen: epoch})
	}
	centres := make([][]float32, 200)
	for i := range centres {
		centres[i] = testvectors.Around(r, nil, dims, 1)
	}
	var text strings.Builder
	for i := range n {
		text.Reset()
		for range 12 + r.IntN(25) {
			fmt.Fprintf(&text, "%s ", spell(words.Uint64()))
		}
		m := f.memory(epoch.Add(time.Duration(i)*time.Minute), text.String(), func(m *graph.Memory) {
			m.Session = fmt.Sprintf("s%d", i/30)
			m.User = fmt.Sprintf("u%d", i%2)
			for range r.IntN(4) {
				m.Entities = append(m.Entities, testID(epoch, uint64(1_000_000+r.IntN(2000))))
			}
		})
		f.put(m, testvectors.Around(r, centres[r.IntN(len(centres))], dims, 1))
	}
	return f
}

// spell returns a made-up word for a number.
func spell(n uint64) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	b := []byte{consonants[n%14], vowels[n/14%5]}
	for n /= 70; n > 0; n /= 70 {
		b = append(b, consonants[n%14], vowels[n/14%5])
	}
	return string(b)
}

var crowds sync.Map // size → *feed

func crowded(b *testing.B, n int) *feed {
	if f, made := crowds.Load(n); made {
		return f.(*feed)
	}
	f := crowd(n, benchDims)
	crowds.Store(n, f)
	return f
}

// atRest returns an index whose neighbour graph contains everything.
func atRest(b *testing.B, f *feed, o Options) *Index {
	x := opened(b, f, o)
	if len(f.memories) > minGraphSize {
		rest(b, x, 0)
	}
	return x
}

func sizes(b *testing.B, run func(b *testing.B, n int)) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n > 10_000 && testing.Short() {
				b.Skip("short")
			}
			run(b, n)
		})
	}
}

// benchQueries returns queries that differ from one another.
func benchQueries(words, vectors, entities bool) []Query {
	r := rand.New(rand.NewPCG(3, 9))
	zipf := rand.NewZipf(r, 1.1, 20, 30_000)
	out := make([]Query, 64)
	for i := range out {
		q := Query{Now: epoch.Add(2_000_000 * time.Minute)}
		if words {
			var text []string
			for range 7 {
				text = append(text, spell(zipf.Uint64()))
			}
			q.Texts = []string{strings.Join(text, " ")}
		}
		if vectors {
			q.Vector = testvectors.Around(r, nil, benchDims, 1)
		}
		if entities {
			q.Entities = []graph.ID{testID(epoch, uint64(1_000_000+r.IntN(2000))), testID(epoch, uint64(1_000_000+r.IntN(2000)))}
		}
		out[i] = q
	}
	return out
}

func benchRecall(b *testing.B, workers int, edit func(*Query), words, vectors, entities bool) {
	sizes(b, func(b *testing.B, n int) {
		f := crowded(b, n)
		x := atRest(b, f, Options{Workers: workers})
		queries := benchQueries(words, vectors, entities)
		b.ReportAllocs()
		var took []time.Duration
		for b.Loop() {
			q := queries[len(took)%len(queries)]
			if edit != nil {
				edit(&q)
			}
			r, err := x.Recall(context.Background(), world, q)
			if err != nil {
				b.Fatal(err)
			}
			took = append(took, r.Took)
		}
		slices.Sort(took)
		for _, p := range []int{50, 95} {
			b.ReportMetric(float64(took[len(took)*p/100].Microseconds()), fmt.Sprintf("p%d-µs", p))
		}
	})
}

func BenchmarkRecallHybrid(b *testing.B)          { benchRecall(b, 1, nil, true, true, true) }
func BenchmarkRecallHybridParallel(b *testing.B)  { benchRecall(b, 2, nil, true, true, true) }
func BenchmarkRecallWords(b *testing.B)           { benchRecall(b, 1, nil, true, false, false) }
func BenchmarkRecallVectors(b *testing.B)         { benchRecall(b, 1, nil, false, true, false) }
func BenchmarkRecallVectorsParallel(b *testing.B) { benchRecall(b, 2, nil, false, true, false) }
func BenchmarkRecallGraph(b *testing.B)           { benchRecall(b, 1, nil, false, false, true) }

func BenchmarkRecallAsOf(b *testing.B) {
	benchRecall(b, 1, func(q *Query) { q.Filter.AsOf.Recorded = epoch.Add(5000 * time.Minute) }, true, true, true)
}

func BenchmarkRecallSession(b *testing.B) {
	benchRecall(b, 1, func(q *Query) { q.Filter.Session = "s7" }, true, true, true)
}

func BenchmarkNearest256(b *testing.B) {
	sizes(b, func(b *testing.B, n int) {
		x := atRest(b, crowded(b, n), Options{})
		r := rand.New(rand.NewPCG(5, 6))
		vectors := make([][]float32, 256)
		for i := range vectors {
			vectors[i] = testvectors.Around(r, nil, benchDims, 1)
		}
		for b.Loop() {
			if _, err := x.Nearest(context.Background(), world, vectors, Filter{}, epoch.Add(2_000_000*time.Minute), 10, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkFollow(b *testing.B) {
	f := crowded(b, 10_000)
	changes := f.changes
	for b.Loop() {
		f.mu.Lock()
		f.changes = nil
		f.mu.Unlock()
		hidden := f.memories
		f.memories = map[graph.ID]*graph.Memory{}
		x, err := Open(context.Background(), f, Options{})
		if err != nil {
			b.Fatal(err)
		}
		f.mu.Lock()
		f.memories, f.changes = hidden, changes
		close(f.moved)
		f.moved = make(chan struct{})
		f.mu.Unlock()
		settle(b, x, f)
		if err := x.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(f.memories)*b.N)/b.Elapsed().Seconds(), "docs/s")
}

func BenchmarkRAM(b *testing.B) {
	sizes(b, func(b *testing.B, n int) {
		f := crowded(b, n)
		for b.Loop() {
			before := heap()
			x := opened(b, f, Options{})
			b.ReportMetric(float64(heap()-before)/float64(n), "B/doc")
			runtime.KeepAlive(x)
		}
	})
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
