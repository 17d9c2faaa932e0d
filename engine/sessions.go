package engine

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// Observe adds a turn to L0, the working buffer of its session, and returns when the turn is
// durable. The cost is one small write, independent of the session's length.
func (e *Engine) Observe(ctx context.Context, c Caller, in Observation) (r *Observed, err error) {
	ctx, end := e.ws.Begin(ctx, c, "observe")
	defer end(&err)
	if r, err = e.session.Observe(ctx, c, in); err == nil {
		e.touched(ctx, r.Memory)
	}
	return r, err
}

// ObservePast adds turns of conversations that are over, as an import does: each goes to L1 at once
// and keeps the time when it was said.
func (e *Engine) ObservePast(ctx context.Context, c Caller, in []Observation) (_ []PastTurn, err error) {
	ctx, end := e.ws.Begin(ctx, c, "observePast")
	defer end(&err)
	return e.session.ObservePast(ctx, c, in)
}

// CloseSession ends a session. Its turns leave L0. Working memories of priority MEDIUM or HIGH
// that were used become episodes, the others EXPIRED. Confirmed tasks stay.
func (e *Engine) CloseSession(ctx context.Context, c Caller, session, namespace string) (_ *SessionReport, err error) {
	ctx, end := e.ws.Begin(ctx, c, "closeSession")
	defer end(&err)
	return e.session.CloseSession(ctx, c, session, namespace)
}

// Tasks lists tasks by ascending id and reports whether there are more.
func (e *Engine) Tasks(ctx context.Context, c Caller, in TaskInput) (_ []*Task, _ bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "tasks")
	defer end(&err)
	return e.session.Tasks(ctx, c, in)
}

// ConfirmTask turns a candidate into a tracked task. The task outlives its session; only the
// time to live of its sensitivity can end it.
func (e *Engine) ConfirmTask(ctx context.Context, c Caller, id graph.ID) (_ *Task, err error) {
	ctx, end := e.ws.Begin(ctx, c, "confirmTask")
	defer end(&err)
	return e.session.ConfirmTask(ctx, c, id)
}

// CompleteTask ends a task that was done: it becomes EXPIRED with status DONE.
func (e *Engine) CompleteTask(ctx context.Context, c Caller, id graph.ID) (_ *Task, err error) {
	ctx, end := e.ws.Begin(ctx, c, "completeTask")
	defer end(&err)
	return e.session.CompleteTask(ctx, c, id)
}

// DismissTask ends a task that was none or is not wanted: it becomes EXPIRED.
func (e *Engine) DismissTask(ctx context.Context, c Caller, id graph.ID) (_ *Task, err error) {
	ctx, end := e.ws.Begin(ctx, c, "dismissTask")
	defer end(&err)
	return e.session.DismissTask(ctx, c, id)
}
