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

// The nights here are slept by processes that are killed: the test binary runs itself as
// a child that sleeps over a real store, index and recess.

const (
	nightDir  = "SOMNOGRAPH_NIGHT"      // the data directory of a child
	nightKill = "SOMNOGRAPH_NIGHT_KILL" // the number of the step at which it kills itself
	nightAt   = "2026-10-03T02:00:00Z"
	seldom    = 19 // every how many steps a child is killed at in the short run
)

// TestMain is also the program that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv(nightDir); dir != "" {
		if err := sleepAsChild(dir, os.Getenv(nightKill)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// deadly counts steps, the durable ones and those before and behind them, and dies at one.
type deadly struct{ at, n int }

func (d *deadly) step() {
	d.n++
	if d.n != d.at {
		return
	}
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill() // SIGKILL: nothing runs behind it
	}
	select {}
}

// deadlyStore dies before or behind a commit.
type deadlyStore struct {
	*badgerstore.Store
	d *deadly
}

func (s deadlyStore) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	s.d.step()
	c, err := s.Store.Update(ctx, scope, fn)
	s.d.step()
	return c, err
}

// deadlyRecess dies before or behind an engraving or the sealing.
type deadlyRecess struct {
	archive
	d *deadly
}

func (r deadlyRecess) Engrave(ctx context.Context, scope graph.Scope, m *graph.Memory, vector []float32, at time.Time) error {
	r.d.step()
	err := r.archive.Engrave(ctx, scope, m, vector, at)
	r.d.step()
	return err
}

func (r deadlyRecess) Seal(ctx context.Context, scope graph.Scope) error {
	r.d.step()
	err := r.archive.Seal(ctx, scope)
	r.d.step()
	return err
}

// bed is an opened data directory.
type bed struct {
	engine *engine.Engine
	store  *badgerstore.Store
	index  *index.Index
	recess *recess.Recess
}

// lie opens a directory as Open does, with little memory, small steps and a clock that
// stands.
func lie(ctx context.Context, dir string, clock engine.Clock, d *deadly) (b *bed, err error) {
	b = &bed{}
	if b.store, err = badgerstore.Open(filepath.Join(dir, "store"), badgerstore.Options{MemTable: 4 << 20, MinFree: 1 << 20, MinOpen: 1 << 20, Reserve: 1 << 20}); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "index"), 0o700); err != nil {
		return nil, err
	}
	if b.recess, err = recess.Open(recess.Options{Dir: filepath.Join(dir, "recess")}); err != nil {
		return nil, err
	}
	store := deadlyStore{b.store, d}
	if b.index, err = index.Open(ctx, store, index.Options{Dir: filepath.Join(dir, "index")}); err != nil {
		return nil, err
	}
	b.engine, err = engine.New(ctx, engine.Options{
		Store: store, Index: b.index, Embedder: hashed.New(), Recess: deadlyRecess{archive{b.recess}, d}, Clock: clock, Rand: enginetest.Random(11), SleepBatch: 2,
	})
	return b, err
}

func (b *bed) rise(ctx context.Context) error {
	return errors.Join(b.engine.Close(ctx), b.index.Close(ctx), b.recess.Close(), b.store.Close())
}

// sleepAsChild sleeps, says how far it is, writes down what it left, and sleeps again,
// which must change nothing.
func sleepAsChild(dir, kill string) error {
	ctx := context.Background()
	at, err := time.Parse(time.RFC3339, nightAt)
	if err != nil {
		return err
	}
	d := &deadly{}
	if kill != "" {
		if _, err := fmt.Sscan(kill, &d.at); err != nil {
			return err
		}
	}
	b, err := lie(ctx, dir, enginetest.NewClock(at), d)
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
		fmt.Printf("steps %d\nreport %+v\n", d.n, *r)
	}
	return b.rise(ctx)
}

// state is the digest of the store and the engrams that can be read.
func (b *bed) state(ctx context.Context) (string, error) {
	scope := graph.Scope{Tenant: engine.Loopback().Tenant}
	digest, err := enginetest.Digest(ctx, b.store, scope)
	if err != nil {
		return "", err
	}
	flaws, err := enginetest.Faults(ctx, b.store, scope)
	if err != nil {
		return "", err
	}
	lines := append([]string{digest}, flaws...)
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
				lines = append(lines, "flaw "+string(m.ID)+": it is in "+string(m.State().Tier))
			}
		}
		return err
	})
	return strings.Join(lines, "\n"), err
}

// livedIn is a directory with a past: six weeks of twins, episodes, routines and facts
// that are used.
func livedIn(t *testing.T) string {
	t.Helper()
	ctx, dir := t.Context(), t.TempDir()
	at, err := time.Parse(time.RFC3339, nightAt)
	if err != nil {
		t.Fatal(err)
	}
	clock := enginetest.NewClock(at.Add(-45 * 24 * time.Hour))
	b, err := lie(ctx, dir, clock, &deadly{})
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
	for i, s := range []string{"The kettle whistled.", "Someone hummed on the stairs.", "A cloud looked like a boat.", "The lift was slow.", "It smelled of toast.", "A dog barked twice.", "The bus was yellow."} {
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
		for matter, texts := range map[string][3]string{
			"weir,sluice,Tomas":   {"The sluice at the weir was repaired by Tomas for 240 euros.", "The sluice at the weir opens with a crank since the repair by Tomas.", "Tomas painted the sluice at the weir green after the repair."},
			"orchard,press,Ilona": {"Ilona pressed 90 litres of cider in the orchard press.", "The orchard press of Ilona needs a new screw before autumn.", "Ilona sold 60 litres from the orchard press at the market."},
		} {
			say(engine.RememberInput{Content: texts[i], Type: graph.Episodic, Salience: &high, Session: fmt.Sprint("s", i), Entities: strings.Split(matter, ",")})
		}
		say(engine.RememberInput{Content: []string{
			"First run the tests, then tag the release, finally push the image.", "I ran the tests, then tagged the release, then pushed the image.", "First run the tests, then tag the release, and then push the image.",
		}[i], Type: graph.Episodic, Project: "ferry", Session: fmt.Sprint("r", i)})
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
	if err := b.rise(ctx); err != nil {
		t.Fatal(err)
	}
	return dir
}

// child runs a process that sleeps in the directory and answers what it said. hear, if
// not nil, is told every line and may kill it.
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
	var complaint strings.Builder
	c.Stderr = &complaint
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
		return said, fmt.Errorf("%w: %s", err, complaint.String())
	}
	return said, nil
}

// left is what a child wrote down behind its first sleep, and fails where the second
// changed anything.
func left(t *testing.T, what, dir string) string {
	t.Helper()
	first, err := os.ReadFile(filepath.Join(dir, "first"))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	second, err := os.ReadFile(filepath.Join(dir, "second"))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	alike(t, what+": the second sleep", string(second), string(first))
	return string(first)
}

func alike(t *testing.T, what, got, want string) {
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

// uninterrupted is what a night leaves that nobody disturbs, and how many steps it has.
func uninterrupted(t *testing.T, home string) (want string, steps int) {
	t.Helper()
	dir := copied(t, home)
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
					t.Errorf("there was too little to do: %s", nothing)
				}
			}
			want = left(t, "uninterrupted", dir)
		}
	}
	if strings.Contains(want, "\nflaw") || !strings.Contains(want, "\nengram ") {
		t.Fatalf("the night is flawed:\n%s", want[strings.LastIndex(want, "\nrelation"):])
	}
	return want, steps
}

// copied is a copy of a directory that is not open. Files of the store are mostly holes;
// they stay so.
func copied(t *testing.T, from string) string {
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

// TestANightThatIsKilled kills a sleeping process before and behind its commits and
// engravings: the next one ends the night as if nothing had been.
func TestANightThatIsKilled(t *testing.T) { killNights(t, seldom, 1, 1) }

// killNights kills at every stride-th step, and in each phase so many nights at random,
// each at most so many times.
func killNights(t *testing.T, stride, nights, times int) {
	home := livedIn(t)
	want, steps := uninterrupted(t, home)
	kills := 0
	for at := 1 + int(rand.Uint64()%uint64(stride)); at <= steps; at += stride {
		dir := copied(t, home)
		if said, err := child(t, dir, at, nil); err == nil {
			t.Fatalf("step %d of %d was not reached: %q", at, steps, said)
		}
		kills++
		if _, err := child(t, dir, 0, nil); err != nil {
			t.Fatalf("killed at step %d: %v", at, err)
		}
		what := fmt.Sprintf("killed at step %d", at)
		alike(t, what, left(t, what, dir), want)
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
			dir := copied(t, home)
			killed := 0
			for { // until a process is quicker than the kill
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
			alike(t, what, left(t, what, dir), want)
			_ = os.RemoveAll(dir)
		}
	}
	t.Logf("%d kills in all, no difference", kills)
}
