package sleep_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// sleepWithChat runs one sleep with a language model and returns the report and the summary
// about the sluice.
func sleepWithChat(l *fixture.Life, c *fixture.ChatModel) (r *engine.SleepReport, summary *graph.Memory) {
	l.T.Helper()
	e, end := l.Server(l.Store, 11, func(o *engine.Options) {
		if c != nil {
			o.Chat = c
		}
	})
	defer end()
	r, err := e.Sleep(l.T.Context(), engine.Loopback(), fixture.DeepSleep)
	if err != nil {
		l.T.Fatal(err)
	}
	found, err := e.Memories(l.T.Context(), engine.Loopback(), engine.ListInput{Types: []graph.Type{graph.Semantic}, First: 1000})
	if err != nil {
		l.T.Fatal(err)
	}
	for _, v := range found.Memories {
		if v.SourceKind == graph.FromConsolidation && strings.Contains(v.Content, "sluice") {
			summary = v.Memory
		}
	}
	if summary == nil {
		l.T.Fatal("nothing was distilled")
	}
	return r, summary
}

// wantSilent fails the test if any record of the store contains one of the words.
func wantSilent(t *testing.T, what string, store graph.Store, words ...string) {
	t.Helper()
	all, err := enginetest.StoredText(t.Context(), store, fixture.LoopScope)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range words {
		if at := strings.Index(all, w); at >= 0 {
			t.Fatalf("%s: %q stands in\n%s", what, w, all[max(0, at-200):min(len(all), at+200)])
		}
	}
}

func statusOf(l *fixture.Life, id graph.ID) (status graph.Status) {
	l.T.Helper()
	err := l.Store.View(l.T.Context(), fixture.LoopScope, func(r graph.Reader) error {
		m, err := r.Memory(id)
		if err == nil {
			status = m.Status()
		}
		return err
	})
	if err != nil {
		l.T.Fatal(err)
	}
	return status
}

// wantGone fails the test if a memory is not erased or the store is inconsistent.
func wantGone(l *fixture.Life, what string, id graph.ID, words string) {
	l.T.Helper()
	if s := statusOf(l, id); s != graph.Forgotten {
		l.T.Fatalf("%s: it is %s", what, s)
	}
	if words != "" {
		wantSilent(l.T, what, l.Store, words)
	}
	if _, err := l.Shelf.Read(l.T.Context(), fixture.LoopScope, id); err == nil {
		l.T.Fatalf("%s: its engram is there", what)
	}
	fixture.WantSound(l.T, what, l.Store)
}

// wantAllBut fails the test unless every memory that was not erased is ACTIVE again.
func wantAllBut(l *fixture.Life, what string, but graph.ID) {
	l.T.Helper()
	err := l.Store.View(l.T.Context(), fixture.LoopScope, func(r graph.Reader) error {
		all, err := r.ListMemories(graph.MemoryQuery{})
		for _, m := range all {
			if m.ID != but && m.SourceKind != graph.FromConsolidation && m.Status() != graph.Active && m.Status() != graph.Forgotten {
				l.T.Errorf("%s: %q is %s", what, m.Content, m.Status())
			}
		}
		return err
	})
	if err != nil {
		l.T.Fatal(err)
	}
}

// outcomeOf is the result of a sleep without times and ids: one line per memory and relation.
func outcomeOf(l *fixture.Life) string {
	l.T.Helper()
	var lines []string
	round := func(x float64) float64 { return math.Round(x*1e3) / 1e3 }
	err := l.Store.View(l.T.Context(), fixture.LoopScope, func(r graph.Reader) error {
		all, err := r.ListMemories(graph.MemoryQuery{})
		if err != nil {
			return err
		}
		lines = nil
		for _, m := range all {
			into := ""
			if m.Consolidated != "" {
				x, err := r.Memory(m.Consolidated)
				if err != nil {
					return err
				}
				into = x.Content
			}
			edges, err := r.Edges(m.ID, graph.Both)
			if err != nil {
				return err
			}
			vector, err := r.Embedding(m.ID)
			if err != nil {
				return err
			}
			s := m.State()
			text, err := json.Marshal([]any{
				m.Content, m.Project, m.Type, s.Status, s.Tier, into, round(m.Confidence), round(m.Authority), m.Consent, m.Sensitivity,
				round(m.Salience), round(m.Importance), round(m.Conflict), len(edges), round(float64(vector[0])),
			})
			if err != nil {
				return err
			}
			lines = append(lines, string(text))
		}
		entities, err := r.ListEntities(graph.EntityQuery{})
		if err != nil {
			return err
		}
		for _, x := range entities {
			relations, err := r.Relations(x.ID, graph.Out, "", 0)
			if err != nil {
				return err
			}
			for _, y := range relations {
				lines = append(lines, fmt.Sprint(x.Name, y.Predicate, round(y.Strength)))
			}
		}
		return nil
	})
	if err != nil {
		l.T.Fatal(err)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// leaseOf returns the expiry of the running sleep's lease, or the zero time if no sleep runs.
func leaseOf(l *fixture.Life) (until time.Time) {
	l.T.Helper()
	err := l.Store.View(l.T.Context(), fixture.LoopScope, func(r graph.Reader) error {
		text, err := r.Setting("sleep.cycle")
		if known, err := graph.Found(err); !known {
			return err
		}
		var c struct{ Until time.Time }
		err = json.Unmarshal(text, &c)
		until = c.Until
		return err
	})
	if err != nil {
		l.T.Fatal(err)
	}
	return until
}

var phaseWorlds = []struct {
	Names []string
	Says  string
}{
	{[]string{"Tomas", "weir", "sluice"}, "Tomas worked %d hours on the sluice at the weir with %s, and the gate was closed again before the evening tide came in from the bay."},
	{[]string{"Ilona", "orchard", "press"}, "Ilona pressed %d litres in the orchard press with %s, and the barrels were rolled into the cellar before the rain began to fall."},
	{[]string{"Petrel", "harbour"}, "The Petrel left the harbour with %d crates for %s, and the pilot came back on the small boat after the lighthouse was passed."},
}

// randomWrite makes one random write.
func randomWrite(l *fixture.Life, ctx context.Context, e *engine.Engine, rnd *rand.Rand, facts *int) {
	in := engine.RememberInput{
		Consent: graph.ConsentExplicit, Namespace: []string{"default", "south"}[rnd.IntN(2)], User: []string{"", "mira"}[rnd.IntN(2)],
		Session: fmt.Sprint("s", rnd.IntN(1000)), Important: rnd.IntN(12) == 0, SafetyCritical: rnd.IntN(15) == 0, Core: rnd.IntN(40) == 0,
	}
	level := rnd.Float64()
	switch kind := rnd.IntN(10); {
	case *facts < 3:
		in = engine.RememberInput{Content: fmt.Sprintf("The winch handle number %d is in locker %d.", *facts, *facts+7)}
		level = 0.95
		*facts++
	case kind < 4:
		m := phaseWorlds[rnd.IntN(len(phaseWorlds))]
		in.Content, in.Entities, in.Type = fmt.Sprintf(m.Says, rnd.IntN(90), []string{"Jon", "Vera", "Amos"}[rnd.IntN(3)]), m.Names, graph.Episodic
	case kind < 6:
		in.Content, in.OnDuplicate = fmt.Sprintf("The gate code of yard %d is written inside the shed.", rnd.IntN(3)), engine.Insert
	case kind == 6:
		in.Content, in.Type = "Chapter seven explains how the sluice is greased.", graph.Document
	case kind == 7:
		in.Content = fmt.Sprintf("Vera lives in %s.", []string{"Ghent", "Bruges", "Namur"}[rnd.IntN(3)])
	default:
		in.Content = fmt.Sprintf("A cloud looked like boat %d.", rnd.IntN(1000))
		level /= 8
	}
	in.Salience = &level
	if rnd.IntN(6) == 0 {
		in.Consent = []graph.Consent{graph.ConsentNone, graph.ConsentImplicit}[rnd.IntN(2)]
	} else {
		in.Consent = graph.ConsentExplicit
	}
	if rnd.IntN(5) == 0 && in.Namespace != "" {
		low := rnd.Float64()
		in.Authority = &low
	}
	r, err := e.Remember(ctx, engine.Loopback(), in)
	if graph.CodeOf(err) == graph.CodeLimitExceeded && err != nil {
		return // the core is full
	}
	if err != nil {
		l.T.Fatal(err)
	}
	if m := r.Memory; r.DuplicateOf == "" {
		want := m.Salience + 0.3*math.Log1p(float64(m.Usage.Count)) + 0.5*m.Authority - 0.7*m.Conflict + 0.4*m.Surprise
		if math.Abs(r.Score-want) > 1e-6 {
			l.T.Fatalf("plasticity %v, want %v: %+v", r.Score, want, m.Memory)
		}
	}
}

// relationsOf lists the relations with their strengths.
func relationsOf(l *fixture.Life) string {
	l.T.Helper()
	text := "\n"
	err := l.Store.View(l.T.Context(), fixture.LoopScope, func(r graph.Reader) error {
		entities, err := r.ListEntities(graph.EntityQuery{})
		if err != nil {
			return err
		}
		for _, x := range entities {
			relations, err := r.Relations(x.ID, graph.Out, "", graph.MaxPage)
			if err != nil {
				return err
			}
			for _, y := range relations {
				text += fmt.Sprintln(*y)
			}
		}
		return nil
	})
	if err != nil {
		l.T.Fatal(err)
	}
	return text
}

// checkFormulas compares the stored retention of each memory with the decay formula, which it computes
// independently.
func checkFormulas(l *fixture.Life, what string) {
	l.T.Helper()
	l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
		after := graph.ID("")
		for {
			list, err := e.Memories(ctx, engine.Loopback(), engine.ListInput{First: 1000, After: after, Statuses: []graph.Status{graph.Active, graph.Archived}})
			if err != nil {
				l.T.Fatal(err)
			}
			for _, v := range list.Memories {
				after = v.ID
				anchor := v.AnchorAt
				if v.Usage.Last.After(anchor) {
					anchor = v.Usage.Last
				}
				stability := (1 + 0.3*math.Log1p(float64(v.Usage.Count))) * (1 + v.Confidence) / 1.5
				if v.Important {
					stability *= 2
				}
				base := map[graph.DecayClass]float64{graph.DecaySlow: 90, graph.DecayMedium: 14, graph.DecayFast: 2, graph.DecayNone: math.Inf(1)}[v.DecayClass]
				want := math.Exp(-math.Ln2 / (base * stability) * l.Clock.Now().Sub(anchor).Hours() / 24)
				if v.State.Core || v.SafetyCritical || v.State.Tier == graph.L3 {
					want = 1
				}
				if math.Abs(v.Retention-want) > 1e-4 {
					l.T.Fatalf("%s: retention %v, want %v: %+v", what, v.Retention, want, v.Memory)
				}
			}
			if !list.More {
				return
			}
		}
	})
}

// checkPermanent compares engraved memories with their content at the time of engraving.
func checkPermanent(l *fixture.Life, what string, permanent map[graph.ID]string) {
	l.T.Helper()
	err := l.Store.View(l.T.Context(), fixture.LoopScope, func(r graph.Reader) error {
		all, err := r.ListMemories(graph.MemoryQuery{})
		for _, m := range all {
			v, err := r.Embedding(m.ID)
			if err != nil {
				return err
			}
			text, err := json.Marshal([]any{m.Content, m.Subject, m.Predicate, m.Object, m.Checksum, m.CreatedAt, v})
			if err != nil {
				return err
			}
			said, before := permanent[m.ID]
			if m.State().Tier != graph.L3 {
				delete(permanent, m.ID) // its engraving was rolled back
				continue
			}
			if before && said != string(text) {
				l.T.Errorf("%s: the engram was %s, and is %s", what, said, text)
			}
			permanent[m.ID] = string(text)
			if e, err := l.Shelf.Read(l.T.Context(), fixture.LoopScope, m.ID); err != nil || e.Checksum != m.Checksum {
				l.T.Errorf("%s: the engram of %s: %v", what, m.ID, err)
			}
		}
		return err
	})
	if err != nil {
		l.T.Fatal(err)
	}
}
