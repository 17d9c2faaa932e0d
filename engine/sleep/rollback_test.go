package sleep_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// twice writes a text twice in a namespace, so that a sleep merges the second into the first.
func twice(w *enginetest.World, namespace, text string) (kept, merged graph.ID) {
	w.T.Helper()
	insert := func(in *engine.RememberInput) { in.Namespace, in.OnDuplicate = namespace, engine.Insert }
	low := 0.5
	kept = w.Remember(text, insert).Memory.ID
	return kept, w.Remember(text, insert, func(in *engine.RememberInput) { in.Confidence = &low }).Memory.ID
}

func digest(w *enginetest.World) string {
	w.T.Helper()
	d, err := enginetest.Digest(w.T.Context(), w.Store, w.Caller.Scope())
	if err != nil {
		w.T.Fatal(err)
	}
	return d
}

func rollBack(w *enginetest.World, in engine.RollbackInput) *engine.RollbackResult {
	w.T.Helper()
	r, err := w.Engine.Rollback(w.T.Context(), w.Caller, in)
	if err != nil {
		w.T.Fatal(err)
	}
	return r
}

func reportIDs(reports []engine.SleepReport) (ids []graph.ID) {
	for _, r := range reports {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestRollbackRefusesInvalidInput(t *testing.T) {
	w := enginetest.New(t)
	twice(w, "default", "The gate of the yard is locked at night.")
	w.Remember("The harbour lamp is lit at dusk.", func(in *engine.RememberInput) { in.Namespace = "south" })
	days := 0
	w.Clock.Advance(time.Hour)
	south, err := w.Consolidate(t.Context(), w.Caller, engine.ConsolidateInput{Strategy: engine.StrategyAge, Namespace: "default", OlderThanDays: &days})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(10 * 24 * time.Hour)
	night := fixture.MustDeepSleep(w)
	now, before := w.Clock.Now(), digest(w)
	for _, c := range []struct {
		in    engine.RollbackInput
		code  graph.Code
		field string
	}{
		{engine.RollbackInput{}, graph.CodeInvalidRequest, "id"},
		{engine.RollbackInput{ID: "x"}, graph.CodeInvalidRequest, "id"},
		{engine.RollbackInput{ID: "019c75e5-7095-7fff-bfff-ffffffffffff"}, graph.CodeMemoryNotFound, "id"},
		{engine.RollbackInput{ID: south.ID, To: now}, graph.CodeInvalidRequest, "to"},
		{engine.RollbackInput{To: now.Add(time.Second)}, graph.CodeInvalidRequest, "to"},
		{engine.RollbackInput{To: now.Add(-7*24*time.Hour - time.Second)}, graph.CodeInvalidRequest, "to"},
		{engine.RollbackInput{To: now, Namespace: "a b"}, graph.CodeInvalidRequest, "namespace"},
		{engine.RollbackInput{ID: south.ID, Namespace: "south"}, graph.CodeInvalidRequest, "namespace"},
		{engine.RollbackInput{ID: night.ID, Namespace: "deafult"}, graph.CodeInvalidRequest, "namespace"},
		{engine.RollbackInput{To: now, Namespace: "deafult"}, graph.CodeInvalidRequest, "namespace"},
		{engine.RollbackInput{ID: south.ID}, graph.CodeVersionConflict, "id"},
	} {
		for _, c.in.DryRun = range []bool{false, true} {
			_, err := w.Engine.Rollback(t.Context(), w.Caller, c.in)
			fixture.WantError(t, err, c.code, c.field)
		}
	}
	narrow := engine.Caller{Tenant: w.Caller.Tenant, Name: "narrow", Grant: 1, Namespaces: []string{"default"}}
	_, err = w.Engine.Rollback(t.Context(), narrow, engine.RollbackInput{To: now})
	fixture.WantError(t, err, graph.CodeForbidden, "")
	fixture.SameDigest(t, "after refusals", digest(w), before)
}

func TestRollbackToAnInstantSaysWhatItChanges(t *testing.T) {
	w := enginetest.New(t)
	kept, merged := twice(w, "north", "The gate of the yard is locked at night.")
	_, lamp := twice(w, "south", "The harbour lamp is lit at dusk.")
	w.Clock.Advance(24 * time.Hour)
	evening := w.Clock.Now()
	w.Clock.Advance(time.Minute)
	first := fixture.MustDeepSleep(w)
	w.Clock.Advance(24 * time.Hour)
	_, well := twice(w, "north", "The well in the yard is covered in winter.")
	w.Clock.Advance(24 * time.Hour)
	second := fixture.MustDeepSleep(w)
	if first.Deduplicated != 2 || second.Deduplicated != 1 {
		t.Fatalf("merged %d and %d", first.Deduplicated, second.Deduplicated)
	}
	w.Clock.Advance(time.Hour)
	asleep := digest(w)
	in := engine.RollbackInput{To: evening, Namespace: "north", DryRun: true}
	plan := rollBack(w, in)
	fixture.SameDigest(t, "after a dry run", digest(w), asleep)
	in.DryRun = false
	done := rollBack(w, in)
	for what, r := range map[string]*engine.RollbackResult{"dry run": plan, "rollback": done} {
		if got := reportIDs(r.Reports); !slices.Equal(got, []graph.ID{second.ID, first.ID}) {
			t.Errorf("%s: reports %v", what, got)
		}
		if r.Restored != 2 || r.Withdrawn != 0 {
			t.Errorf("%s: restored %d, withdrawn %d", what, r.Restored, r.Withdrawn)
		}
		if b := r.Before.Statuses; b[graph.Active] != 2 || b[graph.Consolidated] != 2 {
			t.Errorf("%s: before %v", what, b)
		}
		if a := r.After.Statuses; a[graph.Active] != 4 || a[graph.Consolidated] != 0 {
			t.Errorf("%s: after %v", what, a)
		}
		if n := r.After.Tiers[graph.L0] + r.After.Tiers[graph.L1] + r.After.Tiers[graph.L2] + r.After.Tiers[graph.L3]; n != 4 {
			t.Errorf("%s: tiers %v", what, r.After.Tiers)
		}
	}
	if d := plan.After.Health - done.After.Health; d > 1e-9 || d < -1e-9 {
		t.Errorf("health %v was predicted, and is %v", plan.After.Health, done.After.Health)
	}
	for id, want := range map[graph.ID]graph.Status{kept: graph.Active, merged: graph.Active, well: graph.Active, lamp: graph.Consolidated} {
		if got := get(t, w, id).State.Status; got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	for _, r := range done.Reports {
		if len(r.RolledBackIn) != 1 || r.RolledBackIn[0].Namespace != "north" || !r.RolledBackAt.IsZero() {
			t.Errorf("report %+v", r)
		}
	}
	// Nothing is left to do in the north; the south has its turn.
	if again := rollBack(w, in); len(again.Reports) != 0 || again.Restored != 0 || again.Before.Statuses[graph.Active] != 4 || again.After.Statuses[graph.Active] != 4 {
		t.Errorf("again: %+v", again)
	}
	rest := rollBack(w, engine.RollbackInput{To: evening})
	if rest.Restored != 1 || rest.Before.Statuses[graph.Consolidated] != 1 || rest.After.Statuses[graph.Consolidated] != 0 || get(t, w, lamp).State.Status != graph.Active {
		t.Errorf("the rest: %+v", rest)
	}
	for _, r := range rest.Reports {
		if r.RolledBackAt.IsZero() {
			t.Errorf("report %+v", r)
		}
	}
}

// A later change of what any of the sleeps left refuses the whole rollback, before its first write.
func TestRollbackToAnInstantIsCheckedAsAWhole(t *testing.T) {
	w := enginetest.New(t)
	low := 0.25
	var noise []graph.ID
	for _, text := range []string{"It rained a little around noon.", "Somebody laughed in the hall.", "The bus was yellow today.", "A dog barked twice outside."} {
		noise = append(noise, w.Remember(text, func(in *engine.RememberInput) { in.Salience = &low }).Memory.ID)
	}
	w.Clock.Advance(40 * 24 * time.Hour)
	start := w.Clock.Now()
	w.Clock.Advance(time.Hour)
	fixture.MustDeepSleep(w)
	faint := slices.IndexFunc(noise, func(id graph.ID) bool { return get(t, w, id).State.Status == graph.Archived })
	if faint < 0 {
		t.Fatal("nothing was archived")
	}
	w.Clock.Advance(24 * time.Hour)
	twice(w, "default", "The well in the yard is covered in winter.")
	if _, err := w.Engine.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: noise[faint], Content: "It rained a lot around noon."}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(24 * time.Hour)
	fixture.MustDeepSleep(w)
	before := digest(w)
	for _, dry := range []bool{true, false} {
		_, err := w.Engine.Rollback(t.Context(), w.Caller, engine.RollbackInput{To: start, DryRun: dry})
		fixture.WantError(t, err, graph.CodeVersionConflict, "to")
	}
	fixture.SameDigest(t, "after a refusal", digest(w), before)
}

// After a rollback, the next deep sleep folds the same memories again, also in the same night and after
// a week in which nothing new was said.
func TestASleepAfterARollbackFoldsAgain(t *testing.T) {
	for _, wait := range []time.Duration{time.Hour, 24 * time.Hour} {
		w := enginetest.New(t)
		for i, s := range []string{
			"The kiln in the pottery studio was repaired by Joris for 240 euros.",
			"The pottery studio kiln now fires at 1180 degrees after the repair by Joris.",
			"Joris painted the door of the kiln in the pottery studio black.",
		} {
			w.Remember(s+around, func(in *engine.RememberInput) {
				in.User, in.Type, in.Session, in.Entities = "ada", graph.Episodic, []string{"a", "b", "c"}[i], []string{"Joris", "pottery studio", "kiln"}
			})
		}
		w.Clock.Advance(20 * 24 * time.Hour)
		first := fixture.MustDeepSleep(w)
		if first.Consolidated != 3 || first.Derived != 1 {
			t.Fatalf("report %+v", first)
		}
		w.Clock.Advance(time.Minute)
		rollBack(w, engine.RollbackInput{ID: first.ID})
		w.Clock.Advance(wait)
		if r := fixture.MustDeepSleep(w); r.Consolidated != 3 || r.Derived != 1 {
			t.Errorf("%s after the rollback: %+v", wait, r)
		}
		w.Clock.Advance(time.Minute)
		before := digest(w)
		fixture.MustDeepSleep(w)
		fixture.SameDigest(t, "after a further sleep of the same night", digest(w), before)
	}
}

// After a rollback of a deep sleep the next one groups again, also in the same night, and when the former
// clusters are gone as well as when those of the night before are in force.
func TestASleepAfterARollbackGroupsAgain(t *testing.T) {
	for _, nights := range []int{1, 2} {
		w := enginetest.New(t)
		var last *engine.SleepReport
		for i := range nights {
			rememberMore(w, 100+100*i, 24, "ana")
			w.Clock.Advance(24 * time.Hour)
			if last = fixture.MustDeepSleep(w); last.Clustered != 1 {
				t.Fatalf("night %d: report %+v", i, last)
			}
		}
		w.Clock.Advance(time.Hour)
		rollBack(w, engine.RollbackInput{ID: last.ID})
		w.Clock.Advance(time.Hour)
		if r := fixture.MustDeepSleep(w); r.Clustered != 1 {
			t.Errorf("after a rollback of night %d: %d owners clustered", nights, r.Clustered)
		}
		w.Clock.Advance(time.Hour)
		if r := fixture.MustDeepSleep(w); r.Clustered != 0 {
			t.Errorf("a further sleep of the night clustered %d owners", r.Clustered)
		}
	}
}

// What the memories say is as it was before the sleep.
func TestRollbackRestoresFacts(t *testing.T) {
	w := enginetest.New(t)
	low, insert := 0.5, func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert }
	w.Remember("Ana keeps the spare key in the boat house.", insert)
	w.Remember("Ana keeps the spare key in the boat house.", insert, func(in *engine.RememberInput) { in.Confidence = &low })
	w.Remember("Ana lives in Oslo.", insert)
	facts := func() (out []string) {
		t.Helper()
		found, err := w.Facts(t.Context(), w.Caller, engine.FactsInput{Subject: "Ana", IncludePast: true})
		if err != nil || len(found) == 0 {
			t.Fatalf("%d facts, %v", len(found), err)
		}
		for _, f := range found {
			out = append(out, fmt.Sprint(f.ID, f.State.Predicate, f.State.Object, f.Current, f.ValidTo))
		}
		return out
	}
	before := facts()
	w.Clock.Advance(24 * time.Hour)
	evening := w.Clock.Now()
	w.Clock.Advance(time.Minute)
	if r := fixture.MustDeepSleep(w); r.Deduplicated != 1 {
		t.Fatalf("report %+v", r)
	}
	w.Clock.Advance(time.Hour)
	rollBack(w, engine.RollbackInput{To: evening})
	if after := facts(); !slices.Equal(after, before) {
		t.Errorf("%v, before the sleep %v", after, before)
	}
}

// A rollback over two sleeps that crashes at any of its commits is finished when the store is opened
// again.
func TestRollbackToAnInstantResumesAfterCrash(t *testing.T) {
	want := ""
	for commits := -1; ; commits++ {
		l := fixture.NewLife(t)
		start := l.Clock.Now()
		for i := range 2 {
			if i > 0 {
				l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
					for project := range 2 {
						l.Remember(ctx, e, engine.RememberInput{Content: "The well is covered in winter.", OnDuplicate: engine.Insert, User: "mira", Project: fmt.Sprint(project)})
					}
				})
				l.Clock.Advance(25 * time.Hour)
			}
			if r, err := l.Sleep(l.Store); err != nil || r.Deduplicated+r.Pruned == 0 {
				t.Fatalf("%+v, %v", r, err)
			}
		}
		back := func(store graph.Store) (err error) {
			l.WithEngine(store, func(ctx context.Context, e *engine.Engine) {
				_, err = e.Rollback(ctx, engine.Loopback(), engine.RollbackInput{To: start})
			})
			return err
		}
		if commits < 0 {
			if err := back(l.Store); err != nil {
				t.Fatal(err)
			}
			want = l.Digest()
			continue
		}
		if err := back(enginetest.CrashAfter(l.Store, commits)); err == nil {
			if commits < 5 {
				t.Errorf("the rollback was interrupted at only %d commits", commits)
			}
			return
		}
		l.WithEngine(l.Store, func(context.Context, *engine.Engine) {})
		if commits == 0 { // it had not begun
			if err := back(l.Store); err != nil {
				t.Fatal(err)
			}
		}
		fixture.SameDigest(t, fmt.Sprintf("dead after %d commits", commits), l.Digest(), want)
	}
}
