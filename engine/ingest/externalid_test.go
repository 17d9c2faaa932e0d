package ingest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// named gives an input an external id.
func named(externalID string) func(*engine.RememberInput) {
	return func(in *engine.RememberInput) { in.ExternalID = externalID }
}

func TestExternalIDFindsTheNewestVersion(t *testing.T) {
	w := enginetest.New(t)
	find := func(namespace, externalID string, a engine.Access) (*engine.View, error) {
		return w.MemoryByExternalID(t.Context(), w.Caller, namespace, externalID, a)
	}
	first := w.Remember("The harbour office opens at eight.", named("office/hours")).Memory
	again := w.Remember("The harbour office opens at eight.", named("office/hours"))
	if !again.Replayed || again.Memory.ID != first.ID {
		t.Errorf("the same again: %+v", again)
	}
	elsewhere := w.Remember("The harbour office opens at eight.", named("office/hours"), func(in *engine.RememberInput) { in.Namespace = "other/place" }).Memory
	if v, err := find("other/place", "office/hours", engine.Access{}); err != nil || v.ID != elsewhere.ID || v.ID == first.ID {
		t.Errorf("in another namespace: %+v, %v", v, err)
	}
	before := w.Clock.Now()
	w.Clock.Advance(time.Hour)
	second := fixture.Supersede(t, w, first.ID, "The harbour office opens at nine.").Memory
	if v, err := find("default", "office/hours", engine.Access{}); err != nil || v.ID != second.ID || v.ExternalID != "office/hours" {
		t.Errorf("after a correction: %+v, %v", v, err)
	}
	if v, err := find("default", "office/hours", engine.Access{AsOf: graph.AsOf{Recorded: before}}); err != nil || v.ID != first.ID {
		t.Errorf("as of before the correction: %+v, %v", v, err)
	}
	_, err := find("default", "office", engine.Access{})
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "externalId")
	_, err = find("default", "", engine.Access{})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "externalId")
	_, err = find("a b", "office", engine.Access{})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "namespace")

	for _, id := range []graph.ID{second.ID, first.ID} {
		if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{id}}); err != nil {
			t.Fatal(err)
		}
	}
	_, err = find("default", "office/hours", engine.Access{})
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "externalId")
	if r := w.Remember("The harbour office opens at ten.", named("office/hours")); r.Replayed || r.Memory.ID == second.ID {
		t.Errorf("after the erasure: %+v", r)
	}
}

func TestExternalIDIsUniqueInItsNamespace(t *testing.T) {
	w := enginetest.New(t)
	ana := func(in *engine.RememberInput) { in.User = "ana" }
	first := w.Remember("Ana's bicycle is green.", named("bike"), ana).Memory
	write := func(content, user, externalID string) error {
		_, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: content, User: user, ExternalID: externalID, Consent: graph.ConsentExplicit})
		return err
	}
	err := write("Ana's bicycle is red.", "ana", "bike")
	fixture.WantError(t, err, graph.CodeVersionConflict, "externalId")
	if !strings.Contains(err.Error(), string(first.ID)) {
		t.Errorf("the error does not name the memory: %v", err)
	}
	err = write("Ana's bicycle is green.", "ben", "bike")
	fixture.WantError(t, err, graph.CodeVersionConflict, "externalId")
	if strings.Contains(err.Error(), string(first.ID)) {
		t.Errorf("the error names the memory of another user: %v", err)
	}
	fixture.WantError(t, write("x", "", strings.Repeat("x", 513)), graph.CodeInvalidRequest, "externalId")
	fixture.WantError(t, write("x", "", "\xff"), graph.CodeInvalidRequest, "externalId")

	// Of a batch that gives the id twice only the first counts.
	many, err := w.RememberMany(t.Context(), w.Caller, []engine.RememberInput{
		{Content: "The ferry sails at six.", Consent: graph.ConsentExplicit, ExternalID: "ferry"},
		{Content: "The ferry sails at seven.", Consent: graph.ConsentExplicit, ExternalID: "ferry"},
		{Content: "The ferry sails at six.", Consent: graph.ConsentExplicit, ExternalID: "ferry"},
	})
	if err != nil || many[0].Error != nil || graph.CodeOf(many[1].Error) != graph.CodeVersionConflict || !many[2].Replayed || many[2].Memory.ID != many[0].Memory.ID {
		t.Errorf("rememberMany: %+v, %v", many, err)
	}

	// A near duplicate is stored, so that both names are found.
	twin := w.Remember("Ana's bicycle is green.", named("bike 2"), ana)
	if twin.DuplicateOf != "" || twin.Memory.ID == first.ID || twin.Memory.ExternalID != "bike 2" {
		t.Errorf("a near duplicate with another name: %+v", twin)
	}

	// A correction may name the memory, but not take the name of another one.
	plain := w.Remember("The shed key hangs on the left hook.").Memory
	_, err = w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: plain.ID, Content: "The shed key hangs on the right hook.", ExternalID: "ferry"})
	fixture.WantError(t, err, graph.CodeVersionConflict, "externalId")
	r, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: plain.ID, Content: "The shed key hangs on the right hook.", ExternalID: "key"})
	if err != nil || r.Memory.ExternalID != "key" || r.Previous.ExternalID != "" {
		t.Errorf("supersede: %+v, %v", r, err)
	}
}

// Whether an external id is taken, and which memory it finds, does not depend on memories that the caller
// does not see: of another user, private to an agent, or of a class that the caller's sight leaves out.
func TestExternalIDsTellNothingOfWhatIsHidden(t *testing.T) {
	key := func(user, agent string) engine.Caller {
		return engine.Caller{Tenant: "default", Name: user + agent, User: user, Agent: agent, Grant: .8, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite}, Credential: "k-" + user + agent}
	}
	ben, crow := key("ben", ""), key("ana", "crow")
	write := func(content string, private bool) engine.RememberInput {
		return engine.RememberInput{Content: content, ExternalID: "crm/42", Consent: graph.ConsentExplicit, Private: private}
	}
	// What a key of ana is answered, with hidden memories of that name and without.
	run := func(ana engine.Caller, hidden bool) (answers []string) {
		w := enginetest.New(t)
		say := func(m *engine.View, err error) {
			text := "nothing"
			if m != nil {
				text = m.Content
			}
			answers = append(answers, fmt.Sprintf("%s %s %v", text, graph.CodeOf(err), err))
		}
		if hidden {
			for c, in := range map[*engine.Caller]engine.RememberInput{&ben: write("Ben pays on Fridays.", false), &crow: write("Ana pays late.", true)} {
				if r, err := w.Engine.Remember(t.Context(), *c, in); err != nil || r.Error != nil {
					t.Fatal(err, r.Error)
				}
			}
		}
		find := func() { say(w.MemoryByExternalID(t.Context(), ana, "default", "crm/42", engine.Access{})) }
		remember := func(content string) {
			r, err := w.Engine.Remember(t.Context(), ana, write(content, false))
			if err == nil && r.Error != nil {
				err = r.Error
			}
			say(r.Memory, err)
			answers = append(answers, fmt.Sprint(r.Replayed, len(r.ConflictsWith), r.DuplicateOf != ""))
		}
		find()
		remember("Ana pays on Mondays.")
		remember("Ana pays on Mondays.")
		find()
		plain, err := w.Engine.Remember(t.Context(), ana, engine.RememberInput{Content: "The kettle whistles.", Consent: graph.ConsentExplicit})
		if err != nil {
			t.Fatal(err)
		}
		r, err := w.Supersede(t.Context(), ana, engine.SupersedeInput{ID: plain.Memory.ID, Content: "The kettle is silent.", ExternalID: "crm/43"})
		if err != nil {
			t.Fatal(err)
		}
		say(r.Memory, err)
		if hidden { // each one finds its own, and who sees all finds the one that was named first
			for c, want := range map[*engine.Caller]string{&ben: "Ben pays on Fridays.", &ana: "Ana pays on Mondays."} {
				if v, err := w.MemoryByExternalID(t.Context(), *c, "default", "crm/42", engine.Access{}); err != nil || v.Content != want {
					t.Errorf("%s finds %+v, %v", c.User, v, err)
				}
			}
			if v, err := w.MemoryByExternalID(t.Context(), w.Caller, "default", "crm/42", engine.Access{}); err != nil || v.Content == "Ana pays on Mondays." {
				t.Errorf("an administrator finds the memory that was named last: %+v, %v", v, err)
			}
			_, err := w.Engine.Remember(t.Context(), w.Caller, write("Somebody pays.", false))
			fixture.WantError(t, err, graph.CodeVersionConflict, "externalId") // an administrator sees that it is taken
		}
		return answers
	}
	for _, c := range []engine.Caller{key("ana", ""), key("ana", "jay")} {
		if with, without := run(c, true), run(c, false); !slices.Equal(with, without) {
			t.Errorf("%s with hidden memories of that name:\n%s\nwithout:\n%s", c.Name, strings.Join(with, "\n"), strings.Join(without, "\n"))
		}
	}
}

// A digest that an earlier release stored for an input without an external id stays the same.
func TestExternalIDLeavesEarlierDigestsAlone(t *testing.T) {
	for _, in := range []any{engine.RememberInput{Content: "x"}, engine.SupersedeInput{Content: "x"}} {
		b, err := json.Marshal(in)
		if err != nil || strings.Contains(string(b), "ExternalID") {
			t.Errorf("%T without an external id encodes one", in)
		}
	}
}

// A correction may replace tags, meta and the external id. The id that the chain gave up is free.
func TestSupersedeRenames(t *testing.T) {
	w := enginetest.New(t)
	old := w.Remember("The tide table hangs by the door.", named("notes/tide"), func(in *engine.RememberInput) {
		in.Tags, in.Meta = []string{"notes", "tide"}, json.RawMessage(`{"path":"notes/tide"}`)
	}).Memory
	r, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: old.ID, Content: old.Content, ExternalID: "tide", Tags: []string{"tide"}, Meta: json.RawMessage(`{"path":"tide"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if m := r.Memory; m.ExternalID != "tide" || len(m.Tags) != 1 || m.Tags[0] != "tide" || string(m.Meta) != `{"path":"tide"}` {
		t.Errorf("renamed: %q, %q, %s", m.ExternalID, m.Tags, m.Meta)
	}
	kept := fixture.Supersede(t, w, r.Memory.ID, "The tide table hangs by the window.").Memory
	if len(kept.Tags) != 1 || string(kept.Meta) != `{"path":"tide"}` {
		t.Errorf("a correction without tags and meta has %q and %s", kept.Tags, kept.Meta)
	}
	fresh := w.Remember("High water is at six.", named("notes/tide"))
	if fresh.Replayed || fresh.Memory.Chain == kept.Chain {
		t.Errorf("under the name that is free again: %+v", fresh)
	}
	if v, err := w.MemoryByExternalID(t.Context(), w.Caller, "default", "notes/tide", engine.Access{}); err != nil || v.ID != fresh.Memory.ID {
		t.Errorf("the name finds %+v, %v", v, err)
	}
	_, err = w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: kept.ID, Content: "x", Tags: []string{""}})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "tags")
}
