package upkeep_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

// choosy is an embedder that refuses texts with a certain word while it is strict.
type choosy struct {
	models.Embedder
	strict  atomic.Bool
	away    atomic.Bool
	refused func() // nil, or called before a text is refused
}

func (c *choosy) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	if c.away.Load() {
		return nil, errors.New("dial tcp secret.example:443")
	}
	for _, text := range texts {
		if c.strict.Load() && strings.Contains(text, "glyph") {
			if c.refused != nil {
				c.refused()
			}
			return nil, &models.Error{Status: 422, Message: "can't be read"}
		}
	}
	return c.Embedder.Embed(ctx, texts, kind)
}

// strict returns a world whose embedder refuses texts about glyphs.
func strict(t *testing.T) (*enginetest.World, *choosy) {
	c := &choosy{Embedder: hashed.New()}
	c.strict.Store(true)
	return enginetest.With(t, enginetest.Options{Embedder: c, Retry: time.Millisecond}), c
}

// letters waits for n dead letters and returns them.
func letters(t *testing.T, w *enginetest.World, n int) []engine.DeadLetter {
	t.Helper()
	for {
		found, more, err := w.DeadLetters(t.Context(), w.Caller, engine.DeadLetterInput{})
		if err != nil || more {
			t.Fatalf("more %v, %v", more, err)
		}
		if len(found) == n {
			return found
		}
		runtime.Gosched()
	}
}

// firstAt is when the work was given up, not when an attempt first failed, and later attempts leave it.
func TestFirstAtIsWhenTheWorkWasGivenUp(t *testing.T) {
	w, model := strict(t)
	model.refused = func() { w.Clock.Advance(time.Minute) }
	bad := w.Remember("A glyph stands on the mill.")
	x := letters(t, w, 1)[0]
	if x.Attempts != 4 || !x.First.Equal(w.Now()) || !x.At.Equal(x.First) || x.First.Before(enginetest.Start.Add(4*time.Minute)) {
		t.Errorf("%+v, want the time after the last of four attempts, %v", x, w.Now())
	}
	r, err := w.RetryDeadLetters(t.Context(), w.Caller, []graph.ID{bad.Memory.ID})
	if err != nil || len(r.Left) != 1 || !r.Left[0].First.Equal(x.First) || !r.Left[0].At.After(x.First) {
		t.Errorf("after another attempt: %+v, %v", r, err)
	}
}

func TestDeadLettersSurviveRestart(t *testing.T) {
	w, model := strict(t)
	bad := w.Remember("A glyph stands on the mill.")
	before := letters(t, w, 1)[0]
	if before.ID != bad.Memory.ID || before.Work != engine.WorkEmbed || before.Attempts != 4 || !before.First.Equal(enginetest.Start) || !strings.Contains(before.Reason, "422") {
		t.Errorf("%+v", before)
	}
	h, err := w.Health(t.Context(), w.Caller)
	if want := "Memories without a vector: 1. The embedder refused 1 of them; retryDeadLetter tries again. Search finds them by words only."; err != nil || h.Status != "WARNING" || h.Reason != want {
		t.Errorf("%+v, %v, want %q", h, err, want)
	}
	model.strict.Store(false) // a restart alone retries nothing
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	good := w.Remember("The observatory opens at dusk.")
	if good.Pending {
		t.Fatal("the model is not there")
	}
	if after := letters(t, w, 1)[0]; after != before {
		t.Errorf("behind a restart %+v, before it %+v", after, before)
	}

	model.strict.Store(true)
	w.Clock.Advance(time.Hour)
	r, err := w.RetryDeadLetters(t.Context(), w.Caller, []graph.ID{bad.Memory.ID, good.Memory.ID})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Settled) != 1 || r.Settled[0] != good.Memory.ID || len(r.Left) != 1 || r.Left[0].Attempts != 5 || !r.Left[0].First.Equal(before.First) || !r.Left[0].At.Equal(w.Now()) {
		t.Errorf("refused again: %+v", r)
	}
	model.away.Store(true)
	if r, err = w.RetryDeadLetters(t.Context(), w.Caller, []graph.ID{bad.Memory.ID}); err != nil || len(r.Left) != 1 || r.Left[0].Attempts != 6 || r.Left[0].Reason != "INTERNAL" {
		t.Errorf("away: %+v, %v", r, err)
	}
	model.away.Store(false)
	model.strict.Store(false)
	if r, err = w.RetryDeadLetters(t.Context(), w.Caller, []graph.ID{bad.Memory.ID}); err != nil || len(r.Left) != 0 || len(r.Settled) != 1 {
		t.Errorf("at last: %+v, %v", r, err)
	}
	letters(t, w, 0)
	if hits := w.Search("glyph mill").Hits; len(hits) == 0 || hits[0].Parts.Semantic == 0 {
		t.Errorf("it has no vector: %+v", hits)
	}
	h, err = w.Health(t.Context(), w.Caller)
	if err != nil || h.Status != "HEALTHY" || h.Details["letters"] != nil {
		t.Errorf("%+v, %v", h, err)
	}
}

// A discarded letter is listed no more and its text is not sent again, until somebody retries.
func TestDiscardedLetters(t *testing.T) {
	w, model := strict(t)
	bad := w.Remember("A glyph stands on the mill.").Memory
	letters(t, w, 1)
	ids, err := w.DiscardDeadLetters(t.Context(), w.Caller, []graph.ID{bad.ID})
	if err != nil || len(ids) != 1 || ids[0] != bad.ID {
		t.Fatalf("%v, %v", ids, err)
	}
	letters(t, w, 0)
	if h, err := w.Health(t.Context(), w.Caller); err != nil || h.Details["letters"] != nil || h.Details["deadLetters"] != nil {
		t.Errorf("health shows it: %+v, %v", h.Details, err)
	}
	model.strict.Store(false)
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	w.Remember("The observatory opens at dusk.")
	if v, err := w.Memory(t.Context(), w.Caller, bad.ID, engine.Access{}); err != nil || v.EmbeddingModel != "" {
		t.Errorf("it was tried again: %+v, %v", v, err)
	}
	if r, err := w.RetryDeadLetters(t.Context(), w.Caller, []graph.ID{bad.ID}); err != nil || len(r.Settled) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if v, err := w.Memory(t.Context(), w.Caller, bad.ID, engine.Access{}); err != nil || v.EmbeddingModel == "" {
		t.Errorf("a retry did not embed it: %+v, %v", v, err)
	}
	ada := engine.Caller{Tenant: w.Caller.Tenant, Name: "ada", User: "ada"}
	if _, err := w.DiscardDeadLetters(t.Context(), ada, []graph.ID{"0190b0f0-0000-7000-8000-000000000000"}); graph.CodeOf(err) != graph.CodeMemoryNotFound {
		t.Errorf("an unknown memory: %v", err)
	}
	if _, err := w.DiscardDeadLetters(t.Context(), w.Caller, make([]graph.ID, 101)); graph.CodeOf(err) != graph.CodeLimitExceeded {
		t.Errorf("101: %v", err)
	}
}

func TestDeadLettersArePagedAndFilteredByOwner(t *testing.T) {
	w, _ := strict(t)
	var ids []graph.ID
	for i := range 5 {
		ids = append(ids, w.Remember(fmt.Sprintf("The glyph of house %d is red.", i), func(in *engine.RememberInput) {
			in.User, in.OnDuplicate = []string{"ada", "bo"}[i%2], engine.Insert
		}).Memory.ID)
	}
	letters(t, w, 5)
	ada := engine.Caller{Tenant: w.Caller.Tenant, Name: "ada", User: "ada"}
	var seen []graph.ID
	for after, more := graph.ID(""), true; more; {
		var page []engine.DeadLetter
		var err error
		if page, more, err = w.DeadLetters(t.Context(), ada, engine.DeadLetterInput{First: 1, After: after, Work: engine.WorkEmbed}); err != nil || len(page) != 1 {
			t.Fatalf("%+v, %v", page, err)
		}
		seen, after = append(seen, page[0].ID), page[0].Letter
	}
	if want := map[graph.ID]bool{ids[0]: true, ids[2]: true, ids[4]: true}; len(seen) != 3 || !want[seen[0]] || !want[seen[1]] || !want[seen[2]] {
		t.Errorf("ada sees %v of %v", seen, ids)
	}
	if page, _, err := w.DeadLetters(t.Context(), ada, engine.DeadLetterInput{Work: engine.WorkEngrave}); err != nil || len(page) != 0 {
		t.Errorf("%+v, %v", page, err)
	}
	if _, err := w.RetryDeadLetters(t.Context(), ada, ids[:2]); graph.CodeOf(err) != graph.CodeMemoryNotFound {
		t.Errorf("a memory of another user: %v", err)
	}
	if _, err := w.RetryDeadLetters(t.Context(), ada, make([]graph.ID, 101)); graph.CodeOf(err) != graph.CodeLimitExceeded {
		t.Errorf("101: %v", err)
	}
	if _, _, err := w.DeadLetters(t.Context(), ada, engine.DeadLetterInput{First: -1}); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("first -1: %v", err)
	}

	if _, err := w.Forget(t.Context(), w.Caller, engine.ForgetInput{User: "ada"}); err != nil {
		t.Fatal(err)
	}
	letters(t, w, 2)
	words, err := enginetest.StoredText(t.Context(), w.Store, graph.Scope{Tenant: w.Caller.Tenant})
	if err != nil || strings.Count(words, string(graph.NoteDead)) != 2 {
		t.Errorf("%d letters are stored, %v", strings.Count(words, string(graph.NoteDead)), err)
	}
}

// A memory that the recess refused still has its dead letter after a restart. It can be
// engraved by a retry, and the next sleep engraves it.
func TestRefusedEngravingSurvivesRestart(t *testing.T) {
	l := fixture.NewLife(t)
	var refused []engine.DeadLetter
	list := func(ctx context.Context, e *engine.Engine) []engine.DeadLetter {
		found, _, err := e.DeadLetters(ctx, engine.Loopback(), engine.DeadLetterInput{Work: engine.WorkEngrave})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	l.WithEngineOver(l.Store, hashed.New(), fixture.RefusingArchive{FakeArchive: l.Shelf}, func(ctx context.Context, e *engine.Engine) {
		if _, err := e.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: true, Wait: true}); err != nil {
			t.Fatal(err)
		}
		if refused = list(ctx, e); len(refused) == 0 || refused[0].Reason != "UNAVAILABLE" {
			t.Fatalf("%+v", refused)
		}
		r, err := e.RetryDeadLetters(ctx, engine.Loopback(), []graph.ID{refused[0].ID})
		if err != nil || len(r.Left) != 1 || r.Left[0].Attempts != refused[0].Attempts+1 {
			t.Errorf("%+v, %v", r, err)
		}
	})
	l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
		if again := list(ctx, e); len(again) != len(refused) {
			t.Fatalf("%+v after a restart, %+v before", again, refused)
		}
		r, err := e.RetryDeadLetters(ctx, engine.Loopback(), []graph.ID{refused[0].ID})
		if err != nil || len(r.Settled) != 1 || len(r.Left) != 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		v, err := e.Memory(ctx, engine.Loopback(), refused[0].ID, engine.Access{})
		if err != nil || v.State.Tier != graph.L3 || v.Unavailable != nil {
			t.Errorf("%+v, %v", v, err)
		}
	})
	if _, err := l.Sleep(l.Store); err != nil {
		t.Fatal(err)
	}
	l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
		if left := list(ctx, e); len(left) != 0 {
			t.Errorf("%+v", left)
		}
	})
}
