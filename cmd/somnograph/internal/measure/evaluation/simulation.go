package evaluation

import (
	"context"
	"encoding/binary"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/policy"
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
	*measurement
	World  *World
	in     *instance.Instance
	caller engine.Caller
	Nights int // sleeps so far

	plain *plainMemory // a baseline answers instead of the engine; nil: none
	awake bool         // no sleeps
	saved []int        // tokens saved by each sleep
}

// simulate opens a fresh store in the directory of the measure.
func (m *measurement) simulate(w *World) *Simulation { return m.simulateIn(w, m.Measure) }

// simulateIn opens a fresh store in a directory.
func (m *measurement) simulateIn(w *World, dir string) *Simulation {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], m.Seed)
	in := must(instance.Open(m.ctx, instance.Options{
		Dir: filepath.Join(m.Dir, dir), SimulatedClock: true, Source: func() time.Time { return Start },
		Engine: engine.Options{Embedder: m.Embedder, Rand: rand.NewChaCha8(seed), Logger: slog.New(slog.DiscardHandler)},
	}))
	m.cleanup = append(m.cleanup, func() error { return in.Close(context.WithoutCancel(m.ctx)) })
	sim := &Simulation{measurement: m, World: w, in: in, caller: engine.Loopback()}
	sim.setPolicy("default")
	if m.baseline != "" {
		sim.plain, sim.awake = &plainMemory{kind: m.baseline}, true
	}
	return sim
}

// setPolicy sets the policy that is measured in a namespace.
func (sim *Simulation) setPolicy(namespace string) {
	if sim.Policy != nil {
		must(sim.engine().SetNamespacePolicy(sim.ctx, sim.caller, engine.PolicyInput{Namespace: namespace, Update: *sim.Policy}))
	}
}

func (sim *Simulation) engine() *engine.Engine { return sim.in.Engine }

// now is the time of the simulation.
func (sim *Simulation) now() time.Time { return sim.in.Engine.Now() }

// wait moves the clock.
func (sim *Simulation) wait(d time.Duration) { must(sim.in.Advance(d)) }

// night runs a deep sleep at two o'clock, unless the simulation is awake, and moves the clock to
// nine.
func (sim *Simulation) night() {
	now := sim.now()
	two := time.Date(now.Year(), now.Month(), now.Day(), 2, 0, 0, 0, time.UTC)
	if !two.After(now) {
		two = two.AddDate(0, 0, 1)
	}
	sim.wait(two.Sub(now))
	if !sim.awake {
		r := must(sim.engine().Sleep(sim.ctx, sim.caller, engine.SleepInput{Deep: true, Wait: true}))
		sim.saved = append(sim.saved, r.TokensSaved)
		sim.Nights++
	}
	sim.wait(7 * time.Hour)
}

// days simulates n days with noise sentences a day, told at three times, and a sleep each
// night.
func (sim *Simulation) days(n, noise int) {
	for range n {
		session := sim.now().Format(time.DateOnly)
		for part := range 3 {
			var in []engine.RememberInput
			for _, t := range sim.World.Noise(noise*(part+1)/3 - noise*part/3) {
				in = append(in, sim.said(session, t))
			}
			sim.remember(in)
			sim.wait(4 * time.Hour)
		}
		sim.night()
	}
}

// said is a text that the user says in a session.
func (sim *Simulation) said(session, text string) engine.RememberInput {
	return engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, User: User, Session: session}
}

// remember writes memories and returns their ids. A duplicate has the id of the memory that it
// duplicates.
func (sim *Simulation) remember(in []engine.RememberInput) []graph.ID {
	if len(in) == 0 {
		return nil
	}
	if sim.plain != nil {
		var texts []string
		for _, x := range in {
			texts = append(texts, x.Content)
		}
		return sim.plainRemember(texts...)
	}
	results := must(sim.engine().RememberMany(sim.ctx, sim.caller, in))
	ids := make([]graph.ID, len(results))
	for i, r := range results {
		if r.Error != nil {
			check(r.Error)
		}
		ids[i] = r.Memory.ID
	}
	return ids
}

// ask searches without counting usage.
func (sim *Simulation) ask(question string, with ...func(*engine.SearchInput)) []engine.Hit {
	in := engine.SearchInput{Query: question, TopK: topK, User: User}
	for _, f := range with {
		f(&in)
	}
	if sim.plain != nil {
		return sim.plainAsk(question, in.TopK)
	}
	return must(sim.engine().Search(sim.ctx, sim.caller, in)).Hits
}

// memory reads one memory by id.
func (sim *Simulation) memory(id graph.ID) *engine.View {
	if sim.plain != nil {
		return sim.plainView(id)
	}
	return must(sim.engine().Memory(sim.ctx, sim.caller, id, engine.Access{}))
}

// list reads all memories with one of the statuses.
func (sim *Simulation) list(statuses ...graph.Status) []*engine.View {
	var all []*engine.View
	for in := (engine.ListInput{Statuses: statuses, First: graph.MaxPage}); ; in.After = all[len(all)-1].ID {
		page := must(sim.engine().Memories(sim.ctx, sim.caller, in))
		if all = append(all, page.Memories...); !page.More || len(page.Memories) == 0 {
			return all
		}
	}
}

// answersFor reports whether a memory is the one that was told, or was derived by
// consolidation and has the key words.
func answersFor(m *engine.View, told graph.ID, keys ...string) bool {
	return m.ID == told || m.SourceKind == graph.FromConsolidation && containsAll(m.Content, keys)
}

// Options configure a run.
type Options struct {
	Dir      string // directory for the stores; the caller removes it
	Seed     uint64
	Quick    bool
	Only     []string // names of measures; empty: all
	Embedder models.Embedder
	Policy   *policy.Update // of the namespaces that are measured; nil: the default

	canary   bool         // only what the canary reports
	baseline Baseline     // what answers instead of the engine; empty: the engine
	Note     func(string) // receives the step that begins
}

// size is n, or in a quick run quick.
func (o Options) size(n, quick int) int {
	if o.Quick {
		return quick
	}
	return n
}
