package patterns_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/erasure"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/patterns"
	"github.com/somnograph/somnograph/engine/recall"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/graph"
)

var (
	twelve = []string{"{} that the winch must never run above 12 knots of wind.", "{}: never run the winch above 12 knots of wind.", "{} that the winch must not be run in winds over 12 knots."}
	twenty = []string{"{} that the winch may run at up to 25 knots of wind.", "{} that the winch must not run above 25 knots of wind."}
)

func TestSleepDrawsAPattern(t *testing.T) {
	w := newWorld(t)
	ids := w.say(9, "winch", twelve)
	w.chatter(14, "winch")
	if got := w.all(); len(got) != 0 {
		t.Fatalf("before the sleep: %s", texts(got))
	}
	report := w.night()
	p := w.one()
	x := p.Memory.Pattern
	if x.Kind != graph.Constraint || !strings.Contains(p.Content, "12 knots") || x.Occurrences != 9 || x.Confidence < 0.6 || x.HeldOut != 1 || x.SafetyCritical ||
		!slices.Equal(x.Clusters, []graph.ID{w.clusterOf("winch")}) || p.Status != patterns.Current || p.Version != 1 || p.Source != string(report.ID) || p.SourceKind != graph.FromConsolidation {
		t.Errorf("%+v, %+v", p.Memory, x)
	}
	sources, err := w.patterns.Sources(t.Context(), w.caller, p.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	var from []graph.ID
	for _, s := range sources {
		from = append(from, s.ID)
	}
	slices.Sort(ids)
	if !slices.Equal(from, ids) {
		t.Errorf("sources %v, want %v", from, ids)
	}
	w.night()
	if again := w.one(); again.ID != p.ID {
		t.Errorf("the next night made version %d without a change", again.Version)
	}
}

func TestYoungOrLooseClustersGiveNoPattern(t *testing.T) {
	w := newWorld(t)
	w.say(9, "few", twelve)
	w.say(9, "loose winch", []string{"{} that deploys must be approved by two reviewers.", "{}: never deploy without the approval of two reviewers."})
	w.chatter(14, "loose winch")
	w.night()
	if got := w.all(); len(got) != 0 {
		t.Error(texts(got))
	}
}

// What is said on separate days needs no large or dense cluster.
func TestWhatRecursMakesAPattern(t *testing.T) {
	for days, want := range map[int]int{3: 0, 5: 1} {
		w := newWorld(t)
		for i := range days {
			w.say(1, "loose winch", []string{strings.Replace(twelve[i%3], "{}", said[i], 1)})
			w.clock.Advance(25 * time.Hour)
		}
		w.night()
		if got := w.all(); len(got) != want || want == 1 && got[0].Memory.Pattern.Occurrences != days {
			t.Errorf("on %d days: %s", days, texts(got))
		}
	}
}

// Days that a caller makes up are no occasions of their own, also beside others who disagree.
func TestMadeUpDaysMakeNoPattern(t *testing.T) {
	w := newWorld(t)
	for i := range 5 {
		w.say(1, "loose winch", []string{strings.Replace(twelve[i%3], "{}", said[i], 1)})
		w.clock.Advance(25 * time.Hour)
	}
	for _, project := range []string{"loose winch", "loose crane"} {
		for i := range 4 {
			text := fmt.Sprintf("%s that the winch may run at up to 25 knots of wind.", said[10+i])
			if project == "loose crane" {
				text = fmt.Sprintf("%s that every lift of the crane must be paid in cash.", said[10+i])
			}
			at := w.clock.Now().AddDate(0, 0, -7*i-7)
			w.remember(project, text, func(in *ingest.RememberInput) { in.OccurredAt = at })
		}
	}
	w.night()
	for _, p := range w.all() {
		if !strings.Contains(p.Content, "12 knots") {
			t.Errorf("%s", texts([]patterns.Pattern{p}))
		}
	}
}

func TestTrustIsTheLeast(t *testing.T) {
	w := newWorld(t)
	low := 0.4
	w.say(8, "winch", twelve)
	w.remember("winch", "Xavier said that the winch must never run above 12 knots of wind.", func(in *ingest.RememberInput) {
		in.Consent, in.Sensitivity, in.Authority = graph.ConsentImplicit, graph.Confidential, &low
	})
	w.remember("winch", "Secretly the winch must never run above 12 knots of wind.", func(in *ingest.RememberInput) { in.Consent = graph.ConsentNone })
	w.chatter(14, "winch")
	w.night()
	p := w.one()
	if p.Memory.Pattern.Occurrences != 9 || p.Consent != graph.ConsentImplicit || p.Sensitivity != graph.Confidential || p.Authority != low {
		t.Errorf("%d sources, %s, %s, %v", p.Memory.Pattern.Occurrences, p.Consent, p.Sensitivity, p.Authority)
	}
	narrow := w.caller
	narrow.Admin, narrow.Sensitivity = false, graph.Internal
	if got := w.all(narrow); len(got) != 0 {
		t.Errorf("shown to a caller that sees no source: %s", texts(got))
	}
	for what, err := range map[string]error{
		"pattern":    second(w.patterns.Pattern(t.Context(), narrow, p.ID)),
		"lineage":    second(w.patterns.PatternLineage(t.Context(), narrow, p.ID)),
		"provenance": second(w.patterns.PatternProvenance(t.Context(), narrow, p.ID)),
		"validate":   second(w.patterns.ValidatePattern(t.Context(), narrow, p.ID)),
	} {
		if graph.CodeOf(err) != graph.CodeMemoryNotFound {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestEvidenceMakesVersions(t *testing.T) {
	w := newWorld(t)
	w.say(6, "winch", twelve)
	w.chatter(16, "winch")
	w.night()
	first := w.one()
	feedback(w, first.ID, recall.OutcomeHelped)
	w.say(8, "winch", twelve)
	w.night()
	next := w.one()
	if next.Version != 2 || next.Supersedes != first.ID || next.Chain != first.Chain || next.Memory.Pattern.Occurrences != 14 || next.Memory.Pattern.Successes != 1 || next.Reason == "" {
		t.Fatalf("%+v %+v", next.Memory, next.Memory.Pattern)
	}
	old, err := w.patterns.Pattern(t.Context(), w.caller, first.ID)
	if err != nil || old.Status != patterns.Superseded || old.Content != first.Content {
		t.Errorf("%+v, %v", old, err)
	}
	l, err := w.patterns.PatternLineage(t.Context(), w.caller, next.ID)
	if err != nil || len(l.Versions) != 2 || l.Versions[0].ID != first.ID || len(l.Clusters) != 1 || l.Clusters[0].Cluster != w.clusterOf("winch") || len(l.Clusters[0].Memories) != 14 {
		t.Errorf("%+v, %v", l, err)
	}
}

func feedback(w *world, id graph.ID, outcome recall.FeedbackOutcome) *graph.Pattern {
	w.Helper()
	v, err := w.recall.Feedback(w.Context(), w.caller, recall.FeedbackInput{Query: "what wind may the winch run in", ID: id, Outcome: outcome})
	if err != nil {
		w.Fatal(err)
	}
	return v.Memory.Pattern
}

func TestFeedbackGivesTheSuccessRate(t *testing.T) {
	w := newWorld(t)
	w.say(9, "winch", twelve)
	w.chatter(14, "winch")
	w.night()
	id := w.one().ID
	if _, known := w.one().Memory.Pattern.SuccessRate(); known {
		t.Error("a rate without feedback")
	}
	for _, o := range []recall.FeedbackOutcome{recall.OutcomeHelped, recall.OutcomeHelped, recall.OutcomeUsed, recall.OutcomeHarmed} {
		feedback(w, id, o)
	}
	if p := w.one().Memory.Pattern; p.Successes != 1 || p.Failures != 1 {
		t.Errorf("on one day: %d successes, %d failures", p.Successes, p.Failures)
	}
	for range 2 {
		w.clock.Advance(24 * time.Hour)
		feedback(w, id, recall.OutcomeUsed)
	}
	if rate, known := w.one().Memory.Pattern.SuccessRate(); !known || rate != 0.75 {
		t.Errorf("rate %v", rate)
	}
}

func TestPatternOutlivesItsSources(t *testing.T) {
	w := newWorld(t)
	ids := w.say(9, "winch", twelve)
	w.chatter(14, "winch")
	w.night()
	p := w.one()
	for _, id := range ids[:3] { // archived
		setStatus(w, id, graph.Archived)
	}
	if _, err := w.ingest.Supersede(t.Context(), w.caller, ingest.SupersedeInput{ID: ids[4], Content: "Emil sold the winch to a museum."}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		w.clock.Advance(40 * 24 * time.Hour)
		w.night()
	}
	if again := w.one(); again.ID != p.ID {
		t.Errorf("%s became %s", p.ID, again.ID)
	}
}

func setStatus(w *world, id graph.ID, s graph.Status) {
	w.Helper()
	_, err := w.store.Update(w.Context(), w.caller.Scope(), func(tx graph.Tx) error {
		m, err := tx.Memory(id)
		if err != nil {
			return err
		}
		m.SetState(w.clock.Now(), func(x *graph.State) { x.Status = s })
		m.UpdatedAt = w.clock.Now()
		return tx.PutMemory(m, graph.EventUpdated)
	})
	if err != nil {
		w.Fatal(err)
	}
}

func TestErasureOfASourceErasesThePattern(t *testing.T) {
	w := newWorld(t)
	w.say(8, "winch", twelve)
	secret := w.remember("winch", "Quetzalina swore that the winch must never run above 12 knots of wind.")
	w.chatter(14, "winch")
	w.night()
	p := w.one()
	if _, err := w.erasure.Forget(t.Context(), w.caller, erasure.ForgetInput{IDs: []graph.ID{secret}}); err != nil {
		t.Fatal(err)
	}
	if got := w.all(); len(got) != 0 {
		t.Fatalf("after the erasure: %s", texts(got))
	}
	if _, err := w.patterns.Pattern(t.Context(), w.caller, p.ID); graph.CodeOf(err) != graph.CodeMemoryNotFound {
		t.Errorf("the erased pattern: %v", err)
	}
	w.night()
	again := w.one()
	if again.Memory.Pattern.Occurrences != 8 || again.ID == p.ID {
		t.Errorf("derived again: %+v", again.Memory.Pattern)
	}
	all, err := enginetest.StoredText(t.Context(), w.store, w.caller.Scope())
	if err != nil {
		t.Fatal(err)
	}
	if at := strings.Index(strings.ToLower(all), "quetzalina"); at >= 0 {
		t.Errorf("the erased word stands in %q", all[max(0, at-100):min(len(all), at+100)])
	}
	found, err := w.recall.Search(t.Context(), w.caller, recall.SearchInput{Query: "Quetzalina winch", TopK: 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range found.Hits {
		if strings.Contains(h.Memory.Content, "Quetzalina") {
			t.Errorf("found: %q", h.Memory.Content)
		}
	}
}

func TestRollbackUndoesPatterns(t *testing.T) {
	w := newWorld(t)
	w.say(6, "winch", twelve)
	w.chatter(16, "winch")
	w.night()
	first := w.one()
	w.say(8, "winch", twelve)
	report := w.night()
	second := w.one()
	if second.Version != 2 {
		t.Fatalf("version %d", second.Version)
	}
	if _, err := w.sleep.Rollback(t.Context(), w.caller, sleep.RollbackInput{ID: report.ID}); err != nil {
		t.Fatal(err)
	}
	back := w.one()
	if back.ID != first.ID || back.SupersededBy != "" || back.Status != patterns.Current {
		t.Errorf("%+v", back.Memory)
	}
	if gone, err := w.patterns.Pattern(t.Context(), w.caller, second.ID); err != nil || gone.Status != patterns.Ended {
		t.Errorf("%+v, %v", gone, err)
	}
	w.night()
	if again := w.one(); again.Version != 3 || again.Supersedes != first.ID {
		t.Errorf("version %d supersedes %s", again.Version, again.Supersedes)
	}
}

func TestProvenanceIsPROV(t *testing.T) {
	w := newWorld(t)
	w.say(6, "winch", twelve)
	w.chatter(16, "winch")
	w.night()
	w.say(8, "winch", twelve)
	w.night()
	p := w.one()
	text, err := w.patterns.PatternProvenance(t.Context(), w.caller, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]map[string]json.RawMessage
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc["prefix"]) != 1 || len(doc["entity"]) != 2+14+1 || len(doc["activity"]) != 2 || len(doc["wasGeneratedBy"]) != 2 || len(doc["wasDerivedFrom"]) != 6+14+1 || len(doc["agent"]) != 1 {
		t.Errorf("%s", text)
	}
	if strings.Contains(string(text), "knots") {
		t.Errorf("content in %s", text)
	}
}

func TestExtractAndValidate(t *testing.T) {
	w := newWorld(t)
	w.say(9, "winch", twelve)
	w.say(3, "winch", []string{"{} that exports must be encrypted before they leave the office."})
	w.chatter(10, "winch")
	got, err := w.patterns.ExtractPattern(t.Context(), w.caller, w.clusterOf("winch"))
	if err != nil || len(got.Patterns) != 1 || len(got.Refused) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if r := got.Refused[0]; r.Kind != graph.Constraint || r.Occurrences != 3 || r.Reason == "" {
		t.Errorf("%+v", r)
	}
	again, err := w.patterns.ExtractPattern(t.Context(), w.caller, w.clusterOf("winch"))
	if err != nil || len(again.Patterns) != 1 || again.Patterns[0].ID != got.Patterns[0].ID {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := w.patterns.ExtractPattern(t.Context(), w.caller, w.clusterOf("none")); graph.CodeOf(err) != graph.CodeMemoryNotFound {
		t.Errorf("%v", err)
	}
	limited := w.caller
	limited.Sensitivity = graph.Internal
	seen, err := w.patterns.ExtractPattern(t.Context(), limited, w.clusterOf("winch"))
	if err != nil || len(seen.Patterns) != 1 || seen.Patterns[0].ID != got.Patterns[0].ID {
		t.Errorf("a curator of limited sight gets %+v, %v", seen, err)
	}
	side := w.caller
	side.Namespaces = []string{"side"}
	if _, err := w.patterns.ExtractPattern(t.Context(), side, w.clusterOf("winch")); graph.CodeOf(err) != graph.CodeMemoryNotFound {
		t.Errorf("a curator of another namespace: %v", err)
	}
	id := got.Patterns[0].ID
	w.clock.Advance(time.Hour)
	w.say(4, "winch", twenty, func(in *ingest.RememberInput) { in.Sensitivity = graph.Confidential })
	// What contradicts is confidential: who does not see it gets the share of the others, and nothing is stored.
	if p, err := w.patterns.ValidatePattern(t.Context(), limited, id); err != nil || p.Memory.Pattern.HeldOut != 1 || !p.Memory.Pattern.ValidatedAt.After(got.Patterns[0].Memory.Pattern.ValidatedAt) {
		t.Errorf("within its sight: %+v, %v", p, err)
	}
	if p, err := w.patterns.Pattern(t.Context(), limited, id); err != nil || !p.Memory.Pattern.ValidatedAt.Equal(got.Patterns[0].Memory.Pattern.ValidatedAt) {
		t.Errorf("a check within a limited sight is stored: %+v, %v", p, err)
	}
	p, err := w.patterns.ValidatePattern(t.Context(), w.caller, id)
	if err != nil || p.Memory.Pattern.HeldOut >= 0.8 || p.Memory.Pattern.HeldOut <= 0.5 || !p.Memory.Pattern.ValidatedAt.After(got.Patterns[0].Memory.Pattern.ValidatedAt) {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestListIsPaged(t *testing.T) {
	w := newWorld(t)
	w.say(9, "winch", twelve)
	w.say(9, "winch", []string{"{} that exports must be encrypted before they leave the office.", "{}: never let exports leave the office unless they are encrypted."})
	w.chatter(6, "winch")
	w.night()
	page, err := w.patterns.Patterns(t.Context(), w.caller, patterns.Input{First: 1})
	if err != nil || len(page.Patterns) != 1 || !page.More {
		t.Fatalf("%+v, %v", page, err)
	}
	next, err := w.patterns.Patterns(t.Context(), w.caller, patterns.Input{First: 1, After: page.Patterns[0].ID})
	if err != nil || len(next.Patterns) != 1 || next.More || next.Patterns[0].ID == page.Patterns[0].ID {
		t.Errorf("%+v, %v", next, err)
	}
	if none, err := w.patterns.Patterns(t.Context(), w.caller, patterns.Input{Kinds: []graph.PatternKind{graph.Workflow}}); err != nil || len(none.Patterns) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
	for field, in := range map[string]patterns.Input{"first": {First: -1}, "after": {After: "x"}, "kinds": {Kinds: []graph.PatternKind{"HABIT"}}} {
		_, err := w.patterns.Patterns(t.Context(), w.caller, in)
		if x, _ := err.(*graph.Error); x == nil || x.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestMembersOfSmallClustersAreNotArchived(t *testing.T) {
	w := newWorld(t)
	faint := 0.05
	dull := func(in *ingest.RememberInput) { in.Salience, in.Importance, in.Type = &faint, &faint, graph.Episodic }
	small := w.say(3, "small", []string{"{} something about a cloud over the pier."}, dull)
	var alone []graph.ID
	for i := range 10 {
		alone = append(alone, w.remember("", fmt.Sprintf("The %s whistled on the stove at noon.", []string{"kettle", "pan", "pot", "lid", "boy", "cook", "wind", "bird", "pipe", "radio"}[i]), dull))
	}
	w.clock.Advance(60 * 24 * time.Hour)
	w.night()
	status := func(id graph.ID) (s graph.Status) {
		err := w.store.View(t.Context(), w.caller.Scope(), func(r graph.Reader) error {
			m, err := r.Memory(id)
			s = m.Status()
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, id := range small {
		if s := status(id); s == graph.Archived {
			t.Errorf("a member of a small cluster is %s", s)
		}
	}
	if !slices.ContainsFunc(alone, func(id graph.ID) bool { return status(id) != graph.Active }) {
		t.Error("no other memory is archived or folded")
	}
}

// The clusters are those that the sleep finds itself.
func TestSleepDrawsPatternsFromItsOwnClusters(t *testing.T) {
	w := newWorld(t)
	w.newPatterns(w.groups)
	for i := range 26 {
		w.remember("", fmt.Sprintf([]string{
			"The winch on pier %d must never run above 12 knots of wind.", "Never run the winch on pier %d above 12 knots of wind.", "The winch of pier %d must not be run in winds over 12 knots.",
		}[i%3], i+1))
		w.remember("", fmt.Sprintf([]string{
			"Guest %d ordered lentil soup with bread in the canteen.", "The canteen served lentil soup and bread to guest %d.", "Lentil soup with bread from the canteen, said guest %d.",
		}[i%3], i+40))
		w.remember("", fmt.Sprintf([]string{
			"Ticket %d: the choir sang an old carol in the chapel.", "The choir practised an old carol in the chapel, see ticket %d.", "An old carol, sung by the choir in the chapel for ticket %d.",
		}[i%3], i+100))
	}
	w.night()
	p := w.one()
	if p.Memory.Pattern.Kind != graph.Constraint || !strings.Contains(p.Content, "12 knots") || len(p.Memory.Pattern.Clusters) == 0 {
		t.Errorf("%s", texts(w.all()))
	}
	some, err := w.patterns.PatternsOfCluster(t.Context(), w.caller, p.Memory.Pattern.Clusters[0], 5)
	if err != nil || len(some) != 1 || some[0].ID != p.ID {
		t.Errorf("%+v, %v", some, err)
	}
	w.night()
	if again := w.one(); again.ID != p.ID {
		t.Errorf("version %d without a change", again.Version)
	}
}
