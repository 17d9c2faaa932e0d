package index

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// cheap is a low cost of a graph search step, so that few vectors are enough for a search.
const cheap = 1

// peopled makes a feed of n short memories with vectors, one minute apart.
func peopled(n int) (*feed, *rand.Rand) {
	f, r := newFeed(), rand.New(rand.NewPCG(uint64(n), 1))
	for i, v := range testvectors.Topical(r, n, 16) {
		f.put(f.memory(epoch.Add(time.Duration(i)*time.Minute), "note", func(m *graph.Memory) {
			m.User = fmt.Sprint("u", i%100)
		}), v)
	}
	return f, r
}

// rest waits until the tail of the graph has at most a given length.
func rest(t testing.TB, x *Index, most int) Stats {
	t.Helper()
	ten := x.tenantOrNil(world)
	timeout := time.After(8 * time.Minute) // of a benchmark on a busy machine
	for {
		ten.maintenance.mu.Lock()
		rested := ten.maintenance.stepDone
		ten.maintenance.mu.Unlock()
		if s := x.Stats(world); s.InGraph > 0 && s.GraphTail <= most {
			return s
		}
		select {
		case <-rested:
		case <-timeout:
			t.Fatalf("the graph is not complete in time: %+v", x.Stats(world))
		}
	}
}

// nearestShare returns the share of the best that Nearest finds, for some queries about now.
func nearestShare(t *testing.T, x *Index, f *feed, r *rand.Rand, now time.Time) float64 {
	t.Helper()
	hit, all := 0, 0
	for range 6 {
		q := Query{Vector: testvectors.Around(r, nil, 16, 1), Now: now, Limit: 10}
		b := bruteForce(f, q)
		got, err := x.Nearest(context.Background(), world, [][]float32{q.Vector}, q.Filter, q.Now, 10, -1)
		if err != nil {
			t.Fatal(err)
		}
		want := b.ranked(b.cosine)
		for _, n := range got[0] {
			if c, passed := b.cosine[n.Doc.ID]; !passed || c-n.Cosine > tolerance || n.Cosine-c > tolerance {
				t.Fatalf("%s has cosine %g, not %g (passed: %v)", n.Doc.ID, c, n.Cosine, passed)
			}
			if n.Cosine >= want[len(want)-1]-tolerance {
				hit++
			}
		}
		all += len(want)
	}
	return float64(hit) / float64(all)
}

func TestLargeNamespaceGetsNeighbourGraph(t *testing.T) {
	const n, from = 2_600, 2_000
	f, r := peopled(n)
	dir := t.TempDir()
	x := opened(t, f, Options{Dir: dir, minGraphSize: from, graphStepCost: cheap})
	settle(t, x, f)
	s := rest(t, x, 0)
	expect(t, "in the mesh", s.InGraph, n)
	late := epoch.Add(n * time.Minute)
	walked := func() int64 { return x.tenantOrNil(world).partitions(nil)[0].writer.vectors.GraphSearches() }
	before := walked()
	if got := nearestShare(t, x, f, r, late); got < .98 {
		t.Errorf("recall %.3f", got)
	}
	if walked() == before {
		t.Error("nothing was walked")
	}
	// A past instant, or one user of a hundred: the result equals that of comparing everything.
	before = walked()
	for _, q := range []Query{
		{Vector: testvectors.Around(r, nil, 16, 1), Now: late, Limit: 20, Filter: Filter{AsOf: graph.AsOf{Recorded: epoch.Add(2000 * time.Minute)}}},
		{Vector: testvectors.Around(r, nil, 16, 1), Now: late, Limit: 20, Filter: Filter{AsOf: graph.AsOf{Valid: late}}},
		{Vector: testvectors.Around(r, nil, 16, 1), Now: late, Limit: 20, Filter: Filter{Users: []string{"u7"}}},
	} {
		agree(t, x, f, q)
	}
	expect(t, "walked meanwhile", walked(), before)

	// An erased memory is not found; one that was embedded again is found at its new vector.
	var ids []graph.ID
	for id := range f.memories {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for i, id := range ids[:400] {
		if i%2 == 0 {
			f.erase(id, late)
		} else {
			f.put(f.memories[id], testvectors.Around(r, nil, 16, 1))
		}
	}
	settle(t, x, f)
	if got := nearestShare(t, x, f, r, late); got < .98 {
		t.Errorf("recall after changes %.3f", got)
	}
	rest(t, x, 64+n/512)
	if got := nearestShare(t, x, f, r, late); got < .98 {
		t.Errorf("recall after repair %.3f", got)
	}
	if err := x.Close(context.Background()); err != nil {
		t.Fatal(err)
	}

	// The graph is restored from the snapshot; only its tail is inserted.
	f.listed = 0
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	again := &Index{store: f, opts: Options{Workers: 1, Dir: dir, minGraphSize: from}, tenants: map[graph.Tenant]*tenant{}}
	ten := newTenant(again, world)
	if _, restored := ten.restoreSnapshot(context.Background()); !restored || f.listed > 0 {
		t.Fatal("not from the snapshot")
	}
	ten.maintainGraphs(ctx) // ends at once
	held, tail := ten.partitions(nil)[0].view.Load().vectors.GraphSize()
	if held+tail != n-200 || held < n-400 { // the snapshot may be from before the repair
		t.Errorf("%d in the graph and %d outside it", held, tail)
	}
	y := opened(t, f, Options{Dir: dir, minGraphSize: from, graphStepCost: cheap})
	settle(t, y, f)
	if got := nearestShare(t, y, f, r, late); got < .98 {
		t.Errorf("recall after a restart %.3f", got)
	}
}

func TestSnapshotWithWrongGraphIsIgnored(t *testing.T) {
	f, _ := peopled(600)
	dir := t.TempDir()
	x := opened(t, f, Options{Dir: dir, minGraphSize: 100})
	settle(t, x, f)
	rest(t, x, 0)
	if err := x.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(dir + "/t.index")
	if err != nil {
		t.Fatal(err)
	}
	sections, beside := cutSections(t, whole), filesOf(t, dir)
	read := func(edit func(kind byte, payload []byte) (keep bool, with []byte)) error {
		forged := slices.Clone(whole[:snapshotStartSize])
		for _, s := range sections {
			keep, payload := edit(s.kind, slices.Clone(s.payload))
			if s.payload = payload; keep {
				forged = append(forged, s.bytes()...)
			}
		}
		path := t.TempDir() + "/forged"
		if err := os.WriteFile(path, forged, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		beside.put(t, dir)
		tn := newTenant(&Index{store: f, opts: Options{Workers: 1, Dir: dir, Logger: slog.New(slog.DiscardHandler)}}, world)
		_, err = tn.readSnapshot(context.Background(), file)
		if err := tn.files.Close(); err != nil {
			t.Fatal(err)
		}
		return err
	}
	asIs := func(_ byte, p []byte) (bool, []byte) { return true, p }
	if err := read(asIs); err != nil {
		t.Fatal(err)
	}
	for what, edit := range map[string]func(byte, []byte) (bool, []byte){
		"nodes without a head": func(kind byte, p []byte) (bool, []byte) { return kind != sectionGraph, p },
		"a head without nodes": func(kind byte, p []byte) (bool, []byte) { return kind != sectionNodes, p },
		"another version": func(kind byte, p []byte) (bool, []byte) {
			if kind == sectionGraph {
				p[0]++
			}
			return true, p
		},
		"a node cut short": func(kind byte, p []byte) (bool, []byte) {
			if kind == sectionNodes {
				p = p[:9]
			}
			return true, p
		},
		"memories that are not there": func(kind byte, p []byte) (bool, []byte) {
			if kind == sectionMemories {
				p = []byte{0}
			}
			return true, p
		},
	} {
		err := read(edit)
		if what == "a head without nodes" { // an empty graph
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		} else if err == nil {
			t.Errorf("%s was taken", what)
		}
	}
}

func TestFollowerWaitsForLongGraphTail(t *testing.T) {
	const limit, batch = 700, 512
	x := &Index{opts: Options{Workers: 1, maxGraphTail: limit}}
	ten := newTenant(x, world)
	ctx, cancel := context.WithCancel(context.Background())
	if err := ten.waitForGraphs(ctx); err != nil { // no maintenance runs, so there is nothing to wait for
		t.Fatal(err)
	}
	w, n := ten.partitionFor("main").writer, limit+batch+300
	for i := range n {
		v := []float32{1, float32(i)}
		w.vectors.Put(uint32(i), w.files.Put(v), vectors.Encode(v))
	}
	ten.partitionFor("main").publish()
	ten.maintenance.active = true
	step := func() {
		ten.maintenance.mu.Lock()
		ten.partitionFor("main").view.Load().vectors.Maintain(n, 1, 1)
		ten.signalStep()
		ten.maintenance.mu.Unlock()
	}
	step() // a graph without nodes
	got := make(chan error, 1)
	go func() { got <- ten.waitForGraphs(ctx) }()
	step()
	select {
	case err := <-got:
		t.Fatalf("it continued with a tail of %d: %v", ten.longestTail(), err)
	default:
	}
	step()
	if err := <-got; err != nil {
		t.Fatal(err)
	}
	for i := range limit {
		v := []float32{1, float32(i)}
		w.vectors.Put(uint32(n+i), w.files.Put(v), vectors.Encode(v))
	}
	ten.partitionFor("main").publish()
	cancel()
	if err := ten.waitForGraphs(ctx); err == nil {
		t.Error("it waits after its context has ended")
	}
}
