package noninterference_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/scene"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/viz/frame"
)

// compareTiles compares what the map sends to a caller over two worlds: the tiles on all levels, the
// tiles of random memories, and both tables. It returns the number of tiles.
func compareTiles(t *testing.T, c engine.Caller, mine, theirs *endpoint, g *generator) (tiles int) {
	t.Helper()
	a, b := mine.tiled(c, 40), theirs.tiled(c, 40)
	defer a.Close()
	defer b.Close()
	root, text := frameOf(t, a, "")
	same := func(query string) {
		t.Helper()
		_, x := frameOf(t, a, query)
		if _, y := frameOf(t, b, query); x != y {
			t.Fatalf("caller %s: /viz/graph?%s\n%s", c.Name, query, difference(x, y))
		}
	}
	if _, other := frameOf(t, b, ""); text != other {
		t.Fatalf("caller %s: /viz/graph\n%s", c.Name, difference(text, other))
	}
	for _, tile := range root.Tiles {
		same(fmt.Sprintf("tile=%d&map=%d", tile.Key, root.Drawing))
	}
	for range 20 {
		same(fmt.Sprintf("memory=%s&map=%d", pick(g.Rand, g.ids), root.Drawing))
	}
	for _, table := range []string{"memories", "edges"} {
		x, y := httptest.NewRecorder(), httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "/viz/graph?format=arrow&table="+table, nil)
		_ = a.Serve(x, r)
		_ = b.Serve(y, r)
		if x.Body.String() != y.Body.String() || x.Code != http.StatusOK || x.Body.Len() == 0 {
			t.Fatalf("caller %s: the table of %s has %d and %d bytes, status %d and %d", c.Name, table, x.Body.Len(), y.Body.Len(), x.Code, y.Code)
		}
	}
	return len(root.Tiles)
}

// frameOf asks for a frame, and writes it as text without the position in the feed and the number of the
// map, which differ between two equal servers.
func frameOf(t *testing.T, s *scene.Server, query string) (*frame.Frame, string) {
	t.Helper()
	w := httptest.NewRecorder()
	_ = s.Serve(w, httptest.NewRequest(http.MethodGet, "/viz/graph?"+query, nil))
	if w.Code != http.StatusOK {
		return nil, fmt.Sprint(w.Code, " ", w.Body)
	}
	f, err := frame.Decode(w.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	masked := *f
	masked.Cursor = 0
	return f, fmt.Sprintf("%s %+v", w.Header().Get(frame.TileHeader), masked)
}
