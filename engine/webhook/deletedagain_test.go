package webhook_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// record is a record of deleted endpoints in memory.
type record struct{ ids sync.Map }

func (r *record) DeleteWebhook(id string, at time.Time) error { r.ids.LoadOrStore(id, at); return nil }
func (r *record) WebhookDeleted(id string) bool               { _, known := r.ids.Load(id); return known }

// conflicting is a store whose transactions lose against another one at first, while conflicts is set.
type conflicting struct {
	graph.Store
	conflicts atomic.Bool
}

var errLost = errors.New("another transaction was first")

func (s *conflicting) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if s.conflicts.Load() {
		_, err := s.Store.Update(ctx, scope, func(tx graph.Tx) error { return errors.Join(fn(tx), errLost) })
		if !errors.Is(err, errLost) {
			return 0, err
		}
	}
	return s.Store.Update(ctx, scope, fn)
}

// A deletion whose transaction runs twice, after a conflict, deletes the endpoint and says so.
func TestADeletionThatConflictsSucceeds(t *testing.T) {
	store, err := enginetest.OpenStore(t)
	if err != nil {
		t.Fatal(err)
	}
	s := &conflicting{Store: store}
	w := enginetest.With(t, enginetest.Options{Store: s, Webhooks: &receiver{}, Alarms: true, Retry: time.Millisecond, Change: func(o *engine.Options) { o.DeletedWebhooks = &record{} }})
	hook, _, err := w.CreateWebhook(t.Context(), w.Caller, engine.WebhookInput{URL: "https://app.example/memory"})
	if err != nil {
		t.Fatal(err)
	}
	s.conflicts.Store(true)
	gone, err := w.DeleteWebhook(t.Context(), w.Caller, hook.ID)
	s.conflicts.Store(false)
	if err != nil || gone.ID != hook.ID {
		t.Errorf("%+v, %v", gone, err)
	}
	if left, err := w.Webhooks(t.Context(), w.Caller); err != nil || len(left) != 0 {
		t.Errorf("%d webhooks are left, %v", len(left), err)
	}
}
