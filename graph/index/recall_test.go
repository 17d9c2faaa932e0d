package index

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

func TestNewMemoryIsFoundByWordsAtOnce(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	a := f.memory(epoch, "Maria adopted a grey cat from the shelter")
	b := f.memory(epoch.Add(time.Hour), "The quarterly report is due on Friday")
	f.put(a, nil)
	f.put(b, nil)
	got := recalled(t, x, f, Query{Texts: []string{"who adopted cats?"}, Now: epoch.Add(2 * time.Hour)})
	if len(got) != 1 || got[a.ID].Keyword != 1 || got[a.ID].Ranks.Keyword != 1 {
		t.Fatalf("got %v", f.contents(got))
	}
	d, known := x.Doc(world, a.ID)
	if !known || d.ID != a.ID || d.Namespace != "main" {
		t.Fatalf("doc %v", d)
	}
}

func TestNeighbourBoost(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	said := func(min int, text, session string) *graph.Memory {
		m := f.memory(epoch.Add(time.Duration(min)*time.Minute), text, func(m *graph.Memory) { m.Session = session })
		f.put(m, nil)
		return m
	}
	question := said(0, "Which instrument did you take up?", "s1")
	answer := said(1, "The violin, since March.", "s1")
	later := said(2, "Nice!", "s1")
	other := said(3, "Shall we eat?", "s2")
	got := recalled(t, x, f, Query{Texts: []string{"instrument"}, Now: epoch.Add(time.Hour)})
	expect(t, "candidates", len(got), 3)
	// "violin since march" are 3 terms, "nice" is one. The whole question asks, and nothing
	// after it does: the next memory, which contains the answer, ranks above the question.
	best := (1 + boostAnswer) * boostStep * boostLength / (boostLength + 3)
	near(t, "share of the next", got[answer.ID].Keyword, 1)
	near(t, "own", got[question.ID].Keyword, 1/best)
	near(t, "share of the one behind it", got[later.ID].Keyword, boostStep*boostStep*boostLength/(boostLength+1)/best)
	if _, reached := got[other.ID]; reached {
		t.Error("a share went to another session")
	}
	// Without the answer the next memory is the neighbour.
	f.erase(answer.ID, epoch.Add(time.Hour))
	got = recalled(t, x, f, Query{Texts: []string{"instrument"}, Now: epoch.Add(time.Hour)})
	near(t, "own", got[question.ID].Keyword, (boostLength+1)/((1+boostAnswer)*boostStep*boostLength))
}

func TestAnswerGetsMoreNeighbourBoostThanQuestion(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	said := func(session string, min int, text string) graph.ID {
		m := f.memory(epoch.Add(time.Duration(min)*time.Minute), text, func(m *graph.Memory) { m.Session = session })
		f.put(m, nil)
		return m.ID
	}
	said("asked", 0, "Which boat?")
	told := said("asked", 1, "Halberg, second")
	said("asked again", 0, "Which boat?")
	again := said("asked again", 1, "Halberg, second?")
	said("told", 0, "That boat.")
	before := said("told", 1, "Halberg, second.")
	turned := said("turned", 0, "Halberg, second.")
	said("turned", 1, "Which boat?")
	got := recalled(t, x, f, Query{Texts: []string{"boat"}, Now: epoch.Add(time.Hour)})
	near(t, "an answer", got[told].Keyword, 1)
	near(t, "half an answer", got[again].Keyword, (1+boostAnswer*7./13)/(1+boostAnswer)) // "Halberg" tells, "second" asks
	near(t, "behind what tells", got[before].Keyword, 1/(1+boostAnswer))
	near(t, "before what asks", got[turned].Keyword, 1/(1+boostAnswer))
}

func TestRecallByEventTime(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	on := func(day int) graph.ID {
		m := f.memory(epoch.AddDate(0, 0, day), "nothing of note")
		f.put(m, nil)
		return m.ID
	}
	on(0)
	first, second := on(1), on(2)
	on(3)
	q := Query{Texts: []string{"storm"}, From: epoch.AddDate(0, 0, 1), To: epoch.AddDate(0, 0, 3), Now: epoch.AddDate(0, 0, 9)}
	got := recalled(t, x, f, q)
	if _, a := got[first]; !a || len(got) != 2 {
		t.Errorf("found %v", f.contents(got))
	}
	q.Limit = 1
	got = recalled(t, x, f, q)
	if _, b := got[second]; !b || len(got) != 1 {
		t.Errorf("the latest one: %v", f.contents(got))
	}
	q.To = time.Time{}
	if got = recalled(t, x, f, q); len(got) != 0 {
		t.Errorf("without time bounds: %v", f.contents(got))
	}
}

func near(t testing.TB, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-5 {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestEveryCandidateHasSemanticAndKeywordScore(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	close := f.memory(epoch, "about boats")
	far := f.memory(epoch, "sailing")
	f.put(close, []float32{0.6, 0.8, 0})
	f.put(far, []float32{-1, 0, 0})
	got := recalled(t, x, f, Query{Texts: []string{"sailing"}, Vector: []float32{0.6, 0.8, 0}, Limit: 1, Now: epoch})
	expect(t, "candidates", len(got), 2)
	expect(t, "cosine", got[close.ID].Semantic > 0.999, true)
	expect(t, "cosine below 0", got[far.ID].Semantic, 0)
	expect(t, "rank", got[close.ID].Ranks, Ranks{Semantic: 1})
	expect(t, "rank", got[far.ID].Ranks, Ranks{Keyword: 1})
}

func TestEmptyQueryReturnsMostRecent(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	var last *graph.Memory
	for i := range 5 {
		last = f.memory(epoch.Add(time.Duration(i)*time.Hour), "x", func(m *graph.Memory) { m.OccurredAt = epoch.Add(-time.Duration(i) * time.Hour) })
		f.put(last, nil)
	}
	got := recalled(t, x, f, Query{Limit: 2, Now: epoch.Add(24 * time.Hour)})
	expect(t, "candidates", len(got), 2)
	if _, stands := got[last.ID]; stands {
		t.Error("the earliest event is not the most recent")
	}
}

func TestRecallRefusesInvalidScope(t *testing.T) {
	x := opened(t, newFeed(), Options{})
	if _, err := x.Recall(context.Background(), graph.Scope{}, Query{}); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("got %v", err)
	}
}

// A query about an instant compares everything and uses no sketches.
func TestRecallAsOfDoesNotUseSketches(t *testing.T) {
	for brief, want := range map[bool]float32{false: vectors.ErrorMargin, true: vectors.ApproximateErrorMargin} {
		now := Query{Approximate: brief}
		past := Query{Approximate: brief, Filter: Filter{AsOf: graph.AsOf{Recorded: epoch}}}
		if errorMargin(&now) != want || errorMargin(&past) != 0 {
			t.Errorf("in brief %v: doubts are %v and %v", brief, errorMargin(&now), errorMargin(&past))
		}
	}
}
