package workspace_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// limited is a world whose tenant default has quotas.
func limited(t *testing.T, q *access.Quotas) *enginetest.World {
	return enginetest.With(t, enginetest.Options{Change: func(o *engine.Options) {
		o.Quotas = func(_ context.Context, name graph.Tenant) access.Quotas {
			if name == "default" {
				return *q
			}
			return access.Quotas{}
		}
	}})
}

func statement(content string) engine.RememberInput {
	return engine.RememberInput{Content: content, Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert}
}

// exceeds reports whether err says that a quota is exceeded, and which.
func exceeds(err error, quota string) bool {
	var e *graph.Error
	return errors.As(err, &e) && e.Code == graph.CodeLimitExceeded && e.Field == "quota."+quota && strings.Contains(e.Message, quota)
}

// Each verb that writes new memories is refused at the quota, with an error that names it. An erasure makes room, and other
// tenants are not limited.
func TestQuotaOfMemories(t *testing.T) {
	q := &access.Quotas{Memories: 3}
	w := limited(t, q)
	ctx, c := t.Context(), w.Caller
	results, err := w.Engine.RememberMany(ctx, c, []engine.RememberInput{
		statement("The heron nests at the weir."), statement("The ferry leaves at noon."), statement("Lina plays the violin."), statement("Omar has a red kayak."),
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		if i < 3 && r.Error != nil || i == 3 && !exceeds(r.Error, "memories") {
			t.Errorf("item %d: %v", i, r.Error)
		}
	}
	for verb, do := range map[string]func() error{
		"remember": func() error { _, err := w.Engine.Remember(ctx, c, statement("Petra sails on Sundays.")); return err },
		"supersede": func() error {
			_, err := w.Engine.Supersede(ctx, c, engine.SupersedeInput{ID: results[1].Memory.ID, Content: "The ferry leaves at one."})
			return err
		},
		"adjudicate": func() error {
			_, err := w.Engine.Adjudicate(ctx, c, engine.AdjudicateInput{Fact: "Quentin lives in Riga.", Subject: "Quentin", Consent: graph.ConsentExplicit,
				Evidence: []engine.Evidence{{Source: "letter", Weight: 1, Confidence: .95}}})
			return err
		},
		"observe": func() error {
			_, err := w.Engine.Observe(ctx, c, engine.Observation{Session: "s", Role: "user", Text: "I like tea.", Consent: graph.ConsentExplicit})
			return err
		},
		"ingest": func() error {
			_, err := w.Engine.Ingest(ctx, c, engine.IngestInput{Content: []byte("# Tea\n\nGreen tea."), Path: "tea.md", Consent: graph.ConsentExplicit})
			return err
		},
		"import": func() error { return w.Engine.AdmitImport(ctx, "default", 4, 10) },
	} {
		if err := do(); !exceeds(err, "memories") {
			t.Errorf("%s: %v", verb, err)
		}
	}
	if size, err := w.Engine.TenantSize(ctx, "default"); err != nil || size.Memories != 3 {
		t.Errorf("%+v, %v", size, err)
	}
	if _, err := w.Engine.Forget(ctx, c, engine.ForgetInput{IDs: []graph.ID{results[0].Memory.ID}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Engine.Remember(ctx, c, statement("Petra sails on Sundays.")); err != nil {
		t.Errorf("after an erasure: %v", err)
	}
	other := c
	other.Tenant = "other"
	for _, text := range []string{"One.", "Two is even.", "Three is odd.", "Four is a square."} {
		if _, err := w.Engine.Remember(ctx, other, statement(text)); err != nil {
			t.Errorf("another tenant: %v", err)
		}
	}
	*q = access.Quotas{}
	if _, err := w.Engine.Remember(ctx, c, statement("Omar has a red kayak.")); err != nil {
		t.Errorf("without a quota: %v", err)
	}
}

func TestQuotaOfBytes(t *testing.T) {
	w := limited(t, &access.Quotas{Bytes: 40})
	if _, err := w.Engine.Remember(t.Context(), w.Caller, statement(strings.Repeat("a ", 15)+"é")); err != nil { // 32 bytes
		t.Fatal(err)
	}
	if _, err := w.Engine.Remember(t.Context(), w.Caller, statement("nine byte")); !exceeds(err, "bytes") {
		t.Errorf("9 more: %v", err)
	}
	if _, err := w.Engine.Remember(t.Context(), w.Caller, statement("eight by")); err != nil {
		t.Errorf("8 more: %v", err)
	}
	if size, err := w.Engine.TenantSize(t.Context(), "default"); err != nil || size != (engine.TenantSize{Memories: 2, Bytes: 40}) {
		t.Errorf("%+v, %v", size, err)
	}
}

// Writers that come together get no more than the quota.
func TestQuotaHoldsForConcurrentWriters(t *testing.T) {
	w := limited(t, &access.Quotas{Memories: 10})
	var written atomic.Int64
	var writers sync.WaitGroup
	for i := range 8 {
		writers.Go(func() {
			for n := range 4 {
				in := statement(strings.Repeat("word ", i+1) + strings.Repeat("other ", n+1))
				if _, err := w.Engine.Remember(context.Background(), w.Caller, in); err == nil {
					written.Add(1)
				} else if !exceeds(err, "memories") {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	if size, err := w.Engine.TenantSize(t.Context(), "default"); err != nil || size.Memories != 10 || written.Load() != 10 {
		t.Errorf("%+v and %d answers, %v", size, written.Load(), err)
	}
}

func TestEraseTenantLeavesOtherTenants(t *testing.T) {
	w := enginetest.New(t)
	acme := w.Caller
	acme.Tenant = "acme"
	if _, err := w.Engine.Remember(t.Context(), acme, statement("The winch of acme sticks.")); err != nil {
		t.Fatal(err)
	}
	mine, err := w.Engine.Remember(t.Context(), w.Caller, statement("The heron nests at the weir."))
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := w.Engine.EraseTenant(t.Context(), w.Caller, "acme")
	if err != nil || receipt.Status != graph.DeletionComplete || receipt.Count != 1 {
		t.Fatalf("%+v, %v", receipt, err)
	}
	if size, err := w.Engine.TenantSize(t.Context(), "acme"); err != nil || size.Memories != 0 {
		t.Errorf("%+v, %v", size, err)
	}
	if v, err := w.Engine.Memory(t.Context(), w.Caller, mine.Memory.ID, engine.Access{}); err != nil || v.Content == "" {
		t.Errorf("%+v, %v", v, err)
	}
}
