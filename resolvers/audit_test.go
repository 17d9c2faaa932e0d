package resolvers_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// unaudited are the root fields without a row, and why.
var unaudited = map[string]string{
	"Query.whoami":    "tells the caller about its own credential",
	"Query.rateLimit": "tells the caller about its own budget",
}

// Every root field of the schema leaves a row with principal, verb, outcome and duration, also if the caller may not select it.
func TestEveryRootFieldLeavesARow(t *testing.T) {
	schema := load(t, "../schema.graphqls")
	w := enginetest.With(t, enginetest.Options{AuditKeys: &enginetest.AuditKeys{}})
	var caller engine.Caller
	s := over(t, w, func(c *resolversConfig) {
		c.Authenticate = func(*http.Request) (engine.Caller, error) { return caller, nil }
	})
	all := engine.Loopback()
	all.Sources = false
	for _, may := range []bool{true, false} {
		for _, d := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
			for _, f := range d.Fields {
				name := d.Name + "." + f.Name
				if strings.HasPrefix(f.Name, "__") {
					continue
				}
				caller = engine.Caller{Tenant: all.Tenant, Name: "ana", Credential: "refused-" + name}
				if may {
					caller = all
					caller.Credential = "key-" + name
				}
				if d == schema.Subscription && may {
					s.open(minimal(schema, d, f), caller.Credential)
				} else if d == schema.Subscription {
					s.firstEvent(minimal(schema, d, f))
				} else {
					s.ask(minimal(schema, d, f), nil)
				}
				s.hasRow(caller.Credential, f.Name, unaudited[name] == "", may)
			}
		}
	}
	for _, e := range s.rows(engine.AuditFilter{Verb: "upkeep"}) {
		t.Errorf("a write of no call: %+v", e)
	}
}

// hasRow fails the test unless the principal has a row of the verb, or none with want false.
func (s *server) hasRow(principal, verb string, want, may bool) {
	s.t.Helper()
	rows := s.rows(engine.AuditFilter{Principal: principal})
	if !want {
		if len(rows) > 0 {
			s.t.Errorf("%s has rows, and is in the list of those without: %+v", principal, rows)
		}
		return
	}
	found := false
	for _, e := range rows {
		if e.Outcome == "" || e.Verb == "" || e.Count < 1 || e.At.IsZero() || e.Millis <= 0 {
			s.t.Errorf("%s: an incomplete row %+v", principal, e)
		}
		if !may && e.Outcome != "FORBIDDEN" {
			s.t.Errorf("%s: the outcome of a refused call is %s", principal, e.Outcome)
		}
		found = found || e.Verb == verb
	}
	if !found {
		s.t.Errorf("%s: no row of the verb %s among %+v", principal, verb, rows)
	}
}

func (s *server) rows(f engine.AuditFilter) []engine.AuditEntry {
	s.t.Helper()
	f.First = 1000
	rows, _, err := s.World.Audit(s.t.Context(), s.Caller, f)
	if err != nil {
		s.t.Fatal(err)
	}
	return rows
}

// open opens a subscription, and ends it when its row is written.
func (s *server) open(query, principal string) {
	s.t.Helper()
	ctx, stop := context.WithCancel(s.t.Context())
	defer stop()
	body := strings.NewReader(`{"query":"` + strings.ReplaceAll(query, `"`, `\"`) + `"}`)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.http.URL+"/graphql", body)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	resp, err := s.http.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	for len(s.rows(engine.AuditFilter{Principal: principal})) == 0 { // the stream is open before the field is resolved
	}
}

// The steps of a sleep, the decisions about conflicts and patterns, and the server's own work leave rows that say what they wrote.
func TestInternalStepsLeaveRows(t *testing.T) {
	s := over(t, enginetest.With(t, enginetest.Options{AuditKeys: &enginetest.AuditKeys{}}))
	s.repeat(24, upTo12, nil)
	s.repeat(24, upTo25, vars{"safetyCritical": true})
	patterns := s.must(`{ patterns { nodes { memory { id } } } }`, nil).listOf(t, "patterns.nodes")
	conflicts := s.must(`{ patternConflicts { patterns { id } } }`, nil).listOf(t, "patternConflicts")
	if len(patterns) < 2 || len(conflicts) != 1 {
		t.Fatalf("%d patterns and %d conflicts", len(patterns), len(conflicts))
	}
	pair := conflicts[0]["patterns"].([]any)
	s.must(`mutation($keep: ID!, $end: ID!) { resolvePattern(keep: $keep, end: $end) { id } }`, vars{"keep": pair[0].(vars)["id"], "end": pair[1].(vars)["id"]})
	decisions, ids := map[string]string{}, map[string]map[graph.ID]bool{}
	for _, e := range s.rows(engine.AuditFilter{}) {
		if e.Millis <= 0 || e.Outcome == "" || e.Principal == "" {
			t.Errorf("an incomplete row %+v", e)
		}
		decisions[e.Verb] += e.Decision + "+"
		if ids[e.Verb] == nil {
			ids[e.Verb] = map[graph.ID]bool{}
		}
		for _, id := range e.IDs {
			ids[e.Verb][id] = true
		}
	}
	for _, want := range []graph.NoteKind{graph.NoteClusters, graph.NoteClusterEvents, graph.NoteSleep} {
		if !strings.Contains(decisions["sleep"], "NOTE "+string(want)+"+") {
			t.Errorf("no row of the sleep has a decision about %s: %s", want, decisions["sleep"])
		}
	}
	for _, p := range patterns {
		if id := graph.ID(p["memory"].(vars)["id"].(string)); !ids["sleep"][id] {
			t.Errorf("no row of the sleep names the pattern %s", id)
		}
	}
	if !strings.Contains(decisions["sleep"], "CONTRADICTED") {
		t.Errorf("no row of the sleep has the conflict of the patterns: %s", decisions["sleep"])
	}
	if !strings.Contains(decisions["resolvePattern"], "NOTE "+string(graph.NoteConflict)) {
		t.Errorf("the decided conflict: %s", decisions["resolvePattern"])
	}
	if decisions["upkeep"] != "" {
		t.Errorf("work without a name: %s", decisions["upkeep"])
	}
}

// A sleep that the server begins by itself has rows of the server.
func TestAnAutomaticSleepLeavesRowsOfTheServer(t *testing.T) {
	s := over(t, enginetest.With(t, enginetest.Options{AuditKeys: &enginetest.AuditKeys{}, Automatic: &engine.Automatic{Hour: 2, CheckEvery: time.Millisecond}}))
	s.remember("Cranes leave in autumn.", nil)
	s.must(`mutation { advanceClock(seconds: 86400) }`, nil)
	var rows []engine.AuditEntry
	for len(rows) == 0 {
		rows = s.rows(engine.AuditFilter{Verb: "sleep"})
	}
	for _, e := range rows {
		if e.Principal != "server" || e.Decision == "" || e.Millis <= 0 {
			t.Errorf("%+v", e)
		}
	}
}

// The end of a document is the work of its caller.
func TestARemovedDocumentLeavesARowOfItsCaller(t *testing.T) {
	s := over(t, enginetest.With(t, enginetest.Options{AuditKeys: &enginetest.AuditKeys{}}))
	id := s.must(`mutation { ingest(input: {path: "a.md", text: "# Winch\n\nThe winch sticks.", consent: EXPLICIT}) { document { id } } }`, nil).at(t, "ingest.document.id")
	s.must(`mutation($id: ID!) { removeDocument(id: $id) { document { id } } }`, vars{"id": id})
	rows := s.rows(engine.AuditFilter{Verb: "removeDocument", Outcome: "OK"})
	if len(rows) == 0 || rows[0].Counted || rows[0].Principal != "loopback" || len(rows[0].IDs) == 0 || !strings.Contains(rows[0].Decision, "EXPIRED") {
		t.Errorf("%+v", rows)
	}
}
