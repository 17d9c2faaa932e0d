package resolvers_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// scenes is a fake map.
type scenes struct {
	picture resolvers.Picture
	changes []resolvers.SceneChange
	asked   chan any
}

func (s *scenes) Picture(_ context.Context, _ engine.Caller, namespaces []string, at graph.AsOf, first int) (*resolvers.Picture, error) {
	s.asked <- []any{namespaces, at, first}
	return &s.picture, nil
}

func (s *scenes) Changes(_ context.Context, _ engine.Caller, from resolvers.Scene) (<-chan resolvers.SceneChange, error) {
	s.asked <- from
	out := make(chan resolvers.SceneChange, len(s.changes))
	for _, c := range s.changes {
		out <- c
	}
	close(out)
	return out, nil
}

func drawing(s *scenes) func(*resolvers.Config) {
	s.asked = make(chan any, 1)
	return func(c *resolvers.Config) { c.Scenes = s }
}

func TestVizGraph(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a, b := "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"
	fake := &scenes{picture: resolvers.Picture{
		Scene: resolvers.Scene{Cursor: 7, Drawing: 1<<63 + 5}, At: at, Total: 9,
		Nodes: []resolvers.MapNode{
			{ID: graph.ID(a), Position: [3]float32{1, -2, 3}, Type: graph.Semantic, Status: graph.Active, Tier: graph.L2, Namespace: "ops", Project: "mill", Label: "The gate", Importance: 0.5, Retention: 0.25},
			{ID: graph.ID(b), Type: graph.Working, Status: graph.Superseded, Tier: graph.L0, Namespace: "ops"},
		},
		Edges:   []engine.EdgeView{{From: graph.ID(a), To: graph.ID(b), Kind: "SUPERSEDES", Weight: 1}},
		Regions: []resolvers.Region{{Centre: [3]float32{4, 5, -6}, Radius: 7, Count: 80, Name: "ferry · crew"}},
	}}
	s := start(t, drawing(fake))
	got := s.must(`query($at: AsOf) { vizGraph(namespaces: ["ops"], asOf: $at, first: 2) { at cursor map total
		nodes { id x y z type status tier namespace project importance retention label } edges { from to kind weight } regions { name x y z radius memories } } }`, vars{"at": vars{"recorded": at}})
	want := `{"at":"2026-03-01T12:00:00.000Z","cursor":"7","edges":[{"from":"` + a + `","kind":"SUPERSEDES","to":"` + b + `","weight":1}],"map":"9223372036854775813",` +
		`"nodes":[{"id":"` + a + `","importance":0.5,"label":"The gate","namespace":"ops","project":"mill","retention":0.25,"status":"ACTIVE","tier":"L2","type":"SEMANTIC","x":1,"y":-2,"z":3},` +
		`{"id":"` + b + `","importance":0,"label":"","namespace":"ops","project":null,"retention":0,"status":"SUPERSEDED","tier":"L0","type":"WORKING","x":0,"y":0,"z":0}],"regions":[{"memories":80,"name":"ferry · crew","radius":7,"x":4,"y":5,"z":-6}],"total":9}`
	if text, err := json.Marshal(got.at(t, "vizGraph")); err != nil || string(text) != want {
		t.Errorf("%s, %v, want\n%s", text, err, want)
	}
	if q := (<-fake.asked).([]any); !slices.Equal(q[0].([]string), []string{"ops"}) || !q[1].(graph.AsOf).Recorded.Equal(at) || q[2] != 2 {
		t.Errorf("asked for %v", q)
	}
	for _, first := range []int{0, 5001} {
		if a := s.ask(`query($n: Int) { vizGraph(first: $n) { total } }`, vars{"n": first}); a.code() != "INVALID_REQUEST" || a.field() != "first" {
			t.Errorf("first %d: %s", first, a.Body)
		}
	}
}

func TestServerWithoutAMap(t *testing.T) {
	s := start(t)
	if a := s.ask(`{ vizGraph { total } }`, nil); a.code() != "UNAVAILABLE" {
		t.Errorf("%s", a.Body)
	}
}

// changesOf subscribes to vizChanges and reads the stream to its end.
func (s *server) changesOf(after, drawing string) string {
	s.t.Helper()
	body, err := json.Marshal(vars{"query": `subscription($a: String!, $m: String!) { vizChanges(after: $a, map: $m) { cursor map part } }`, "variables": vars{"a": after, "m": drawing}})
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.http.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	resp, err := s.http.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	var data []string
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if d, is := strings.CutPrefix(lines.Text(), "data: "); is && d != "" && d != "null" {
			data = append(data, d)
		}
	}
	return strings.Join(data, "\n")
}

func TestVizChanges(t *testing.T) {
	fake := &scenes{changes: []resolvers.SceneChange{
		{Scene: resolvers.Scene{Cursor: 8, Drawing: 3}, Part: []byte("SGVF")}, {Scene: resolvers.Scene{Cursor: 9, Drawing: 4}},
	}}
	s := start(t, drawing(fake))
	want := `{"data":{"vizChanges":{"cursor":"8","map":"3","part":"U0dWRg=="}}}` + "\n" + `{"data":{"vizChanges":{"cursor":"9","map":"4","part":null}}}`
	if got := s.changesOf("7", "18446744073709551615"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if from := <-fake.asked; from != (resolvers.Scene{Cursor: 7, Drawing: 1<<64 - 1}) {
		t.Errorf("asked from %v", from)
	}
	for field, x := range map[string][2]string{"after": {"-1", "3"}, "map": {"7", "x"}} {
		if got := s.changesOf(x[0], x[1]); !strings.Contains(got, "INVALID_REQUEST") || !strings.Contains(got, `"field":"`+field+`"`) {
			t.Errorf("%v: %s", x, got)
		}
	}
}
