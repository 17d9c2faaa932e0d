package evaluation

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
)

// User is the user whose memory is measured.
const User = "rowan"

// Start is the first morning of every world.
var Start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// topK is the number of hits per question: the default of the API.
const topK = 10

// Simulation is an instance with a fresh store and a clock that only moves when told.
type Simulation struct {
	World  *World
	in     *instance.Instance
	caller engine.Caller
	note   func(string)
	Nights int // sleeps so far
}

// openSimulation opens a fresh store in its own directory.
func openSimulation(ctx context.Context, o Options, w *World, name string) (*Simulation, error) {
	var seed [32]byte
	for i := range 8 {
		seed[i] = byte(o.Seed >> (8 * i))
	}
	in, err := instance.Open(ctx, instance.Options{
		Dir: filepath.Join(o.Dir, name), SimulatedClock: true, Source: func() time.Time { return Start },
		Engine: engine.Options{Embedder: o.Embedder, Rand: rand.NewChaCha8(seed), Logger: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		return nil, err
	}
	return &Simulation{World: w, in: in, caller: engine.Loopback(), note: o.Note}, nil
}

func (sim *Simulation) close(ctx context.Context) error {
	return sim.in.Close(context.WithoutCancel(ctx))
}

func (sim *Simulation) engine() *engine.Engine { return sim.in.Engine }

// now is the time of the simulation.
func (sim *Simulation) now() time.Time { return sim.in.Engine.Now() }

// wait moves the clock.
func (sim *Simulation) wait(d time.Duration) error { _, err := sim.in.Advance(d); return err }

// night runs a deep sleep at two o'clock and moves the clock to nine.
func (sim *Simulation) night(ctx context.Context) error {
	now := sim.now()
	two := time.Date(now.Year(), now.Month(), now.Day(), 2, 0, 0, 0, time.UTC)
	if !two.After(now) {
		two = two.AddDate(0, 0, 1)
	}
	if err := sim.wait(two.Sub(now)); err != nil {
		return err
	}
	if _, err := sim.engine().Sleep(ctx, sim.caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
		return fmt.Errorf("sleep: %w", err)
	}
	sim.Nights++
	return sim.wait(7 * time.Hour)
}

// days simulates n days with noise sentences a day, told at three times, and a sleep each
// night.
func (sim *Simulation) days(ctx context.Context, n, noise int) error {
	for range n {
		session := sim.now().Format("2006-01-02")
		for part := range 3 {
			if err := sim.tell(ctx, session, sim.World.Noise(noise*(part+1)/3-noise*part/3)); err != nil {
				return err
			}
			if err := sim.wait(4 * time.Hour); err != nil {
				return err
			}
		}
		if err := sim.night(ctx); err != nil {
			return err
		}
	}
	return nil
}

// tell remembers texts of a session and ignores the results.
func (sim *Simulation) tell(ctx context.Context, session string, texts []string) error {
	var in []engine.RememberInput
	for _, t := range texts {
		in = append(in, sim.said(session, t))
	}
	_, err := sim.remember(ctx, in)
	return err
}

// said is a text that the user says in a session.
func (sim *Simulation) said(session, text string) engine.RememberInput {
	return engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, User: User, Session: session}
}

// remember writes memories and returns their ids. A duplicate has the id of the memory that it
// duplicates.
func (sim *Simulation) remember(ctx context.Context, in []engine.RememberInput) ([]graph.ID, error) {
	if len(in) == 0 {
		return nil, nil
	}
	results, err := sim.engine().RememberMany(ctx, sim.caller, in)
	if err != nil {
		return nil, fmt.Errorf("remember: %w", err)
	}
	ids := make([]graph.ID, len(results))
	for i, r := range results {
		if r.Error != nil {
			return nil, fmt.Errorf("remember: %w", r.Error)
		}
		ids[i] = r.Memory.ID
	}
	return ids, nil
}

// ask searches without counting usage.
func (sim *Simulation) ask(ctx context.Context, question string, with ...func(*engine.SearchInput)) ([]engine.Hit, error) {
	in := engine.SearchInput{Query: question, TopK: topK, User: User}
	for _, f := range with {
		f(&in)
	}
	r, err := sim.engine().Search(ctx, sim.caller, in)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return r.Hits, nil
}

// memory reads one memory by id.
func (sim *Simulation) memory(ctx context.Context, id graph.ID) (*engine.View, error) {
	return sim.engine().Memory(ctx, sim.caller, id, engine.Access{})
}

// list reads all memories with one of the statuses.
func (sim *Simulation) list(ctx context.Context, statuses ...graph.Status) ([]*engine.View, error) {
	var all []*engine.View
	for after := graph.ID(""); ; {
		page, err := sim.engine().Memories(ctx, sim.caller, engine.ListInput{Statuses: statuses, First: graph.MaxPage, After: after})
		if err != nil {
			return nil, fmt.Errorf("list: %w", err)
		}
		all = append(all, page.Memories...)
		if !page.More || len(page.Memories) == 0 {
			return all, nil
		}
		after = page.Memories[len(page.Memories)-1].ID
	}
}

// answersFor reports whether a memory is the one that was told, or was derived by
// consolidation and has the key words.
func answersFor(m *engine.View, told graph.ID, keys ...string) bool {
	if m.ID == told {
		return true
	}
	if m.SourceKind != graph.FromConsolidation {
		return false
	}
	for _, k := range keys {
		if !contains(m.Content, k) {
			return false
		}
	}
	return true
}

// Options configure a run.
type Options struct {
	Dir      string // directory for the stores; the caller removes it
	Seed     uint64
	Quick    bool
	Only     []string // names of measures; empty: all
	Embedder models.Embedder
	Note     func(string) // receives the step that begins
}

// size is n, or in a quick run quick.
func (o Options) size(n, quick int) int {
	if o.Quick {
		return quick
	}
	return n
}
