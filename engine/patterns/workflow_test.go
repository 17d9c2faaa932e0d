package patterns_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/graph"
)

// A workflow of steps that were repeated in three sessions names the clusters that most of its sources are in. The cluster alone has too few
// for a pattern, and an extraction there says that the stored one holds.
func TestAWorkflowOfRepeatedStepsNamesItsClusters(t *testing.T) {
	w := newWorld(t)
	for day := range 3 {
		w.remember("loose release", "To release the shop, I run the schema migration, then deploy the shop service, then check the error dashboard.", func(in *ingest.RememberInput) {
			in.Session, in.Type = fmt.Sprint("release", day), graph.Episodic
		})
		w.clock.Advance(24 * time.Hour)
	}
	w.remember("loose other", "The whale was seen near the lighthouse.")
	w.night()
	p, in := w.one(), w.clusterOf("loose release")
	if p.Memory.Pattern.Kind != graph.Workflow || !slices.Equal(p.Memory.Pattern.Clusters, []graph.ID{in}) {
		t.Fatalf("%q, clusters %v, want %v", p.Content, p.Memory.Pattern.Clusters, in)
	}
	if of, err := w.patterns.PatternsOfCluster(t.Context(), w.caller, in, 0); err != nil || len(of) != 1 || of[0].ID != p.ID {
		t.Errorf("%+v, %v", of, err)
	}
	got, err := w.patterns.ExtractPattern(t.Context(), w.caller, in)
	if err != nil || len(got.Patterns) != 0 || len(got.Refused) != 1 || !strings.HasSuffix(got.Refused[0].Reason, "the pattern that is stored holds") {
		t.Errorf("%+v, %v", got, err)
	}
}
