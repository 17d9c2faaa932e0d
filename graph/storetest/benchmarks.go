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

// filled is how many memories the reading benchmarks read from.
const filled = 100_000

// Bench measures a store with memories as they are in use: a record of 0.8 KB, a
// vector of 384 numbers and two entities.
func Bench(b *testing.B, h Harness) {
	for _, writers := range []int{1, 16} {
		b.Run(fmt.Sprintf("update/writers=%d", writers), func(b *testing.B) { benchUpdate(b, h, writers) })
	}
	b.Run("batch=64", func(b *testing.B) { benchBatch(b, h) })
	b.Run("read", func(b *testing.B) { benchRead(b, h) })
}

// typical makes the i-th memory.
func (b *bench) typical(i int) *graph.Memory {
	return b.memory(func(m *graph.Memory) {
		m.Content = strings.Repeat("what was said in a turn of a talk; ", 15)
		m.Namespace, m.User = fmt.Sprint("n", i%5), fmt.Sprint("user-", i%50)
		m.Session, m.Project = fmt.Sprint("session-", i/20), fmt.Sprint("project-", i%20)
		m.Entities = []graph.ID{b.shared[i%len(b.shared)], b.shared[(i*7+1)%len(b.shared)]}
	})
}

func typicalWrite(tx graph.Tx, m *graph.Memory, vector []float32) error {
	if err := tx.PutMemory(m, graph.EventCreated); err != nil {
		return err
	}
	return tx.PutEmbedding(m.ID, vector)
}

func benchFor(b *testing.B, h Harness) *bench {
	w := newBench(b, h)
	for range 200 {
		w.shared = append(w.shared, w.id(w.now()))
	}
	return w
}

func vector() []float32 {
	v := make([]float32, 384)
	for i := range v {
		v[i] = float32(i) / 384
	}
	return v
}

// benchUpdate writes single memories and reports the 95th percentile of the wait.
func benchUpdate(b *testing.B, h Harness, writers int) {
	w, v := benchFor(b, h), vector()
	ms := make([]*graph.Memory, b.N)
	for i := range ms {
		ms[i] = w.typical(i)
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
				if _, err := w.s.Update(context.Background(), w.scope, func(tx graph.Tx) error { return typicalWrite(tx, ms[i], v) }); err != nil {
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

// fill writes n memories in batches of 64.
func (b *bench) fill(n int) (ids []graph.ID) {
	v := vector()
	for i := 0; i < n; {
		var batch []*graph.Memory
		for ; len(batch) < 64 && i < n; i++ {
			batch = append(batch, b.typical(i))
		}
		b.update(func(tx graph.Tx) error {
			for _, m := range batch {
				if err := typicalWrite(tx, m, v); err != nil {
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
	w := benchFor(b, h)
	b.ResetTimer()
	w.fill(64 * b.N)
	b.ReportMetric(float64(64*b.N)/b.Elapsed().Seconds(), "memories/s")
}

func benchRead(b *testing.B, h Harness) {
	w := benchFor(b, h)
	ids := w.fill(filled)
	b.Run("memory", func(b *testing.B) {
		w.TB = b
		for i := range b.N {
			w.view(func(r graph.Reader) { _, err := r.Memory(ids[i*7919%len(ids)]); w.ok(err) })
		}
	})
	b.Run("embedding", func(b *testing.B) {
		w.TB = b
		for i := range b.N {
			w.view(func(r graph.Reader) { _, err := r.Embedding(ids[i*7919%len(ids)]); w.ok(err) })
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
			w.TB = b
			for range b.N {
				w.view(func(r graph.Reader) { _, err := r.ListMemories(q); w.ok(err) })
			}
		})
	}
	b.Run("count uses", func(b *testing.B) {
		w.TB = b
		for i := range b.N {
			at := i * 20 % (len(ids) - 20)
			w.ok(w.s.CountUses(b.Context(), w.scope, ids[at:at+20], w.now()))
		}
	})
	if h.Reopen != nil {
		b.Run(fmt.Sprintf("reopen/%d", filled), func(b *testing.B) {
			w.TB = b
			for range b.N {
				w.s = h.Reopen(b, w.s)
			}
		})
	}
}
