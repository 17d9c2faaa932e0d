package enginetest

import (
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// bound is the caller of a key of one user.
func bound(user string, grant float64, scopes ...access.Scope) engine.Caller {
	return engine.Caller{Tenant: "default", Name: user, User: user, Grant: grant, Scopes: scopes, Credential: "k-" + user}
}

// service is the caller of a key without a user.
func service(name string, grant float64, scopes ...access.Scope) engine.Caller {
	return engine.Caller{Tenant: "default", Name: name, Grant: grant, Scopes: scopes, Credential: "k-" + name}
}

// said writes a memory as the world's caller.
func (w *World) said(content, user string, authority float64) graph.ID {
	return w.Remember(content, func(in *engine.RememberInput) { in.User, in.Authority = user, &authority }).Memory.ID
}

// What a limited caller must not do is FORBIDDEN or MEMORY_NOT_FOUND, and changes nothing.
func TestALimitedCallerIsRefused(t *testing.T) {
	w := New(t)
	strong := w.said("The launch window opens at six.", "", .95)
	weak := w.said("The tea is in the second drawer.", "", .2)
	alice := w.said("Alice keeps her boots in the hall.", "alice", .2)
	mallory := bound("mallory", .3, access.MemoryRead, access.MemoryWrite, access.MemoryCurate)
	shop := service("shop", .3, access.MemoryRead, access.MemoryWrite, access.MemoryCurate)
	ctx, e, half := t.Context(), w.Engine, .9
	for name, x := range map[string]struct {
		do   func() error
		want graph.Code
	}{
		"a belief above the grant expires": {func() error { _, err := e.Expire(ctx, mallory, strong); return err }, graph.CodeForbidden},
		"a belief above the grant changes": {func() error {
			_, err := e.Update(ctx, mallory, engine.UpdateInput{ID: strong, Importance: &half})
			return err
		}, graph.CodeForbidden},
		"what is nobody's expires": {func() error { _, err := e.Expire(ctx, mallory, weak); return err }, graph.CodeForbidden},
		"what is nobody's changes": {func() error {
			_, err := e.Update(ctx, shop, engine.UpdateInput{ID: weak, Importance: &half})
			return err
		}, graph.CodeForbidden},
		"what is nobody's is superseded": {func() error {
			_, err := e.Supersede(ctx, mallory, engine.SupersedeInput{ID: weak, Content: "The tea is gone."})
			return err
		}, graph.CodeForbidden},
		"what is nobody's is pinned": {func() error { _, err := e.Pin(ctx, mallory, weak); return err }, graph.CodeForbidden},
		"a service writes for nobody": {func() error {
			_, err := e.Remember(ctx, shop, engine.RememberInput{Content: "Buy at the shop.", Consent: graph.ConsentExplicit})
			return err
		}, graph.CodeForbidden},
		"a user writes for another": {func() error {
			_, err := e.Remember(ctx, mallory, engine.RememberInput{Content: "x y z", User: "alice", Consent: graph.ConsentExplicit})
			return err
		}, graph.CodeForbidden},
		"a service forgets a user":     {func() error { _, err := e.Forget(ctx, shop, engine.ForgetInput{User: "alice"}); return err }, graph.CodeForbidden},
		"a service forgets by id":      {func() error { _, err := e.Forget(ctx, shop, engine.ForgetInput{IDs: []graph.ID{alice}}); return err }, graph.CodeForbidden},
		"a service forgets the tenant": {func() error { _, err := e.Forget(ctx, shop, engine.ForgetInput{Tenant: true}); return err }, graph.CodeForbidden},
		"a user forgets another":       {func() error { _, err := e.Forget(ctx, mallory, engine.ForgetInput{User: "alice"}); return err }, graph.CodeForbidden},
		"a user forgets the tenant":    {func() error { _, err := e.Forget(ctx, mallory, engine.ForgetInput{Tenant: true}); return err }, graph.CodeForbidden},
		"a user observes for another": {func() error {
			_, err := e.Observe(ctx, mallory, engine.Observation{Session: "s", Role: "user", User: "alice", Text: "hello", Consent: graph.ConsentExplicit})
			return err
		}, graph.CodeForbidden},
		"another user's memory is not there": {func() error { _, err := e.Expire(ctx, mallory, alice); return err }, graph.CodeMemoryNotFound},
	} {
		if err := x.do(); graph.CodeOf(err) != x.want || err == nil {
			t.Errorf("%s: %v, want %s", name, err, x.want)
		}
	}
	for _, id := range []graph.ID{strong, weak, alice} {
		v, err := w.Engine.Memory(ctx, w.Caller, id, engine.Access{IncludeImplicit: true})
		if err != nil || v.State.Status != graph.Active || v.Version != 1 || v.Importance == half || v.State.Core {
			t.Errorf("%s was changed: %+v, %v", id, v, err)
		}
	}
}

// A key of a user writes, curates and forgets what is its own. With MEMORY_SHARE it changes what is nobody's, up to its grant.
func TestALimitedCallerMayUseItsOwn(t *testing.T) {
	w := New(t)
	ctx, e := t.Context(), w.Engine
	ana := bound("ana", .8, access.MemoryRead, access.MemoryWrite, access.MemoryCurate)
	ana.Agent = "bot"
	r, err := e.Remember(ctx, ana, engine.RememberInput{Content: "I moor in the north basin.", Consent: graph.ConsentExplicit})
	if err != nil || r.Memory.User != "ana" || r.Memory.Agent != "bot" {
		t.Fatalf("a write that names no user: %+v, %v", r, err)
	}
	next, err := e.Supersede(ctx, ana, engine.SupersedeInput{ID: r.Memory.ID, Content: "I moor in the south basin."})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Expire(ctx, ana, next.Memory.ID); err != nil {
		t.Error(err)
	}
	if receipt, err := e.Forget(ctx, ana, engine.ForgetInput{User: "ana"}); err != nil || receipt.Count != 2 {
		t.Errorf("forget: %+v, %v", receipt, err)
	}
	shared := w.said("The tea is in the second drawer.", "", .2)
	ana.Scopes = append(ana.Scopes, access.MemoryShare)
	if _, err := e.Expire(ctx, ana, shared); err != nil {
		t.Error(err)
	}
}

// Receipts and idempotency keys belong to the principal that made them, and to its agent.
func TestReceiptsAndKeysBelongToTheirPrincipal(t *testing.T) {
	w := New(t)
	ctx, e := t.Context(), w.Engine
	ana, bob := bound("ana", .8, access.MemoryRead, access.MemoryWrite), bound("bob", .8, access.MemoryRead, access.MemoryWrite)
	write := func(c engine.Caller, content string) (*engine.RememberResult, error) {
		return e.Remember(ctx, c, engine.RememberInput{Content: content, Consent: graph.ConsentExplicit, IdempotencyKey: "k"})
	}
	first, err := write(ana, "I moor in the north basin.")
	if err != nil {
		t.Fatal(err)
	}
	other, err := write(bob, "My boat is blue.")
	if err != nil || other.Replayed || other.Memory.ID == first.Memory.ID {
		t.Errorf("the same key of another principal: %+v, %v", other, err)
	}
	if again, err := write(ana, "I moor in the north basin."); err != nil || !again.Replayed {
		t.Errorf("the same key again: %+v, %v", again, err)
	}
	agent := ana
	agent.Agent = "planner"
	if other, err := write(agent, "The north basin silts up."); err != nil || other.Replayed {
		t.Errorf("the same key of an agent of ana: %+v, %v", other, err)
	}
	if again, err := write(agent, "The north basin silts up."); err != nil || !again.Replayed {
		t.Errorf("the key of the agent again: %+v, %v", again, err)
	}
	receipt, err := e.Forget(ctx, ana, engine.ForgetInput{User: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := e.DeletionReceipt(ctx, ana, receipt.ID); err != nil || got.Status != graph.DeletionComplete {
		t.Errorf("the own receipt: %+v, %v", got, err)
	}
	if ids, err := e.ReceiptIDs(ctx, ana, receipt.ID, "", 10); err != nil || len(ids) != 2 {
		t.Errorf("the ids of the own receipt: %v, %v", ids, err)
	}
	if got, err := e.DeletionReceipt(ctx, agent, receipt.ID); graph.CodeOf(err) != graph.CodeMemoryNotFound || got != nil {
		t.Errorf("the receipt, to an agent of ana: %+v, %v", got, err)
	}
	if got, err := e.DeletionReceipt(ctx, bob, receipt.ID); graph.CodeOf(err) != graph.CodeMemoryNotFound || got != nil {
		t.Errorf("the receipt of another principal: %+v, %v", got, err)
	}
	if ids, _ := e.ReceiptIDs(ctx, bob, receipt.ID, "", 10); len(ids) != 0 {
		t.Errorf("the ids of another's receipt: %v", ids)
	}
	if _, err := e.DeletionReceipt(ctx, w.Caller, receipt.ID); err != nil {
		t.Errorf("an administrator: %v", err)
	}
	second, err := e.Forget(ctx, bob, engine.ForgetInput{User: "bob"})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name string
		c    engine.Caller
		in   engine.ReceiptsInput
		want []graph.ID
		more bool
	}{
		{"ana", ana, engine.ReceiptsInput{}, []graph.ID{receipt.ID}, false},
		{"bob", bob, engine.ReceiptsInput{Status: graph.DeletionComplete}, []graph.ID{second.ID}, false},
		{"bob, pending", bob, engine.ReceiptsInput{Status: graph.DeletionPending}, nil, false},
		{"an administrator", w.Caller, engine.ReceiptsInput{}, []graph.ID{second.ID, receipt.ID}, false},
		{"a page", w.Caller, engine.ReceiptsInput{First: 1}, []graph.ID{second.ID}, true},
		{"the next page", w.Caller, engine.ReceiptsInput{First: 1, After: second.ID}, []graph.ID{receipt.ID}, false},
	} {
		page, more, err := e.DeletionReceipts(ctx, x.c, x.in)
		var got []graph.ID
		for _, r := range page {
			got = append(got, r.ID)
		}
		if err != nil || more != x.more || !slices.Equal(got, x.want) {
			t.Errorf("receipts of %s: %v, more %v, %v", x.name, got, more, err)
		}
	}
	if _, _, err := e.DeletionReceipts(ctx, ana, engine.ReceiptsInput{First: -1}); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("a page of -1: %v", err)
	}
	own, err := e.Forget(ctx, agent, engine.ForgetInput{User: "ana"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := e.DeletionReceipt(ctx, agent, own.ID); err != nil || got.ID != own.ID {
		t.Errorf("the own receipt of an agent: %+v, %v", got, err)
	}
	if got, err := e.DeletionReceipt(ctx, ana, own.ID); graph.CodeOf(err) != graph.CodeMemoryNotFound || got != nil {
		t.Errorf("the receipt of an agent, to ana: %+v, %v", got, err)
	}
}
