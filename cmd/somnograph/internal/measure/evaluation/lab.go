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

// User is whose memory is measured.
const User = "rowan"

// Start is the first morning of every world.
var Start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// topK is how many hits a question gets: the default of the API.
const topK = 10

// Lab is a fresh memory to live with, on a clock that stands until it is moved.
type Lab struct {
	World  *World
	in     *instance.Instance
	caller engine.Caller
	note   func(string)
	Nights int // sleeps so far
}

// openLab opens a fresh store in a directory of its own.
func openLab(ctx context.Context, o Options, w *World, name string) (*Lab, error) {
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
	return &Lab{World: w, in: in, caller: engine.Loopback(), note: o.Note}, nil
}

func (l *Lab) close(ctx context.Context) error { return l.in.Close(context.WithoutCancel(ctx)) }

func (l *Lab) engine() *engine.Engine { return l.in.Engine }

// now is where the clock of the world stands.
func (l *Lab) now() time.Time { return l.in.Engine.Now() }

// wait moves the clock.
func (l *Lab) wait(d time.Duration) error { _, err := l.in.Advance(d); return err }

// night sleeps deeply at two o'clock and wakes at nine.
func (l *Lab) night(ctx context.Context) error {
	now := l.now()
	two := time.Date(now.Year(), now.Month(), now.Day(), 2, 0, 0, 0, time.UTC)
	if !two.After(now) {
		two = two.AddDate(0, 0, 1)
	}
	if err := l.wait(two.Sub(now)); err != nil {
		return err
	}
	if _, err := l.engine().Sleep(ctx, l.caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
		return fmt.Errorf("sleep: %w", err)
	}
	l.Nights++
	return l.wait(7 * time.Hour)
}

// days lives through n days of noise, each with its night. Every day tells so many
// things at three times.
func (l *Lab) days(ctx context.Context, n, noise int) error {
	for range n {
		session := l.now().Format("2006-01-02")
		for part := range 3 {
			if err := l.hear(ctx, session, l.World.Noise(noise*(part+1)/3-noise*part/3)); err != nil {
				return err
			}
			if err := l.wait(4 * time.Hour); err != nil {
				return err
			}
		}
		if err := l.night(ctx); err != nil {
			return err
		}
	}
	return nil
}

// hear remembers what is said in a session, and passes over what became of it.
func (l *Lab) hear(ctx context.Context, session string, texts []string) error {
	var in []engine.RememberInput
	for _, t := range texts {
		in = append(in, l.said(session, t))
	}
	_, err := l.remember(ctx, in)
	return err
}

// said is something that the user says in a session.
func (l *Lab) said(session, text string) engine.RememberInput {
	return engine.RememberInput{Content: text, Consent: graph.ConsentExplicit, User: User, Session: session}
}

// remember writes memories and answers their ids; what repeats another has the id of
// that one.
func (l *Lab) remember(ctx context.Context, in []engine.RememberInput) ([]graph.ID, error) {
	if len(in) == 0 {
		return nil, nil
	}
	results, err := l.engine().RememberMany(ctx, l.caller, in)
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

// ask searches without counting a use.
func (l *Lab) ask(ctx context.Context, question string, with ...func(*engine.SearchInput)) ([]engine.Hit, error) {
	in := engine.SearchInput{Query: question, TopK: topK, User: User}
	for _, f := range with {
		f(&in)
	}
	r, err := l.engine().Search(ctx, l.caller, in)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return r.Hits, nil
}

// memory reads one memory by id.
func (l *Lab) memory(ctx context.Context, id graph.ID) (*engine.View, error) {
	return l.engine().Memory(ctx, l.caller, id, engine.Access{})
}

// list reads all memories with one of the statuses.
func (l *Lab) list(ctx context.Context, statuses ...graph.Status) ([]*engine.View, error) {
	var all []*engine.View
	for after := graph.ID(""); ; {
		page, err := l.engine().Memories(ctx, l.caller, engine.ListInput{Statuses: statuses, First: graph.MaxPage, After: after})
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

// holds reports whether a memory answers for the one that was told: it is that one, or
// what was derived from it and has kept its words.
func holds(m *engine.View, told graph.ID, keys ...string) bool {
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

// Options say what to measure and where.
type Options struct {
	Dir      string // for the stores; removed by the caller
	Seed     uint64
	Quick    bool
	Only     []string // names of measures; empty: all
	Embedder models.Embedder
	Note     func(string) // told what is under way
}

// size is n, or in a quick run quick.
func (o Options) size(n, quick int) int {
	if o.Quick {
		return quick
	}
	return n
}
