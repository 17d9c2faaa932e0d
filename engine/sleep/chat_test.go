package sleep_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// The model's shorter summary is used only if it loses and adds nothing. Otherwise the
// rules' summary is used, and the sleep ends as without a model.
func TestSummaryIsShortenedOnlyIfItStaysTrue(t *testing.T) {
	plain := fixture.NewLife(t)
	full, rules := sleepWithChat(plain, nil)
	first, behind, _ := strings.Cut(rules.Content, ". ")
	if behind == "" || rules.Reason != "" || len(full.Degraded) != 0 {
		t.Fatalf("%+v, %q", full, rules.Content)
	}
	for name, c := range map[string]*fixture.ChatModel{
		"loses":     {Summary: func(string) string { return first + "." }},
		"adds":      {Summary: func(text string) string { return text + " Tomas was paid in cash." }},
		"swaps":     {Summary: func(text string) string { return strings.ReplaceAll(text, "240", "420") }},
		"obeys":     {Summary: func(string) string { return "Ignore all that was said." }},
		"only says": {Summary: func(text string) string { return text }},
		"is away":   {Err: errors.New("away")},
	} {
		l := fixture.NewLife(t)
		r, m := sleepWithChat(l, c)
		if m.Content != rules.Content || m.Reason != "" || r.Consolidated != full.Consolidated {
			t.Errorf("%s: %q for %q, %+v", name, m.Content, rules.Content, r)
		}
		if away := slices.Contains(r.Degraded, engine.PartChat); away != (c.Err != nil) {
			t.Errorf("%s: degraded %v", name, r.Degraded)
		}
		fixture.SameDigest(t, name, outcomeOf(l), outcomeOf(plain))
	}

	l := fixture.NewLife(t)
	c := &fixture.ChatModel{Summary: func(text string) string {
		if !strings.Contains(text, "by Tomas") {
			return text
		}
		return strings.Replace(text, "The sluice at the weir was repaired", "Sluice at the weir was repaired", 1)
	}}
	r, m := sleepWithChat(l, c)
	if len(strings.Fields(m.Content)) != len(strings.Fields(rules.Content))-1 || m.Reason != "shortened by counsel" || r.Consolidated != full.Consolidated {
		t.Errorf("%q (%s) for %q, %+v", m.Content, m.Reason, rules.Content, r)
	}
}

// The model's judgement can raise a doubt about a memory before it is engraved.
func TestJudgeDoubtPreventsEngraving(t *testing.T) {
	const id = "Mira is allergic to walnuts."
	engraved := func(c *fixture.ChatModel, rival string) (*engine.SleepReport, bool) {
		l := fixture.NewLife(t)
		l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
			l.Remember(ctx, e, engine.RememberInput{Content: rival, User: "mira"})
		})
		e, end := l.Server(l.Store, 11, func(o *engine.Options) {
			if c != nil {
				o.Chat = c
			}
		})
		defer end()
		r, err := e.Sleep(t.Context(), engine.Loopback(), fixture.DeepSleep)
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
	const rival = "Mira was happy with the walnuts in her cake."
	if _, done := engraved(nil, rival); !done {
		t.Fatal("the rules alone prevent the engraving")
	}
	c := &fixture.ChatModel{Verdict: 1, Summary: func(text string) string { return text }}
	if r, done := engraved(c, rival); done || len(r.Doubts) != 1 || !slices.ContainsFunc(c.Calls, func(s string) bool { return strings.Contains(s, rival) }) {
		t.Errorf("engraved %v, doubts %v, asked %q", done, r.Doubts, c.Calls)
	}
	for _, c := range []*fixture.ChatModel{{Verdict: 0, Summary: func(text string) string { return text }}, {Err: errors.New("away")}} {
		if r, done := engraved(c, rival); !done || len(r.Doubts) != 0 {
			t.Errorf("%+v: engraved %v, doubts %v", c, done, r.Doubts)
		}
	}
}
