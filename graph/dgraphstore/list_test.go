package dgraphstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

// A list that is too long to be sorted is read by a range scan; in this test from the fifth
// row on. The results must equal those of the model.
func TestLongListIsScannedInOrder(t *testing.T) {
	s := open(t, Options{})
	s.shortList = 4
	twin, sc := storetest.NewModel(), scope(t)
	rnd := rand.New(rand.NewPCG(3, 3))
	both := func(fn func(graph.Tx) error) {
		t.Helper()
		for _, st := range []graph.Store{s, twin} {
			if _, err := st.Update(t.Context(), sc, fn); err != nil {
				t.Fatal(err)
			}
		}
	}
	hub := memory(t, 0).ID
	var ids []graph.ID
	for batch := range 6 {
		var ms []*graph.Memory
		for i := range 40 {
			// Years without an id, and many ids within a millisecond.
			after := time.Duration(batch*batch) * 2000 * time.Hour
			if i%2 == 0 {
				after += time.Duration(rnd.IntN(100)) * time.Hour
			}
			m := memory(t, after, func(m *graph.Memory) {
				m.Namespace, m.User, m.Project = fmt.Sprint("n", i%3), []string{"", "ada", "bo"}[rnd.IntN(3)], []string{"", "kite"}[i%2]
				if i%4 > 0 {
					m.Entities = []graph.ID{hub}
				}
				if rnd.IntN(3) == 0 {
					m.EmbeddingModel = ""
				}
			})
			ms, ids = append(ms, m), append(ids, m.ID)
		}
		both(put(ms...))
		both(func(tx graph.Tx) error {
			for i := range 5 {
				at := start.Add(time.Duration(batch*1000+i) * time.Hour)
				id := ids[len(ids)-1-i]
				e := &graph.Entity{ID: id, Namespace: fmt.Sprint("n", i%2), Name: "E", Canonical: fmt.Sprint(batch, i), Type: graph.Person, FirstSeen: at}
				if err := tx.PutEntity(e); err != nil {
					return err
				}
				if err := tx.PutNote(graph.Note{Kind: graph.NoteSleep, ID: id, At: at}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	same := func(what string, read func(graph.Reader) (any, error)) {
		t.Helper()
		var answers []any
		for _, st := range []graph.Store{s, twin} {
			if err := st.View(t.Context(), sc, func(r graph.Reader) error {
				v, err := read(r)
				answers = append(answers, v)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(answers[0], answers[1]) {
			t.Fatalf("%s:\nstore %v\nmodel %v", what, answers[0], answers[1])
		}
	}
	idsOf := func(ms []*graph.Memory) (out []graph.ID) {
		for _, m := range ms {
			out = append(out, m.ID)
		}
		return out
	}
	for range 60 {
		q := graph.MemoryQuery{Limit: []int{1, 3, 17, 0}[rnd.IntN(4)], Descending: rnd.IntN(2) == 0, Pending: rnd.IntN(5) == 0}
		if rnd.IntN(2) == 0 {
			q.After = ids[rnd.IntN(len(ids))]
		}
		if rnd.IntN(3) == 0 {
			q.Namespaces = []string{"n0", fmt.Sprint("n", rnd.IntN(4))}
		}
		if rnd.IntN(3) == 0 {
			q.Users = [][]string{{"ada"}, {"", "bo"}, {"nobody"}}[rnd.IntN(3)]
		}
		if rnd.IntN(3) == 0 {
			q.Project = "kite"
		}
		same(fmt.Sprintf("%+v", q), func(r graph.Reader) (any, error) { ms, err := r.ListMemories(q); return idsOf(ms), err })
		after, limit := q.After, q.Limit
		same("mentions", func(r graph.Reader) (any, error) { return r.Mentions(hub, after, limit) })
		same("notes", func(r graph.Reader) (any, error) { return r.Notes(graph.NoteSleep, after, q.Descending, limit) })
		same("entities", func(r graph.Reader) (any, error) {
			return r.ListEntities(graph.EntityQuery{After: after, Limit: limit, Namespaces: q.Namespaces})
		})
	}
}

// Reading the vector of each listed memory takes a few round trips, not one each, and returns
// the same as single reads, also for missing vectors.
func TestVectorsOfListAreReadTogether(t *testing.T) {
	var queries atomic.Int64
	dial := grpc.WithUnaryInterceptor(func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		queries.Add(1)
		return invoke(ctx, method, req, reply, conn, opts...)
	})
	s, sc := open(t, Options{Dial: []grpc.DialOption{dial}, FoldEvery: time.Hour}), scope(t)
	var ms []*graph.Memory
	want := map[graph.ID][]float32{}
	for i := range 300 {
		m := memory(t, time.Duration(i)*time.Second)
		ms = append(ms, m)
		if i%7 > 0 {
			want[m.ID] = []float32{float32(i), 0.5}
		}
	}
	_, err := s.Update(t.Context(), sc, func(tx graph.Tx) error {
		if err := put(ms...)(tx); err != nil {
			return err
		}
		for id, v := range want {
			if err := tx.PutEmbedding(id, v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, load := range map[string]func(graph.Reader) ([]*graph.Memory, error){
		"listed": func(r graph.Reader) ([]*graph.Memory, error) { return r.ListMemories(graph.MemoryQuery{}) },
		"by id": func(r graph.Reader) ([]*graph.Memory, error) {
			return r.Memories([]graph.ID{ms[9].ID, ms[2].ID, unusedID, ms[7].ID})
		},
	} {
		err := s.View(t.Context(), sc, func(r graph.Reader) error {
			found, err := load(r)
			if err != nil {
				return err
			}
			before := queries.Load()
			for range 2 { // a second time as well
				for _, m := range found {
					if m == nil {
						continue
					}
					v, err := r.Embedding(m.ID)
					if want[m.ID] == nil && !errors.Is(err, graph.ErrNotFound) || want[m.ID] != nil && (err != nil || !slices.Equal(v, want[m.ID])) {
						t.Errorf("%s: vector %v, %v; want %v", name, v, err, want[m.ID])
					}
					if err == nil {
						v[0] = -1
					}
				}
			}
			if asked := queries.Load() - before; asked > 8 {
				t.Errorf("%s: %d queries for the vectors of %d memories, twice", name, asked, len(found))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// unusedID is an id that no test writes.
const unusedID = graph.ID("019ca8a0-5208-7038-9351-be7b34b4f571")
