package index

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Cached matches of present status equal a new evaluation at any later or earlier instant, for
// any statuses and users, while times to live expire and memories change.
func TestFilterCacheExpires(t *testing.T) {
	f, rnd := newFeed(), rand.New(rand.NewPCG(3, 9))
	x := opened(t, f, Options{})
	users := []string{"", "ada", "bea"}
	statuses := [][]graph.Status{nil, {graph.Archived}, {graph.Active, graph.Expired}}
	filters := []Filter{{}, {Users: []string{""}}, {Users: []string{"", "ada"}}, {Users: []string{"", "nobody"}}, {Users: []string{"bea"}}}
	var all []*graph.Memory
	for round := range 60 {
		for i := range 1 + rnd.IntN(40) {
			at := epoch.Add(time.Duration(10*round)*time.Minute + time.Duration(i)*time.Second)
			if len(all) > 0 && rnd.IntN(4) == 0 {
				m := *all[rnd.IntN(len(all))]
				m.SetState(at, func(s *graph.State) { s.Status = graph.Archived })
				f.put(&m, nil)
				continue
			}
			all = append(all, f.memory(at, "a note", func(m *graph.Memory) {
				m.User = users[rnd.IntN(len(users))]
				if rnd.IntN(3) == 0 {
					m.ExpiresAt = at.Add(time.Duration(rnd.IntN(600)) * time.Minute)
				}
			}))
			f.put(all[len(all)-1], nil)
		}
		settle(t, x, f)
		v := x.tenantOrNil(world).partitions(nil)[0].view.Load()
		for range 10 {
			now := epoch.Add(time.Duration(rnd.IntN(1100))*time.Minute + time.Duration(rnd.IntN(3)-1)*time.Millisecond)
			filter := filters[rnd.IntN(len(filters))]
			filter.Statuses = statuses[rnd.IntN(len(statuses))]
			got := v.filter(&filter, now)
			anew := *v
			anew.filterCache = &filterCache{}
			want := anew.filter(&filter, now)
			if got.count != want.count || !slices.Equal(got.all, want.all) || !slices.Equal(got.vectors, want.vectors) {
				t.Fatalf("round %d at %s for %v: %d pass, want %d", round, now, filter, got.count, want.count)
			}
			plain := 0
			v.eachDoc(func(_ uint32, d *Doc) bool {
				if filter.Users == nil || slices.Contains(filter.Users, d.User) {
					status := d.History[len(d.History)-1].Status
					if status == graph.Active && !d.ExpiresAt.IsZero() && !d.ExpiresAt.After(latest(now, d.History[len(d.History)-1].From)) {
						status = graph.Expired
					}
					asked := filter.Statuses
					if len(asked) == 0 {
						asked = []graph.Status{graph.Active}
					}
					if slices.Contains(asked, status) {
						plain++
					}
				}
				return true
			})
			if got.count != plain {
				t.Fatalf("round %d at %s for %v: %d pass, %d stand", round, now, filter, got.count, plain)
			}
		}
	}
	if x.tenantOrNil(world).partitions(nil)[0].view.Load().filterCache.reusedChunks == 0 {
		t.Error("nothing was ever cached")
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// A view reports slots in order of id, until a memory with a lower id is added.
func TestOrderOfSlots(t *testing.T) {
	f := newFeed()
	late := f.memory(epoch, "late")
	for range 3 {
		f.put(f.memory(epoch.Add(time.Minute), "in order"), nil)
	}
	x := opened(t, f, Options{})
	settle(t, x, f)
	view := func() *view { return x.tenantOrNil(world).partitions(nil)[0].view.Load() }
	if v := view(); !v.idOrdered || !v.orderedBefore(0, 1) || v.orderedBefore(2, 1) {
		t.Error("slots in order of id are not marked as ordered")
	}
	f.put(late, nil)
	settle(t, x, f)
	if v := view(); v.idOrdered || !v.orderedBefore(3, 0) || v.orderedBefore(0, 3) {
		t.Error("a late turn is not before the others")
	}
}
