package dgraphstore

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

// BenchmarkStore measures what the other store is measured by. Its reading part fills a
// tenant with 100,000 memories first, which takes minutes.
func BenchmarkStore(b *testing.B) {
	storetest.Bench(b, storetest.Harness{New: func(t testing.TB) graph.Store { return open(t, Options{}) }})
}

// BenchmarkReading measures reads of a tenant of 6,400 memories.
func BenchmarkReading(b *testing.B) {
	s, sc := open(b, Options{}), scope(b)
	vector := make([]float32, 384)
	for i := range vector {
		vector[i] = float32(i) / 384
	}
	var ids []graph.ID
	for range 100 {
		var ms []*graph.Memory
		for range 64 {
			i := len(ids)
			m := memory(b, time.Duration(i)*time.Minute, func(m *graph.Memory) {
				m.Content = strings.Repeat("what was said in a turn of a talk; ", 15)
				m.Session, m.User = fmt.Sprint("session-", i/20), fmt.Sprint("user-", i%50)
			})
			ms, ids = append(ms, m), append(ids, m.ID)
		}
		_, err := s.Update(b.Context(), sc, func(tx graph.Tx) error {
			if err := put(ms...)(tx); err != nil {
				return err
			}
			for _, m := range ms {
				if err := tx.PutEmbedding(m.ID, vector); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	for name, read := range map[string]func(r graph.Reader, i int) error{
		"memory":    func(r graph.Reader, i int) error { _, err := r.Memory(ids[i*7919%len(ids)]); return err },
		"embedding": func(r graph.Reader, i int) error { _, err := r.Embedding(ids[i*7919%len(ids)]); return err },
		"session": func(r graph.Reader, i int) error {
			_, err := r.ListMemories(graph.MemoryQuery{Session: fmt.Sprint("session-", i%300)})
			return err
		},
		"page of 100": func(r graph.Reader, i int) error {
			_, err := r.ListMemories(graph.MemoryQuery{After: ids[i*7919%len(ids)], Limit: 100})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				if err := s.View(b.Context(), sc, func(r graph.Reader) error { return read(r, i) }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
