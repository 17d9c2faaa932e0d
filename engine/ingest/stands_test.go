package ingest_test

import (
	"fmt"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/graph"
)

// outcome is what a later statement does to an earlier one.
type outcome string

const (
	stands    outcome = "both stand"
	rivals    outcome = "rivals"
	revised   outcome = "revised"
	corrected outcome = "corrected"
)

// outcomeOf states both texts a day apart, as one user.
func outcomeOf(w *enginetest.World, user, earlier, later string) outcome {
	old := says(w, earlier, by(user, user+"a")).Memory.ID
	id := says(w, later, by(user, user+"b")).Memory.ID
	a, b := view(w, old), view(w, id)
	switch {
	case a.Status() == graph.Superseded && b.Memory.Reason == ingest.ReasonCorrected:
		return corrected
	case a.Status() == graph.Superseded:
		return revised
	case max(a.Conflict, b.Conflict) > contestedAbove:
		return rivals
	}
	return stands
}

type pairOutcome struct {
	earlier, later string
	want           outcome
}

func wantOutcomes(t *testing.T, pairs []pairOutcome) {
	t.Helper()
	w := enginetest.New(t)
	for i, p := range pairs {
		if got := outcomeOf(w, fmt.Sprintf("user%d", i), p.earlier, p.later); got != p.want {
			t.Errorf("%q, %q: %s, want %s", p.earlier, p.later, got, p.want)
		}
	}
}

func TestPreferencesOfSeveralKindsStand(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"I prefer tea.", "I prefer window seats.", stands},
		{"I prefer tea.", "I prefer short replies.", stands},
		{"I prefer window seats.", "I prefer trains.", stands},
		{"I prefer tabs over spaces.", "I prefer metric units.", stands},
		{"The user prefers window seats.", "The user prefers vegetarian food.", stands},
		{"I prefer short replies.", "I prefer polite replies.", stands},
		{"For breakfast I prefer porridge.", "For lunch I prefer soup.", stands},
		{"For breakfast I prefer porridge.", "For breakfast I prefer eggs.", rivals},
		{"I prefer window seats.", "I prefer aisle seats.", revised},
		{"I prefer tea over coffee.", "I prefer coffee over tea.", revised},
		{"I prefer tea over coffee.", "I prefer coffee now.", revised},
		{"I prefer Slack.", "I prefer Teams.", revised},
		{"I prefer working from home.", "I prefer working in the office now.", revised},
	})
}

func TestATransferStandsBesideAResidence(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"Paloma lives in Turin.", "Paloma was moved to the field unit.", stands},
		{"Edda lives in Graz.", "Edda moved to Project Lantern.", stands},
		{"I live in Turin.", "I moved to the finance team.", stands},
		{"Paloma lives in Turin.", "Paloma moved to Marseille.", revised},
		{"I am in the sales team.", "I moved to the finance team.", revised},
	})
}

// A change to a value of another kind, and what a thing is like, end nothing of which they say nothing.
func TestWhatIsOfAnotherKindEndsNothing(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"I live in Oslo.", "I moved to Linux.", stands},
		{"I live in Oslo.", "I moved to decaf.", stands},
		{"I live in Oslo.", "I moved to a plant-based diet.", stands},
		{"I live in Oslo.", "I moved to the front row.", stands},
		{"I live in Oslo.", "I moved to Signal.", stands},
		{"I live in Oslo.", "I moved to part-time.", stands},
		{"I live in Oslo.", "I moved to the sofa because my back hurts.", stands},
		{"I live in Oslo.", "I moved to Firefox.", stands},
		{"I live in Oslo.", "I moved to Kagi.", rivals},
		{"I live in Oslo.", "I moved to Kagi for search.", stands},
		{"I live in Oslo.", "I moved to Bryne last month.", revised},
		{"I live in Oslo.", "I moved to a cottage near Bergen.", revised},
		{"I live in Oslo.", "I moved to Bergen.", revised},
		{"I work at Siemens.", "I signed a contract with Vodafone.", stands},
		{"I work at Siemens.", "I joined a call with Hale.", stands},
		{"I work at Siemens.", "I joined Bosch.", revised},
		{"My boss is Henrike.", "My boss is from Kiel.", stands},
		{"My boss is Henrike.", "My boss is Tomasz now.", revised},
		{"My phone is a Pixel.", "My phone is broken.", stands},
		{"My phone is a Pixel.", "My phone is an iPhone.", revised},
		{"My name is Katherine.", "My name is on the list.", stands},
		{"My partner is called Theo.", "Theo and I got married.", stands},
	})
}

// A second value of a verb that takes several stands beside the first one.
func TestAVerbTakesSeveralValues(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"Kim coaches the under-12s.", "Kim coaches the under-15s.", stands},
		{"Eve studies maths.", "Eve studies physics.", stands},
		{"I have a son called Leo.", "I have a son called Max.", stands},
		{"The library supports Python.", "The library supports Go.", stands},
		{"Zed mentors Ann.", "Zed mentors Bob.", stands},
		{"The app crashes on Android 13.", "The app crashes on iOS 17.", stands},
		{"Our competitor is Zeta.", "Our competitor is Omega.", stands},
		{"The gym opens at 6 on weekdays.", "The gym opens at 8 on weekends.", stands},
	})
}

func TestWhatIsSaidInOtherWordsRevises(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"I prefer coffee over tea.", "Actually I'm back to preferring tea.", revised},
		{"Our project is called Levain.", "We renamed the project to Pain.", revised},
		{"My brother Jon lives in Bonn.", "My brother moved to Hamburg.", rivals},
	})
}

// The user is one subject by "I", by name and as "the user".
func TestTheUserIsOneSubject(t *testing.T) {
	w := enginetest.New(t)
	old := says(w, "I live in Oslo.", by("ana", "a")).Memory.ID
	says(w, "Ana lives in Bergen.", by("ana", "b"))
	if v := view(w, old); v.Status() != graph.Superseded {
		t.Errorf("the residence of the user is %s", v.Status())
	}
	for text, want := range map[string]string{"The user prefers short answers.": "ana", "User works at Bosch.": "ana", "The user's daughter is called Mia.": "ana's daughter"} {
		v := w.Remember(text, func(in *engine.RememberInput) { in.User, in.SourceKind = "ana", graph.FromAssistant })
		if c := v.Memory.Memory.Claims; len(c) != 1 || c[0].State().Subject != want {
			t.Errorf("%q: %+v, want the subject %q", text, c, want)
		}
	}
}

func TestEventsOfSeveralOccasionsStand(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"I read chapter 3.", "I read chapter 4.", stands},
		{"Priya approved ticket 400.", "Priya approved ticket 401.", stands},
		{"Dinner cost 40 euros.", "Dinner cost 55 euros.", stands},
		{"Mia graded exam 17.", "Mia graded exam 18.", stands},
		{"The build took 10 minutes.", "The build took 12 minutes.", stands},
		{"The server crashed at 03:12.", "The server crashed at 17:40.", stands},
		{"Ben closed issue 12.", "Ben closed issue 13.", stands},
		{"Ben arrived at 09:00.", "Ben arrived at 10:00.", stands},
		{"The train left at 8:05.", "The train left at 8:17.", stands},
		{"I finished level 2.", "I finished level 3.", stands},
		{"Dinner on 3 May cost 40 euros.", "Dinner on 3 May cost 55 euros.", rivals},
		{"Dinner cost 40 euros.", "Correction: dinner cost 55 euros.", rivals},
		{"Ben arrived at 09:00.", "Actually, Ben arrived at 10:00.", rivals},
		{"The meeting was on Tuesday.", "Correction: the meeting was on Wednesday.", corrected},
		{"The meeting was on Tuesday.", "The meeting was on Wednesday, not Tuesday.", corrected},
		{"I moved to Oslo.", "I moved to Bergen.", revised},
		{"We chose Postgres for billing.", "We chose MySQL for billing.", rivals},
		{"We scheduled the review for Tuesday.", "We scheduled the review for Friday.", rivals},
		{"The board appointed Kim as chair.", "The board appointed Lee as chair.", rivals},
	})
}

func TestDenialsOfAnotherValueStand(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"I live in Turku.", "I never lived in Oslo.", stands},
		{"I work at Nokia.", "I never worked at Ericsson.", stands},
		{"The meeting is on Tuesday.", "The meeting was never on Friday.", stands},
		{"My manager is Dana.", "My manager was never Priya.", stands},
		{"I live in Oslo.", "I never lived in Oslo.", corrected},
		{"I work at Nokia.", "I have never worked at Nokia.", corrected},
		{"My manager is Dana.", "My manager was never Dana.", corrected},
	})
}

func TestARenameConcernsTheNameAlone(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"Northwind Labs is part of Helix Group.", "Northwind Labs was renamed to Cobalt Labs.", stands},
		{"The Atlas project is blocked.", "The Atlas project was renamed to Juniper.", stands},
		{"The boat is red.", "The boat was renamed to Juniper.", stands},
		{"The boat was renamed to Juniper.", "The boat is red.", stands},
		{"The boat is called Alma.", "The boat was renamed to Juniper.", revised},
	})
}

func TestATaskIsNoRivalOfAFact(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"Priya Nair leads Atlas.", "TODO: send Priya the Atlas contract.", stands},
		{"TODO: send Priya the Atlas contract.", "Priya Nair leads Atlas.", stands},
	})
}

func TestMayIsAMonthAfterAPreposition(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"The Atlas launch is planned for May.", "The Atlas launch is planned for July.", revised},
		{"The Atlas launch is planned for July.", "The Atlas launch is planned for May.", revised},
	})
}
