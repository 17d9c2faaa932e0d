package ingest_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// A write without a consent is refused, unless the policy of its namespace has a default. A default
// is recorded as one.
func TestDefaultConsent(t *testing.T) {
	w := enginetest.New(t)
	_, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: "Ana likes tea"})
	fixture.WantError(t, err, graph.CodeConsentRequired, "consent")
	_, err = w.SetNamespacePolicy(t.Context(), w.Caller, engine.PolicyInput{Namespace: "app", Update: policy.Update{DefaultConsent: fixture.Ptr(policy.DefaultImplicit)}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.SetNamespacePolicy(t.Context(), w.Caller, engine.PolicyInput{Namespace: "app", Update: policy.Update{MinConsent: fixture.Ptr(graph.ConsentExplicit)}})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "defaultConsent")

	for _, c := range []struct {
		consent, want graph.Consent
		defaulted     bool
	}{{"", graph.ConsentImplicit, true}, {graph.ConsentExplicit, graph.ConsentExplicit, false}, {graph.ConsentImplicit, graph.ConsentImplicit, false}} {
		r, err := w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: "Ana likes tea", Namespace: "app", Consent: c.consent, OnDuplicate: engine.Insert})
		if err != nil || r.Memory.Consent != c.want || r.Memory.ConsentDefaulted != c.defaulted {
			t.Errorf("remember with %q: %+v, %v", c.consent, r, err)
		}
	}
	o, err := w.Observe(t.Context(), w.Caller, engine.Observation{Session: "s", Role: "user", Text: "I like tea", Namespace: "app", User: "ana"})
	if err != nil || o.Memory.Consent != graph.ConsentImplicit || !o.Memory.ConsentDefaulted {
		t.Errorf("observe: %+v, %v", o, err)
	}
	a, err := w.Adjudicate(t.Context(), w.Caller, engine.AdjudicateInput{Fact: "Vera lives in Ghent.", Subject: "Vera", Namespace: "app", Evidence: []engine.Evidence{fixture.Evidence("a", .8)}})
	if err != nil || a.Current.Consent != graph.ConsentImplicit || !a.Current.ConsentDefaulted {
		t.Errorf("adjudicate: %+v, %v", a, err)
	}
	s := fixture.Supersede(t, w, a.Current.ID, "Vera lives in Bruges.")
	if s.Memory.Consent != graph.ConsentImplicit || !s.Memory.ConsentDefaulted {
		t.Errorf("supersede: %s, defaulted %v", s.Memory.Consent, s.Memory.ConsentDefaulted)
	}
	many, err := w.RememberMany(t.Context(), w.Caller, []engine.RememberInput{{Content: "The mill closes at six", Namespace: "app"}, {Content: "The mill closes at six"}})
	if err != nil || many[0].Error != nil || !many[0].Memory.ConsentDefaulted || graph.CodeOf(many[1].Error) != graph.CodeConsentRequired {
		t.Errorf("rememberMany: %+v, %v", many, err)
	}
	_, err = w.Engine.Remember(t.Context(), w.Caller, engine.RememberInput{Content: "x", Namespace: "not a namespace"})
	fixture.WantError(t, err, graph.CodeConsentRequired, "consent")
}
