package monitor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/engine/models/openai"
	"github.com/somnograph/somnograph/graph"
)

// stopwatch is a clock for durations that only moves when told to.
type stopwatch struct {
	mu  sync.Mutex
	now time.Time
}

func (s *stopwatch) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *stopwatch) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// endpoint is an OpenAI-compatible embedding endpoint. It holds each answer back until the stopwatch
// shows that it took a time.
type endpoint struct {
	*httptest.Server
	t     *testing.T
	watch *stopwatch

	mu    sync.Mutex
	takes time.Duration
	calls int
}

func newEndpoint(t *testing.T, watch *stopwatch) *endpoint {
	t.Helper()
	e := &endpoint{t: t, watch: watch}
	model := hashed.New()
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		vectors, err := model.Embed(r.Context(), in.Input, models.Passage)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		e.mu.Lock()
		e.calls++
		takes := e.takes
		e.mu.Unlock()
		e.watch.Advance(takes) // the caller reads the same clock when the answer is there
		type item struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var out struct {
			Data []item `json:"data"`
		}
		for i, v := range vectors {
			out.Data = append(out.Data, item{i, v})
		}
		_ = json.NewEncoder(w).Encode(out)
	}))
	t.Cleanup(func() { e.Close() })
	return e
}

// restart starts an endpoint that was closed, at the same address.
func (e *endpoint) restart() {
	e.t.Helper()
	listener, err := net.Listen("tcp", e.Listener.Addr().String())
	if err != nil {
		e.t.Fatal(err)
	}
	handler := e.Config.Handler
	e.Server = httptest.NewUnstartedServer(handler)
	if err := e.Listener.Close(); err != nil {
		e.t.Fatal(err)
	}
	e.Listener = listener
	e.Start()
}

func (e *endpoint) take(d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.takes = d
}

func (e *endpoint) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.calls
}

// An embedding endpoint that answers slowly over HTTP for five minutes is left to the fallback, and
// asked again when it is fast. One that stops is away, and one that is back ends the alarm. The
// slowness is that of a stopwatch, so that the test takes no time.
func TestSlowAndStoppedEndpoint(t *testing.T) {
	watch := &stopwatch{now: enginetest.Start}
	e := newEndpoint(t, watch)
	model, err := openai.New(t.Context(), openai.Config{URL: e.URL, Model: "test"})
	if err != nil {
		t.Fatal(err)
	}
	w := enginetest.With(t, enginetest.Options{Embedder: models.Breaker(model, models.BreakerOptions{}), Change: func(o *engine.Options) { o.Monitor.Elapsed = watch.Now }})
	w.Remember("The lighthouse is white.")
	asks := func(query string) bool {
		t.Helper()
		before := e.count()
		r := w.Search(query)
		if len(r.Hits) != 1 {
			t.Errorf("%d hits", len(r.Hits))
		}
		if degraded := slices.Contains(r.Degraded, "EMBEDDER"); degraded == (e.count() > before) {
			t.Errorf("%q: degraded is %v, and the endpoint was asked %d times", query, degraded, e.count()-before)
		}
		return e.count() > before
	}
	refresh(w)
	wantActive(w, "fast", "")
	if !asks("What colour is the lighthouse?") {
		t.Error("a search does without a fast endpoint")
	}
	e.take(50 * time.Millisecond)
	for range 5 {
		refresh(w)
	}
	wantActive(w, "slow for four minutes", "")
	refresh(w)
	wantActive(w, "slow for five minutes", "embedder_latency/WARNING/FALLBACK")
	if asks("Which colour has the lighthouse?") {
		t.Error("a search asks the slow endpoint")
	}
	e.take(0)
	for range 3 {
		refresh(w)
	}
	wantActive(w, "fast again", "")
	if !asks("The lighthouse, is it white?") {
		t.Error("a search does without the endpoint after the alarm")
	}
	e.Close()
	refresh(w)
	wantActive(w, "stopped", "parts_away/WARNING/")
	if r := w.Search("Which lighthouse is white?"); len(r.Hits) != 1 || !slices.Contains(r.Degraded, engine.PartEmbedder) {
		t.Errorf("without the endpoint: %d hits, degraded %v", len(r.Hits), r.Degraded)
	}
	e.restart()
	refresh(w)
	wantActive(w, "back", "")
	if !asks("Is there a lighthouse?") {
		t.Error("a search does without the endpoint that is back")
	}
	all, err := w.Alarms(t.Context(), w.Caller, engine.AlarmInput{Ended: true})
	if err != nil || len(all) != 2 || all[0].Indicator != alarm.PartsAway || all[0].Subject != "EMBEDDER" || all[0].Until.IsZero() || all[0].EndedBy != "" {
		t.Errorf("%+v, %v", all, err)
	}
}

// slowStore is a store each of whose reads and writes can take a time on a clock of the test. A real
// disk can't be made slow by a known time.
type slowStore struct {
	graph.Store
	mu            sync.Mutex
	read, written func()
	refuses       bool // writes
}

func (s *slowStore) refuse(writes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuses = writes
}

func (s *slowStore) set(read, written func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read, s.written = read, written
}

func (s *slowStore) call(get func() func()) {
	s.mu.Lock()
	f := get()
	s.mu.Unlock()
	if f != nil {
		f()
	}
}

func (s *slowStore) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	s.call(func() func() { return s.read })
	return s.Store.View(ctx, scope, fn)
}

func (s *slowStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	s.call(func() func() { return s.written })
	s.mu.Lock()
	refuses := s.refuses
	s.mu.Unlock()
	if refuses {
		return 0, graph.ErrUnavailable
	}
	return s.Store.Update(ctx, scope, fn)
}

func withSlowStore(t *testing.T, watch *stopwatch) (*enginetest.World, *slowStore) {
	t.Helper()
	base, err := enginetest.OpenStore(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = base.Close() })
	s := &slowStore{Store: base}
	return enginetest.With(t, enginetest.Options{Store: s, Change: func(o *engine.Options) { o.Monitor.Elapsed = watch.Now }}), s
}

// An alarm that begins while somebody subscribes is told once: it is listed before its begin is sent.
func TestWatchTellsABeginOnce(t *testing.T) {
	base, err := enginetest.OpenStore(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = base.Close() })
	s, lead := &slowStore{Store: base}, &source{}
	w := enginetest.With(t, enginetest.Options{Store: s, Change: func(o *engine.Options) { o.Monitor.Sources = []engine.MonitorSource{lead.read} }})
	refresh(w)
	lead.reading = &alarm.Reading{Indicator: alarm.ClockAhead, Value: 90}
	var once sync.Once
	subscribed := make(chan (<-chan engine.AlarmEvent), 1)
	s.set(nil, func() { // the alarm is stored before it is sent
		once.Do(func() {
			events, err := w.AlarmEvents(t.Context(), w.Caller)
			if err != nil {
				t.Error(err)
			}
			subscribed <- events
		})
	})
	refresh(w)
	s.set(nil, nil)
	events := <-subscribed
	lead.reading.Value = 0
	refresh(w)
	if first, second := <-events, <-events; first.Change != alarm.Began || second.Change != alarm.Ended || second.Alarm.ID != first.Alarm.ID {
		t.Errorf("%+v, then %+v", first, second)
	}
}

// A store that takes 150 ms for each read raises the alarms of the store and of the reads at the third
// reading, and both end with the third good one.
func TestSlowStoreRaisesLatency(t *testing.T) {
	watch := &stopwatch{now: enginetest.Start}
	w, s := withSlowStore(t, watch)
	w.Remember("The kiln fires at 1240 degrees.")
	minutes := func(n int) {
		t.Helper()
		for i := range n {
			if hits := w.Search(fmt.Sprint("kiln degrees ", i)).Hits; len(hits) != 1 {
				t.Errorf("%d hits", len(hits))
			}
			refresh(w)
		}
	}
	minutes(1)
	wantActive(w, "fast", "")
	s.set(func() { watch.Advance(150 * time.Millisecond) }, nil)
	minutes(2)
	wantActive(w, "slow for two minutes", "")
	minutes(1)
	if got := active(w); got != "read_p95/WARNING/ store_latency/WARNING/" && got != "read_p95/CRITICAL/ store_latency/WARNING/" {
		t.Errorf("slow for three minutes: %q", got)
	}
	s.set(nil, nil)
	minutes(3)
	wantActive(w, "fast again", "")
}

// A sleep whose commits take minutes is longer than its budget. The next one that keeps it ends the
// alarm.
func TestSlowSleepRaisesSleepBudget(t *testing.T) {
	w, s := withSlowStore(t, &stopwatch{now: enginetest.Start})
	sleep := func() {
		t.Helper()
		seconds := 60
		if _, err := w.Engine.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true, MaxSeconds: &seconds}); err != nil {
			t.Fatal(err)
		}
		refresh(w)
	}
	for i := range 5 {
		w.Remember(fmt.Sprintf("Kiln %d fires at 12%d0 degrees.", i, i))
	}
	sleep()
	wantActive(w, "fast", "")
	s.set(nil, func() { w.Clock.Advance(3 * time.Minute) })
	sleep()
	s.set(nil, nil)
	wantActive(w, "slow", "sleep_budget/CRITICAL/")
	w.Remember("The ferry leaves at noon.")
	sleep()
	wantActive(w, "fast again", "")
}

// Turns of a session that is closed can't leave L0 while the store refuses writes. The alarm begins
// at the second reading, and ends when they have left.
func TestTurnsThatCantLeaveRaiseL0Fill(t *testing.T) {
	w, s := withSlowStore(t, &stopwatch{now: enginetest.Start})
	for i := range 850 {
		if _, err := w.Observe(t.Context(), w.Caller, engine.Observation{Session: "s", Role: "user", Text: fmt.Sprint("Yes ", i), Consent: graph.ConsentExplicit}); err != nil {
			t.Fatal(err)
		}
	}
	refresh(w)
	wantActive(w, "in the conversation", "")
	s.refuse(true)
	if _, err := w.CloseSession(t.Context(), w.Caller, "s", ""); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Fatalf("closed while the store refuses writes: %v", err)
	}
	for range 2 {
		refresh(w)
	}
	wantActive(w, "waiting", "l0_fill/WARNING/")
	s.refuse(false)
	if _, err := w.CloseSession(t.Context(), w.Caller, "s", ""); err != nil { // waits for the turns
		t.Fatal(err)
	}
	for range 2 {
		refresh(w)
	}
	wantActive(w, "gone", "")
}

// slowPart is a part whose probe takes some time, or fails.
type slowPart struct {
	*enginetest.FakeArchive
	watch *stopwatch
	took  time.Duration
	away  bool
}

func (p *slowPart) Ready(context.Context) error {
	if p.watch.Advance(p.took); p.away {
		return graph.ErrUnavailable
	}
	return nil
}

// A recess or a Redis that takes long for each answer raises the alarm of its latency at the third reading, which ends with the
// third good one. One that is away has no latency.
func TestSlowRecessAndRedisRaiseLatency(t *testing.T) {
	watch := &stopwatch{now: enginetest.Start}
	recess, redis := &slowPart{FakeArchive: enginetest.NewFakeArchive(), watch: watch}, &slowPart{watch: watch}
	parts := map[string]engine.Readiness{"REDIS": redis}
	w := with(t, func(o *engine.Options) {
		o.Monitor.Elapsed, o.Recess, o.Dependencies = watch.Now, recess, parts
	})
	minutes := func(n int) {
		for range n {
			refresh(w)
		}
	}
	minutes(1)
	wantActive(w, "fast", "")
	recess.took, redis.took = 150*time.Millisecond, 1500*time.Millisecond
	minutes(2)
	wantActive(w, "slow for two minutes", "")
	minutes(1)
	wantActive(w, "slow for three minutes", "recess_latency/WARNING/ redis_latency/CRITICAL/")
	v, err := w.Health(t.Context(), w.Caller)
	if err != nil || v.Reason != "Latency of Redis is 1500 ms, above the limit of 1000 ms." {
		t.Errorf("%+v, %v", v, err)
	}
	redis.away = true
	minutes(1)
	wantActive(w, "away", "parts_away/WARNING/ recess_latency/WARNING/ redis_latency/CRITICAL/")
	recess.took, redis.took, redis.away = 0, 0, false
	minutes(3)
	wantActive(w, "fast again", "")
	redis.took = 1500 * time.Millisecond
	minutes(3)
	wantActive(w, "slow again", "redis_latency/CRITICAL/")
	delete(parts, "REDIS")
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	minutes(3)
	wantActive(w, "started without Redis", "")
}

// A reset is answered although the store is slow: the action has ended, and the change is stored when the store takes it.
func TestResetDoesNotWaitForASlowStore(t *testing.T) {
	base, err := enginetest.OpenStore(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = base.Close() })
	s, lead := &slowStore{Store: base}, &source{&alarm.Reading{Indicator: alarm.ClockAhead, Value: 90}}
	w := enginetest.With(t, enginetest.Options{Store: s, Change: func(o *engine.Options) { o.Monitor.Sources = []engine.MonitorSource{lead.read} }})
	refresh(w)
	release := make(chan struct{})
	s.set(nil, func() { <-release })
	reset(w, alarm.ClockAhead)
	if got := active(w); got != "" {
		t.Errorf("active: %q", got)
	}
	close(release)
	s.set(nil, nil)
}

// What an alarm learns of its reason while it lasts is stored, too.
func TestALearntReasonSurvivesARestart(t *testing.T) {
	age := &source{&alarm.Reading{Indicator: alarm.BackupAge, Value: 700}}
	w := with(t, func(o *engine.Options) { o.Monitor.Sources = []engine.MonitorSource{age.read} })
	refresh(w)
	age.reading = &alarm.Reading{Indicator: alarm.BackupAge, Value: 760, Detail: "the last try failed: no room"}
	refresh(w)
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	all, err := w.Alarms(t.Context(), w.Caller, engine.AlarmInput{})
	if err != nil || len(all) != 1 || !strings.Contains(all[0].Message, "the last try failed: no room") {
		t.Errorf("%+v, %v", all, err)
	}
}
