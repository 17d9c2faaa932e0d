package resolvers_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// slowNight is a store that can block background work, so that a sleep lasts until it is
// released.
type slowNight struct {
	graph.Store
	mu   sync.Mutex
	hold chan struct{} // nil: nothing is blocked
}

func (s *slowNight) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if ctx.Value(http.ServerContextKey) == nil { // not part of a request
		s.mu.Lock()
		hold := s.hold
		s.mu.Unlock()
		if hold != nil {
			select {
			case <-hold:
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
	}
	return s.Store.Update(ctx, scope, fn)
}

// prolong blocks background work until release is called.
func (s *slowNight) prolong() (release func()) {
	hold := make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold = hold
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hold = nil
		close(hold)
	})
}

// sleeper is a server over a slowNight.
func sleeper(t *testing.T) (*server, *slowNight, *verbs) {
	t.Helper()
	inner, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := inner.Close(); err != nil {
			t.Error(err)
		}
	})
	slow, v := &slowNight{Store: inner}, &verbs{}
	s := over(t, enginetest.With(t, enginetest.Options{Store: slow}), between(v))
	for i := range 20 {
		s.remember(fmt.Sprintf("Buoy %d was painted on pier %d.", i, 3*i), vars{"type": "EPISODIC", "session": fmt.Sprint("s", i)})
	}
	return s, slow, v
}

// standing returns a channel that receives each start of a sleep stream.
func (s *server) standing(v *verbs) <-chan struct{} {
	stands := make(chan struct{}, 10)
	v.progress = func(ctx context.Context) (<-chan engine.SleepProgress, error) {
		defer func() { stands <- struct{}{} }()
		return v.Verbs.SleepProgress(ctx, s.Caller)
	}
	v.mornings = func(ctx context.Context) (<-chan engine.SleepReport, error) {
		defer func() { stands <- struct{}{} }()
		return v.Verbs.MorningReports(ctx, s.Caller, "")
	}
	return stands
}

var order = []string{"N1", "N2", "N3", "REM", "REPORT"}

// A sleep with wait: false returns the running report at once. Meanwhile all queries show it,
// and a second sleep is refused. Progress comes in the order of the phases, and the report
// appears in lists, by id and in the subscription.
func TestRunningSleepIsVisible(t *testing.T) {
	s, slow, v := sleeper(t)
	stands := s.standing(v)
	progress := s.subscribe(`subscription { sleepProgress { reportId phase done total steps { verb from to } } }`)
	mornings := s.subscribe(`subscription { sleepReports { id completedAt complete balance { in kept merged archived left } } }`)
	<-stands
	<-stands
	release := slow.prolong()
	defer release()

	const sleep = `mutation($i: SleepInput) { sleep(input: $i) { report { id kind trigger completedAt healthAfter steps { verb } } } }`
	a := s.must(sleep, vars{"i": vars{"wait": false}})
	id := a.at(t, "sleep.report.id").(string)
	if a.at(t, "sleep.report.completedAt") != nil || a.at(t, "sleep.report.healthAfter") != nil || a.at(t, "sleep.report.kind") != "DEEP" || a.at(t, "sleep.report.trigger") != "HAND" {
		t.Errorf("the running report is %s", a.Body)
	}
	for _, i := range []vars{{}, {"wait": false}, {"deep": false}} {
		if a := s.ask(sleep, vars{"i": i}); a.code() != "SLEEP_RUNNING" {
			t.Errorf("a second sleep %v answers %s", i, a.Body)
		}
	}
	if a := s.ask(`mutation($id: ID!) { rollback(id: $id) { report { id } } }`, vars{"id": id}); a.code() != "SLEEP_RUNNING" {
		t.Errorf("a rollback of what runs answers %s", a.Body)
	}
	if a := s.must(`{ sleepStatus { running { id completedAt } phase interrupted last { id } activeL1 } }`, nil); a.at(t, "sleepStatus.running.id") != id ||
		a.at(t, "sleepStatus.interrupted") != false || a.at(t, "sleepStatus.phase") != "N1" || a.at(t, "sleepStatus.last") != nil {
		t.Errorf("the status is %s", a.Body)
	}
	late := s.subscribe(`subscription { sleepProgress { reportId } }`)
	<-stands
	release()

	last := 0
	for order[last] != "REPORT" {
		ev, more := <-progress
		if !more {
			t.Fatal("the progress ended before the report")
		}
		p := ev["sleepProgress"].(map[string]any)
		at := slices.Index(order, p["phase"].(string))
		if p["reportId"] != id || at < last || p["done"].(float64) > p["total"].(float64) {
			t.Errorf("after %s came %v", order[last], p)
		}
		last = at
	}
	if ev := <-late; ev["sleepProgress"].(map[string]any)["reportId"] != id {
		t.Errorf("a late caller got %v", ev)
	}
	morning := (<-mornings)["sleepReports"].(map[string]any)
	balance := morning["balance"].(map[string]any)
	if morning["id"] != id || morning["completedAt"] == nil || morning["complete"] != true || balance["in"] != 20.0 {
		t.Errorf("the morning report is %v", morning)
	}
	if balance["in"] != balance["kept"].(float64)+balance["merged"].(float64)+balance["archived"].(float64)+balance["left"].(float64) {
		t.Errorf("the balance is %v", balance)
	}
	a = s.must(`query($id: ID!) { sleepReport(id: $id) { id completedAt healthAfter phases { phase } steps { phase } } sleepStatus { running { id } phase last { id } } }`, vars{"id": id})
	if a.at(t, "sleepReport.completedAt") == nil || a.at(t, "sleepReport.healthAfter") == nil || a.at(t, "sleepReport.phases.0.phase") != "N1" ||
		a.at(t, "sleepStatus.running") != nil || a.at(t, "sleepStatus.last.id") != id {
		t.Errorf("in the morning: %s", a.Body)
	}
}

// The sleep continues if the waiting client disconnects.
func TestSleepContinuesIfTheClientDisconnects(t *testing.T) {
	s, slow, v := sleeper(t)
	stands := s.standing(v)
	progress := s.subscribe(`subscription { sleepProgress { phase } }`)
	mornings := s.subscribe(`subscription { sleepReports { id complete } }`)
	<-stands
	<-stands
	release := slow.prolong()
	defer release()
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.http.URL+"/graphql", bytes.NewReader([]byte(`{"query": "mutation { sleep { report { id } } }"}`)))
		if err == nil {
			r.Header.Set("Content-Type", "application/json")
			var resp *http.Response
			if resp, err = s.http.Client().Do(r); err == nil {
				resp.Body.Close()
			}
		}
		gone <- err
	}()
	<-progress // the sleep is running
	leave()
	if err := <-gone; err == nil {
		t.Error("the client got its answer before it disconnected")
	}
	release()
	if report := (<-mornings)["sleepReports"].(map[string]any); report["complete"] != true {
		t.Errorf("the report is %v", report)
	}
}

// Reports are listed newest first with paging. A report that was rolled back says so.
func TestReportsArePaged(t *testing.T) {
	s, _, _ := sleeper(t)
	var ids []string
	for range 3 {
		ids = append([]string{s.must(`mutation { sleep { report { id completedAt } } }`, nil).at(t, "sleep.report.id").(string)}, ids...)
		s.Clock.Advance(24 * time.Hour)
	}
	const list = `query($n: Int, $after: String) { sleepReports(first: $n, after: $after) { nodes { id rolledBackAt } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`
	var seen []string
	for after, more := any(nil), true; more; {
		a := s.must(list, vars{"n": 2, "after": after})
		for _, n := range a.at(t, "sleepReports.nodes").([]any) {
			seen = append(seen, n.(map[string]any)["id"].(string))
		}
		after, more = a.at(t, "sleepReports.pageInfo.endCursor"), a.at(t, "sleepReports.pageInfo.hasNextPage").(bool)
	}
	if !slices.Equal(seen, ids) {
		t.Errorf("the pages have %v, want %v", seen, ids)
	}
	const rollback = `mutation($id: ID!) { rollback(id: $id) { report { id rolledBackAt } } }`
	if a := s.must(rollback, vars{"id": ids[0]}); a.at(t, "rollback.report.rolledBackAt") == nil {
		t.Errorf("after the rollback: %s", a.Body)
	}
	if a := s.must(list, vars{"n": 1}); a.at(t, "sleepReports.nodes.0.id") != ids[0] || a.at(t, "sleepReports.nodes.0.rolledBackAt") == nil {
		t.Errorf("after the rollback: %s", a.Body)
	}
	if a := s.ask(rollback, vars{"id": ids[0]}); a.code() != "VERSION_CONFLICT" || a.field() != "id" {
		t.Errorf("a second rollback answers %s", a.Body)
	}
	for _, unknown := range []string{"0198f0a0-0000-7000-8000-000000000001"} {
		if a := s.ask(rollback, vars{"id": unknown}); a.code() != "MEMORY_NOT_FOUND" || a.field() != "id" {
			t.Errorf("a rollback of an unknown sleep answers %s", a.Body)
		}
	}
	for field, i := range map[string]vars{"maxItems": {"maxItems": 0}, "maxSeconds": {"maxSeconds": -1}} {
		if a := s.ask(`mutation($i: SleepInput) { sleep(input: $i) { report { id } } }`, vars{"i": i}); a.code() != "INVALID_REQUEST" || a.field() != field {
			t.Errorf("%v answers %s", i, a.Body)
		}
	}
}

// A manual consolidation merges old memories, has a report like a sleep, and can be rolled
// back.
func TestManualConsolidation(t *testing.T) {
	s := start(t)
	var ids []string
	for i, cause := range []string{"rain", "rain", "frost", "rain"} {
		ids = append(ids, s.remember("The winch on the north pier jammed in the "+cause+" and was freed by hand.", vars{"type": "EPISODIC", "session": fmt.Sprint("s", i), "entities": []string{"winch", "north pier"}}))
		s.Clock.Advance(24 * time.Hour)
	}
	s.Clock.Advance(40 * 24 * time.Hour)
	const consolidate = `mutation($i: ConsolidateInput!) { consolidate(input: $i) { report { id kind trigger dryRun completedAt consolidated derived pruned balance { in kept merged archived left derived } } } }`
	dry := s.must(consolidate, vars{"i": vars{"strategy": "AGE", "dryRun": true}})
	if dry.at(t, "consolidate.report.dryRun") != true || dry.at(t, "consolidate.report.kind") != "MANUAL" {
		t.Errorf("a dry run answers %s", dry.Body)
	}
	status := `query($id: ID!) { memory(id: $id) { status summary consolidatedInto { id type content derivedFrom { id } } } }`
	if a := s.must(status, vars{"id": ids[0]}); a.at(t, "memory.status") != "ACTIVE" {
		t.Errorf("after a dry run: %s", a.Body)
	}
	a := s.must(consolidate, vars{"i": vars{"strategy": "AGE", "olderThanDays": 20}})
	b := a.at(t, "consolidate.report.balance").(map[string]any)
	if b["in"] != b["kept"].(float64)+b["merged"].(float64)+b["archived"].(float64)+b["left"].(float64) || b["kept"] != 0.0 {
		t.Errorf("the balance is %v", b)
	}
	gone := s.must(status, vars{"id": ids[0]})
	if gone.at(t, "memory.status") != "CONSOLIDATED" || gone.at(t, "memory.summary") != gone.at(t, "memory.consolidatedInto.content") {
		t.Errorf("after the consolidation: %s", gone.Body)
	}
	s.must(`mutation($id: ID!) { rollback(id: $id) { report { id } } }`, vars{"id": a.at(t, "consolidate.report.id")})
	for _, id := range ids {
		if back := s.must(status, vars{"id": id}); back.at(t, "memory.status") != "ACTIVE" || back.at(t, "memory.summary") != nil || back.at(t, "memory.consolidatedInto") != nil {
			t.Errorf("after the rollback: %s", back.Body)
		}
	}
	for field, i := range map[string]vars{
		"tokenBudget":     {"strategy": "TOKEN_BUDGET"},
		"olderThanDays":   {"strategy": "AGE", "olderThanDays": -1},
		"belowImportance": {"strategy": "IMPORTANCE", "belowImportance": 1.5},
		"namespace":       {"strategy": "AGE", "namespace": "no space"},
		"strategy":        {"strategy": nil},
	} {
		if a := s.ask(consolidate, vars{"i": i}); a.code() != "INVALID_REQUEST" || a.field() != field {
			t.Errorf("%v answers %s", i, a.Body)
		}
	}
}
