package resolvers

import (
	"bytes"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// Where cursors are sealed, a caller can't name a position: else it finds out by trial at which position its own events are, and so how
// many changes of others lie between them, or how many there are at all.
func TestNobodyNamesAPositionOfTheFeed(t *testing.T) {
	x, open := eventCursors{bytes.Repeat([]byte{7}, 32)}, eventCursors{}
	ana := engine.Caller{Tenant: "t", Name: "ana"}
	for _, p := range []place{{at: 1}, {at: 1 << 20}, {at: 1 << 20, feed: 7}} {
		if got, err := x.decode(ana, open.encode(ana, p)); graph.CodeOf(err) != graph.CodeInvalidRequest {
			t.Errorf("%v leads to %v, %v", p, got, err)
		}
	}
}
