package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// A memory older than thirty days weighs 1.1 times with both fusions, but not if something
// contradicts it, nor for a question that asks for the latest or names a period.
func TestSettledMemoriesWeighATenthMore(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default")
	ferry := w.Remember("The ferry to the island leaves from berth four.").Memory.ID
	w.Remember("Ana lives in Oslo.", func(in *engine.RememberInput) { in.Source = "ana" })
	lives := w.Remember("Ana lives in Bergen.", func(in *engine.RememberInput) { in.Source = "bo" }).Memory.ID
	factor := func(id graph.ID, query string, fusion engine.Fusion) (value float64) {
		t.Helper()
		for _, h := range w.Search(query, func(in *engine.SearchInput) { in.Fusion = fusion }).Hits {
			if h.Memory.ID != id {
				continue
			}
			for _, x := range h.Explain().Children {
				if strings.HasPrefix(x.Message, "factor: older than 30 days") {
					return x.Value
				}
			}
			return 1
		}
		t.Errorf("%q does not find %s", query, id)
		return 0
	}
	if got := factor(ferry, "From which berth does the ferry leave?", engine.FusionWeighted); got != 1 {
		t.Errorf("on the first day: %v", got)
	}
	w.Clock.Advance(31 * 24 * time.Hour)
	for _, c := range []struct {
		id    graph.ID
		query string
		want  float64
	}{
		{ferry, "From which berth does the ferry leave?", 1.1},
		{ferry, "From which berth does the ferry leave now?", 1},
		{ferry, "What is the current berth of the ferry?", 1},
		{ferry, "Which berth did the ferry leave from in March 2026?", 1},
		{lives, "Where does Ana live?", 1},
	} {
		for _, fusion := range []engine.Fusion{engine.FusionWeighted, engine.FusionRRF} {
			if got := factor(c.id, c.query, fusion); got != c.want {
				t.Errorf("%s, %q: %v, want %v", fusion, c.query, got, c.want)
			}
		}
	}
}
