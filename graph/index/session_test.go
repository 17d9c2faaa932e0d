package index

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// unwritten are vectors without files.
func unwritten() *vectors.Files {
	return vectors.NewFiles(vectors.FileOptions{Logger: slog.New(slog.DiscardHandler)}, nil)
}

func TestSessionsStayInOrder(t *testing.T) {
	w := newWriter(1, unwritten(), nil)
	r := rand.New(rand.NewPCG(4, 4))
	f := newFeed()
	live := map[uint32]bool{}
	put := func(m *graph.Memory) {
		w.put(newPreparer(nil, nil).prepare(m, nil, 0))
		w.publish("x") // no publication holds two versions of a memory
		slot, _ := w.postings.slotOf(m.ID)
		live[slot] = true
	}
	var all []*graph.Memory
	for range 300 {
		m := f.memory(epoch, pick(r, "x", "x y z", "x? y"), func(m *graph.Memory) {
			m.Session = pick(r, "a", "b", "")
			m.OccurredAt = epoch.Add(time.Duration(r.IntN(40)) * time.Second)
		})
		all = append(all, m)
		put(m)
	}
	for range 150 {
		m := *pick(r, all...)
		if slot, known := w.postings.slotOf(m.ID); known && r.IntN(3) == 0 {
			w.remove(slot)
			delete(live, slot)
		} else if known {
			m.Content = pick(r, m.Content, "y", "z?")
			m.Session, m.OccurredAt = pick(r, "a", "b", ""), epoch.Add(time.Duration(r.IntN(40))*time.Second)
			put(&m)
		}
	}
	v := w.publish("x")
	for _, session := range []string{"a", "b"} {
		ordinal, items := v.postings.lookup(keySession, session)
		row := w.sessions[ordinal]
		expect(t, "slots of the session", len(row), len(items))
		if !slices.IsSortedFunc(row, w.sessionOrder) {
			t.Errorf("session %s is not in order", session)
		}
		for i, slot := range row {
			c, j := v.columnsOf(slot)
			before, after := slots.None, slots.None
			if i > 0 {
				before = row[i-1]
			}
			if i+1 < len(row) {
				after = row[i+1]
			}
			if c.before[j] != before || c.after[j] != after || !live[slot] {
				t.Fatalf("slot %d of session %s: neighbours %d and %d, want %d and %d", slot, session, c.before[j], c.after[j], before, after)
			}
		}
	}
}

// The session neighbours in a published view stay the same while the writer goes on.
func TestPublishedSessionOrderDoesNotChange(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 6))
	w, f := newWriter(1, unwritten(), nil), newFeed()
	var all []*graph.Memory
	for range 400 {
		switch n := r.IntN(8); {
		case n == 0 && len(all) > 0:
			slot, known := w.postings.slotOf(pick(r, all...).ID)
			if known {
				w.remove(slot)
			}
		default:
			m := f.memory(epoch, "x", func(m *graph.Memory) {
				m.Session, m.OccurredAt = fmt.Sprint(r.IntN(90)), epoch.Add(time.Duration(r.IntN(30))*time.Second)
			})
			all = append(all, m)
			w.put(newPreparer(nil, nil).prepare(m, nil, 0))
		}
		if r.IntN(9) > 0 {
			continue
		}
		v := w.publish("x")
		before := fmt.Sprint(sessionNeighbours(v))
		for range 20 {
			m := *pick(r, all...)
			m.Session, m.OccurredAt = fmt.Sprint(r.IntN(90)), epoch.Add(time.Duration(r.IntN(30))*time.Second)
			w.put(newPreparer(nil, nil).prepare(&m, nil, 0))
		}
		if after := fmt.Sprint(sessionNeighbours(v)); after != before {
			t.Fatalf("neighbours were\n%s\nand are\n%s", before, after)
		}
	}
}

// sessionNeighbours answers the row before and after each slot of a view.
func sessionNeighbours(v *view) (out [][2]uint32) {
	for slot := range uint32(v.n) {
		c, i := v.columnsOf(slot)
		out = append(out, [2]uint32{c.before[i], c.after[i]})
	}
	return out
}

func TestFollowingMemoriesOfASession(t *testing.T) {
	f := newFeed()
	var ids []graph.ID
	for i, session := range []string{"a", "b", "a", "a", "", "a"} {
		m := f.memory(epoch, "x", func(m *graph.Memory) { m.Session, m.OccurredAt = session, epoch.Add(time.Duration(i)*time.Second) })
		f.put(m, nil)
		ids = append(ids, m.ID)
	}
	x := opened(t, f, Options{Dir: t.TempDir()})
	settle(t, x, f)
	expectList(t, "two after the first", idsOfDocs(x.Following(world, ids[0], 2)), []graph.ID{ids[2], ids[3]})
	expectList(t, "after the last but one", idsOfDocs(x.Following(world, ids[3], 2)), []graph.ID{ids[5]})
	expectList(t, "after the last", idsOfDocs(x.Following(world, ids[5], 2)), nil)
	expectList(t, "without a session", idsOfDocs(x.Following(world, ids[4], 2)), nil)
	expectList(t, "of an unknown memory", idsOfDocs(x.Following(world, "nobody", 2)), nil)
}
