package enginetest

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// agent is the caller of a key of an agent, for one user or for any.
func agent(name, user string, scopes ...access.Scope) engine.Caller {
	scopes = append(scopes, access.MemoryRead, access.MemoryWrite)
	return engine.Caller{Tenant: "default", Name: name + user, User: user, Agent: name, Grant: .8, Scopes: scopes, Credential: "k-" + name + user}
}

// found reports whether a search of a caller finds the memory.
func (w *World) found(t *testing.T, c engine.Caller, query, content string) bool {
	t.Helper()
	r, err := w.Engine.Search(t.Context(), c, engine.SearchInput{Query: query})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range r.Hits {
		if h.Memory.Content == content {
			return true
		}
	}
	return false
}

// What an agent keeps private is seen by the agent alone and by who sees the whole tenant, until it is shared with the user or
// the team.
func TestPrivateMemories(t *testing.T) {
	w := New(t)
	ctx, e := t.Context(), w.Engine
	bot, other := agent("bot", "ana"), agent("crow", "ana")
	ana, bo := bound("ana", .8, access.MemoryRead, access.MemoryWrite), agent("bot", "bo")
	anywhere, team := agent("bot", ""), agent("bot", "ana", access.MemoryShare)
	const content = "The heron of Ana nests at the old weir."
	in := engine.RememberInput{Content: content, Consent: graph.ConsentExplicit, Private: true}
	made, err := e.Remember(ctx, bot, in)
	if err != nil {
		t.Fatal(err)
	}
	id := made.Memory.ID
	for name, x := range map[string]struct {
		c    engine.Caller
		sees bool
	}{
		"the agent": {bot, true}, "the agent for anybody": {anywhere, true}, "another agent": {other, false}, "the user": {ana, false},
		"the agent for another user": {bo, false}, "an administrator": {w.Caller, true},
	} {
		_, err := e.Memory(ctx, x.c, id, engine.Access{})
		if x.sees != (err == nil) || !x.sees && graph.CodeOf(err) != graph.CodeMemoryNotFound {
			t.Errorf("%s reads it: %v, want %v", name, err, x.sees)
		}
		if got := w.found(t, x.c, "Where does the heron nest?", content); got != x.sees {
			t.Errorf("%s finds it: %v, want %v", name, got, x.sees)
		}
	}
	// A write of the user is not compared with it: nothing tells the user that it exists.
	own := engine.RememberInput{Content: content, Consent: graph.ConsentExplicit}
	if r, err := e.Remember(ctx, ana, own); err != nil || r.DuplicateOf != "" || len(r.ConflictsWith) > 0 {
		t.Errorf("the user writes the same: %+v, %v", r, err)
	}
	for name, x := range map[string]struct {
		c    engine.Caller
		in   engine.RememberInput
		want graph.Code
	}{
		"for another agent": {bot, engine.RememberInput{Agent: "crow"}, graph.CodeForbidden},
		"for no agent":      {w.Caller, engine.RememberInput{}, graph.CodeInvalidRequest},
		"by a user's key":   {ana, engine.RememberInput{Agent: "bot"}, graph.CodeForbidden},
		"forged":            {w.Caller, engine.RememberInput{Agent: "bot", User: "ana\x1fcrow"}, graph.CodeInvalidRequest},
		"a blank user":      {w.Caller, engine.RememberInput{Agent: "bot", User: " \u200b"}, graph.CodeInvalidRequest},
		"a blank agent":     {w.Caller, engine.RememberInput{User: "ana", Agent: "\u2800"}, graph.CodeInvalidRequest},
	} {
		x.in.Content, x.in.Consent, x.in.Private = "A secret.", graph.ConsentExplicit, true
		if _, err := e.Remember(ctx, x.c, x.in); graph.CodeOf(err) != x.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := e.Search(ctx, w.Caller, engine.SearchInput{Query: "heron", User: "ana\x1fbot"}); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("a search for the owner of private memories: %v", err)
	}

	if _, err := e.Share(ctx, other, id, engine.ToUser); graph.CodeOf(err) != graph.CodeMemoryNotFound {
		t.Errorf("another agent shares it: %v", err)
	}
	if _, err := e.Share(ctx, bot, id, engine.ToTeam); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("without MEMORY_SHARE: %v", err)
	}
	shared, err := e.Share(ctx, team, id, engine.ToTeam)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]engine.Caller{"the user": ana, "another agent": other, "another user": bo} {
		if v, err := e.Memory(ctx, c, shared.Memory.ID, engine.Access{}); err != nil || v.Content != content || v.User != "" || v.Agent != "bot" {
			t.Errorf("%s reads what was shared: %+v, %v", name, v, err)
		}
	}
	if v, err := e.Memory(ctx, bot, id, engine.Access{}); err != nil || v.State.Status != graph.Expired {
		t.Errorf("the private one: %+v, %v", v, err)
	}
	if _, err := e.Share(ctx, team, id, engine.ToTeam); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("once more: %v", err)
	}
	second, err := e.Remember(ctx, bot, engine.RememberInput{Content: "Ana buys pears on Mondays.", Consent: graph.ConsentExplicit, Private: true})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := e.Share(ctx, bot, second.Memory.ID, engine.ToUser); err != nil || r.Memory.User != "ana" {
		t.Errorf("with the user: %+v, %v", r, err)
	}
}

// An erasure by user erases what agents keep private about the user, by whomever.
func TestForgetUserErasesWhatAgentsKeepPrivate(t *testing.T) {
	w := New(t)
	var private []graph.ID
	for _, c := range []engine.Caller{agent("bot", "ana"), agent("crow", "ana"), agent("bot", "bo")} {
		r, err := w.Engine.Remember(t.Context(), c, engine.RememberInput{Content: "Kept by " + c.Name + ": likes pears.", Consent: graph.ConsentExplicit, Private: true})
		if err != nil {
			t.Fatal(err)
		}
		private = append(private, r.Memory.ID)
	}
	receipt, err := w.Engine.Forget(t.Context(), bound("ana", .8, access.MemoryRead, access.MemoryWrite), engine.ForgetInput{User: "ana"})
	if err != nil || receipt.Count != 2 {
		t.Fatalf("%+v, %v", receipt, err)
	}
	for i, id := range private {
		v, err := w.Engine.Memory(t.Context(), w.Caller, id, engine.Access{})
		if gone := err == nil && v.State.Status == graph.Forgotten; gone != (i < 2) {
			t.Errorf("memory %d is forgotten: %v, %v", i, gone, err)
		}
	}
}

// Sharing is one transaction: where the private memory may not end, nothing is written.
func TestSharingIsOneTransaction(t *testing.T) {
	w := New(t)
	bot := agent("bot", "ana", access.MemoryShare)
	made, err := w.Engine.Remember(t.Context(), bot, engine.RememberInput{Content: "The weir of Ana leaks.", Consent: graph.ConsentExplicit, Private: true})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Memory.ID
	weak := bot
	weak.Grant = .1 // below the authority of the memory
	count := func() (n int) {
		err := w.Store.View(t.Context(), bot.Scope().Whole(), func(r graph.Reader) error {
			for _, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
				if err != nil {
					return err
				}
				n++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if _, err := w.Engine.Share(t.Context(), weak, id, engine.ToTeam); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("by a caller that may not end it: %v", err)
	}
	if v, err := w.Engine.Memory(t.Context(), bot, id, engine.Access{}); err != nil || v.State.Status != graph.Active || count() != 1 {
		t.Errorf("after that there are %d memories, %+v, %v", count(), v, err)
	}
	w.Clock.Advance(time.Hour)
	shared, err := w.Engine.Share(t.Context(), bot, id, engine.ToUser)
	if err != nil {
		t.Fatal(err)
	}
	v, err := w.Engine.Memory(t.Context(), bot, id, engine.Access{})
	if err != nil || v.State.Status != graph.Expired || v.State.From != shared.Memory.CreatedAt {
		t.Errorf("the private one: %+v, %v", v, err)
	}
}

// An agent corrects what it keeps private, and the correction stays private.
func TestACorrectionOfAPrivateMemoryStaysPrivate(t *testing.T) {
	w := New(t)
	bot := agent("bot", "ana")
	made, err := w.Engine.Remember(t.Context(), bot, engine.RememberInput{Content: "Ana likes the window seat.", Consent: graph.ConsentExplicit, Private: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]engine.Caller{"the user": bound("ana", .8, access.MemoryRead, access.MemoryWrite), "another agent": agent("crow", "ana")} {
		if _, err := w.Engine.Supersede(t.Context(), c, engine.SupersedeInput{ID: made.Memory.ID, Content: "Forged."}); graph.CodeOf(err) != graph.CodeMemoryNotFound {
			t.Errorf("%s corrects it: %v", name, err)
		}
	}
	id := made.Memory.ID
	for name, c := range map[string]engine.Caller{"the agent": bot, "an administrator": w.Caller} {
		r, err := w.Engine.Supersede(t.Context(), c, engine.SupersedeInput{ID: id, Content: "Ana likes the seat that " + name + " says."})
		if err != nil {
			t.Fatalf("%s corrects it: %v", name, err)
		}
		id = r.Memory.ID
		if r.Memory.User != graph.PrivateOwner("ana", "bot") || r.Memory.Agent != "bot" {
			t.Errorf("the correction of %s belongs to %q, agent %q", name, r.Memory.User, r.Memory.Agent)
		}
		if _, err := w.Engine.Memory(t.Context(), bound("ana", .8, access.MemoryRead), id, engine.Access{}); graph.CodeOf(err) != graph.CodeMemoryNotFound {
			t.Errorf("the user reads the correction of %s: %v", name, err)
		}
		w.Clock.Advance(time.Minute)
	}
}

// An erasure of a part, such as one memory or a subject, takes only what the caller sees: it tells nobody what an agent keeps private.
func TestForgetOfAPartTakesWhatTheCallerSees(t *testing.T) {
	w := New(t)
	bot, ana := agent("bot", "ana"), bound("ana", .8, access.MemoryRead, access.MemoryWrite)
	made, err := w.Engine.Remember(t.Context(), bot, engine.RememberInput{Content: "The heron nests at the weir.", Subject: "heron", Consent: graph.ConsentExplicit, Private: true})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Memory.ID
	for name, in := range map[string]engine.ForgetInput{
		"by id": {IDs: []graph.ID{id}}, "by subject": {Subject: "heron"}, "by user and id": {User: "ana", IDs: []graph.ID{id}},
		"by user and subject": {User: "ana", Subject: "heron"}, "by namespace": {Namespace: "default"},
	} {
		for _, dry := range []bool{true, false} {
			in.DryRun = dry
			for who, c := range map[string]engine.Caller{"the user": ana, "another agent": agent("crow", "ana")} {
				if r, err := w.Engine.Forget(t.Context(), c, in); err != nil || r.Count != 0 {
					t.Errorf("%s, %s, dry run %v: %+v, %v", who, name, dry, r, err)
				}
			}
		}
	}
	if r, err := w.Engine.Forget(t.Context(), bot, engine.ForgetInput{IDs: []graph.ID{id}}); err != nil || r.Count != 1 {
		t.Errorf("the agent: %+v, %v", r, err)
	}
}
