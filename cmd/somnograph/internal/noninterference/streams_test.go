package noninterference_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/viz/frame"
)

// streamed counts what compareStreams compared.
type streamed struct{ clusters, steps, parts, hidden int }

func (s *streamed) add(o streamed) {
	s.clusters, s.steps, s.parts, s.hidden = s.clusters+o.clusters, s.steps+o.steps, s.parts+o.parts, s.hidden+o.hidden
}

// compareStreams compares the other subscriptions of memories over two worlds: changes of clusters from the first one on, changes of
// the map and steps of ingests while both worlds change, and the caller's own also where the caller sees nothing of it.
func compareStreams(t *testing.T, c engine.Caller, mine, theirs *endpoint, g *generator) (n streamed) {
	t.Helper()
	a, b := serve(t, mine), serve(t, theirs)
	n.clusters = compareClusterEvents(t, c, a, b)
	n.add(compareParts(t, c, a, b, g))
	n.add(compareSteps(t, c, a, b, g))
	return n
}

// compareClusterEvents compares the changes of clusters after the oldest one.
func compareClusterEvents(t *testing.T, c engine.Caller, a, b *listener) (events int) {
	t.Helper()
	var all struct {
		Data struct {
			ClusterEvolution struct{ Nodes []struct{ ID string } }
		}
	}
	if err := json.Unmarshal([]byte(a.ask(`{ clusterEvolution(first: 100) { nodes { id } } }`)), &all); err != nil {
		t.Fatal(err)
	}
	nodes := all.Data.ClusterEvolution.Nodes
	if len(nodes) < 2 {
		return 0
	}
	field := fmt.Sprintf(`clusterEvents(after: %q) { id at change namespace user cluster from size report current { id label size } }`, nodes[len(nodes)-1].ID)
	x, y := a.stream(field), b.stream(field)
	for range nodes[1:] {
		if p, q := x.next(), y.next(); p != q {
			t.Fatalf("caller %s: clusterEvents\n%s", c.Name, difference(p, q))
		}
		events++
	}
	return events
}

// weigh changes how important an ACTIVE memory is, which the map shows, and reports whether there was one.
func (e *endpoint) weigh(id graph.ID, importance float64) bool {
	e.t.Helper()
	v, err := e.Memory(e.t.Context(), engine.Loopback(), id, engine.Access{})
	if err != nil || v.State.Status != graph.Active || v.Importance == importance {
		return false
	}
	if _, err := e.Update(e.t.Context(), engine.Loopback(), engine.UpdateInput{ID: id, Importance: &importance}); err != nil {
		e.t.Fatal(err)
	}
	return true
}

// compareParts compares the changes of the map.
func compareParts(t *testing.T, c engine.Caller, a, b *listener, g *generator) (n streamed) {
	t.Helper()
	follow := func(l *listener) *subscription {
		t.Helper()
		var scene struct {
			Data struct {
				VizGraph struct {
					Cursor, Map string
					Nodes       []struct{ ID string }
				}
			}
		}
		if err := json.Unmarshal([]byte(l.ask(`{ vizGraph(first: 1) { cursor map nodes { id } } }`)), &scene); err != nil {
			t.Fatal(err)
		}
		return l.stream(fmt.Sprintf(`vizChanges(after: %q, map: %q) { part }`, scene.Data.VizGraph.Cursor, scene.Data.VizGraph.Map))
	}
	shown, not := memoriesOf(t, b.Store), memoriesOf(t, a.Store)
	not = slices.DeleteFunc(not, func(id graph.ID) bool { return slices.Contains(shown, id) })
	x, y := follow(a), follow(b)
	for i := range changes {
		a.Clock.Advance(time.Second)
		b.Clock.Advance(time.Second)
		importance := float64(1+i) / 32
		for range g.IntN(3) {
			if len(not) > 0 && a.weigh(pick(g.Rand, not), importance) {
				n.hidden++
			}
		}
		id := pick(g.Rand, shown)
		done := a.weigh(id, importance)
		if b.weigh(id, importance) != done {
			t.Fatalf("caller %s: only one world could change %s", c.Name, id)
		} else if !done {
			continue
		}
		p, q := partOf(t, x.next()), partOf(t, y.next())
		if p != q {
			t.Fatalf("caller %s: vizChanges\n%s", c.Name, difference(p, q))
		}
		n.parts++
	}
	return n
}

// partOf writes a change of the map as text without the position in the feed.
func partOf(t *testing.T, message string) string {
	t.Helper()
	var change struct {
		Data struct{ VizChanges struct{ Part *string } }
	}
	if err := json.Unmarshal([]byte(message), &change); err != nil {
		t.Fatal(err)
	}
	if change.Data.VizChanges.Part == nil {
		t.Fatal("the map has to be loaded again: ", message)
	}
	b, err := base64.StdEncoding.DecodeString(*change.Data.VizChanges.Part)
	if err != nil {
		t.Fatal(err)
	}
	f, err := frame.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	f.Cursor = 0
	return fmt.Sprintf("%+v", *f)
}

// compareSteps compares the steps of ingests. A caller of limited consent or sensitivity gets none.
func compareSteps(t *testing.T, c engine.Caller, a, b *listener, g *generator) (n streamed) {
	t.Helper()
	if c.Sight().LimitsClasses() {
		return n
	}
	field := `ingestProgress { documentId path namespace phase chunks done total result { unchanged written superseded document { id version contentHash user private } } error { code field message } at }`
	x, y := a.stream(field), b.stream(field)
	<-a.follows
	<-b.follows
	for i := range changes {
		a.Clock.Advance(time.Second)
		b.Clock.Advance(time.Second)
		for shown := false; !shown; {
			space, user, agent := pick(g.Rand, namespaces), pick(g.Rand, users), pick(g.Rand, []string{"", "bot", "heron"})
			owner, args := user, fmt.Sprintf("namespace: %q, path: \"step%d.md\", text: \"# Step\\n\\nOf document %d %d.\"", space, g.IntN(3), i, g.IntN(100))
			if user != "" {
				args += fmt.Sprintf(", user: %q", user)
			}
			if agent != "" {
				owner, args = graph.PrivateOwner(user, agent), args+fmt.Sprintf(", agent: %q, private: true", agent)
			}
			ingest := "mutation { ingest(input: {consent: EXPLICIT, " + args + "}) { written } }"
			if shown = c.Sees(space, owner); !shown {
				a.administer(ingest)
				n.hidden++
				continue
			}
			a.administer(ingest)
			b.administer(ingest)
			for done := false; !done; {
				p, q := x.next(), y.next()
				if p != q {
					t.Fatalf("caller %s: ingestProgress\n%s", c.Name, difference(p, q))
				}
				n.steps++
				done = strings.Contains(p, `"DONE"`) || strings.Contains(p, `"FAILED"`)
			}
		}
	}
	return n
}

// administer sends a mutation that must succeed as the caller who may do everything.
func (e *endpoint) administer(query string) {
	e.t.Helper()
	before := e.caller
	defer func() { e.caller = before }()
	e.caller = engine.Loopback()
	e.must(query)
}
