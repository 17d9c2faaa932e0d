package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// In a small budget a derived memory replaces its sources. In a large one both are included.
func TestShortContextReplacesSourcesByDerivedMemory(t *testing.T) {
	w := enginetest.New(t)
	var sources []string
	const more = " After that we wrote down what had been released, told those who wait for it what is new and what they must do, and then, which nobody likes, watched the counters and the logs for all of %[1]d minutes, and once more for %[1]d in the evening."
	for i, s := range []string{
		"First run the tests, then tag the release, finally push the image.",
		"I ran the tests, then tagged the release, then pushed the image.",
		"First run the tests, then tag the release, and then push the image.",
	} {
		m := w.Remember(s+strings.Repeat(fmt.Sprintf(more, 20+i), 6), func(in *engine.RememberInput) {
			in.User, in.Type, in.Session, in.OnDuplicate = "noor", graph.Episodic, []string{"a", "b", "c"}[i], engine.Insert
		}).Memory
		sources = append(sources, string(m.ID))
		w.Clock.Advance(24 * time.Hour)
	}
	fixture.MustDeepSleep(w)
	ask := func(budget int) (rules, memories []string) {
		t.Helper()
		r, err := w.Context(t.Context(), w.Caller, engine.ContextInput{
			Session: "now", User: "noor", Query: "How do we release the image?", TokenBudget: budget, Preview: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		return r.Layers[0].MemoryIDs, r.Layers[2].MemoryIDs
	}
	rules, memories := ask(0)
	if len(rules) != 1 || !slices.Equal(slices.Sorted(slices.Values(memories)), sources) {
		t.Fatalf("with room: rules %v, memories %v, want one of sleep and %v", rules, memories, sources)
	}
	if rules, memories = ask(900); len(rules) != 1 || len(memories) != 0 {
		t.Errorf("without room: rules %v, memories %v", rules, memories)
	}
}

// If a long episode does not fit, the context holds its statements. Safety-critical episodes
// are not shortened.
func TestShortContextReplacesLongEpisodesByStatements(t *testing.T) {
	w := enginetest.New(t)
	small := strings.Repeat("We talked about the wind for a while and then about the rain and the tide. ", 6)
	for i, name := range []string{"Ines", "Joris", "Mara", "Noor", "Otis", "Pia"} {
		w.Remember(fmt.Sprintf("%s%s works at the ferry office. %s lives in Harbour Street.", small, name, name), func(in *engine.RememberInput) {
			in.User, in.Type, in.OnDuplicate, in.SafetyCritical = "ada", graph.Episodic, engine.Insert, i == 0
		})
	}
	r, err := w.Context(t.Context(), w.Caller, engine.ContextInput{Session: "now", User: "ada", Query: "Who works at the ferry office?", TokenBudget: 600, Preview: true})
	if err != nil {
		t.Fatal(err)
	}
	text := r.Layers[2].Text
	if r.Layers[2].Name != prompt.Memories || !strings.Contains(text, "Pia – works at → ferry office") && !strings.Contains(text, "Joris – works at → ferry office") {
		t.Errorf("no statement replaces its episode:\n%s", text)
	}
	if strings.Contains(text, "Ines – works at") {
		t.Errorf("a matter of safety was shortened:\n%s", text)
	}
}
