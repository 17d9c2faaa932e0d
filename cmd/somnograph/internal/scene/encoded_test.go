package scene

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/viz/arrow"
	"github.com/somnograph/somnograph/viz/frame"
)

func TestALargeSceneIsSentInTiles(t *testing.T) {
	c := newCrowd(300)
	s := New(Options{Source: c, Head: c.head, Caller: engine.Loopback(), MaxSingleFrame: 200, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(s.Close)
	load(t, s)
	ask := func(query string) (*frame.Frame, int) {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/viz/graph"+query, nil))
		if w.Code != 200 {
			return nil, w.Code
		}
		return decode(t, w.Result()), w.Code
	}
	root, _ := ask("")
	if root == nil || len(root.Tiles) != 1 || root.Tiles[0] != (frame.Tile{Key: frame.RootTile, Count: 300}) || root.Total != 300 {
		t.Fatalf("root %+v", root)
	}
	if again, code := ask(fmt.Sprintf("?tile=1&map=%d", root.Drawing)); code != 200 || len(again.Nodes) != 300 {
		t.Errorf("the root by its key: %d", code)
	}
	for _, query := range []string{fmt.Sprintf("?tile=9&map=%d", root.Drawing), fmt.Sprintf("?tile=1&map=%d", root.Drawing+1), "?tile=one&map=1", "?tile=1"} {
		if _, code := ask(query); code != http.StatusGone {
			t.Errorf("%s: %d", query, code)
		}
	}
}

// After a write the next request draws the picture again, also one for a tile: it must not show what was erased. Further ones draw nothing.
func TestRequestsAfterAWriteDrawAgain(t *testing.T) {
	c := newCrowd(300)
	pool := NewPool(func(engine.Caller) *Server {
		return New(Options{Source: c, Head: c.head, Caller: engine.Loopback(), MaxSingleFrame: 200, Logger: slog.New(slog.DiscardHandler)})
	})
	t.Cleanup(pool.Close)
	draws := func(want int) {
		t.Helper()
		if n := pool.Draws(t.Context(), engine.Loopback()); n != want {
			t.Errorf("a request draws %d memories anew, want %d", n, want)
		}
	}
	draws(0) // there is no picture
	s, err := pool.of(engine.Loopback())
	if err != nil {
		t.Fatal(err)
	}
	root := load(t, s)
	draws(0)
	c.n.Add(1)
	draws(300)
	drawn := c.scenes.Load()
	for range 2 {
		query := fmt.Sprintf("/viz/graph?tile=1&map=%d", root.Drawing)
		if err := pool.Serve(engine.Loopback(), httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, query, nil)); err != nil {
			t.Fatal(err)
		}
		if now := c.scenes.Load(); now != drawn+1 {
			t.Errorf("two tiles after a write drew %d pictures", now-drawn)
		}
		draws(0)
	}
}

func TestTheTileOfAMemory(t *testing.T) {
	c := newCrowd(300)
	s := New(Options{Source: c, Head: c.head, Caller: engine.Loopback(), MaxSingleFrame: 200, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(s.Close)
	root := load(t, s)
	ask := func(memory string, drawing uint64) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, fmt.Sprintf("/viz/graph?memory=%s&map=%d", memory, drawing), nil))
		return w
	}
	id := root.Nodes[7].ID
	w := ask(string(id), root.Drawing)
	if w.Code != http.StatusOK || w.Header().Get(frame.TileHeader) != "1" {
		t.Fatalf("%d, tile %q", w.Code, w.Header().Get(frame.TileHeader))
	}
	if f := decode(t, w.Result()); !slices.ContainsFunc(f.Nodes, func(n frame.Node) bool { return n.ID == id }) {
		t.Error("the memory is not in its tile")
	}
	if w := ask("nobody", root.Drawing); w.Code != http.StatusNotFound {
		t.Errorf("nobody: %d", w.Code)
	}
	if w := ask(string(id), root.Drawing+1); w.Code != http.StatusGone {
		t.Errorf("on another map: %d", w.Code)
	}
}

func TestTheSceneAsTables(t *testing.T) {
	world := enginetest.New(t)
	world.Remember("The ferry leaves at seven.", func(in *engine.RememberInput) { in.Session = "monday" })
	world.Remember("The kettle is on the left shelf.", func(in *engine.RememberInput) { in.Session = "monday" })
	s := serve(t, world.Engine, head(world), world.Caller, "")
	f := load(t, s)
	if len(f.Nodes) != 2 || len(f.Edges) == 0 {
		t.Fatalf("%d memories, %d edges", len(f.Nodes), len(f.Edges))
	}
	for query, write := range map[string]func(io.Writer, *frame.Frame, time.Time) error{
		"?format=arrow": frame.WriteNodes, "?format=arrow&table=memories": frame.WriteNodes, "?format=arrow&table=edges": frame.WriteEdges,
	} {
		var want bytes.Buffer
		if err := write(&want, f, world.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/viz/graph"+query, nil))
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != arrow.MediaType || !bytes.Equal(w.Body.Bytes(), want.Bytes()) {
			t.Errorf("%s: %d, %s, %d of %d bytes", query, w.Code, w.Header().Get("Content-Type"), w.Body.Len(), want.Len())
		}
	}
	for _, query := range []string{"?format=csv", "?format=", "?format=arrow&table=people"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/viz/graph"+query, nil))
		if w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", query, w.Code)
		}
	}
}

// Concurrent requests share one packed frame. A change makes another.
func TestFrameIsPackedOnce(t *testing.T) {
	c := newCrowd(300)
	s := New(Options{Source: c, Head: c.head, Caller: engine.Loopback(), Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(s.Close)
	load(t, s)
	f, err := s.current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := s.encoded(f)
	got := make([]*frame.Packed, 6)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() {
			p, err := e.whole()
			if i%2 == 1 {
				p, err = e.tile(frame.RootTile)
			}
			if err != nil {
				t.Error(err)
			}
			got[i] = p
		})
	}
	all.Wait()
	for i, p := range got {
		if p == nil || p != got[i%2] {
			t.Errorf("request %d has a packing of its own", i)
		}
	}
	if s.encoded(f) != e {
		t.Error("the same frame has two versions")
	}
	if other := *f; s.encoded(&other) == e {
		t.Error("another frame has the version of the last one")
	}
}
