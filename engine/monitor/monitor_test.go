package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// A fresh memory has no alarm and is healthy, with a reason.
func TestFreshMemoryIsHealthy(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("The kiln fires at 1240 degrees.")
	refresh(w)
	wantActive(w, "a fresh memory", "")
	h, err := w.Health(t.Context(), w.Caller)
	if err != nil {
		t.Fatal(err)
	}
	if h.Status != "HEALTHY" || h.Reason != "Every indicator is within its healthy band." || h.Indicator != "" || h.SchemaVersion != 1 || len(h.Figures) < 6 {
		t.Errorf("%s, %q, %q, schema %d, %d figures", h.Status, h.Reason, h.Indicator, h.SchemaVersion, len(h.Figures))
	}
	if h.Score > h.Attainable || h.Score < 0.99*h.Attainable {
		t.Errorf("a fresh memory has %v of %v", h.Score, h.Attainable)
	}
}

// The reason of a healthy status names a figure that is outside of its band before its alarm begins.
func TestReasonAgreesWithTheFigures(t *testing.T) {
	slow := &source{&alarm.Reading{Indicator: alarm.StoreLatency, Subject: "second", Value: 5000}}
	w := with(t, func(o *engine.Options) { o.Monitor.Sources = append(o.Monitor.Sources, slow.read) })
	refresh(w)
	wantActive(w, "one slow reading", "")
	h, err := w.Health(t.Context(), w.Caller)
	if err != nil {
		t.Fatal(err)
	}
	if want := "Latency of the store (second) is 5000 ms, above the limit of 1000 ms. An alarm begins after 3 such readings in a row."; h.Status != "HEALTHY" || h.Reason != want {
		t.Errorf("%s, %q, want %q", h.Status, h.Reason, want)
	}
	slow.reading.Value = 1
	refresh(w)
	if h, err = w.Health(t.Context(), w.Caller); err != nil || h.Reason != "Every indicator is within its healthy band." {
		t.Errorf("%+v, %v", h, err)
	}
}

// A memory whose consent is weaker than its namespace requires, written past the engine, halts the
// reads of its tenant until a person ends the alarm. A restart does not.
func TestConsentViolationHaltsReads(t *testing.T) {
	w := enginetest.New(t)
	m := w.Remember("The kiln fires at 1240 degrees.").Memory
	explicit := graph.ConsentExplicit
	if _, err := w.SetNamespacePolicy(t.Context(), w.Caller, engine.PolicyInput{Update: policy.Update{MinConsent: &explicit}}); err != nil {
		t.Fatal(err)
	}
	planted := *m.Memory
	planted.ID, planted.Chain, planted.Content, planted.Consent = "", "", "Planted past the engine.", graph.ConsentNone
	w.Clock.Advance(time.Minute) // the clocks of servers may differ
	plant(w, &planted)
	w.Clock.Advance(10 * time.Minute)
	refresh(w)
	wantActive(w, "planted", "consent_violations/CRITICAL/HALT_READS")

	halted := func(when string) {
		t.Helper()
		_, err := w.Engine.Search(t.Context(), w.Caller, engine.SearchInput{Query: "kiln"})
		fixture.WantError(t, err, graph.CodeUnavailable, "")
		for name, read := range map[string]func() error{
			"memory": func() error { _, err := w.Memory(t.Context(), w.Caller, m.ID, engine.Access{}); return err },
			"byID": func() error {
				_, err := w.MemoriesByID(t.Context(), w.Caller, []graph.ID{m.ID}, engine.Access{})
				return err
			},
			"memories": func() error { _, err := w.Memories(t.Context(), w.Caller, engine.ListInput{}); return err },
			"context": func() error {
				_, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Query: "kiln", Session: "s"})
				return err
			},
			"core":     func() error { _, err := w.Core(t.Context(), w.Caller, "", nil); return err },
			"facts":    func() error { _, err := w.Facts(t.Context(), w.Caller, engine.FactsInput{Subject: "kiln"}); return err },
			"related":  func() error { _, err := w.Related(t.Context(), w.Caller, engine.RelatedInput{ID: m.ID}); return err },
			"edges":    func() error { _, err := w.Edges(t.Context(), w.Caller, m.ID, graph.Both); return err },
			"lineage":  func() error { _, err := w.Lineage(t.Context(), w.Caller, m.ID, 0, 0); return err },
			"scene":    func() error { _, err := w.Scene(t.Context(), w.Caller, nil); return err },
			"timeline": func() error { _, err := w.Timeline(t.Context(), w.Caller, nil, 0); return err },
			"entities": func() error { _, _, err := w.Entities(t.Context(), w.Caller, engine.EntityInput{}); return err },
			"events":   func() error { _, err := w.Events(t.Context(), w.Caller, 0, true, nil); return err },
		} {
			if err := read(); graph.CodeOf(err) != graph.CodeUnavailable {
				t.Errorf("%s: %s answers %v", when, name, err)
			}
		}
	}
	halted("planted")
	other := w.Caller
	other.Tenant = "other"
	if _, err := w.Engine.Search(t.Context(), other, engine.SearchInput{Query: "kiln"}); err != nil {
		t.Errorf("another tenant is halted too: %v", err)
	}
	h, err := w.Health(t.Context(), w.Caller)
	if err != nil || h.Status != "CRITICAL" || h.Indicator != alarm.Consent || !strings.Contains(h.Reason, string(planted.ID)) {
		t.Errorf("%+v, %v", h, err)
	}

	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	halted("after a restart")
	guest := w.Caller
	guest.Admin, guest.Scopes = false, []access.Scope{access.MemoryRead, access.MemoryWrite}
	_, err = w.ResetAlarm(t.Context(), guest, idOf(w, alarm.Consent))
	fixture.WantError(t, err, graph.CodeForbidden, "")

	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{planted.ID}}); err != nil {
		t.Fatalf("what violates can't be erased: %v", err)
	}
	w.Clock.Advance(10 * time.Minute)
	refresh(w)
	halted("before a person ends it")
	reset(w, alarm.Consent)
	if got := len(w.Search("kiln").Hits); got == 0 {
		t.Error("nothing is found after the reset")
	}
	w.Clock.Advance(10 * time.Minute)
	refresh(w)
	wantActive(w, "after", "")
	all, err := w.Alarms(t.Context(), w.Caller, engine.AlarmInput{Ended: true})
	if err != nil || len(all) != 1 || all[0].Active() || all[0].EndedBy != "loopback" {
		t.Errorf("history: %+v, %v", all, err)
	}
}

// plant writes a memory into the store, past the engine, and gives it an id.
func plant(w *enginetest.World, m *graph.Memory) {
	w.T.Helper()
	scope := w.Caller.Scope()
	w.Clock.Advance(time.Second)
	at := graph.Millis(w.Clock.Now())
	id, err := graph.DerivedID(at, "planted", m.Content)
	if err != nil {
		w.T.Fatal(err)
	}
	m.ID, m.Chain, m.CreatedAt, m.RecordedAt, m.Entities, m.EmbeddingModel, m.Claims = id, id, at, at, nil, "", nil
	m.History = []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}}
	m.Checksum = graph.Sum(m.Content, m.CreatedAt, m.SourceKind, m.Source)
	c, err := w.Store.Update(w.T.Context(), scope, func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventCreated) })
	if err != nil {
		w.T.Fatal(err)
	}
	if err := w.Index.WaitFor(w.T.Context(), scope, c); err != nil {
		w.T.Fatal(err)
	}
}

// A backup that has stopped halts writes until a person ends the alarm, and erasures go on. The age
// is set here, because the engine knows no backup; cmd/somnograph/internal/backup stops real ones.
func TestStaleBackupHaltsWrites(t *testing.T) {
	var backup source
	w := with(t, func(o *engine.Options) { o.Monitor.Sources = []engine.MonitorSource{backup.read} })
	m := w.Remember("The kiln fires at 1240 degrees.").Memory
	document, err := w.Ingest(t.Context(), w.Caller, engine.IngestInput{Path: "a.md", Content: []byte("Glaze in the blue bucket."), Consent: graph.ConsentExplicit})
	if err != nil {
		t.Fatal(err)
	}
	age := func(seconds float64) {
		backup.reading = &alarm.Reading{Indicator: alarm.BackupAge, Value: seconds}
		refresh(w)
	}
	age(30)
	wantActive(w, "fresh", "")
	age(601)
	wantActive(w, "stale", "backup_age/CRITICAL/HALT_WRITES")
	_, err = w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: "Not now.", Consent: graph.ConsentExplicit})
	fixture.WantError(t, err, graph.CodeUnavailable, "")
	_, err = w.Observe(t.Context(), w.Caller, engine.Observation{Session: "s", Role: "user", Text: "Not now.", Consent: graph.ConsentExplicit})
	fixture.WantError(t, err, graph.CodeUnavailable, "")
	_, err = w.RemoveDocument(t.Context(), w.Caller, document.Document.ID)
	fixture.WantError(t, err, graph.CodeUnavailable, "")
	if len(w.Search("kiln").Hits) != 1 {
		t.Error("reads are halted too")
	}
	age(10)
	wantActive(w, "a new backup alone ends nothing", "backup_age/CRITICAL/HALT_WRITES")
	curator := w.Caller
	curator.Admin, curator.Scopes = false, []access.Scope{access.MemoryRead, access.MemoryCurate}
	_, err = w.ResetAlarm(t.Context(), curator, idOf(w, alarm.BackupAge))
	fixture.WantError(t, err, graph.CodeForbidden, "id")
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{m.ID}}); err != nil {
		t.Errorf("an erasure: %v", err)
	}
	reset(w, alarm.BackupAge)
	w.Remember("Now.")
}

// A drop of recall raises η of the next sleep.
func TestRecallDropRaisesEta(t *testing.T) {
	strengthened := func(recall float64) float64 {
		w := enginetest.New(t)
		canary(w, map[string]float64{alarm.Recall14: 0.97})
		m := w.Remember("The kiln fires at 1240 degrees.").Memory
		w.Clock.Advance(24 * time.Hour)
		if _, err := w.Engine.Search(t.Context(), w.Caller, engine.SearchInput{Query: m.Content, Track: true}); err != nil {
			t.Fatal(err)
		}
		canary(w, map[string]float64{alarm.Recall14: recall})
		want := ""
		if recall < 0.97*0.95 {
			want = "recall_drop/WARNING/RAISE_ETA"
		}
		wantActive(w, fmt.Sprint(recall), want)
		fixture.MustDeepSleep(w)
		return fixture.MustView(w, m.ID).Confidence
	}
	if plain, raised := strengthened(0.96), strengthened(0.91); raised <= plain {
		t.Errorf("the sleep raised the confidence to %v, without the alarm to %v", raised, plain)
	}
}

// Poor drift resistance raises the quorum, across a restart, until it is better.
func TestDriftRaisesQuorum(t *testing.T) {
	w := enginetest.New(t)
	canary(w, map[string]float64{alarm.Recall14: 0.97, alarm.Drift: 1})
	wantActive(w, "healthy", "")
	w.Clock.Advance(24 * time.Hour)
	canary(w, map[string]float64{alarm.Recall14: 0.91, alarm.Drift: 0.94})
	wantActive(w, "worse", "drift_resistance/CRITICAL/RAISE_QUORUM recall_drop/WARNING/RAISE_ETA")
	old := w.Remember("The depot is in Graz.", func(in *engine.RememberInput) { in.Subject = "depot" }).Memory
	adjudicate := func() *engine.Adjudication {
		return fixture.Adjudicate(t, w, "The depot is in Linz.", "depot", fixture.Evidence("a", 0.6), fixture.Evidence("b", 0.6))
	}
	a := adjudicate()
	if a.Required != alarm.RaisedQuorum {
		t.Errorf("the quorum is %v for %s", a.Required, old.ID)
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	wantActive(w, "after a restart", "drift_resistance/CRITICAL/RAISE_QUORUM recall_drop/WARNING/RAISE_ETA")
	if a := adjudicate(); a.Required != alarm.RaisedQuorum {
		t.Errorf("after a restart the quorum is %v", a.Required)
	}
	w.Clock.Advance(24 * time.Hour)
	canary(w, map[string]float64{alarm.Recall14: 0.97, alarm.Drift: 1})
	wantActive(w, "better", "")
	if a := adjudicate(); a.Required != policy.Default().Quorum {
		t.Errorf("afterwards the quorum is %v", a.Required)
	}
}

// An embedder that fails is away. One that is slow for five minutes turns the fallback on.
func TestEmbedderAwayAndSlow(t *testing.T) {
	moody := &fixture.MoodyEmbedder{Embedder: hashed.New()}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w := enginetest.With(t, enginetest.Options{Embedder: models.Breaker(moody, models.BreakerOptions{}), Change: func(o *engine.Options) {
		o.Monitor.Elapsed = func() time.Time { return now }
	}})
	w.Remember("The lighthouse is white.")
	avoided := func() bool {
		t.Helper()
		r := w.Search("What colour is the lighthouse?")
		if len(r.Hits) != 1 {
			t.Errorf("%d hits", len(r.Hits))
		}
		return slices.Contains(r.Degraded, "EMBEDDER")
	}
	refresh(w)
	wantActive(w, "well", "")
	moody.Away = true
	refresh(w)
	wantActive(w, "away", "parts_away/WARNING/")
	moody.Away = false
	refresh(w)
	wantActive(w, "back", "")
	moody.Slow = func() { now = now.Add(50 * time.Millisecond) }
	for range 5 {
		refresh(w)
	}
	wantActive(w, "slow for four minutes", "")
	refresh(w)
	wantActive(w, "slow for five minutes", "embedder_latency/WARNING/FALLBACK")
	if !avoided() {
		t.Error("a search asks the slow embedder")
	}
	moody.Slow = nil
	for range 3 {
		refresh(w)
	}
	wantActive(w, "fast", "")
	if avoided() {
		t.Error("a search does without the embedder")
	}
}

// awayStore is a store that does not answer while it is away. It counts the calls without a deadline, which a
// store on a cluster repeats for its own time limit.
type awayStore struct {
	graph.Store
	away      atomic.Bool
	calls     atomic.Int32 // of the refresh while it is away
	unlimited atomic.Int32 // of these: without a deadline
}

// refreshing marks the context of a refresh: the engine has background work of its own.
type refreshing struct{}

func (s *awayStore) refuses(ctx context.Context) bool {
	if ctx.Value(refreshing{}) != nil && s.away.Load() {
		s.calls.Add(1)
		if _, limited := ctx.Deadline(); !limited {
			s.unlimited.Add(1)
		}
	}
	return s.away.Load()
}

func (s *awayStore) Ready(ctx context.Context) error {
	if s.refuses(ctx) {
		return graph.ErrUnavailable
	}
	return s.Store.Ready(ctx)
}

func (s *awayStore) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	if s.refuses(ctx) {
		return graph.ErrUnavailable
	}
	return s.Store.View(ctx, scope, fn)
}

func (s *awayStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if s.refuses(ctx) {
		return 0, graph.ErrUnavailable
	}
	return s.Store.Update(ctx, scope, fn)
}

func (s *awayStore) Tenants(ctx context.Context) ([]graph.Tenant, error) {
	if s.refuses(ctx) {
		return nil, graph.ErrUnavailable
	}
	return s.Store.Tenants(ctx)
}

// While the store is away the alarm is told, and it is stored when the store is back.
func TestStoreAway(t *testing.T) {
	base, err := enginetest.OpenStore(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = base.Close() })
	store := &awayStore{Store: base}
	w := enginetest.With(t, enginetest.Options{Store: store})
	w.Remember("The kiln fires at 1240 degrees.")
	refresh(w)
	store.away.Store(true)
	w.Clock.Advance(time.Minute)
	if err := w.RefreshHealth(context.WithValue(t.Context(), refreshing{}, true)); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("the refresh says %v", err)
	}
	if n := store.unlimited.Load(); n > 0 || store.calls.Load() == 0 {
		t.Errorf("of %d calls of the refresh %d have no deadline", store.calls.Load(), n)
	}
	wantActive(w, "away", "parts_away/CRITICAL/")
	if all, err := w.Alarms(t.Context(), w.Caller, engine.AlarmInput{Ended: true}); err != nil || len(all) != 1 || all[0].Indicator != "parts_away" {
		t.Errorf("all alarms while the store is away: %+v, %v", all, err)
	}
	store.away.Store(false)
	refresh(w)
	wantActive(w, "back", "")
	all, err := w.Alarms(t.Context(), w.Caller, engine.AlarmInput{Ended: true})
	if err != nil || len(all) != 1 || !strings.HasPrefix(all[0].Message, "STORE does not answer. Writes and most reads are refused") || all[0].Until.IsZero() {
		t.Errorf("%+v, %v", all, err)
	}
}

// A node with too many relations, written past the engine, loses its weakest ones.
func TestDegreeIsSparsified(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("Ada knows Ben.")
	refresh(w)
	const planted = 300
	scope := w.Caller.Scope()
	at := graph.Millis(w.Clock.Now())
	var hub *graph.Entity
	_, err := w.Store.Update(t.Context(), scope, func(tx graph.Tx) error {
		for i := range planted + 1 {
			name := fmt.Sprintf("spoke %d", i)
			id, err := graph.DerivedID(at, name)
			if err != nil {
				return err
			}
			e := &graph.Entity{ID: id, Namespace: "default", Name: name, Canonical: name, Type: graph.Concept, FirstSeen: at}
			if err := tx.PutEntity(e); err != nil {
				return err
			}
			if hub == nil {
				hub = e
				continue
			}
			rid, err := graph.DerivedID(at, "relation", name)
			if err != nil {
				return err
			}
			x := &graph.Relation{ID: rid, Source: hub.ID, Namespace: "default", Predicate: "knows", Target: id, Strength: 0.5, StrengthAt: at, Confidence: 1, ValidFrom: at, RecordedAt: at}
			if err := tx.PutRelation(x); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(10 * time.Minute)
	refresh(w)
	wantActive(w, "planted", "node_degree/WARNING/SPARSIFY")
	left := 0
	err = w.Store.View(t.Context(), scope, func(r graph.Reader) error {
		left = 0
		for _, err := range graph.AllRelations(r, hub.ID) {
			if err != nil {
				return err
			}
			left++
		}
		return nil
	})
	if err != nil || left != 256 {
		t.Errorf("%d relations are left, %v", left, err)
	}
	refresh(w)
	wantActive(w, "sparsified", "")
}

// Changes are streamed to the callers of the tenant, the active ones first.
func TestWatch(t *testing.T) {
	var backup source
	w := with(t, func(o *engine.Options) { o.Monitor.Sources = []engine.MonitorSource{backup.read} })
	w.Remember("The kiln fires at 1240 degrees.")
	backup.reading = &alarm.Reading{Indicator: alarm.ClockAhead, Value: 90}
	refresh(w)
	events, err := w.AlarmEvents(t.Context(), w.Caller)
	if err != nil {
		t.Fatal(err)
	}
	if e := <-events; e.Change != alarm.Began || e.Alarm.Indicator != alarm.ClockAhead || !strings.HasPrefix(e.Alarm.Message, "The clock's lead over the machine's is 1m30s, above the limit of 1m0s.") {
		t.Errorf("%+v", e)
	}
	backup.reading.Value = 4000
	refresh(w)
	if e := <-events; e.Change != alarm.Changed || e.Alarm.Severity != alarm.Critical {
		t.Errorf("%+v", e)
	}
	backup.reading.Value = 0
	refresh(w)
	if e := <-events; e.Change != alarm.Ended {
		t.Errorf("%+v", e)
	}
	part := w.Caller
	part.User = "ada"
	_, err = w.AlarmEvents(t.Context(), part)
	fixture.WantError(t, err, graph.CodeForbidden, "")
	_, err = w.Alarms(t.Context(), part, engine.AlarmInput{})
	fixture.WantError(t, err, graph.CodeForbidden, "")
}

// An engram that fails its checksum is blocked and told, until it can be read again.
func TestDamagedEngramIsTold(t *testing.T) {
	archive := enginetest.NewFakeArchive()
	w := enginetest.With(t, enginetest.Options{Recess: archive})
	m := *w.Remember("The kiln fires at 1240 degrees.").Memory.Memory
	m.History = append(m.History, graph.State{From: graph.Millis(w.Clock.Advance(time.Second)), Status: graph.Active, Tier: graph.L3})
	c, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error { return tx.PutMemory(&m, graph.EventPromoted) })
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Index.WaitFor(t.Context(), w.Caller.Scope(), c); err != nil {
		t.Fatal(err)
	}
	if err := archive.Engrave(t.Context(), w.Caller.Scope(), &m, nil, w.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	refresh(w)
	wantActive(w, "before", "")
	archive.Damage(m.ID)
	refresh(w)
	wantActive(w, "damaged", "checksum_failures/CRITICAL/BLOCK_DAMAGED")
	if v, err := w.Memory(t.Context(), w.Caller, m.ID, engine.Access{}); err != nil || v.Content != "" {
		t.Errorf("a damaged engram is served: %v", err)
	}
	archive.Mend(m.ID)
	refresh(w)
	wantActive(w, "restored", "")
}

// Runs of the canary that failed do not count as its last one, and raise an alarm until one measures.
func TestAFailedRunOfTheCanaryIsNotItsLast(t *testing.T) {
	w := enginetest.New(t)
	measured := w.Clock.Now()
	canary(w, map[string]float64{alarm.Recall14: 0.97})
	for n, want := range []string{"canary_failures/WARNING/", "canary_failures/WARNING/", "canary_failures/CRITICAL/"} {
		w.Clock.Advance(24 * time.Hour)
		if err := w.ReportCanary(t.Context(), engine.CanaryResult{At: w.Clock.Now(), Error: strings.Repeat("ö", 400)}); err != nil {
			t.Fatal(err)
		}
		refresh(w)
		wantActive(w, fmt.Sprint("failed ", n), want)
	}
	if at := w.LastCanary(); !at.Equal(measured) {
		t.Errorf("the last run was at %v, want %v", at, measured)
	}
	all, err := w.Alarms(t.Context(), w.Caller, engine.AlarmInput{})
	if err != nil || len(all) != 1 || len(all[0].Message) > 800 || !utf8.ValidString(all[0].Message) {
		t.Errorf("%v, %+v", err, all)
	}
	canary(w, map[string]float64{alarm.Recall14: 0.97})
	wantActive(w, "a good run", "")
}

// A figure that the canary could not measure counts as its worst, and the alarm says why.
func TestAFailedProbeOfTheCanaryRaisesItsAlarm(t *testing.T) {
	w := enginetest.New(t)
	report := func(r engine.CanaryResult) {
		t.Helper()
		r.At = w.Clock.Now()
		if err := w.ReportCanary(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		refresh(w)
	}
	report(engine.CanaryResult{Figures: map[string]float64{alarm.Recall14: 0.97}, Failed: map[string]string{alarm.Compression: "nothing was left"}})
	wantActive(w, "not measured", "compression/CRITICAL/")
	all, err := w.Alarms(t.Context(), w.Caller, engine.AlarmInput{})
	if err != nil || !strings.Contains(all[0].Message, "not measured: nothing was left") {
		t.Errorf("%v, %+v", err, all)
	}
	report(engine.CanaryResult{Figures: map[string]float64{alarm.Recall14: 0.97, alarm.Compression: 0.2}})
	wantActive(w, "measured again", "")
}
