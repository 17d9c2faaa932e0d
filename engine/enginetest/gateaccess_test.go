package enginetest

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// full is evidence that reaches the quorum with the authority that a key has by default.
var full = []engine.Evidence{{Source: "logbook", Weight: 1, Confidence: 1}}

// askGate asks the gate about the winch of these tests.
func askGate(t *testing.T, w *World, c engine.Caller, fact string) (*engine.Adjudication, error) {
	t.Helper()
	return w.Engine.Adjudicate(t.Context(), c, engine.AdjudicateInput{Fact: fact, Subject: "winch", Consent: graph.ConsentExplicit, Evidence: full})
}

// The gate replaces only what the caller may change: what is nobody's needs MEMORY_SHARE, what is core or was said by SYSTEM
// MEMORY_ADMIN, and no belief ends by a key of less authority.
func TestTheGateNeedsTheRightsOfAChange(t *testing.T) {
	scopes := []access.Scope{access.MemoryRead, access.MemoryWrite}
	for name, x := range map[string]struct {
		belief func(*engine.RememberInput)
		scopes []access.Scope
	}{
		"what is nobody's":          {func(*engine.RememberInput) {}, scopes},
		"what is core":              {func(in *engine.RememberInput) { in.Core = true }, append(scopes, access.MemoryShare)},
		"what was said by SYSTEM":   {func(in *engine.RememberInput) { in.SourceKind = graph.FromSystem }, append(scopes, access.MemoryShare)},
		"a belief above the grant":  {func(in *engine.RememberInput) { in.User, in.Authority = "ana", new(.95) }, scopes},
		"nobody's, above the grant": {func(in *engine.RememberInput) { in.Authority = new(.95) }, append(scopes, access.MemoryShare)},
	} {
		t.Run(name, func(t *testing.T) {
			w := New(t)
			ana := bound("ana", access.DefaultAuthority(false), x.scopes...)
			belief := w.Remember("The winch is kept in the shed.", func(in *engine.RememberInput) { in.Subject = "winch"; x.belief(in) }).Memory
			if a, err := askGate(t, w, ana, "The winch is not kept in the shed."); graph.CodeOf(err) != graph.CodeForbidden || err == nil {
				t.Errorf("%+v, %v", a, err)
			}
			v, err := w.Engine.Memory(t.Context(), w.Caller, belief.ID, engine.Access{IncludeImplicit: true})
			if err != nil || v.State.Status != graph.Active || v.SupersededBy != "" || v.State.Core != belief.State.Core {
				t.Errorf("it was replaced: %+v, %v", v, err)
			}
		})
	}
}

// Evidence for a belief of nobody stays with its user, who may not write for nobody.
func TestEvidenceOfAUserIsNotShared(t *testing.T) {
	w := New(t)
	ana := bound("ana", access.DefaultAuthority(false), access.MemoryRead, access.MemoryWrite)
	bob := bound("bob", access.DefaultAuthority(false), access.MemoryRead)
	w.Remember("The winch is kept in the shed.", func(in *engine.RememberInput) { in.Subject = "winch" })
	a, err := askGate(t, w, ana, "The winch is kept in the shed!")
	if err != nil || a.Decision != "MERGED" {
		t.Fatalf("%+v, %v", a, err)
	}
	page, err := w.Engine.Memories(t.Context(), bob, engine.ListInput{Statuses: []graph.Status{graph.Active, graph.Consolidated}, Access: engine.Access{IncludeImplicit: true}})
	if err != nil || len(page.Memories) != 1 {
		t.Errorf("bob sees %d memories, want the belief alone: %v", len(page.Memories), err)
	}
}

// What an agent keeps private is no belief that another agent meets at the gate.
func TestTheGateShowsNoPrivateBelief(t *testing.T) {
	w := New(t)
	scopes := []access.Scope{access.MemoryRead, access.MemoryWrite, access.MemoryShare}
	one, two := service("shop", .8, scopes...), service("yard", .8, scopes...)
	one.Agent, two.Agent = "one", "two"
	kept, err := w.Engine.Remember(t.Context(), one, engine.RememberInput{Content: "The winch is kept in the shed.", Consent: graph.ConsentExplicit, Private: true})
	if err != nil {
		t.Fatal(err)
	}
	a, err := askGate(t, w, two, "The winch is not kept in the shed.")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []*engine.View{a.Current, a.Previous} {
		if v != nil && v.ID == kept.Memory.ID {
			t.Errorf("%s: the gate showed what another agent keeps private: %q", a.Decision, v.Content)
		}
	}
	if v, err := w.Engine.Memory(t.Context(), w.Caller, kept.Memory.ID, engine.Access{IncludeImplicit: true}); err != nil || v.State.Status != graph.Active {
		t.Errorf("the private memory was changed: %+v, %v", v, err)
	}
}

// A fact that the gate refused belongs to its user, also where the belief is nobody's: others do not see it, and an erasure of the user
// erases it.
func TestRefusedFactsBelongToTheirUser(t *testing.T) {
	w := New(t)
	scopes := []access.Scope{access.MemoryRead, access.MemoryWrite}
	ana, bob := bound("ana", .3, scopes...), bound("bob", .3, scopes...)
	w.Remember("The winch is kept in the shed.", func(in *engine.RememberInput) { in.Subject, in.Authority = "winch", new(.2) })
	if a, err := askGate(t, w, ana, "The winch is not kept in the shed."); err != nil || a.Decision != "REJECTED" {
		t.Fatalf("%+v, %v", a, err)
	}
	quoted := func(c engine.Caller) bool {
		t.Helper()
		list, _, err := w.Engine.Reconsolidations(t.Context(), c, nil, "", 0, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			if strings.Contains(d.Fact, "not kept") {
				return true
			}
		}
		return false
	}
	if !quoted(ana) {
		t.Error("ana does not see the decision about her own fact")
	}
	if quoted(bob) {
		t.Error("bob sees what ana said for herself")
	}
	if _, err := w.Engine.Forget(t.Context(), ana, engine.ForgetInput{User: "ana"}); err != nil {
		t.Fatal(err)
	}
	if quoted(w.Caller) {
		t.Error("what ana said stays after her erasure")
	}
}

// Two keys of one owner that are bound to two users share no idempotency key: what one user calls tells nothing of what another one called.
func TestIdempotencyKeysOfUsersOfOneOwner(t *testing.T) {
	w := New(t)
	scopes := []access.Scope{access.MemoryRead, access.MemoryWrite}
	ana, bob := bound("ana", .3, scopes...), bound("bob", .3, scopes...)
	ana.Name, bob.Name = "app", "app"
	w.Remember("The winch is kept in the shed, said Ana.", func(in *engine.RememberInput) { in.Subject, in.User = "winch", "ana" })
	in := engine.AdjudicateInput{Fact: "The winch is not kept in the shed.", Subject: "winch", Consent: graph.ConsentExplicit, Evidence: full, IdempotencyKey: "1"}
	if a, err := w.Engine.Adjudicate(t.Context(), ana, in); err != nil || a.Decision != "REJECTED" {
		t.Fatalf("%+v, %v", a, err)
	}
	if a, err := w.Engine.Adjudicate(t.Context(), bob, in); err != nil || a.Replayed || a.Current.User == "ana" {
		t.Errorf("bob's fact under the key of ana: %+v, %v", a, err)
	}
	w.said("Bob has a red boat.", "bob", .2)
	forget := engine.ForgetInput{Namespace: "default", IdempotencyKey: "2"}
	if _, err := w.Engine.Forget(t.Context(), ana, forget); err != nil {
		t.Fatal(err)
	}
	r, err := w.Engine.Forget(t.Context(), bob, forget)
	if err != nil {
		t.Fatal(err)
	}
	if page, err := w.Engine.Memories(t.Context(), bob, engine.ListInput{User: "bob", Access: engine.Access{IncludeImplicit: true}}); err != nil || len(page.Memories) > 0 {
		t.Errorf("bob got the receipt %s (%s) and has %d memories left: %v", r.ID, r.Status, len(page.Memories), err)
	}
}

// Each writing verb takes the key that another user of the owner used, and knows its own again. What the owner wrote for a user under the
// key, as earlier versions recorded it, is known to this user only.
func TestWritesUnderKeysOfOtherUsersOfTheOwner(t *testing.T) {
	w := New(t)
	scopes := []access.Scope{access.MemoryRead, access.MemoryWrite}
	ana, bob := bound("ana", .8, scopes...), bound("bob", .8, scopes...)
	app := service("app", .8, scopes...)
	ana.Name, bob.Name = "app", "app"
	ctx, e := t.Context(), w.Engine
	remember := func(user, key string) engine.RememberInput {
		return engine.RememberInput{Content: "The boat of " + user + " is moored in the north basin.", Consent: graph.ConsentExplicit, User: user, OnDuplicate: engine.Insert, IdempotencyKey: key}
	}
	turn := engine.Observation{Session: "s", Role: "user", Text: "The tide is high.", Consent: graph.ConsentExplicit, OccurredAt: Start, IdempotencyKey: "k"}
	past := turn
	past.Session, past.IdempotencyKey = "earlier", "past"
	verbs := map[string]func(c engine.Caller) (graph.ID, bool, error){
		"remember": func(c engine.Caller) (graph.ID, bool, error) {
			r, err := e.Remember(ctx, c, remember(c.User, "k"))
			if err != nil {
				return "", false, err
			}
			return r.Memory.ID, r.Replayed, nil
		},
		"rememberMany": func(c engine.Caller) (graph.ID, bool, error) {
			r, err := e.RememberMany(ctx, c, []engine.RememberInput{remember(c.User, "many")})
			if err == nil && r[0].Error != nil {
				err = r[0].Error
			}
			if err != nil {
				return "", false, err
			}
			return r[0].Memory.ID, r[0].Replayed, nil
		},
		"observe": func(c engine.Caller) (graph.ID, bool, error) {
			r, err := e.Observe(ctx, c, turn)
			if err != nil {
				return "", false, err
			}
			return r.Memory.ID, r.Replayed, nil
		},
		"observePast": func(c engine.Caller) (graph.ID, bool, error) {
			r, err := e.ObservePast(ctx, c, []engine.Observation{past})
			if err == nil && r[0].Error != nil {
				err = r[0].Error
			}
			if err != nil {
				return "", false, err
			}
			return r[0].Memory.ID, r[0].Replayed, nil
		},
	}
	for name, call := range verbs {
		made := map[string]graph.ID{}
		for _, c := range []engine.Caller{ana, bob, ana, bob} {
			id, replayed, err := call(c)
			if known := made[c.User] != ""; err != nil || replayed != known || known && id != made[c.User] {
				t.Fatalf("%s by %s: %s, replayed %v, %v; before: %v", name, c.User, id, replayed, err, made)
			}
			made[c.User] = id
		}
		if made["ana"] == made["bob"] {
			t.Errorf("%s: one memory for both", name)
		}
	}
	old, err := e.Remember(ctx, app, remember("ana", "before"))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := e.Remember(ctx, bob, remember("bob", "before")); err != nil || r.Replayed {
		t.Errorf("bob, under the key for ana: %+v, %v", r, err)
	}
	if r, err := e.Remember(ctx, ana, remember("ana", "before")); err != nil || !r.Replayed || r.Memory.ID != old.Memory.ID {
		t.Errorf("ana, for whom it was written: %+v, %v", r, err)
	}
	if _, err = e.Remember(ctx, app, remember("bob", "before")); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("the key for another input: %v", err)
	}
}
