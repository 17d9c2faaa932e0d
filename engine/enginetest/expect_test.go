package enginetest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// expect compares the actual state with the story. README.md lists the expectations in this
// order.
func expect(p *arguments) action {
	switch p.peek() {
	case "error":
		return expectError(p)
	case "hit":
		return expectHit(p)
	case "no":
		return expectNoHit(p)
	case "hits":
		p.word("hits")
		b := p.bounds("how many hits")
		return func(_ context.Context, p *storyRun) error {
			if p.found == nil {
				return fmt.Errorf("no search has run yet")
			}
			return b.check("hits", float64(len(p.found.Hits)))
		}
	case "fact", "facts":
		return expectFacts(p)
	case "label":
		return expectLabel(p)
	case "tier":
		return expectTier(p)
	case "context":
		return expectContext(p)
	case "decision":
		return expectDecision(p)
	case "remembered":
		return expectRemembered(p)
	case "report":
		return expectReport(p)
	case "memories":
		return expectMemories(p)
	case "lineage":
		return expectLineage(p)
	case "state":
		return expectState(p)
	case "present":
		return expectPresent(p)
	case "nowhere":
		return expectNowhere(p)
	}
	return expectMemory(p)
}

func (b bounds) check(what string, x float64) error {
	if !b.holds(x) {
		return fmt.Errorf("%s: expected %s, actual %v", what, b.text, x)
	}
	return nil
}

func expectEqual[T comparable](what string, want, got T) error {
	if want != got {
		return fmt.Errorf("%s: expected %v, actual %v", what, want, got)
	}
	return nil
}

// expectError: expect error CODE [field=…]. It clears the error of the previous verb.
func expectError(p *arguments) action {
	p.word("error")
	code := graph.Code(p.word("a code"))
	field, given := p.pair("field")
	return func(_ context.Context, p *storyRun) error {
		err := p.refused
		if err == nil {
			return fmt.Errorf("error: expected %s, actual none", code)
		}
		p.refused = nil
		if graph.CodeOf(err) != code {
			return fmt.Errorf("error: expected %s, actual %w", code, err)
		}
		if !given {
			return nil
		}
		shown, _ := err.(*graph.Error)
		if shown == nil {
			return fmt.Errorf("error: expected the field %s, actual %w", field, err)
		}
		return expectEqual("the field at fault", field, shown.Field)
	}
}

// expectHit: expect hit NAME [within K].
func expectHit(p *arguments) action {
	p.word("hit")
	name := p.name(kindMemory)
	within := 100
	if p.flag("within") {
		b := p.bounds("a rank")
		fmt.Sscan(b.text, &within)
	}
	return func(_ context.Context, p *storyRun) error {
		if p.found == nil {
			return fmt.Errorf("no search has run yet")
		}
		rank := 1 + slices.IndexFunc(p.found.Hits, func(h engine.Hit) bool { return h.Memory.ID == p.ids[name] })
		if rank == 0 || rank > within {
			return fmt.Errorf("expected %s within the first %d, actual %s", name, within, p.hits())
		}
		return nil
	}
}

// hits lists what was found, for error messages.
func (p *storyRun) hits() string {
	var all []string
	for i, h := range p.found.Hits {
		all = append(all, fmt.Sprintf("%d. %s (%.3f)", i+1, p.nameOf(h.Memory.ID), h.Score))
	}
	if all == nil {
		return "no hits"
	}
	return strings.Join(all, ", ")
}

// expectFacts: expect fact "PREDICATE" "OBJECT", expect facts BOUNDS.
func expectFacts(p *arguments) action {
	if p.word("fact") == "facts" {
		b := p.bounds("how many facts")
		return func(_ context.Context, p *storyRun) error {
			if !p.factsAsked {
				return fmt.Errorf("no facts have been asked for yet")
			}
			if err := b.check("facts", float64(len(p.facts))); err != nil {
				return fmt.Errorf("%w: %s", err, p.factList())
			}
			return nil
		}
	}
	holds := expectedFact(p)
	return func(_ context.Context, p *storyRun) error {
		if !holds(p) {
			return fmt.Errorf("expected a fact that is missing; there are %s", p.factList())
		}
		return nil
	}
}

// expectedFact reads a predicate, "not" before it if it is denied, and an object, and reports whether
// the last facts have them.
func expectedFact(p *arguments) func(*storyRun) bool {
	predicate, object := p.quote("the predicate"), p.quote("the object")
	predicate, denied := strings.CutPrefix(predicate, "not ")
	return func(p *storyRun) bool {
		return slices.ContainsFunc(p.facts, func(c engine.ClaimView) bool {
			return c.State.Negated == denied && strings.EqualFold(c.State.Predicate, predicate) && strings.EqualFold(c.State.Object, object)
		})
	}
}

// factList lists the last facts, for error messages.
func (p *storyRun) factList() string {
	var all []string
	for _, c := range p.facts {
		not := ""
		if c.State.Negated {
			not = "not "
		}
		all = append(all, fmt.Sprintf("%s%s: %s (%s)", not, c.State.Predicate, c.State.Object, p.nameOf(c.MemoryView.ID)))
	}
	return fmt.Sprintf("%q", all)
}

// expectNoHit: expect no hit NAME, expect no fact "PREDICATE" "OBJECT".
func expectNoHit(p *arguments) action {
	p.word("no")
	switch p.word("hit or fact") {
	case "hit":
	case "fact":
		holds := expectedFact(p)
		return func(_ context.Context, p *storyRun) error {
			if !p.factsAsked || holds(p) {
				return fmt.Errorf("expected that a fact is missing; there are %s", p.factList())
			}
			return nil
		}
	default:
		p.fail("expected: no hit NAME, or no fact PREDICATE OBJECT")
	}
	name := p.name(kindMemory)
	return func(_ context.Context, p *storyRun) error {
		if p.found == nil {
			return fmt.Errorf("no search has run yet")
		}
		if slices.ContainsFunc(p.found.Hits, func(h engine.Hit) bool { return h.Memory.ID == p.ids[name] }) {
			return fmt.Errorf("expected %s not to be found, actual %s", name, p.hits())
		}
		return nil
	}
}

// expectLabel: expect label NAME CURRENT.
func expectLabel(p *arguments) action {
	p.word("label")
	name := p.name(kindMemory)
	want := oneOf(p, "label", p.word("a label"), []engine.HitLabel{engine.Current, engine.Historical, engine.Contested, engine.Faded})
	return func(_ context.Context, p *storyRun) error {
		if p.found == nil {
			return fmt.Errorf("no search has run yet")
		}
		i := slices.IndexFunc(p.found.Hits, func(h engine.Hit) bool { return h.Memory.ID == p.ids[name] })
		if i < 0 {
			return fmt.Errorf("label of %s: it was not found; actual %s", name, p.hits())
		}
		return expectEqual("label of "+name, want, p.found.Hits[i].Label)
	}
}

// expectTier: expect tier NAME MEMORY.
func expectTier(p *arguments) action {
	p.word("tier")
	name := p.name(kindMemory)
	want := oneOf(p, "tier", p.word("a tier"), []engine.HitTier{engine.TierPattern, engine.TierCluster, engine.TierMemory})
	return func(_ context.Context, p *storyRun) error {
		if p.found == nil {
			return fmt.Errorf("no search has run yet")
		}
		i := slices.IndexFunc(p.found.Hits, func(h engine.Hit) bool { return h.Memory.ID == p.ids[name] })
		if i < 0 {
			return fmt.Errorf("tier of %s: it was not found; actual %s", name, p.hits())
		}
		return expectEqual("tier of "+name, want, p.found.Hits[i].Tier)
	}
}

// expectContext: expect context has NAME, expect context lacks NAME, expect context says "text",
// expect context hides "text".
func expectContext(p *arguments) action {
	p.word("context")
	has := p.word("has, lacks, says or hides")
	switch has {
	case "has", "lacks":
	case "says", "hides":
		text := p.quote("a part of the context")
		return func(_ context.Context, p *storyRun) error {
			switch {
			case p.context == nil:
				return fmt.Errorf("no context was requested yet")
			case strings.Contains(p.context.Text, text) != (has == "says"):
				return fmt.Errorf("expected that the context %s %q, actual it does not:\n%s", has, text, p.context.Text)
			}
			return nil
		}
	default:
		p.fail("expected: context has NAME, context lacks NAME, context says TEXT or context hides TEXT")
	}
	name := p.name(kindMemory)
	return func(_ context.Context, p *storyRun) error {
		if p.context == nil {
			return fmt.Errorf("no context was requested yet")
		}
		in := false
		for _, l := range p.context.Layers {
			in = in || slices.Contains(l.MemoryIDs, string(p.ids[name]))
		}
		if in != (has == "has") {
			return fmt.Errorf("expected that the context %s %s, actual it does not:\n%s", has, name, p.context.Text)
		}
		return nil
	}
}

// expectDecision: expect decision REJECTED [quorum=…] [conflict=…] [similarity=…].
func expectDecision(p *arguments) action {
	p.word("decision")
	want := strings.ToUpper(p.word("a decision"))
	type part struct {
		name   string
		bounds bounds
		of     func(*engine.Adjudication) float64
	}
	var parts []part
	for _, x := range []part{
		{"quorum", bounds{}, func(a *engine.Adjudication) float64 { return a.Quorum }},
		{"required", bounds{}, func(a *engine.Adjudication) float64 { return a.Required }},
		{"conflict", bounds{}, func(a *engine.Adjudication) float64 { return a.Conflict }},
		{"similarity", bounds{}, func(a *engine.Adjudication) float64 { return a.Similarity }},
	} {
		if v, given := p.pair(x.name); given {
			b, err := boundsOf(v)
			if err != nil {
				p.fail("%v", err)
			}
			x.bounds = b
			parts = append(parts, x)
		}
	}
	return func(_ context.Context, p *storyRun) error {
		if p.adjudication == nil {
			return fmt.Errorf("nothing has been adjudicated yet")
		}
		if err := expectEqual("decision", want, string(p.adjudication.Decision)); err != nil {
			return fmt.Errorf("%w (conflict %.2f, similarity %.2f, quorum %.2f)", err, p.adjudication.Conflict, p.adjudication.Similarity, p.adjudication.Quorum)
		}
		for _, x := range parts {
			if err := x.bounds.check(x.name, x.of(p.adjudication)); err != nil {
				return err
			}
		}
		return nil
	}
}

// expectRemembered: expect remembered new | promoted | repeats NAME | against NAME.
func expectRemembered(p *arguments) action {
	p.word("remembered")
	how, other := p.word("new, promoted, repeats or against"), ""
	switch how {
	case "new", "promoted":
	case "repeats", "against":
		other = p.name(kindMemory)
	default:
		p.fail("expected: remembered new, promoted, repeats NAME or against NAME")
	}
	return func(_ context.Context, p *storyRun) error {
		r := p.remembered
		switch {
		case r == nil:
			return fmt.Errorf("nothing has been remembered yet")
		case how == "new" && r.DuplicateOf != "":
			return fmt.Errorf("expected a new memory, actual it repeats %s", p.nameOf(r.DuplicateOf))
		case how == "promoted" && !r.Promoted:
			return fmt.Errorf("expected a promotion, actual score %.3f", r.Score)
		case how == "repeats" && r.DuplicateOf != p.ids[other]:
			return fmt.Errorf("expected that it repeats %s, actual %q", other, p.nameOf(r.DuplicateOf))
		case how == "against" && !slices.Contains(r.ConflictsWith, p.ids[other]):
			return fmt.Errorf("expected a conflict with %s, actual %d others", other, len(r.ConflictsWith))
		}
		return nil
	}
}

// expectReport: expect report COUNTER BOUNDS. Counters are the numbers and flags of
// the morning report; a flag is 0 or 1.
func expectReport(p *arguments) action {
	p.word("report")
	counter := p.word("a counter")
	field, known := reflect.TypeFor[engine.SleepReport]().FieldByNameFunc(func(n string) bool { return strings.EqualFold(n, counter) })
	if !known {
		p.fail("a morning report has no %q", counter)
	}
	b := p.bounds("a number")
	return func(_ context.Context, p *storyRun) error {
		if p.report == nil {
			return fmt.Errorf("no sleep has run yet")
		}
		v := reflect.Indirect(reflect.ValueOf(*p.report).FieldByIndex(field.Index))
		var x float64
		switch {
		case !v.IsValid():
			return fmt.Errorf("the report has no value for %s yet", counter)
		case v.CanInt():
			x = float64(v.Int())
		case v.CanFloat():
			x = v.Float()
		case v.Kind() == reflect.Bool && v.Bool():
			x = 1
		case v.Kind() != reflect.Bool:
			return fmt.Errorf("%s is not a number", counter)
		}
		return b.check("report "+counter, x)
	}
}

// expectMemories: expect memories BOUNDS [namespace= user= type= status= tier= kind= from=].
func expectMemories(p *arguments) action {
	p.word("memories")
	b := p.bounds("how many")
	want := selection(p)
	return func(ctx context.Context, p *storyRun) error {
		found, err := want(ctx, p)
		if err != nil {
			return err
		}
		return b.check("memories", float64(len(found)))
	}
}

// expectLineage: expect lineage NAME is NAME NAME …, oldest first.
func expectLineage(p *arguments) action {
	p.word("lineage")
	of := p.name(kindMemory)
	if w := p.word("is"); w != "is" {
		p.fail("expected: lineage NAME is NAME …")
	}
	want := p.rest()
	for _, n := range want {
		p.named(n, kindMemory)
	}
	return func(ctx context.Context, p *storyRun) error {
		versions, err := p.world.Engine.Lineage(ctx, p.world.Caller, p.ids[of], 0, 0)
		if err != nil {
			return err
		}
		var got []string
		for i, v := range versions {
			n := p.nameOf(v.Memory.ID)
			if i < len(want) && p.ids[want[i]] == v.Memory.ID {
				n = want[i] // a memory may have several names
			}
			got = append(got, n)
		}
		return expectEqual("lineage of "+of, strings.Join(want, " "), strings.Join(got, " "))
	}
}

// expectState: expect state NAME, the state is the same as at state NAME.
func expectState(p *arguments) action {
	p.word("state")
	if p.peek() == "uninterrupted" {
		p.word("uninterrupted")
		return expectUninterrupted
	}
	name := p.name(kindState)
	return func(ctx context.Context, p *storyRun) error {
		now, err := Digest(ctx, p.world.Store, p.scope())
		if err != nil {
			return err
		}
		return sameState(p.states[name], now)
	}
}

// expectPresent: expect present NAME, the ACTIVE memories are the same as at state NAME.
func expectPresent(p *arguments) action {
	p.word("present")
	name := p.name(kindState)
	return func(ctx context.Context, p *storyRun) error {
		now, err := Present(ctx, p.world.Store, p.scope())
		if err != nil {
			return err
		}
		return sameState(p.presents[name], now)
	}
}

// sameState compares two digests and reports the first line that differs.
func sameState(want, got string) error {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		x, y := "nothing", "nothing"
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return fmt.Errorf("the state differs: expected\n\t%s\nactual\n\t%s", x, y)
		}
	}
	return nil
}

// expectNowhere: expect nowhere "text", no memory holds the text in any field.
func expectNowhere(p *arguments) action {
	p.word("nowhere")
	text := p.quote("the text that must be gone")
	return func(ctx context.Context, p *storyRun) error {
		state, err := Digest(ctx, p.world.Store, p.scope())
		if err != nil {
			return err
		}
		if at := strings.Index(state, text); at >= 0 {
			return fmt.Errorf("expected %q nowhere, actual it is in\n\t%s", text, lineAt(state, at))
		}
		return nil
	}
}

func lineAt(s string, at int) string {
	from := strings.LastIndexByte(s[:at], '\n') + 1
	line, _, _ := strings.Cut(s[from:], "\n")
	return line
}
