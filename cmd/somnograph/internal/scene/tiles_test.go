package scene

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/viz/frame"
)

func TestALargeSceneIsSentInTiles(t *testing.T) {
	c := newCrowd(300)
	s := New(Options{Source: c, Head: c.head, Caller: engine.Loopback(), Whole: 200, Logger: slog.New(slog.DiscardHandler)})
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
	if root == nil || len(root.Tiles) != 1 || root.Tiles[0] != (frame.Tile{Key: frame.Root, Count: 300}) || root.Total != 300 {
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
