package recall_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// knownLines returns what is remembered of a user as text, and the total.
func knownLines(w *enginetest.World, in engine.KnownInput) ([]string, int) {
	w.T.Helper()
	page, err := w.Known(w.T.Context(), w.Caller, in)
	if err != nil {
		w.T.Fatal(err)
	}
	var out []string
	for _, l := range page.Lines {
		line := "memory: " + l.Memory.Content
		if x := l.Claim; x != nil {
			line = fmt.Sprintf("%s | %s | %s", x.State.Subject, x.State.Predicate, x.State.Object)
			if !x.Current {
				line += " | past"
			}
		}
		out = append(out, line)
	}
	return out, page.Total
}

func TestWhatIsRememberedOfAUser(t *testing.T) {
	w := enginetest.New(t)
	began := w.Clock.Now()
	w.Clock.Advance(time.Hour)
	w.Remember("My dog is called Biscuit, and I live in Oslo.", byUser("ana"))
	w.Remember("Please always answer in Dutch.", byUser("ana"))
	w.Remember("Should I sell the boat?", byUser("ana"))
	w.Remember("Ana speaks Dutch.")
	w.Remember("Bram lives in Leiden.")
	w.Remember("I live in Leeds.", byUser("bo"))
	used := w.Remember("I used to work at Siemens.", byUser("ana"))

	ana := engine.KnownInput{User: "ana"}
	facts := []string{"ana | lives in | Oslo", "Ana | speaks | Dutch", " | answer in | Dutch", "ana's dog | is called | Biscuit"}
	rest := []string{"memory: I used to work at Siemens.", "memory: Should I sell the boat?"}
	got, total := knownLines(w, ana)
	if total != len(facts)+len(rest) || !reflect.DeepEqual(got[:len(facts)], facts) || !sameSet(got[len(facts):], rest) {
		t.Errorf("%d lines: %q", total, got)
	}
	page := ana
	page.First, page.Offset = 2, 1
	if got, all := knownLines(w, page); all != total || !reflect.DeepEqual(got, facts[1:3]) {
		t.Errorf("a page: %d, %q", all, got)
	}
	past := ana
	past.IncludePast = true
	if got, all := knownLines(w, past); all != total || !reflect.DeepEqual(got[2], "ana | works at | Siemens | past") {
		t.Errorf("with the past: %d, %q", all, got)
	}
	early := ana
	early.Access.AsOf = graph.AsOf{Recorded: began}
	if got, all := knownLines(w, early); all != 0 || len(got) != 0 {
		t.Errorf("before anything was known: %q", got)
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{used.Memory.ID}}); err != nil {
		t.Fatal(err)
	}
	if _, all := knownLines(w, ana); all != total-1 {
		t.Errorf("after an erasure %d lines, before %d", all, total)
	}

	bo := w.Caller
	bo.User = "bo"
	if _, err := w.Known(t.Context(), bo, ana); graph.CodeOf(err) != graph.CodeForbidden || fieldOf(err) != "user" {
		t.Errorf("bo asks about ana: %v", err)
	}
	for field, in := range map[string]engine.KnownInput{
		"user": {User: " ?"}, "offset": {User: "ana", Offset: -1}, "first": {User: "ana", First: -1}, "namespaces": {User: "ana", Namespaces: []string{"a b"}},
	} {
		if _, err := w.Known(t.Context(), w.Caller, in); err == nil || fieldOf(err) != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func sameSet(a, b []string) bool {
	count := map[string]int{}
	for _, s := range a {
		count[s]++
	}
	for _, s := range b {
		count[s]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

func TestAConfirmedClaim(t *testing.T) {
	w := enginetest.New(t)
	m := w.Remember("Ana lives in Oslo.").Memory
	id := graph.ClaimID(m.ID, 1)
	before := w.Clock.Now()
	w.Clock.Advance(time.Hour)
	for range 2 { // confirming again changes nothing
		x, err := w.ConfirmClaim(t.Context(), w.Caller, id)
		if err != nil || !x.State.Confirmed || x.Certainty() != 1 || len(x.Claim.History) != 2 {
			t.Fatalf("%+v: %v", x, err)
		}
	}
	v, err := w.Memory(t.Context(), w.Caller, m.ID, engine.Access{AsOf: graph.AsOf{Recorded: before}})
	if err != nil || v.Claims(w.Now())[0].Certainty() != m.Memory.Claims[0].Certainty || v.Claims(w.Now())[0].State.Confirmed {
		t.Errorf("as known before: %v", err)
	}
	object := "Bergen"
	if x, err := w.CorrectClaim(t.Context(), w.Caller, engine.CorrectClaimInput{ID: id, Object: &object}); err != nil || x.State.Confirmed || x.Certainty() != 1 {
		t.Errorf("after a correction: %+v, %v", x, err)
	}
	if _, err := w.CorrectClaim(t.Context(), w.Caller, engine.CorrectClaimInput{ID: id, Wrong: true}); err != nil {
		t.Fatal(err)
	}
	weak := w.Caller
	weak.Grant = 0.1
	for what, c := range map[string]struct {
		caller engine.Caller
		id     string
		code   graph.Code
	}{
		"a withdrawn one": {w.Caller, id, graph.CodeInvalidRequest},
		"no claim":        {w.Caller, string(m.ID), graph.CodeInvalidRequest},
		"an unknown one":  {w.Caller, graph.ClaimID(m.ID, 60), graph.CodeMemoryNotFound},
		"a weak grant":    {weak, id, graph.CodeForbidden},
	} {
		if _, err := w.ConfirmClaim(t.Context(), c.caller, c.id); graph.CodeOf(err) != c.code || fieldOf(err) != "id" {
			t.Errorf("%s: %v", what, err)
		}
	}
}
