package recess

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// percentile of durations, in milliseconds.
func percentile(d []time.Duration, p float64) float64 {
	slices.Sort(d)
	return float64(d[min(len(d)-1, int(p*float64(len(d))))]) / 1e6
}

// BenchmarkAppend appends one engram per call, synced, with a vector of 512 dimensions;
// every fourth begins a new subject, which makes a key.
func BenchmarkAppend(b *testing.B) {
	for _, writers := range []int{1, 16} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			r := open(b, Options{Dir: b.TempDir()})
			list := newMaker(1).engrams(b.N, 0)
			vectors := hashedVectors(b, notes(200))
			for i := range list {
				list[i].Memory.Subject = fmt.Sprintf("subject %d", i/4)
				list[i].Vector = vectors[i%len(vectors)]
			}
			took := make([]time.Duration, b.N)
			var next atomic.Int64
			var wg sync.WaitGroup
			b.ResetTimer()
			for range writers {
				wg.Go(func() {
					for {
						i := int(next.Add(1)) - 1
						if i >= b.N {
							return
						}
						begin := time.Now()
						if err := r.Append(ctx, kiwi, list[i]); err != nil {
							b.Error(err)
							return
						}
						took[i] = time.Since(begin)
					}
				})
			}
			wg.Wait()
			b.ReportMetric(percentile(took, 0.5), "p50-ms")
			b.ReportMetric(percentile(took, 0.95), "p95-ms")
		})
	}
}

// BenchmarkSeal seals engrams of 500 subjects with vectors of the built-in model and
// reports the compression ratios.
func BenchmarkSeal(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("engrams=%d", n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				r := open(b, Options{Dir: b.TempDir()})
				m := newMaker(1)
				texts := notes(5000)
				vectors := hashedVectors(b, texts)
				for from := 0; from < n; from += 1000 {
					list := m.engrams(1000, 500)
					for i := range list {
						list[i].EngravedAt = start
						list[i].Memory.Content, list[i].Memory.Checksum = fmt.Sprintf("%s. (%d)", texts[m.rng.IntN(len(texts))], from+i), ""
						list[i].Vector = vectors[(from+i)%len(vectors)]
					}
					must(b, r.Append(ctx, kiwi, list...))
				}
				peak := watchHeap()
				b.StartTimer()
				_, err := r.Seal(ctx, kiwi)
				must(b, err)
				b.StopTimer()
				b.ReportMetric(peak(), "peak-MB")
				s, err := r.Stats(ctx, kiwi)
				must(b, err)
				b.ReportMetric(float64(s.VectorsFloat32)/float64(s.Vectors), "vectors:1")
				b.ReportMetric(float64(s.Text)/float64(s.Bodies), "text:1")
				b.ReportMetric(float64(s.Text+s.VectorsFloat32)/float64(s.Files), "files:1")
				b.ReportMetric(float64(s.Files)/float64(n), "B/engram")
				must(b, r.Close())
				b.StartTimer()
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "engrams/s")
		})
	}
}

// watchHeap returns a function that stops watching and returns the largest growth of the
// heap, in MB.
func watchHeap() func() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, peak := m.HeapAlloc, m.HeapAlloc
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapAlloc)
			}
		}
	}()
	return func() float64 {
		close(stop)
		<-done
		return float64(peak-before) / 1e6
	}
}

// BenchmarkRead reads engrams of a file by id: random ones (the cache rarely helps), and the
// same one repeatedly.
func BenchmarkRead(b *testing.B) {
	r, _, list := sealedOnce(b, 10_000, 300)
	for name, pick := range map[string]func(i int) int{"anywhere": func(i int) int { return i * 7919 % len(list) }, "cached": func(int) int { return 5 }} {
		b.Run(name, func(b *testing.B) {
			took := make([]time.Duration, 0, b.N)
			for i := range b.N {
				begin := time.Now()
				if _, err := r.Read(ctx, kiwi, list[pick(i)].Memory.ID); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begin))
			}
			b.ReportMetric(percentile(took, 0.95), "p95-ms")
		})
	}
}

// BenchmarkSearch reports recall@10 against exact float32 search, and the time of a search:
// with the stored vectors only, and refined by the candidates' exact vectors. "nearest" is
// the share of queries whose exact nearest is among the ten found.
func BenchmarkSearch(b *testing.B) {
	const n, queries = 6000, 200
	texts := notes(n + queries)
	for _, set := range []struct {
		name    string
		vectors func() [][]float32
		texts   []string
	}{
		{"hashed", func() [][]float32 { return hashedVectors(b, texts) }, texts[:n]},
		{"clustered384/noise=0.3", func() [][]float32 { return clusteredVectors(n+queries, 384, 100, 0.3, 1) }, nil},
		{"clustered384/noise=1", func() [][]float32 { return clusteredVectors(n+queries, 384, 100, 1, 1) }, nil},
	} {
		b.Run(set.name, func(b *testing.B) {
			all := set.vectors()
			r, exact := archived(b, "m", all[:n], set.texts, 0)
			overlap, nearest := recalls(b, r, "m", exact, all[n:], false)
			refined, _ := recalls(b, r, "m", exact, all[n:], true)
			s, err := r.Stats(ctx, kiwi)
			must(b, err)
			b.ResetTimer()
			for i := range b.N {
				if _, err := r.Search(ctx, kiwi, Query{Model: "m", Vector: all[n+i%queries], K: 10}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(overlap, "recall@10")
			b.ReportMetric(nearest, "nearest")
			b.ReportMetric(refined, "refined")
			b.ReportMetric(float64(s.VectorsFloat32)/float64(s.Vectors), "vectors:1")
			b.ReportMetric(float64(s.Quantised), "quantised")
		})
	}
}
