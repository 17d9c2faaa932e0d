package workspace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// saidBy writes a text as a given source kind, in its own session.
func saidBy(w *enginetest.World, kind graph.SourceKind, text string, with ...func(*engine.RememberInput)) *engine.RememberResult {
	w.T.Helper()
	return w.Remember(text, append([]func(*engine.RememberInput){func(in *engine.RememberInput) {
		in.SourceKind, in.Session, in.Type = kind, string(kind)+"'s", graph.Episodic
	}}, with...)...)
}

func TestRepeatedServedTextDoesNotReinforce(t *testing.T) {
	w := enginetest.New(t)
	const text = "Ana planted 40 pears on the north slope."
	id := saidBy(w, graph.FromUser, text).Memory.ID
	if r := saidBy(w, graph.FromAssistant, "Ana planted 40 plums on the north slope."); r.DuplicateOf != "" {
		t.Fatal("a turn's own text was treated as a repetition")
	}
	w.Clock.Advance(time.Hour)
	w.Search("Who planted pears on the north slope?", func(in *engine.SearchInput) { in.Track = true })
	before := fixture.MustView(w, id)
	w.Clock.Advance(time.Hour)
	for _, kind := range []graph.SourceKind{graph.FromAssistant, graph.FromTool} {
		for _, back := range []string{text, "- " + strings.ToUpper(text), "\"Ana planted 40 pears\n on the north slope\""} {
			if r := saidBy(w, kind, back); r.DuplicateOf != id || r.Memory.ID != id {
				t.Errorf("%s says %q: %+v", kind, back, r)
			}
		}
	}
	after := fixture.MustView(w, id)
	if after.Usage.Count != before.Usage.Count || after.Salience != before.Salience || !after.AnchorAt.Equal(before.AnchorAt) || after.Memory.Confidence != before.Memory.Confidence {
		t.Errorf("it was reinforced: %+v, before %+v", after.Memory, before.Memory)
	}
	// These are no echoes: a similar text with another meaning, another speaker, another
	// namespace, or an explicit addition.
	for name, r := range map[string]*engine.RememberResult{
		"another number":    saidBy(w, graph.FromAssistant, "Ana planted 41 pears on the north slope."),
		"a question":        saidBy(w, graph.FromAssistant, "Ana planted 40 pears on the north slope?"),
		"a person":          saidBy(w, graph.FromUser, text, func(in *engine.RememberInput) { in.Session = "another" }),
		"another namespace": saidBy(w, graph.FromAssistant, text, fixture.InNamespace("elsewhere")),
		"on purpose":        saidBy(w, graph.FromAssistant, text, func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert }),
	} {
		if r.DuplicateOf != "" {
			t.Errorf("%s: a duplicate of %s", name, r.DuplicateOf)
		}
	}
	_, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, SourceKind: graph.FromTool, OnDuplicate: engine.Reject})
	fixture.WantError(t, err, graph.CodeDuplicateMemory, "content")

	// After a day a served text no longer counts.
	w.Clock.Advance(25 * time.Hour)
	if r := saidBy(w, graph.FromTool, text); r.DuplicateOf == id {
		t.Error("after a day it still counts as a repetition")
	}
}

func TestRepeatedTextIsIdempotentUnderItsKey(t *testing.T) {
	w := enginetest.New(t)
	id := w.Remember("The weir opens at dawn.").Memory.ID
	w.Search("When does the weir open?")
	keyed := func(in *engine.RememberInput) { in.IdempotencyKey = "k" }
	first := saidBy(w, graph.FromAssistant, "The weir opens at dawn.", keyed)
	again := saidBy(w, graph.FromAssistant, "The weir opens at dawn.", keyed)
	if first.DuplicateOf != id || first.Replayed || again.DuplicateOf != id || !again.Replayed {
		t.Errorf("%+v, then %+v", first, again)
	}
}

// The lines of a prompt context count as served, in every format.
func TestLineOfContextIsRecognised(t *testing.T) {
	for _, format := range []string{"MARKDOWN", "XML", "JSON"} {
		w := enginetest.New(t)
		id := saidBy(w, graph.FromUser, "Marlo repairs accordions in the old tannery.").Memory.ID
		r, err := w.Engine.Context(t.Context(), w.Caller, engine.ContextInput{Session: "talk", Query: "accordions", Format: format})
		if err != nil {
			t.Fatal(err)
		}
		said := []string{"Marlo repairs accordions in the old tannery"}
		for line := range strings.Lines(r.Text) {
			if strings.Contains(line, "accordions") && format != "JSON" {
				said = append(said, line)
			}
		}
		if format != "JSON" && len(said) != 2 {
			t.Fatalf("%s: the context shows it in %d lines", format, len(said)-1)
		}
		for _, text := range said {
			if r := saidBy(w, graph.FromAssistant, text); r.DuplicateOf != id {
				t.Errorf("%s: %q is not recognised", format, text)
			}
		}
	}
}

// After an erasure no hash of a served text remains.
func TestErasureClearsServedTexts(t *testing.T) {
	w := enginetest.New(t)
	id := w.Remember("The weir opens at dawn.").Memory.ID
	w.Search("When does the weir open?")
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{id}}); err != nil {
		t.Fatal(err)
	}
	if r := saidBy(w, graph.FromAssistant, "The weir opens at dawn."); r.DuplicateOf != "" {
		t.Errorf("a duplicate of an erased memory: %+v", r)
	}
}

// A turn that repeats a served text is stored, and is merged without strengthening.
func TestToolRepeatsServedText(t *testing.T) {
	w := enginetest.New(t)
	id := w.Remember("The weir opens at dawn.", func(in *engine.RememberInput) { in.Session = "s" }).Memory.ID
	w.Search("When does the weir open?")
	before := fixture.MustView(w, id)
	for i := range 2 {
		if _, err := w.Engine.Observe(t.Context(), w.Caller, engine.Observation{Session: "s", Role: "tool", Text: "The weir opens at dawn.", Consent: graph.ConsentExplicit, IdempotencyKey: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Engine.CloseSession(t.Context(), w.Caller, "s", ""); err != nil {
		t.Fatal(err)
	}
	if after := fixture.MustView(w, id); after.Usage.Count != before.Usage.Count || after.Salience != before.Salience {
		t.Errorf("it was reinforced: %d uses, salience %v", after.Usage.Count, after.Salience)
	}
}

// A statement that recall shows before the session ends is judged as it would be unseen: it was said before it was shown.
func TestWhatIsShownAfterItWasSaidRevises(t *testing.T) {
	for _, shown := range []bool{false, true} {
		w := enginetest.New(t)
		observed(w, "ana", "a", "I live in Troms\u00f8.")
		observed(w, "ana", "b", "We've moved: we live in Bod\u00f8 now.", func() {
			if shown && len(w.Search("Where do I live?", func(in *engine.SearchInput) { in.User = "ana" }).Hits) < 2 {
				t.Error("the turn is not shown")
			}
		})
		if got := statusOf(w, "ana", "I live in Troms\u00f8."); got != graph.Superseded {
			t.Errorf("shown %v: the earlier statement is %s", shown, got)
		}
	}
}

// What one user is shown does not change how the same words of another user are judged.
func TestWhatOthersAreShownIsNoEcho(t *testing.T) {
	w := enginetest.New(t)
	of := func(user string) func(*engine.RememberInput) {
		return func(in *engine.RememberInput) { in.User, in.SourceKind = user, graph.FromUser }
	}
	w.Remember("We've moved: we live in Bod\u00f8 now.", of("ana"))
	if len(w.Search("Where do I live?", func(in *engine.SearchInput) { in.User = "ana" }).Hits) == 0 {
		t.Fatal("nothing is shown")
	}
	w.Remember("I live in Troms\u00f8.", of("bo"))
	w.Remember("We've moved: we live in Bod\u00f8 now.", of("bo"))
	if got := statusOf(w, "bo", "I live in Troms\u00f8."); got != graph.Superseded {
		t.Errorf("the earlier statement is %s", got)
	}
}

// observed is a session of a user in which one thing is said; then is called before its end.
func observed(w *enginetest.World, user, session, text string, then ...func()) {
	w.T.Helper()
	in := engine.Observation{Session: session, Role: "user", Text: text, User: user, Consent: graph.ConsentExplicit}
	if _, err := w.Engine.Observe(w.T.Context(), w.Caller, in); err != nil {
		w.T.Fatal(err)
	}
	w.Clock.Advance(time.Minute)
	for _, f := range then {
		f()
	}
	w.Clock.Advance(time.Minute)
	if _, err := w.Engine.CloseSession(w.T.Context(), w.Caller, session, ""); err != nil {
		w.T.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
}

// statusOf is the status of what a user said.
func statusOf(w *enginetest.World, user, text string) graph.Status {
	w.T.Helper()
	page, err := w.Engine.Memories(w.T.Context(), w.Caller, engine.ListInput{
		User: user, Statuses: []graph.Status{graph.Active, graph.Superseded, graph.Expired}, Access: engine.Access{IncludeImplicit: true},
	})
	if err != nil {
		w.T.Fatal(err)
	}
	for _, m := range page.Memories {
		if m.Content == text {
			return m.Status()
		}
	}
	w.T.Fatalf("%s did not say %q", user, text)
	return ""
}
