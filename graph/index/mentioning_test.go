package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// The results for a name and a subject equal those of a scan of all Docs, through changes of
// status, erasures and removed entities.
func TestMemoriesMentioningEqualsScan(t *testing.T) {
	f, rnd := newFeed(), rand.New(rand.NewPCG(11, 1))
	owners := []string{"", "u1"}
	entities := map[entityName]graph.ID{}
	var names []entityName
	for i := range 12 {
		n := entityName{[]string{"main", "side"}[i%2], owners[i/2%2], fmt.Sprintf("name %d", i/4)}
		entities[n], names = f.id(epoch), append(names, n)
		f.putEntity(&graph.Entity{ID: entities[n], Namespace: n.namespace, User: n.user, Name: n.canonical, Canonical: n.canonical, Type: graph.Concept, FirstSeen: epoch})
	}
	x := opened(t, f, Options{})
	var all []*graph.Memory
	for i := range 300 {
		at := epoch.Add(time.Duration(i) * time.Minute)
		m := f.memory(at, fmt.Sprintf("entry %d", i), func(m *graph.Memory) {
			m.Namespace, m.Subject = []string{"main", "side"}[rnd.IntN(2)], fmt.Sprintf("subject %d", rnd.IntN(3))
		})
		for _, n := range names {
			if n.namespace == m.Namespace && rnd.IntN(8) == 0 {
				m.Entities = append(m.Entities, entities[n])
			}
		}
		f.put(m, nil)
		all = append(all, m)
		at = at.Add(time.Second)
		switch k := rnd.IntN(len(all)); rnd.IntN(6) {
		case 0:
			all[k].History = slices.Clone(all[k].History) // the index may be reading it
			all[k].SetState(at, func(s *graph.State) { s.Status = graph.Archived })
			f.put(all[k], nil)
		case 1:
			f.erase(all[k].ID, at)
			all = slices.Delete(all, k, k+1)
		}
	}
	gone := entityName{"main", "u1", "name 1"}
	f.dropEntity(entities[gone])
	delete(entities, gone)
	settle(t, x, f)
	for _, namespace := range []string{"main", "side", "nowhere"} {
		for _, subject := range []string{"subject 0", "subject 2", "another"} {
			var want []graph.ID
			x.Docs(world, func(d *Doc) bool {
				if d.Namespace == namespace && d.Subject == subject && d.History[len(d.History)-1].Status == graph.Active {
					want = append(want, d.ID)
				}
				return true
			})
			slices.Reverse(want)
			want = want[:min(5, len(want))]
			if got := docIDs(x.MemoriesBySubject(world, namespace, subject, 5)); !slices.Equal(got, want) {
				t.Errorf("about %s in %s: %v, want %v", subject, namespace, got, want)
			}
		}
		for _, canonical := range []string{"name 0", "name 1", "name 2", "name 9"} {
			for _, asked := range [][]string{{""}, {"u1", ""}} {
				var want []graph.ID
				for _, owner := range asked {
					id, known := entities[entityName{namespace, owner, canonical}]
					if !known {
						continue
					}
					x.Docs(world, func(d *Doc) bool {
						if slices.Contains(d.Entities, id) {
							want = append(want, d.ID)
						}
						return true
					})
					break
				}
				slices.Reverse(want)
				if got, n := x.MemoriesMentioning(world, namespace, asked, canonical, 1000); n != len(want) || !slices.Equal(docIDs(got), want) {
					t.Errorf("mentioning %s of %q in %s: %d %v, want %v", canonical, asked, namespace, n, docIDs(got), want)
				}
				if got, n := x.MemoriesMentioning(world, namespace, asked, canonical, len(want)-1); len(want) > 0 && (len(got) > 0 || n != len(want)) {
					t.Errorf("more than requested: %d of %d are returned", len(got), n)
				}
			}
		}
	}
}

func docIDs(docs []*Doc) []graph.ID {
	var ids []graph.ID
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	return ids
}
