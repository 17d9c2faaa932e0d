package erasure_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/graph"
)

// refuse lets the gate refuse a fact of a user on the winch.
func refuse(t *testing.T, w *enginetest.World, user, fact, source string) {
	t.Helper()
	a, err := w.Adjudicate(t.Context(), w.Caller, engine.AdjudicateInput{
		Fact: fact, Subject: "winch", Consent: graph.ConsentExplicit, User: user, Evidence: []engine.Evidence{fixture.Evidence(source, .1)},
	})
	if err != nil || a.Decision != gate.Rejected {
		t.Fatalf("%q: %+v, %v", fact, a, err)
	}
}

// factsOf are the facts of the decisions in the store, and how many decisions have none.
func factsOf(t *testing.T, w *enginetest.World) (facts []string, stubs int) {
	t.Helper()
	list, _, err := w.Reconsolidations(t.Context(), w.Caller, nil, "", 0, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		if d.Erased {
			stubs++
			continue
		}
		facts = append(facts, d.Fact)
	}
	slices.Sort(facts)
	return facts, stubs
}

const inTheShed = "The winch is kept in the shed."

// An erasure by entity deletes the decisions about refused facts that name it, of the owners whose memories it takes.
func TestForgetEntityTakesRefusedFactsThatNameIt(t *testing.T) {
	for name, x := range map[string]struct {
		in   engine.ForgetInput
		left []string
	}{
		"of anybody": {engine.ForgetInput{Entity: "Bram"}, []string{"The winch is not kept in the shed."}},
		"of a user": {engine.ForgetInput{Entity: "Bram", User: "ben"}, []string{
			"The winch isn't kept in the shed, says Bram.", "The winch is not kept in the shed, says Bram.", "The winch is not kept in the shed."}},
		"of a user and subject": {engine.ForgetInput{Entity: "Bram", User: "ana", Subject: "anchor"}, []string{
			"The winch isn't kept in the shed, says Bram.", "The winch is not kept in the shed, says Bram.", "The winch is not kept in the shed.", "The winch isn't kept in the shed."}},
	} {
		t.Run(name, func(t *testing.T) {
			w := enginetest.New(t)
			w.Remember(inTheShed, func(in *engine.RememberInput) { in.Subject, in.Authority = "winch", new(.2) })
			w.Remember("Talk to Bram about the tuesdays.", func(in *engine.RememberInput) { in.User = "ana" })
			refuse(t, w, "ana", "The winch is not kept in the shed, says Bram.", "the log")
			refuse(t, w, "", "The winch isn't kept in the shed, says Bram.", "the log")
			refuse(t, w, "ben", "The winch isn't kept in the shed.", "Bram saw it")
			refuse(t, w, "ana", "The winch is not kept in the shed.", "Abram saw it")
			fixture.Forget(t, w, x.in)
			slices.Sort(x.left)
			if facts, _ := factsOf(t, w); !slices.Equal(facts, x.left) {
				t.Errorf("left: %q, want %q", facts, x.left)
			}
		})
	}
}

// The record of erasures has the decisions that an erasure deletes before they are gone, and a start deletes those that are back.
func TestTheLedgerHasErasedDecisions(t *testing.T) {
	e := &erasures{refuse: true}
	w := enginetest.With(t, enginetest.Options{Erasures: e})
	w.Remember(inTheShed, func(in *engine.RememberInput) { in.Subject, in.Authority = "winch", new(.2) })
	refuse(t, w, "ana", "The winch is not kept in the shed.", "the log")
	of := engine.ForgetInput{User: "ana", Subject: "winch"}
	if _, err := w.Engine.Forget(t.Context(), w.Caller, of); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Fatalf("with a ledger that can't be written: %v", err)
	}
	if facts, _ := factsOf(t, w); len(facts) != 1 {
		t.Errorf("not recorded, and gone: %q", facts)
	}
	e.refuse = false
	fixture.Forget(t, w, of)
	if facts, stubs := factsOf(t, w); len(facts)+stubs > 0 || len(e.ids) != 1 {
		t.Errorf("left: %q and %d stubs; recorded: %v", facts, stubs, e.ids)
	}
	refuse(t, w, "ben", "The winch is not kept in the shed.", "the log")
	refuse(t, w, "cleo", "The winch isn't kept in the shed.", "the log")
	list, _, err := w.Reconsolidations(t.Context(), w.Caller, nil, "", 0, "")
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	e.ids = append(e.ids, list[0].ID)
	slices.Sort(e.ids)
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if facts, _ := factsOf(t, w); len(facts) != 1 || facts[0] != list[1].Fact {
		t.Errorf("after the start: %q", facts)
	}
}

// erasing marks the context of an erasure after whose transactions a busyStore does something else.
type erasing struct{}

// busyStore is a store of several servers in which something else is done after each transaction of an erasure.
type busyStore struct {
	fixture.SharedStore
	then *func()
}

func (s busyStore) Update(ctx context.Context, sc graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	c, err := s.SharedStore.Update(ctx, sc, fn)
	if ctx.Value(erasing{}) != nil { // the transactions of others run beside it
		if then := *s.then; then != nil {
			then()
		}
	}
	return c, err
}

// A decision about a fact of a user that a server makes while the user is erased leaves no stub, whatever its clock says, and the record of
// erasures has it.
func TestADecisionDuringAnErasureLeavesNoStub(t *testing.T) {
	for name, x := range map[string]struct {
		behind time.Duration
		user   string
	}{
		"clocks agree, about the user's own memory":        {0, "ana"},
		"its clock is behind, about the user's own memory": {time.Hour, "ana"},
		"its clock is behind, about a memory of nobody":    {time.Hour, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for n, more := 1, true; more; n++ {
				more = decideDuringErasure(t, x.behind, x.user, n)
				if n == 1 && !more {
					t.Fatal("no decision was made during the erasure")
				}
			}
		})
	}
}

// decideDuringErasure erases the user ana on a server. Another one, whose clock is behind that, refuses a fact of hers about a memory of a user
// after the nth transaction of the erasure, unless that is over, or the memory erased. It reports whether the fact was refused.
func decideDuringErasure(t *testing.T, behind time.Duration, user string, n int) (refused bool) {
	var then func()
	e := &erasures{}
	erases := true // the first server
	s := fixture.NewServers(t, 2, func(o *engine.Options) {
		if erases {
			o.Clock, o.Erasures, o.Store = enginetest.NewClock(enginetest.Start.Add(behind)), e, busyStore{fixture.SharedStore{Store: o.Store}, &then}
		}
		erases = false
	})
	about := s.Remember(1, inTheShed, func(in *engine.RememberInput) { in.Subject, in.Authority, in.User = "winch", new(.2), user }).ID
	other := s.Remember(1, "I moor in the north basin.", func(in *engine.RememberInput) { in.User = "ana" }).ID
	refuse := func(server int, fact string) {
		t.Helper()
		a, err := s.Engines[server].Adjudicate(t.Context(), s.W.Caller, engine.AdjudicateInput{
			Fact: fact, Subject: "winch", Consent: graph.ConsentExplicit, User: "ana", Evidence: []engine.Evidence{fixture.Evidence("the log", .1)},
		})
		if err != nil || a.Decision != gate.Rejected {
			t.Fatalf("%q: %+v, %v", fact, a, err)
		}
	}
	refuse(0, "The winch is not kept in the shed.")
	of := func(id graph.ID) graph.Status {
		v, err := s.W.Memory(t.Context(), s.W.Caller, id, engine.Access{})
		if err != nil {
			t.Fatal(err)
		}
		return v.State.Status
	}
	done := 0
	then = func() {
		if done++; done == n && of(about) != graph.Forgotten && of(other) != graph.Forgotten {
			refuse(1, "The winch isn't kept in the shed.")
			refused = true
		}
	}
	if _, err := s.Engines[0].Forget(context.WithValue(t.Context(), erasing{}, true), s.W.Caller, engine.ForgetInput{User: "ana"}); err != nil {
		t.Fatal(err)
	}
	if facts, stubs := factsOf(t, s.W); len(facts)+stubs > 0 {
		t.Errorf("made after transaction %d: left %q and %d stubs", n, facts, stubs)
	}
	want := 2 // the first decision and the memory
	if refused {
		want++
	}
	if user == "ana" {
		want++
	}
	if len(e.ids) != want {
		t.Errorf("made after transaction %d: %d ids are recorded, want %d", n, len(e.ids), want)
	}
	return refused
}

// An erasure of a user leaves nothing of the decisions about the user's refused facts, also of those about the user's own beliefs.
func TestAForgottenUserLeavesNoStubsOfRefusedFacts(t *testing.T) {
	w := enginetest.New(t)
	w.Remember(inTheShed, func(in *engine.RememberInput) { in.Subject, in.Authority, in.User = "winch", new(.2), "ana" })
	refuse(t, w, "ana", "The winch is not kept in the shed.", "the log")
	fixture.Forget(t, w, engine.ForgetInput{User: "ana"})
	if facts, stubs := factsOf(t, w); len(facts)+stubs > 0 {
		t.Errorf("left: %q and %d stubs", facts, stubs)
	}
}

// After the erasure of the belief a decision does not say whose fact it was about. Only who sees what belongs to anybody sees that it was made.
func TestStubsOfDecisionsAreNotForUsers(t *testing.T) {
	w := enginetest.New(t)
	belief := w.Remember(inTheShed, func(in *engine.RememberInput) { in.Subject, in.Authority = "winch", new(.2) }).Memory.ID
	refuse(t, w, "ana", "The winch is not kept in the shed.", "the log")
	seen := func(user, agent string, want int) {
		t.Helper()
		c := w.Caller
		c.User, c.Agent = user, agent
		list, _, err := w.Reconsolidations(t.Context(), c, nil, "", 0, "")
		if err != nil || len(list) != want {
			t.Errorf("user %q, agent %q: %d decisions, want %d; %v", user, agent, len(list), want, err)
		}
	}
	seen("ana", "", 1)
	seen("ben", "", 0)
	fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{belief}})
	seen("ana", "", 0)
	seen("ben", "", 0)
	seen("ben", "helper", 0)
	seen("", "", 1)
	if facts, stubs := factsOf(t, w); len(facts) > 0 || stubs != 1 {
		t.Errorf("left: %q and %d stubs", facts, stubs)
	}
}

// The idempotency key of a fact that was refused, or merged into the belief of another owner, ends with the erasure of who stated the fact, and with that of the belief.
func TestForgetTakesKeysOfFactsWithoutMemories(t *testing.T) {
	for fact, decision := range map[string]gate.Decision{"The winch is not kept in the shed.": gate.Rejected, inTheShed: gate.Merged} {
		for erased, in := range map[string]func(belief graph.ID) engine.ForgetInput{
			"the user":   func(graph.ID) engine.ForgetInput { return engine.ForgetInput{User: "ana"} },
			"the belief": func(belief graph.ID) engine.ForgetInput { return engine.ForgetInput{IDs: []graph.ID{belief}} },
		} {
			t.Run(string(decision)+" "+erased, func(t *testing.T) {
				w := enginetest.New(t)
				belief := w.Remember(inTheShed, func(in *engine.RememberInput) { in.Subject, in.Authority = "winch", new(.2) }).Memory.ID
				ana := w.Caller
				ana.User, ana.Admin, ana.Scopes = "ana", false, []access.Scope{access.MemoryRead, access.MemoryWrite} // what she merges stays hers
				adjudicate := func(fact string) (*engine.Adjudication, error) {
					return w.Adjudicate(t.Context(), ana, engine.AdjudicateInput{
						Fact: fact, Subject: "winch", Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{fixture.Evidence("the log", .1)}, IdempotencyKey: "k",
					})
				}
				for _, replayed := range []bool{false, true} {
					a, err := adjudicate(fact)
					if err != nil || a.Decision != decision || a.Replayed != replayed || a.Current.ID != belief {
						t.Fatalf("%+v, %v", a, err)
					}
				}
				fixture.Forget(t, w, in(belief))
				if a, err := adjudicate("The winch is not for sale."); err != nil || a.Replayed {
					t.Errorf("after the erasure: %+v, %v", a, err)
				}
			})
		}
	}
}
