package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// Random lives of a few days and nights. Behind every night memory is sound, the night
// adds up, a second one changes nothing, what is permanent is what it was, and what is
// derived is what the formulas say. Every other night is taken back, to the state before.
func TestRandomNights(t *testing.T) { liveRandomly(t, 2) }

func liveRandomly(t *testing.T, worlds int) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	did := map[string]int{}
	for world := range worlds {
		randomNights(t, rand.New(rand.NewPCG(seed, uint64(world))), 5, did)
		if t.Failed() {
			break
		}
	}
	t.Log(did)
	for _, what := range []string{"pruned", "merged", "folded", "derived", "dreamt", "rolled back"} {
		if did[what] == 0 {
			t.Errorf("nothing was %s", what)
		}
	}
}

func randomNights(t *testing.T, rnd *rand.Rand, nights int, did map[string]int) {
	store, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	l := &life{t: t, store: store, clock: enginetest.NewClock(enginetest.Start), shelf: enginetest.NewFakeArchive()}
	permanent := map[graph.ID]string{}
	facts := 0
	for night := range nights {
		l.other += 3 // two sleeps at one instant are two
		l.wake(store, func(ctx context.Context, e *engine.Engine) {
			for day := range 6 {
				for range 3 + rnd.IntN(5) {
					l.randomWrite(ctx, e, rnd, &facts)
				}
				for i := range 3 { // three facts of the first day are used day after day
					_, err := e.Search(ctx, engine.Loopback(), engine.SearchInput{Query: fmt.Sprintf("Where is the winch handle number %d?", i), TopK: 1, Track: rnd.IntN(8) > 0})
					if err != nil {
						t.Fatal(err)
					}
				}
				if day == 3 && rnd.IntN(2) == 0 {
					l.clock.Advance(time.Duration(rnd.IntN(20*24)) * time.Hour)
				}
				l.clock.Advance(24 * time.Hour)
			}
		})
		what := fmt.Sprintf("night %d", night)
		before := state(l) + l.ties()
		r, err := l.sleep(store)
		if err != nil {
			t.Fatal(err)
		}
		b := r.Balance
		if !r.Complete || b.In != b.Kept+b.Merged+b.Archived || b.Left != 0 || b.Merged != r.Deduplicated+r.Consolidated || b.Archived != r.Pruned || b.Derived != r.Derived {
			t.Fatalf("%s: %+v", what, r)
		}
		for name, n := range map[string]int{"pruned": r.Pruned, "merged": r.Deduplicated, "folded": r.Consolidated, "derived": r.Derived, "engraved": r.Engraved, "dreamt": r.Dreamed} {
			did[name] += n
		}
		sound(t, what, store)
		l.checkFormulas(what)
		slept := l.digest()
		l.other++
		if _, err := l.sleep(store); err != nil {
			t.Fatal(err)
		}
		same(t, what+": a second sleep", l.digest(), slept)
		if night%2 == 1 {
			l.wake(store, func(ctx context.Context, e *engine.Engine) {
				if _, err := e.Rollback(ctx, engine.Loopback(), r.ID); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
			})
			did["rolled back"]++
			sound(t, what+", rolled back", store)
			same(t, what+", rolled back", state(l)+l.ties(), before)
		}
		l.checkPermanent(what, permanent)
	}
}

// randomWrite says something.
func (l *life) randomWrite(ctx context.Context, e *engine.Engine, rnd *rand.Rand, facts *int) {
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
		m := matters[rnd.IntN(len(matters))]
		in.Content, in.Entities, in.Type = fmt.Sprintf(m.says, rnd.IntN(90), []string{"Jon", "Vera", "Amos"}[rnd.IntN(3)]), m.names, graph.Episodic
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
		l.t.Fatal(err)
	}
	if m := r.Memory; r.DuplicateOf == "" {
		want := m.Salience + 0.3*math.Log1p(float64(m.Usage.Count)) + 0.5*m.Authority - 0.7*m.Conflict + 0.4*m.Surprise
		if math.Abs(r.Score-want) > 1e-6 {
			l.t.Fatalf("plasticity %v, want %v: %+v", r.Score, want, m.Memory)
		}
	}
}

// ties are the relations, with their strength.
func (l *life) ties() string {
	l.t.Helper()
	text := "\n"
	err := l.store.View(l.t.Context(), loopScope, func(r graph.Reader) error {
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
		l.t.Fatal(err)
	}
	return text
}

// checkFormulas compares retention with SPEC section 4, read off the memories.
func (l *life) checkFormulas(what string) {
	l.t.Helper()
	l.wake(l.store, func(ctx context.Context, e *engine.Engine) {
		after := graph.ID("")
		for {
			list, err := e.Memories(ctx, engine.Loopback(), engine.ListInput{First: 1000, After: after, Statuses: []graph.Status{graph.Active, graph.Archived}})
			if err != nil {
				l.t.Fatal(err)
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
				want := math.Exp(-math.Ln2 / (base * stability) * l.clock.Now().Sub(anchor).Hours() / 24)
				if v.State.Core || v.SafetyCritical || v.State.Tier == graph.L3 {
					want = 1
				}
				if math.Abs(v.Retention-want) > 1e-4 {
					l.t.Fatalf("%s: retention %v, want %v: %+v", what, v.Retention, want, v.Memory)
				}
			}
			if !list.More {
				return
			}
		}
	})
}

// checkPermanent compares what is engraved with what it said when it was.
func (l *life) checkPermanent(what string, permanent map[graph.ID]string) {
	l.t.Helper()
	err := l.store.View(l.t.Context(), loopScope, func(r graph.Reader) error {
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
				delete(permanent, m.ID) // its engraving was taken back
				continue
			}
			if before && said != string(text) {
				l.t.Errorf("%s: the engram was %s, and is %s", what, said, text)
			}
			permanent[m.ID] = string(text)
			if e, err := l.shelf.Read(l.t.Context(), loopScope, m.ID); err != nil || e.Checksum != m.Checksum {
				l.t.Errorf("%s: the engram of %s: %v", what, m.ID, err)
			}
		}
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
}
