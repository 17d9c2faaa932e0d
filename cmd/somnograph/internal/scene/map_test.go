package scene

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// crowd is a fake engine with a number of memories in three topics.
type crowd struct {
	n       atomic.Int64
	scenes  atomic.Int64
	reports chan engine.SleepReport
}

func newCrowd(n int) *crowd {
	c := &crowd{reports: make(chan engine.SleepReport)}
	c.n.Store(int64(n))
	return c
}

func (c *crowd) Now() time.Time { return time.Time{} }

func (c *crowd) MorningReports(context.Context, engine.Caller, graph.ID) (<-chan engine.SleepReport, error) {
	return c.reports, nil
}

func (c *crowd) ClustersOf(_ context.Context, _ engine.Caller, ids []graph.ID) (engine.SceneClusters, error) {
	return noClusters(ids), nil
}

// head is a cursor that grows with the crowd.
func (c *crowd) head(context.Context) (graph.Cursor, error) { return graph.Cursor(c.n.Load()), nil }

func (c *crowd) SceneAfter(context.Context, engine.Caller, []string, *engine.Scene) (*engine.Scene, error) {
	c.scenes.Add(1)
	s := &engine.Scene{}
	for i := range int(c.n.Load()) {
		v := make([]float32, 24)
		v[i%3*8] = 2
		for d, x := 0, uint32(i+1)*2654435761; d < 6; d, x = d+1, x*1664525+1013904223 {
			v[i%3*8+d+1] = float32(x>>8) / (1 << 24)
		}
		s.Nodes = append(s.Nodes, index.DocOf(&graph.Memory{
			ID:   graph.IDFromBytes([16]byte{6: 0x70, 14: byte(i >> 8), 15: byte(i)}),
			Type: graph.Semantic, DecayClass: graph.DecaySlow, History: []graph.State{{From: time.UnixMilli(1), Status: graph.Active, Tier: graph.L1}},
		}))
		s.Texts, s.Vectors = append(s.Texts, ""), append(s.Vectors, v)
	}
	return s, nil
}

// settled waits until the map is not being computed.
func settled(s *Server) {
	for busy := true; busy; {
		runtime.Gosched()
		s.mu.Lock()
		busy = s.redrawing
		s.mu.Unlock()
	}
}

func positions(t *testing.T, s *Server) [][3]float32 {
	t.Helper()
	f, err := s.draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := make([][3]float32, len(f.Nodes))
	for i, n := range f.Nodes {
		out[i] = n.Position
	}
	return out
}

func TestTheMapOfAllIsDrawnInTheBackgroundAndKept(t *testing.T) {
	c, dir := newCrowd(1100), filepath.Join(t.TempDir(), "map")
	s := serve(t, c, c.head, engine.Loopback(), dir)
	quick := positions(t, s)
	settled(s)
	all := positions(t, s)
	if slices.Equal(quick, all) || c.scenes.Load() != 2 {
		t.Errorf("the scene was drawn %d times, and nothing moved: %v", c.scenes.Load(), slices.Equal(quick, all))
	}
	settled(s)
	if again := positions(t, s); !slices.Equal(all, again) {
		t.Error("an unchanged map moved")
	}
	s.Close()

	after := serve(t, c, c.head, engine.Loopback(), dir)
	if got := positions(t, after); !slices.Equal(all, got) {
		t.Error("a restart moved the map")
	}
	settled(after)
	if got := positions(t, after); !slices.Equal(all, got) {
		t.Error("after a restart the map was computed again")
	}
	after.Close()

	if err := os.WriteFile(filepath.Join(dir, "default.map"), []byte("no map"), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := serve(t, c, c.head, engine.Loopback(), dir)
	if got := positions(t, damaged); !slices.Equal(quick, got) {
		t.Error("a damaged file is not treated as a missing one")
	}
	settled(damaged)
}

func TestTheMapFollowsSleeps(t *testing.T) {
	c := newCrowd(300)
	s := serve(t, c, c.head, engine.Loopback(), "")
	before := positions(t, s)
	c.n.Store(330)
	c.reports <- engine.SleepReport{}
	c.reports <- engine.SleepReport{} // taken when the first was dealt with
	settled(s)
	if c.scenes.Load() < 2 {
		t.Error("the scene was not read after a sleep")
	}
	moved := 0
	for i, p := range positions(t, s)[:300] {
		if p != before[i] {
			moved++
		}
	}
	if moved == 0 {
		t.Error("the map was not drawn again")
	}
}

func TestCloseEndsADrawing(t *testing.T) {
	c := newCrowd(3000)
	s := serve(t, c, c.head, engine.Loopback(), "")
	positions(t, s)
	s.Close()
	if !slices.Equal(positions(t, s), positions(t, s)) {
		t.Error("a closed server changed the map")
	}
}
