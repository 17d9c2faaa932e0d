package recall_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

func byUser(user string) func(*engine.RememberInput) {
	return func(in *engine.RememberInput) { in.User = user }
}

// factsOf returns facts as "subject | predicate | object".
func factsOf(w *enginetest.World, in engine.FactsInput) []string {
	w.T.Helper()
	found, err := w.Facts(w.T.Context(), w.Caller, in)
	if err != nil {
		w.T.Fatal(err)
	}
	var out []string
	for _, x := range found {
		line := fmt.Sprintf("%s | %s | %s", x.State.Subject, x.State.Predicate, x.State.Object)
		if !x.Current {
			line += " | past"
		}
		out = append(out, line)
	}
	return out
}

// fieldOf returns the field that an error names.
func fieldOf(err error) string {
	if e := (*graph.Error)(nil); errors.As(err, &e) {
		return e.Field
	}
	return ""
}

func want(w *enginetest.World, what string, in engine.FactsInput, lines ...string) {
	w.T.Helper()
	if got := factsOf(w, in); !reflect.DeepEqual(got, lines) {
		w.T.Errorf("%s: %q, want %q", what, got, lines)
	}
}

func TestFactsAboutASubject(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("My dog is called Biscuit, I hate olives, and I live in Oslo.", byUser("ana"))
	w.Remember("Should I move to Porto?", byUser("ana"))
	w.Remember("I live in Leeds.", byUser("bo"))
	w.Remember("Ana speaks Dutch.")
	w.Remember("Moved north last week.", func(in *engine.RememberInput) { in.Subject, in.Predicate, in.Object = "Cleo", "lives_in", "Bergen" })

	want(w, "a user by name", engine.FactsInput{Subject: "Ana"}, "ana | hates | olives", "ana | lives in | Oslo", "Ana | speaks | Dutch")
	want(w, "the user", engine.FactsInput{Subject: "user", User: "ana", Predicate: "lives in"}, "ana | lives in | Oslo")
	want(w, "the first person of another user", engine.FactsInput{Subject: "I", User: "bo"}, "bo | lives in | Leeds")
	want(w, "what belongs to a user", engine.FactsInput{Subject: "Ana's dog"}, "ana's dog | is called | Biscuit")
	want(w, "a statement of the caller", engine.FactsInput{Subject: "CLEO", Predicate: "residence"}, "Cleo | lives_in | Bergen")
	want(w, "memories of another user", engine.FactsInput{Subject: "ana", User: "bo"}, "Ana | speaks | Dutch")
	want(w, "a page", engine.FactsInput{Subject: "ana", First: 1, Offset: 1}, "ana | lives in | Oslo")
	want(w, "after the last page", engine.FactsInput{Subject: "ana", Offset: 9})
	want(w, "another namespace", engine.FactsInput{Subject: "ana", Namespaces: []string{"elsewhere"}})

	bo := w.Caller
	bo.User = "bo"
	if found, err := w.Facts(t.Context(), bo, engine.FactsInput{Subject: "ana"}); err != nil || len(found) != 1 {
		t.Errorf("bo sees %d facts about ana: %v", len(found), err)
	}
	for field, in := range map[string]engine.FactsInput{
		"subject": {Subject: " ?"}, "offset": {Subject: "ana", Offset: -1}, "first": {Subject: "ana", First: -1}, "namespaces": {Subject: "ana", Namespaces: []string{"a b"}},
	} {
		if _, err := w.Facts(t.Context(), w.Caller, in); err == nil || fieldOf(err) != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestFactsAsOfAnInstant(t *testing.T) {
	w := enginetest.New(t)
	began := w.Clock.Now()
	first := w.Remember("Ana lives in Oslo.")
	w.Clock.Advance(30 * 24 * time.Hour)
	moved := w.Clock.Now()
	if _, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: first.Memory.ID, Content: "Ana lives in Bergen.", Reason: "she moved"}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(24 * time.Hour)
	ana := engine.FactsInput{Subject: "Ana", Predicate: "lives in"}
	want(w, "now", ana, "Ana | lives in | Bergen")
	ana.IncludePast = true
	want(w, "with the past", ana, "Ana | lives in | Bergen", "Ana | lives in | Oslo | past")
	ana.IncludePast = false
	ana.Access.AsOf = graph.AsOf{Recorded: moved.Add(-time.Hour)}
	want(w, "as known before the move", ana, "Ana | lives in | Oslo")
	ana.Access.AsOf = graph.AsOf{Valid: began.Add(time.Hour)}
	want(w, "as true before the move", ana, "Ana | lives in | Oslo")
	ana.Access.AsOf = graph.AsOf{Recorded: began.Add(-time.Hour)}
	want(w, "before anything was known", ana)
}

// What was corrected never held, what ended did, and what only used to hold is past.
func TestPastFacts(t *testing.T) {
	w := enginetest.New(t)
	first := w.Remember("Ana lives in Oslo.")
	if _, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: first.Memory.ID, Content: "Ana lives in Bergen.", ValidFrom: first.Memory.ValidFrom}); err != nil {
		t.Fatal(err)
	}
	w.Remember("Ana used to work at Siemens.")
	w.Remember("Ana ran a marathon yesterday.")
	w.Clock.Advance(48 * time.Hour)
	want(w, "now", engine.FactsInput{Subject: "Ana", Predicate: "lives in"}, "Ana | lives in | Bergen")
	want(w, "with the past", engine.FactsInput{Subject: "Ana", Predicate: "lives in", IncludePast: true}, "Ana | lives in | Bergen")
	want(w, "a former job, now", engine.FactsInput{Subject: "Ana", Predicate: "works at"})
	want(w, "a former job", engine.FactsInput{Subject: "Ana", Predicate: "works at", IncludePast: true}, "Ana | works at | Siemens | past")
	want(w, "an event", engine.FactsInput{Subject: "Ana", Predicate: "ran"}, "Ana | ran | marathon")
}

func TestFactsObeyConsentErasureAndRollback(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("Ana lives in Oslo.", func(in *engine.RememberInput) { in.Consent = graph.ConsentNone })
	likes := w.Remember("Ana likes tea.")
	ana := engine.FactsInput{Subject: "Ana"}
	want(w, "with any consent", ana, "Ana | likes | tea", "Ana | lives in | Oslo")
	ana.Access.RequireConsent = true
	want(w, "with consent", ana, "Ana | likes | tea")
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{likes.Memory.ID}}); err != nil {
		t.Fatal(err)
	}
	want(w, "after an erasure", ana)
	var stub *graph.Memory
	err := w.Store.View(t.Context(), w.Caller.Scope(), func(r graph.Reader) (err error) { stub, err = r.Memory(likes.Memory.ID); return err })
	if err != nil || len(stub.Claims) != 0 {
		t.Errorf("the stub has %d claims: %v", len(stub.Claims), err)
	}
}

// A fact stays one while its memory is archived, and a question for it finds it.
func TestFactsOfArchivedMemories(t *testing.T) {
	w := enginetest.New(t)
	town := w.Remember("I live in Oslo.", byUser("ana")).Memory.ID
	w.Clock.Advance(24 * time.Hour)
	if _, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		m, err := tx.Memory(town)
		if err != nil {
			return err
		}
		m.SetState(w.Clock.Now(), func(s *graph.State) { s.Status = graph.Archived })
		return tx.PutMemory(m, graph.EventArchived)
	}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	hits := w.Search("Where do I live?", func(in *engine.SearchInput) { in.User = "ana" }).Hits
	if len(hits) == 0 || hits[0].Memory.ID != town || hits[0].Label != engine.Faded {
		t.Errorf("a question for an archived fact: %+v", hits)
	}
	w.Remember("Ana lives in Rome.", byUser("ana"), func(in *engine.RememberInput) { in.SourceKind = graph.FromDocument })
	want(w, "archived", engine.FactsInput{Subject: "I", User: "ana"}, "ana | lives in | Oslo")
}

// What others than a user say otherwise is no fact, and no second opinion of equals is lost.
func TestWhatAUserSaidOverrulesOtherSources(t *testing.T) {
	w := enginetest.New(t)
	from := func(k graph.SourceKind) func(*engine.RememberInput) {
		return func(in *engine.RememberInput) { in.User, in.SourceKind, in.Agent = "ana", k, "helper" }
	}
	w.Remember("I live in Oslo.", byUser("ana"))
	w.Remember("I don't work at Nokia.", byUser("ana"))
	w.Remember("I speak Dutch.", byUser("ana"))
	w.Clock.Advance(time.Hour)
	w.Remember("Ana lives in Rome.", from(graph.FromDocument))
	w.Remember("Ana lives in Madrid.", from(graph.FromAssistant))
	w.Remember("Ana works at Nokia.", from(graph.FromTool))
	w.Remember("Ana speaks Polish.", from(graph.FromDocument))
	w.Remember("Ana's dog is called Rex.", from(graph.FromDocument))
	want(w, "of Ana", engine.FactsInput{Subject: "I", User: "ana"}, "Ana's dog | is called | Rex", "ana | lives in | Oslo", "Ana | speaks | Polish", "ana | speaks | Dutch", "ana | works at | Nokia") // the last one is denied
	want(w, "what only a document says", engine.FactsInput{Subject: "my dog", User: "ana"}, "Ana's dog | is called | Rex")
}

func TestRepeatedFactsAreListedOnce(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("Ana lives in Oslo.")
	w.Clock.Advance(24 * time.Hour)
	later := w.Remember("Yes, Ana lives in Oslo, near the harbour.", func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
	found, err := w.Facts(t.Context(), w.Caller, engine.FactsInput{Subject: "Ana", Predicate: "lives in"})
	if err != nil || len(found) != 1 || found[0].MemoryView.ID != later.Memory.ID {
		t.Errorf("%d facts: %v", len(found), err)
	}
}

func TestACorrectedClaim(t *testing.T) {
	w := enginetest.New(t)
	m := w.Remember("Ana lives in Oslo.").Memory
	before := w.Clock.Now()
	w.Clock.Advance(time.Hour)
	id := graph.ClaimID(m.ID, 1)
	text := func(s string) *string { return &s }
	x, err := w.CorrectClaim(t.Context(), w.Caller, engine.CorrectClaimInput{ID: id, Object: text("Bergen")})
	if err != nil || x.ID != id || x.State.Object != "Bergen" || !x.State.Corrected || !x.Current {
		t.Fatalf("%+v: %v", x, err)
	}
	ana := engine.FactsInput{Subject: "Ana"}
	want(w, "after a correction", ana, "Ana | lives in | Bergen")
	ana.Access.AsOf.Recorded = before
	want(w, "as known before the correction", ana, "Ana | lives in | Oslo")

	w.Clock.Advance(time.Hour)
	if _, err := w.CorrectClaim(t.Context(), w.Caller, engine.CorrectClaimInput{ID: id, Subject: text("Bo")}); err != nil {
		t.Fatal(err)
	}
	want(w, "about another subject", engine.FactsInput{Subject: "Bo"}, "Bo | lives in | Bergen")
	want(w, "about the former subject", engine.FactsInput{Subject: "Ana"})

	w.Clock.Advance(time.Hour)
	if x, err = w.CorrectClaim(t.Context(), w.Caller, engine.CorrectClaimInput{ID: id, Wrong: true}); err != nil || x.Current || !x.State.Withdrawn {
		t.Fatalf("%+v: %v", x, err)
	}
	want(w, "a wrong claim", engine.FactsInput{Subject: "Bo", IncludePast: true})
	if v, err := w.Memory(t.Context(), w.Caller, m.ID, engine.Access{}); err != nil || v.Content != "Ana lives in Oslo." || len(v.Claims(w.Now())) != 1 {
		t.Errorf("the memory changed: %v", err)
	}

	weak := w.Caller
	weak.Grant = 0.1
	for what, c := range map[string]struct {
		caller engine.Caller
		in     engine.CorrectClaimInput
		code   graph.Code
		field  string
	}{
		"no claim":        {w.Caller, engine.CorrectClaimInput{ID: string(m.ID), Wrong: true}, graph.CodeInvalidRequest, "id"},
		"an unknown one":  {w.Caller, engine.CorrectClaimInput{ID: graph.ClaimID(m.ID, 7), Wrong: true}, graph.CodeMemoryNotFound, "id"},
		"nothing":         {w.Caller, engine.CorrectClaimInput{ID: id}, graph.CodeInvalidRequest, "wrong"},
		"both":            {w.Caller, engine.CorrectClaimInput{ID: id, Wrong: true, Object: text("x")}, graph.CodeInvalidRequest, "object"},
		"an empty object": {w.Caller, engine.CorrectClaimInput{ID: id, Object: text(" ")}, graph.CodeInvalidRequest, "object"},
		"a weak grant":    {weak, engine.CorrectClaimInput{ID: id, Object: text("Rome")}, graph.CodeForbidden, "id"},
	} {
		if _, err := w.CorrectClaim(t.Context(), c.caller, c.in); graph.CodeOf(err) != c.code || fieldOf(err) != c.field {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A contested memory is contested in what it says otherwise than the contesting one.
func TestContestedClaims(t *testing.T) {
	w := enginetest.New(t)
	dog := w.Remember("My dog is called Biscuit.", byUser("ana"))
	tea := w.Remember("I like tea and I live in Oslo.", byUser("ana"))
	w.Clock.Advance(time.Hour)
	before := w.Clock.Now()
	w.Clock.Advance(time.Hour)
	coffee := w.Remember("I like coffee.", byUser("ana"))
	contest(w, coffee.Memory.ID, tea.Memory.ID)

	contestedBy := func(what string, id graph.ID, a engine.Access) (ids [][]graph.ID) {
		t.Helper()
		v, err := w.Memory(t.Context(), w.Caller, id, a)
		if err != nil {
			t.Fatal(err)
		}
		found, err := w.Contesting(t.Context(), w.Caller, []*engine.View{v, nil})
		if err != nil || len(found) != 2 || found[1] != nil {
			t.Fatalf("%s: %v, %v", what, found, err)
		}
		for _, x := range v.Claims(w.Now()) {
			var by []graph.ID
			for _, o := range x.ContestedBy(found[0], w.Now()) {
				by = append(by, o.ID)
			}
			ids = append(ids, by)
		}
		return ids
	}
	for what, c := range map[string]struct {
		id     graph.ID
		access engine.Access
		want   [][]graph.ID
	}{
		"the drink, not the town":        {tea.Memory.ID, engine.Access{}, [][]graph.ID{{coffee.Memory.ID}, nil}},
		"the other way round":            {coffee.Memory.ID, engine.Access{}, [][]graph.ID{{tea.Memory.ID}}},
		"another memory":                 {dog.Memory.ID, engine.Access{}, [][]graph.ID{nil}},
		"as known before the other came": {tea.Memory.ID, engine.Access{AsOf: graph.AsOf{Recorded: before}}, [][]graph.ID{nil, nil}},
	} {
		if got := contestedBy(what, c.id, c.access); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
	if _, err := w.ResolveConflict(t.Context(), w.Caller, coffee.Memory.ID, tea.Memory.ID, "", "both are true"); err != nil {
		t.Fatal(err)
	}
	if got := contestedBy("after it was resolved", tea.Memory.ID, engine.Access{}); !reflect.DeepEqual(got, [][]graph.ID{nil, nil}) {
		t.Errorf("after it was resolved: %v", got)
	}
}

// contest records that two memories contradict each other.
func contest(w *enginetest.World, later, earlier graph.ID) {
	w.T.Helper()
	_, err := w.Store.Update(w.T.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		for _, id := range []graph.ID{later, earlier} {
			m, err := tx.Memory(id)
			if err != nil {
				return err
			}
			m.Conflict = 0.9
			if err := tx.PutMemory(m, graph.EventUpdated); err != nil {
				return err
			}
		}
		return tx.PutEdge(graph.Edge{From: later, Kind: graph.Contradicts, To: earlier, Weight: 0.9, At: w.Now()})
	})
	if err != nil {
		w.T.Fatal(err)
	}
}

// The noun of an attribute as predicate finds what states it in other words.
func TestFactsByTheNounOfAnAttribute(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("My manager is Dana.", by("ana"))
	w.Remember("Kim's boss is Lou.", by("ana"))
	for asked, want := range map[[2]string]string{
		{"user", "manager"}: "Dana", {"ana", "boss"}: "Dana", {"Kim", "manager"}: "Lou", {"user", "car"}: "", {"Bas", "manager"}: "", {"user", "?"}: "",
	} {
		facts, err := w.Facts(t.Context(), w.Caller, engine.FactsInput{Subject: asked[0], Predicate: asked[1], User: "ana"})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range facts {
			got += f.State.Object
		}
		if got != want {
			t.Errorf("facts(%q, %q): %q, want %q", asked[0], asked[1], got, want)
		}
	}
	w.Clock.Advance(24 * time.Hour)
	w.Remember("My manager is Priya.", by("ana"))
	for offset, want := range []string{"Priya", "Dana", ""} {
		facts, err := w.Facts(t.Context(), w.Caller, engine.FactsInput{Subject: "user", Predicate: "manager", User: "ana", IncludePast: true, First: 1, Offset: offset})
		if err != nil {
			t.Fatal(err)
		}
		if len(facts) > 1 || (len(facts) == 1) != (want != "") || len(facts) == 1 && facts[0].State.Object != want {
			t.Errorf("page %d: %+v, want %q", offset, facts, want)
		}
	}
}
