package ingest_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

func TestConflictsAreListedStrongestFirst(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default", "elsewhere")
	about := func(subject, text string, with ...func(*engine.RememberInput)) graph.ID {
		w.Clock.Advance(time.Minute)
		return w.Remember(text, append(with, func(in *engine.RememberInput) { in.Subject = subject })...).Memory.ID
	}
	eight := about("clinic", "The clinic opens at 8.")
	nine := about("clinic", "The clinic opens at 9.")
	about("gate", "The gate of the mill is blue.")
	about("gate", "The gate of the mill is red.")
	about("well", "The well is deep.")
	about("clinic", "The clinic opens at 7.", fixture.InNamespace("elsewhere"))
	about("clinic", "The clinic opens at 6.", fixture.InNamespace("elsewhere"))
	about("bridge", "The bridge is open.", func(in *engine.RememberInput) { in.User = "bo" })
	about("bridge", "The bridge is not open.", func(in *engine.RememberInput) { in.User = "bo" })

	list := func(c engine.Caller, first int, spaces ...string) []engine.Conflict {
		t.Helper()
		found, err := w.Engine.Conflicts(t.Context(), c, spaces, first)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range found {
			if x.Score <= 0.3 || i > 0 && x.Score > found[i-1].Score || x.Later.RecordedAt.Before(x.Earlier.RecordedAt) || !x.At.Equal(x.Later.RecordedAt) {
				t.Errorf("%d: %+v", i, x)
			}
		}
		return found
	}
	if n := len(list(w.Caller, 0)); n != 4 {
		t.Errorf("%d conflicts, want 4", n)
	}
	if n := len(list(w.Caller, 2)); n != 2 {
		t.Errorf("%d conflicts of the first 2", n)
	}
	if found := list(w.Caller, 0, "default"); len(found) != 3 {
		t.Errorf("%d conflicts in one namespace, want 3", len(found))
	}
	if n := len(list(engine.Caller{Tenant: w.Caller.Tenant, Name: "ana", User: "ana", Grant: 1}, 0, "default")); n != 2 {
		t.Errorf("another user sees %d, want 2", n)
	}
	// A memory that leaves ACTIVE ends its conflict.
	if _, err := w.Engine.Expire(t.Context(), w.Caller, nine); err != nil {
		t.Fatal(err)
	}
	for _, x := range list(w.Caller, 0) {
		if x.Earlier.ID == eight {
			t.Error("a conflict with an expired memory is listed")
		}
	}
	_, err := w.Engine.Conflicts(t.Context(), w.Caller, nil, -1)
	fixture.WantError(t, err, graph.CodeInvalidRequest, "first")
}

func TestResolveRefuses(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default")
	a := w.Remember("The clinic opens at 8.", func(in *engine.RememberInput) { in.Subject = "clinic" }).Memory.ID
	b := w.Remember("The clinic opens at 9.", func(in *engine.RememberInput) { in.Subject, in.Authority = "clinic", fixture.Ptr(0.4) }).Memory.ID
	other := w.Remember("The well is deep.").Memory.ID
	unknown := graph.ID("0197a2f0-0000-7000-8000-000000000000")
	weak := engine.Caller{Tenant: w.Caller.Tenant, Name: "weak", Grant: 0.5, Scopes: []access.Scope{access.MemoryShare}}
	for _, c := range []struct {
		caller     engine.Caller
		a, b, keep graph.ID
		code       graph.Code
		field      string
	}{
		{w.Caller, "x", b, "", graph.CodeInvalidRequest, "a"},
		{w.Caller, a, a, "", graph.CodeInvalidRequest, "b"},
		{w.Caller, a, b, other, graph.CodeInvalidRequest, "keep"},
		{w.Caller, a, unknown, "", graph.CodeMemoryNotFound, "b"},
		{w.Caller, a, other, "", graph.CodeInvalidRequest, "b"},
		{weak, a, b, b, graph.CodeForbidden, "a"},
		{weak, a, b, "", graph.CodeForbidden, "a"},
	} {
		_, err := w.Engine.ResolveConflict(t.Context(), c.caller, c.a, c.b, c.keep, "")
		fixture.WantError(t, err, c.code, c.field)
	}
	// A resolution within the grant succeeds.
	views, err := w.Engine.ResolveConflict(t.Context(), weak, a, b, a, "looked it up")
	if err != nil || views[0].State.Status != graph.Active || views[0].Conflict != 0 || views[1].State.Status != graph.Superseded || views[1].SupersededBy != a {
		t.Errorf("%+v, %v", views, err)
	}
}

// A dismissed conflict is no conflict any more: it is not listed, not drawn, and not
// counted when another of the three memories leaves.
func TestDismissedConflictIsNotListed(t *testing.T) {
	w := enginetest.New(t)
	fixture.WithoutRevision(t, w, "default")
	at := func(hour string) graph.ID {
		w.Clock.Advance(time.Minute)
		return w.Remember("The clinic opens at "+hour+".", func(in *engine.RememberInput) { in.Subject = "clinic" }).Memory.ID
	}
	a, b, c := at("8"), at("9"), at("10")
	if _, err := w.Engine.ResolveConflict(t.Context(), w.Caller, a, b, "", ""); err != nil {
		t.Fatal(err)
	}
	if v := fixture.MustView(w, a); v.Conflict <= 0.3 {
		t.Errorf("the third still contradicts it, but the signal is %v", v.Conflict)
	}
	if _, err := w.Engine.Expire(t.Context(), w.Caller, c); err != nil {
		t.Fatal(err)
	}
	if fixture.MustView(w, a).Conflict != 0 || fixture.MustView(w, b).Conflict != 0 {
		t.Error("a dismissed conflict is listed again")
	}
	if found, err := w.Engine.Conflicts(t.Context(), w.Caller, nil, 0); err != nil || len(found) != 0 {
		t.Errorf("%d conflicts are listed, %v", len(found), err)
	}
	related, err := w.Engine.Related(t.Context(), w.Caller, engine.RelatedInput{ID: a})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range related.Edges {
		if e.Kind == string(graph.Contradicts) && e.From == b {
			t.Errorf("it is drawn: %+v", e)
		}
	}
}
