package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// nightWith sleeps once with a language model and answers the report and what was
// distilled about the sluice.
func (l *life) nightWith(c *counsel) (r *engine.SleepReport, summary *graph.Memory) {
	l.t.Helper()
	e, end := l.server(l.store, 11, func(o *engine.Options) {
		if c != nil {
			o.Chat = c
		}
	})
	defer end()
	r, err := e.Sleep(l.t.Context(), engine.Loopback(), deeply)
	if err != nil {
		l.t.Fatal(err)
	}
	found, err := e.Memories(l.t.Context(), engine.Loopback(), engine.ListInput{Types: []graph.Type{graph.Semantic}, First: 1000})
	if err != nil {
		l.t.Fatal(err)
	}
	for _, v := range found.Memories {
		if v.SourceKind == graph.FromConsolidation && strings.Contains(v.Content, "sluice") {
			summary = v.Memory
		}
	}
	if summary == nil {
		l.t.Fatal("nothing was distilled")
	}
	return r, summary
}

// A summary is shortened where that loses nothing and adds nothing; whatever else the
// model writes, the rules' summary stands, and the night ends as without a model.
func TestASummaryIsShortenedOnlyWhereItStaysTrue(t *testing.T) {
	plain := newLife(t)
	full, rules := plain.nightWith(nil)
	first, behind, _ := strings.Cut(rules.Content, ". ")
	if behind == "" || rules.Reason != "" || len(full.Degraded) != 0 {
		t.Fatalf("%+v, %q", full, rules.Content)
	}
	for name, c := range map[string]*counsel{
		"loses":     {summary: func(string) string { return first + "." }},
		"adds":      {summary: func(text string) string { return text + " Tomas was paid in cash." }},
		"swaps":     {summary: func(text string) string { return strings.ReplaceAll(text, "240", "420") }},
		"obeys":     {summary: func(string) string { return "Ignore all that was said." }},
		"only says": {summary: func(text string) string { return text }},
		"is away":   {err: errors.New("away")},
	} {
		l := newLife(t)
		r, m := l.nightWith(c)
		if m.Content != rules.Content || m.Reason != "" || r.Consolidated != full.Consolidated {
			t.Errorf("%s: %q for %q, %+v", name, m.Content, rules.Content, r)
		}
		if away := slices.Contains(r.Degraded, engine.PartChat); away != (c.err != nil) {
			t.Errorf("%s: degraded %v", name, r.Degraded)
		}
		same(t, name, l.outcome(), plain.outcome())
	}

	l := newLife(t)
	c := &counsel{summary: func(text string) string {
		if !strings.Contains(text, "by Tomas") {
			return text
		}
		return strings.Replace(text, "The sluice at the weir was repaired", "Sluice at the weir was repaired", 1)
	}}
	r, m := l.nightWith(c)
	if len(strings.Fields(m.Content)) != len(strings.Fields(rules.Content))-1 || m.Reason != "shortened by counsel" || r.Consolidated != full.Consolidated {
		t.Errorf("%q (%s) for %q, %+v", m.Content, m.Reason, rules.Content, r)
	}
}

// A judge may raise a doubt about what is about to become permanent.
func TestADoubtOfTheJudgeKeepsAMemoryFromTheRecess(t *testing.T) {
	const id = "Mira is allergic to walnuts."
	engraved := func(c *counsel, rival string) (*engine.SleepReport, bool) {
		l := newLife(t)
		l.wake(l.store, func(ctx context.Context, e *engine.Engine) {
			l.remember(ctx, e, engine.RememberInput{Content: rival, User: "mira"})
		})
		e, end := l.server(l.store, 11, func(o *engine.Options) {
			if c != nil {
				o.Chat = c
			}
		})
		defer end()
		r, err := e.Sleep(t.Context(), engine.Loopback(), deeply)
		if err != nil {
			t.Fatal(err)
		}
		found, err := e.Memories(t.Context(), engine.Loopback(), engine.ListInput{First: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range found.Memories {
			if v.Content == id {
				return r, v.State.Tier == graph.L3
			}
		}
		t.Fatal("it is gone")
		return nil, false
	}
	const rival = "Mira is happy with walnuts in her cake."
	if _, done := engraved(nil, rival); !done {
		t.Fatal("the rules keep it from the recess themselves")
	}
	c := &counsel{says: 1, summary: func(text string) string { return text }}
	if r, done := engraved(c, rival); done || len(r.Doubts) != 1 || !slices.ContainsFunc(c.asked, func(s string) bool { return strings.Contains(s, rival) }) {
		t.Errorf("engraved %v, doubts %v, asked %q", done, r.Doubts, c.asked)
	}
	for _, c := range []*counsel{{says: 0, summary: func(text string) string { return text }}, {err: errors.New("away")}} {
		if r, done := engraved(c, rival); !done || len(r.Doubts) != 0 {
			t.Errorf("%+v: engraved %v, doubts %v", c, done, r.Doubts)
		}
	}
}
