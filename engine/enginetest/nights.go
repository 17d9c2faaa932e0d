package enginetest

import (
	"context"
	"errors"
	"fmt"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// sleep: sleep [light|deep] [items=N] [dryrun] [as NAME]. A sleep is deep by default.
func sleep(p *phrase) act {
	in, name := sleepInput(p), report(p)
	return func(ctx context.Context, p *play) error { return p.sleep(ctx, in, name) }
}

func sleepInput(p *phrase) engine.SleepInput {
	in := engine.SleepInput{Deep: true, Wait: true, MaxItems: p.integer("items"), DryRun: p.flag("dryrun")}
	if p.flag("light") {
		in.Deep = false
	} else {
		p.flag("deep")
	}
	return in
}

// report takes the name that a report is to have, if any.
func report(p *phrase) string {
	if !p.flag("as") {
		return ""
	}
	return p.coin(aReport)
}

func (p *play) sleep(ctx context.Context, in engine.SleepInput, name string) error {
	r, err := p.w.Engine.Sleep(ctx, p.w.Caller, in)
	if err != nil {
		return &refusal{err}
	}
	p.report = r
	if name != "" {
		p.reports[name] = r.ID
	}
	return nil
}

func consolidate(p *phrase) act {
	in := engine.ConsolidateInput{
		Strategy:  oneOf(p, "strategy", p.word("a strategy"), []engine.Strategy{engine.StrategyAge, engine.StrategyImportance, engine.StrategyTokenBudget}),
		Namespace: p.text("namespace"), User: p.text("user"), Project: p.text("project"),
		OlderThanDays: p.integer("days"), BelowImportance: p.number("importance"), TokenBudget: p.integer("tokens"), DryRun: p.flag("dryrun"),
	}
	name := report(p)
	return func(ctx context.Context, p *play) error {
		r, err := p.w.Engine.Consolidate(ctx, p.w.Caller, in)
		if err != nil {
			return &refusal{err}
		}
		p.report = r
		if name != "" {
			p.reports[name] = r.ID
		}
		return nil
	}
}

func rollback(p *phrase) act {
	name := p.name(aReport)
	return func(ctx context.Context, p *play) error {
		return refused(p.w.Engine.Rollback(ctx, p.w.Caller, p.reports[name]))
	}
}

func observe(p *phrase) act {
	name := p.coin(aMemory)
	in := engine.Observation{
		Role: p.word("a role"), Text: p.quote("what is said"), Session: p.text("session"), Consent: graph.ConsentExplicit,
		Namespace: p.text("namespace"), User: p.text("user"), Agent: p.text("agent"), Project: p.text("project"), IdempotencyKey: p.text("key"),
	}
	if c := upper(p, "consent", graph.Consents); c != "" {
		in.Consent = c
	}
	return func(ctx context.Context, p *play) error {
		r, err := p.w.Engine.Observe(ctx, p.w.Caller, in)
		if err != nil {
			return &refusal{err}
		}
		p.ids[name] = r.Memory.ID
		return nil
	}
}

func closeSession(p *phrase) act {
	session, namespace := p.word("a session"), p.text("namespace")
	return func(ctx context.Context, p *play) error {
		return refused(p.w.Engine.CloseSession(ctx, p.w.Caller, session, namespace))
	}
}

func withdraw(p *phrase) act {
	source, namespace, reason, dry := p.word("a source"), p.text("namespace"), p.text("reason"), p.flag("dryrun")
	return func(ctx context.Context, p *play) error {
		return refused(p.w.Engine.WithdrawSource(ctx, p.w.Caller, source, namespace, reason, dry))
	}
}

// resolve: resolve A B keep=A, or without keep= where both may stay.
func resolve(p *phrase) act {
	a, b := p.name(aMemory), p.name(aMemory)
	keep, reason := p.nameOf("keep", aMemory), p.text("reason")
	return func(ctx context.Context, p *play) error {
		var kept graph.ID
		if keep != "" {
			kept = p.ids[keep]
		}
		return refused(p.w.Engine.ResolveConflict(ctx, p.w.Caller, p.ids[a], p.ids[b], kept, reason))
	}
}

// crash: crash at N [light] [items=N], a sleep whose process dies before its commit
// number N, counted from 1. A new process is started over the same store.
func crash(p *phrase) act {
	if w := p.word("at"); w != "at" {
		p.fail("expected: crash at N")
	}
	n := p.word("the number of a commit")
	left := 0
	if _, err := fmt.Sscan(n, &left); p.err == nil && (err != nil || left < 1) {
		p.fail("%q is no number of a commit", n)
	}
	in := sleepInput(p)
	return func(ctx context.Context, p *play) error {
		if p.whole {
			// As many processes as there are with the crash: each has ids of its own.
			return errors.Join(p.w.Restart(), p.sleep(ctx, in, ""), p.w.Restart())
		}
		return p.crash(ctx, in, left-1)
	}
}

// crash sleeps in a process that dies, then starts another one.
func (p *play) crash(ctx context.Context, in engine.SleepInput, left int) error {
	if err := p.w.end(); err != nil {
		return err
	}
	dying := &mortal{Store: p.w.Store, left: -1}
	if err := p.w.open(dying); err != nil {
		return err
	}
	dying.mu.Lock()
	dying.left = left
	dying.mu.Unlock()
	_, err := p.w.Engine.Sleep(ctx, p.w.Caller, in)
	dying.mu.Lock()
	dead := dying.dead
	dying.mu.Unlock()
	if !dead {
		return fmt.Errorf("the sleep ended before its commit %d: it did not die (error %v)", left+1, err)
	}
	if err == nil {
		return fmt.Errorf("the sleep reports success although its process died")
	}
	return p.w.Restart()
}

// asUninterrupted compares the state with that of a world in which the same story ran
// without its crashes.
func asUninterrupted(ctx context.Context, p *play) error {
	other := newPlay(p.w.T, p.steps)
	other.whole = true
	// Expectations of the story are about the world with the crash.
	for i, s := range other.steps[:p.at] {
		if s.expect {
			continue
		}
		if err := s.act(ctx, other); err != nil {
			return fmt.Errorf("without the crash, statement %d failed: %w", i+1, err)
		}
	}
	want, err := Digest(ctx, other.w.Store, other.scope())
	if err != nil {
		return err
	}
	got, err := Digest(ctx, p.w.Store, p.scope())
	if err != nil {
		return err
	}
	return sameState(want, got)
}
