package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// topicLines returns the lines of a context about topics.
func topicLines(r *prompt.Result) (lines []string) {
	for line := range strings.Lines(r.Text) {
		if strings.HasPrefix(line, "- Topic") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// work is the n-th thing that somebody did with winches.
func work(n int) string {
	who := []string{"Ines", "Otto", "Marek", "Selma", "Jonas", "Rita", "Pavel"}[n%7]
	did := []string{"oiled", "repaired", "moved", "inspected", "painted", "borrowed", "measured", "cleaned", "lifted", "sold", "drew"}[n%11]
	return fmt.Sprintf("%s %s the %s and the %s at %s", who, did, winch.things[n%6], winch.things[(n+1+n%5)%6], winch.places[n%4])
}

// longHistory is a world in which ana has told of work with winches on 60 days.
func longHistory(t *testing.T) (w *enginetest.World, winches []graph.ID) {
	w = enginetest.New(t)
	tell(w, bakery, 24, by("ana"))
	tell(w, quartet, 24, by("ana"))
	for i := range 60 {
		winches = append(winches, w.Remember(work(i), by("ana"), func(in *engine.RememberInput) { in.Type = graph.Episodic }).Memory.ID)
		w.Clock.Advance(24 * time.Hour)
	}
	sleepDeeply(w)
	return w, winches
}

const aboutWinches = "Which winches, hawsers and capstans were oiled, repaired, painted or moved at the quay and the slipway?"

func TestALineStandsForTheMembersOfATopic(t *testing.T) {
	w, winches := longHistory(t)
	r := contextOf(w, aboutWinches)
	lines := topicLines(r)
	if len(lines) == 0 {
		t.Fatalf("no line about a topic:\n%s", r.Text)
	}
	if !strings.Contains(lines[0], " memories from ") || len(quotedIn(lines, winches)) == 0 {
		t.Errorf("the line is %q", lines[0])
	}
	printed, covered, raw := 0, 0, 0
	for _, p := range r.Items {
		if !slices.Contains(winches, graph.ID(p.ID)) {
			continue
		}
		switch {
		case p.Shown:
			printed++
		case p.Reason == "covered by the line about its topic":
			covered++
		}
	}
	for i, id := range winches {
		if reason := reasonOf(r, id); strings.HasPrefix(reason, "true") || strings.Contains(reason, "covered by the line") {
			raw += prompt.Count(work(i))
		}
	}
	if printed < 10 || covered < 3 {
		t.Errorf("%d members are printed, %d are covered", printed, covered)
	}
	if r.Truncated {
		t.Error("the context is truncated")
	}
	if r.TokensSaved > max(0, raw+400-r.TotalTokens) {
		t.Errorf("%d tokens saved, the members have %d and the context %d", r.TokensSaved, raw, r.TotalTokens)
	}
	quoted := 0
	for _, l := range r.Layers {
		for _, id := range l.MemoryIDs {
			if i := slices.Index(winches, graph.ID(id)); i >= 0 && strings.Contains(lines[0], work(i)) {
				quoted++
			}
		}
	}
	if quoted == 0 {
		t.Errorf("the ids of the layers lack what %q quotes", lines[0])
	}
	if r := contextOf(w, aboutWinches, func(in *engine.ContextInput) { in.Access.AsOf.Recorded = w.Clock.Now() }); len(topicLines(r)) > 0 {
		t.Errorf("a read of the past has %q", topicLines(r))
	}
	if r := contextOf(w, aboutWinches, func(in *engine.ContextInput) { in.User = "bo" }); len(topicLines(r)) > 0 || strings.Contains(r.Text, "winch") {
		t.Errorf("bo sees what ana said:\n%s", r.Text)
	}
}

// quotedIn returns the memories whose text the lines have.
func quotedIn(lines []string, winches []graph.ID) (ids []graph.ID) {
	for i := range winches {
		if slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "\""+work(i)+"\"") }) {
			ids = append(ids, winches[i])
		}
	}
	return ids
}

// A line quotes only what is true now and not contested.
func TestATopicQuotesNothingThatChanged(t *testing.T) {
	for what, change := range map[string]func(*enginetest.World, graph.ID, graph.ID){
		"superseded": func(w *enginetest.World, id, _ graph.ID) {
			if _, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: id, Content: "Nothing is known of it any more", Reason: "mistaken"}); err != nil {
				t.Fatal(err)
			}
		},
		"contested": func(w *enginetest.World, id, other graph.ID) { contest(w, id, other) },
	} {
		w, winches := longHistory(t)
		quoted := quotedIn(topicLines(contextOf(w, aboutWinches)), winches)
		if len(quoted) == 0 {
			t.Fatalf("%s: no line quotes a memory", what)
		}
		unquoted := slices.DeleteFunc(slices.Clone(winches), func(id graph.ID) bool { return slices.Contains(quoted, id) })
		for i, id := range quoted {
			change(w, id, unquoted[i])
		}
		r := contextOf(w, aboutWinches)
		if len(topicLines(r)) == 0 {
			t.Errorf("%s: there is no line any more:\n%s", what, r.Text)
		}
		for _, id := range quotedIn(topicLines(r), winches) {
			if slices.Contains(quoted, id) {
				t.Errorf("%s: still quoted in %q", what, topicLines(r))
			}
		}
	}
}
