package recall_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// byDefault leaves minScoreRatio to the engine.
func byDefault(in *engine.SearchInput) { in.MinScoreRatio = nil }

func linesOf(t *testing.T, path string) []string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(raw)), "\n")
}

// answers.tsv has a statement, a question that it answers, and the words of the answer, 200
// times. gibberish.txt has 200 texts without meaning: keys, syllables, questions about nothing,
// symbols. Both were written for this test.
func TestOrdinaryQuestionsAreAnsweredAndGibberishIsNot(t *testing.T) {
	lines, gibberish := linesOf(t, "testdata/answers.tsv"), linesOf(t, "testdata/gibberish.txt")
	for _, size := range []int{200, 20} {
		answered, refused, hits, asked := 0, 0, 0, 0
		for group := range slices.Chunk(lines, size) {
			w := enginetest.New(t)
			for _, l := range group {
				w.Remember(strings.Split(l, "\t")[0], func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
			}
			for _, l := range group {
				p := strings.Split(l, "\t")
				r := w.Search(p[1], byDefault)
				if slices.ContainsFunc(r.Hits, func(h engine.Hit) bool { return h.Memory.Content == p[0] }) && !r.NoMatch {
					answered++
				} else {
					t.Logf("not answered: %s", p[1])
				}
				hits += len(r.Hits)
			}
			for _, text := range gibberish[:len(gibberish)*size/len(lines)] {
				r := w.Search(text, byDefault)
				if r.NoMatch != (len(r.Hits) == 0) {
					t.Fatalf("%q: %d hits, noMatch %v", text, len(r.Hits), r.NoMatch)
				}
				asked++
				if r.NoMatch {
					refused++
				} else {
					t.Logf("matched: %s", text)
				}
			}
		}
		t.Logf("worlds of %d: %d of 200 answered with %d hits, %d of %d texts without meaning refused", size, answered, hits, refused, asked)
		if answered < 200 || refused*100 < asked*97 || hits > 700 {
			t.Errorf("worlds of %d: %d of 200 answered with %d hits, %d of %d texts without meaning refused", size, answered, hits, refused, asked)
		}
	}
}

func TestTheRatioCutsUnlessAListIsAskedFor(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("The keys of the boathouse hang behind the door.")
	for _, x := range []string{"The boathouse has a new roof.", "Ada painted the boathouse.", "The keys of the piano are yellow."} {
		w.Remember(x)
	}
	const question = "Where do the keys of the boathouse hang?"
	all, some := w.Search(question), w.Search(question, byDefault)
	if len(all.Hits) != 4 || len(some.Hits) != 1 || some.Hits[0].Memory.Content != all.Hits[0].Memory.Content {
		t.Errorf("%d hits without the cut, %d with it", len(all.Hits), len(some.Hits))
	}
	ratio := 1e-9
	if r := w.Search(question, func(in *engine.SearchInput) { in.MinScoreRatio = &ratio }); len(r.Hits) != 4 {
		t.Errorf("a tiny ratio leaves %d hits", len(r.Hits))
	}
	if r := w.Search("Which keys of the boathouse hang behind the door?", byDefault); len(r.Hits) != 4 {
		t.Errorf("a question for a list has %d hits", len(r.Hits))
	}
	if r := w.Search(question, byDefault, func(in *engine.SearchInput) { in.Mode = engine.ModeBase }); len(r.Hits) != 4 {
		t.Errorf("mode BASE has %d hits", len(r.Hits))
	}
	for _, bad := range []float64{-0.1, 1.1} {
		_, err := w.Engine.Search(t.Context(), w.Caller, engine.SearchInput{Query: question, MinScoreRatio: &bad})
		if graph.CodeOf(err) != graph.CodeInvalidRequest {
			t.Errorf("ratio %v: %v", bad, err)
		}
	}
}
