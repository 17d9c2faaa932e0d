package lifecycle_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

func TestPrecedenceOfRivals(t *testing.T) {
	of := func(c graph.Consent, safety bool, kind graph.SourceKind) lifecycle.Precedence {
		return lifecycle.Precedence{Consent: c, Safety: safety, Kind: kind}
	}
	const user, tool = graph.FromUser, graph.FromTool
	for _, c := range []struct {
		a, b lifecycle.Precedence
		want int
	}{
		{of(graph.ConsentExplicit, false, user), of(graph.ConsentImplicit, false, user), 0},
		{of(graph.ConsentImplicit, false, user), of(graph.ConsentNone, false, user), 1},
		{of(graph.ConsentNone, false, user), of(graph.ConsentNone, false, user), 0},
		{of(graph.ConsentExplicit, false, user), of(graph.ConsentNone, true, user), 1},
		{of(graph.ConsentImplicit, true, user), of(graph.ConsentExplicit, false, user), 1},
		{of(graph.ConsentExplicit, true, user), of(graph.ConsentExplicit, true, user), 0},
		{of(graph.ConsentExplicit, true, tool), of(graph.ConsentExplicit, false, tool), 1},
		{of(graph.ConsentExplicit, true, tool), of(graph.ConsentExplicit, false, user), 0},
	} {
		if got := lifecycle.ComparePrecedence(c.a, c.b); got != c.want {
			t.Errorf("%+v, %+v: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := lifecycle.ComparePrecedence(c.b, c.a); got != -c.want {
			t.Errorf("%+v, %+v: %d, want %d", c.b, c.a, got, -c.want)
		}
	}
}
