package resolvers

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// A sealed cursor leads its principal back to the position. It shows nobody the position, and
// is refused for another principal, another tenant, another key, and after a change.
func TestEventCursorsAreSealedForTheirPrincipal(t *testing.T) {
	x, open := eventCursors{bytes.Repeat([]byte{7}, 32)}, eventCursors{}
	ana, bo := engine.Caller{Tenant: "t", Name: "ana"}, engine.Caller{Tenant: "t", Name: "bo"}
	rapid.Check(t, func(t *rapid.T) {
		at := place{graph.Cursor(rapid.Uint64().Draw(t, "at")), rapid.SampledFrom([]uint32{0, 1, 1 << 31}).Draw(t, "feed")}
		sealed, plain := x.encode(ana, at), open.encode(ana, at)
		if got, err := x.decode(ana, sealed); err != nil || got != at {
			t.Fatalf("%v: %v, %v", at, got, err)
		}
		if sealed == plain || sealed == x.encode(bo, at) {
			t.Fatalf("%s is not sealed for its principal", sealed)
		}
		for name, f := range map[string]func() (place, error){
			"another principal": func() (place, error) { return x.decode(bo, sealed) },
			"another tenant":    func() (place, error) { return x.decode(engine.Caller{Tenant: "u", Name: "ana"}, sealed) },
			"another key":       func() (place, error) { return eventCursors{[]byte("other key, other")}.decode(ana, sealed) },
			"no key":            func() (place, error) { return open.decode(ana, sealed) },
			"a changed cursor":  func() (place, error) { return x.decode(ana, sealed[:5]+flip(sealed[5:6])+sealed[6:]) },
			"an earlier cursor": func() (place, error) { return x.decode(ana, plain) }, // from before the server had a key
		} {
			if got, err := f(); graph.CodeOf(err) != graph.CodeInvalidRequest {
				t.Fatalf("%s: %v, %v", name, got, err)
			}
		}
	})
}

func flip(s string) string {
	if s == "A" {
		return "B"
	}
	return "A"
}
