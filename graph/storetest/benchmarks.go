package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// benchmarkMemories is how many memories the read benchmarks read from.
const benchmarkMemories = 100_000

// Bench measures a store with typical memories: a record of 0.8 KB, a vector of 384
// numbers and two entities.
func Bench(b *testing.B, h Harness) {
	for _, writers := range []int{1, 16} {
		b.Run(fmt.Sprintf("update/writers=%d", writers), func(b *testing.B) { benchUpdate(b, h, writers) })
	}
	b.Run("batch=64", func(b *testing.B) { benchBatch(b, h) })
	b.Run("read", func(b *testing.B) { benchRead(b, h) })
}

// typicalMemory makes the i-th memory.
func (f *fixture) typicalMemory(i int) *graph.Memory {
	return f.newMemory(func(m *graph.Memory) {
		m.Content = strings.Repeat("what was said in a turn of a talk; ", 15)
		m.Namespace, m.User = fmt.Sprint("n", i%5), fmt.Sprint("user-", i%50)
		m.Session, m.Project = fmt.Sprint("session-", i/20), fmt.Sprint("project-", i%20)
		m.Entities = []graph.ID{f.sharedEntities[i%len(f.sharedEntities)], f.sharedEntities[(i*7+1)%len(f.sharedEntities)]}
	})
}

func writeTypical(tx graph.Tx, m *graph.Memory, vector []float32) error {
	if err := tx.PutMemory(m, graph.EventCreated); err != nil {
		return err
	}
	return tx.PutEmbedding(m.ID, vector)
}

func newBenchmarkFixture(b *testing.B, h Harness) *fixture {
	f := newFixture(b, h)
	for range 200 {
		f.sharedEntities = append(f.sharedEntities, f.newID(f.tick()))
	}
	return f
}

func benchmarkVector() []float32 {
	v := make([]float32, 384)
	for i := range v {
		v[i] = float32(i) / 384
	}
	return v
}

// benchUpdate writes single memories and reports the 95th percentile of the latency.
func benchUpdate(b *testing.B, h Harness, writers int) {
	f, v := newBenchmarkFixture(b, h), benchmarkVector()
	ms := make([]*graph.Memory, b.N)
	for i := range ms {
		ms[i] = f.typicalMemory(i)
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
				began := time.Now()
				if _, err := f.store.Update(context.Background(), f.scope, func(tx graph.Tx) error { return writeTypical(tx, ms[i], v) }); err != nil {
					b.Error(err)
					return
				}
				took[i] = time.Since(began)
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100])/1e6, "p95-ms")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "memories/s")
}

// fillMemories writes n memories in batches of 64.
func (f *fixture) fillMemories(n int) (ids []graph.ID) {
	v := benchmarkVector()
	for i := 0; i < n; {
		var batch []*graph.Memory
		for ; len(batch) < 64 && i < n; i++ {
			batch = append(batch, f.typicalMemory(i))
		}
		f.mustUpdate(func(tx graph.Tx) error {
			for _, m := range batch {
				if err := writeTypical(tx, m, v); err != nil {
					return err
				}
			}
			return nil
		})
		ids = append(ids, idsOf(batch)...)
	}
	return ids
}

func benchBatch(b *testing.B, h Harness) {
	f := newBenchmarkFixture(b, h)
	b.ResetTimer()
	f.fillMemories(64 * b.N)
	b.ReportMetric(float64(64*b.N)/b.Elapsed().Seconds(), "memories/s")
}

func benchRead(b *testing.B, h Harness) {
	f := newBenchmarkFixture(b, h)
	ids := f.fillMemories(benchmarkMemories)
	b.Run("memory", func(b *testing.B) {
		f.TB = b
		for i := range b.N {
			f.mustView(func(r graph.Reader) { _, err := r.Memory(ids[i*7919%len(ids)]); f.noError(err) })
		}
	})
	b.Run("embedding", func(b *testing.B) {
		f.TB = b
		for i := range b.N {
			f.mustView(func(r graph.Reader) { _, err := r.Embedding(ids[i*7919%len(ids)]); f.noError(err) })
		}
	})
	for name, q := range map[string]graph.MemoryQuery{
		"session":          {Session: "session-17"},
		"namespace page":   {Namespaces: []string{"n3"}, Limit: 100},
		"user, one type":   {Users: []string{"user-3"}, Types: []graph.Type{graph.Semantic}},
		"namespace, users": {Namespaces: []string{"n3"}, Users: []string{"user-3", "user-8"}, Limit: 100},
		"all, a page":      {Limit: graph.MaxPage},
	} {
		b.Run("list/"+name, func(b *testing.B) {
			f.TB = b
			for range b.N {
				f.mustView(func(r graph.Reader) { _, err := r.ListMemories(q); f.noError(err) })
			}
		})
	}
	b.Run("count uses", func(b *testing.B) {
		f.TB = b
		for i := range b.N {
			at := i * 20 % (len(ids) - 20)
			f.noError(f.store.CountUses(b.Context(), f.scope, ids[at:at+20], graph.Use{At: f.tick()}))
		}
	})
	if h.Reopen != nil {
		b.Run(fmt.Sprintf("reopen/%d", benchmarkMemories), func(b *testing.B) {
			f.TB = b
			for range b.N {
				f.store = h.Reopen(b, f.store)
			}
		})
	}
}
