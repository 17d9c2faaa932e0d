package recall_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// harbour is a world with three memories that a question about the ferry finds.
func harbour(t *testing.T, o enginetest.Options) (w *enginetest.World, best graph.ID) {
	w = enginetest.With(t, o)
	w.Remember("The ferry to the island leaves at nine.")
	w.Remember("The ferry was painted blue last spring.")
	w.Remember("Ferry tickets are sold in the kiosk.")
	return w, enginetest.IDs(w.Search(ferry))[0]
}

const ferry = "When does the ferry to the island leave?"

func feedback(t *testing.T, w *enginetest.World, c engine.Caller, id graph.ID, query string, relevant bool, user string) {
	t.Helper()
	v, err := w.Feedback(t.Context(), c, engine.FeedbackInput{Query: query, ID: id, Relevant: relevant, User: user})
	if err != nil || v.ID != id {
		t.Fatalf("%+v, %v", v, err)
	}
}

// place returns the rank of a memory among the hits of a query, from 0 (-1: no hit), and the
// feedback line of its explanation.
func place(w *enginetest.World, id graph.ID, query string, with ...func(*engine.SearchInput)) (at int, said string) {
	r := w.Search(query, with...)
	at = slices.Index(enginetest.IDs(r), id)
	if at >= 0 {
		for _, x := range r.Hits[at].Explain().Children {
			if strings.Contains(x.Message, "feedback") {
				said = x.Message
			}
		}
	}
	return at, said
}

func TestIrrelevantMemoryRanksLowerForSimilarQuestions(t *testing.T) {
	w, best := harbour(t, enginetest.Options{})
	feedback(t, w, w.Caller, best, ferry, false, "")
	at, said := place(w, best, ferry)
	if at < 1 || !strings.Contains(said, "cosine 1.00") {
		t.Errorf("place %d, %q", at, said)
	}
	if at, said := place(w, best, "when does the FERRY to that island leave"); at < 1 || said == "" {
		t.Errorf("asked a little otherwise: place %d, %q", at, said)
	}
	if at, said := place(w, best, "What leaves at nine?"); at != 0 || said != "" {
		t.Errorf("another question: place %d, %q", at, said)
	}
	// The mark survives a restart, and a repeated mark has no further effect.
	feedback(t, w, w.Caller, best, ferry, false, "")
	before := w.Search(ferry)
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	after := w.Search(ferry)
	for i, h := range after.Hits {
		if h.Memory.ID != before.Hits[i].Memory.ID || h.Score != before.Hits[i].Score {
			t.Errorf("hit %d: %s %v, before the restart %s %v", i, h.Memory.ID, h.Score, before.Hits[i].Memory.ID, before.Hits[i].Score)
		}
	}
	// Relevant for a dissimilar question removes no mark.
	feedback(t, w, w.Caller, best, "What leaves at nine?", true, "")
	if at, _ := place(w, best, ferry); at < 1 {
		t.Errorf("place %d", at)
	}
	feedback(t, w, w.Caller, best, ferry, true, "")
	if at, said := place(w, best, ferry); at != 0 || said != "" {
		t.Errorf("taken back: place %d, %q", at, said)
	}
}

func TestFeedbackAffectsOnlySearchesOfItsUser(t *testing.T) {
	w, best := harbour(t, enginetest.Options{})
	ada, bo := w.Caller, w.Caller
	ada.User, bo.User = "ada", "bo"
	feedback(t, w, ada, best, ferry, false, "")
	asked := func(c engine.Caller) int {
		r, err := w.Engine.Search(t.Context(), c, engine.SearchInput{Query: ferry, MinScoreRatio: new(float64)})
		if err != nil {
			t.Fatal(err)
		}
		return slices.Index(enginetest.IDs(r), best)
	}
	if asked(ada) < 1 || asked(bo) != 0 {
		t.Errorf("ada finds it at %d, bo at %d", asked(ada), asked(bo))
	}
	// A caller without a user marks for all users, or for the user that the input names.
	feedback(t, w, w.Caller, best, ferry, false, "bo")
	if asked(bo) < 1 {
		t.Error("the memory of bo has a service as its source")
	}
	_, err := w.Feedback(t.Context(), ada, engine.FeedbackInput{Query: ferry, ID: best, User: "bo"})
	fixture.WantError(t, err, graph.CodeForbidden, "user")
	// The erasure of all of ada's memories also erases ada's feedback.
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{User: "ada"}); err != nil {
		t.Fatal(err)
	}
	if asked(ada) != 0 || asked(bo) < 1 {
		t.Errorf("after the erasure ada finds it at %d, bo at %d", asked(ada), asked(bo))
	}
}

func TestFeedbackKeepsNoTextAndIsErasedWithItsMemory(t *testing.T) {
	w, best := harbour(t, enginetest.Options{})
	feedback(t, w, w.Caller, best, "Wherefore sails yonder xylophone?", false, "")
	words, err := enginetest.StoredText(t.Context(), w.Store, graph.Scope{Tenant: w.Caller.Tenant})
	if err != nil || !strings.Contains(words, string(graph.NoteFeedback)) {
		t.Fatalf("nothing was written down: %v", err)
	}
	if strings.Contains(words, "xylophone") {
		t.Error("the words of the question are stored")
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{best}}); err != nil {
		t.Fatal(err)
	}
	if words, err = enginetest.StoredText(t.Context(), w.Store, graph.Scope{Tenant: w.Caller.Tenant}); err != nil || strings.Contains(words, string(graph.NoteFeedback)) {
		t.Errorf("the note remains after its memory was erased: %v", err)
	}
}

func TestFeedbackNamesTheInvalidField(t *testing.T) {
	embedder := &fixture.MoodyEmbedder{Embedder: hashed.New()}
	w, best := harbour(t, enginetest.Options{Embedder: embedder, Retry: time.Hour})
	hers := w.Remember("The ferry is late.", func(in *engine.RememberInput) { in.User = "ada" }).Memory.ID
	bo := w.Caller
	bo.User = "bo"
	for _, c := range []struct {
		caller engine.Caller
		in     engine.FeedbackInput
		code   graph.Code
		field  string
	}{
		{w.Caller, engine.FeedbackInput{ID: best}, graph.CodeInvalidRequest, "query"},
		{w.Caller, engine.FeedbackInput{Query: strings.Repeat("x", 8<<10+1), ID: best}, graph.CodeLimitExceeded, "query"},
		{w.Caller, engine.FeedbackInput{Query: ferry, ID: "x"}, graph.CodeInvalidRequest, "id"},
		{bo, engine.FeedbackInput{Query: ferry, ID: hers}, graph.CodeMemoryNotFound, "id"},
	} {
		_, err := w.Feedback(t.Context(), c.caller, c.in)
		fixture.WantError(t, err, c.code, c.field)
	}
	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{hers}}); err != nil {
		t.Fatal(err)
	}
	_, err := w.Feedback(t.Context(), w.Caller, engine.FeedbackInput{Query: ferry, ID: hers})
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "id")
	embedder.Away = true
	_, err = w.Feedback(t.Context(), w.Caller, engine.FeedbackInput{Query: ferry, ID: best})
	fixture.WantError(t, err, graph.CodeUnavailable, "")
}

// Feedback of one caller counts once, whatever users it names, and does not lower the
// confidence of what has more authority.
func TestInventedUsersAreOneSource(t *testing.T) {
	w, best := harbour(t, enginetest.Options{})
	was := fixture.MustView(w, best)
	weak := engine.Caller{Tenant: w.Caller.Tenant, Name: "app", Grant: was.Authority / 2, Scopes: w.Caller.Scopes}
	peer := engine.Caller{Tenant: w.Caller.Tenant, Name: "peer", Grant: 1, Scopes: w.Caller.Scopes}
	say := func(c engine.Caller, o engine.FeedbackOutcome) *engine.View {
		t.Helper()
		for _, user := range []string{"inv1", "inv2", "inv3"} {
			if _, err := w.Feedback(t.Context(), c, engine.FeedbackInput{Query: ferry, ID: best, Outcome: o, User: user}); err != nil {
				t.Fatal(err)
			}
		}
		return fixture.MustView(w, best)
	}
	if v := say(weak, engine.OutcomeHarmed); v.Confidence != was.Confidence {
		t.Errorf("less authority: %v, was %v", v.Confidence, was.Confidence)
	}
	if v, want := say(peer, engine.OutcomeHarmed), plasticity.Doubt(was.Confidence); v.Confidence != want {
		t.Errorf("three users of one caller: %v, want %v", v.Confidence, want)
	}
}

// Several keys of one owner without a user are one source of feedback.
func TestKeysOfOneOwnerAreOneSource(t *testing.T) {
	w, best := harbour(t, enginetest.Options{})
	was := fixture.MustView(w, best)
	for _, key := range []string{"one", "two", "three"} {
		c := engine.Caller{Tenant: w.Caller.Tenant, Name: "app", Credential: key, Grant: 1, Scopes: w.Caller.Scopes}
		if _, err := w.Feedback(t.Context(), c, engine.FeedbackInput{Query: ferry, ID: best, Outcome: engine.OutcomeHarmed}); err != nil {
			t.Fatal(err)
		}
	}
	if v, want := fixture.MustView(w, best), plasticity.Doubt(was.Confidence); v.Confidence != want {
		t.Errorf("three keys of one owner: %v, want %v", v.Confidence, want)
	}
}

// An erasure of a user in a namespace, and of all that a user may erase, takes the user's feedback there.
func TestFeedbackIsErasedWithWhatIsErasedByOwner(t *testing.T) {
	w, best := harbour(t, enginetest.Options{})
	ada := w.Caller
	ada.User = "ada"
	for _, x := range []struct {
		c    engine.Caller
		in   engine.ForgetInput
		left bool
	}{
		{w.Caller, engine.ForgetInput{User: "ada", Namespace: "elsewhere"}, true},
		{w.Caller, engine.ForgetInput{User: "ada", Namespace: workspace.DefaultNamespace}, false},
		{ada, engine.ForgetInput{Tenant: true}, false},
	} {
		feedback(t, w, w.Caller, best, ferry, false, "ada")
		if _, err := w.Forget(t.Context(), x.c, x.in); err != nil {
			t.Fatal(err)
		}
		words, err := enginetest.StoredText(t.Context(), w.Store, graph.Scope{Tenant: w.Caller.Tenant})
		if left := strings.Contains(words, string(graph.NoteFeedback)); err != nil || left != x.left {
			t.Errorf("%+v: feedback is there: %v, %v", x.in, left, err)
		}
	}
}
