package patterns_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/patterns"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/recall"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// contradicted is a world with two patterns that contradict each other.
func contradicted(t *testing.T, safety bool) (w *world, strong, weak patterns.Pattern) {
	t.Helper()
	w = newWorld(t)
	w.say(10, "winch", twelve)
	w.chatter(12, "winch")
	w.night()
	w.say(6, "winch", twenty, func(in *ingest.RememberInput) { in.SafetyCritical = safety })
	w.night()
	all := w.all()
	if len(all) != 2 {
		t.Fatalf("%d patterns: %s", len(all), texts(all))
	}
	if strings.Contains(all[1].Content, "12 knots") {
		all[0], all[1] = all[1], all[0]
	}
	return w, all[0], all[1]
}

func TestContradictingPatternsAreKept(t *testing.T) {
	w, strong, weak := contradicted(t, false)
	if strong.Status != patterns.Current || weak.Status != patterns.Current || !slices.Equal(strong.Conflicts, []graph.ID{weak.ID}) || !slices.Equal(weak.Conflicts, []graph.ID{strong.ID}) {
		t.Errorf("%s %v, %s %v", strong.Status, strong.Conflicts, weak.Status, weak.Conflicts)
	}
	log, err := w.patterns.PatternConflicts(t.Context(), w.caller, patterns.ConflictsInput{Open: true})
	if err != nil || len(log) != 1 || log[0].Waits || log[0].Patterns[0].ID != strong.ID || log[0].Patterns[1].ID != weak.ID || log[0].Since.IsZero() {
		t.Errorf("%+v, %v", log, err)
	}
}

// Both sides of a conflict pass a check, and so does the side that a person kept.
func TestValidatingASideOfAConflict(t *testing.T) {
	w, strong, weak := contradicted(t, false)
	for _, p := range []patterns.Pattern{strong, weak} {
		checked, err := w.patterns.ValidatePattern(t.Context(), w.caller, p.ID)
		if err != nil || checked.Memory.Pattern.HeldOut <= .8 {
			t.Errorf("%q: %+v, %v", p.Content, checked, err)
		}
	}
	if _, err := w.patterns.ResolvePattern(t.Context(), w.caller, weak.ID, strong.ID, ""); err != nil {
		t.Fatal(err)
	}
	checked, err := w.patterns.ValidatePattern(t.Context(), w.caller, weak.ID)
	if err != nil || checked.Memory.Pattern.HeldOut <= .8 || checked.Status != patterns.Current {
		t.Errorf("%+v, %v", checked, err)
	}
}

// Nobody decides between a pattern and one that has ended.
func TestAnEndedPatternWaitsForNobody(t *testing.T) {
	w, _, weak := contradicted(t, true)
	_, err := w.store.Update(t.Context(), w.caller.Scope(), func(tx graph.Tx) error {
		m, err := tx.Memory(weak.ID)
		if err != nil {
			return err
		}
		m.SetState(w.clock.Now(), func(s *graph.State) { s.Status = graph.Expired })
		return tx.PutMemory(m, graph.EventExpired)
	})
	if err != nil {
		t.Fatal(err)
	}
	log, err := w.patterns.PatternConflicts(t.Context(), w.caller, patterns.ConflictsInput{})
	if err != nil || len(log) != 1 || log[0].Waits || log[0].Kept != "" {
		t.Errorf("%+v, %v", log, err)
	}
}

func TestPersonDecidesSafetyCriticalConflicts(t *testing.T) {
	w, strong, weak := contradicted(t, true)
	if strong.Status != patterns.Contested || weak.Status != patterns.Contested || strong.Memory.Pattern.SafetyCritical || !weak.Memory.Pattern.SafetyCritical {
		t.Fatalf("%s, %s", strong.Status, weak.Status)
	}
	log, err := w.patterns.PatternConflicts(t.Context(), w.caller, patterns.ConflictsInput{Open: true})
	if err != nil || len(log) != 1 || !log[0].Waits {
		t.Fatalf("%+v, %v", log, err)
	}
	person := w.caller
	person.Name, person.Credential = "ana", "key-1"
	kept, err := w.patterns.ResolvePattern(t.Context(), person, strong.ID, weak.ID, "the manual says 12")
	if err != nil || kept.ID != strong.ID || kept.Status != patterns.Current || len(kept.Conflicts) != 0 || kept.Conflict != 0 {
		t.Fatalf("%+v, %v", kept, err)
	}
	err = w.store.View(t.Context(), w.caller.Scope(), func(r graph.Reader) error {
		notes, err := r.Notes(graph.NoteConflict, "", false, 0)
		if err != nil || len(notes) != 1 || patterns.CheckNote(notes[0]) != nil {
			t.Errorf("%v, %v", notes, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	w.night()
	if left := w.all(); len(left) != 1 || left[0].Chain != strong.Chain {
		t.Errorf("the ended pattern came back: %s", texts(left))
	}
	if open, err := w.patterns.PatternConflicts(t.Context(), w.caller, patterns.ConflictsInput{Open: true}); err != nil || len(open) != 0 {
		t.Errorf("%+v, %v", open, err)
	}
	log, err = w.patterns.PatternConflicts(t.Context(), w.caller, patterns.ConflictsInput{})
	if err != nil || len(log) != 1 || log[0].Kept != strong.ID || log[0].Note != "the manual says 12" || log[0].ResolvedBy != "key-1" || log[0].ResolvedAt.IsZero() || log[0].Waits {
		t.Errorf("%+v, %v", log, err)
	}
	lost, err := w.patterns.Pattern(t.Context(), w.caller, weak.ID)
	if err != nil || lost.Status != patterns.Ended || lost.Reason != "the manual says 12" {
		t.Errorf("%+v, %v", lost, err)
	}
}

func TestResolvePatternRefuses(t *testing.T) {
	w, strong, weak := contradicted(t, false)
	plain := w.remember("other", "The kettle is blue.")
	weakCaller := w.caller
	weakCaller.Grant = 0.1
	for what, c := range map[string]struct {
		caller    workspace.Caller
		keep, end graph.ID
		code      graph.Code
		field     string
	}{
		"the same twice":    {w.caller, strong.ID, strong.ID, graph.CodeInvalidRequest, "end"},
		"no id":             {w.caller, "x", weak.ID, graph.CodeInvalidRequest, "keep"},
		"no pattern":        {w.caller, strong.ID, plain, graph.CodeInvalidRequest, "end"},
		"unknown":           {w.caller, strong.ID, w.clusterOf("none"), graph.CodeMemoryNotFound, "end"},
		"without authority": {weakCaller, strong.ID, weak.ID, graph.CodeForbidden, "end"},
	} {
		_, err := w.patterns.ResolvePattern(t.Context(), c.caller, c.keep, c.end, "")
		var shown *graph.Error
		if graph.CodeOf(err) != c.code {
			t.Errorf("%s: %v", what, err)
		} else if shown, _ = err.(*graph.Error); shown == nil || shown.Field != c.field {
			t.Errorf("%s: %#v", what, err)
		}
	}
	if _, err := w.ingest.Supersede(t.Context(), w.caller, ingest.SupersedeInput{ID: strong.ID, Content: "The winch may always run."}); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("supersede: %v", err)
	}
}

// Of two patterns in an open conflict the more confident one answers, and both are contested in the hits of a search until a person decides.
func TestTheMoreConfidentPatternAnswers(t *testing.T) {
	w, strong, weak := contradicted(t, false)
	search := func(in recall.SearchInput) *recall.SearchResult {
		t.Helper()
		in.TopK, in.MinScoreRatio = 20, new(float64)
		r, err := w.recall.Search(t.Context(), w.caller, in)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	place := func(r *recall.SearchResult, p patterns.Pattern) int {
		return slices.IndexFunc(r.Hits, func(h recall.Hit) bool { return h.Memory.ID == p.ID })
	}
	for what, in := range map[string]recall.SearchInput{
		"the words of the weaker one": {Query: weak.Content}, "patterns first": {Query: weak.Content, TierPreference: recall.PatternsFirst}, "FAST": {Query: weak.Content, Effort: recall.EffortFast},
	} {
		r := search(in)
		first, second := place(r, strong), place(r, weak)
		if first < 0 || second >= 0 && second < first {
			t.Errorf("%s: the more confident one is hit %d, the other one %d", what, first, second)
			continue
		}
		if h := r.Hits[first]; h.Label != recall.Contested || !slices.Equal(h.Rivals, []graph.ID{weak.ID}) {
			t.Errorf("%s: the more confident one is %s, contested by %v", what, h.Label, h.Rivals)
		}
		if second < 0 {
			t.Errorf("%s: the other one is left out", what)
		} else if h := r.Hits[second]; h.Label != recall.Contested || !slices.Equal(h.Rivals, []graph.ID{strong.ID}) {
			t.Errorf("%s: the other one is %s, contested by %v", what, h.Label, h.Rivals)
		}
	}
	alone := search(recall.SearchInput{Query: strong.Content, Effort: recall.EffortFast})
	if at := place(alone, strong); at < 0 || alone.Hits[at].Label != recall.Contested {
		t.Errorf("the more confident one, whether or not the other one is a hit: %d of %d", at, len(alone.Hits))
	}
	contesting, err := w.recall.Contesting(t.Context(), w.caller, []*workspace.View{strong.View, weak.View})
	if err != nil || len(contesting[0]) != 0 || len(contesting[1]) != 1 || contesting[1][0].ID != strong.ID {
		t.Errorf("contesting %v, %v", contesting, err)
	}
	r, err := w.recall.Context(t.Context(), w.caller, recall.ContextInput{Session: "asks", Query: weak.Content})
	if err != nil {
		t.Fatal(err)
	}
	ids := shownIn(r)
	if !slices.Contains(ids, strong.ID) || slices.Contains(ids, weak.ID) {
		t.Errorf("the context shows the more confident one: %v, the other one: %v", slices.Contains(ids, strong.ID), slices.Contains(ids, weak.ID))
	}
}

// A safety-critical conflict waits for a person: neither pattern answers alone, neither takes the place of the other.
func TestSafetyCriticalPatternsWaitInAnswers(t *testing.T) {
	w, strong, weak := contradicted(t, true)
	for _, p := range []patterns.Pattern{strong, weak} {
		r, err := w.recall.Search(t.Context(), w.caller, recall.SearchInput{Query: p.Content, Effort: recall.EffortFast, TopK: 20, MinScoreRatio: new(float64)})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Hits) < 2 {
			t.Errorf("%d hits", len(r.Hits))
		}
		for _, h := range r.Hits {
			if h.Memory.Pattern != nil && h.Label != recall.Contested {
				t.Errorf("%q is %s", h.Memory.Content, h.Label)
			}
		}
		shown, err := w.recall.Context(t.Context(), w.caller, recall.ContextInput{Session: "asks", Query: p.Content})
		if err != nil {
			t.Fatal(err)
		}
		if ids := shownIn(shown); !slices.Contains(ids, p.ID) || !strings.Contains(shown.Text, "contested by") {
			t.Errorf("the context of %q: %s", p.Content, shown.Text)
		}
	}
}

// shownIn returns the ids of the memories in a context.
func shownIn(r *prompt.Result) (ids []graph.ID) {
	for _, l := range r.Layers {
		for _, id := range l.MemoryIDs {
			ids = append(ids, graph.ID(id))
		}
	}
	return ids
}
