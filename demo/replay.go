package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// Verbs is the part of the engine that the replay uses.
type Verbs interface {
	Remember(context.Context, engine.Caller, engine.RememberInput) (*engine.RememberResult, error)
	Supersede(context.Context, engine.Caller, engine.SupersedeInput) (*engine.SupersedeResult, error)
	Adjudicate(context.Context, engine.Caller, engine.AdjudicateInput) (*engine.Adjudication, error)
	Expire(context.Context, engine.Caller, graph.ID) (*engine.View, error)
	Pin(context.Context, engine.Caller, graph.ID) (*engine.View, error)
	Search(context.Context, engine.Caller, engine.SearchInput) (*engine.SearchResult, error)
	Sleep(context.Context, engine.Caller, engine.SleepInput) (*engine.SleepReport, error)
}

// sleepInterval is the interval between sleeps. A sleep every night would take too long at
// start.
const sleepInterval = 14 * 24 * time.Hour

// Clock is the clock of a replay; it changes only by Set.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now implements engine.Clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Set moves the clock forward to a time; an earlier time changes nothing.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.now) {
		c.now = t
	}
}

// StartDate is the start of a world that ends now: midnight, Days before today.
func StartDate(now time.Time) time.Time {
	return now.UTC().Truncate(24*time.Hour).AddDate(0, 0, -Days)
}

// Replay runs the steps of the world that began at the given time. v must use clock. The first
// skip steps were run before: they are repeated with their idempotency keys only to get the
// ids. done is called after every step with the number of steps so far; an error ends the
// replay.
func (w *World) Replay(ctx context.Context, v Verbs, c engine.Caller, clock *Clock, began time.Time, skip int, done func(int) error) error {
	r := &replay{verbs: v, caller: c, began: began, ids: map[string]graph.ID{}}
	night := sleepInterval + 2*time.Hour
	for i, m := range w.steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		for ; night < m.at; night += sleepInterval {
			if i < skip {
				continue // this sleep ran before
			}
			clock.Set(began.Add(night))
			if _, err := v.Sleep(ctx, c, engine.SleepInput{Deep: true, Wait: true}); err != nil {
				return fmt.Errorf("demo: sleep: %w", err)
			}
		}
		clock.Set(began.Add(m.at))
		if err := r.step(ctx, m, i < skip); err != nil {
			return fmt.Errorf("demo: %s: %w", m.name, err)
		}
		if err := done(i + 1); err != nil {
			return err
		}
	}
	return nil
}

type replay struct {
	verbs  Verbs
	caller engine.Caller
	began  time.Time
	ids    map[string]graph.ID // by the names given with as:
}

func (r *replay) step(ctx context.Context, m timedStep, before bool) error {
	switch {
	case m.Say != "":
		in, err := r.input(m)
		if err != nil {
			return err
		}
		res, err := r.verbs.Remember(ctx, r.caller, in)
		if err != nil {
			return err
		}
		if m.As != "" {
			r.ids[m.As] = res.Memory.ID
		}
	case m.Change != "":
		res, err := r.verbs.Supersede(ctx, r.caller, engine.SupersedeInput{
			ID: r.ids[m.Change], Content: expandDates(m.To, r.began), Reason: m.Why, IdempotencyKey: m.name,
		})
		if err != nil {
			return err
		}
		r.ids[m.Change] = res.Memory.ID
	case m.Weigh != "":
		in := engine.AdjudicateInput{
			Fact: expandDates(m.Weigh, r.began), Subject: m.About, Namespace: m.scene.Namespace,
			Consent: graph.ConsentExplicit, IdempotencyKey: m.name,
		}
		for _, v := range m.Evidence {
			in.Evidence = append(in.Evidence, engine.Evidence{Source: v.Of, Weight: v.Weight, Confidence: v.Sure})
		}
		res, err := r.verbs.Adjudicate(ctx, r.caller, in)
		if err != nil {
			return err
		}
		if m.As != "" {
			r.ids[m.As] = res.Current.ID
		}
	case before:
		// Expire and Pin were done before, and searches are not repeated.
	case m.Expire != "":
		_, err := r.verbs.Expire(ctx, r.caller, r.ids[m.Expire])
		return err
	case m.Pin != "":
		_, err := r.verbs.Pin(ctx, r.caller, r.ids[m.Pin])
		return err
	default:
		_, err := r.verbs.Search(ctx, r.caller, engine.SearchInput{Query: m.Ask, Namespaces: []string{m.scene.Namespace}, TopK: 5, Track: true})
		return err
	}
	return nil
}

// input converts a say to the engine's input.
func (r *replay) input(m timedStep) (engine.RememberInput, error) {
	s, session := m.scene, m.scene.Name
	if s.Session != nil {
		session = *s.Session
	}
	in := engine.RememberInput{
		Content: expandDates(m.Say, r.began), Consent: graph.Consent(firstNonEmpty(m.Consent, string(graph.ConsentExplicit))),
		Type: graph.Type(m.Type), Namespace: firstNonEmpty(m.Namespace, s.Namespace), Project: firstNonEmpty(m.Project, s.Project),
		User: firstNonEmpty(m.User, s.User), Session: session, Agent: m.By,
		SourceKind: graph.SourceKind(m.Kind), Source: m.From, Tags: m.Tags,
		Importance: m.Imp, Confidence: m.Conf, Authority: m.Authority, Priority: graph.Priority(m.Priority),
		Important: m.Important, Core: m.Core, SafetyCritical: m.Safety, IdempotencyKey: m.name,
	}
	if m.Again {
		in.OnDuplicate = engine.Insert
	}
	if len(m.SPO) == 3 {
		in.Subject, in.Predicate, in.Object = m.SPO[0], m.SPO[1], expandDates(m.SPO[2], r.began)
	}
	if m.TTL > 0 {
		seconds := m.TTL * 3600
		in.TTLSeconds = &seconds
	}
	meta, err := json.Marshal(map[string]string{"scene": s.Name})
	if err != nil {
		return in, err
	}
	in.Meta = meta
	return in, nil
}

func firstNonEmpty(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
