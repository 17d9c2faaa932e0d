package scene

import (
	"fmt"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/viz/frame"
)

func names(f *frame.Frame) string {
	var all []string
	for _, r := range f.Regions {
		all = append(all, r.Name)
	}
	return strings.Join(all, ", ")
}

func TestRegionsKeepTheirNamesUntilATextIsGone(t *testing.T) {
	w := enginetest.New(t)
	var otters []graph.ID
	for i := range 150 {
		beast := []string{"heron", "otter", "badger"}[i%3]
		id := w.Remember(fmt.Sprintf("A %s sat by the weir of the %s brook on day %d.", beast, beast, i), func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert }).Memory.ID
		if beast == "otter" {
			otters = append(otters, id)
		}
	}
	s := serve(t, w.Engine, head(w), w.Caller, "")
	first := load(t, s)
	if len(first.Regions) == 0 || !strings.Contains(names(first), "otter") {
		t.Fatalf("regions %q", names(first))
	}
	w.Remember("The ferry leaves at seven.")
	if second := load(t, s); names(second) != names(first) {
		t.Errorf("with one memory more they are %q, were %q", names(second), names(first))
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: otters}); err != nil {
		t.Fatal(err)
	}
	if after := load(t, s); strings.Contains(names(after), "otter") {
		t.Errorf("the otters are erased and the map says %q", names(after))
	}
}
