package enginetest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// verbs maps each verb to the parser of its arguments. README.md describes them in this order.
var verbs map[string]func(*arguments) action

func init() {
	verbs = map[string]func(*arguments) action{
		"caller": caller, "advance": advance, "mark": mark, "state": state, "restart": restart,
		"policy": setPolicy, "remember": remember, "supersede": supersede, "adjudicate": adjudicate, "update": update,
		"expire": byName((*engine.Engine).Expire), "pin": byName((*engine.Engine).Pin), "unpin": byName((*engine.Engine).Unpin),
		"forget": forget, "search": search, "use": use, "context": contextOf, "find": find,
		"facts": facts, "undo": undo, "task": task, "confirm": onTask((*engine.Engine).ConfirmTask), "dismiss": onTask((*engine.Engine).DismissTask), "done": onTask((*engine.Engine).CompleteTask),
		"observe": observe, "close": closeSession, "sleep": sleep, "consolidate": consolidate, "rollback": rollback,
		"withdraw": withdraw, "resolve": resolve, "crash": crash, "expect": expect,
	}
}

func use(p *arguments) action    { return searchVerb(p, true) }
func search(p *arguments) action { return searchVerb(p, false) }

// caller sets the caller of the following statements.
func caller(p *arguments) action {
	c := engine.Loopback()
	if n := p.word("the name of the caller"); n != "loopback" {
		c = engine.Caller{Tenant: c.Tenant, Name: n, Grant: 1, Scopes: access.AllScopes}
	}
	if g := p.number("grant"); g != nil {
		c.Grant = *g
	}
	c.User, c.Namespaces = p.text("user"), p.list("namespaces")
	if p.flag("admin") {
		c.Admin = true
	}
	return func(_ context.Context, p *storyRun) error { p.world.Caller = c; return nil }
}

func advance(p *arguments) action {
	w := p.word("a duration")
	d, err := duration(w)
	if p.err == nil && err != nil {
		p.fail("%v", err)
	}
	return func(_ context.Context, p *storyRun) error { p.world.Clock.Advance(d); return nil }
}

func mark(p *arguments) action {
	n := p.newName(kindInstant)
	return func(_ context.Context, p *storyRun) error { p.marks[n] = p.world.Engine.Now(); return nil }
}

func state(p *arguments) action {
	n := p.newName(kindState)
	return func(ctx context.Context, p *storyRun) (err error) {
		if p.states[n], err = Digest(ctx, p.world.Store, p.scope()); err != nil {
			return err
		}
		p.presents[n], err = Present(ctx, p.world.Store, p.scope())
		return err
	}
}

func restart(*arguments) action {
	return func(_ context.Context, p *storyRun) error { return p.world.Restart() }
}

// setPolicy: policy NAMESPACE [preset=] [quorum=] …, changes the policy of a namespace.
func setPolicy(p *arguments) action {
	in := engine.PolicyInput{Namespace: p.word("a namespace"), Update: policy.Update{
		Alpha: p.number("alpha"), Beta: p.number("beta"), Gamma: p.number("gamma"), Lambda: p.number("lambda"), Delta: p.number("delta"),
		Quorum: p.number("quorum"), PromoteAt: p.number("promote"), EngraveDays: p.integer("days"),
		EngraveConfidence: p.number("confidence"), EngraveConflict: p.number("conflict"),
	}}
	if s := choice(p, "preset", policy.Presets); s != "" {
		in.Preset = &s
	}
	if c := choice(p, "consent", graph.Consents); c != "" {
		in.MinConsent = &c
	}
	if r := choice(p, "revision", policy.Revisions); r != "" {
		in.Revision = &r
	}
	in.SingleValued = p.list("single")
	for _, x := range p.list("decay") {
		class, k, _ := strings.Cut(x, ":")
		rate, err := strconv.ParseFloat(k, 64)
		if err != nil {
			p.fail("decay=%s is not CLASS:K", x)
			break
		}
		if in.DecayK == nil {
			in.DecayK = map[graph.DecayClass]float64{}
		}
		in.DecayK[oneOf(p, "decay class", class, graph.DecayClasses)] = rate
	}
	for _, x := range p.list("ttl") {
		level, span, _ := strings.Cut(x, ":")
		d, err := duration(span)
		if err != nil {
			p.fail("ttl=%s is not SENSITIVITY:DURATION", x)
			break
		}
		if in.TTL == nil {
			in.TTL = map[graph.Sensitivity]time.Duration{}
		}
		in.TTL[oneOf(p, "sensitivity", level, graph.Sensitivities)] = d
	}
	return func(ctx context.Context, p *storyRun) error {
		return asRefusal(p.world.Engine.SetNamespacePolicy(ctx, p.world.Caller, in))
	}
}

// task names the one detected task that contains the words.
func task(p *arguments) action {
	name, text := p.newName(kindMemory), p.quote("words of the task")
	return func(ctx context.Context, p *storyRun) error {
		tasks, _, err := p.world.Engine.Tasks(ctx, p.world.Caller, engine.TaskInput{})
		if err != nil {
			return err
		}
		var heard []string
		for _, t := range tasks {
			if strings.Contains(t.Memory.Content, text) {
				p.ids[name] = t.Memory.ID
				return nil
			}
			heard = append(heard, t.Memory.Content)
		}
		return fmt.Errorf("no task contains %q; the detected tasks are %q", text, heard)
	}
}

// onTask is a verb that confirms, completes or dismisses a task.
func onTask(verb func(*engine.Engine, context.Context, engine.Caller, graph.ID) (*engine.Task, error)) func(*arguments) action {
	return func(p *arguments) action {
		name := p.name(kindMemory)
		return func(ctx context.Context, p *storyRun) error {
			return asRefusal(verb(p.world.Engine, ctx, p.world.Caller, p.ids[name]))
		}
	}
}

func remember(p *arguments) action {
	name := p.newName(kindMemory)
	in := engine.RememberInput{
		Content: p.quote("what to remember"), Consent: graph.ConsentExplicit, Namespace: p.text("namespace"),
		User: p.text("user"), Session: p.text("session"), Project: p.text("project"), Agent: p.text("agent"),
		Type: choice(p, "type", graph.Types), Subject: p.text("subject"), Predicate: p.text("predicate"), Object: p.text("object"),
		SourceKind: choice(p, "kind", graph.SourceKinds), Source: p.text("source"),
		Authority: p.number("authority"), Salience: p.number("salience"), Surprise: p.number("surprise"),
		Confidence: p.number("confidence"), Importance: p.number("importance"), Criticality: p.number("criticality"),
		Entities: p.list("entities"), Tags: p.list("tags"), DecayClass: choice(p, "decay", graph.DecayClasses), DecayK: p.number("k"),
		Priority: choice(p, "priority", graph.Priorities), IdempotencyKey: p.text("key"),
		Sensitivity: choice(p, "sensitivity", graph.Sensitivities),
		OnDuplicate: choice(p, "duplicate", []engine.OnDuplicate{engine.Reinforce, engine.Reject, engine.Insert}),
		Important:   p.flag("important"), Core: p.flag("core"), SafetyCritical: p.flag("safety"),
	}
	if v, given := p.pair("consent"); given {
		in.Consent = ""
		if v != "" {
			in.Consent = oneOf(p, "consent", v, graph.Consents)
		}
	}
	if d := p.span("ttl"); d != nil {
		s := int(*d / time.Second)
		in.TTLSeconds = &s
	}
	ago := p.span("ago")
	return func(ctx context.Context, p *storyRun) error {
		in := in
		if ago != nil {
			in.OccurredAt = p.world.Engine.Now().Add(-*ago)
		}
		r, err := p.world.Engine.Remember(ctx, p.world.Caller, in)
		if err != nil {
			return &refusal{err}
		}
		p.remembered, p.ids[name] = r, r.Memory.ID
		return nil
	}
}

func supersede(p *arguments) action {
	old := p.name(kindMemory)
	name := p.newName(kindMemory)
	in := engine.SupersedeInput{
		Content: p.quote("the new text"), Reason: p.text("reason"), Source: p.text("source"), Authority: p.number("authority"),
		IdempotencyKey: p.text("key"),
	}
	return func(ctx context.Context, p *storyRun) error {
		in := in
		in.ID = p.ids[old]
		r, err := p.world.Engine.Supersede(ctx, p.world.Caller, in)
		if err != nil {
			return &refusal{err}
		}
		p.ids[name] = r.Memory.ID
		return nil
	}
}

// adjudicate names the belief as it is after the decision.
func adjudicate(p *arguments) action {
	name := p.newName(kindMemory)
	in := engine.AdjudicateInput{
		Fact: p.quote("the fact"), Subject: p.text("subject"), Namespace: p.text("namespace"), Consent: graph.ConsentExplicit,
		IdempotencyKey: p.text("key"),
	}
	if c := choice(p, "consent", graph.Consents); c != "" {
		in.Consent = c
	}
	for {
		v, given := p.pair("evidence")
		if !given {
			break
		}
		parts := strings.Split(v, ":")
		if len(parts) != 3 {
			p.fail("evidence=%s is not source:weight:confidence", v)
			break
		}
		weight, err := strconv.ParseFloat(parts[1], 64)
		confidence, err2 := strconv.ParseFloat(parts[2], 64)
		if err != nil || err2 != nil {
			p.fail("evidence=%s is not source:weight:confidence", v)
			break
		}
		in.Evidence = append(in.Evidence, engine.Evidence{Source: parts[0], Weight: weight, Confidence: confidence})
	}
	return func(ctx context.Context, p *storyRun) error {
		a, err := p.world.Engine.Adjudicate(ctx, p.world.Caller, in)
		if err != nil {
			return &refusal{err}
		}
		p.adjudication, p.ids[name] = a, a.Current.ID
		return nil
	}
}

func update(p *arguments) action {
	name := p.name(kindMemory)
	in := engine.UpdateInput{Importance: p.number("importance"), Priority: choice(p, "priority", graph.Priorities), Tags: p.list("tags"), DecayK: p.number("k")}
	in.SetDecayK = p.flag("default_pace")
	in.SetTags = in.Tags != nil
	if p.flag("important") {
		yes := true
		in.Important = &yes
	}
	return func(ctx context.Context, p *storyRun) error {
		in := in
		in.ID = p.ids[name]
		return asRefusal(p.world.Engine.Update(ctx, p.world.Caller, in))
	}
}

// byName is a verb whose only argument is the name of a memory.
func byName(verb func(*engine.Engine, context.Context, engine.Caller, graph.ID) (*engine.View, error)) func(*arguments) action {
	return func(p *arguments) action {
		name := p.name(kindMemory)
		return func(ctx context.Context, p *storyRun) error {
			return asRefusal(verb(p.world.Engine, ctx, p.world.Caller, p.ids[name]))
		}
	}
}

func forget(p *arguments) action {
	in := engine.ForgetInput{User: p.text("user"), Subject: p.text("subject"), Namespace: p.text("namespace"), DryRun: p.flag("dryrun")}
	var ids []string
	for _, n := range p.rest() {
		ids = append(ids, p.named(n, kindMemory))
	}
	return func(ctx context.Context, p *storyRun) error {
		in := in
		for _, n := range ids {
			in.IDs = append(in.IDs, p.ids[n])
		}
		return asRefusal(p.world.Engine.Forget(ctx, p.world.Caller, in))
	}
}

func searchVerb(p *arguments, track bool) action {
	in := engine.SearchInput{
		Query: p.quote("the question"), Namespaces: p.list("namespace"), User: p.text("user"), Project: p.text("project"),
		Session: p.text("session"), Tags: p.list("tags"), Track: track,
		Access: engine.Access{RequireConsent: p.flag("consented"), IncludeImplicit: p.flag("implicit")},
	}
	if t := choice(p, "type", graph.Types); t != "" {
		in.Types = []graph.Type{t}
	}
	for _, s := range p.list("status") {
		in.Statuses = append(in.Statuses, oneOf(p, "status", s, graph.Statuses))
	}
	if n := p.integer("top"); n != nil {
		in.TopK = *n
	}
	if f := p.number("authority"); f != nil {
		in.MinAuthority = *f
	}
	in.TierPreference, in.MinScoreRatio = choice(p, "tiers", []engine.TierPreference{engine.TiersAuto, engine.PatternsFirst, engine.MemoriesOnly, engine.ClustersOnly}), p.number("ratio")
	recorded, valid := p.nameOf("asof", kindInstant), p.nameOf("valid", kindInstant)
	return func(ctx context.Context, p *storyRun) error {
		in := in
		in.Access.AsOf = graph.AsOf{Recorded: p.marks[recorded], Valid: p.marks[valid]}
		r, err := p.world.Engine.Search(ctx, p.world.Caller, in)
		if err != nil {
			return &refusal{err}
		}
		p.found = r
		return nil
	}
}

func contextOf(p *arguments) action {
	in := engine.ContextInput{
		Query: p.quote("what the talk is about"), Session: p.text("session"), User: p.text("user"), Project: p.text("project"),
		Namespaces: p.list("namespace"),
		Access:     engine.Access{RequireConsent: p.flag("consented"), IncludeImplicit: p.flag("implicit")},
	}
	if n := p.integer("budget"); n != nil {
		in.TokenBudget = *n
	}
	if in.Session == "" {
		in.Session = "story"
	}
	return func(ctx context.Context, p *storyRun) error {
		r, err := p.world.Engine.Context(ctx, p.world.Caller, in)
		if err != nil {
			return &refusal{err}
		}
		p.context = r
		return nil
	}
}

// find names the one memory that matches, such as one that sleep created.
func find(p *arguments) action {
	name := p.newName(kindMemory)
	want := selection(p)
	return func(ctx context.Context, p *storyRun) error {
		found, err := want(ctx, p)
		if err != nil {
			return err
		}
		if len(found) != 1 {
			return fmt.Errorf("%d memories match, want one", len(found))
		}
		p.ids[name] = found[0].ID
		return nil
	}
}

// facts asks what is believed about a subject.
func facts(p *arguments) action {
	in := engine.FactsInput{
		Subject: p.quote("the subject"), Predicate: p.text("predicate"), User: p.text("user"), Namespaces: p.list("namespace"), IncludePast: p.flag("past"),
	}
	recorded, valid := p.nameOf("asof", kindInstant), p.nameOf("valid", kindInstant)
	return func(ctx context.Context, p *storyRun) error {
		in := in
		in.Access.AsOf = graph.AsOf{Recorded: p.marks[recorded], Valid: p.marks[valid]}
		all, err := p.world.Engine.Facts(ctx, p.world.Caller, in)
		if err != nil {
			return &refusal{err}
		}
		p.facts, p.factsAsked = all, true
		return nil
	}
}

// undo takes back what a memory revised.
func undo(p *arguments) action {
	name := p.name(kindMemory)
	return func(ctx context.Context, p *storyRun) error {
		return asRefusal(p.world.Engine.UndoRevision(ctx, p.world.Caller, p.ids[name]))
	}
}

// asRefusal turns the error of an engine verb into one that a story may expect.
func asRefusal[T any](_ T, err error) error {
	if err != nil {
		return &refusal{err}
	}
	return nil
}
