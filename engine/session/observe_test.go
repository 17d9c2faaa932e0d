package session_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

func closeSession(t testing.TB, w *enginetest.World) *engine.SessionReport {
	t.Helper()
	r, err := w.CloseSession(t.Context(), w.Caller, "s", "")
	if err != nil {
		t.Fatalf("close: %v", err)
	}
	return r
}

func stored(t testing.TB, w *enginetest.World, id graph.ID) *graph.Memory {
	t.Helper()
	v, err := w.Memory(t.Context(), w.Caller, id, engine.Access{})
	if err != nil {
		t.Fatal(err)
	}
	return v.Memory
}

// await reads events until one matches.
func await(t *testing.T, events <-chan engine.Event, holds func(engine.Event) bool) engine.Event {
	t.Helper()
	for {
		if ev := fixture.NextEvent(t, events); holds(ev) {
			return ev
		}
	}
}

// beyondL0 matches the event of a turn that leaves L0.
func beyondL0(id graph.ID) func(engine.Event) bool {
	return func(ev engine.Event) bool {
		return ev.ID == id && ev.Memory != nil && ev.Memory.Memory.State().Tier != graph.L0
	}
}

func follow(t *testing.T, w *enginetest.World) <-chan engine.Event {
	t.Helper()
	events, err := w.Events(t.Context(), w.Caller, 0, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func TestObserveWritesATurnInL0(t *testing.T) {
	w := enginetest.New(t)
	for role, want := range map[string]struct {
		kind      graph.SourceKind
		authority float64
	}{"user": {graph.FromUser, 0.8}, "assistant": {graph.FromAssistant, 0.4}, "tool": {graph.FromTool, 0.6}, "system": {graph.FromSystem, 0.9}} {
		o := fixture.Observe(t, w, role, "The keel is mended, said the "+role+".")
		m := o.Memory
		if m.SourceKind != want.kind || m.Authority != want.authority {
			t.Errorf("%s: kind %s, authority %v", role, m.SourceKind, m.Authority)
		}
		if m.State.Tier != graph.L0 || m.State.Status != graph.Active || m.Type != graph.Episodic || m.Session != "s" || m.User != "ana" {
			t.Errorf("%s: %+v %+v", role, m.State, m.Memory)
		}
		if m.Subject != "" || len(m.Entities) > 0 || m.EmbeddingModel != "" {
			t.Errorf("%s: the call waited for the analysis: %+v", role, m.Memory)
		}
		if m.Checksum != graph.Sum(m.Content, m.CreatedAt, want.kind, "") || !m.OccurredAt.Equal(enginetest.Start) {
			t.Errorf("%s: checksum or time is wrong", role)
		}
		if len(o.Flushed) > 0 || o.Replayed {
			t.Errorf("%s: %+v", role, o)
		}
	}
}

func TestAuthorityOfATurnStaysBelowTheGrant(t *testing.T) {
	w := enginetest.New(t)
	w.Caller.Grant = 0.5
	if a := fixture.Observe(t, w, "system", "Speak plainly.").Memory.Authority; a != 0.5 {
		t.Errorf("authority %v above the grant", a)
	}
}

func TestTurnBelongsToUserOfCredentials(t *testing.T) {
	w := enginetest.New(t)
	w.Caller.User = "bram"
	o := fixture.Observe(t, w, "user", "The hatch leaks.", func(in *engine.Observation) { in.User = "" })
	if o.Memory.User != "bram" {
		t.Errorf("belongs to %q", o.Memory.User)
	}
	_, err := w.Observe(t.Context(), w.Caller, engine.Observation{Session: "s", Role: "user", Text: "x", Consent: graph.ConsentExplicit, User: "ana"})
	fixture.WantError(t, err, graph.CodeForbidden, "user")
}

func TestObserveNamesTheInvalidField(t *testing.T) {
	w := enginetest.New(t)
	for _, c := range []struct {
		code  graph.Code
		field string
		spoil func(*engine.Observation)
	}{
		{graph.CodeInvalidRequest, "session", func(in *engine.Observation) { in.Session = "" }},
		{graph.CodeInvalidRequest, "session", func(in *engine.Observation) { in.Session = strings.Repeat("s", graph.MaxName+1) }},
		{graph.CodeInvalidRequest, "session", func(in *engine.Observation) { in.Session = "\xff" }},
		{graph.CodeInvalidRequest, "role", func(in *engine.Observation) { in.Role = "" }},
		{graph.CodeInvalidRequest, "role", func(in *engine.Observation) { in.Role = "narrator" }},
		{graph.CodeConsentRequired, "consent", func(in *engine.Observation) { in.Consent = "" }},
		{graph.CodeConsentRequired, "consent", func(in *engine.Observation) { in.Consent = "MAYBE" }},
		{graph.CodeInvalidRequest, "text", func(in *engine.Observation) { in.Text = " \n" }},
		{graph.CodeInvalidRequest, "text", func(in *engine.Observation) { in.Text = "\xff" }},
		{graph.CodeLimitExceeded, "text", func(in *engine.Observation) { in.Text = strings.Repeat("x", engine.DefaultMaxContent+1) }},
		{graph.CodeInvalidRequest, "namespace", func(in *engine.Observation) { in.Namespace = "a b" }},
		{graph.CodeLimitExceeded, "user", func(in *engine.Observation) { in.User = strings.Repeat("u", graph.MaxName+1) }},
		{graph.CodeLimitExceeded, "idempotencyKey", func(in *engine.Observation) { in.IdempotencyKey = strings.Repeat("k", 257) }},
	} {
		in := engine.Observation{Session: "s", Role: "user", Text: "The lamp is green.", Consent: graph.ConsentExplicit}
		c.spoil(&in)
		_, err := w.Observe(t.Context(), w.Caller, in)
		fixture.WantError(t, err, c.code, c.field)
	}
	if r := w.Search(""); len(r.Hits) != 0 {
		t.Errorf("a refused turn left %d memories", len(r.Hits))
	}
	_, err := w.CloseSession(t.Context(), w.Caller, "s", "")
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "session")
}

func TestTurnIsIdempotentUnderItsKey(t *testing.T) {
	w := enginetest.New(t)
	keyed := func(in *engine.Observation) { in.IdempotencyKey = "k" }
	a := fixture.Observe(t, w, "user", "The ferry leaves at nine.", keyed)
	w.Clock.Advance(time.Minute)
	b := fixture.Observe(t, w, "user", "The ferry leaves at nine.", keyed)
	if !b.Replayed || b.Memory.ID != a.Memory.ID {
		t.Errorf("replay: %+v", b)
	}
	_, err := w.Observe(t.Context(), w.Caller, engine.Observation{Session: "s", Role: "user", Text: "At ten.", Consent: graph.ConsentExplicit, User: "ana", IdempotencyKey: "k"})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "idempotencyKey")
	if r := closeSession(t, w); len(r.Flushed) != 1 {
		t.Errorf("%d turns left L0, want 1", len(r.Flushed))
	}
}

// The index has the words of a turn when the turn is acknowledged, and its vector once it
// is embedded.
func TestTurnIsFoundInBuffer(t *testing.T) {
	w := enginetest.New(t)
	o := fixture.Observe(t, w, "user", "Zephyrine moors the barge at the eastern sluice.")
	r := w.Search("Zephyrine sluice")
	if len(r.Hits) != 1 || r.Hits[0].Memory.ID != o.Memory.ID || r.Hits[0].Provenance[0].Store != engine.StoreBuffer {
		t.Fatalf("hits: %+v", r.Hits)
	}
	closeSession(t, w)
	r = w.Search("Zephyrine sluice")
	if len(r.Hits) != 1 || r.Hits[0].Provenance[0].Store == engine.StoreBuffer || r.Hits[0].Parts.Semantic == 0 {
		t.Errorf("after the close: %+v", r.Hits)
	}
}

func TestOverflowMovesOldestTurns(t *testing.T) {
	w := enginetest.New(t)
	events := follow(t, w)
	text := func(i int) string { return fmt.Sprintf("Barge %d: %s", i, strings.Repeat("ballast stone ", 300)) }
	size := prompt.Count(text(0))
	fits := 4096 / size
	var turns []graph.ID
	for i := range fits {
		o := fixture.Observe(t, w, "user", text(i))
		if len(o.Flushed) > 0 {
			t.Fatalf("turn %d of %d tokens pushed %d out", i, size, len(o.Flushed))
		}
		turns = append(turns, o.Memory.ID)
	}
	o := fixture.Observe(t, w, "user", text(fits))
	if len(o.Flushed) != 1 || o.Flushed[0].ID != turns[0] {
		t.Fatalf("pushed out: %+v", o.Flushed)
	}
	await(t, events, beyondL0(turns[0]))
	for i, id := range turns[1:] {
		if m := stored(t, w, id); m.State().Tier != graph.L0 {
			t.Errorf("turn %d is in %s", i+1, m.State().Tier)
		}
	}
	// A turn larger than the ring leaves at once, with all others.
	big := fixture.Observe(t, w, "tool", strings.Repeat("one of many words, ", 1500))
	if len(big.Flushed) != fits+1 || big.Flushed[fits].ID != big.Memory.ID {
		t.Fatalf("%d turns left", len(big.Flushed))
	}
	await(t, events, beyondL0(big.Memory.ID))
	if r := closeSession(t, w); len(r.Flushed) != 0 {
		t.Errorf("%d turns were still in the ring", len(r.Flushed))
	}
}

// A turn that leaves L0 gets the attributes that Remember gives to a new memory.
func TestTurnIsExtractedWhenItLeavesTheRing(t *testing.T) {
	for _, x := range []struct {
		text       string
		kind       graph.Type
		importance float64
		class      graph.DecayClass
	}{
		{"I live in Utrecht.", graph.Semantic, 0.8 * 0.7, graph.DecaySlow},
		{"I prefer tea with lemon.", graph.Procedural, 0.9 * 0.7, graph.DecaySlow},
		{"Always lock the sluice before the tide turns.", graph.Procedural, 0.9 * 0.7, graph.DecaySlow},
		{"Yesterday we went down to the pier and watched the gulls.", graph.Episodic, 0.6, graph.DecayMedium},
	} {
		w := enginetest.New(t)
		o := fixture.Observe(t, w, "user", x.text)
		said := w.Remember(x.text, func(in *engine.RememberInput) {
			in.User, in.Namespace = "ana", "twin"
		}).Memory
		closeSession(t, w)
		m := stored(t, w, o.Memory.ID)
		if m.Type != x.kind || m.DecayClass != x.class || math.Abs(m.Importance-x.importance) > 1e-9 {
			t.Errorf("%q: type %s, class %s, importance %v", x.text, m.Type, m.DecayClass, m.Importance)
		}
		if m.Subject != said.Subject || m.Predicate != said.Predicate || m.Object != said.Object || m.Salience != said.Salience || len(m.Entities) != len(said.Entities) {
			t.Errorf("%q: read as %+v, remember as %+v", x.text, m, said.Memory)
		}
		if m.Subject != "" {
			about, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Namespaces: []string{"default"}, Subject: m.Subject})
			if err != nil || len(about.Memories) != 1 || about.Memories[0].ID != m.ID {
				t.Errorf("%q: not found by its subject: %v", x.text, err)
			}
		}
		if m.EmbeddingModel == "" || m.Surprise != said.Surprise || m.State().Tier != said.State.Tier || m.Status() != graph.Active {
			t.Errorf("%q: %+v, surprise %v, remember %v", x.text, m.State(), m.Surprise, said.Surprise)
		}
		if m.CreatedAt != o.Memory.CreatedAt || m.Checksum != o.Memory.Checksum || m.Content != x.text {
			t.Errorf("%q: leaving L0 changed the text or the time", x.text)
		}
	}
}

// What an assistant says in a conversation fades as fast as what a user says once, whatever its type.
func TestWhatAnAssistantSaysFades(t *testing.T) {
	w := enginetest.New(t)
	o := fixture.Observe(t, w, "assistant", "The wedding is on 19 September.")
	closeSession(t, w)
	if m := stored(t, w, o.Memory.ID); m.Type != graph.Semantic || m.DecayClass != graph.DecayMedium {
		t.Errorf("it is %s, %s", m.Type, m.DecayClass)
	}
}

func TestContradictingTurnIsContested(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default")
	old := w.Remember("The deploy window is Tuesday.", func(in *engine.RememberInput) { in.User = "ana" }).Memory
	o := fixture.Observe(t, w, "user", "The deploy window is Thursday.")
	closeSession(t, w)
	if m := stored(t, w, o.Memory.ID); m.Conflict <= 0.3 || m.Status() != graph.Active {
		t.Errorf("conflict %v, %s", m.Conflict, m.Status())
	}
	if m := stored(t, w, old.ID); m.Conflict <= 0.3 {
		t.Errorf("the other side has conflict %v", m.Conflict)
	}
}

func TestRepeatedTurnIsMerged(t *testing.T) {
	w := enginetest.New(t)
	a := fixture.Observe(t, w, "user", "The winch needs new grease on Friday.")
	b := fixture.Observe(t, w, "user", "The winch needs new grease on Friday.")
	echo := fixture.Observe(t, w, "assistant", "The winch needs new grease on Friday.")
	r := closeSession(t, w)
	if len(r.Flushed) != 3 {
		t.Fatalf("%d turns left L0, want 3", len(r.Flushed))
	}
	first := stored(t, w, a.Memory.ID)
	for _, id := range []graph.ID{b.Memory.ID, echo.Memory.ID} {
		m := stored(t, w, id)
		if m.Status() != graph.Consolidated || m.Consolidated != first.ID || m.State().Tier != graph.L1 || m.Content != first.Content {
			t.Errorf("folded as %+v into %q", m.State(), m.Consolidated)
		}
	}
	if first.Status() != graph.Active || first.Usage.Count != 0 {
		t.Errorf("%s, used %d times: a speaker who repeats himself in a session reinforces nothing", first.Status(), first.Usage.Count)
	}
	edges, err := related(t, w, b.Memory.ID)
	if err != nil || !slices.ContainsFunc(edges, func(e graph.Edge) bool { return e.Kind == graph.ConsolidatedInto && e.To == first.ID }) {
		t.Errorf("edges %v, %v", edges, err)
	}
	if hits := w.Search("winch grease").Hits; len(hits) != 1 {
		t.Errorf("%d hits", len(hits))
	}
}

func related(t testing.TB, w *enginetest.World, id graph.ID) (edges []graph.Edge, err error) {
	t.Helper()
	err = w.Store.View(t.Context(), graph.Scope{Tenant: w.Caller.Tenant}, func(r graph.Reader) (err error) {
		edges, err = r.Edges(id, graph.Out)
		return err
	})
	return edges, err
}

func TestManualChangesToTurnAreKept(t *testing.T) {
	w := enginetest.New(t)
	id := fixture.Observe(t, w, "user", "I live in Utrecht.").Memory.ID
	high, yes := 0.95, true
	if _, err := w.Update(t.Context(), w.Caller, engine.UpdateInput{ID: id, Importance: &high, Important: &yes, Tags: []string{"home"}, SetTags: true}); err != nil {
		t.Fatal(err)
	}
	closeSession(t, w)
	if m := stored(t, w, id); m.Importance != 0.95 || !m.Important || !slices.Equal(m.Tags, []string{"home"}) || m.Type != graph.Semantic {
		t.Errorf("%+v", m)
	}
}

func TestIdleConversationsLeaveL0(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Sweep: time.Millisecond})
	events := follow(t, w)
	early := fixture.Observe(t, w, "user", "The tide turns at noon.")
	w.Clock.Advance(20 * time.Minute)
	late := fixture.Observe(t, w, "user", "Then the sluice opens.")
	other := fixture.Observe(t, w, "user", "The crane is red.", func(in *engine.Observation) { in.Session = "other" })
	w.Clock.Advance(20 * time.Minute) // 40 min after the first turn, 20 after the last
	if m := stored(t, w, early.Memory.ID); m.State().Tier != graph.L0 {
		t.Error("a turn left a running conversation")
	}
	last := fixture.Observe(t, w, "user", "The crane is blue.", func(in *engine.Observation) { in.Session = "other" })
	w.Clock.Advance(10 * time.Minute)
	await(t, events, beyondL0(late.Memory.ID))
	if m := stored(t, w, early.Memory.ID); m.State().Tier == graph.L0 {
		t.Error("turns left out of order")
	}
	for _, o := range []*engine.Observed{other, last} {
		if m := stored(t, w, o.Memory.ID); m.State().Tier != graph.L0 {
			t.Error("a turn left a conversation that continues")
		}
	}
}

// The turns leave at the instant at which their time to live ends: nothing polls, the only sweep
// would come after a day.
func TestTurnsLeaveL0WhenTheirTimeEnds(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Sweep: 24 * time.Hour, Alarms: true})
	events := follow(t, w)
	tiers := func(o *engine.Observed) graph.Tier { return stored(t, w, o.Memory.ID).State().Tier }
	leftAt := func(o *engine.Observed) time.Duration {
		t.Helper()
		await(t, events, beyondL0(o.Memory.ID))
		return stored(t, w, o.Memory.ID).State().From.Sub(enginetest.Start)
	}
	first := fixture.Observe(t, w, "user", "The tide turns at noon.")
	w.Clock.Advance(10 * time.Minute)
	other := fixture.Observe(t, w, "user", "The crane is red.", func(in *engine.Observation) { in.Session = "other" })
	w.Clock.Advance(10 * time.Minute)
	second := fixture.Observe(t, w, "user", "Then the sluice opens.") // its conversation waits longer than the other one
	w.Clock.Advance(20*time.Minute - time.Millisecond)
	if a, b := tiers(first), tiers(other); a != graph.L0 || b != graph.L0 {
		t.Errorf("a millisecond early the turns are in %s and %s", a, b)
	}
	w.Clock.Advance(time.Millisecond)
	if at := leftAt(other); at != 40*time.Minute {
		t.Errorf("left after %s, want 40m", at)
	}
	if a, b := tiers(first), tiers(second); a != graph.L0 || b != graph.L0 {
		t.Errorf("turns of a running conversation are in %s and %s", a, b)
	}
	w.Clock.Advance(10 * time.Minute)
	if a, b := leftAt(first), leftAt(second); a != 50*time.Minute || b != 50*time.Minute {
		t.Errorf("left after %s and %s, want 50m", a, b)
	}
	// A conversation that begins while nothing is in L0, and one that a restart finds there.
	third := fixture.Observe(t, w, "user", "The barge is late.")
	w.Clock.Advance(30 * time.Minute)
	if at := leftAt(third); at != 80*time.Minute {
		t.Errorf("left after %s, want 80m", at)
	}
	fourth := fixture.Observe(t, w, "user", "The pilot is ashore.")
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	events = follow(t, w)
	w.Clock.Advance(30 * time.Minute)
	if at := leftAt(fourth); at != 110*time.Minute {
		t.Errorf("after a restart: left after %s, want 110m", at)
	}
}

func TestRestartLosesNoTurn(t *testing.T) {
	w := enginetest.New(t)
	text := func(i int) string { return fmt.Sprintf("Barge %d: %s", i, strings.Repeat("ballast stone ", 300)) }
	fits := 4096 / prompt.Count(text(0))
	var turns []graph.ID
	for i := range fits {
		turns = append(turns, fixture.Observe(t, w, "user", text(i)).Memory.ID)
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	for _, id := range turns {
		if m := stored(t, w, id); m.State().Tier != graph.L0 {
			t.Errorf("after the restart a turn is in %s", m.State().Tier)
		}
	}
	// The ring is as full as before.
	if o := fixture.Observe(t, w, "user", text(fits)); len(o.Flushed) != 1 || o.Flushed[0].ID != turns[0] {
		t.Fatalf("pushed out: %+v", o.Flushed)
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	r := closeSession(t, w)
	if n := len(r.Flushed); n != fits && n != fits+1 { // the first turn may have left before the restart
		t.Errorf("%d turns left L0 at the close, want %d or %d", n, fits, fits+1)
	}
	for _, id := range turns {
		if m := stored(t, w, id); m.State().Tier == graph.L0 || m.Status() != graph.Active {
			t.Errorf("a turn is %+v", m.State())
		}
	}
	if !r.StartedAt.Equal(enginetest.Start) {
		t.Errorf("started at %v", r.StartedAt)
	}
}

func TestConcurrentObservers(t *testing.T) {
	w := enginetest.New(t)
	const observers, each = 16, 12
	var wg sync.WaitGroup
	var mu sync.Mutex
	var ids []graph.ID
	for i := range observers {
		wg.Go(func() {
			for j := range each {
				o, err := w.Observe(t.Context(), w.Caller, engine.Observation{
					Session: fmt.Sprintf("s%d", i%4), Role: "user", Consent: graph.ConsentExplicit, User: "ana",
					Text: fmt.Sprintf("Observer %d saw lantern %d. %s", i, j, strings.Repeat("and more ", 90)),
				})
				if err != nil {
					t.Errorf("observe: %v", err)
					return
				}
				mu.Lock()
				ids = append(ids, o.Memory.ID)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	flushed := 0
	for i := range 4 {
		r, err := w.CloseSession(t.Context(), w.Caller, fmt.Sprintf("s%d", i), "default")
		if err != nil {
			t.Fatal(err)
		}
		flushed += len(r.Flushed)
	}
	if flushed == 0 || flushed >= observers*each {
		t.Errorf("%d turns left at the close: none left before, or all", flushed)
	}
	slices.Sort(ids)
	if n := len(slices.Compact(ids)); n != observers*each {
		t.Fatalf("%d turns, want %d", n, observers*each)
	}
	for _, id := range ids {
		if m := stored(t, w, id); m.State().Tier == graph.L0 {
			t.Fatalf("turn %s stayed in L0", id)
		}
	}
}

func TestErasedTurnsStayErased(t *testing.T) {
	w := enginetest.New(t)
	a := fixture.Observe(t, w, "user", "Zephyrine keeps the spare key under the mat.")
	b := fixture.Observe(t, w, "user", "The gate is blue.")
	receipt, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{a.Memory.ID}})
	if err != nil || receipt.Count != 1 {
		t.Fatalf("%+v, %v", receipt, err)
	}
	r := closeSession(t, w)
	if len(r.Flushed) != 1 || r.Flushed[0].ID != b.Memory.ID {
		t.Errorf("flushed: %+v", r.Flushed)
	}
	if len(w.Search("Zephyrine spare key").Hits) != 0 {
		t.Error("an erased turn is found")
	}
	// The erasure of a user deletes the record of the conversation too.
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{User: "ana"}); err != nil {
		t.Fatal(err)
	}
	if n := sessionRecords(t, w); n != 0 {
		t.Errorf("%d session records are left", n)
	}
	_, err = w.CloseSession(t.Context(), w.Caller, "s", "")
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "session")
}

func sessionRecords(t testing.TB, w *enginetest.World) (n int) {
	t.Helper()
	err := w.Store.View(t.Context(), graph.Scope{Tenant: w.Caller.Tenant}, func(r graph.Reader) error {
		found, err := r.Notes(graph.NoteSession, "", false, 0)
		n = len(found)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCorrectionOfTurnIsNoTurn(t *testing.T) {
	w := enginetest.New(t)
	id := fixture.Observe(t, w, "user", "The berth is number four.").Memory.ID
	r := fixture.Supersede(t, w, id, "The berth is number five.")
	if tier := r.Memory.State.Tier; tier == graph.L0 {
		t.Errorf("the correction is in %s", tier)
	}
	if rep := closeSession(t, w); len(rep.Flushed) != 0 {
		t.Errorf("a superseded turn left L0: %+v", rep.Flushed)
	}
	if m := stored(t, w, id); m.Status() != graph.Superseded {
		t.Errorf("it is %s", m.Status())
	}
}

func TestContextContainsRecentConversation(t *testing.T) {
	w := enginetest.New(t)
	said := []struct{ role, text string }{
		{"user", "Which berth is mine?"}, {"assistant", "Berth four, by the crane."}, {"user", "And the fee?"}, {"tool", "fee=12"},
	}
	for i, s := range said {
		fixture.Observe(t, w, s.role, s.text, func(in *engine.Observation) { in.Agent = "harbour-bot" })
		w.Clock.Advance(time.Minute)
		if i == 1 {
			closeSession(t, w) // two turns in L1, two in L0
		}
	}
	r, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "s", User: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	talk := r.Layers[4]
	if talk.Name != prompt.Conversation || len(talk.MemoryIDs) != 4 {
		t.Fatalf("conversation: %+v", talk)
	}
	at := -1
	for i, s := range said {
		next := strings.Index(talk.Text, s.text)
		if next <= at {
			t.Errorf("turn %d is at %d after %d in:\n%s", i, next, at, talk.Text)
		}
		at = next
	}
	for _, who := range []string{`user "ana": `, `assistant "harbour-bot": `, `tool "harbour-bot": `} {
		if !strings.Contains(talk.Text, who) {
			t.Errorf("nobody is %q in:\n%s", who, talk.Text)
		}
	}
}
