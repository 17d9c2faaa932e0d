package dgraphstore

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

// BenchmarkStore runs the benchmarks of storetest. Its read part first fills a tenant with
// 100,000 memories, which takes minutes.
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

// BenchmarkChain measures what a decision about each of 16 subjects reads in its transaction,
// by the number of versions in their chains.
func BenchmarkChain(b *testing.B) {
	const subjects = 16
	s, sc := open(b, Options{}), scope(b)
	next := start
	for _, versions := range []int{2, 400} {
		names, heads := make([]string, subjects), make([]*graph.Memory, subjects)
		for i := range names {
			names[i] = fmt.Sprint("door ", i, " of ", versions)
			for from := 0; from < versions; from += 50 {
				_, err := s.Update(b.Context(), sc, func(tx graph.Tx) error {
					for v := from; v < min(versions, from+50); v++ {
						next = next.Add(time.Second)
						m := memory(b, next.Sub(start), func(m *graph.Memory) {
							m.Subject, m.Version = names[i], v+1
							if heads[i] != nil {
								m.Chain = heads[i].Chain
							}
						})
						if old := heads[i]; old != nil {
							old.SetState(next, func(st *graph.State) { st.Status = graph.Superseded })
							old.SupersededBy = m.ID
							if err := tx.PutMemory(old, graph.EventSuperseded); err != nil {
								return err
							}
						}
						if err := tx.PutMemory(m, graph.EventCreated); err != nil {
							return err
						}
						heads[i] = m
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		}
		read := func(r graph.Reader) error {
			if err := r.(graph.Expecter).Expect(graph.Expected{Subjects: names}); err != nil {
				return err
			}
			for i, name := range names {
				active, err := r.ListMemories(graph.MemoryQuery{Subject: name, Statuses: []graph.Status{graph.Active}})
				if err != nil || len(active) != 1 {
					return fmt.Errorf("%d are ACTIVE: %w", len(active), err)
				}
				newest, err := r.ListMemories(graph.MemoryQuery{Chain: heads[i].Chain, Descending: true, Limit: 1})
				if err != nil || newest[0].Version != versions {
					return fmt.Errorf("the newest is %v: %w", newest, err)
				}
			}
			return nil
		}
		b.Run(fmt.Sprint(versions), func(b *testing.B) {
			for range b.N {
				if err := s.View(b.Context(), sc, read); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
