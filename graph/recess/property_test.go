package recess

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// model is the recess as a map.
type model struct {
	engrams map[graph.ID]Engram
	there   map[graph.ID]bool
	erased  map[graph.ID]bool
}

// Random calls against a map for two tenants. The recess is closed, or cut off by a power cut,
// and opened again at random points.
func TestRandomCallsAgainstModel(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) { randomCalls(t, seed, 60) })
	}
}

func randomCalls(t *testing.T, seed uint64, calls int) {
	rng := rand.New(rand.NewPCG(seed, 3))
	d := newPowerDisk()
	var a alarms
	open := func() *Recess {
		o := options(d, &a)
		o.MaxFile, o.Cache, o.TrainAt = 1+rng.IntN(12), 1+rng.IntN(4), 25
		r, err := Open(o)
		must(t, err)
		return r
	}
	r := open()
	m := newMaker(seed)
	scopes := []graph.Scope{kiwi, {Tenant: "Moa-2"}}
	twins := []*model{{map[graph.ID]Engram{}, map[graph.ID]bool{}, map[graph.ID]bool{}}, {map[graph.ID]Engram{}, map[graph.ID]bool{}, map[graph.ID]bool{}}}
	vectors := clusteredVectors(500, 64, 5, 0.4, seed)
	for call := range calls {
		which := rng.IntN(4) / 3 // mostly the first
		scope, w := scopes[which], twins[which]
		some := func(n int) (ids []graph.ID) {
			all := idsOf(w.list())
			for range n {
				if len(all) > 0 {
					ids = append(ids, all[rng.IntN(len(all))])
				}
			}
			return ids
		}
		switch k := rng.IntN(100); {
		case k < 45: // new and old ones, some twice
			var list []Engram
			for range 1 + rng.IntN(6) {
				e := m.engram([]string{"", "tea", "harbour", "violin"}[rng.IntN(4)])
				e.Memory.Namespace = []string{"main", "work"}[rng.IntN(2)]
				e.EngravedAt = start.AddDate(0, 0, rng.IntN(2))
				if rng.IntN(3) > 0 {
					e.Memory.EmbeddingModel, e.Vector = "test", vectors[m.n%len(vectors)]
				}
				w.engrams[e.Memory.ID] = e
				list = append(list, e)
			}
			for _, id := range some(2) {
				if !w.erased[id] {
					list = append(list, w.engrams[id], w.engrams[id])
				}
			}
			must(t, r.Append(ctx, scope, list...))
			for _, e := range list {
				w.there[e.Memory.ID] = true
			}
		case k < 50: // an engram never changes, and never returns after an erasure
			for _, id := range some(1) {
				e := w.engrams[id]
				err := r.Append(ctx, scope, e)
				if w.erased[id] {
					if graph.CodeOf(err) != graph.CodeInvalidRequest {
						t.Fatalf("call %d: engraved after erasure: %v", call, err)
					}
					continue
				}
				must(t, err)
				w.there[id] = true
				e.Memory.Content, e.Memory.Checksum = e.Memory.Content+" Or not.", ""
				if err := r.Append(ctx, scope, e); graph.CodeOf(err) != graph.CodeVersionConflict {
					t.Fatalf("call %d: changed: %v", call, err)
				}
			}
		case k < 65:
			_, err := r.Seal(ctx, scope)
			must(t, err)
		case k < 75:
			ids := some(1 + rng.IntN(3))
			must(t, r.Withdraw(ctx, scope, ids...))
			for _, id := range ids {
				delete(w.there, id)
			}
		case k < 82:
			ids := some(1 + rng.IntN(3))
			_, err := r.Erase(ctx, scope, ids...)
			must(t, err)
			for _, id := range ids {
				delete(w.there, id)
				w.erased[id] = true
			}
		case k < 85:
			must(t, r.RotateMaster(ctx, nil))
			must(t, r.RotateKeys(ctx))
		case k < 92:
			must(t, r.Close())
			d = d.after(rng.IntN(keepModes), rng.Uint64()) // everything is acknowledged
			r = open()
		default:
			compare(t, r, scope, w, fmt.Sprintf("call %d", call))
		}
	}
	for i, w := range twins {
		compare(t, r, scopes[i], w, "at the end")
	}
	report, err := r.Scrub(ctx)
	must(t, err)
	if len(report.Damaged) > 0 || a.count() > 0 {
		t.Fatalf("%+v, %+v", report, a.list)
	}
	must(t, r.Close())
}

func (w *model) list() []Engram {
	var list []Engram
	for _, e := range w.engrams {
		list = append(list, e)
	}
	return list
}

// compare compares a tenant with its model.
func compare(t *testing.T, r *Recess, scope graph.Scope, w *model, when string) {
	t.Helper()
	var nearest []graph.ID
	for _, id := range idsOf(w.list()) {
		has, err := r.Has(ctx, scope, id)
		must(t, err)
		if has != w.there[id] {
			t.Fatalf("%s: has %s: %v", when, id, has)
		}
		if !has {
			if _, err := r.Read(ctx, scope, id); !errors.Is(err, graph.ErrNotFound) {
				t.Fatalf("%s: read %s: %v", when, id, err)
			}
			continue
		}
		same(t, r, scope, w.engrams[id])
		if w.engrams[id].Vector != nil && w.engrams[id].Memory.Namespace == "work" {
			nearest = append(nearest, id)
		}
	}
	s, err := r.Stats(ctx, scope)
	must(t, err)
	if s.Engrams != len(w.there) || s.Erased > len(w.erased) || s.Damaged > 0 {
		t.Fatalf("%s: %d engrams: %+v", when, len(w.there), s)
	}
	found, err := r.Search(ctx, scope, Query{
		Model: "test", Vector: clusteredVectors(1, 64, 1, 0.4, 77)[0], K: 1000, Filter: func(h *Head) bool { return h.Namespace == "work" },
	})
	must(t, err)
	var ids []graph.ID
	for i, h := range found.Hits {
		if i > 0 && h.Similarity > found.Hits[i-1].Similarity || h.Similarity > 1.01 || h.Similarity < -1.01 {
			t.Fatalf("%s: hit %d of similarity %v", when, i, h.Similarity)
		}
		ids = append(ids, h.ID)
	}
	slices.Sort(ids)
	if !slices.Equal(ids, nearest) || found.Unreadable > 0 {
		t.Fatalf("%s: a search finds %d of %d", when, len(ids), len(nearest))
	}
}
