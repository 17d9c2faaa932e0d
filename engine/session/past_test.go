package session_test

import (
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// said is a past turn of ana's, in session "old".
func said(role, text string, at time.Time) engine.Observation {
	return engine.Observation{
		Session: "old", Role: role, Text: text, Consent: graph.ConsentExplicit, User: "ana", OccurredAt: at,
		IdempotencyKey: role + at.Format(time.RFC3339) + text,
	}
}

// past adds past turns; none may be refused.
func past(t *testing.T, w *enginetest.World, turns ...engine.Observation) []engine.PastTurn {
	t.Helper()
	out, err := w.ObservePast(t.Context(), w.Caller, turns)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range out {
		if x.Error != nil {
			t.Fatalf("turn %d: %v", i, x.Error)
		}
	}
	return out
}

func TestPastTurnsKeepTheirTimesAndTheirSessionIsClosed(t *testing.T) {
	w := enginetest.New(t)
	began := enginetest.Start.AddDate(-2, 0, 0)
	out := past(t, w,
		said("user", "I live in Oslo.", began),
		said("assistant", "Oslo is a fine city.", began.Add(time.Minute)),
		said("user", "My dog is called Biscuit.", began.Add(time.Hour)))
	for i, x := range out {
		m := x.Memory
		if x.Replayed || m.State.Tier == graph.L0 || m.State.Status != graph.Active || m.Session != "old" || m.User != "ana" {
			t.Errorf("turn %d: %+v %+v", i, m.State, m.Memory)
		}
		if !m.RecordedAt.Equal(enginetest.Start) || !m.CreatedAt.Equal(enginetest.Start) || m.OccurredAt.After(began.Add(time.Hour)) || !m.ValidFrom.Equal(m.OccurredAt) {
			t.Errorf("turn %d: recorded %v, occurred %v, valid from %v", i, m.RecordedAt, m.OccurredAt, m.ValidFrom)
		}
		if len(m.History) != 1 {
			t.Errorf("turn %d has the states %+v", i, m.History)
		}
	}
	if a, b := out[0].Memory, out[1].Memory; a.SourceKind != graph.FromUser || b.SourceKind != graph.FromAssistant || a.Authority <= b.Authority || len(a.Memory.Claims) == 0 {
		t.Errorf("%+v %+v", a.Memory, b.Memory)
	}
	r, err := w.CloseSession(t.Context(), w.Caller, "old", "")
	if err != nil || !r.StartedAt.Equal(began) || !r.EndedAt.Equal(began.Add(time.Hour)) || len(r.Flushed)+len(r.Kept)+len(r.Expired) != 0 {
		t.Errorf("the session: %+v, %v", r, err)
	}
	// What was said two years ago was true two years ago, and is what is known now.
	valid := engine.Access{AsOf: graph.AsOf{Valid: began.Add(time.Minute)}}
	for what, in := range map[string]engine.Access{"then": valid, "now": {}} {
		found, err := w.Engine.Search(t.Context(), w.Caller, engine.SearchInput{Query: "Where does ana live?", User: "ana", Access: in})
		if err != nil || len(found.Hits) == 0 || found.Hits[0].Memory.ID != out[0].Memory.ID {
			t.Errorf("%s: %+v, %v", what, found, err)
		}
	}
	before, err := w.Engine.Search(t.Context(), w.Caller, engine.SearchInput{Query: "Where does ana live?", User: "ana", Access: engine.Access{AsOf: graph.AsOf{Valid: began.Add(-time.Hour)}}})
	if err != nil || len(before.Hits) != 0 {
		t.Errorf("before it was said: %+v, %v", before, err)
	}
}

func TestPastTurnsAreWrittenOnce(t *testing.T) {
	w := enginetest.New(t)
	at := enginetest.Start.AddDate(0, -1, 0)
	turns := []engine.Observation{said("user", "yes", at), said("user", "yes", at.Add(time.Minute)), said("assistant", "Noted.", at.Add(2*time.Minute))}
	first := past(t, w, turns...)
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	for i, x := range past(t, w, turns...) {
		if !x.Replayed || x.Memory.ID != first[i].Memory.ID {
			t.Errorf("turn %d: replayed %v, %s and %s", i, x.Replayed, x.Memory.ID, first[i].Memory.ID)
		}
	}
	if first[0].Memory.ID == first[1].Memory.ID {
		t.Error("the same word twice in a session is one turn")
	}
	changed := turns[0]
	changed.Text = "no"
	out, err := w.ObservePast(t.Context(), w.Caller, []engine.Observation{changed})
	if err != nil || out[0].Error == nil || out[0].Error.Field != "idempotencyKey" {
		t.Errorf("the key with another text: %+v, %v", out, err)
	}
}

// An old statement that arrives late does not replace a newer one.
func TestPastTurnEntersAsPast(t *testing.T) {
	w := enginetest.New(t)
	now := w.Remember("I live in Bergen.", func(in *engine.RememberInput) { in.User = "ana" }).Memory
	w.Clock.Advance(time.Minute)
	late := past(t, w, said("user", "I live in Oslo.", enginetest.Start.AddDate(-1, 0, 0)))[0].Memory
	if m := stored(t, w, now.ID); m.Status() != graph.Active || !m.State().ValidTo.IsZero() {
		t.Errorf("the newer one: %+v", m.State())
	}
	hits := w.Search("Where does ana live?", func(in *engine.SearchInput) { in.User = "ana" }).Hits
	if len(hits) == 0 || hits[0].Memory.ID != now.ID {
		t.Errorf("hits %+v, the late one is %s", hits, late.ID)
	}
}

func TestTasksOfPastSessions(t *testing.T) {
	w := enginetest.New(t)
	old, recent := enginetest.Start.AddDate(0, -2, 0), enginetest.Start.Add(-24*time.Hour)
	past(t, w, said("user", "TODO: sell the old boat.", old))
	yesterday := func(text string, at time.Time) engine.Observation {
		o := said("user", text, at)
		o.Session = "yesterday"
		return o
	}
	turns := []engine.Observation{yesterday("TODO: rotate the signing key.", recent.Add(-48*time.Hour)), yesterday("See you tomorrow.", recent)}
	past(t, w, turns...)
	tasks := fixture.Tasks(t, w)
	if len(tasks) != 1 || tasks[0].Memory.Content != "rotate the signing key" {
		t.Fatalf("%d tasks: %+v", len(tasks), tasks)
	}
	if end := tasks[0].Memory.ExpiresAt; !end.Equal(recent.Add(48 * time.Hour)) {
		t.Errorf("open until %v, want 48 h after the session", end)
	}
	past(t, w, turns...)
	if again := fixture.Tasks(t, w); len(again) != 1 {
		t.Errorf("after a second import %d tasks", len(again))
	}
	w.Clock.Advance(25 * time.Hour)
	if left := fixture.Tasks(t, w); len(left) != 0 {
		t.Errorf("after its time %d tasks", len(left))
	}
}

// The transcript of a session that hooks observed adds only what they did not see.
func TestTranscriptOfAnObservedSession(t *testing.T) {
	w := enginetest.New(t)
	live := fixture.Observe(t, w, "user", "Where is the flare gun?", func(o *engine.Observation) { o.Session = "old" }).Memory
	w.Clock.Advance(time.Minute)
	end := fixture.Observe(t, w, "assistant", "In the red box.", func(o *engine.Observation) { o.Session = "old" }).Memory
	w.Clock.Advance(10 * time.Minute) // less than the idle time after which turns leave L0 by themselves
	tool := said("tool", "[Read]", enginetest.Start.Add(2*time.Second))
	tool.ToolCalls = []graph.ToolCall{{Name: "Read", Arguments: `{"path":"boat.md"}`, Result: "red box"}}
	turns := []engine.Observation{
		said("user", "Where is the flare gun?", enginetest.Start.Add(-time.Second)), tool,
		said("assistant", "Let me look.\n\nIn the red box.", enginetest.Start.Add(3*time.Second)),
	}
	for range 2 {
		out := past(t, w, turns...)
		if !out[0].Replayed || out[0].Memory.ID != live.ID || !out[2].Replayed || out[2].Memory.ID != end.ID {
			t.Errorf("observed turns were written again: %+v", out)
		}
		if got := out[1].Memory.ToolCalls; !slices.Equal(got, tool.ToolCalls) || out[1].Memory.Authority >= live.Authority || len(out[1].Memory.Memory.Claims) > 0 {
			t.Errorf("the call of a tool: %+v", out[1].Memory.Memory)
		}
	}
	r, err := w.CloseSession(t.Context(), w.Caller, "old", "")
	if err != nil || !r.EndedAt.Equal(w.Clock.Now()) || len(r.Flushed) != 2 {
		t.Errorf("the session was open: %+v, %v", r, err)
	}
	after := past(t, w, turns...)
	if !after[0].Replayed || !after[2].Replayed {
		t.Error("after the close observed turns were written again")
	}
}

func TestRefusedPastTurns(t *testing.T) {
	w := enginetest.New(t)
	at := enginetest.Start.AddDate(0, -1, 0)
	for _, c := range []struct {
		field string
		code  graph.Code
		spoil func(*engine.Observation)
	}{
		{"occurredAt", graph.CodeInvalidRequest, func(o *engine.Observation) { o.OccurredAt = time.Time{} }},
		{"occurredAt", graph.CodeInvalidRequest, func(o *engine.Observation) { o.OccurredAt = enginetest.Start.Add(2 * time.Hour) }},
		{"session", graph.CodeInvalidRequest, func(o *engine.Observation) { o.Session = "" }},
		{"role", graph.CodeInvalidRequest, func(o *engine.Observation) { o.Role = "king" }},
		{"text", graph.CodeInvalidRequest, func(o *engine.Observation) { o.Text = " " }},
		{"consent", graph.CodeConsentRequired, func(o *engine.Observation) { o.Consent = "" }},
		{"toolCalls", graph.CodeInvalidRequest, func(o *engine.Observation) { o.ToolCalls = []graph.ToolCall{{Name: "x"}} }},
		{"toolCalls", graph.CodeInvalidRequest, func(o *engine.Observation) { o.Role, o.ToolCalls = "tool", []graph.ToolCall{{}} }},
	} {
		bad := said("user", "spoiled "+c.field, at)
		c.spoil(&bad)
		out, err := w.ObservePast(t.Context(), w.Caller, []engine.Observation{said("user", "first", at), bad, said("user", "last", at)})
		if err != nil || out[0].Error != nil || out[2].Error != nil {
			t.Fatalf("%s: %+v, %v", c.field, out, err)
		}
		if e := out[1].Error; e == nil || e.Code != c.code || e.Field != c.field || out[1].Memory != nil {
			t.Errorf("%s: %v", c.field, e)
		}
	}
	if _, err := w.ObservePast(t.Context(), w.Caller, make([]engine.Observation, engine.MaxMany+1)); graph.CodeOf(err) != graph.CodeLimitExceeded {
		t.Errorf("too many: %v", err)
	}
}

// An imported history is as fresh as on the day of the import: nights do not archive it at once,
// however old it is.
func TestSleepAfterAnImport(t *testing.T) {
	w := enginetest.New(t)
	began := enginetest.Start.AddDate(-3, 0, 0)
	turns := make([]engine.Observation, 0, 60)
	things := []string{"anchor", "lantern", "compass", "sextant", "rudder", "windlass"}
	for i := range 60 {
		turns = append(turns, said("user", "On that day I bought a "+things[i%6]+" from trader number "+string(rune('A'+i%26))+" for the boat.", began.AddDate(0, 0, i*15)))
	}
	past(t, w, turns...)
	archived := func() (n int) {
		err := w.Store.View(t.Context(), graph.Scope{Tenant: w.Caller.Tenant}, func(r graph.Reader) error {
			for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
				if err != nil {
					return err
				}
				if m.Status() == graph.Archived {
					n++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for night := range 7 {
		w.Clock.Advance(24 * time.Hour)
		if _, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
			t.Fatal(err)
		}
		if n := archived(); n > 0 {
			t.Fatalf("night %d archived %d of 60 imported turns", night+1, n)
		}
	}
}
