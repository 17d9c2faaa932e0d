package erasure_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/graph"
)

func from(source string) func(*engine.RememberInput) {
	return func(in *engine.RememberInput) { in.Source = source }
}

// takeBack withdraws a source, or fails the test.
func takeBack(w *enginetest.World, source string) *engine.Withdrawal {
	w.T.Helper()
	out, err := w.Engine.WithdrawSource(w.T.Context(), w.Caller, source, "", "", false)
	if err != nil {
		w.T.Fatalf("withdraw: %v", err)
	}
	return out
}

func TestWithdrawRefusesInvalidInput(t *testing.T) {
	w := enginetest.New(t)
	high := w.Remember("The vault is empty.", from("gossip"), func(in *engine.RememberInput) { in.Authority = fixture.Ptr(0.9) }).Memory.ID
	weak := engine.Caller{Tenant: w.Caller.Tenant, Name: "weak", Grant: 0.5}
	narrow := engine.Caller{Tenant: w.Caller.Tenant, Name: "narrow", Grant: 1, Namespaces: []string{"other"}}
	for _, c := range []struct {
		caller                    engine.Caller
		source, namespace, reason string
		code                      graph.Code
		field                     string
	}{
		{w.Caller, "", "", "", graph.CodeInvalidRequest, "source"},
		{w.Caller, "\xff", "", "", graph.CodeInvalidRequest, "source"},
		{w.Caller, strings.Repeat("x", 1025), "", "", graph.CodeInvalidRequest, "source"},
		{w.Caller, "gossip", "a b", "", graph.CodeInvalidRequest, "namespace"},
		{w.Caller, "gossip", "", strings.Repeat("x", 2049), graph.CodeLimitExceeded, "reason"},
		{weak, "gossip", "", "", graph.CodeForbidden, "source"},
		{narrow, "gossip", "default", "", graph.CodeForbidden, "namespace"},
	} {
		_, err := w.Engine.WithdrawSource(t.Context(), c.caller, c.source, c.namespace, c.reason, false)
		fixture.WantError(t, err, c.code, c.field)
	}
	// A caller without access to this part of the tenant withdraws nothing.
	out, err := w.Engine.WithdrawSource(t.Context(), narrow, "gossip", "", "", false)
	if err != nil || len(out.Withdrawn) != 0 || fixture.MustView(w, high).State.Status != graph.Active {
		t.Errorf("%+v, %v", out, err)
	}
}

// A withdrawal names the safety-critical memories that it ends, a dry run those that it would end.
func TestWithdrawalNamesSafetyCriticalMemories(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("The vault is empty.", from("gossip"))
	id := w.Remember("The lift of the quay must not carry people.", from("gossip"), func(in *engine.RememberInput) { in.SafetyCritical = true }).Memory.ID
	for _, dry := range []bool{true, false} {
		out, err := w.Engine.WithdrawSource(t.Context(), w.Caller, "gossip", "", "", dry)
		if err != nil || len(out.Withdrawn) != 2 || !slices.Equal(out.SafetyCritical, []graph.ID{id}) {
			t.Errorf("dry run %v: %+v, %v", dry, out, err)
		}
	}
}

// Memories that the source had superseded are ACTIVE again, and version numbers are not
// reused.
func TestWithdrawalRestoresCorrectedBelief(t *testing.T) {
	w := enginetest.New(t)
	good := w.Remember("Ana lives in Porto.", from("ana")).Memory.ID
	replace := func(old graph.ID, text, source string) graph.ID {
		t.Helper()
		w.Clock.Advance(time.Hour)
		r, err := w.Engine.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: old, Content: text, Source: source})
		if err != nil {
			t.Fatal(err)
		}
		return r.Memory.ID
	}
	lie := replace(replace(good, "Ana lives in Ghent.", "gossip"), "Ana lives in Bergen.", "gossip")
	out := takeBack(w, "gossip")
	if !slices.Equal(out.Withdrawn, []graph.ID{lie}) || !slices.Equal(out.Restored, []graph.ID{good}) {
		t.Fatalf("%+v", out)
	}
	v := fixture.MustView(w, good)
	if v.State.Status != graph.Active || !v.State.ValidTo.IsZero() || v.SupersededBy != "" {
		t.Errorf("%+v", v.State)
	}
	now := replace(good, "Ana lives in Lisbon.", "ana")
	if n := fixture.MustView(w, now).Version; n != 4 {
		t.Errorf("version %d, want the next that was never given", n)
	}
	chain, err := w.Lineage(t.Context(), w.Caller, now, 0, 0)
	if err != nil || len(chain) != 4 {
		t.Errorf("%d versions, %v", len(chain), err)
	}
}

// A memory that a bad source only agreed with stays. Otherwise anyone could remove a memory
// by repeating it.
func TestWithdrawalKeepsSupportedBelief(t *testing.T) {
	w := enginetest.New(t)
	belief := w.Remember("The bridge is closed.", from("warden"), func(in *engine.RememberInput) { in.Subject = "bridge" }).Memory.ID
	a, err := w.Engine.Adjudicate(t.Context(), w.Caller, engine.AdjudicateInput{
		Fact: "The bridge is closed.", Subject: "bridge", Consent: graph.ConsentExplicit,
		Evidence: []engine.Evidence{{Source: "gossip", Weight: 0.9, Confidence: 0.9}},
	})
	if err != nil || a.Decision != gate.Merged || a.Current.ID != belief {
		t.Fatalf("%+v, %v", a, err)
	}
	out := takeBack(w, "gossip")
	if len(out.Withdrawn) != 1 || len(out.Descended)+len(out.Restored) != 0 || fixture.MustView(w, belief).State.Status != graph.Active {
		t.Errorf("%+v, the belief is %s", out, fixture.MustView(w, belief).State.Status)
	}
	// The reverse: after the withdrawal of the original source too, there is nothing to
	// restore.
	out = takeBack(w, "warden")
	if !slices.Equal(out.Withdrawn, []graph.ID{belief}) || len(out.Restored) != 0 {
		t.Errorf("%+v", out)
	}
}

func TestEvidenceSurvivesItsMergedBelief(t *testing.T) {
	w := enginetest.New(t)
	belief := w.Remember("The bridge is closed.", from("gossip"), func(in *engine.RememberInput) { in.Subject = "bridge" }).Memory.ID
	_, err := w.Engine.Adjudicate(t.Context(), w.Caller, engine.AdjudicateInput{
		Fact: "The bridge is closed.", Subject: "bridge", Consent: graph.ConsentExplicit,
		Evidence: []engine.Evidence{{Source: "warden", Weight: 0.9, Confidence: 0.9}},
	})
	if err != nil {
		t.Fatal(err)
	}
	out := takeBack(w, "gossip")
	if !slices.Equal(out.Withdrawn, []graph.ID{belief}) || len(out.Restored) != 1 {
		t.Fatalf("%+v", out)
	}
	v := fixture.MustView(w, out.Restored[0])
	if v.State.Status != graph.Active || v.Source != "warden" || v.Consolidated != "" {
		t.Errorf("%+v", v.Memory)
	}
}

// Relations with evidence from the source alone are deleted.
func TestWithdrawalRemovesRelationsOfTheSource(t *testing.T) {
	w := enginetest.New(t)
	lie, truth := fixture.Statement("Sanne", "owns", "castle"), fixture.Statement("Sanne", "owns", "barge")
	lie.Source, truth.Source = "gossip", "registry"
	again := fixture.Statement("Sanne", "owns", "barge")
	again.Source = "gossip"
	fixture.MustRemember(w, truth, lie, again)
	takeBack(w, "gossip")
	left := fixture.Relations(w, "sanne")
	if len(left) != 1 || len(left[0].Memories) != 1 {
		t.Errorf("%d relations are left", len(left))
	}
}

// Over many random lives: after a withdrawal, nothing that only the bad source said is
// believed, whatever sleep derived from it. Everything from other sources is. A dry run
// names the same memories. Another sleep changes neither.
func TestWithdrawalIsCompleteAndLosesNothing(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 7))
			w := enginetest.New(t)
			places := []string{"Quince terrace", "Orsini weir", "Gotland ferry"}
			doings := []string{"weighed %d kilos of pears on", "cut %d branches by", "counted %d visitors at", "paid %d crowns for"}
			good, bad := map[string]bool{}, map[string]bool{}
			for day := range 8 {
				for i := range 3 + rng.IntN(3) {
					number := 1000 + 100*day + 10*i + rng.IntN(10)
					of, source := good, []string{"ana", "bo"}[rng.IntN(2)]
					if rng.IntN(4) == 0 {
						of, source = bad, "gossip"
					}
					place := places[rng.IntN(3)]
					w.Remember(fmt.Sprintf("Marta "+doings[rng.IntN(4)]+" the %s", number, place), from(source), func(in *engine.RememberInput) {
						in.Type, in.Session, in.Entities, in.OnDuplicate = graph.Episodic, fmt.Sprint(day, i), []string{"Marta", place}, engine.Insert
					})
					of[fmt.Sprint(number)] = true
				}
				w.Clock.Advance(24 * time.Hour)
			}
			w.Clock.Advance(time.Duration(rng.IntN(10)) * 24 * time.Hour)
			for range 1 + rng.IntN(2) {
				fixture.MustDeepSleep(w)
				w.Clock.Advance(24 * time.Hour)
			}
			dry, err := w.Engine.WithdrawSource(t.Context(), w.Caller, "gossip", "", "", true)
			if err != nil {
				t.Fatal(err)
			}
			out := takeBack(w, "gossip")
			if !slices.Equal(dry.Withdrawn, out.Withdrawn) || !slices.Equal(dry.Descended, out.Descended) {
				t.Errorf("rehearsed %+v, done %+v", dry, out)
			}
			if len(out.Withdrawn) != len(bad) {
				t.Errorf("%d withdrawn, the source said %d", len(out.Withdrawn), len(bad))
			}
			t.Logf("withdrawn %d, descended %d, rebuilt %d, restored %d", len(out.Withdrawn), len(out.Descended), len(out.Rebuilt), len(out.Restored))
			for _, when := range []string{"right behind it", "after a sleep"} {
				list, err := w.Memories(t.Context(), w.Caller, engine.ListInput{Statuses: []graph.Status{graph.Active}, First: 1000})
				if err != nil {
					t.Fatal(err)
				}
				var text strings.Builder
				for _, v := range list.Memories {
					text.WriteString(v.Content + "\n")
				}
				for n := range bad {
					if strings.Contains(text.String(), n) {
						t.Errorf("%s %s is still believed", when, n)
					}
				}
				for n := range good {
					if !strings.Contains(text.String(), n) {
						t.Errorf("%s %s is lost", when, n)
					}
				}
				fixture.MustDeepSleep(w)
			}
		})
	}
}
