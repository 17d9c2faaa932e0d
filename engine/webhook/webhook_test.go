package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/webhook"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// receiver is an endpoint in memory.
type receiver struct {
	mu       sync.Mutex
	accepted []engine.WebhookRequest
	attempts int
	answer   func(attempt int) (engine.WebhookAnswer, error) // nil: 204
}

func (r *receiver) Check(_ context.Context, url string) error {
	if !strings.HasPrefix(url, "https://") {
		return errors.New("must be an https URL")
	}
	return nil
}

func (r *receiver) Send(_ context.Context, q engine.WebhookRequest) (engine.WebhookAnswer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attempts++
	if r.answer != nil {
		if a, err := r.answer(r.attempts); err != nil || a.Status >= 300 {
			return a, err
		}
	}
	r.accepted = append(r.accepted, q)
	return engine.WebhookAnswer{Status: 204}, nil
}

func (r *receiver) set(answer func(int) (engine.WebhookAnswer, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

func (r *receiver) counts() (attempts, accepted int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.attempts, len(r.accepted)
}

// body is what the tests read of a message.
type body struct {
	Type string
	Data struct {
		Memory, Namespace, User, Content string
		Facts                            []struct {
			Subject, Predicate, Object, RevisedBy string
			Current                               bool
		}
	}
}

// wait waits until n messages were accepted and returns them.
func (r *receiver) wait(t *testing.T, n int) []body {
	t.Helper()
	until(t, func() bool { _, accepted := r.counts(); return accepted >= n })
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]body, len(r.accepted))
	for i, q := range r.accepted {
		if err := json.Unmarshal(q.Body, &out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func until(t *testing.T, condition func() bool) {
	t.Helper()
	for !condition() {
		if t.Context().Err() != nil {
			t.Fatal("the test ends")
		}
		runtime.Gosched()
	}
}

// world is a world with a receiver and one webhook.
func world(t *testing.T, in engine.WebhookInput, pauses ...time.Duration) (*enginetest.World, *receiver, *engine.Webhook, string) {
	t.Helper()
	r := &receiver{}
	w := enginetest.With(t, enginetest.Options{Webhooks: r, WebhookPauses: pauses, Alarms: true, Retry: time.Millisecond})
	in.URL = "https://app.example/memory?token=hidden"
	hook, secret, err := w.CreateWebhook(t.Context(), w.Caller, in)
	if err != nil {
		t.Fatal(err)
	}
	return w, r, hook, secret
}

func types(list []body) (out []string) {
	for _, b := range list {
		out = append(out, b.Type)
	}
	return out
}

func TestMessagesArriveInOrderAndAreSigned(t *testing.T) {
	w, r, _, secret := world(t, engine.WebhookInput{})
	var ids []string
	for i := range 100 {
		ids = append(ids, string(w.Remember(fmt.Sprintf("Box %d is on shelf %d.", i, i*7)).Memory.ID))
	}
	var got []string
	for _, b := range r.wait(t, len(ids)) {
		got = append(got, b.Data.Memory)
	}
	if !slices.Equal(got, ids) {
		t.Errorf("order = %v, want %v", got, ids)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) != 32 {
		t.Fatalf("secret = %q, %v", secret, err)
	}
	seen := map[string]bool{}
	for _, q := range r.accepted {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(q.ID + "." + fmt.Sprint(q.At.Unix()) + "." + string(q.Body)))
		if want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)); q.Signature != want || seen[q.ID] {
			t.Fatalf("%s: signature %q, want %q; seen %t", q.ID, q.Signature, want, seen[q.ID])
		}
		seen[q.ID] = true
	}
}

func TestEveryChangeOfAFactHasItsType(t *testing.T) {
	w, r, _, _ := world(t, engine.WebhookInput{Content: true})
	first := w.Remember("The ferry leaves at 07:00.").Memory
	if got := r.wait(t, 1); !slices.Equal(types(got), []string{webhook.Stated}) || got[0].Data.Content != "The ferry leaves at 07:00." {
		t.Fatalf("%+v", got)
	}
	w.Clock.Advance(time.Hour)
	second, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: first.ID, Content: "The ferry leaves at 07:10."})
	if err != nil {
		t.Fatal(err)
	}
	got := r.wait(t, 3)[1:]
	slices.SortFunc(got, func(a, b body) int { return strings.Compare(a.Type, b.Type) })
	if !slices.Equal(types(got), []string{webhook.Ended, webhook.Revised}) || got[0].Data.Memory != string(first.ID) || got[1].Data.Memory != string(second.Memory.Memory.ID) {
		t.Fatalf("%+v", got)
	}
	w.Clock.Advance(time.Hour)
	object := "07:20"
	if _, err := w.CorrectClaim(t.Context(), w.Caller, engine.CorrectClaimInput{ID: graph.ClaimID(second.Memory.Memory.ID, 1), Object: &object}); err != nil {
		t.Fatal(err)
	}
	if got := r.wait(t, 4)[3]; got.Type != webhook.Corrected || got.Data.Facts[0].Object != "07:20" {
		t.Fatalf("%+v", got)
	}
	w.Clock.Advance(time.Hour)
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{second.Memory.Memory.ID}}); err != nil {
		t.Fatal(err)
	}
	if got := r.wait(t, 5)[4]; got.Type != webhook.Forgotten || len(got.Data.Facts) != 0 || got.Data.Content != "" {
		t.Fatalf("%+v", got)
	}
}

func TestATurnStatesItsFactsWhenItLeavesTheBuffer(t *testing.T) {
	w, r, _, _ := world(t, engine.WebhookInput{})
	in := engine.Observation{Session: "talk", Role: "user", Text: "My boat is called Heron.", User: "ana", Consent: graph.ConsentExplicit}
	turn, err := w.Observe(t.Context(), w.Caller, in)
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Minute)
	if _, err := w.CloseSession(t.Context(), w.Caller, "talk", ""); err != nil {
		t.Fatal(err)
	}
	// Its vector may be stored at the same instant.
	_, err = w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		m, err := tx.Memory(turn.Memory.ID)
		if err != nil {
			return err
		}
		return tx.PutMemory(m, graph.EventUpdated)
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Remember("The winch is kept in the shed.")
	if got := r.wait(t, 2); !slices.Equal(types(got), []string{webhook.Stated, webhook.Stated}) || got[0].Data.User != "ana" || got[1].Data.User != "" {
		t.Errorf("%+v", got)
	}
}

func TestContentLeavesOnlyWhereItMay(t *testing.T) {
	for _, c := range []struct {
		name    string
		content bool
		with    func(*engine.RememberInput)
		leaves  bool
	}{
		{"not asked for", false, func(*engine.RememberInput) {}, false},
		{"asked for", true, func(*engine.RememberInput) {}, true},
		{"without consent", true, func(in *engine.RememberInput) { in.Consent = graph.ConsentNone }, false},
		{"restricted", true, func(in *engine.RememberInput) { in.Sensitivity = graph.Restricted }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, r, _, _ := world(t, engine.WebhookInput{Content: c.content})
			w.Remember("The winch is kept in the hangar.", c.with)
			got := r.wait(t, 1)[0]
			if len(got.Data.Facts) != 1 || got.Data.Facts[0].Subject != "winch" || (got.Data.Content != "") != c.leaves || (got.Data.Facts[0].Object != "") != c.leaves {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestOnlyTheNamespacesThatWereAskedFor(t *testing.T) {
	w, r, _, _ := world(t, engine.WebhookInput{Namespaces: []string{"kites"}})
	w.Remember("The winch is kept in the shed.")
	w.Remember("Heron is flown by Ana.", func(in *engine.RememberInput) { in.Namespace = "kites" })
	if got := r.wait(t, 1); got[0].Data.Namespace != "kites" {
		t.Errorf("%+v", got)
	}
}

func TestAFailedMessageIsRepeatedAndThenGivenUp(t *testing.T) {
	w, r, hook, _ := world(t, engine.WebhookInput{}, time.Minute, time.Hour)
	r.set(func(int) (engine.WebhookAnswer, error) { return engine.WebhookAnswer{Status: 500}, nil })
	first := w.Remember("The winch is kept in the shed.").Memory.ID
	second := w.Remember("The anchor is kept in the bow.").Memory.ID
	attempt := func(n int) {
		t.Helper()
		until(t, func() bool { attempts, _ := r.counts(); return attempts >= n })
	}
	waiting := func(attempts int) {
		t.Helper()
		until(t, func() bool { return state(t, w).Attempts == attempts })
	}
	attempt(1)
	waiting(1)
	if s := state(t, w); !s.NextAt.Equal(w.Now().Add(time.Minute)) || s.Reason != "the endpoint answered with status 500" {
		t.Errorf("%+v", s)
	}
	w.Clock.Advance(time.Minute)
	attempt(2)
	waiting(2)
	w.Clock.Advance(time.Hour)
	attempt(3)
	until(t, func() bool { return len(state(t, w).Dead) == 1 })
	r.set(nil)
	until(t, func() bool {
		if state(t, w).Attempts > 0 { // the second message met the old answer
			w.Clock.Advance(time.Minute)
		}
		_, accepted := r.counts()
		return accepted >= 1
	})
	if got := r.wait(t, 1); got[0].Data.Memory != string(second) {
		t.Errorf("%+v", got)
	}
	dead := state(t, w).Dead[0]
	if dead.ID != first || dead.Attempts != 3 || !strings.HasPrefix(dead.Message, "msg_") {
		t.Errorf("%+v", dead)
	}
	if _, err := w.RetryWebhook(t.Context(), w.Caller, hook.ID); err != nil {
		t.Fatal(err)
	}
	if got := r.wait(t, 2); got[1].Data.Memory != string(first) || r.accepted[1].ID != dead.Message {
		t.Errorf("%+v", got)
	}
	until(t, func() bool { s := state(t, w); return len(s.Dead) == 0 && s.Delivered == 2 && s.Reason == "" })
}

func state(t *testing.T, w *enginetest.World) *engine.Webhook {
	t.Helper()
	list, err := w.Webhooks(t.Context(), w.Caller)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d webhooks, %v", len(list), err)
	}
	return list[0]
}

func TestAnEndpointThatIsGoneGetsNothingMore(t *testing.T) {
	w, r, hook, _ := world(t, engine.WebhookInput{}, time.Minute)
	r.set(func(int) (engine.WebhookAnswer, error) { return engine.WebhookAnswer{Status: 410}, nil })
	w.Remember("The winch is kept in the shed.")
	until(t, func() bool { return state(t, w).Stopped })
	r.set(nil)
	if _, err := w.RetryWebhook(t.Context(), w.Caller, hook.ID); err != nil {
		t.Fatal(err)
	}
	if attempts, _ := r.counts(); len(r.wait(t, 1)) != 1 || attempts == 0 {
		t.Errorf("%d attempts", attempts)
	}
}

func TestARestartContinuesWhereItStopped(t *testing.T) {
	w, r, _, _ := world(t, engine.WebhookInput{})
	var ids []string
	for round := range 5 {
		for i := range 10 {
			ids = append(ids, string(w.Remember(fmt.Sprintf("Crate %d of row %d weighs %d kg.", i, round, 13*i+round)).Memory.ID))
		}
		if err := w.Restart(); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for n := len(ids); len(got) < len(ids); n++ { // a message may arrive twice
		got = nil
		for _, b := range r.wait(t, n) {
			if !slices.Contains(got, b.Data.Memory) {
				got = append(got, b.Data.Memory)
			}
		}
	}
	if !slices.Equal(got, ids) {
		t.Errorf("%d of %d messages, or another order", len(got), len(ids))
	}
}

func TestADeletedWebhookGetsNothing(t *testing.T) {
	w, r, hook, _ := world(t, engine.WebhookInput{})
	if _, err := w.DeleteWebhook(t.Context(), w.Caller, hook.ID); err != nil {
		t.Fatal(err)
	}
	other := engine.WebhookInput{URL: "https://other.example"}
	if _, _, err := w.CreateWebhook(t.Context(), w.Caller, other); err != nil {
		t.Fatal(err)
	}
	w.Remember("The winch is kept in the shed.")
	r.wait(t, 1)
	if r.accepted[0].URL != other.URL || len(r.accepted) != 1 {
		t.Errorf("sent to %s", r.accepted[0].URL)
	}
	_, err := w.DeleteWebhook(t.Context(), w.Caller, hook.ID)
	if graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("deleted again: %v", err)
	}
}

func TestTwoServersSendEachMessageOnce(t *testing.T) {
	store, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	r := &receiver{}
	w := enginetest.With(t, enginetest.Options{Store: fixture.SharedStore{Store: store}, Webhooks: r, Alarms: true, Sweep: time.Millisecond, Retry: time.Millisecond})
	o := enginetest.With(t, enginetest.Options{Store: fixture.SharedStore{Store: store}, Webhooks: r, Alarms: true, Sweep: time.Millisecond, Retry: time.Millisecond})
	if err := o.Restart(); err != nil { // the second engine of a world has another name than the first
		t.Fatal(err)
	}
	if _, _, err := w.CreateWebhook(t.Context(), w.Caller, engine.WebhookInput{URL: "https://app.example"}); err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		at := w
		if i%2 == 1 {
			at = o
		}
		at.Remember(fmt.Sprintf("Box %d is on shelf %d.", i, i*7))
	}
	seen := map[string]int{}
	for _, b := range r.wait(t, 60) {
		seen[b.Data.Memory]++
	}
	if len(seen) != 60 {
		t.Errorf("%d messages about %d memories", len(r.accepted), len(seen))
	}
}

func TestWhoMayMakeWebhooks(t *testing.T) {
	w, _, _, _ := world(t, engine.WebhookInput{})
	writer := engine.Caller{Tenant: "default", Name: "w", Grant: 1, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite}}
	bound := engine.Caller{Tenant: "default", Name: "b", Grant: 1, Admin: true, User: "ana"}
	part := engine.Caller{Tenant: "default", Name: "p", Grant: 1, Admin: true, Namespaces: []string{"kites"}}
	for _, c := range []engine.Caller{writer, bound} {
		if _, _, err := w.CreateWebhook(t.Context(), c, engine.WebhookInput{URL: "https://app.example"}); graph.CodeOf(err) != graph.CodeForbidden {
			t.Errorf("%s: %v", c.Name, err)
		}
		if _, err := w.Webhooks(t.Context(), c); graph.CodeOf(err) != graph.CodeForbidden {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	if list, err := w.Webhooks(t.Context(), part); err != nil || len(list) != 0 {
		t.Errorf("%d webhooks, %v", len(list), err)
	}
	hook, _, err := w.CreateWebhook(t.Context(), part, engine.WebhookInput{URL: "https://app.example"})
	if err != nil || !slices.Equal(hook.Namespaces, part.Namespaces) {
		t.Errorf("%+v, %v", hook, err)
	}
	if _, _, err := w.CreateWebhook(t.Context(), part, engine.WebhookInput{URL: "https://app.example", Namespaces: []string{"other"}}); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("another namespace: %v", err)
	}
	_, _, err = w.CreateWebhook(t.Context(), w.Caller, engine.WebhookInput{URL: "gopher://x"})
	if field := fieldOf(err); graph.CodeOf(err) != graph.CodeInvalidRequest || field != "url" {
		t.Errorf("%v at %q", err, field)
	}
	for range webhook.MaxEndpoints {
		_, _, err = w.CreateWebhook(t.Context(), w.Caller, engine.WebhookInput{URL: "https://app.example"})
	}
	if graph.CodeOf(err) != graph.CodeLimitExceeded {
		t.Errorf("too many: %v", err)
	}
}

func fieldOf(err error) string {
	var e *graph.Error
	if errors.As(err, &e) {
		return e.Field
	}
	return ""
}
