package sleep_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// village is a group of agents that use one memory concurrently.
type village struct {
	t *testing.T
	w *enginetest.World

	mu      sync.Mutex
	ids     []graph.ID
	erased  []graph.ID
	marks   map[graph.ID]string // a word that occurs in this memory only
	gone    []string            // marks of erased memories
	reports []*engine.SleepReport
	none    []string // marks of memories without consent
	did     map[string]int
	n       int
}

// try fails the test on errors that a concurrent caller can't cause.
func (c *village) try(what string, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.did[what]++
	switch graph.CodeOf(err) {
	case graph.CodeInternal, graph.CodeIntegrityFailure, graph.CodeUnavailable:
		if err != nil {
			c.t.Errorf("%s: %v", what, err)
		}
	}
	return err == nil
}

func (c *village) any(rnd *rand.Rand) graph.ID {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ids[rnd.IntN(len(c.ids))]
}

// mark returns a new, unique word.
func (c *village) mark() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return fmt.Sprintf("Qz%dx", c.n)
}

func (c *village) remember(rnd *rand.Rand) {
	in := engine.RememberInput{Consent: graph.ConsentExplicit, Namespace: []string{"north", "south"}[rnd.IntN(2)], User: []string{"", "mira", "jon"}[rnd.IntN(3)]}
	mark, low := c.mark(), 0.1
	switch kind := rnd.IntN(10); {
	case kind < 5:
		m := phaseWorlds[rnd.IntN(len(phaseWorlds))]
		in.Content, in.Entities, in.Type, in.Session = fmt.Sprintf(m.Says, rnd.IntN(90), mark), m.Names, graph.Episodic, "talk of "+mark[1:]
	case kind == 5:
		in.Content, in.Salience = "Somebody hummed "+mark+" on the stairs.", &low
	case kind == 6: // a duplicate of other memories
		in.Content, in.OnDuplicate, in.Project = fmt.Sprintf("The gate code of yard %d is written inside the shed.", rnd.IntN(4)), engine.Insert, mark[2:]
		mark = ""
	case kind == 7:
		in.Content, in.Subject, in.Predicate, in.Object = mark+" owes the harbour master.", mark, "owes", "harbour master"
	case kind == 8:
		ttl := 3600 * (1 + rnd.IntN(40))
		in.Content, in.TTLSeconds, in.Priority = "Carry the "+mark+" upstairs.", &ttl, graph.High
	default:
		in.Content, in.SafetyCritical = "The valve "+mark+" must never be opened by hand.", rnd.IntN(2) == 0
	}
	if rnd.IntN(8) == 0 {
		in.Consent = graph.ConsentNone
	} else if rnd.IntN(4) == 0 {
		in.Consent = graph.ConsentImplicit
	}
	if rnd.IntN(4) == 0 {
		in.Authority, in.SourceKind, in.Sensitivity = &low, graph.FromTool, graph.Restricted
	}
	r, err := c.w.Engine.Remember(c.t.Context(), c.w.Caller, in)
	if !c.try("remember", err) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ids = append(c.ids, r.Memory.ID)
	if mark != "" && r.DuplicateOf == "" {
		c.marks[r.Memory.ID] = mark
		if in.Consent == graph.ConsentNone {
			c.none = append(c.none, mark)
		}
	}
}

// forget erases a memory. Afterwards its mark must not occur anywhere.
func (c *village) forget(id graph.ID) {
	_, err := c.w.Forget(c.t.Context(), c.w.Caller, engine.ForgetInput{IDs: []graph.ID{id}})
	if !c.try("forget", err) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.erased = append(c.erased, id)
	if mark := c.marks[id]; mark != "" {
		c.gone = append(c.gone, mark)
	}
}

func (c *village) act(rnd *rand.Rand) {
	ctx, w := c.t.Context(), c.w
	switch n := rnd.IntN(100); {
	case n < 35:
		c.remember(rnd)
	case n < 55:
		m := phaseWorlds[rnd.IntN(len(phaseWorlds))]
		_, err := w.Engine.Search(ctx, w.Caller, engine.SearchInput{Query: "What about " + m.Names[0] + "?", TopK: 3, Track: true})
		c.try("search", err)
	case n < 61:
		c.forget(c.any(rnd))
	case n < 68:
		id := c.any(rnd)
		r, err := w.Supersede(ctx, w.Caller, engine.SupersedeInput{ID: id, Content: fmt.Sprintf("It is otherwise since %s.", c.mark())})
		if c.try("supersede", err) {
			c.mu.Lock()
			c.ids = append(c.ids, r.Memory.ID)
			delete(c.marks, id) // the successor has the same subject
			c.mu.Unlock()
		}
	case n < 74:
		strength := rnd.Float64()
		_, err := w.Adjudicate(ctx, w.Caller, engine.AdjudicateInput{
			Fact: fmt.Sprintf("The tide gauge reads %d.", rnd.IntN(50)), Subject: "tide gauge", Namespace: "north", Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{fixture.Evidence("a", strength), fixture.Evidence("b", strength)},
		})
		c.try("adjudicate", err)
	case n < 84:
		session := fmt.Sprint("talk", rnd.IntN(4))
		_, err := w.Observe(ctx, w.Caller, engine.Observation{Session: session, Namespace: "north", Role: "user", Text: "I need to check the anchor " + c.mark() + ".", Consent: graph.ConsentExplicit, User: "mira"})
		c.try("observe", err)
		if rnd.IntN(4) == 0 {
			_, err := w.CloseSession(ctx, w.Caller, session, "north")
			c.try("closeSession", err)
		}
	case n < 88:
		v, err := w.Pin(ctx, w.Caller, c.any(rnd))
		if c.try("pin", err) && rnd.IntN(2) == 0 {
			_, err := w.Unpin(ctx, w.Caller, v.ID)
			c.try("unpin", err)
		}
	case n < 91:
		_, err := w.Expire(ctx, w.Caller, c.any(rnd))
		c.try("expire", err)
	case n < 96:
		_, err := w.Engine.Context(ctx, w.Caller, engine.ContextInput{User: "mira", Query: "the weir", Namespaces: []string{"north"}})
		c.try("context", err)
	default:
		importance := rnd.Float64()
		_, err := w.Update(ctx, w.Caller, engine.UpdateInput{ID: c.any(rnd), Importance: &importance})
		c.try("update", err)
	}
}

// night runs a sleep, a consolidation or a rollback.
func (c *village) night(ctx context.Context, rnd *rand.Rand) {
	w := c.w
	c.w.Clock.Advance(time.Duration(rnd.IntN(12*24)) * time.Hour)
	keep := func(r *engine.SleepReport, err error) {
		if !c.try("sleep", err) {
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.reports = append(c.reports, r)
	}
	in := engine.SleepInput{Deep: rnd.IntN(4) > 0, Wait: true}
	if rnd.IntN(4) == 0 {
		items := 1 + rnd.IntN(20)
		in.MaxItems = &items
	}
	keep(w.Sleep(ctx, w.Caller, in))
	switch rnd.IntN(5) {
	case 0:
		days := rnd.IntN(20)
		keep(w.Consolidate(ctx, w.Caller, engine.ConsolidateInput{Strategy: engine.StrategyAge, Namespace: "south", OlderThanDays: &days}))
	case 1, 2:
		c.mu.Lock()
		last := c.reports[len(c.reports)-1]
		c.mu.Unlock()
		_, err := w.Rollback(ctx, w.Caller, engine.RollbackInput{ID: last.ID})
		c.try("rollback", err)
	}
}

// Agents write, search, correct, argue, talk and erase during sleeps and rollbacks.
// Afterwards the memory is consistent, the reports add up, and nothing erased occurs
// anywhere.
func TestReadsAndWritesDuringSleep(t *testing.T) {
	liveThrough(t, rand.Uint64(), 90, 8)
}

func liveThrough(t *testing.T, seed uint64, actions, nights int) {
	t.Logf("seed %d", seed)
	shelf := enginetest.NewFakeArchive()
	c := &village{t: t, w: enginetest.With(t, enginetest.Options{SleepBatch: 3, Recess: shelf, Sweep: 5 * time.Millisecond}), marks: map[graph.ID]string{}, did: map[string]int{}}
	begin := rand.New(rand.NewPCG(seed, 99))
	for range 60 {
		c.remember(begin)
		c.w.Clock.Advance(time.Duration(begin.IntN(7)) * time.Hour)
	}
	var agents sync.WaitGroup
	for a := range 5 {
		agents.Go(func() {
			rnd := rand.New(rand.NewPCG(seed, uint64(a)))
			for range actions {
				c.act(rnd)
			}
		})
	}
	agents.Go(func() {
		rnd := rand.New(rand.NewPCG(seed, 77))
		for range nights {
			c.night(t.Context(), rnd)
		}
	})
	agents.Wait()
	c.check(shelf)
	if err := c.w.Restart(); err != nil {
		t.Fatal(err)
	}
	c.check(shelf)
	t.Logf("%v; %d erased", c.did, len(c.erased))
}

func (c *village) check(shelf *enginetest.FakeArchive) {
	c.t.Helper()
	for _, r := range c.reports {
		b := r.Balance
		if b.In != b.Kept+b.Merged+b.Archived+b.Left || b.Left < 0 || b.Merged > r.Deduplicated+r.Consolidated || b.Archived > r.Pruned {
			c.t.Errorf("the count does not add up: %+v", r)
		}
		// Only a budget makes these sleeps incomplete.
		if kept, err := c.w.SleepReport(c.t.Context(), c.w.Caller, r.ID); err != nil || !kept.Complete && kept.BudgetKept && r.Complete {
			c.t.Errorf("%+v, %v", kept, err)
		}
	}
	fixture.WantSound(c.t, "at the end", c.w.Store)
	wantSilent(c.t, "what was erased", c.w.Store, c.gone...)
	err := c.w.Store.View(c.t.Context(), fixture.LoopScope, func(r graph.Reader) error {
		all, err := r.ListMemories(graph.MemoryQuery{})
		for _, m := range all {
			if slices.Contains(c.erased, m.ID) && m.Status() != graph.Forgotten {
				c.t.Errorf("%s was erased and is %s", m.ID, m.Status())
			}
			if m.State().Tier == graph.L3 && m.Status() != graph.Forgotten {
				if e, err := shelf.Read(c.t.Context(), fixture.LoopScope, m.ID); err != nil || e.Checksum != m.Checksum || e.Content != m.Content {
					c.t.Errorf("the engram of %s: %v", m.ID, err)
				}
			}
			if m.SourceKind == graph.FromConsolidation {
				for _, mark := range c.none {
					if strings.Contains(m.Content+string(m.Meta), mark) {
						c.t.Errorf("%q was derived from a memory without consent", m.Content)
					}
				}
			}
		}
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
}
