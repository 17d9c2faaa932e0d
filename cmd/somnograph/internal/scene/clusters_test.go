package scene

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/viz/frame"
)

// noClusters is the answer of an engine without clusters.
func noClusters(ids []graph.ID) engine.SceneClusters {
	out := engine.SceneClusters{Of: make([]int32, len(ids))}
	for i := range out.Of {
		out.Of[i] = -1
	}
	return out
}

// settler is an engine with clusters that a test settles.
type settler struct {
	*engine.Engine

	mu      sync.Mutex
	nights  int
	labels  map[graph.ID]string
	of      map[graph.ID]graph.ID
	reports chan engine.SleepReport
}

func newSettler(w *enginetest.World) *settler {
	return &settler{Engine: w.Engine, reports: make(chan engine.SleepReport)}
}

// settle replaces all clusters, as a sleep does.
func (s *settler) settle(labels map[graph.ID]string, of map[graph.ID]graph.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nights, s.labels, s.of = s.nights+1, labels, of
}

func (s *settler) ClustersOf(_ context.Context, _ engine.Caller, ids []graph.ID) (engine.SceneClusters, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := noClusters(ids)
	out.Version = strconv.Itoa(s.nights)
	number := map[graph.ID]int32{}
	for i, id := range ids {
		c := s.of[id]
		if c == "" {
			continue
		}
		if _, known := number[c]; !known {
			number[c] = int32(len(out.Clusters))
			out.Clusters = append(out.Clusters, engine.SceneCluster{ID: c, Label: s.labels[c]})
		}
		out.Of[i] = number[c]
	}
	return out, nil
}

func (s *settler) MorningReports(context.Context, engine.Caller, graph.ID) (<-chan engine.SleepReport, error) {
	return s.reports, nil
}

const (
	ferry  = graph.ID("019a0000-0000-7000-8000-0000000000f1")
	kettle = graph.ID("019a0000-0000-7000-8000-0000000000f2")
)

// notes remembers notes that differ, and returns their ids.
func notes(w *enginetest.World, n int) []graph.ID {
	var ids []graph.ID
	for i := range n {
		ids = append(ids, w.Remember(fmt.Sprintf("Shelf %d holds the jars of year %d.", i, 1900+7*i), func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert }).Memory.ID)
	}
	return ids
}

func TestAFrameHasTheClustersOfTheEngine(t *testing.T) {
	w := enginetest.New(t)
	ids := notes(w, 8)
	e := newSettler(w)
	e.settle(map[graph.ID]string{ferry: "Ferry times", kettle: "Kettle"}, map[graph.ID]graph.ID{ids[0]: ferry, ids[1]: ferry, ids[2]: kettle, ids[3]: ferry})
	f := load(t, serve(t, e, head(w), w.Caller, ""))
	if len(f.Clusters) != 2 || f.Clusters[0].Label != "Ferry times" || f.Clusters[0].Count != 3 || f.Clusters[1].ID != kettle {
		t.Errorf("clusters %+v", f.Clusters)
	}
	for _, n := range f.Nodes {
		if n.Cluster != e.of[n.ID] {
			t.Errorf("%s is in the cluster %q, want %q", n.ID, n.Cluster, e.of[n.ID])
		}
	}
	if len(f.Regions) != 0 {
		t.Errorf("a frame with clusters has regions: %+v", f.Regions)
	}
}

// The labels of each owner are computed alone, so two owners may have the same one.
func TestEqualLabelsOfTwoOwnersNameTheOwner(t *testing.T) {
	w := enginetest.New(t)
	of := func(user, text string) graph.ID {
		return w.Remember(text, func(in *engine.RememberInput) { in.User = user }).Memory.ID
	}
	mine, hers, nobodys := of("ana", "The kettle of the galley leaks."), of("eva", "My kettle whistles at dawn."), of("", "Ferries leave at noon.")
	const teapot = graph.ID("019a0000-0000-7000-8000-0000000000f3")
	e := newSettler(w)
	e.settle(map[graph.ID]string{ferry: "Ferry times", kettle: "Kettle", teapot: "Kettle"}, map[graph.ID]graph.ID{mine: kettle, hers: teapot, nobodys: ferry})
	got := map[graph.ID]string{}
	for _, c := range load(t, serve(t, e, head(w), w.Caller, "")).Clusters {
		got[c.ID] = c.Label
	}
	if got[kettle] != "Kettle (ana in default)" || got[teapot] != "Kettle (eva in default)" || got[ferry] != "Ferry times" {
		t.Errorf("labels %v", got)
	}
}

func TestASleepThatOnlySettlesRefreshesTheFrame(t *testing.T) {
	w := enginetest.New(t)
	ids := notes(w, 8)
	e := newSettler(w)
	s := serve(t, e, head(w), w.Caller, "")
	first := load(t, s)
	tag := get(t, s).Header.Get("ETag")
	e.settle(map[graph.ID]string{ferry: "Ferry times"}, map[graph.ID]graph.ID{ids[5]: ferry})
	again := get(t, s, "If-None-Match", tag)
	if again.StatusCode != http.StatusOK {
		t.Fatalf("after the sleep: %d", again.StatusCode)
	}
	if f := decode(t, again); len(f.Clusters) != 1 || f.Cursor != first.Cursor || f.Drawing != first.Drawing {
		t.Errorf("clusters %+v, cursor %d, was %d", f.Clusters, f.Cursor, first.Cursor)
	}
	if kept := load(t, s); kept.Clusters[0] != load(t, s).Clusters[0] || len(s.frames) != 2 {
		t.Errorf("an unchanged settlement drew the frame again: %d frames", len(s.frames))
	}
}

// A page that follows the scene gets the new membership after a sleep that changed no memory,
// and so does a page that loaded the frame before it and follows later.
func TestPagesGetTheClustersOfASleep(t *testing.T) {
	w := enginetest.New(t)
	ids := notes(w, 12)
	e := newSettler(w)
	e.settle(map[graph.ID]string{ferry: "Ferry times"}, map[graph.ID]graph.ID{ids[0]: ferry, ids[1]: ferry})
	wait := func(ctx context.Context, after graph.Cursor) error {
		return w.Store.Wait(ctx, graph.Scope{Tenant: w.Caller.Tenant}, after)
	}
	s := New(Options{Source: e, Head: head(w), Wait: wait, Caller: w.Caller, Pause: time.Nanosecond, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(s.Close)
	first := load(t, s)
	changes, err := s.Changes(t.Context(), w.Caller, sceneOf(first))
	if err != nil {
		t.Fatal(err)
	}
	e.settle(map[graph.ID]string{kettle: "Kettle"}, map[graph.ID]graph.ID{ids[0]: kettle, ids[7]: kettle})
	e.reports <- engine.SleepReport{}
	check := func(part *frame.Frame) {
		t.Helper()
		if len(part.Nodes) != 3 || len(part.Clusters) != 1 || part.Clusters[0].Label != "Kettle" || len(part.RemovedClusters) != 1 || part.RemovedClusters[0] != ferry {
			t.Errorf("part %+v", part)
		}
	}
	part := func(b []byte) *frame.Frame {
		t.Helper()
		f, err := frame.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	check(part((<-changes).Part))
	later, err := s.Changes(t.Context(), w.Caller, sceneOf(first))
	if err != nil {
		t.Fatal(err)
	}
	check(part((<-later).Part))
}

func TestTheWholeMapIsNamedByItsClusters(t *testing.T) {
	w := enginetest.New(t)
	ids := notes(w, 6)
	e := newSettler(w)
	e.settle(map[graph.ID]string{ferry: "Ferry times"}, map[graph.ID]graph.ID{ids[0]: ferry, ids[1]: ferry})
	p, err := serve(t, e, head(w), w.Caller, "").Picture(t.Context(), w.Caller, nil, graph.AsOf{}, 100)
	if err != nil || len(p.Regions) != 1 || p.Regions[0].Name != "Ferry times" || p.Regions[0].Count != 2 {
		t.Errorf("regions %+v, %v", p.Regions, err)
	}
}
