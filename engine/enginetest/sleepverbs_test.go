package enginetest

import (
	"context"
	"errors"
	"fmt"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// sleep: sleep [light|deep] [items=N] [dryrun] [as NAME]. A sleep is deep by default.
func sleep(p *arguments) action {
	in, name := sleepInput(p), report(p)
	return func(ctx context.Context, p *storyRun) error { return p.sleep(ctx, in, name) }
}

func sleepInput(p *arguments) engine.SleepInput {
	in := engine.SleepInput{Deep: true, Wait: true, MaxItems: p.integer("items"), DryRun: p.flag("dryrun")}
	if p.flag("light") {
		in.Deep = false
	} else {
		p.flag("deep")
	}
	return in
}

// report takes the optional name of a report.
func report(p *arguments) string {
	if !p.flag("as") {
		return ""
	}
	return p.newName(kindReport)
}

func (p *storyRun) sleep(ctx context.Context, in engine.SleepInput, name string) error {
	r, err := p.world.Engine.Sleep(ctx, p.world.Caller, in)
	if err != nil {
		return &refusal{err}
	}
	p.report = r
	if name != "" {
		p.reports[name] = r.ID
	}
	return nil
}

func consolidate(p *arguments) action {
	in := engine.ConsolidateInput{
		Strategy:  oneOf(p, "strategy", p.word("a strategy"), []engine.Strategy{engine.StrategyAge, engine.StrategyImportance, engine.StrategyTokenBudget}),
		Namespace: p.text("namespace"), User: p.text("user"), Project: p.text("project"),
		OlderThanDays: p.integer("days"), BelowImportance: p.number("importance"), TokenBudget: p.integer("tokens"), DryRun: p.flag("dryrun"),
	}
	name := report(p)
	return func(ctx context.Context, p *storyRun) error {
		r, err := p.world.Engine.Consolidate(ctx, p.world.Caller, in)
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

// rollback: rollback REPORT or rollback to=MARK, with [namespace=] [dryrun].
func rollback(p *arguments) action {
	in := engine.RollbackInput{Namespace: p.text("namespace"), DryRun: p.flag("dryrun")}
	name, mark := "", p.nameOf("to", kindInstant)
	if mark == "" {
		name = p.name(kindReport)
	}
	return func(ctx context.Context, p *storyRun) error {
		in.ID, in.To = p.reports[name], p.marks[mark]
		return asRefusal(p.world.Engine.Rollback(ctx, p.world.Caller, in))
	}
}

func observe(p *arguments) action {
	name := p.newName(kindMemory)
	in := engine.Observation{
		Role: p.word("a role"), Text: p.quote("what is said"), Session: p.text("session"), Consent: graph.ConsentExplicit,
		Namespace: p.text("namespace"), User: p.text("user"), Agent: p.text("agent"), Project: p.text("project"), IdempotencyKey: p.text("key"),
	}
	if c := choice(p, "consent", graph.Consents); c != "" {
		in.Consent = c
	}
	return func(ctx context.Context, p *storyRun) error {
		r, err := p.world.Engine.Observe(ctx, p.world.Caller, in)
		if err != nil {
			return &refusal{err}
		}
		p.ids[name] = r.Memory.ID
		return nil
	}
}

func closeSession(p *arguments) action {
	session, namespace := p.word("a session"), p.text("namespace")
	return func(ctx context.Context, p *storyRun) error {
		return asRefusal(p.world.Engine.CloseSession(ctx, p.world.Caller, session, namespace))
	}
}

func withdraw(p *arguments) action {
	source, namespace, reason, dry := p.word("a source"), p.text("namespace"), p.text("reason"), p.flag("dryrun")
	return func(ctx context.Context, p *storyRun) error {
		return asRefusal(p.world.Engine.WithdrawSource(ctx, p.world.Caller, source, namespace, reason, dry))
	}
}

// resolve: resolve A B keep=A, or without keep= to keep both.
func resolve(p *arguments) action {
	a, b := p.name(kindMemory), p.name(kindMemory)
	keep, reason := p.nameOf("keep", kindMemory), p.text("reason")
	return func(ctx context.Context, p *storyRun) error {
		var kept graph.ID
		if keep != "" {
			kept = p.ids[keep]
		}
		return asRefusal(p.world.Engine.ResolveConflict(ctx, p.world.Caller, p.ids[a], p.ids[b], kept, reason))
	}
}

// crash: crash at N, crash in PHASE [after=K], both with the arguments of sleep. The process of
// the sleep crashes before its commit N, counted from 1, or in a phase after K of its steps.
// Then a new process opens the store.
func crash(p *arguments) action {
	var d crashPoint
	switch how := p.word("at or in"); how {
	case "at":
		n := p.word("the number of a commit")
		if _, err := fmt.Sscan(n, &d.commit); p.err == nil && (err != nil || d.commit < 1) {
			p.fail("%q is not a commit number", n)
		}
	case "in":
		d.phase = oneOf(p, "phase", p.word("a phase"), []engine.SleepPhase{engine.PhaseN1, engine.PhaseN2, engine.PhaseN3, engine.PhaseREM, engine.PhaseReport})
		if n := p.integer("after"); n != nil {
			d.after = *n
		}
	default:
		p.fail("expected: crash at N or crash in PHASE")
	}
	in := sleepInput(p)
	return func(ctx context.Context, p *storyRun) error {
		if p.skipCrashes {
			// The number of processes is the same as with the crash, because each generates its
			// own ids.
			return errors.Join(p.world.Restart(), p.sleep(ctx, in, ""), p.world.Restart())
		}
		return p.crash(ctx, in, d)
	}
}

// crashPoint is the moment at which a process crashes.
type crashPoint struct {
	commit int // commit of the sleep before which it crashes, from 1; 0: the phase decides
	phase  engine.SleepPhase
	after  int // steps of the phase
}

// crash runs a sleep in a process that crashes, then starts a new process.
func (p *storyRun) crash(ctx context.Context, in engine.SleepInput, d crashPoint) error {
	if err := p.world.close(); err != nil {
		return err
	}
	dying := &crashingStore{Store: p.world.Store, commitsLeft: -1}
	if err := p.world.open(dying); err != nil {
		return err
	}
	dying.crashAt(d.commit-1, p.phaseReached(ctx, d))
	_, err := p.world.Engine.Sleep(ctx, p.world.Caller, in)
	switch dead := dying.check() != nil; {
	case !dead:
		return fmt.Errorf("the sleep ended before the crash: %w", errors.Join(err, errNotCrashed))
	case err == nil:
		return fmt.Errorf("the sleep reports success although its process crashed")
	}
	return p.world.Restart()
}

var errNotCrashed = errors.New("choose an earlier commit, or a phase with enough steps")

// phaseReached returns a function that asks the sleep for its progress; nil if a number of
// commits decides.
func (p *storyRun) phaseReached(ctx context.Context, d crashPoint) func() bool {
	if d.phase == "" {
		return nil
	}
	w := p.world.Engine
	return func() bool {
		s, err := w.SleepStatus(ctx, p.world.Caller)
		return err == nil && s.Running != nil && s.Phase == d.phase && s.Done >= d.after
	}
}

// expectUninterrupted compares the state with that of a world in which the same story ran
// without crashes.
func expectUninterrupted(ctx context.Context, p *storyRun) error {
	other := newPlay(p.world.T, p.steps, Options{Vectors: p.world.options.Vectors})
	other.skipCrashes = true
	// The expectations of the story apply to the world with the crash only.
	for i, s := range other.steps[:p.current] {
		if anything, _ := s.expects(); anything {
			continue
		}
		var expected *refusal
		if err := s.action(ctx, other); err != nil && !errors.As(err, &expected) {
			return fmt.Errorf("without the crash, statement %d failed: %w", i+1, err)
		}
	}
	want, err := Digest(ctx, other.world.Store, other.scope())
	if err != nil {
		return err
	}
	got, err := Digest(ctx, p.world.Store, p.scope())
	if err != nil {
		return err
	}
	return sameState(want, got)
}
