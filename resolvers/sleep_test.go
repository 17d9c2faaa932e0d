package resolvers_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

const reportFields = `id kind trigger startedAt completedAt resumed complete dryRun reinforced decayed pruned deduplicated promoted engraved
	dreamed consolidated derived clustered sparsified tokensSaved promotionRate budgetKept cutOff clustersLeft ownersLeft { namespace user } skipped review doubts rolledBackAt healthBefore healthAfter
	phases { phase items seconds } balance { in kept merged archived left derived } steps { phase verb from to }`

// night is a report with a distinct value in every field.
func night() *engine.SleepReport {
	at := time.Date(2026, 3, 3, 2, 0, 0, 0, time.UTC)
	health := 0.75
	return &engine.SleepReport{
		ID: "0198f0a0-0000-7000-8000-000000000001", Kind: engine.DeepSleep, Trigger: engine.TriggerSchedule,
		StartedAt: at, CompletedAt: at.Add(90 * time.Second), Resumed: true, Complete: true,
		Reinforced: 1, Decayed: 2, Pruned: 3, Deduplicated: 4, Promoted: 5, Engraved: 6, Dreamed: 7, Consolidated: 8,
		Derived: 9, Clustered: 12, Sparsified: 10, TokensSaved: -11, PromotionRate: 0.0625, BudgetKept: true, CutOff: engine.PhaseREM, ClustersLeft: 13,
		Skipped: []graph.ID{"s1", "s2"}, Review: []graph.ID{"r1"}, Doubts: []graph.ID{"d1"},
		Phases:       []engine.PhaseRun{{Phase: engine.PhaseN1, Items: 12, Duration: 1500 * time.Millisecond}},
		Balance:      engine.Balance{In: 20, Kept: 14, Merged: 3, Archived: 2, Left: 1, Derived: 4},
		RolledBackAt: at.Add(time.Hour), HealthBefore: 0.5, HealthAfter: &health,
	}
}

const nightJSON = `{"id":"0198f0a0-0000-7000-8000-000000000001","kind":"DEEP","trigger":"SCHEDULE","startedAt":"2026-03-03T02:00:00.000Z",
	"completedAt":"2026-03-03T02:01:30.000Z","resumed":true,"complete":true,"dryRun":false,"reinforced":1,"decayed":2,"pruned":3,"deduplicated":4,
	"promoted":5,"engraved":6,"dreamed":7,"consolidated":8,"derived":9,"clustered":12,"sparsified":10,"tokensSaved":-11,"promotionRate":0.0625,"budgetKept":true,"cutOff":"REM","clustersLeft":13,"ownersLeft":[],
	"skipped":["s1","s2"],"review":["r1"],"doubts":["d1"],"rolledBackAt":"2026-03-03T03:00:00.000Z","healthBefore":0.5,"healthAfter":0.75,
	"phases":[{"phase":"N1","items":12,"seconds":1.5}],"balance":{"in":20,"kept":14,"merged":3,"archived":2,"left":1,"derived":4},
	"steps":[{"phase":"N3","verb":"MERGE","from":["a","b"],"to":"a"},{"phase":"N2","verb":"ARCHIVE","from":["c"],"to":null}]}`

func nightSteps() []engine.SleepStep {
	return []engine.SleepStep{
		{Phase: engine.PhaseN3, Verb: engine.StepMerge, From: []graph.ID{"a", "b"}, To: "a"},
		{Phase: engine.PhaseN2, Verb: engine.StepArchive, From: []graph.ID{"c"}},
	}
}

func same(t *testing.T, what string, got any, want string) {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(want), &v); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, v) {
		t.Errorf("%s is\n%v, want\n%v", what, got, v)
	}
}

// Every field of a report is encoded; its lists are limited.
func TestReportEncoding(t *testing.T) {
	var asked engine.SleepInput
	v := &verbs{
		sleep: func(_ context.Context, in engine.SleepInput) (*engine.SleepReport, error) {
			asked = in
			return night(), nil
		},
		steps: func(report graph.ID, first int) ([]engine.SleepStep, error) {
			if report != night().ID {
				t.Errorf("asked for the steps of %s", report)
			}
			return nightSteps()[:min(first, 2)], nil
		},
		status: func() (*engine.SleepStatus, error) {
			return &engine.SleepStatus{Running: night(), Phase: engine.PhaseN2, Done: 3, Total: 9, Interrupted: true, ActiveL1: 12, PressureAt: 10000,
				NextScheduled: time.Date(2026, 3, 4, 2, 0, 0, 0, time.UTC)}, nil
		},
	}
	s := start(t, between(v))
	a := s.must(`mutation { sleep { report { `+reportFields+` } } }`, nil)
	same(t, "the report", a.at(t, "sleep.report"), nightJSON)
	if want := (engine.SleepInput{Deep: true, Wait: true}); asked != want {
		t.Errorf("a sleep without an input is %+v, want %+v", asked, want)
	}
	a = s.must(`mutation { sleep(input: {deep: false, dryRun: true, wait: false, maxItems: 7, maxSeconds: 8}) { report { skipped(first: 1) steps(first: 1) { verb } } } }`, nil)
	same(t, "the bounded report", a.at(t, "sleep.report"), `{"skipped":["s1"],"steps":[{"verb":"MERGE"}]}`)
	if asked.Deep || asked.Wait || !asked.DryRun || *asked.MaxItems != 7 || *asked.MaxSeconds != 8 {
		t.Errorf("the engine was asked for %+v", asked)
	}
	v.sleep = func(context.Context, engine.SleepInput) (*engine.SleepReport, error) {
		r := night()
		r.DryRun = true
		r.Planned = []engine.SleepStep{
			{Phase: engine.PhaseN2, Verb: engine.StepArchive, From: []graph.ID{"a"}},
			{Phase: engine.PhaseN3, Verb: engine.StepMerge, From: []graph.ID{"b"}, To: "c"},
			{Phase: engine.PhaseREM, Verb: engine.StepArchive, From: []graph.ID{"d"}},
		}
		return r, nil
	}
	a = s.must(`mutation { sleep(input: {dryRun: true}) { report { dryRun steps(first: 2) { phase verb from to reason } } } }`, nil)
	same(t, "the report of a dry run", a.at(t, "sleep.report"), `{"dryRun":true,"steps":[`+
		`{"phase":"N2","verb":"ARCHIVE","from":["a"],"to":null,"reason":"not used for 30 days, and little salience or worth is left"},`+
		`{"phase":"N3","verb":"MERGE","from":["b"],"to":"c","reason":"says the same, with no number, date, name or negation that differs"}]}`)
	for _, field := range []string{"skipped", "review", "doubts", "steps"} {
		below := ""
		if field == "steps" {
			below = " { verb }"
		}
		for _, first := range []string{"0", "1001"} {
			if a := s.ask(`mutation { sleep { report { `+field+`(first: `+first+`)`+below+` } } }`, nil); a.code() != "INVALID_REQUEST" || a.field() != "first" {
				t.Errorf("%s of %s answers %s", first, field, a.Body)
			}
		}
	}
	a = s.must(`{ sleepStatus { running { id } phase done total interrupted last { id } nextScheduled activeL1 pressureAt } }`, nil)
	same(t, "the status", a.at(t, "sleepStatus"), `{"running":{"id":"0198f0a0-0000-7000-8000-000000000001"},"phase":"N2","done":3,"total":9,"interrupted":true,
		"last":null,"nextScheduled":"2026-03-04T02:00:00.000Z","activeL1":12,"pressureAt":10000}`)
	v.status = func() (*engine.SleepStatus, error) { return &engine.SleepStatus{Last: night()}, nil }
	a = s.must(`{ sleepStatus { running { id } phase done total interrupted last { kind } nextScheduled } }`, nil)
	same(t, "the status of who is awake", a.at(t, "sleepStatus"), `{"running":null,"phase":null,"done":0,"total":0,"interrupted":false,"last":{"kind":"DEEP"},"nextScheduled":null}`)
}

// A running report has null for its end.
func TestRunningReport(t *testing.T) {
	v := &verbs{sleep: func(context.Context, engine.SleepInput) (*engine.SleepReport, error) {
		return &engine.SleepReport{ID: "0198f0a0-0000-7000-8000-000000000001", Kind: engine.LightSleep, Trigger: engine.TriggerHand, StartedAt: night().StartedAt}, nil
	}}
	s := start(t, between(v))
	a := s.must(`mutation { sleep(input: {wait: false}) { report { completedAt healthAfter rolledBackAt phases { phase } skipped review doubts balance { in } } } }`, nil)
	same(t, "the report", a.at(t, "sleep.report"), `{"completedAt":null,"healthAfter":null,"rolledBackAt":null,"phases":[],"skipped":[],"review":[],"doubts":[],"balance":{"in":0}}`)
}

// Long-running mutations have no deadline, however the operation is written. A skipped field
// does not count. Other operations have a deadline.
func TestSleepHasNoDeadline(t *testing.T) {
	var bounded bool
	look := func(ctx context.Context) { _, bounded = ctx.Deadline() }
	v := &verbs{
		sleep: func(ctx context.Context, _ engine.SleepInput) (*engine.SleepReport, error) {
			look(ctx)
			return night(), nil
		},
		wait: look,
	}
	s := start(t, between(v))
	for _, query := range []string{
		`mutation { sleep { report { id } } }`,
		`mutation { mine: sleep { report { id } } }`,
		`mutation { ...f } fragment f on Mutation { ... { sleep { report { id } } } }`,
		`query other { health { score } } mutation night { sleep { report { id } } }`,
	} {
		bounded = true
		body, err := json.Marshal(vars{"query": query, "operationName": map[bool]any{true: "night"}[strings.Contains(query, "night")]})
		if err != nil {
			t.Fatal(err)
		}
		if a := s.post(body); len(a.Errors) > 0 || bounded {
			t.Errorf("%s is bounded (%v): %s", query, bounded, a.Body)
		}
	}
	s.ask(`{ health { score } }`, nil)
	if !bounded {
		t.Error("a query has no deadline")
	}
	expire := `mutation($no: Boolean!) { sleep @include(if: $no) { report { id } } expire(id: "0198f0a0-0000-7000-8000-000000000001") { id } }`
	s2 := start(t, between(&verbs{}), func(c *resolvers.Config) { c.Times.Request = time.Nanosecond })
	if a := s2.ask(expire, vars{"no": false}); a.code() != "UNAVAILABLE" || !strings.Contains(a.Errors[0].Message, "exceeded its deadline") {
		t.Errorf("with a skipped sleep: %s", a.Body)
	}
}

// A client that waits for a sleep gets an error when the server stops.
func TestWaitForASleepEndsWithTheServer(t *testing.T) {
	asleep := make(chan struct{})
	v := &verbs{sleep: func(ctx context.Context, _ engine.SleepInput) (*engine.SleepReport, error) {
		close(asleep)
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	s := start(t, between(v))
	over := make(chan *answer)
	go func() { over <- s.ask(`mutation { sleep { report { id } } }`, nil) }()
	<-asleep
	s.handler.Close()
	if a := <-over; a.code() != "UNAVAILABLE" {
		t.Errorf("answers %s", a.Body)
	}
}

// subscribe opens an event stream and returns a channel with the data of its events. The
// channel closes at the end of the stream.
func (s *server) subscribe(query string) <-chan map[string]any {
	s.t.Helper()
	body, err := json.Marshal(vars{"query": query})
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.http.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	resp, err := s.http.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	out := make(chan map[string]any)
	done := make(chan struct{})
	s.t.Cleanup(func() { stop(); <-done })
	go func() {
		defer close(done)
		defer close(out)
		defer resp.Body.Close()
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			data, is := strings.CutPrefix(lines.Text(), "data: ")
			if !is || data == "" {
				continue
			}
			var a struct {
				Data   map[string]any
				Errors []fault
			}
			if err := json.Unmarshal([]byte(data), &a); err != nil || len(a.Errors) > 0 {
				s.t.Errorf("event %s: %v", data, err)
				return
			}
			select {
			case out <- a.Data:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// Progress and reports arrive in order, and the streams end when the engine's do.
func TestSleepSubscriptions(t *testing.T) {
	progress, mornings := make(chan engine.SleepProgress, 2), make(chan engine.SleepReport, 1)
	v := &verbs{
		progress: func(context.Context) (<-chan engine.SleepProgress, error) { return progress, nil },
		mornings: func(context.Context) (<-chan engine.SleepReport, error) { return mornings, nil },
		steps:    func(graph.ID, int) ([]engine.SleepStep, error) { return nightSteps(), nil },
	}
	s := start(t, between(v))
	progress <- engine.SleepProgress{Report: night().ID, Phase: engine.PhaseN1, Done: 0, Total: 2}
	progress <- engine.SleepProgress{Report: night().ID, Phase: engine.PhaseN3, Done: 1, Total: 2, Steps: nightSteps()[:1]}
	close(progress)
	events := s.subscribe(`subscription { sleepProgress { reportId phase done total steps { phase verb from to } } }`)
	same(t, "the first event", <-events, `{"sleepProgress":{"reportId":"0198f0a0-0000-7000-8000-000000000001","phase":"N1","done":0,"total":2,"steps":[]}}`)
	same(t, "the second event", <-events, `{"sleepProgress":{"reportId":"0198f0a0-0000-7000-8000-000000000001","phase":"N3","done":1,"total":2,
		"steps":[{"phase":"N3","verb":"MERGE","from":["a","b"],"to":"a"}]}}`)
	if ev, more := <-events; more {
		t.Errorf("after the end came %v", ev)
	}
	mornings <- *night()
	close(mornings)
	reports := s.subscribe(`subscription { sleepReports { ` + reportFields + ` } }`)
	same(t, "the report", (<-reports)["sleepReports"], nightJSON)
	if ev, more := <-reports; more {
		t.Errorf("after the end came %v", ev)
	}
}

// Promotion: the score by the formula, and the conditions of each tier.
func TestPromotion(t *testing.T) {
	s := start(t)
	const way = `query($id: ID!) { memory(id: $id) { tier status score promotesAt sensitivity decayK
		engraveGates { days neededDays confidence neededConfidence conflict maxConflict open } } }`
	id := s.remember("The gate code changed.", vars{"salience": 0.5, "surprise": 0.5, "authority": 0.5, "confidence": 0.6, "type": "EPISODIC"})
	a := s.must(way, vars{"id": id})
	k := plasticity.Defaults()
	if score, want := a.at(t, "memory.score").(float64), (k.Alpha+k.Gamma+k.Delta)*0.5; math.Abs(score-want) > 1e-9 {
		t.Errorf("the score is %v, want %v", score, want)
	}
	if a.at(t, "memory.tier") != "L1" || a.at(t, "memory.promotesAt") != 1.5 || a.at(t, "memory.sensitivity") != "INTERNAL" || a.at(t, "memory.decayK") != nil {
		t.Errorf("in L1: %s", a.Body)
	}
	same(t, "the gates", a.at(t, "memory.engraveGates"), `{"days":0,"neededDays":5,"confidence":0.6,"neededConfidence":0.85,"conflict":0,"maxConflict":0.2,"open":false}`)

	high := s.remember("The harbour closes in storms.", vars{"salience": 1, "surprise": 1, "authority": 1, "confidence": 0.9})
	a = s.must(way, vars{"id": high})
	if a.at(t, "memory.tier") != "L2" || a.at(t, "memory.promotesAt") != nil || a.at(t, "memory.engraveGates.confidence") != 0.9 {
		t.Errorf("in L2: %s", a.Body)
	}
	for _, end := range []struct{ status, how string }{
		{"EXPIRED", `mutation($id: ID!) { expire(id: $id) { id } }`},
		{"FORGOTTEN", `mutation($id: ID!) { forget(input: {ids: [$id]}) { receipt { id } } }`},
	} {
		s.must(end.how, vars{"id": id})
		a = s.must(way, vars{"id": id})
		if a.at(t, "memory.status") != end.status || a.at(t, "memory.promotesAt") != nil || a.at(t, "memory.engraveGates") != nil {
			t.Errorf("%s: %s", end.status, a.Body)
		}
	}
	if a.at(t, "memory.score") != 0.0 || a.at(t, "memory.sensitivity") != nil {
		t.Errorf("erased: %s", a.Body)
	}
}

// Arguments that the resolvers check are reported with their field.
func TestVerbsNameTheInvalidField(t *testing.T) {
	s := start(t)
	for query, field := range map[string]string{
		`mutation { consolidate(input: {strategy: AGE, namespace: ""}) { report { id } } }`:                         "namespace",
		`mutation { consolidate(input: {strategy: OLD}) { report { id } } }`:                                        "strategy",
		`mutation { observe(input: {session: "s", role: USER, text: "x", namespace: ""}) { replayed } }`:            "namespace",
		`mutation { closeSession(session: "s", namespace: "") { session } }`:                                        "namespace",
		`mutation { withdrawSource(input: {source: "s", namespace: ""}) { withdrawn } }`:                            "namespace",
		`mutation { resolveConflict(input: {a: "0198f0a0-0000-7000-8000-000000000001", b: "x", keep: ""}) { id } }`: "keep",
		`{ decayForecast(days: 0) { fadesAt } }`:                                                                    "days",
		`{ decayForecast(days: 366) { fadesAt } }`:                                                                  "days",
		`{ decayForecast(first: 0) { fadesAt } }`:                                                                   "first",
		`{ conflicts(first: 1001) { score } }`:                                                                      "first",
		`{ sleepReports(first: 101) { nodes { id } } }`:                                                             "first",
		`{ sleepReport(id: "no id") { id } }`:                                                                       "id",
	} {
		if a := s.ask(query, nil); a.code() != "INVALID_REQUEST" || a.field() != field {
			t.Errorf("%s answers %s", query, a.Body)
		}
	}
	if a := s.ask(`{ sleepReport(id: "0198f0a0-0000-7000-8000-000000000001") { id } }`, nil); a.code() != "MEMORY_NOT_FOUND" || a.field() != "id" {
		t.Errorf("an unknown report answers %s", a.Body)
	}
	if a := s.ask(`{ sleepReport(id: "ffffffff-ffff-ffff-ffff-ffffffffffff") { id } }`, nil); a.code() == "" {
		t.Errorf("the highest id answers %s", a.Body)
	}
}
