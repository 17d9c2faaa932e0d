package dgraphstore

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

// A list that is too long to be sorted is walked over; here that begins with the fifth
// row, and the answers must be those of the model.
func TestALongListIsWalkedInOrder(t *testing.T) {
	s := open(t, Options{})
	s.short = 4
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
			// Years of nothing, and many within a millisecond.
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
