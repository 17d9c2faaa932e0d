package resolvers_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// beliefs returns fixed results for conflicts, forecasts and withdrawals, and records the
// calls.
type beliefs struct {
	resolvers.Verbs
	conflicts  []engine.Conflict
	forecast   []engine.Forecast
	resolved   []*engine.View
	withdrawal engine.Withdrawal
	asked      []any
}

func (b *beliefs) Conflicts(_ context.Context, _ engine.Caller, namespaces []string, first int) ([]engine.Conflict, error) {
	b.asked = []any{namespaces, first}
	return b.conflicts, nil
}

func (b *beliefs) DecayForecast(_ context.Context, _ engine.Caller, days int, namespaces []string, user string, first int) ([]engine.Forecast, error) {
	b.asked = []any{days, namespaces, user, first}
	return b.forecast, nil
}

func (b *beliefs) ResolveConflict(_ context.Context, _ engine.Caller, x, y, keep graph.ID, reason string) ([]*engine.View, error) {
	b.asked = []any{x, y, keep, reason}
	return b.resolved, nil
}

func (b *beliefs) WithdrawSource(_ context.Context, _ engine.Caller, source, namespace, reason string, dryRun bool) (*engine.Withdrawal, error) {
	b.asked = []any{source, namespace, reason, dryRun}
	return &b.withdrawal, nil
}

func (b *beliefs) Feedback(_ context.Context, _ engine.Caller, in engine.FeedbackInput) (*engine.View, error) {
	b.asked = []any{in.Query, in.ID, in.Relevant, in.User}
	return b.resolved[0], nil
}

func (b *beliefs) wereAsked(t *testing.T, want ...any) {
	t.Helper()
	if !slices.EqualFunc(b.asked, want, func(x, y any) bool {
		list, is := x.([]string)
		if other, too := y.([]string); is && too {
			return slices.Equal(list, other)
		}
		return x == y
	}) {
		t.Errorf("the engine was asked for %v, want %v", b.asked, want)
	}
}

func TestBeliefs(t *testing.T) {
	b := &beliefs{withdrawal: engine.Withdrawal{
		Withdrawn: []graph.ID{"w1", "w2", "w3"}, Descended: []graph.ID{"d1", "d2"}, Rebuilt: []graph.ID{"b1"},
	}}
	s := start(t, func(c *resolvers.Config) { b.Verbs = c.Verbs; c.Verbs = b })
	views, err := s.MemoriesByID(t.Context(), s.Caller, []graph.ID{
		graph.ID(s.remember("The ferry leaves at six.", nil)), graph.ID(s.remember("The ferry leaves at eight.", nil)),
	}, engine.Access{})
	if err != nil {
		t.Fatal(err)
	}
	early, late := views[0], views[1]
	at := time.Date(2026, 3, 4, 5, 6, 7, 8e6, time.UTC)

	b.conflicts = []engine.Conflict{{Later: late, Earlier: early, Score: 0.75, At: at}}
	a := s.must(`{ conflicts(namespaces: ["default"]) { later { content } earlier { content } score at } }`, nil)
	same(t, "the conflicts", a.at(t, "conflicts"), `[{"later":{"content":"The ferry leaves at eight."},"earlier":{"content":"The ferry leaves at six."},"score":0.75,"at":"2026-03-04T05:06:07.008Z"}]`)
	b.wereAsked(t, []string{"default"}, 50)

	b.forecast = []engine.Forecast{{Memory: early, FadesAt: at, Archives: at.Add(time.Hour)}, {Memory: late, FadesAt: at}}
	a = s.must(`{ decayForecast(days: 7, user: "ada", first: 2) { memory { content } fadesAt archivesAt } }`, nil)
	same(t, "the forecast", a.at(t, "decayForecast"), `[{"memory":{"content":"The ferry leaves at six."},"fadesAt":"2026-03-04T05:06:07.008Z","archivesAt":"2026-03-04T06:06:07.008Z"},
		{"memory":{"content":"The ferry leaves at eight."},"fadesAt":"2026-03-04T05:06:07.008Z","archivesAt":null}]`)
	b.wereAsked(t, 7, []string(nil), "ada", 2)
	s.must(`{ decayForecast { fadesAt } }`, nil)
	b.wereAsked(t, 30, []string(nil), "", 50)

	b.resolved = []*engine.View{late, early}
	a = s.must(`mutation { resolveConflict(input: {a: "x", b: "y", keep: "y", reason: "the timetable"}) { content } }`, nil)
	same(t, "the resolved", a.at(t, "resolveConflict"), `[{"content":"The ferry leaves at eight."},{"content":"The ferry leaves at six."}]`)
	b.wereAsked(t, graph.ID("x"), graph.ID("y"), graph.ID("y"), "the timetable")
	s.must(`mutation { resolveConflict(input: {a: "x", b: "y"}) { content } }`, nil)
	b.wereAsked(t, graph.ID("x"), graph.ID("y"), graph.ID(""), "")

	a = s.must(`mutation { feedback(query: "when?", id: "x", relevant: false, user: "ada") { content } }`, nil)
	same(t, "the marked memory", a.at(t, "feedback"), `{"content":"The ferry leaves at eight."}`)
	b.wereAsked(t, "when?", graph.ID("x"), false, "ada")
	s.must(`mutation { feedback(query: "when?", id: "x", relevant: true) { content } }`, nil)
	b.wereAsked(t, "when?", graph.ID("x"), true, "")

	a = s.must(`mutation { withdrawSource(input: {source: "a rumour", namespace: "talk", reason: "false", dryRun: true}) {
		withdrawn descended rebuilt restored withdrawnIds(first: 2) descendedIds rebuiltIds restoredIds } }`, nil)
	same(t, "the withdrawal", a.at(t, "withdrawSource"), `{"withdrawn":3,"descended":2,"rebuilt":1,"restored":0,"withdrawnIds":["w1","w2"],"descendedIds":["d1","d2"],"rebuiltIds":["b1"],"restoredIds":[]}`)
	b.wereAsked(t, "a rumour", "talk", "false", true)
	s.must(`mutation { withdrawSource(input: {source: "a rumour"}) { withdrawn } }`, nil)
	b.wereAsked(t, "a rumour", "", "", false)
}
