package grouping_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// A summary quotes the most central member that a reader sees, and no other; when this one is erased, it quotes the next.
func TestASummaryHasWhatTheReaderSees(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default") // made-up statements of one form and few words
	hidden := map[graph.ID]bool{}
	for _, x := range []topic{winch, bakery, violin} {
		for i, id := range say(w, x, 0, 24, func(in *engine.RememberInput) {
			in.Sensitivity = []graph.Sensitivity{graph.Internal, graph.Restricted}[w.Clock.Now().Minute()%2]
			w.Clock.Advance(time.Minute)
		}) {
			hidden[id] = i%2 == 1
		}
	}
	night(w)
	limited := w.Caller
	limited.Sensitivity = graph.Internal
	id, cases := clusters(w, w.Caller)[0].ID, map[bool]int{}
	for range 8 {
		whole, part := clusterOf(w, w.Caller, id), clusterOf(w, limited, id)
		medoid, visible := content(w, whole.Medoid), content(w, part.Medoid)
		if cases[hidden[whole.Medoid]]++; hidden[part.Medoid] {
			t.Fatalf("the medoid of what is not restricted is %q", visible)
		}
		if !strings.HasPrefix(whole.Label.Summary, medoid) || !strings.HasPrefix(part.Label.Summary, visible) {
			t.Errorf("the summaries are %q of %q and %q of %q", whole.Label.Summary, medoid, part.Label.Summary, visible)
		}
		if hidden[whole.Medoid] && strings.Contains(part.Label.Summary, medoid) {
			t.Errorf("who may not see %q is shown %q", medoid, part.Label.Summary)
		}
		if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{whole.Medoid}}); err != nil {
			t.Fatal(err)
		}
		if left := clusterOf(w, w.Caller, id); left.Label.Summary == "" || strings.Contains(left.Label.Summary, medoid) {
			t.Errorf("after the erasure of %q the summary is %q", medoid, left.Label.Summary)
		}
	}
	if cases[true] == 0 || cases[false] == 0 {
		t.Errorf("restricted and other medoids: %v", cases)
	}
}

// content is the text of a memory.
func content(w *enginetest.World, id graph.ID) string {
	w.T.Helper()
	found, err := w.MemoriesByID(w.T.Context(), w.Caller, []graph.ID{id}, engine.Access{IncludeImplicit: true})
	if err != nil || found[0] == nil {
		w.T.Fatalf("%s: %v", id, err)
	}
	return found[0].Content
}

// clusterOf is a cluster as a caller sees it.
func clusterOf(w *enginetest.World, c engine.Caller, id graph.ID) *engine.Cluster {
	w.T.Helper()
	found, err := w.ClustersByID(w.T.Context(), c, []graph.ID{id})
	if err != nil || found[0] == nil {
		w.T.Fatalf("%s: %v", id, err)
	}
	return found[0]
}
