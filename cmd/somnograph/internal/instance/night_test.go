package instance

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/graph/recess"
)

// Processes that sleep are killed here: the test binary runs itself as a child that sleeps
// on a real store, index and recess.

const (
	nightDir  = "SOMNOGRAPH_NIGHT"      // the data directory of a child
	nightKill = "SOMNOGRAPH_NIGHT_KILL" // the number of the step at which it kills itself
	nightAt   = "2026-10-03T02:00:00Z"
	stride    = 19 // steps between two kills in the short run
)

// TestMain is also the entry point of the child.
func TestMain(m *testing.M) {
	if dir := os.Getenv(nightDir); dir != "" {
		if err := sleepInChild(dir, os.Getenv(nightKill)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if dir := os.Getenv(forgetDir); dir != "" {
		fmt.Fprintln(os.Stderr, forgetInChild(dir, os.Getenv(forgetInput), os.Getenv(forgetAt)))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// crasher counts steps, before and after each durable one, and kills the process at one.
// Background workers and the sleep may step at the same time.
type crasher struct {
	at int
	n  atomic.Int64
}

func (d *crasher) step() {
	if d.n.Add(1) != int64(d.at) {
		return
	}
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill() // SIGKILL: nothing runs after it
	}
	select {}
}

// crashingStore may kill the process before or after a commit.
type crashingStore struct {
	*badgerstore.Store
	d *crasher
}

func (s crashingStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	s.d.step()
	c, err := s.Store.Update(ctx, scope, fn)
	s.d.step()
	return c, err
}

// crashingRecess may kill the process before or after engraving or sealing.
type crashingRecess struct {
	archive
	d *crasher
}

func (r crashingRecess) Engrave(ctx context.Context, scope graph.Scope, m *graph.Memory, vector []float32, at time.Time) error {
	r.d.step()
	err := r.archive.Engrave(ctx, scope, m, vector, at)
	r.d.step()
	return err
}

func (r crashingRecess) Seal(ctx context.Context, scope graph.Scope) error {
	r.d.step()
	err := r.archive.Seal(ctx, scope)
	r.d.step()
	return err
}

// openedDir is an open data directory.
type openedDir struct {
	engine *engine.Engine
	store  *badgerstore.Store
	index  *index.Index
	recess *recess.Recess
}

// openDir opens a directory as Open does, with little memory, small batches and a clock that
// stands still.
func openDir(ctx context.Context, dir string, clock engine.Clock, d *crasher) (b *openedDir, err error) {
	b = &openedDir{}
	if b.store, err = badgerstore.Open(filepath.Join(dir, "store"), badgerstore.Options{MemTable: 4 << 20, MinFree: 1 << 20, MinOpen: 1 << 20, Reserve: 1 << 20}); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "index"), 0o700); err != nil {
		return nil, err
	}
	if b.recess, err = recess.Open(recess.Options{Dir: filepath.Join(dir, "recess")}); err != nil {
		return nil, err
	}
	store := crashingStore{b.store, d}
	if b.index, err = index.Open(ctx, store, index.Options{Dir: filepath.Join(dir, "index")}); err != nil {
		return nil, err
	}
	b.engine, err = engine.New(ctx, engine.Options{
		Store: store, Index: b.index, Embedder: hashed.New(), Recess: crashingRecess{archive{Recess: b.recess}, d}, Clock: clock, Rand: enginetest.Random(11), SleepBatch: 2,
	})
	return b, err
}

func (b *openedDir) close(ctx context.Context) error {
	return errors.Join(b.engine.Close(ctx), b.index.Close(ctx), b.recess.Close(), b.store.Close())
}

// sleepInChild sleeps, prints its progress, writes the state to a file, and does so a second
// time, which must change nothing.
func sleepInChild(dir, kill string) error {
	ctx := context.Background()
	at, err := time.Parse(time.RFC3339, nightAt)
	if err != nil {
		return err
	}
	d := &crasher{}
	if kill != "" {
		if _, err := fmt.Sscan(kill, &d.at); err != nil {
			return err
		}
	}
	b, err := openDir(ctx, dir, enginetest.NewClock(at), d)
	if err != nil {
		return err
	}
	told, err := b.engine.SleepProgress(ctx, engine.Loopback())
	if err != nil {
		return err
	}
	go func() {
		for p := range told {
			fmt.Printf("at %s %d of %d\n", p.Phase, p.Done, p.Total)
		}
	}()
	for _, name := range []string{"first", "second"} {
		r, err := b.engine.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: true, Wait: true})
		if err != nil {
			return err
		}
		if !r.Complete {
			return fmt.Errorf("the %s sleep was not complete: %+v", name, r)
		}
		state, err := b.state(ctx)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(state), 0o600); err != nil {
			return err
		}
		fmt.Printf("steps %d\nreport %+v\n", d.n.Load(), *r)
	}
	return b.close(ctx)
}

// state is the digest of the store and the engrams that can be read.
func (b *openedDir) state(ctx context.Context) (string, error) {
	scope := graph.Scope{Tenant: engine.Loopback().Tenant}
	digest, err := enginetest.Digest(ctx, b.store, scope)
	if err != nil {
		return "", err
	}
	faults, err := enginetest.Faults(ctx, b.store, scope)
	if err != nil {
		return "", err
	}
	lines := append([]string{digest}, faults...)
	err = b.store.View(ctx, scope, func(r graph.Reader) error {
		all, err := r.ListMemories(graph.MemoryQuery{})
		for _, m := range all {
			e, err := b.recess.Read(ctx, scope, m.ID)
			switch {
			case err == nil:
				lines = append(lines, "engram "+string(m.ID)+" "+e.Memory.Checksum)
			case !errors.Is(err, graph.ErrNotFound):
				return err
			}
			if there := err == nil; there != (m.State().Tier == graph.L3) {
				lines = append(lines, "fault "+string(m.ID)+": it is in "+string(m.State().Tier))
			}
		}
		return err
	})
	return strings.Join(lines, "\n"), err
}

// filledDir is a directory with six weeks of noise, duplicates, repetitions, a procedure and used
// facts. The noise is what a night archives: the weakest two fifths.
func filledDir(t *testing.T) string {
	t.Helper()
	ctx, dir := t.Context(), t.TempDir()
	at, err := time.Parse(time.RFC3339, nightAt)
	if err != nil {
		t.Fatal(err)
	}
	clock := enginetest.NewClock(at.Add(-45 * 24 * time.Hour))
	b, err := openDir(ctx, dir, clock, &crasher{})
	if err != nil {
		t.Fatal(err)
	}
	say := func(in engine.RememberInput) {
		in.Consent, in.User = graph.ConsentExplicit, "mira"
		if _, err := b.engine.Remember(ctx, engine.Loopback(), in); err != nil {
			t.Fatal(err)
		}
	}
	low, high := 0.1, 0.95
	for i, s := range []string{"The kettle whistled.", "Someone hummed on the stairs.", "A cloud looked like a boat.", "The lift was slow.", "It smelled of toast.", "A dog barked twice.", "The bus was yellow.", "Rain fell on the roof.", "Somebody lost a glove.", "The soup was hot.", "A door creaked."} {
		say(engine.RememberInput{Content: s, Salience: &low, Type: graph.Episodic, Session: fmt.Sprint("c", i)})
	}
	clock.Advance(24 * time.Hour)
	facts := []string{"Mira is allergic to walnuts.", "Mira's boat is called Petrel.", "The spare sails are in loft seven."}
	for _, s := range facts {
		say(engine.RememberInput{Content: s, Salience: &high})
	}
	for i := range 3 {
		say(engine.RememberInput{Content: "The gate code of the yard is written inside the shed.", OnDuplicate: engine.Insert, Project: fmt.Sprint(i)})
		say(engine.RememberInput{Content: "The harbour master prefers radio calls on channel nine.", OnDuplicate: engine.Insert, Project: fmt.Sprint(i)})
		// Repetitions in numbers: folds of three that save two fifths of their text.
		for _, about := range []struct{ entities, text string }{
			{"weir,sluice,Tomas", "Tomas greased the hinges of the sluice at the weir and read %d litres a second on the gauge of the crank."},
			{"orchard,press,Ilona", "Ilona pressed %d litres of cider in the orchard press and sold the rest to the people at the market."},
		} {
			say(engine.RememberInput{Content: fmt.Sprintf(about.text, 240+11*i), Type: graph.Episodic, Salience: &high, Session: fmt.Sprint("s", i), Entities: strings.Split(about.entities, ","), OnDuplicate: engine.Insert})
		}
		say(engine.RememberInput{Content: []string{
			"First run the tests, then tag the release, finally push the image.", "I ran the tests, then tagged the release, then pushed the image.", "First run the tests, then tag the release, and then push the image.",
		}[i], Type: graph.Episodic, Salience: &high, Project: "ferry", Session: fmt.Sprint("r", i)})
		clock.Advance(25 * time.Hour)
	}
	for range 7 {
		for _, query := range []string{"What is Mira allergic to?", "What is Mira's boat called?", "Where are the spare sails?"} {
			if _, err := b.engine.Search(ctx, engine.Loopback(), engine.SearchInput{Query: query, TopK: 1, User: "mira", Track: true}); err != nil {
				t.Fatal(err)
			}
		}
		clock.Advance(24 * time.Hour)
	}
	if err := b.close(ctx); err != nil {
		t.Fatal(err)
	}
	return dir
}

// child runs a process that sleeps on the directory, and returns its output. hear, if not nil,
// receives every line and may kill the process.
func child(t *testing.T, dir string, kill int, hear func(line string, kill func())) (said []string, err error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), nightDir+"="+dir)
	if kill > 0 {
		c.Env = append(c.Env, fmt.Sprintf("%s=%d", nightKill, kill))
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said = append(said, lines.Text())
		if hear != nil {
			hear(lines.Text(), func() { _ = c.Process.Kill() })
		}
	}
	if err := c.Wait(); err != nil {
		return said, fmt.Errorf("%w: %s", err, stderr.String())
	}
	return said, nil
}

// firstState is the state after the first sleep of a child. It fails the test if the second
// sleep changed it.
func firstState(t *testing.T, what, dir string) string {
	t.Helper()
	first, err := os.ReadFile(filepath.Join(dir, "first"))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	second, err := os.ReadFile(filepath.Join(dir, "second"))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	mustBeEqual(t, what+": the second sleep", string(second), string(first))
	return string(first)
}

func mustBeEqual(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			t.Fatalf("%s: line %d\n got %s\nwant %s", what, i, a[min(i, len(a)-1)], b[min(i, len(b)-1)])
		}
	}
}

// undisturbed returns the state after a sleep that is not killed, and the number of its steps.
func undisturbed(t *testing.T, home string) (want string, steps int) {
	t.Helper()
	dir := copyDir(t, home)
	said, err := child(t, dir, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range said {
		if n, ok := strings.CutPrefix(line, "steps "); ok && steps == 0 {
			if _, err := fmt.Sscan(n, &steps); err != nil {
				t.Fatal(err)
			}
		}
		if strings.HasPrefix(line, "report ") && want == "" {
			t.Log(line)
			for _, nothing := range []string{"Reinforced:0 ", "Pruned:0 ", "Deduplicated:0 ", "Engraved:0 ", "Dreamed:0 ", "Consolidated:0 ", "Derived:0 "} {
				if strings.Contains(line, nothing) {
					t.Errorf("the sleep had too little to do: %s", nothing)
				}
			}
			want = firstState(t, "uninterrupted", dir)
		}
	}
	if strings.Contains(want, "\nfault") || !strings.Contains(want, "\nengram ") {
		t.Fatalf("the sleep left faults:\n%s", want[strings.LastIndex(want, "\nrelation"):])
	}
	return want, steps
}

// copyDir copies a directory that is not open. Files stay sparse.
func copyDir(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		at := filepath.Join(to, rel)
		if d.IsDir() {
			return os.MkdirAll(at, 0o700)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := os.OpenFile(at, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		const block = 64 << 10
		for i := 0; i < len(data); i += block {
			b := data[i:min(len(data), i+block)]
			if !slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) {
				continue
			}
			if _, err := f.WriteAt(b, int64(i)); err != nil {
				return err
			}
		}
		return errors.Join(f.Truncate(int64(len(data))), f.Close())
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// TestKilledSleep kills a sleeping process before and after its commits and engravings. The
// next process ends the sleep with the same state as an undisturbed one.
func TestKilledSleep(t *testing.T) { killNights(t, stride, 1, 1) }

// killNights kills a sleep at every stride-th step. Then, in each phase, it kills as many sleeps
// as nights says at random moments, each at most as often as times says.
func killNights(t *testing.T, stride, nights, times int) {
	home := filledDir(t)
	want, steps := undisturbed(t, home)
	kills := 0
	for at := 1 + int(rand.Uint64()%uint64(stride)); at <= steps; at += stride {
		dir := copyDir(t, home)
		if said, err := child(t, dir, at, nil); err == nil {
			t.Fatalf("step %d of %d was not reached: %q", at, steps, said)
		}
		kills++
		if _, err := child(t, dir, 0, nil); err != nil {
			t.Fatalf("killed at step %d: %v", at, err)
		}
		what := fmt.Sprintf("killed at step %d", at)
		mustBeEqual(t, what, firstState(t, what, dir), want)
		_ = os.RemoveAll(dir)
	}
	if testing.Short() {
		return
	}
	seed := rand.Uint64()
	t.Logf("%d kills at steps of %d; seed %d", kills, steps, seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for _, phase := range []engine.SleepPhase{engine.PhaseN1, engine.PhaseN2, engine.PhaseN3, engine.PhaseREM, engine.PhaseReport} {
		for range nights {
			dir := copyDir(t, home)
			killed := 0
			for { // until a process ends before it is killed
				wait := rnd.IntN(6)
				_, err := child(t, dir, 0, func(line string, kill func()) {
					if strings.HasPrefix(line, "at "+string(phase)) {
						if wait--; wait < 0 {
							kill()
						}
					}
				})
				if err == nil {
					break
				}
				if killed++; killed == times {
					if _, err := child(t, dir, 0, nil); err != nil {
						t.Fatal(err)
					}
					break
				}
			}
			kills += killed
			what := fmt.Sprintf("killed %d times in %s", killed, phase)
			mustBeEqual(t, what, firstState(t, what, dir), want)
			_ = os.RemoveAll(dir)
		}
	}
	t.Logf("%d kills in all, no difference", kills)
}
