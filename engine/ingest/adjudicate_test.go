package ingest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/graph"
)

func TestGateStoresMergesRejectsReplaces(t *testing.T) {
	w := enginetest.New(t)
	a := fixture.Adjudicate(t, w, "Vera lives in Ghent.", "Vera", fixture.Evidence("a", 0.5))
	if a.Decision != gate.Stored || a.Current.Subject != "vera" || a.Current.Authority != 0.5 || a.Conflict != 0 || a.Similarity != 0 {
		t.Fatalf("nothing was known: %+v", a)
	}
	first := a.Current.ID

	a = fixture.Adjudicate(t, w, "Vera lives in Ghent.", "Vera", fixture.Evidence("b", 0.5))
	if a.Decision != gate.Merged || a.Current.ID != first || a.Current.Content != "Vera lives in Ghent." {
		t.Fatalf("repeated: %+v", a)
	}
	edges, err := w.Edges(t.Context(), w.Caller, first, graph.In, graph.EvidenceFor)
	if err != nil || len(edges) != 1 {
		t.Errorf("evidence edges: %v, %v", edges, err)
	}

	a = fixture.Adjudicate(t, w, "Vera lives in Bruges.", "Vera", fixture.Evidence("c", 0.7))
	if a.Decision != gate.Rejected || a.Reason != graph.CodeQuorumUnmet || a.Current.ID != first || a.Quorum != 0.7 || a.Required != 0.8 || a.Conflict <= 0.3 {
		t.Fatalf("one weak voice: %+v", a)
	}
	a = fixture.Adjudicate(t, w, "Vera lives in Bruges.", "Vera", fixture.Evidence("d", 0.7))
	if a.Decision != gate.Rejected {
		t.Fatalf("evidence accumulated across rejections: %+v", a)
	}

	a = fixture.Adjudicate(t, w, "Vera lives in Bruges.", "Vera", fixture.Evidence("c", 0.5), fixture.Evidence("c", 0.4), fixture.Evidence("d", 0.4))
	if a.Decision != gate.Replaced || a.Previous.ID != first || a.Current.Version != 2 || a.Previous.State.Status != graph.Superseded {
		t.Fatalf("two principals: %+v", a)
	}
	if !strings.Contains(a.Current.Reason, "0.90") {
		t.Errorf("reason %q", a.Current.Reason)
	}
	versions, err := w.Lineage(t.Context(), w.Caller, a.Current.ID, 0, 0)
	if err != nil || len(versions) != 2 {
		t.Errorf("%d versions, %v", len(versions), err)
	}
	hits := w.Search("Where does Vera live?").Hits
	if len(hits) == 0 || hits[0].Memory.ID != a.Current.ID {
		t.Errorf("the answer is %+v", hits)
	}
	for _, h := range hits {
		if h.Memory.ID == first {
			t.Error("the replaced belief is still found")
		}
	}
	notes(t, w, []gate.Decision{gate.Stored, gate.Merged, gate.Rejected, gate.Rejected, gate.Replaced})
}

// notes checks the stored decisions.
func notes(t *testing.T, w *enginetest.World, want []gate.Decision) {
	t.Helper()
	var got []gate.Decision
	err := w.Store.View(t.Context(), graph.Scope{Tenant: w.Caller.Tenant}, func(r graph.Reader) error {
		all, err := r.Notes(graph.NoteDecision, "", false, 0)
		for _, n := range all {
			var v struct{ Decision gate.Decision }
			if err := json.Unmarshal(n.Data, &v); err != nil {
				return err
			}
			got = append(got, v.Decision)
		}
		return err
	})
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("written down: %v, want %v, %v", got, want, err)
	}
}

func TestGateRefuses(t *testing.T) {
	w := enginetest.New(t)
	for _, c := range []struct {
		code  graph.Code
		field string
		in    engine.AdjudicateInput
	}{
		{graph.CodeConsentRequired, "consent", engine.AdjudicateInput{Fact: "x", Subject: "y"}},
		{graph.CodeInvalidRequest, "fact", engine.AdjudicateInput{Subject: "y", Consent: graph.ConsentExplicit}},
		{graph.CodeInvalidRequest, "subject", engine.AdjudicateInput{Fact: "x", Subject: " ", Consent: graph.ConsentExplicit}},
		{graph.CodeLimitExceeded, "evidence", engine.AdjudicateInput{Fact: "x", Subject: "y", Evidence: make([]engine.Evidence, 11)}},
		{graph.CodeInvalidRequest, "evidence.0.source", engine.AdjudicateInput{Fact: "x", Subject: "y", Evidence: make([]engine.Evidence, 1)}},
		{graph.CodeInvalidRequest, "evidence.1.weight", engine.AdjudicateInput{Fact: "x", Subject: "y", Evidence: []engine.Evidence{fixture.Evidence("a", 1), fixture.Evidence("b", 1.1)}}},
		{graph.CodeInvalidRequest, "evidence.0.confidence", engine.AdjudicateInput{Fact: "x", Subject: "y", Evidence: []engine.Evidence{{Source: "a", Weight: 1, Confidence: -1}}}},
	} {
		_, err := w.Adjudicate(t.Context(), w.Caller, c.in)
		fixture.WantError(t, err, c.code, c.field)
	}
	notes(t, w, nil)
}

func TestSourcesThatAreNotPrincipalsCountAsTheCaller(t *testing.T) {
	w := enginetest.New(t)
	fixture.Adjudicate(t, w, "The gate opens at seven.", "gate", fixture.Evidence("a", 1))
	bot := engine.Caller{Tenant: w.Caller.Tenant, Name: "bot", Grant: 0.6, Scopes: []access.Scope{access.MemoryShare}}
	a, err := w.Adjudicate(t.Context(), bot, engine.AdjudicateInput{
		Fact: "The gate opens at nine.", Subject: "gate", Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{fixture.Evidence("a", 1), fixture.Evidence("b", 1), fixture.Evidence("c", 1)},
	})
	if err != nil || a.Decision != gate.Rejected || a.Quorum != 0.6 {
		t.Errorf("%+v, %v", a, err)
	}
}

// A caller without a user may adjudicate what users wrote. A caller with a user never
// changes the beliefs of others.
func TestAdjudicationByOwner(t *testing.T) {
	w := enginetest.New(t)
	r, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: "Ingeborg owns the image cache", User: "rowan", Consent: graph.ConsentExplicit})
	if err != nil {
		t.Fatal(err)
	}
	other := engine.Caller{Tenant: w.Caller.Tenant, Name: "ada", User: "ada", Grant: 1, Sources: true}
	in := engine.AdjudicateInput{Fact: "Adaeze owns the image cache", Subject: "image cache", Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{fixture.Evidence("a", 1)}}
	a, err := w.Adjudicate(t.Context(), w.Caller, in)
	if err != nil || a.Decision != gate.Replaced || a.Previous.ID != r.Memory.ID || a.Current.User != "rowan" {
		t.Fatalf("bound to none: %+v, %v", a, err)
	}
	in.Fact = "Kim owns the image cache"
	a, err = w.Adjudicate(t.Context(), other, in)
	if err != nil || a.Decision != gate.Stored {
		t.Fatalf("bound to another user: %+v, %v", a, err)
	}
}

// A statement of the text on another subject is not used for the subject that the caller
// names.
func TestAGivenSubjectTakesNoOtherStatement(t *testing.T) {
	w := enginetest.New(t)
	fixture.Adjudicate(t, w, "Lotte is married to Ruben", "Lotte", fixture.Evidence("a", 1))
	if a := fixture.Adjudicate(t, w, "Ruben is Lotte's husband", "Lotte", fixture.Evidence("b", 1)); a.Decision != gate.Merged {
		t.Errorf("in reverse order: %+v", a)
	}
	if a := fixture.Adjudicate(t, w, "Lotte takes 50 mg of sertraline", "Lotte", fixture.Evidence("b", 1)); a.Decision != gate.Stored {
		t.Errorf("a dose: %+v", a)
	}
	if a := fixture.Adjudicate(t, w, "Lotte takes 20 mg of lisinopril", "Lotte", fixture.Evidence("b", 1)); a.Decision != gate.Stored {
		t.Errorf("another medicine: %+v", a)
	}
}

// Two sentences that differ after the verb are not merged, however high their cosine.
func TestAnotherObjectIsNotFolded(t *testing.T) {
	w := enginetest.New(t)
	first := fixture.Adjudicate(t, w, "Tamsin moved into rooms on the fifth floor", "Tamsin", fixture.Evidence("a", 1))
	if a := fixture.Adjudicate(t, w, "Tamsin moved into rooms on the attic", "Tamsin", fixture.Evidence("a", 1)); a.Decision == gate.Merged || a.Current.ID == first.Current.ID {
		t.Errorf("%+v", a)
	}
}

// That something need not be done is no support for that it must be.
func TestWhatNeedNotBeDoneIsAConflict(t *testing.T) {
	w := enginetest.New(t)
	fixture.Adjudicate(t, w, "Pump 3 must be stopped before opening the hatch.", "Pump 3", fixture.Evidence("a", 1))
	if a := fixture.Adjudicate(t, w, "Pump 3 need not be stopped before opening the hatch.", "Pump 3", fixture.Evidence("b", 1)); a.Decision == gate.Merged || a.Conflict <= gate.ConflictAbove {
		t.Errorf("%+v", a)
	}
}

func TestAdjudicationIsIdempotent(t *testing.T) {
	w := enginetest.New(t)
	fixture.Adjudicate(t, w, "The mill stands on the left bank.", "mill", fixture.Evidence("a", 1))
	in := engine.AdjudicateInput{Fact: "The mill does not stand on the left bank.", Subject: "mill", Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{fixture.Evidence("a", 1)}, IdempotencyKey: "k"}
	first, err := w.Adjudicate(t.Context(), w.Caller, in)
	if err != nil || first.Decision != gate.Replaced {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := w.Adjudicate(t.Context(), w.Caller, in)
	if err != nil || !again.Replayed || again.Decision != gate.Replaced || again.Current.ID != first.Current.ID || again.Previous.ID != first.Previous.ID {
		t.Errorf("again: %+v, %v", again, err)
	}
	in.Fact = "The mill burned down."
	_, err = w.Adjudicate(t.Context(), w.Caller, in)
	fixture.WantError(t, err, graph.CodeInvalidRequest, "idempotencyKey")
}

func TestErasureRemovesTextFromDecisions(t *testing.T) {
	w := enginetest.New(t)
	a := fixture.Adjudicate(t, w, "Canary Quillfeather lives in Ghent.", "Canary Quillfeather", fixture.Evidence("a", 1))
	fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{a.Current.ID}})
	err := w.Store.View(t.Context(), graph.Scope{Tenant: w.Caller.Tenant}, func(r graph.Reader) error {
		all, err := r.Notes(graph.NoteDecision, "", false, 0)
		if len(all) != 1 || all[0].Data != nil {
			t.Errorf("notes: %+v", all)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestReconsolidations(t *testing.T) {
	w := enginetest.New(t)
	a := fixture.Adjudicate(t, w, "Vera lives in Ghent.", "Vera", fixture.Evidence("a", 1))
	b := fixture.Adjudicate(t, w, "Vera lives in Bruges.", "Vera", fixture.Evidence("b", 1))
	list, more, err := w.Reconsolidations(t.Context(), w.Caller, nil, "", 1, "")
	if err != nil || len(list) != 1 || !more {
		t.Fatalf("%+v, more %v, %v", list, more, err)
	}
	d := list[0]
	if d.Decision != gate.Replaced || d.Fact != "Vera lives in Bruges." || d.Subject != "vera" || d.Evidence[0].Source != "b" || fmt.Sprint(d.Memories) != fmt.Sprint([]graph.ID{a.Current.ID, b.Current.ID}) || len(d.States) != 3 {
		t.Errorf("the newest: %+v", d)
	}
	if list, more, err = w.Reconsolidations(t.Context(), w.Caller, []string{"default"}, "", 0, d.ID); err != nil || len(list) != 1 || more || list[0].Decision != gate.Stored {
		t.Errorf("after it: %+v, more %v, %v", list, more, err)
	}
	if list, _, err = w.Reconsolidations(t.Context(), w.Caller, []string{"elsewhere"}, "", 0, ""); err != nil || len(list) != 0 {
		t.Errorf("elsewhere: %+v, %v", list, err)
	}
	if list, _, err = w.Reconsolidations(t.Context(), w.Caller, nil, b.Current.ID, 0, ""); err != nil || len(list) != 1 || list[0].Decision != gate.Replaced {
		t.Errorf("about the newest belief: %+v, %v", list, err)
	}
	if list, _, err = w.Reconsolidations(t.Context(), w.Caller, nil, a.Current.ID, 0, ""); err != nil || len(list) != 2 {
		t.Errorf("about the first belief: %+v, %v", list, err)
	}
	_, _, err = w.Reconsolidations(t.Context(), w.Caller, nil, "x", 0, "")
	fixture.WantError(t, err, graph.CodeInvalidRequest, "memory")
	w.Remember("x", func(in *engine.RememberInput) { in.User = "bo" })
	claim := w.Caller
	claim.User = "bo"
	if list, _, err = w.Reconsolidations(t.Context(), claim, nil, "", 0, ""); err != nil || len(list) != 2 {
		t.Errorf("about a shared memory: %+v, %v", list, err)
	}
	fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{a.Current.ID}})
	if list, _, err = w.Reconsolidations(t.Context(), w.Caller, nil, "", 0, ""); err != nil || len(list) != 2 || !list[0].Erased || list[0].Fact != "" {
		t.Errorf("after the erasure: %+v, %v", list, err)
	}
	_, _, err = w.Reconsolidations(t.Context(), w.Caller, nil, "", 1001, "")
	fixture.WantError(t, err, graph.CodeInvalidRequest, "first")
}

// Many concurrent adjudications on few subjects: each subject keeps one line of versions.
func TestConcurrentAdjudicationsAreLinear(t *testing.T) {
	w := enginetest.New(t)
	cities := []string{"Ghent", "Bruges", "Antwerp", "Namur", "Liège"}
	var wg sync.WaitGroup
	for i := range 60 {
		wg.Go(func() {
			name := []string{"Vera", "Otto", "Ines"}[i%3]
			_, err := w.Adjudicate(context.Background(), w.Caller, engine.AdjudicateInput{
				Fact: name + " lives in " + cities[i%5] + ".", Subject: name, Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{fixture.Evidence("x", 1)},
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, name := range []string{"vera", "otto", "ines"} {
		list, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Subject: name})
		if err != nil || len(list.Memories) != 1 {
			t.Fatalf("%s has %d current beliefs, %v", name, len(list.Memories), err)
		}
		versions, err := w.Lineage(t.Context(), w.Caller, list.Memories[0].ID, 0, 0)
		if err != nil || len(versions) != list.Memories[0].Version {
			t.Errorf("%s: %d versions, the current is number %d, %v", name, len(versions), list.Memories[0].Version, err)
		}
		for i := 1; i < len(versions); i++ {
			if versions[i].Memory.Supersedes != versions[i-1].Memory.ID || !versions[i].RecordedAt.After(versions[i-1].RecordedAt) {
				t.Errorf("%s: version %d does not follow the previous one", name, i+1)
			}
		}
	}
}

// TestTheGateReadsOtherValues checks values that the conflict scorer does not tell apart, and the relation model does.
func TestTheGateReadsOtherValues(t *testing.T) {
	w := enginetest.New(t)
	for _, x := range []struct {
		belief, subject, fact string
	}{
		{"You find the door of Tobias on the seventh floor.", "Tobias", "You find the door of Tobias on the fifth floor."},
		{"You find the desk of Viktor on the third floor.", "Viktor", "You find the desk of Viktor on the ground floor."},
		{"Viktor rents a studio on the first floor.", "Viktor", "You find the bell of Viktor on the sixth floor."},
		{"Ines studies stage design.", "Ines", "Ines studies astronomy."},
		{"Ida studies veterinary medicine.", "Ida", "Ida studies forestry."},
		{"The passphrase of the shed lock is amber-kettle-4.", "shed lock", "The passphrase of the shed lock is nine-herons."},
	} {
		belief := fixture.Adjudicate(t, w, x.belief, x.subject, fixture.Evidence("a", 0.9))
		if a := fixture.Adjudicate(t, w, x.fact, x.subject, fixture.Evidence("c", 0.3)); a.Decision != gate.Rejected || a.Current.ID != belief.Current.ID {
			t.Errorf("%q without the quorum: %s", x.fact, a.Decision)
		}
		if a := fixture.Adjudicate(t, w, x.fact, x.subject, fixture.Evidence("c", 0.5), fixture.Evidence("d", 0.5)); a.Decision != gate.Replaced || a.Previous.ID != belief.Current.ID {
			t.Errorf("%q with it: %s", x.fact, a.Decision)
		}
	}
}

// "I" in a fact about a subject is the subject, if no user is named.
func TestTheSubjectSpeaksOfItself(t *testing.T) {
	w := enginetest.New(t)
	belief := w.Remember("I feed the parrots at 7:15.", func(in *engine.RememberInput) { in.User = "ana" }).Memory
	a := fixture.Adjudicate(t, w, "I feed the parrots at 6:30.", "ana", fixture.Evidence("a", 0.5), fixture.Evidence("b", 0.5))
	if a.Decision != gate.Replaced || a.Previous.ID != belief.ID {
		t.Errorf("%s, conflict %.2f", a.Decision, a.Conflict)
	}
}

// A fact with another name is no evidence for a belief, and another matter of the subject is not replaced.
func TestTheGateKeepsOtherMatters(t *testing.T) {
	for _, x := range []struct {
		belief, fact string
		merges       bool
	}{
		{"Our girl is a pupil of Saint Brannock.", "Our girl is a pupil of Larkfield Primary.", false},
		{"Our girl is a pupil of Saint Brannock.", "Our girl is a pupil of Saint Brannock.", true},
		{"You reach Marta at 0490 871 215.", "Marta moved into rooms on the fifth floor.", false},
		{"Marta lives in Turku.", "Marta moved into rooms on the fifth floor.", false},
		{"Marta lives in Bergen.", "Marta was moved to the audit unit.", false},
		{"You find the desk of Marta on the second floor.", "Marta's locker is on the fourth floor.", false},
	} {
		w := enginetest.New(t)
		belief := fixture.Adjudicate(t, w, x.belief, "Marta", fixture.Evidence("a", 0.9)).Current
		a := fixture.Adjudicate(t, w, x.fact, "Marta", fixture.Evidence("c", 0.5), fixture.Evidence("d", 0.5))
		if a.Decision == gate.Replaced || (a.Decision == gate.Merged) != x.merges || (a.Current.ID == belief.ID) != x.merges {
			t.Errorf("%q, %q: %s", x.belief, x.fact, a.Decision)
		}
	}
}

// A fact is compared with the beliefs that state the same attribute of its subject, though they share no word with it.
func TestTheGateFindsBeliefsByAttribute(t *testing.T) {
	w := enginetest.New(t)
	said := func(text, user string) graph.ID {
		return w.Remember(text, func(in *engine.RememberInput) { in.User = user }).Memory.ID
	}
	other, belief := said("My husband is called Radek.", "ana"), said("My husband is called Emil.", "nora")
	evidence := []engine.Evidence{fixture.Evidence("a", 0.5), fixture.Evidence("b", 0.5)}
	if a := fixture.Adjudicate(t, w, "I am married to Jonas.", "nora", evidence...); a.Decision != gate.Replaced || a.Previous.ID != belief {
		t.Errorf("%s, conflict %.2f", a.Decision, a.Conflict)
	}
	if m, err := w.Memory(t.Context(), w.Caller, other, engine.Access{}); err != nil || m.State.Status != graph.Active {
		t.Errorf("the belief of another user: %+v, %v", m, err)
	}
	if a := fixture.Adjudicate(t, w, "I am married to Oda.", "vera", evidence...); a.Decision != gate.Stored {
		t.Errorf("of somebody of whom nothing is known: %s", a.Decision)
	}
}

// A question is no fact.
func TestAQuestionIsNotAdjudicated(t *testing.T) {
	w := enginetest.New(t)
	for fact, fine := range map[string]bool{
		"Who keeps the winch?": false, "Does Pia keep the winch? Or Otis?": false, "who keeps the winch?": false,
		"Pia keeps the winch.": true, "Pia keeps the winch. Who else?": true, "The winch question is settled": true,
	} {
		_, err := w.Adjudicate(t.Context(), w.Caller, engine.AdjudicateInput{
			Fact: fact, Subject: "winch", Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{fixture.Evidence("a", 1)},
		})
		if fault, is := err.(*graph.Error); (err == nil) != fine || is && (fault.Code != graph.CodeInvalidRequest || fault.Field != "fact") {
			t.Errorf("%q: %v", fact, err)
		}
	}
}
