package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

func world(t *testing.T) *World {
	t.Helper()
	w, err := Read()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestContentOfTheWorld(t *testing.T) {
	w := world(t)
	count := map[string]int{}
	says, changes := map[string]bool{}, map[string]int{}
	namespaces, users, projects, types := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, m := range w.steps {
		switch {
		case m.Say != "":
			count["say"]++
			if says[m.Say] && !m.Again {
				t.Errorf("%s repeats a text: %s", m.name, m.Say)
			}
			says[m.Say] = true
			namespaces[firstNonEmpty(m.Namespace, m.scene.Namespace)] = true
			users[firstNonEmpty(m.User, m.scene.User)] = true
			projects[firstNonEmpty(m.Project, m.scene.Project)] = true
			types[m.Type] = true
		case m.Change != "":
			count["change"]++
			changes[m.Change]++
		case m.Weigh != "":
			count["weigh"]++
		case m.Expire != "":
			count["expire"]++
		case m.Pin != "":
			count["pin"]++
		case m.Ask != "":
			count["ask"]++
		}
	}
	if n := count["say"] + count["change"]; n < 300 || n > 500 {
		t.Errorf("%d memories, want 300 to 500", n)
	}
	for what, least := range map[string]int{"change": 30, "weigh": 4, "expire": 5, "pin": 1, "ask": 25} {
		if count[what] < least {
			t.Errorf("%d of %s, want at least %d", count[what], what, least)
		}
	}
	deepest := 0
	for _, n := range changes {
		deepest = max(deepest, n+1)
	}
	if deepest < 5 {
		t.Errorf("the longest chain has %d versions, want 5", deepest)
	}
	if len(namespaces) < 3 || len(users) < 6 || len(projects) < 5 || len(types) < 5 {
		t.Errorf("%d namespaces, %d users, %d projects, %d types", len(namespaces), len(users), len(projects), len(types))
	}
	if last := w.steps[len(w.steps)-1].at; last < (Days-3)*24*time.Hour {
		t.Errorf("the world ends on day %d of %d", int(last.Hours()/24), Days)
	}
}

// twin is a fake engine that stores its input by idempotency key.
type twin struct {
	clock  *Clock
	times  []time.Time
	texts  map[graph.ID]string
	byKey  map[string]graph.ID
	ended  []graph.ID
	pinned []graph.ID
	asked  int
	slept  []time.Time
}

func newTwin(c *Clock) *twin {
	return &twin{clock: c, texts: map[graph.ID]string{}, byKey: map[string]graph.ID{}}
}

func (e *twin) put(key, text string) *engine.View {
	id, known := e.byKey[key]
	if !known {
		id = graph.ID(fmt.Sprintf("m%d", len(e.byKey)+1))
		e.byKey[key], e.texts[id] = id, text
		e.times = append(e.times, e.clock.Now())
	}
	return &engine.View{Memory: &graph.Memory{ID: id, Content: text}}
}

func (e *twin) Sleep(context.Context, engine.Caller, engine.SleepInput) (*engine.SleepReport, error) {
	e.slept = append(e.slept, e.clock.Now())
	return &engine.SleepReport{}, nil
}

func (e *twin) Remember(_ context.Context, _ engine.Caller, in engine.RememberInput) (*engine.RememberResult, error) {
	if !in.Consent.Valid() || in.Type != "" && !in.Type.Valid() || in.SourceKind != "" && !in.SourceKind.Valid() ||
		in.Priority != "" && !in.Priority.Valid() || !graph.ValidNamespace(in.Namespace) {
		return nil, fmt.Errorf("input is not valid: %+v", in)
	}
	for _, v := range []*float64{in.Importance, in.Confidence, in.Authority} {
		if v != nil && (*v < 0 || *v > 1) {
			return nil, fmt.Errorf("%v is not in [0,1]", *v)
		}
	}
	return &engine.RememberResult{Memory: e.put(in.IdempotencyKey, in.Content)}, nil
}

func (e *twin) Supersede(_ context.Context, _ engine.Caller, in engine.SupersedeInput) (*engine.SupersedeResult, error) {
	if _, known := e.texts[in.ID]; !known {
		return nil, fmt.Errorf("supersedes %q, which does not exist", in.ID)
	}
	return &engine.SupersedeResult{Memory: e.put(in.IdempotencyKey, in.Content)}, nil
}

func (e *twin) Adjudicate(_ context.Context, _ engine.Caller, in engine.AdjudicateInput) (*engine.Adjudication, error) {
	if in.Fact == "" || in.Subject == "" || len(in.Evidence) == 0 || !graph.ValidNamespace(in.Namespace) {
		return nil, fmt.Errorf("adjudicates %+v", in)
	}
	for _, v := range in.Evidence {
		if v.Source == "" || v.Weight <= 0 || v.Weight > 1 || v.Confidence <= 0 || v.Confidence > 1 {
			return nil, fmt.Errorf("evidence %+v", v)
		}
	}
	return &engine.Adjudication{Current: e.put(in.IdempotencyKey, in.Fact)}, nil
}

func (e *twin) Expire(_ context.Context, _ engine.Caller, id graph.ID) (*engine.View, error) {
	e.ended = append(e.ended, id)
	return nil, nil
}

func (e *twin) Pin(_ context.Context, _ engine.Caller, id graph.ID) (*engine.View, error) {
	e.pinned = append(e.pinned, id)
	return nil, nil
}

func (e *twin) Search(context.Context, engine.Caller, engine.SearchInput) (*engine.SearchResult, error) {
	e.asked++
	return &engine.SearchResult{}, nil
}

var now = time.Date(2026, 8, 20, 5, 0, 0, 0, time.UTC)

func nothing(int) error { return nil }

func TestReplayIsInThePastAndInOrder(t *testing.T) {
	w, clock, began := world(t), &Clock{}, StartDate(now)
	e := newTwin(clock)
	if err := w.Replay(t.Context(), e, engine.Loopback(), clock, began, 0, nothing); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSortedFunc(e.times, time.Time.Compare) {
		t.Error("the clock went backwards")
	}
	firstAt, last := e.times[0], e.times[len(e.times)-1]
	if !last.Before(now) || now.Sub(firstAt) > (Days+1)*24*time.Hour {
		t.Errorf("from %s to %s, want the %d days before %s", firstAt, last, Days, now)
	}
	for id, text := range e.texts {
		if strings.ContainsAny(text, "{}") || text == "" {
			t.Errorf("%s says %q", id, text)
		}
	}
	for _, id := range slices.Concat(e.ended, e.pinned) {
		if id == "" {
			t.Error("a step named a memory that has no id")
		}
	}
}

func TestReplayIsDeterministic(t *testing.T) {
	w := world(t)
	var runs []*twin
	for range 2 {
		clock := &Clock{}
		e := newTwin(clock)
		if err := w.Replay(t.Context(), e, engine.Loopback(), clock, StartDate(now), 0, nothing); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, e)
	}
	if !slices.Equal(runs[0].times, runs[1].times) || len(runs[0].texts) != len(runs[1].texts) {
		t.Error("two replays differ in their times")
	}
	for id, text := range runs[0].texts {
		if runs[1].texts[id] != text {
			t.Errorf("%s says %q and %q", id, text, runs[1].texts[id])
		}
	}
}

func TestInterruptedReplayResumes(t *testing.T) {
	w, cut := world(t), errors.New("cut off")
	whole, clock := newTwin(&Clock{}), &Clock{}
	whole.clock = clock
	if err := w.Replay(t.Context(), whole, engine.Loopback(), clock, StartDate(now), 0, nothing); err != nil {
		t.Fatal(err)
	}
	clock = &Clock{}
	e := newTwin(clock)
	stop := w.Len() / 2
	err := w.Replay(t.Context(), e, engine.Loopback(), clock, StartDate(now), 0, func(n int) error {
		if n == stop {
			return cut
		}
		return nil
	})
	if !errors.Is(err, cut) {
		t.Fatalf("error = %v", err)
	}
	e.clock = &Clock{} // a new process
	if err := w.Replay(t.Context(), e, engine.Loopback(), e.clock, StartDate(now), stop, nothing); err != nil {
		t.Fatal(err)
	}
	if len(whole.slept) != Days/14 || !slices.Equal(e.slept, whole.slept) {
		t.Errorf("slept at %v, want %v", e.slept, whole.slept)
	}
	if len(e.texts) != len(whole.texts) || e.asked != whole.asked || !slices.Equal(e.ended, whole.ended) || !slices.Equal(e.pinned, whole.pinned) {
		t.Errorf("%d memories, %d questions, %d expired, %d pinned, want %d, %d, %d, %d", len(e.texts), e.asked, len(e.ended), len(e.pinned),
			len(whole.texts), whole.asked, len(whole.ended), len(whole.pinned))
	}
}

func TestDates(t *testing.T) {
	began := time.Date(2026, 2, 20, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"no date":           "no date",
		"on {0} or {9}":     "on 20 February or 1 March",
		"{x} and {} stay":   "{x} and {} stay",
		"by {365}, a year":  "by 20 February, a year",
		"{99999999999999}!": "{99999999999999}!",
	} {
		if got := expandDates(text, began); got != want {
			t.Errorf("expandDates(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestInvalidWorlds(t *testing.T) {
	const head = "- scene: a\n  day: 1\n  at: \"10:00\"\n  namespace: n\n  steps:\n"
	for name, c := range map[string]struct{ file, want string }{
		"unknown field":          {head + "    - say: x\n      colour: red\n", "colour"},
		"two things":             {head + "    - say: x\n      ask: y\n", "one of"},
		"nothing":                {head + "    - tags: [x]\n", "one of"},
		"unknown name":           {head + "    - expire: ghost\n", "ghost"},
		"name given later":       {head + "    - pin: later\n    - say: x\n      as: later\n", "later"},
		"name given twice":       {head + "    - say: x\n      as: k\n    - say: y\n      as: k\n", "twice"},
		"change without to":      {head + "    - say: x\n      as: k\n    - change: k\n", "to and why"},
		"weigh without evidence": {head + "    - weigh: x\n      about: y\n", "about and evidence"},
		"half a statement":       {head + "    - say: x\n      spo: [a, b]\n", "three parts"},
		"no time":                {strings.Replace(head, "10:00", "soon", 1) + "    - say: x\n", "HH:MM"},
		"no namespace":           {strings.Replace(head, "namespace: n", "namespace: \"\"", 1) + "    - say: x\n", "namespace"},
		"backwards":              {head + "    - say: x\n" + strings.Replace(strings.Replace(head, "scene: a", "scene: b", 1), "day: 1", "day: 0", 1) + "    - say: y\n", "before"},
		"same scene":             {head + "    - say: x\n" + strings.Replace(head, "day: 1", "day: 2", 1) + "    - say: y\n", "twice"},
		"too late":               {strings.Replace(head, "day: 1", "day: 180", 1) + "    - say: x\n", "after day"},
	} {
		_, err := read(fstest.MapFS{"world/1.yaml": {Data: []byte(c.file)}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error = %v, want one with %q", name, err, c.want)
		}
	}
}
