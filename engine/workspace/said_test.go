package workspace

import (
	"fmt"
	"testing"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

// A relation from the cache equals the one that is read, and nothing remains after a forget.
func TestRelationsAreCachedUntilAForget(t *testing.T) {
	x := newSaidCache()
	a, b := ever(1, "The standup is at 9:30.", graph.L1), ever(2, "The standup is at 10:15 now.", graph.L1)
	want := reader.Prepare(StatementBy(a)).Relate(reader.Prepare(StatementBy(b)))
	for range 2 {
		if got := x.Relate(a, b); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if back := x.Relate(b, a); back == want || x.related.Len() != 2 {
		t.Errorf("the reverse is %+v, %d are kept", back, x.related.Len())
	}
	if x.forget(); x.related.Len() != 0 || x.kept.Len() != 0 {
		t.Errorf("%d relations, %d statements remain", x.related.Len(), x.kept.Len())
	}
}

func TestRelationsAreBounded(t *testing.T) {
	x := newSaidCache()
	a := ever(0, "The standup is at 9:30.", graph.L1)
	for i := range relatedKept + 10 {
		x.Relate(a, ever(i+1, fmt.Sprintf("Crate %d is red.", i), graph.L1))
	}
	if x.related.Len() != relatedKept {
		t.Errorf("%d are kept", x.related.Len())
	}
}
