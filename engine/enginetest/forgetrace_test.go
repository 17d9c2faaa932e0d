package enginetest

import (
	"context"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

type watched struct{}

// watchedStore calls then when a call of the watched context reads, after it has asked for the head of the feed.
type watchedStore struct {
	graph.Store
	headed bool
	then   func()
}

func (s *watchedStore) Head(ctx context.Context, scope graph.Scope) (graph.Cursor, error) {
	s.headed = s.headed || ctx.Value(watched{}) != nil
	return s.Store.Head(ctx, scope)
}

func (s *watchedStore) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	if then := s.then; then != nil && ctx.Value(watched{}) != nil && s.headed {
		s.then = nil
		then()
	}
	return s.Store.View(ctx, scope, fn)
}

// What an agent keeps private about a user, and what says the name of an entity, is erased if it was acknowledged before the erasure was
// requested, as its receipt says, also if the call had begun.
func TestAnErasureTakesWhatWasWrittenBeforeItsReceipt(t *testing.T) {
	for name, x := range map[string]struct {
		in      engine.ForgetInput
		content string
	}{
		"of a user":    {engine.ForgetInput{User: "ana"}, "Ana dislikes the winch."},
		"of an entity": {engine.ForgetInput{Entity: "Falkenried"}, "we met at Falkenried again"},
	} {
		t.Run(name, func(t *testing.T) {
			inner, err := OpenStore(t)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = inner.Close() })
			store := &watchedStore{Store: inner}
			w := With(t, Options{Store: store})
			agent := service("bot", .8, access.MemoryRead, access.MemoryWrite, access.MemoryShare)
			agent.Agent = "bot"
			w.Remember("Ana paints Falkenried.", func(in *engine.RememberInput) { in.User, in.Entities = "ana", []string{"Falkenried"} })
			var late graph.ID
			store.then = func() {
				in := engine.RememberInput{Content: x.content, Consent: graph.ConsentExplicit, User: "ana", Private: x.in.User != ""}
				r, err := w.Engine.Remember(context.Background(), agent, in)
				if err != nil {
					t.Error(err)
					return
				}
				late = r.Memory.ID
				w.Clock.Advance(1e9)
			}
			receipt, err := w.Engine.Forget(context.WithValue(t.Context(), watched{}, true), w.Caller, x.in)
			if err != nil || late == "" {
				t.Fatal(receipt, late, err)
			}
			v, err := w.Engine.Memory(t.Context(), w.Caller, late, engine.Access{IncludeImplicit: true})
			if err != nil || v.State.Status != graph.Forgotten && v.RecordedAt.Before(receipt.RequestedAt) {
				t.Errorf("%q of %s is %s after the erasure of %s: %v", v.Content, v.RecordedAt, v.State.Status, receipt.RequestedAt, err)
			}
		})
	}
}
