package enginetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// numberProperties are the numeric properties of a memory.
var numberProperties = map[string]func(*engine.View) float64{
	"confidence":  func(v *engine.View) float64 { return v.Confidence },
	"authority":   func(v *engine.View) float64 { return v.Authority },
	"importance":  func(v *engine.View) float64 { return v.Importance },
	"conflict":    func(v *engine.View) float64 { return v.Conflict },
	"surprise":    func(v *engine.View) float64 { return v.Surprise },
	"stored":      func(v *engine.View) float64 { return v.Salience },
	"salience":    func(v *engine.View) float64 { return v.Salience * v.Retention },
	"retention":   func(v *engine.View) float64 { return v.Retention },
	"uses":        func(v *engine.View) float64 { return float64(v.Usage.Count) },
	"days":        func(v *engine.View) float64 { return float64(len(v.Usage.Days)) },
	"version":     func(v *engine.View) float64 { return float64(v.Version) },
	"words":       func(v *engine.View) float64 { return float64(len(strings.Fields(v.Content))) },
	"criticality": func(v *engine.View) float64 { return v.Criticality },
}

// enumProperties are the properties with a fixed set of values.
var enumProperties = map[string]func(*engine.View) string{
	"status":      func(v *engine.View) string { return string(v.State.Status) },
	"tier":        func(v *engine.View) string { return string(v.State.Tier) },
	"type":        func(v *engine.View) string { return string(v.Type) },
	"consent":     func(v *engine.View) string { return string(v.Consent) },
	"sensitivity": func(v *engine.View) string { return string(v.Sensitivity) },
	"kind":        func(v *engine.View) string { return string(v.SourceKind) },
	"priority":    func(v *engine.View) string { return string(v.Priority) },
	"decay":       func(v *engine.View) string { return string(v.DecayClass) },
}

// textProperties are the free-text properties.
var textProperties = map[string]func(*engine.View) string{
	"namespace": func(v *engine.View) string { return v.Namespace },
	"user":      func(v *engine.View) string { return v.User },
	"subject":   func(v *engine.View) string { return v.Subject },
	"predicate": func(v *engine.View) string { return v.Predicate },
	"object":    func(v *engine.View) string { return v.Object },
	"reason":    func(v *engine.View) string { return v.Reason },
}

// expectMemory: expect NAME PROPERTY …, [asof=MARK].
func expectMemory(p *arguments) action {
	name := p.name(kindMemory)
	property := p.word("a property")
	asOf := p.nameOf("asof", kindInstant)
	what := property + " of " + name
	var check func(context.Context, *storyRun, *engine.View) error
	switch {
	case numberProperties[property] != nil:
		b := p.bounds("a number")
		check = func(_ context.Context, _ *storyRun, v *engine.View) error {
			return b.check(what, numberProperties[property](v))
		}
	case enumProperties[property] != nil:
		want := strings.ToUpper(p.word("a value"))
		check = func(_ context.Context, _ *storyRun, v *engine.View) error {
			return expectEqual(what, want, enumProperties[property](v))
		}
	case textProperties[property] != nil:
		want := p.quote("a text")
		check = func(_ context.Context, _ *storyRun, v *engine.View) error {
			return expectEqual(what, want, textProperties[property](v))
		}
	case property == "says" || property == "hides":
		want := p.quote("a text")
		check = func(_ context.Context, _ *storyRun, v *engine.View) error {
			if strings.Contains(v.Content, want) != (property == "says") {
				return fmt.Errorf("expected that %s %s %q, actual %q", name, property, want, v.Content)
			}
			return nil
		}
	case property == "core":
		want := p.word("yes or no")
		check = func(_ context.Context, _ *storyRun, v *engine.View) error {
			got := "no"
			if v.State.Core {
				got = "yes"
			}
			return expectEqual(what, want, got)
		}
	case property == "absent":
		return func(ctx context.Context, p *storyRun) error {
			_, err := p.world.Engine.Memory(ctx, p.world.Caller, p.ids[name], p.access(asOf))
			if graph.CodeOf(err) != graph.CodeMemoryNotFound || err == nil {
				return fmt.Errorf("expected that there is no %s, actual %v", name, err)
			}
			return nil
		}
	case property == "current":
		other := p.name(kindMemory)
		check = func(ctx context.Context, p *storyRun, v *engine.View) error { return p.isCurrent(ctx, name, other, v) }
	case property == "is":
		other := p.name(kindMemory)
		check = func(_ context.Context, p *storyRun, v *engine.View) error {
			if v.ID != p.ids[other] {
				return fmt.Errorf("expected that %s and %s are one memory, actual they are two", name, other)
			}
			return nil
		}
	case property == "into":
		other := p.name(kindMemory)
		check = func(_ context.Context, p *storyRun, v *engine.View) error {
			return expectEqual(what, other, p.nameOf(v.Consolidated))
		}
	case property == "from":
		sources := p.rest()
		for _, n := range sources {
			p.named(n, kindMemory)
		}
		check = func(ctx context.Context, p *storyRun, v *engine.View) error { return p.isFrom(ctx, name, sources, v) }
	default:
		p.fail("a memory has no property %q", property)
	}
	return func(ctx context.Context, p *storyRun) error {
		v, err := p.world.Engine.Memory(ctx, p.world.Caller, p.ids[name], p.access(asOf))
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		return check(ctx, p, v)
	}
}

func (p *storyRun) access(mark string) engine.Access {
	if mark == "" {
		return engine.Access{}
	}
	return engine.Access{AsOf: graph.AsOf{Recorded: p.marks[mark]}}
}

// isCurrent follows the chain of a memory to its last version.
func (p *storyRun) isCurrent(ctx context.Context, name, want string, v *engine.View) error {
	for v.SupersededBy != "" {
		next, err := p.world.Engine.Memory(ctx, p.world.Caller, v.SupersededBy, engine.Access{})
		if err != nil {
			return err
		}
		v = next
	}
	if v.ID != p.ids[want] {
		return fmt.Errorf("current version of %s: expected %s, actual %s (%q)", name, want, p.nameOf(v.ID), v.Content)
	}
	return nil
}

// isFrom compares the sources of a memory.
func (p *storyRun) isFrom(ctx context.Context, name string, sources []string, v *engine.View) error {
	got, err := p.sources(ctx, v.ID)
	if err != nil {
		return err
	}
	var missing []string
	for _, n := range sources {
		if !slices.Contains(got, p.ids[n]) {
			missing = append(missing, n)
		}
	}
	if len(missing) > 0 || len(got) != len(sources) {
		var all []string
		for _, id := range got {
			all = append(all, p.nameOf(id))
		}
		return fmt.Errorf("sources of %s: expected %v, actual %v", name, sources, all)
	}
	return nil
}

func (p *storyRun) sources(ctx context.Context, id graph.ID) ([]graph.ID, error) {
	var all []graph.ID
	err := p.world.Store.View(ctx, p.scope(), func(r graph.Reader) error {
		edges, err := r.Edges(id, graph.Out, graph.DerivedFrom)
		for _, e := range edges {
			all = append(all, e.To)
		}
		return err
	})
	return all, err
}

// selection parses a filter of memories: namespace= user= subject= type= status= tier= kind=
// since=MARK from=NAME says="…". Without status= it excludes FORGOTTEN memories.
func selection(p *arguments) func(context.Context, *storyRun) ([]*graph.Memory, error) {
	q := graph.MemoryQuery{Namespaces: p.list("namespace"), Subject: p.text("subject"), Limit: graph.MaxPage}
	if u, given := p.pair("user"); given {
		q.Users = []string{u}
	}
	if t := choice(p, "type", graph.Types); t != "" {
		q.Types = []graph.Type{t}
	}
	for _, s := range p.list("status") {
		q.Statuses = append(q.Statuses, oneOf(p, "status", s, graph.Statuses))
	}
	tier, kind := choice(p, "tier", graph.Tiers), choice(p, "kind", graph.SourceKinds)
	from, since, says := p.nameOf("from", kindMemory), p.nameOf("since", kindInstant), p.text("says")
	return func(ctx context.Context, p *storyRun) ([]*graph.Memory, error) {
		var found []*graph.Memory
		err := p.world.Store.View(ctx, p.scope(), func(r graph.Reader) error {
			all, err := r.ListMemories(q)
			if err != nil {
				return err
			}
			for _, m := range all {
				if len(q.Statuses) == 0 && m.Status() == graph.Forgotten || tier != "" && m.State().Tier != tier || kind != "" && m.SourceKind != kind ||
					!m.RecordedAt.After(p.markTime(since)) || !strings.Contains(m.Content, says) {
					continue
				}
				if from != "" {
					if _, err := r.Edge(m.ID, graph.DerivedFrom, p.ids[from]); err != nil {
						continue
					}
				}
				found = append(found, m)
			}
			return nil
		})
		return found, err
	}
}

// markTime is the instant of a mark; the zero time if there is none.
func (p *storyRun) markTime(mark string) time.Time { return p.marks[mark] }
