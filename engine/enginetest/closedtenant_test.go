package enginetest

import (
	"context"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// lateStore calls then, once, before it begins a write.
type lateStore struct {
	graph.Store
	then func()
}

func (s *lateStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if then := s.then; then != nil {
		s.then = nil
		then()
	}
	return s.Store.Update(ctx, scope, fn)
}

// A write that was accepted before its tenant was deleted, and commits later, leaves nothing.
func TestNothingIsWrittenInADeletedTenant(t *testing.T) {
	for name, write := range map[string]func(e *engine.Engine, c engine.Caller) error{
		"remember": func(e *engine.Engine, c engine.Caller) error {
			_, err := e.Remember(context.Background(), c, engine.RememberInput{Content: "The winch sticks.", Consent: graph.ConsentExplicit})
			return err
		},
		"rememberMany": func(e *engine.Engine, c engine.Caller) error {
			r, err := e.RememberMany(context.Background(), c, []engine.RememberInput{{Content: "The winch sticks.", Consent: graph.ConsentExplicit}})
			if err == nil && r[0].Error != nil {
				return r[0].Error
			}
			return err
		},
		"observe": func(e *engine.Engine, c engine.Caller) error {
			_, err := e.Observe(context.Background(), c, engine.Observation{Session: "s", Role: "user", Text: "The winch sticks.", Consent: graph.ConsentExplicit})
			return err
		},
		"ingest": func(e *engine.Engine, c engine.Caller) error {
			_, err := e.Ingest(context.Background(), c, engine.IngestInput{Path: "winch.md", Content: []byte("# Winch\n\nThe winch sticks.\n"), Consent: graph.ConsentExplicit})
			return err
		},
		"setNamespacePolicy": func(e *engine.Engine, c engine.Caller) error {
			_, err := e.SetNamespacePolicy(context.Background(), c, engine.PolicyInput{Namespace: "winches"})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			inner, err := OpenStore(t)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = inner.Close() })
			store := &lateStore{Store: inner}
			w := With(t, Options{Store: store})
			acme := w.Caller
			acme.Tenant = "acme"
			if _, err := w.Engine.TenantSize(t.Context(), "acme"); err != nil { // it is open
				t.Fatal(err)
			}
			store.then = func() {
				if _, err := w.Engine.EraseTenant(context.Background(), w.Caller, "acme"); err != nil {
					t.Error(err)
				}
			}
			for range 2 {
				if err := write(w.Engine, acme); err == nil || graph.CodeOf(err) != graph.CodeForbidden {
					t.Errorf("the write: %v", err)
				}
			}
			if size, err := w.Engine.TenantSize(t.Context(), "acme"); err != nil || size.Memories != 0 {
				t.Errorf("the tenant holds %+v, %v", size, err)
			}
			if _, err := w.Engine.EraseTenant(t.Context(), w.Caller, "acme"); err != nil {
				t.Errorf("deleted again: %v", err)
			}
		})
	}
}
