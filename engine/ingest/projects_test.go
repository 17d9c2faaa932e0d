package ingest_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

func inProject(project string) func(*engine.RememberInput) {
	return func(in *engine.RememberInput) { in.Project = project }
}

// What is so in one project neither contests nor repeats what is so in another one, in one batch or
// in several.
func TestProjectsDoNotDisagree(t *testing.T) {
	for _, many := range []bool{false, true} {
		w := enginetest.New(t)
		var in []engine.RememberInput
		for _, x := range [][2]string{
			{"harbour", "The server listens on port 8080."}, {"quay", "The server listens on port 7000."},
			{"harbour", "Run the tests with make test."}, {"quay", "Run the tests with make test."},
		} {
			in = append(in, engine.RememberInput{Content: x[1], Project: x[0], User: "ana", Consent: graph.ConsentExplicit})
		}
		var results []engine.RememberResult
		if many {
			r, err := w.RememberMany(t.Context(), w.Caller, in)
			if err != nil {
				t.Fatal(err)
			}
			results = r
		} else {
			for _, x := range in {
				r, err := w.Engine.Remember(t.Context(), w.Caller, x)
				if err != nil {
					t.Fatal(err)
				}
				results = append(results, *r)
			}
		}
		for i, r := range results {
			if r.Error != nil || len(r.ConflictsWith)+len(r.Revised) != 0 || r.DuplicateOf != "" || view(w, r.Memory.ID).Conflict != 0 {
				t.Errorf("%q in %s: error %v, contests %v, revised %v, repeats %q", in[i].Content, in[i].Project, r.Error, r.ConflictsWith, r.Revised, r.DuplicateOf)
			}
		}
		// Of the same project, and of none, it does.
		if r := w.Remember("The server listens on port 9090.", by("ana", "s2"), inProject("quay")); len(r.Revised) != 1 || r.Revised[0] != results[1].Memory.ID {
			t.Errorf("in the same project: revised %v", r.Revised)
		}
		if r := w.Remember("The server listens on port 9443.", by("ana", "s3")); len(r.ConflictsWith) == 0 {
			t.Error("what belongs to no project contests nothing")
		}
	}
}
