package upkeep_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// opening sets an option that lets a server open the other model.
func opening(o *engine.Options) {
	o.OpenModel = func(_ context.Context, spec engine.ModelSpec) (models.Embedder, func(), error) {
		if spec.Kind == "none" {
			return nil, nil, errors.New("there is no such kind")
		}
		if spec.Kind == "same" {
			return hashed.New(), func() {}, nil
		}
		return halfEmbedder{Full: hashed.New()}, func() {}, nil
	}
}

// stage embeds everything with the other model, or returns why it stopped.
func stage(t *testing.T, e *engine.Engine) error {
	t.Helper()
	at, err := e.Reembed(t.Context(), engine.Loopback(), engine.ModelSpec{Kind: "other"})
	for err == nil && at.Running {
		runtime.Gosched()
		at, err = e.Reembedding(t.Context(), engine.Loopback())
	}
	switch {
	case err != nil:
		return err
	case at.Failure != "":
		return errors.New(at.Failure)
	case !at.Complete || at.Model != "halved" || at.Done == 0:
		t.Fatalf("%+v", at)
	}
	return nil
}

func TestReembedSwitchesTenantToAnotherModel(t *testing.T) {
	l := fixture.NewLife(t)
	e, end := l.Server(l.Store, 20, opening)
	ask := func(e *engine.Engine) *engine.SearchResult {
		r, err := e.Search(t.Context(), engine.Loopback(), engine.SearchInput{Query: "what is Mira allergic to"})
		if err != nil || len(r.Hits) == 0 || len(r.Degraded) != 0 || r.Hits[0].Parts.Semantic == 0 || r.Hits[0].Memory.Content != "Mira is allergic to walnuts." {
			t.Fatalf("%+v, %v", r, err)
		}
		return r
	}
	before := ask(e)
	if err := stage(t, e); err != nil {
		t.Fatal(err)
	}
	if after := ask(e); after.Hits[0].Score != before.Hits[0].Score {
		t.Errorf("it answers otherwise before the switch: %v, was %v", after.Hits[0].Score, before.Hits[0].Score)
	}
	late := l.Remember(t.Context(), e, engine.RememberInput{Content: "The lighthouse has 412 steps."})
	end()
	l.WithEngine(l.Store, func(context.Context, *engine.Engine) {}) // the model in use can still open the store
	if n, err := engine.SwitchModel(t.Context(), l.Store, hashed.New().Name(), l.Clock.Now()); err != nil || n != 0 {
		t.Fatalf("switched %d tenants to the model that they have: %v", n, err)
	}
	if n, err := adopt(l, l.Store); err != nil || n != 1 {
		t.Fatalf("switched %d tenants: %v", n, err)
	}
	if n, err := adopt(l, l.Store); err != nil || n != 0 {
		t.Errorf("switched %d tenants again: %v", n, err)
	}
	withHalfEmbedder(l, func(e *engine.Engine) {
		ask(e)
		v, err := e.Memory(t.Context(), engine.Loopback(), late, engine.Access{})
		if err != nil || v.EmbeddingModel != "halved" {
			t.Errorf("what came late: %+v, %v", v, err)
		}
		if at, err := e.Reembedding(t.Context(), engine.Loopback()); err != nil || at.Model != "" || at.Running {
			t.Errorf("behind the switch: %+v, %v", at, err)
		}
	})
	if all := vectorsOf(l); strings.Contains(all, hashed.New().Name()) || strings.Count(all, "halved 256") < 10 {
		t.Errorf("vectors:\n%s", all)
	}
	words, err := enginetest.StoredText(t.Context(), l.Store, graph.Scope{Tenant: engine.Loopback().Tenant})
	if err != nil || strings.Contains(words, string(graph.NoteAside)) {
		t.Errorf("a staged vector is left, %v", err)
	}
}

// After a crash at any commit, before or during the switch, the move is resumed and ends
// with the same result.
func TestReembedResumesAfterCrashAtAnyStep(t *testing.T) {
	move := func(l *fixture.Life, store graph.Store) error {
		l.T.Helper()
		var err error
		func() {
			e, end := l.Server(store, 20, opening)
			defer end()
			err = stage(t, e)
		}()
		if err != nil {
			return err
		}
		_, err = adopt(l, store)
		return err
	}
	whole := fixture.NewLife(t)
	if err := move(whole, whole.Store); err != nil {
		t.Fatal(err)
	}
	want := vectorsOf(whole)
	for commits := 0; ; commits++ {
		l := fixture.NewLife(t)
		err := move(l, dying(l.Store, commits))
		if err == nil {
			if commits < 5 {
				t.Errorf("it takes %d commits only", commits)
			}
			return
		}
		// After a restart, the process either switches or resumes the move.
		if n, err := adopt(l, l.Store); err != nil {
			t.Fatalf("dead after %d commits: %v", commits, err)
		} else if n == 0 {
			if err := move(l, l.Store); err != nil {
				t.Fatalf("dead after %d commits: %v", commits, err)
			}
		}
		fixture.SameDigest(t, fmt.Sprintf("dead after %d commits", commits), vectorsOf(l), want)
	}
}

// dying returns a store that fails every commit after a number of them. Reads go on,
// because Close needs them.
func dying(s graph.Store, commits int) graph.Store { return &deadly{s, commits} }

type deadly struct {
	graph.Store
	left int
}

func (d *deadly) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if d.left--; d.left < 0 {
		return 0, errors.New("the process is dead")
	}
	return d.Store.Update(ctx, scope, fn)
}

// A switch that has begun can't be cancelled: the old model can no longer open the store.
func TestBegunModelSwitchCannotBeReverted(t *testing.T) {
	l := fixture.NewLife(t)
	e, end := l.Server(l.Store, 20, opening)
	if err := stage(t, e); err != nil {
		t.Fatal(err)
	}
	end()
	if _, err := adopt(l, dying(l.Store, 1)); err == nil {
		t.Fatal("it did not die")
	}
	idx, err := index.Open(t.Context(), l.Store, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := idx.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	_, err = engine.New(t.Context(), engine.Options{Store: l.Store, Index: idx, Embedder: hashed.New(), Clock: l.Clock, Rand: enginetest.Random(3)})
	var mixed *engine.MixedModelsError
	if !errors.As(err, &mixed) || mixed.Stored != "halved" {
		t.Fatalf("%v", err)
	}
	if n, err := adopt(l, l.Store); err != nil || n != 1 {
		t.Errorf("%d, %v", n, err)
	}
}

// An erasure during the move removes the memory's new vector too, and no other vector.
func TestErasureReachesStagedVectors(t *testing.T) {
	l := fixture.NewLife(t)
	e, end := l.Server(l.Store, 20, opening)
	if err := stage(t, e); err != nil {
		t.Fatal(err)
	}
	id := l.Find("Mira is allergic to walnuts.")
	if _, err := e.Forget(t.Context(), engine.Loopback(), engine.ForgetInput{IDs: []graph.ID{id}}); err != nil {
		t.Fatal(err)
	}
	end()
	err := l.Store.View(t.Context(), graph.Scope{Tenant: engine.Loopback().Tenant}, func(r graph.Reader) error {
		notes, err := r.Notes(graph.NoteAside, "", false, 0)
		for _, n := range notes {
			if n.Data != nil && strings.Contains(string(n.Data), string(id)) {
				t.Errorf("its vector is there: %s", n.ID)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := adopt(l, l.Store); err != nil || n != 1 {
		t.Fatalf("%d, %v", n, err)
	}
	withHalfEmbedder(l, func(e *engine.Engine) {
		r, err := e.Search(t.Context(), engine.Loopback(), engine.SearchInput{Query: "who repaired the sluice at the weir"})
		if err != nil || len(r.Hits) == 0 || r.Hits[0].Parts.Semantic == 0 {
			t.Errorf("%+v, %v", r, err)
		}
	})
	if strings.Contains(vectorsOf(l), hashed.New().Name()) {
		t.Error("a vector of the old model is left")
	}
}

// A rollback after the switch restores no vector of the old model.
func TestRollbackAfterModelSwitchKeepsNewVectors(t *testing.T) {
	l := fixture.NewLife(t)
	report, err := l.Sleep(l.Store)
	if err != nil || report.Deduplicated == 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	e, end := l.Server(l.Store, 20, opening)
	if err := stage(t, e); err != nil {
		t.Fatal(err)
	}
	end()
	if _, err := adopt(l, l.Store); err != nil {
		t.Fatal(err)
	}
	withHalfEmbedder(l, func(e *engine.Engine) {
		if _, err := e.Rollback(t.Context(), engine.Loopback(), engine.RollbackInput{ID: report.ID}); err != nil {
			t.Fatal(err)
		}
	})
	if all := vectorsOf(l); strings.Contains(all, hashed.New().Name()) || strings.Contains(all, " 512 ") {
		t.Errorf("vectors:\n%s", all)
	}
}

func TestReembedRefusesInvalidInput(t *testing.T) {
	l := fixture.NewLife(t)
	e, end := l.Server(l.Store, 20, opening)
	defer end()
	user := engine.Loopback()
	user.User = "mira"
	plain := engine.Loopback()
	plain.Admin = false
	for name, c := range map[string]struct {
		as   engine.Caller
		kind string
		want graph.Code
	}{
		"no such model":  {engine.Loopback(), "none", graph.CodeInvalidRequest},
		"the same model": {engine.Loopback(), "same", graph.CodeInvalidRequest},
		"a user":         {user, "other", graph.CodeForbidden},
		"no admin":       {plain, "other", graph.CodeForbidden},
	} {
		if _, err := e.Reembed(t.Context(), c.as, engine.ModelSpec{Kind: c.kind}); graph.CodeOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
		if at, err := e.Reembedding(t.Context(), engine.Loopback()); err != nil || at.Running || at.Model != "" {
			t.Errorf("%s: %+v, %v", name, at, err)
		}
	}
	w := enginetest.New(t)
	if _, err := w.Reembed(t.Context(), w.Caller, engine.ModelSpec{Kind: "other"}); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Errorf("without a way to open one: %v", err)
	}
}
