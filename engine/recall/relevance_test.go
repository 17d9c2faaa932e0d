package recall_test

import (
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

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
				r := w.Search(p[1])
				if slices.ContainsFunc(r.Hits, func(h engine.Hit) bool { return h.Memory.Content == p[0] }) && !r.NoMatch {
					answered++
				} else {
					t.Logf("not answered: %s", p[1])
				}
				hits += len(r.Hits)
			}
			for _, text := range gibberish[:len(gibberish)*size/len(lines)] {
				r := w.Search(text)
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
		if answered < 200 || refused < asked || hits > 700 {
			t.Errorf("worlds of %d: %d of 200 answered with %d hits, %d of %d texts without meaning refused", size, answered, hits, refused, asked)
		}
	}
}

// crowded is a model whose cosines are all high: those of the built-in embedder, between .7 and 1.
type crowded struct{ models.Embedder }

func (m crowded) Name() string   { return "crowded" }
func (m crowded) Dimension() int { return m.Embedder.Dimension() + 1 }

func (m crowded) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	vectors, err := m.Embedder.Embed(ctx, texts, kind)
	for i, v := range vectors {
		if slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
			for j := range v {
				v[j] *= float32(math.Sqrt(0.3))
			}
			vectors[i] = append(v, float32(math.Sqrt(0.7)))
			continue
		}
		vectors[i] = append(v, 0)
	}
	return vectors, err
}

func TestTheFloorFitsTheModel(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Embedder: crowded{hashed.New()}})
	lines, gibberish := linesOf(t, "testdata/answers.tsv")[:50], linesOf(t, "testdata/gibberish.txt")
	for _, l := range lines {
		w.Remember(strings.Split(l, "\t")[0], func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
	}
	answered, refused := 0, 0
	for _, l := range lines {
		p := strings.Split(l, "\t")
		if slices.ContainsFunc(w.Search(p[1]).Hits, func(h engine.Hit) bool { return h.Memory.Content == p[0] }) {
			answered++
		}
	}
	for _, text := range gibberish {
		if w.Search(text).NoMatch {
			refused++
		}
	}
	if answered < 50 || refused*100 < len(gibberish)*97 {
		t.Errorf("%d of 50 answered, %d of %d texts without meaning refused", answered, refused, len(gibberish))
	}
}

func TestTheRatioCutsUnlessAListIsAskedFor(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("The keys of the boathouse hang behind the door.")
	for _, x := range []string{"The boathouse stands on the north shore.", "Ada painted the boathouse.", "The piano has yellow keys."} {
		w.Remember(x)
	}
	const question = "Where do the keys of the boathouse hang?"
	all, some := w.Search(question, enginetest.Uncut), w.Search(question)
	if len(all.Hits) != 4 || len(some.Hits) != 1 || some.Hits[0].Memory.Content != all.Hits[0].Memory.Content {
		t.Errorf("%d hits without the cut, %d with it", len(all.Hits), len(some.Hits))
	}
	ratio := 1e-9
	if r := w.Search(question, func(in *engine.SearchInput) { in.MinScoreRatio = &ratio }); len(r.Hits) != 4 {
		t.Errorf("a tiny ratio leaves %d hits", len(r.Hits))
	}
	if r := w.Search("Which keys of the boathouse hang behind the door?"); len(r.Hits) != 4 {
		t.Errorf("a question for a list has %d hits", len(r.Hits))
	}
	if r := w.Search(question, func(in *engine.SearchInput) { in.Mode = engine.ModeBase }); len(r.Hits) != 4 {
		t.Errorf("mode BASE has %d hits", len(r.Hits))
	}
	for _, bad := range []float64{-0.1, 1.1} {
		_, err := w.Engine.Search(t.Context(), w.Caller, engine.SearchInput{Query: question, MinScoreRatio: &bad})
		if graph.CodeOf(err) != graph.CodeInvalidRequest {
			t.Errorf("ratio %v: %v", bad, err)
		}
	}
}

func TestAHitWithoutTheNameOfTheQuestionIsCut(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("The pressure of the Bramble boiler was 22 bar this morning.")
	for _, x := range []string{"The pressure of the Ostrava turbine is far too high.", "A second fault was seen at the lift: pressure 86 bar."} {
		w.Remember(x)
	}
	const question = "Which pressure did the Bramble boiler show?"
	if r := w.Search(question, enginetest.Uncut); len(r.Hits) != 3 {
		t.Fatalf("%d hits without the cut", len(r.Hits))
	}
	r := w.Search(question)
	if len(r.Hits) != 1 || !strings.Contains(r.Hits[0].Memory.Content, "Bramble") {
		t.Errorf("%d hits", len(r.Hits))
	}
	// If no memory says the name, the others stay.
	if r := w.Search("Which pressure did the Kestrel boiler show?"); len(r.Hits) < 2 {
		t.Errorf("%d hits for an unknown name", len(r.Hits))
	}
}

func TestAnAnswerThatSharesOnlyTopicsIsNotCut(t *testing.T) {
	w := enginetest.New(t)
	for _, x := range []string{"I opened the window of the attic.", "We opened a tin of beans.", "The shop opened at ten."} {
		w.Remember(x)
	}
	const answer = "My savings are at the Tidewater credit union."
	w.Remember(answer)
	r := w.Search("I opened my account where?")
	if !slices.ContainsFunc(r.Hits, func(h engine.Hit) bool { return h.Memory.Content == answer }) {
		t.Errorf("%d hits without the answer", len(r.Hits))
	}
}

func TestWhatTheSpeakerSaysNextIsNotCut(t *testing.T) {
	const next = "Life is awesome, and there are so many little moments like that one which I carry along through all my days at the office."
	found := func(speaker string) bool {
		w := enginetest.New(t)
		for i, x := range []string{"I will always remember the meteor shower over the boathouse, it was amazing.", "That sounds wonderful!", next} {
			w.Remember(x, func(in *engine.RememberInput) { in.Session, in.Agent = "walk", []string{"mel", "cara", speaker}[i] })
			w.Clock.Advance(time.Minute)
		}
		const question = "How did I feel while watching the meteor shower over the boathouse?"
		if r := w.Search(question, enginetest.Uncut); len(r.Hits) != 3 {
			t.Fatalf("%d hits without the cut", len(r.Hits))
		}
		for _, h := range w.Search(question).Hits {
			t.Logf("%s: %.3f %s", speaker, h.Relevance, h.Memory.Content)
		}
		return slices.ContainsFunc(w.Search(question).Hits, func(h engine.Hit) bool { return h.Memory.Content == next })
	}
	if !found("mel") {
		t.Error("what the speaker says next is cut")
	}
	if found("zoe") {
		t.Error("what another speaker says is not cut")
	}
}

// What a client stores only to read it back is found by its tag alone.
func TestStoredMemoriesAreNotFound(t *testing.T) {
	w := enginetest.New(t)
	stored := w.Remember("The harbour gate code is 4711.", func(in *engine.RememberInput) { in.Tags = []string{"_stored", "items"} }).Memory
	for _, ratio := range []float64{0, 0.5} {
		if r := w.Search("What is the harbour gate code?", func(in *engine.SearchInput) { in.MinScoreRatio = &ratio }); len(r.Hits) != 0 {
			t.Errorf("ratio %v finds %d hits", ratio, len(r.Hits))
		}
	}
	r := w.Search("What is the harbour gate code?", func(in *engine.SearchInput) { in.Tags = []string{"_stored"} })
	if len(r.Hits) != 1 || r.Hits[0].Memory.ID != stored.ID {
		t.Errorf("by its tag: %+v", r.Hits)
	}
}

// A question for several things of one name is not answered with things of other names.
func TestQuestionsForThingsOfOneName(t *testing.T) {
	w := enginetest.New(t)
	for _, thing := range []string{"Basalt cluster", "Nimbus gateway", "Pelican queue"} {
		for _, text := range []string{"Incident on the %s: the disk was full", "Incident on the %s: a certificate had expired", "Checked the %s in the morning, nothing odd"} {
			w.Remember(strings.ReplaceAll(text, "%s", thing), func(in *engine.RememberInput) { in.Type = graph.Episodic })
		}
	}
	for _, question := range []string{"What incidents did the Basalt cluster have?", "What ails the Basalt cluster?"} {
		r := w.Search(question)
		for _, h := range r.Hits {
			if !strings.Contains(h.Memory.Content, "Basalt") {
				t.Errorf("%q: %q", question, h.Memory.Content)
			}
		}
		if len(r.Hits) < 2 {
			t.Errorf("%q: %d hits", question, len(r.Hits))
		}
	}
}

// Words that ask for the latest are not looked up: "lately" finds no one who was late.
func TestWordsForTheLatestAreNotLookedUp(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("Checked the Sandpiper gauge on the way to work, no leak and no noise")
	late := w.Remember("Wanda was late, no harm done").Memory.ID
	every := 0.0
	for _, h := range w.Search("Was the gauge checked lately?", func(in *engine.SearchInput) { in.MinScoreRatio = &every }).Hits {
		if h.Memory.ID == late && h.Parts.Keyword != 0 {
			t.Errorf("%q shares words: %v", h.Memory.Content, h.Parts.Keyword)
		}
	}
}

// A question about the past, whose time is left out of a second search, may also ask for the latest.
func TestQuestionsAboutThePastWithWordsForTheLatest(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("I drink tea.")
	w.Clock.Advance(24 * time.Hour)
	w.Remember("I no longer drink tea, I drink coffee.")
	w.Clock.Advance(60 * 24 * time.Hour)
	for _, question := range []string{"What did I drink in March, and what lately?", "What did I drink two months ago, currently?", "Did I drink tea in March, before now, recently?"} {
		if r := w.Search(question); r.NoMatch {
			t.Errorf("%q: no match", question)
		}
	}
}
