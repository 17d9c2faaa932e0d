package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// What is stated under an earlier name is found under the later one.
func TestFactsUnderAnEarlierName(t *testing.T) {
	for _, x := range []struct{ fact, renaming, name, want string }{
		{"Project Falcon is owned by Ines.", "We renamed Project Falcon to Project Kestrel.", "Kestrel", "Project Falcon | is owned by | Ines"},
		{"Falcon is written in Rust.", "Falcon is called Kestrel now.", "Kestrel", "Falcon | is written in | Rust"},
		{"Falcon runs on Hetzner.", "Falcon was renamed Kestrel.", "Kestrel", "Falcon | runs on | Hetzner"},
		{"Falcon runs on Hetzner.", "Falcon has been rebranded as Kestrel.", "Kestrel", "Falcon | runs on | Hetzner"},
		{"Falcon runs on Hetzner.", "Falcon is now known as Kestrel.", "Kestrel", "Falcon | runs on | Hetzner"},
		{"billing-svc is written in Go.", "billing-svc was renamed to ledger-svc.", "ledger-svc", "billing-svc | is written in | Go"},
		{"Anna Berg speaks Dutch.", "I changed my name from Anna Berg to Anna Holm.", "Anna Holm", "Anna Berg | speaks | Dutch"},
		{"I live in Oslo.", "I changed my name from Anna Berg to Anna Holm.", "Anna Holm", "ana | lives in | Oslo"},
	} {
		w := enginetest.New(t)
		w.Remember(x.fact, byUser("ana"))
		w.Clock.Advance(24 * time.Hour)
		before := w.Clock.Now()
		w.Clock.Advance(24 * time.Hour)
		renaming := w.Remember(x.renaming, byUser("ana")).Memory
		has := func(in engine.FactsInput) bool {
			in.Subject = x.name
			return strings.Contains(strings.Join(factsOf(w, in), "\n"), x.want)
		}
		if !has(engine.FactsInput{}) {
			t.Errorf("%q: %q", x.renaming, factsOf(w, engine.FactsInput{Subject: x.name}))
		}
		if at := (engine.FactsInput{Access: engine.Access{AsOf: graph.AsOf{Recorded: before}}}); has(at) {
			t.Errorf("%q: known before it was said", x.renaming)
		}
		if at := (engine.FactsInput{Access: engine.Access{AsOf: graph.AsOf{Valid: before}}}); has(at) {
			t.Errorf("%q: holds before it was so", x.renaming)
		}
		if has(engine.FactsInput{User: "bo"}) {
			t.Errorf("%q: another user has the name", x.renaming)
		}
		if _, err := w.Expire(t.Context(), w.Caller, renaming.ID); err != nil {
			t.Fatal(err)
		}
		if has(engine.FactsInput{}) {
			t.Errorf("%q: it was ended, and the name still leads to the earlier one", x.renaming)
		}
	}
}

// A later name replaces an earlier value under the earlier name, and names follow one another.
func TestFactsAfterTwoRenamings(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range []string{"Falcon is owned by Ines.", "Falcon is written in Rust.", "We renamed Falcon to Kestrel.", "Kestrel is owned by Omar.", "We renamed Kestrel to Osprey."} {
		w.Remember(text, byUser("ana"))
		w.Clock.Advance(24 * time.Hour)
	}
	want(w, "the owner", engine.FactsInput{Subject: "Osprey", Predicate: "is owned by"}, "Kestrel | is owned by | Omar")
	want(w, "the language", engine.FactsInput{Subject: "Osprey", Predicate: "is written in"}, "Falcon | is written in | Rust")
	hits := w.Search("Tell me about Osprey", func(in *engine.SearchInput) { in.User = "ana" })
	found := false
	for _, h := range hits.Hits {
		found = found || h.Memory.Content == "Falcon is written in Rust."
	}
	if !found {
		t.Errorf("a search by the last name does not find what was said under the first one: %d hits", len(hits.Hits))
	}
}

// What renames nothing for sure leads to no other name.
func TestNoFactsUnderANameThatNobodyGave(t *testing.T) {
	for _, text := range []string{
		"Should we rename Falcon to Kestrel?",
		"If we renamed Falcon to Kestrel, nobody would find it.",
		"We might rename Falcon to Kestrel.",
		"Bo says that Falcon is called Kestrel now.",
		"We did not rename Falcon to Kestrel.",
		"Imagine Falcon is called Kestrel.",
	} {
		w := enginetest.New(t)
		w.Remember("Falcon is written in Rust.", byUser("ana"))
		w.Remember(text, byUser("ana"))
		if got := strings.Join(factsOf(w, engine.FactsInput{Subject: "Kestrel"}), "\n"); strings.Contains(got, "Rust") {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, kind := range []graph.SourceKind{graph.FromAssistant, graph.FromTool, graph.FromDocument} {
		w := enginetest.New(t)
		w.Remember("Falcon is written in Rust.", byUser("ana"))
		w.Remember("Falcon is called Kestrel now.", byUser("ana"), func(in *engine.RememberInput) { in.SourceKind = kind })
		if got := strings.Join(factsOf(w, engine.FactsInput{Subject: "Kestrel"}), "\n"); strings.Contains(got, "Rust") {
			t.Errorf("%s: %q", kind, got)
		}
	}
}

// What is asked about something under any of its names is answered by what is stated, and not by the statement that names it.
func TestARenamedProjectAnswers(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range []string{"Project Atlas is led by Mo.", "Project Atlas was renamed to Borealis.", "Borealis is led by Jun now."} {
		w.Remember(text, byUser("ana"))
		w.Clock.Advance(24 * time.Hour)
	}
	for _, question := range []string{"Who leads Atlas?", "Who leads Borealis?"} {
		hits := w.Search(question, func(in *engine.SearchInput) { in.User = "ana" }).Hits
		if len(hits) == 0 || hits[0].Memory.Content != "Borealis is led by Jun now." {
			t.Errorf("%s: %d hits, not first who leads it", question, len(hits))
		}
	}
	for _, name := range []string{"Atlas", "Borealis", "Project Borealis", "the Borealis project", "the Atlas project"} {
		want(w, name, engine.FactsInput{Subject: name, User: "ana", Predicate: "is led by"}, "Borealis | is led by | Jun")
	}
}

// What the user corrects as "the oven" is "our oven".
func TestFactsAboutOurThing(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("Our oven is a Miwe.", byUser("ana"))
	w.Clock.Advance(24 * time.Hour)
	w.Remember("No wait, the oven is a Bongard after all.", byUser("ana"))
	want(w, "our oven", engine.FactsInput{Subject: "our oven", User: "ana"}, "oven | is | Bongard")
	w.Remember("The kiln is a Rohde.", byUser("bo"))
	want(w, "the kiln of somebody else", engine.FactsInput{Subject: "my kiln", User: "ana"})
}

// The name that users give themselves is theirs, and another one is somebody else's.
func TestFactsUnderTheNameOfTheUser(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("I'm Anna Berg.", byUser("v"))
	w.Remember("Anna plays the harp.", byUser("v"))
	want(w, "a full name", engine.FactsInput{Subject: "me", User: "v", Predicate: "plays"}, "Anna | plays | harp")
	w.Remember("My name is Nell.", byUser("u"))
	w.Remember("Nell plays the cello.", byUser("u"))
	w.Remember("Bo plays the oboe.", byUser("u"))
	for _, name := range []string{"me", "u", "Nell"} {
		want(w, name, engine.FactsInput{Subject: name, User: "u", Predicate: "plays"}, "Nell | plays | cello")
	}
}

// A first name of the user that somebody else has too stands for the user only in the memory that gives it. Who is said to have an office is not
// given a name.
func TestASharedFirstNameIsNotTheUsersAlone(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range []string{"I live in Oslo.", "I'm Anna Berg.", "My sister is called Anna.", "Anna lives in Bergen."} {
		w.Remember(text, byUser("u"))
		w.Clock.Advance(24 * time.Hour)
	}
	want(w, "where the user lives", engine.FactsInput{Subject: "me", User: "u", Predicate: "lives in"}, "u | lives in | Oslo")
	for _, text := range []string{"I live in Riga.", "My name is Tom.", "My friend Tom is a chef.", "Tom lives in Vilnius."} {
		w.Remember(text, byUser("t"))
		w.Clock.Advance(24 * time.Hour)
	}
	want(w, "where the user lives whose friend has the name", engine.FactsInput{Subject: "me", User: "t", Predicate: "lives in"}, "t | lives in | Riga")
	for _, text := range []string{"My name is Nell.", "The chair is Nell.", "Nell plays the cello."} {
		w.Remember(text, byUser("v"))
	}
	want(w, "the user who is the chair", engine.FactsInput{Subject: "me", User: "v", Predicate: "plays"}, "Nell | plays | cello")
}

// A claim whose predicate means something with its object is found by both.
func TestAPredicateIsFoundByItsWordsAndByWhatItMeans(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("I moved to Kagi.", byUser("u"))
	w.Remember("Bo is a friend.", byUser("u"), func(in *engine.RememberInput) { in.Subject, in.Predicate, in.Object = "bo", "moved to", "Oslo" })
	for predicate, subject := range map[string]string{"moved to": "me", "moved_to": "bo", "lives in": "bo"} {
		if all, err := w.Facts(t.Context(), w.Caller, engine.FactsInput{Subject: subject, User: "u", Predicate: predicate}); err != nil || len(all) != 1 {
			t.Errorf("%s %s: %d facts, %v", subject, predicate, len(all), err)
		}
	}
}

// Facts and searches under the earlier name tell what was stated under the later one.
func TestFactsUnderALaterName(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range []string{"The ferry Aurora leaves at 8.", "The Aurora is owned by Ines.", "The Aurora is now called Nordlicht.", "Nordlicht leaves at 9."} {
		w.Remember(text, byUser("ana"))
		w.Clock.Advance(24 * time.Hour)
	}
	for _, name := range []string{"Aurora", "Nordlicht"} {
		want(w, name, engine.FactsInput{Subject: name, Predicate: "leaves at"}, "Nordlicht | leaves at | 9")
		want(w, name, engine.FactsInput{Subject: name, Predicate: "is owned by"}, "Aurora | is owned by | Ines")
	}
	w.Remember("Aurora leaves at 7.", byUser("ana")) // another one with the former name
	want(w, "the former name", engine.FactsInput{Subject: "Aurora", Predicate: "leaves at"}, "Aurora | leaves at | 7", "Nordlicht | leaves at | 9")
	hits := w.Search("When does the ferry Aurora leave?", func(in *engine.SearchInput) { in.User = "ana" })
	found := false
	for _, h := range hits.Hits {
		found = found || h.Memory.Content == "Nordlicht leaves at 9."
	}
	if !found {
		t.Errorf("a search by the earlier name does not find what was said under the later one: %d hits", len(hits.Hits))
	}
}
