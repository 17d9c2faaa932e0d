package enginetest

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// Tasks and conversations of nobody are for those who may write what belongs to nobody.
func TestTasksAndSessionsOfNobodyNeedShare(t *testing.T) {
	w := New(t)
	ctx, e := t.Context(), w.Engine
	ana := bound("ana", access.DefaultAuthority(false), access.MemoryRead, access.MemoryWrite)
	if _, err := e.Observe(ctx, w.Caller, engine.Observation{Session: "s", Role: "user", Text: "Before we can launch, we need a new rope.", Consent: graph.ConsentExplicit}); err != nil {
		t.Fatal(err)
	}
	note := w.Remember("The rope is being cut.", func(in *engine.RememberInput) { in.Type, in.Session = graph.Working, "s" }).Memory.ID
	tasks, _, err := e.Tasks(ctx, ana, engine.TaskInput{})
	if err != nil || len(tasks) != 1 {
		t.Fatal(tasks, err)
	}
	id := tasks[0].Memory.ID
	for name, change := range map[string]func() error{
		"confirmTask":  func() error { _, err := e.ConfirmTask(ctx, ana, id); return err },
		"completeTask": func() error { _, err := e.CompleteTask(ctx, ana, id); return err },
		"dismissTask":  func() error { _, err := e.DismissTask(ctx, ana, id); return err },
		"closeSession": func() error { _, err := e.CloseSession(ctx, ana, "s", ""); return err },
	} {
		if err := change(); err == nil || graph.CodeOf(err) != graph.CodeForbidden {
			t.Errorf("%s: %v, want FORBIDDEN", name, err)
		}
	}
	for _, id := range []graph.ID{id, note} {
		if v, err := e.Memory(ctx, w.Caller, id, engine.Access{IncludeImplicit: true}); err != nil || v.State.Status != graph.Active {
			t.Errorf("%q is %s, %v", v.Content, v.State.Status, err)
		}
	}
	ana.Scopes = append(ana.Scopes, access.MemoryShare)
	if _, err := e.CompleteTask(ctx, ana, id); err != nil {
		t.Error(err)
	}
	if _, err := e.CloseSession(ctx, ana, "s", ""); err != nil {
		t.Error(err)
	}
}
