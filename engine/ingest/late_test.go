package ingest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// In whatever order the statements of one slot arrive, each holds from its beginning to that of the next one.
func TestTheTimelineDoesNotDependOnTheOrderOfArrival(t *testing.T) {
	towns := []string{"Oslo", "Paris", "Bergen", "Ulm"}
	at := func(i int) time.Time { return enginetest.Start.AddDate(i-len(towns), 0, 0) }
	var orders [][]int
	var permute func(order, rest []int)
	permute = func(order, rest []int) {
		if len(rest) == 0 {
			orders = append(orders, order)
		}
		for i, x := range rest {
			left := append(append([]int{}, rest[:i]...), rest[i+1:]...)
			permute(append(append([]int{}, order...), x), left)
		}
	}
	permute(nil, []int{0, 1, 2, 3})
	for _, order := range orders {
		w := enginetest.New(t)
		ids := make([]graph.ID, len(towns))
		for _, i := range order {
			ids[i] = w.Remember("I live in "+towns[i]+".", func(in *engine.RememberInput) { in.User, in.OccurredAt = "ana", at(i) }).Memory.ID
			w.Clock.Advance(time.Hour)
		}
		got, want := "", ""
		for i, id := range ids {
			m := view(w, id).Memory
			got += fmt.Sprintf("%s %s to %s\n", m.Content, m.ValidFrom.Format(time.DateOnly), m.State().ValidTo.Format(time.DateOnly))
			end := time.Time{}
			if i+1 < len(towns) {
				end = at(i + 1)
			}
			want += fmt.Sprintf("I live in %s. %s to %s\n", towns[i], at(i).Format(time.DateOnly), end.Format(time.DateOnly))
		}
		if got != want {
			t.Errorf("order %v:\n%swant\n%s", order, got, want)
		}
	}
}

// A claim of a text with several that arrives late enters as past, and contests nothing of today.
func TestALateTextWithTwoClaimsContestsNothing(t *testing.T) {
	w := enginetest.New(t)
	home := w.Remember("I live in Bergen.", func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID
	late := w.Remember("I live in Oslo and my dog is called Faro.", func(in *engine.RememberInput) { in.User, in.OccurredAt = "ana", enginetest.Start.AddDate(-2, 0, 0) }).Memory.ID
	if m := view(w, home).Memory; m.Status() != graph.Active || m.Conflict != 0 {
		t.Errorf("today's statement is %s with conflict %v", m.Status(), m.Conflict)
	}
	m := view(w, late).Memory
	if m.Status() != graph.Active || m.Conflict != 0 || len(m.Claims) != 2 {
		t.Fatalf("the late one is %s with conflict %v and %d claims", m.Status(), m.Conflict, len(m.Claims))
	}
	if lives, dog := m.Claims[0].State(), m.Claims[1].State(); lives.RevisedBy != home || !lives.ValidTo.Equal(enginetest.Start) || !dog.ValidTo.IsZero() {
		t.Errorf("%+v %+v", lives, dog)
	}
}

// What an old conversation says contests nothing of today, whatever it is.
func TestAnOldConversationContestsNothingOfToday(t *testing.T) {
	for _, x := range []struct{ today, old string }{
		{"I live in Bergen.", "I moved to Stavanger last week."},
		{"I work at Aker.", "I moved to Stavanger last week."},
		{"I work at Aker.", "I live in Oslo and work at Equinor."},
		{"I'm married to Ann.", "I'm dating Cy."},
		{"Never deploy on Fridays.", "Always deploy on Fridays."},
	} {
		w := enginetest.New(t)
		today := w.Remember(x.today, func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID
		old := w.Remember(x.old, func(in *engine.RememberInput) { in.User, in.OccurredAt = "ana", enginetest.Start.AddDate(-2, 0, 0) }).Memory.ID
		for _, id := range []graph.ID{today, old} {
			if m := view(w, id).Memory; m.Conflict > contestedAbove || id == today && m.Status() != graph.Active {
				t.Errorf("%q with the old %q: %q is %s with conflict %.2f", x.today, x.old, m.Content, m.Status(), m.Conflict)
			}
		}
	}
}

// A bounded statement that is over is no rival.
func TestABoundedStatementThatIsOverIsNoRival(t *testing.T) {
	w := enginetest.New(t)
	var ids []graph.ID
	for _, text := range []string{"My shift starts at 4 this week.", "My shift starts at 2 pm now."} {
		ids = append(ids, w.Remember(text, func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID)
		w.Clock.Advance(10 * 24 * time.Hour)
	}
	for _, id := range ids {
		if m := view(w, id).Memory; m.Conflict > contestedAbove {
			t.Errorf("%q is contested: %.2f", m.Content, m.Conflict)
		}
	}
}
