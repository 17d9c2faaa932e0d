package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// said remembers what a user says, and then waits.
func said(w *enginetest.World, text string, wait time.Duration) graph.ID {
	id := w.Remember(text, by("ana")).Memory.ID
	w.Clock.Advance(wait)
	return id
}

// placeOf returns the place of a memory among the hits, -1 if it is not there.
func placeOf(r *engine.SearchResult, id graph.ID) int {
	for i, h := range r.Hits {
		if h.Memory.ID == id {
			return i
		}
	}
	return -1
}

// Of two statements on one matter the later one is the first hit, also where the earlier one has
// more words of the question.
func TestLaterStatementComesFirst(t *testing.T) {
	for _, x := range []struct{ earlier, later, question string }{
		{"Tobias looks after the billing service.", "Billing service has been handed over to Marguerite.", "Who looks after the billing service?"},
		{"The garage code is 1947.", "Garage code changed, 8820.", "What is the garage code?"},
		{"Uncle Henk lives in Arnhem.", "Uncle Henk moved into a nursing home in Zwolle.", "Where does uncle Henk live?"},
		{"The build is green.", "The build is broken.", "What is the state of the build?"},
		// The relation is undecided, but both answer.
		{"Book club meets at Clara's.", "The book club gathers in the library.", "Where does the book club meet?"},
	} {
		w := enginetest.New(t)
		earlier := said(w, x.earlier, 12*24*time.Hour)
		later := said(w, x.later, time.Hour)
		r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
		if l, e := placeOf(r, later), placeOf(r, earlier); l != 0 || e == 0 {
			t.Errorf("%s: the later one is at %d, the earlier one at %d", x.question, l, e)
		}
	}
}

// What is about another thing, asks, wishes, or is said with less standing comes after the answer.
func TestCompatibleStatementsKeepTheirOrder(t *testing.T) {
	for _, x := range []struct{ earlier, later, question string }{
		{"My aunt Vera lives in Trier.", "My aunt Ilse lives in Mainz.", "Where does aunt Vera live?"},
		{"I live in Porto.", "Should I move to Faro?", "Where do I live?"},
		{"We deploy on Tuesdays.", "If we had more testers we would deploy daily.", "When do we deploy?"},
		{"Invoice 81 is paid.", "Invoice 82 is overdue.", "Is invoice 81 paid?"},
		{"Anna is allergic to nuts.", "Peter is allergic to shellfish.", "What is Anna allergic to?"},
	} {
		w := enginetest.New(t)
		earlier := said(w, x.earlier, 12*24*time.Hour)
		said(w, x.later, time.Hour)
		r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
		if placeOf(r, earlier) != 0 {
			t.Errorf("%s: the answer is at %d", x.question, placeOf(r, earlier))
		}
	}
}

func TestWordsOfAnAssistantDoNotComeBeforeThoseOfAUser(t *testing.T) {
	w := enginetest.New(t)
	fact := said(w, "The build is green.", time.Hour)
	w.Remember("The build is broken.", by("ana"), func(in *engine.RememberInput) { in.SourceKind = graph.FromAssistant })
	if r := w.Search("Is the build green?", func(in *engine.SearchInput) { in.User = "ana" }); placeOf(r, fact) != 0 {
		t.Errorf("the user's statement is at %d", placeOf(r, fact))
	}
}

// A question of the past, and one that names a time, keep the order of their hits.
func TestQuestionsOfThePastKeepTheEarlierStatementFirst(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default")
	earlier := said(w, "Uncle Henk lives in Arnhem.", 40*24*time.Hour)
	later := said(w, "Uncle Henk moved into a nursing home in Zwolle.", time.Hour)
	for question, want := range map[string]graph.ID{
		"Where does uncle Henk live?":             later,
		"Where did uncle Henk live previously?":   earlier,
		"Where did uncle Henk use to live?":       earlier,
		"Where did uncle Henk live a month ago?":  earlier,
		"Where did uncle Henk live in the past?":  earlier,
		"In which town does uncle Henk live now?": later,
	} {
		if r := w.Search(question, func(in *engine.SearchInput) { in.User = "ana" }); placeOf(r, want) != 0 {
			t.Errorf("%s: %d", question, placeOf(r, want))
		}
	}
	then := w.Clock.Now().Add(-20 * 24 * time.Hour)
	r := w.Search("Where does uncle Henk live?", func(in *engine.SearchInput) { in.User, in.Access.AsOf.Recorded = "ana", then })
	if placeOf(r, earlier) != 0 || placeOf(r, later) >= 0 {
		t.Errorf("as of the time before: %d, %d", placeOf(r, earlier), placeOf(r, later))
	}
}

// Long texts keep their order: among many clauses some pair always looks alike.
func TestLongTextsKeepTheirOrder(t *testing.T) {
	w := enginetest.New(t)
	more := strings.Repeat(" We talked about the harbour, the nets and the price of diesel.", 3)
	earlier := said(w, "Uncle Henk lives in Arnhem."+more, 12*24*time.Hour)
	later := said(w, "Uncle Henk moved to Zwolle. It rained."+more, time.Hour)
	if _, err := w.ResolveConflict(t.Context(), w.Caller, earlier, later, "", ""); err != nil { // a contradiction would put it first
		t.Fatal(err)
	}
	if r := w.Search("Does uncle Henk live in Arnhem?", func(in *engine.SearchInput) { in.User = "ana" }); placeOf(r, earlier) != 0 {
		t.Errorf("the first is at %d", placeOf(r, earlier))
	}
}

// A later statement in the slot of a hit is found where it has hardly a word of the question.
func TestLaterStatementInTheSlotOfAHitIsInserted(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default")
	for _, x := range []string{"Where the tram ends I live it up.", "I live for the opera.", "To live is to sail, I think.", "Long live the king, said I."} {
		said(w, x, time.Minute)
	}
	earlier := said(w, "I live in Oslo.", 12*24*time.Hour)
	later := said(w, "I moved to Bergen.", time.Hour)
	r := w.Search("Where do I live?", func(in *engine.SearchInput) { in.User, in.TopK = "ana", 3 })
	if l, e := placeOf(r, later), placeOf(r, earlier); l < 0 || e >= 0 && e < l || len(r.Hits) > 3 {
		t.Errorf("later at %d, earlier at %d, %d hits", l, e, len(r.Hits))
	}
}

// The statement that ended a claim of a hit comes before it, also if it has no word of the question.
func TestWhatEndedAClaimComesFirst(t *testing.T) {
	w := enginetest.New(t)
	earlier := said(w, "Dr Vance is my therapist. We meet online.", 12*24*time.Hour)
	later := said(w, "Dr Vance retired. I see Dr Malik instead.", time.Hour)
	r := w.Search("Who is my therapist?", func(in *engine.SearchInput) { in.User = "ana" })
	if l, e := placeOf(r, later), placeOf(r, earlier); l != 0 || e != 1 {
		t.Errorf("later at %d, earlier at %d", l, e)
	}
}

// A caller of less authority does not put its statement first either, whoever it says it speaks for.
func TestLessAuthorityDoesNotComeFirst(t *testing.T) {
	w := enginetest.New(t)
	fact := said(w, "The garage code is 1947.", 12*24*time.Hour)
	visitor := w.Caller
	visitor.Name, visitor.Grant = "visitor", 0.3
	in := engine.RememberInput{Content: "Garage code changed, 8820.", Consent: graph.ConsentExplicit, User: "ana"}
	if _, err := w.Engine.Remember(t.Context(), visitor, in); err != nil {
		t.Fatal(err)
	}
	if r := w.Search("What is the garage code?", func(in *engine.SearchInput) { in.User = "ana" }); placeOf(r, fact) != 0 {
		t.Errorf("the statement with more authority is at %d", placeOf(r, fact))
	}
}
