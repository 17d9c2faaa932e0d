package session_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

const greased = "The winch got new grease."

// limited is a caller that may read and write, but not all.
func limited(change func(*engine.Caller)) engine.Caller {
	c := engine.Caller{Tenant: "default", Name: "limited", Grant: .9, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite, access.MemoryShare}, Credential: "k"}
	change(&c)
	return c
}

// wantOwnTurn checks that a turn stands by itself and that the memory it repeats was not strengthened.
func wantOwnTurn(t *testing.T, w *enginetest.World, turn graph.ID, before *engine.View) {
	t.Helper()
	if m := stored(t, w, turn); m.Status() != graph.Active || m.State().Tier == graph.L0 || m.Consolidated != "" {
		t.Errorf("the turn is %+v, merged into %q", m.State(), m.Consolidated)
	}
	after := fixture.MustView(w, before.ID)
	if after.Usage.Count != before.Usage.Count || after.Salience != before.Salience || !after.AnchorAt.Equal(before.AnchorAt) {
		t.Error("the memory was strengthened")
	}
}

// A turn that leaves L0 or is imported merges only into a memory that everyone sees who sees the turn.
func TestTurnMergesIntoNothingThatItsReadersDoNotSee(t *testing.T) {
	kinds := map[string]struct {
		caller engine.Caller
		other  func(*engine.RememberInput)
		merges bool
	}{
		"the same":        {limited(func(c *engine.Caller) { c.User = "ana" }), func(in *engine.RememberInput) { in.User = "ana" }, true},
		"another user":    {limited(func(c *engine.Caller) { c.User = "ana" }), func(in *engine.RememberInput) { in.User = "ben" }, false},
		"a private note":  {limited(func(c *engine.Caller) { c.User, c.Agent = "ana", "owl" }), func(in *engine.RememberInput) { in.User, in.Agent, in.Private = "ana", "crow", true }, false},
		"restricted":      {limited(func(c *engine.Caller) { c.User, c.Sensitivity = "ana", graph.Internal }), func(in *engine.RememberInput) { in.User, in.Sensitivity = "ana", graph.Restricted }, false},
		"a namespace":     {limited(func(c *engine.Caller) { c.User, c.Namespaces = "ana", []string{"default"} }), func(in *engine.RememberInput) { in.User, in.Namespace = "ana", "board" }, false},
		"another consent": {limited(func(c *engine.Caller) { c.User, c.Consents = "ana", []graph.Consent{graph.ConsentExplicit} }), func(in *engine.RememberInput) { in.User, in.Consent = "ana", graph.ConsentImplicit }, false},
	}
	for name, kind := range kinds {
		for _, imported := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				w := enginetest.New(t)
				before := w.Remember(greased, kind.other, func(in *engine.RememberInput) {
					in.Session, in.Type, in.OccurredAt = "s", graph.Episodic, enginetest.Start
				}).Memory
				turn := engine.Observation{Session: "s", Role: "user", Text: greased, Consent: graph.ConsentExplicit, OccurredAt: enginetest.Start}
				var id graph.ID
				if imported {
					r, err := w.ObservePast(t.Context(), kind.caller, []engine.Observation{turn})
					if err != nil || r[0].Error != nil || r[0].Replayed {
						t.Fatalf("%+v, %v", r, err)
					}
					id = r[0].Memory.ID
				} else {
					r, err := w.Observe(t.Context(), kind.caller, turn)
					if err != nil {
						t.Fatal(err)
					}
					id = r.Memory.ID
					if _, err := w.CloseSession(t.Context(), kind.caller, "s", ""); err != nil {
						t.Fatal(err)
					}
				}
				if kind.merges {
					if m := stored(t, w, id); m.Consolidated != before.ID {
						t.Errorf("the turn is %+v, merged into %q", m.State(), m.Consolidated)
					}
					return
				}
				wantOwnTurn(t, w, id, before)
			})
		}
	}
}

// The answer of an import does not tell a caller that a memory exists which it does not see, even if it does
// not see what it writes.
func TestImportedTurnTellsOfNoHiddenMemory(t *testing.T) {
	for name, c := range map[string]engine.Caller{
		"consent":     limited(func(c *engine.Caller) { c.User, c.Consents = "ana", []graph.Consent{graph.ConsentExplicit} }),
		"sensitivity": limited(func(c *engine.Caller) { c.User, c.Sensitivity = "ana", graph.Public }),
	} {
		t.Run(name, func(t *testing.T) {
			w := enginetest.New(t)
			before := w.Remember(greased, func(in *engine.RememberInput) {
				in.User, in.Consent, in.Session, in.Type, in.OccurredAt = "ana", graph.ConsentImplicit, "s", graph.Episodic, enginetest.Start
			}).Memory
			turn := engine.Observation{Session: "s", Role: "user", Text: greased, Consent: graph.ConsentImplicit, OccurredAt: enginetest.Start}
			r, err := w.ObservePast(t.Context(), c, []engine.Observation{turn})
			if err != nil || r[0].Error != nil {
				t.Fatalf("%+v, %v", r, err)
			}
			if m := r[0].Memory; m.State.Status != graph.Active || m.Consolidated != "" {
				t.Errorf("the answer says %+v, merged into %q", m.State, m.Consolidated)
			}
			v, err := w.Memory(t.Context(), w.Caller, r[0].Memory.ID, engine.Access{IncludeImplicit: true})
			if err != nil || v.State.Status != graph.Active {
				t.Errorf("stored as %+v, %v", v, err)
			}
			after, err := w.Memory(t.Context(), w.Caller, before.ID, engine.Access{IncludeImplicit: true})
			if err != nil || after.Usage.Count != 0 || after.Salience != before.Salience {
				t.Errorf("the hidden memory was strengthened: %+v, %v", after, err)
			}
		})
	}
}

// A turn of a transcript is recognised only in a turn that its caller sees: else the import would answer with the
// hidden one, and what the caller imports would be lost to it.
func TestTranscriptIsNotRecognisedInAHiddenTurn(t *testing.T) {
	w := enginetest.New(t)
	hidden := fixture.Observe(t, w, "user", greased, func(o *engine.Observation) { o.Session, o.Consent = "old", graph.ConsentImplicit }).Memory
	c := limited(func(c *engine.Caller) { c.User, c.Consents = "ana", []graph.Consent{graph.ConsentExplicit} })
	r, err := w.ObservePast(t.Context(), c, []engine.Observation{said("user", greased, enginetest.Start)})
	if err != nil || r[0].Error != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if m := r[0].Memory; r[0].Replayed || m.ID == hidden.ID || m.Consent != graph.ConsentExplicit {
		t.Errorf("the import is answered with %s, consent %s, replayed %v", m.ID, m.Consent, r[0].Replayed)
	}
	if _, err := w.Memory(t.Context(), c, r[0].Memory.ID, engine.Access{}); err != nil {
		t.Errorf("the caller does not find what it imported: %v", err)
	}
}

// restrictingStore makes a memory RESTRICTED just before the next write, as a call at that moment would.
type restrictingStore struct {
	graph.Store
	id atomic.Value
}

func (s *restrictingStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if id := s.id.Swap(graph.ID("")); id != nil && id != graph.ID("") {
		if _, err := s.Store.Update(ctx, scope, func(tx graph.Tx) error {
			m, err := tx.Memory(id.(graph.ID))
			if err != nil {
				return err
			}
			m.Sensitivity = graph.Restricted
			return tx.PutMemory(m, graph.EventUpdated)
		}); err != nil {
			return 0, err
		}
	}
	return s.Store.Update(ctx, scope, fn)
}

// A memory that becomes RESTRICTED after it was found as a duplicate takes the place of no turn.
func TestTurnMergesIntoNothingThatIsHiddenMeanwhile(t *testing.T) {
	s := &restrictingStore{Store: enginetest.New(t).Store}
	w := enginetest.With(t, enginetest.Options{Store: s})
	before := w.Remember(greased, func(in *engine.RememberInput) {
		in.User, in.Session, in.Type, in.OccurredAt = "ana", "old", graph.Episodic, enginetest.Start
	}).Memory
	s.id.Store(before.ID)
	out := past(t, w, said("user", greased, enginetest.Start))
	if s.id.Load() != graph.ID("") {
		t.Fatal("the memory was not changed")
	}
	wantOwnTurn(t, w, out[0].Memory.ID, before)
}
