package sleep_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

func get(t *testing.T, w *enginetest.World, id graph.ID) *engine.View {
	t.Helper()
	v, err := w.Memory(t.Context(), w.Caller, id, engine.Access{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSleepMergesArchivesAndRollsBack(t *testing.T) {
	w := enginetest.New(t)
	insert := func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert }
	a := w.Remember("Ada keeps the spare key under the third flowerpot.", insert)
	b := w.Remember("Ada keeps the spare key under the third flowerpot.", insert, func(in *engine.RememberInput) { c := 0.6; in.Confidence = &c })
	var noise []graph.ID
	for _, s := range []string{"It rained a little around noon.", "Somebody laughed in the hall.", "The bus was yellow today.", "A dog barked twice outside."} {
		low := 0.25
		noise = append(noise, w.Remember(s, func(in *engine.RememberInput) { in.Salience = &low }).Memory.ID)
	}
	before := map[graph.ID]*engine.View{}
	for _, id := range append(noise, a.Memory.ID, b.Memory.ID) {
		before[id] = get(t, w, id)
	}
	w.Clock.Advance(40 * 24 * time.Hour)
	asleep := w.Clock.Now()
	r := fixture.MustDeepSleep(w)
	if r.Deduplicated != 1 || r.Pruned == 0 || !r.Complete || r.Balance.In != 6 || r.Balance.Left != 0 {
		t.Fatalf("report %+v", r)
	}
	if v := get(t, w, b.Memory.ID); v.State.Status != graph.Consolidated || v.Consolidated != a.Memory.ID {
		t.Errorf("the less certain duplicate is %s, merged into %s", v.State.Status, v.Consolidated)
	}
	again := fixture.MustDeepSleep(w)
	if again.Pruned+again.Deduplicated+again.Reinforced != 0 {
		t.Errorf("a second sleep changed something: %+v", again)
	}
	w.Clock.Advance(time.Hour)
	back, err := w.Rollback(t.Context(), w.Caller, engine.RollbackInput{ID: r.ID})
	if err != nil {
		t.Fatal(err)
	}
	if back.Reports[0].RolledBackAt.IsZero() {
		t.Error("the report does not say that it was rolled back")
	}
	for id, was := range before {
		is := get(t, w, id)
		if is.State.Status != was.State.Status || is.Confidence != was.Confidence || is.Authority != was.Authority || is.Consolidated != was.Consolidated || !is.UpdatedAt.Equal(was.UpdatedAt) {
			t.Errorf("%s: %+v, before %+v", id, is.Memory, was.Memory)
		}
		then, err := w.Memory(t.Context(), w.Caller, id, engine.Access{AsOf: graph.AsOf{Recorded: asleep.Add(time.Minute)}})
		if err != nil {
			t.Fatal(err)
		}
		if id == b.Memory.ID && then.State.Status != graph.Consolidated {
			t.Errorf("as of the sleep, %s is %s", id, then.State.Status)
		}
	}
	if steps, err := w.SleepSteps(t.Context(), w.Caller, r.ID, 0); err != nil || len(steps) != r.Pruned+r.Deduplicated+r.Dreamed {
		t.Errorf("%d steps, %v", len(steps), err)
	}
}

// around is part of every episode; printed once, it saves more than two fifths of their text.
const around = " The studio stands near the old mill. The mill grinds rye and oats. The shed stores the sacks and ropes. The lane floods in spring."

func TestOldEpisodesAreDistilled(t *testing.T) {
	w := enginetest.New(t)
	user := func(in *engine.RememberInput) { in.User, in.Type, in.Session = "ada", graph.Episodic, in.Content[:9] }
	var ids []graph.ID
	for _, s := range []string{
		"The kiln in the pottery studio was repaired by Joris for 240 euros.",
		"The pottery studio kiln now fires at 1180 degrees after the repair by Joris.",
		"Joris will check the kiln of the pottery studio again in autumn.",
		"Joris carried the old bricks of the kiln out of the pottery studio.",
	} {
		ids = append(ids, w.Remember(s+around, user, func(in *engine.RememberInput) { in.Entities = []string{"Joris", "pottery studio", "kiln"} }).Memory.ID)
		w.Clock.Advance(26 * time.Hour)
	}
	low := 0.3
	w.Remember("Rumour: the kiln of the pottery studio was never repaired by Joris.", user, func(in *engine.RememberInput) {
		in.Consent, in.Authority, in.Entities = graph.ConsentNone, &low, []string{"Joris", "pottery studio", "kiln"}
	})
	w.Clock.Advance(9 * 24 * time.Hour)
	r := fixture.MustDeepSleep(w)
	if r.Derived != 1 || r.Consolidated < 2 || !r.Complete {
		t.Fatalf("report %+v", r)
	}
	steps, err := w.SleepSteps(t.Context(), w.Caller, r.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		if s.Verb != engine.StepDistil {
			continue
		}
		m := get(t, w, s.To)
		t.Log(m.Content)
		if m.Type != graph.Semantic || m.State.Tier != graph.L2 || m.User != "ada" || m.Consent != graph.ConsentExplicit || m.Importance != 0.45 || m.Usage.Count != 0 {
			t.Errorf("derived: %+v", m.Memory)
		}
		for _, id := range s.From {
			if v := get(t, w, id); v.State.Status != graph.Consolidated || v.Consolidated != s.To {
				t.Errorf("source %+v", v.Memory)
			}
		}
	}
	if again := fixture.MustDeepSleep(w); again.Derived+again.Consolidated+again.Pruned+again.Dreamed != 0 {
		t.Errorf("a second sleep changed something: %+v", again)
	}
	if _, err := w.Rollback(t.Context(), w.Caller, engine.RollbackInput{ID: r.ID}); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		if v := get(t, w, id); v.State.Status != graph.Active || v.Consolidated != "" {
			t.Errorf("after the rollback: %+v", v.Memory)
		}
	}
}

func TestRepeatedWorkflowBecomesProcedure(t *testing.T) {
	w := enginetest.New(t)
	for i, s := range []string{
		"First run the tests, then tag the release, finally push the image.",
		"I ran the tests, then tagged the release, then pushed the image.",
		"First run the tests, then tag the release, and then push the image.",
	} {
		w.Remember(s, func(in *engine.RememberInput) {
			in.User, in.Project, in.Type, in.Session = "noor", "ferry", graph.Episodic, []string{"a", "b", "c"}[i]
		})
		w.Clock.Advance(24 * time.Hour)
	}
	w.Remember("We decided to keep the old timetable format until the new ferry arrives.", func(in *engine.RememberInput) {
		in.User, in.Project, in.Type = "noor", "ferry", graph.Episodic
	})
	made := map[engine.StepVerb]*engine.View{}
	for _, days := range []int{1, 28} { // the second night is in the next month
		w.Clock.Advance(time.Duration(days) * 24 * time.Hour)
		dry, err := w.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, DryRun: true})
		if err != nil {
			t.Fatal(err)
		}
		steps, err := w.SleepSteps(t.Context(), w.Caller, fixture.MustDeepSleep(w).ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			if s.To != "" {
				made[s.Verb] = get(t, w, s.To)
			}
			if s.Verb == engine.StepPattern || s.Verb == engine.StepSummarise {
				planned := slices.ContainsFunc(dry.Planned, func(p engine.SleepStep) bool { return p.Verb == s.Verb && slices.Equal(p.From, s.From) })
				if len(s.From) == 0 || !planned {
					t.Errorf("%s from %v, and the dry run lists %+v", s.Verb, s.From, dry.Planned)
				}
			}
		}
	}
	how, page := made[engine.StepPattern], made[engine.StepSummarise]
	if how == nil || page == nil {
		t.Fatalf("made %v", made)
	}
	t.Log(how.Content, string(how.Meta))
	t.Log(page.Content)
	if how.Type != graph.Procedural || how.User != "noor" || len(how.Meta) == 0 || page.Type != graph.Semantic || page.Project != "ferry" {
		t.Errorf("procedure %+v\npage %+v", how.Memory, page.Memory)
	}
	w.Clock.Advance(24 * time.Hour)
	if again := fixture.MustDeepSleep(w); again.Derived != 0 {
		t.Errorf("the next night made it again: %+v", again)
	}
}

// A report names the safety-critical memories whose time to live ended since the previous sleep.
func TestReportNamesSafetyCriticalMemoriesThatEnded(t *testing.T) {
	w := enginetest.New(t)
	for _, ends := range []time.Duration{24 * time.Hour, 48 * time.Hour} {
		w.Remember(fmt.Sprintf("The crane is out of order for %s.", ends), func(in *engine.RememberInput) { in.TTLSeconds = fixture.Ptr(int(ends.Seconds())) })
	}
	id := w.Remember("The lift of the quay must not carry people.", func(in *engine.RememberInput) {
		in.SafetyCritical, in.TTLSeconds = true, fixture.Ptr(36*3600)
	}).Memory.ID
	for night, want := range [][]graph.ID{nil, {id}, nil} {
		w.Clock.Advance(24 * time.Hour)
		r := fixture.MustDeepSleep(w)
		if !slices.Equal(r.SafetyEnded, want) {
			t.Errorf("night %d: %v, want %v", night, r.SafetyEnded, want)
		}
		if again, err := w.SleepReport(t.Context(), w.Caller, r.ID); err != nil || !slices.Equal(again.SafetyEnded, want) {
			t.Errorf("stored: %+v, %v", again, err)
		}
	}
}

func TestErasedSummaryReactivatesItsSources(t *testing.T) {
	w := enginetest.New(t)
	var ids []graph.ID
	for i, s := range []string{
		"The kiln in the pottery studio was repaired by Joris for 240 euros.",
		"The pottery studio kiln now fires at 1180 degrees after the repair by Joris.",
		"Joris painted the door of the kiln in the pottery studio black.",
		"Joris carried the old bricks of the kiln out of the pottery studio.",
	} {
		ids = append(ids, w.Remember(s+around, func(in *engine.RememberInput) {
			in.User, in.Type, in.Session, in.Entities = "ada", graph.Episodic, []string{"a", "b", "c", "d"}[i], []string{"Joris", "pottery studio", "kiln"}
		}).Memory.ID)
	}
	w.Clock.Advance(9 * 24 * time.Hour)
	if r := fixture.MustDeepSleep(w); r.Consolidated != 4 || r.TokensSaved <= 0 {
		t.Fatalf("report %+v", r)
	}
	summary := get(t, w, ids[0]).Consolidated
	receipt, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: ids[:1]})
	if err != nil || receipt.Count != 2 {
		t.Fatalf("receipt %+v, %v", receipt, err)
	}
	if v := get(t, w, summary); v.State.Status != graph.Forgotten {
		t.Errorf("the summary is %s", v.State.Status)
	}
	for _, id := range ids[1:] {
		if v := get(t, w, id); v.State.Status != graph.Active || v.Consolidated != "" {
			t.Errorf("a source that stays: %+v", v.Memory)
		}
	}
	w.Clock.Advance(24 * time.Hour)
	if r := fixture.MustDeepSleep(w); r.Consolidated != 3 || r.Derived != 1 {
		t.Errorf("the next night: %+v", r)
	}
}

func TestArchivedMemoryCanBeCorrected(t *testing.T) {
	w := enginetest.New(t)
	episode := func(session string) func(*engine.RememberInput) {
		return func(in *engine.RememberInput) {
			in.User, in.Type, in.Session, in.OnDuplicate, in.Entities = "ada", graph.Episodic, session, engine.Insert, []string{"Joris", "pottery studio", "kiln"}
		}
	}
	var ids []graph.ID
	for i, s := range []string{
		"The kiln in the pottery studio was repaired by Joris for 240 euros.",
		"The pottery studio kiln now fires at 1180 degrees after the repair by Joris.",
		"Joris painted the door of the kiln in the pottery studio black.",
	} {
		ids = append(ids, w.Remember(s+around, episode([]string{"a", "b", "c"}[i])).Memory.ID)
	}
	twin := func(in *engine.RememberInput) { in.OnDuplicate, in.User = engine.Insert, "bo" }
	kept, low := w.Remember("The spare key lies under the third flowerpot.", twin).Memory.ID, 0.5
	folded := w.Remember("The spare key lies under the third flowerpot.", twin, func(in *engine.RememberInput) { in.Confidence = &low }).Memory.ID
	w.Clock.Advance(9 * 24 * time.Hour)
	if r := fixture.MustDeepSleep(w); r.Consolidated != 3 || r.Deduplicated != 1 {
		t.Fatalf("report %+v", r)
	}
	summary := get(t, w, ids[0]).Consolidated
	correct := func(id graph.ID, content string) *engine.SupersedeResult {
		t.Helper()
		r, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: id, Content: content})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}

	// A source of a summary: the summary is no longer true and is archived.
	r := correct(ids[0], "The kiln in the pottery studio was repaired by Joris for 310 euros.")
	if r.Previous.ID != ids[0] || r.Memory.Version != 2 || get(t, w, ids[0]).State.Status != graph.Superseded {
		t.Errorf("the source: %+v", r)
	}
	if s := get(t, w, summary).State.Status; s != graph.Archived {
		t.Errorf("the summary is %s", s)
	}
	for _, id := range ids[1:] {
		if s := get(t, w, id).State.Status; s != graph.Active {
			t.Errorf("another source is %s", s)
		}
	}

	// A duplicate that was merged: the correction applies to the surviving memory.
	r = correct(folded, "The spare key lies in the letterbox.")
	if r.Previous.ID != kept || get(t, w, kept).State.Status != graph.Superseded {
		t.Errorf("the twin: previous %s is not %s", r.Previous.ID, kept)
	}

	// A faded memory.
	faint := 0.1
	faded := w.Remember("The baker closes at six on Tuesdays.", func(in *engine.RememberInput) { in.Salience, in.Type = &faint, graph.Episodic }).Memory.ID
	for range 3 {
		w.Clock.Advance(35 * 24 * time.Hour)
		fixture.MustDeepSleep(w)
	}
	if s := get(t, w, faded).State.Status; s != graph.Archived {
		t.Fatalf("what faded is %s", s)
	}
	if r = correct(faded, "The baker closes at seven on Tuesdays."); r.Memory.State.Status != graph.Active || r.Memory.Version != 2 {
		t.Errorf("what faded: %+v", r.Memory)
	}
}

// A few sessions that a caller names make no workflow against the many that do the same steps in another order.
func TestForgedSessionsMakeNoWorkflow(t *testing.T) {
	for _, c := range []struct {
		name            string
		genuine, forged int
		sameDay         bool
		want            bool // a workflow in the order of the forged ones
	}{
		{"three against thirty", 30, 3, false, false},
		{"eight against thirty", 30, 8, false, false},
		{"three alone on one day", 0, 3, true, false},
		{"three alone", 0, 3, false, true},
	} {
		w := enginetest.New(t)
		say := func(n int, session, text string) {
			for i := range n {
				w.Remember(fmt.Sprintf("%s The fog at pier %d was grey.", text, i), func(in *engine.RememberInput) {
					in.User, in.Type, in.Session, in.OnDuplicate = "noor", graph.Episodic, fmt.Sprint(session, i), engine.Insert
				})
				if !c.sameDay {
					w.Clock.Advance(25 * time.Hour)
				}
			}
		}
		say(c.genuine, "g", "First run the tests, then tag the release, finally push the image.")
		say(c.forged, "f", "First push the image, then tag the release, finally run the tests.")
		w.Clock.Advance(24 * time.Hour)
		fixture.MustDeepSleep(w)
		page, err := w.Patterns(t.Context(), w.Caller, engine.PatternInput{})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(page.Patterns, func(p engine.Pattern) bool { return strings.EqualFold(p.Memory.Pattern.Actions[0], "push the image") })
		if got != c.want || c.genuine > 0 && len(page.Patterns) == 0 {
			t.Errorf("%s: %v among %d patterns, want %v", c.name, got, len(page.Patterns), c.want)
		}
	}
}
