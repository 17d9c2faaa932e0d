package ingest_test

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dgraphstore"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// What an agent keeps private keeps its external id: another agent of the same user, which does not see it, may give the same one, and
// takes nothing over with it.
func TestWhatAnAgentKeepsPrivateKeepsItsExternalID(t *testing.T) {
	t.Run("embedded", func(t *testing.T) { privateNames(t, enginetest.New(t)) })
	t.Run("Dgraph", func(t *testing.T) {
		if testing.Short() {
			t.Skip("the full run has it")
		}
		store, err := dgraphstore.Open(t.Context(), []string{dgraphtest.Run(t, t.TempDir()).Addr}, dgraphstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		})
		privateNames(t, enginetest.With(t, enginetest.Options{Store: store}))
	})
}

func privateNames(t *testing.T, w *enginetest.World) {
	key := func(user, agent string) engine.Caller {
		return engine.Caller{Tenant: "default", Name: user + agent, User: user, Agent: agent, Grant: .8, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite}, Credential: "k-" + user + agent}
	}
	crow, jay, ana, service := key("ana", "crow"), key("ana", "jay"), key("ana", ""), key("", "crow")
	write := func(c engine.Caller, name, content string, private bool) (*engine.RememberResult, error) {
		return w.Engine.Remember(t.Context(), c, engine.RememberInput{Content: content, ExternalID: name, Private: private, Agent: c.Agent, Consent: graph.ConsentExplicit, OnDuplicate: ingest.Insert})
	}
	remember := func(c engine.Caller, name, content string, private bool) graph.ID {
		t.Helper()
		r, err := write(c, name, content, private)
		if err != nil || r.Error != nil || r.Replayed {
			t.Fatalf("%s writes %q: %+v, %v", c.Name, content, r, err)
		}
		return r.Memory.ID
	}
	repeat := func(c engine.Caller, name, content string, private bool, want graph.ID) {
		t.Helper()
		if r, err := write(c, name, content, private); err != nil || !r.Replayed || r.Memory.ID != want {
			t.Errorf("%s repeats %q: %+v, %v", c.Name, content, r, err)
		}
	}
	finds := func(c engine.Caller, name, want string) {
		t.Helper()
		if v, err := w.MemoryByExternalID(t.Context(), c, "default", name, engine.Access{}); want == "" {
			fixture.WantError(t, err, graph.CodeMemoryNotFound, "externalId")
		} else if err != nil || v.Content != want {
			t.Errorf("%s finds %+v, %v; want %q", c.Name, v, err, want)
		}
	}
	forget := func(ids ...graph.ID) {
		t.Helper()
		fixture.Forget(t, w, engine.ForgetInput{IDs: ids})
	}
	restart := func() {
		t.Helper()
		if err := w.Restart(); err != nil {
			t.Fatal(err)
		}
	}

	// Both find and repeat their own, and who sees both without being one of them finds what was named first.
	first := remember(crow, "crm/1", "The tailor on Quay Street closes at noon.", true)
	finds(jay, "crm/1", "")
	second := remember(jay, "crm/1", "The ferry to Skagen sails at six.", false)
	both := func(crows, jays string) {
		t.Helper()
		finds(crow, "crm/1", crows)
		finds(jay, "crm/1", jays)
		finds(ana, "crm/1", jays)
		finds(w.Caller, "crm/1", crows)
	}
	both("The tailor on Quay Street closes at noon.", "The ferry to Skagen sails at six.")
	repeat(crow, "crm/1", "The tailor on Quay Street closes at noon.", true, first)
	repeat(jay, "crm/1", "The ferry to Skagen sails at six.", false, second)
	_, err := write(crow, "crm/1", "The tailor on Quay Street closes at one.", true)
	fixture.WantError(t, err, graph.CodeVersionConflict, "externalId")
	if !strings.Contains(err.Error(), string(first)) {
		t.Errorf("the error does not name the agent's own memory: %v", err)
	}
	_, err = write(crow, "crm/1", "The tailor on Quay Street closes at noon.", false)
	fixture.WantError(t, err, graph.CodeVersionConflict, "externalId")
	if !strings.Contains(err.Error(), string(first)) || strings.Contains(err.Error(), "another user") {
		t.Errorf("the error for what is not private: %v", err)
	}

	// After a correction by the id that the name finds, and a restart.
	r, err := w.Supersede(t.Context(), crow, engine.SupersedeInput{ID: first, Content: "The tailor on Quay Street closes at two."})
	if err != nil {
		t.Fatal(err)
	}
	both("The tailor on Quay Street closes at two.", "The ferry to Skagen sails at six.")
	restart()
	both("The tailor on Quay Street closes at two.", "The ferry to Skagen sails at six.")
	repeat(crow, "crm/1", "The tailor on Quay Street closes at two.", true, r.Memory.ID)

	// After the private one is shared: its name stays with it.
	if _, err := w.Share(t.Context(), crow, r.Memory.ID, ingest.ToUser); err != nil {
		t.Fatal(err)
	}
	both("The tailor on Quay Street closes at two.", "The ferry to Skagen sails at six.")
	repeat(jay, "crm/1", "The ferry to Skagen sails at six.", false, second)

	// After the erasure of one of the two the other one is found by all who see it.
	forget(first, r.Memory.ID)
	both("The ferry to Skagen sails at six.", "The ferry to Skagen sails at six.")
	restart()
	both("The ferry to Skagen sails at six.", "The ferry to Skagen sails at six.")
	kept := remember(crow, "crm/2", "The lamp in the hall flickers.", true)
	forget(remember(jay, "crm/2", "The cellar is dry.", false))
	for _, c := range []engine.Caller{crow, w.Caller} {
		finds(c, "crm/2", "The lamp in the hall flickers.")
	}
	finds(jay, "crm/2", "")
	finds(ana, "crm/2", "")
	repeat(crow, "crm/2", "The lamp in the hall flickers.", true, kept)

	// What an agent keeps private about nobody is that of a caller without a user, also after the erasure of the version that had the name
	// first. A caller with a user finds, and repeats, what belongs to that user.
	first = remember(service, "crm/3", "The depot opens at five.", true)
	finds(crow, "crm/3", "The depot opens at five.")
	second = remember(jay, "crm/3", "The kiosk sells stamps.", false)
	finds(service, "crm/3", "The depot opens at five.")
	for _, c := range []engine.Caller{crow, jay} {
		finds(c, "crm/3", "The kiosk sells stamps.")
		repeat(c, "crm/3", "The kiosk sells stamps.", false, second)
	}
	if _, err = w.Supersede(t.Context(), service, engine.SupersedeInput{ID: first, Content: "The depot opens at four."}); err != nil {
		t.Fatal(err)
	}
	forget(first)
	finds(service, "crm/3", "The depot opens at four.")
	for _, c := range []engine.Caller{crow, jay} {
		finds(c, "crm/3", "The kiosk sells stamps.")
	}
}
