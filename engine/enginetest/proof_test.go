package enginetest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/proof"
	"github.com/somnograph/somnograph/graph"
)

func of(user string) func(*engine.RememberInput) {
	return func(in *engine.RememberInput) { in.User = user }
}

func TestErasureIsProvedWithoutAServer(t *testing.T) {
	w := With(t, Options{AuditKeys: &AuditKeys{}})
	var receipts []*graph.Receipt
	for _, user := range []string{"bram", "ada", "nobody at all"} {
		if user != "nobody at all" {
			w.Remember("The key of the barn lies under the stone.", of(user))
			w.Remember("Oats are sown in March.", of(user))
		}
		w.Remember("The tram of "+user+" is late.", func(in *engine.RememberInput) { in.User = "clerk" })
		r, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{User: user})
		if err != nil {
			t.Fatal(err)
		}
		receipts = append(receipts, r)
	}
	for i, r := range receipts {
		text, key, err := w.ProveErasure(t.Context(), w.Caller, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		c, err := proof.Verify(text, key)
		if err != nil || c.Receipt.ID != r.ID || c.Receipt.Count != r.Count || c.Erasures != 3 || c.Live != 3 {
			t.Errorf("receipt %d: %+v, %v", i, c, err)
		}
		parts, err := w.ErasureParts(t.Context(), w.Caller, r.ID)
		if err != nil || len(parts) != len(proof.Stores) || parts[0].Store != "STORE" || parts[0].Status != "COMPLETE" || !parts[0].At.Equal(r.CompletedAt) {
			t.Errorf("parts: %+v, %v", parts, err)
		}
		if strings.Contains(string(text), "bram") || strings.Contains(string(text), "barn") {
			t.Error("the document holds content")
		}
	}
	// An erased id that is back has no proof.
	first := receipts[0]
	ids, err := w.ReceiptIDs(t.Context(), w.Caller, first.ID, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	text, key, err := w.ProveErasure(t.Context(), w.Caller, first.ID)
	if err != nil {
		t.Fatal(err)
	}
	var d proof.Document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	d.IDs = ids[1:]
	if text, err = json.Marshal(d); err != nil {
		t.Fatal(err)
	}
	if _, err := proof.Verify(text, key); err == nil {
		t.Error("a shortened receipt was accepted")
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	if _, again, err := w.ProveErasure(t.Context(), w.Caller, first.ID); err != nil || again != key {
		t.Errorf("after a restart the key is %q, %v; it was %q", again, err, key)
	}
	// A document for a caller who sees a part of the tenant is over all memories.
	w.Remember("The shed is locked.", of("eve"))
	eve := engine.Caller{Tenant: "default", Name: "eve", User: "eve", Grant: 1, Scopes: w.Caller.Scopes}
	own, err := w.Forget(t.Context(), eve, engine.ForgetInput{User: "eve"})
	if err != nil {
		t.Fatal(err)
	}
	if text, key, err = w.ProveErasure(t.Context(), eve, own.ID); err != nil {
		t.Fatal(err)
	}
	if c, err := proof.Verify(text, key); err != nil || c.Live != 3 || c.Erasures != 4 {
		t.Errorf("for a user: %+v, %v", c, err)
	}
	if parts, err := w.ErasureParts(t.Context(), eve, own.ID); err != nil || len(parts) != len(proof.Stores) {
		t.Errorf("for a user: %+v, %v", parts, err)
	}
	other := engine.Caller{Tenant: "default", Name: "mallory", User: "mallory"}
	if _, _, err := w.ProveErasure(t.Context(), other, first.ID); graph.CodeOf(err) != graph.CodeMemoryNotFound {
		t.Errorf("another principal: %v", err)
	}
}

func TestWithoutKeysThereIsNoProof(t *testing.T) {
	w := New(t)
	m := w.Remember("The well is dry.").Memory
	r, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{m.ID}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.ProveErasure(t.Context(), w.Caller, r.ID); graph.CodeOf(err) != graph.CodeMemoryNotFound || !strings.Contains(err.Error(), "keys") {
		t.Error(err)
	}
}

func TestDryRunListsIDsMentionsAndLosses(t *testing.T) {
	w := New(t)
	own := w.Remember("I am allergic to hazelnuts.", of("bram")).Memory
	w.Remember("Bram Visser trains Sunniva.", func(in *engine.RememberInput) { in.Entities = []string{"bram"} })
	w.Remember("The first lesson of Bram was short.", func(in *engine.RememberInput) { in.User, in.Entities = "sunniva", []string{"bram"} })
	w.Remember("Sunniva sings.", of("sunniva"))
	lost := w.Remember("bram must never be given quillon by bram.", func(in *engine.RememberInput) {
		in.User, in.SafetyCritical, in.Consent = "bram", true, graph.ConsentNone
	}).Memory
	dry, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{User: "bram", DryRun: true})
	if err != nil || dry.Forecast == nil {
		t.Fatalf("%+v, %v", dry, err)
	}
	want := []graph.ID{own.ID, lost.ID}
	slices.Sort(want)
	if !slices.Equal(dry.Forecast.IDs, want) || dry.Forecast.Mentions != 2 || !slices.Equal(dry.Forecast.SafetyLost, want) {
		t.Errorf("%+v", dry.Forecast)
	}
	done, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{User: "bram"})
	if err != nil || done.Forecast != nil || done.Hash != dry.Hash {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestDryRunCountsTextsThatSayTheUser(t *testing.T) {
	for user, texts := range map[string][]string{
		"kalle77":         {"The book of kalle77 is late.", "KALLE77's bike is blue."},
		"mrs_hill":        {"The book of mrs_hill is late."},
		"bob@example.com": {"The book of bob@example.com is late."},
		"gustav":          {"Gustav sings.", "The boat of gustav leaks.", "Lena met Gustav in Riga.", "gustav paid."},
	} {
		w := New(t)
		w.Remember("I keep bees.", of(user))
		for _, text := range texts {
			w.Remember(text, of("other"))
		}
		w.Remember("The book of kalle7 and of bob is late, says mrs hillary, not gustavo.", of("other"))
		dry, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{User: user, DryRun: true})
		if err != nil || dry.Count != 1 || dry.Forecast.Mentions != len(texts) {
			t.Errorf("%s: %+v, %v, want %d mentions", user, dry.Forecast, err, len(texts))
		}
	}
}

func TestForgetByEntity(t *testing.T) {
	w := New(t)
	about := func(entity string) func(*engine.RememberInput) {
		return func(in *engine.RememberInput) { in.Entities, in.OnDuplicate = []string{entity}, engine.Insert }
	}
	for range 40 {
		w.Remember("The dyke was inspected.", about("Heron 3"))
	}
	kept := w.Remember("The dyke was repaired.", about("Heron 4")).Memory
	dry, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{Entity: "heron 3", DryRun: true})
	if err != nil || dry.Count != 40 || dry.Forecast.Mentions != 0 {
		t.Fatalf("%+v, %v", dry, err)
	}
	r, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{Entity: "Heron 3"})
	if err != nil || r.Count != 40 || r.Hash != dry.Hash || r.Status != graph.DeletionComplete {
		t.Fatalf("%+v, %v", r, err)
	}
	if v, err := w.Memory(t.Context(), w.Caller, kept.ID, engine.Access{}); err != nil || v.State.Status != graph.Active {
		t.Errorf("another entity: %+v, %v", v, err)
	}
	_, err = w.Forget(t.Context(), w.Caller, engine.ForgetInput{Entity: "Heron 3"})
	if graph.CodeOf(err) != graph.CodeMemoryNotFound {
		t.Errorf("the entity is gone: %v", err)
	}
}
