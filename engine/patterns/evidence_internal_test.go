package patterns

import (
	"maps"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func TestTheLastOfAChain(t *testing.T) {
	by := map[graph.ID]graph.ID{"a": "b", "b": "c", "d": "c", "e": "f"}
	want := map[graph.ID]graph.ID{"a": "c", "b": "c", "d": "c", "e": "f"}
	if got := lastOf(by); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := lastOf(map[graph.ID]graph.ID{"x": "y", "y": "x"}); len(got) != 2 {
		t.Errorf("a circle: %v", got)
	}
}
