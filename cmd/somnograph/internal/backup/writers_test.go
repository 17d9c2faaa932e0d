package backup_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dirlock"
	"github.com/somnograph/somnograph/internal/s3test"
)

// meanwhileTarget lets something happen before and after each use of a target.
type meanwhileTarget struct {
	backup.Target
	meanwhile func()
}

func (m *meanwhileTarget) Put(ctx context.Context, name string, b []byte) error {
	m.meanwhile()
	defer m.meanwhile()
	return m.Target.Put(ctx, name, b)
}

func (m *meanwhileTarget) Swap(ctx context.Context, name string, old, b []byte) error {
	m.meanwhile()
	defer m.meanwhile()
	return m.Target.Swap(ctx, name, old, b)
}

func (m *meanwhileTarget) Get(ctx context.Context, name string) ([]byte, error) {
	m.meanwhile()
	return m.Target.Get(ctx, name)
}

// touch writes something to a store.
func touch(t testing.TB, s graph.Store, n int) {
	t.Helper()
	_, err := s.Update(t.Context(), graph.Scope{Tenant: engine.Loopback().Tenant}, func(tx graph.Tx) error {
		return tx.PutSetting("policy.main", fmt.Appendf(nil, "turn %d", n))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Two writers of one backup, interleaved at every use of the target, never break its chain: what either
// of them has reported is restored, at the end and at every boundary.
func TestTwoWritersNeverBreakTheChain(t *testing.T) {
	for seed := range uint64(14) {
		random := rand.New(rand.NewPCG(seed, 7))
		w := newWorld(t, memoryStore(t))
		fill(t, w.store, 20)
		data := t.TempDir()
		writer := func(target backup.Target) *backup.Runner {
			m := w.maker()
			m.Dir = data
			return backup.NewRunner(backup.Options{Source: m, Target: target, Now: w.now})
		}
		other := writer(w.target)
		turn, busy := 0, false
		var reported time.Time
		once := func(r *backup.Runner, full bool) {
			made := must[*backup.Made](t)(r.Once(t.Context(), full))
			if made.Manifest.At.After(reported) {
				reported = made.Manifest.At
			}
		}
		one := writer(&meanwhileTarget{w.target, func() {
			if busy || random.IntN(4) > 0 {
				return
			}
			busy = true
			turn++
			touch(t, w.store, turn)
			once(other, random.IntN(6) == 0)
			busy = false
		}})
		for range 12 {
			turn++
			touch(t, w.store, turn)
			if made, err := one.Once(t.Context(), random.IntN(6) == 0); err == nil {
				if made.Manifest.At.After(reported) {
					reported = made.Manifest.At
				}
			} else if !strings.Contains(err.Error(), "again and again") {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if random.IntN(3) == 0 {
				once(other, false)
			}
			r := w.reader()
			must[backup.Checked](t)(r.CheckAll(t.Context(), nil))
			if p := must[*backup.Point](t)(r.Find(t.Context(), time.Time{}, nil)); p.At.Before(reported) {
				t.Fatalf("seed %d: the backup ends at %s, before %s, which was reported", seed, p.At, reported)
			}
		}
		once(other, false)
		into := memoryStore(t)
		w.restore(time.Time{}, into, nil)
		same(t, fmt.Sprintf("seed %d", seed), state(t, into), state(t, w.store))
		if t.Failed() {
			return
		}
	}
}

// A command backs up once beside a server that goes on.
func TestARoundBesideARunningWriter(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	fill(t, w.store, 20)
	maker := w.maker()
	maker.Now = time.Now
	rounds := make(chan struct{}, 1000)
	ticks := make(chan struct{})
	running := backup.NewRunner(backup.Options{Source: maker, Target: &notingTarget{w.target, rounds}, Now: time.Now, Every: time.Millisecond, FullEvery: 1 << 62})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { defer close(ticks); running.Run(ctx) }()
	<-rounds
	command := backup.NewRunner(backup.Options{Source: maker, Target: w.target, Now: time.Now})
	for i := range 20 {
		touch(t, w.store, i)
		must[*backup.Made](t)(command.Once(t.Context(), false))
		touch(t, w.store, 100+i)
		<-rounds
		must[backup.Checked](t)(w.reader().CheckAll(t.Context(), nil))
	}
	cancel()
	<-ticks
	must[*backup.Made](t)(command.Once(t.Context(), false))
	into := memoryStore(t)
	w.restore(time.Time{}, into, nil)
	same(t, "the end", state(t, into), state(t, w.store))
}

// Swap stores one of several objects that are written after the same one.
func TestSwapComparesAndReplaces(t *testing.T) {
	server := s3test.Start(t)
	for kind, target := range map[string]backup.Target{
		"directory": must[backup.Target](t)(backup.Directory(t.TempDir(), false)),
		"s3":        must[backup.Target](t)(backup.OpenTarget(t.Context(), "s3://"+s3test.Bucket+"/swap", s3(server), false)),
	} {
		name, a, b := "000001/manifest", []byte("a"), []byte("b")
		swap := func(old, b []byte, want error) {
			t.Helper()
			if err := target.Swap(t.Context(), name, old, b); !errors.Is(err, want) || err != nil && want == nil {
				t.Errorf("%s: %v, want %v", kind, err, want)
			}
		}
		swap(a, b, backup.ErrChanged)
		swap(nil, a, nil)
		swap(nil, b, backup.ErrChanged)
		swap(b, a, backup.ErrChanged)
		swap(a, b, nil)
		if got := must[[]byte](t)(target.Get(t.Context(), name)); string(got) != "b" {
			t.Errorf("%s has %q", kind, got)
		}
		// Of many at the same time one wins.
		errs := make(chan error, 8)
		for i := range 8 {
			go func() { errs <- target.Swap(t.Context(), "000002/manifest", nil, fmt.Appendf(nil, "writer %d", i)) }()
		}
		won := 0
		for range 8 {
			if err := <-errs; err == nil {
				won++
			} else if !errors.Is(err, backup.ErrChanged) {
				t.Errorf("%s: %v", kind, err)
			}
		}
		if won < 1 || kind == "directory" && won > 1 { // versitygw looks first and stores then
			t.Errorf("%s: %d writers have stored the first object", kind, won)
		}
	}
}

// A target that was used and has lost its mark, as a directory whose disk is not mounted, is not written
// to: neither in a directory that is empty nor in one that is missing.
func TestATargetThatWentAwayIsNotMadeAgain(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	fill(t, w.store, 20)
	base, data := t.TempDir(), t.TempDir()
	dir := filepath.Join(base, "disk")
	writer := func() *backup.Runner { // of a process that starts
		return backup.NewRunner(backup.Options{Source: w.maker(), Target: must[backup.Target](t)(backup.ParseTarget(dir, backup.S3{})), Dir: data, Now: w.now})
	}
	deep := backup.NewRunner(backup.Options{Source: w.maker(), Target: must[backup.Target](t)(backup.ParseTarget(filepath.Join(dir, "a/b"), backup.S3{})), Now: w.now})
	if _, err := deep.Once(t.Context(), false); !errors.Is(err, backup.ErrNoTarget) {
		t.Errorf("in a directory that does not exist: %v", err)
	}
	r := writer()
	must[*backup.Made](t)(r.Once(t.Context(), false))
	must[any](t)(nil, os.Rename(dir, dir+".away"))
	gone := func(r *backup.Runner, what, want string) {
		t.Helper()
		touch(t, w.store, 1)
		if _, err := r.Once(t.Context(), false); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "is its disk mounted?") || r.Status().Err == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	gone(r, "a missing directory", "there is no directory")
	gone(writer(), "a missing directory at a start", "there is no directory")
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory was made")
	}
	must[any](t)(nil, os.Mkdir(dir, 0o700))
	gone(r, "an empty directory", "is empty")
	gone(writer(), "an empty directory at a start", "is empty")
	if left := must[[]os.DirEntry](t)(os.ReadDir(dir)); len(left) > 0 {
		t.Errorf("%v was written", left)
	}
	// The disk is back.
	must[any](t)(nil, os.Remove(dir))
	must[any](t)(nil, os.Rename(dir+".away", dir))
	if made := must[*backup.Made](t)(writer().Once(t.Context(), false)); made.Manifest.Generation != 1 {
		t.Errorf("it goes on in generation %d", made.Manifest.Generation)
	}
	// A person who asks for a backup there gets one, and the server goes on after it.
	must[any](t)(nil, os.Rename(dir, dir+".away"))
	must[any](t)(nil, os.Mkdir(dir, 0o700))
	gone(r, "an empty directory again", "is empty")
	asked := backup.NewRunner(backup.Options{Source: w.maker(), Target: must[backup.Target](t)(backup.ParseTarget(dir, backup.S3{})), Now: w.now})
	must[*backup.Made](t)(asked.Once(t.Context(), false))
	touch(t, w.store, 2)
	for _, r := range []*backup.Runner{r, writer()} {
		must[*backup.Made](t)(r.Once(t.Context(), false))
	}
}

// A server whose target went away names that, and no other process.
func TestAMissingTargetIsNoOtherProcess(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	fill(t, w.store, 20)
	dir, log := filepath.Join(t.TempDir(), "disk"), &bytes.Buffer{}
	r := backup.NewRunner(backup.Options{Source: w.maker(), Target: must[backup.Target](t)(backup.ParseTarget(dir, backup.S3{})), Dir: t.TempDir(), Now: w.now,
		Logger: slog.New(slog.NewTextHandler(log, nil))})
	made := must[*backup.Made](t)(r.Once(t.Context(), false))
	must[any](t)(nil, os.Rename(dir, dir+".away"))
	touch(t, w.store, 1)
	if _, err := r.After(t.Context(), made.Text); err == nil || !strings.Contains(err.Error(), "is its disk mounted?") || strings.Contains(log.String(), "another process") {
		t.Errorf("%v, and the log says %s", err, log)
	}
}

// A runner that goes on notices at the next object that the disk was taken away.
func TestNothingIsWrittenWhereADiskWas(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	fill(t, w.store, 20)
	ctx, cancel := context.WithCancel(t.Context())
	dir := filepath.Join(t.TempDir(), "disk")
	target := must[backup.Target](t)(backup.Directory(dir, true))
	maker := w.maker()
	maker.Now = time.Now
	rounds, failed := make(chan struct{}, 1000), make(chan struct{}, 1000)
	r := backup.NewRunner(backup.Options{Source: &failingSource{maker, failed}, Target: &notingTarget{target, rounds}, Now: time.Now, Every: time.Millisecond, FullEvery: 1 << 62})
	ended := make(chan struct{})
	go func() { defer close(ended); r.Run(ctx) }()
	<-rounds
	must[any](t)(nil, os.Rename(dir, dir+".away"))
	must[any](t)(nil, os.Mkdir(dir, 0o700))
	touch(t, w.store, 1)
	<-failed
	cancel()
	<-ended
	if left := must[[]os.DirEntry](t)(os.ReadDir(dir)); len(left) > 0 {
		t.Errorf("%v was written", left)
	}
}

// failingSource tells when a round fails.
type failingSource struct {
	backup.Source
	failed chan<- struct{}
}

func (f *failingSource) Next(ctx context.Context, prev []byte, full bool, put func(string, []byte) error) (*backup.Made, error) {
	made, err := f.Source.Next(ctx, prev, full, put)
	if err != nil {
		f.failed <- struct{}{}
	}
	return made, err
}

// All generations that --at reaches are checked.
func TestDamageInAnOlderGenerationIsFound(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	live(t, w.store, func(part string) { w.round(part == "sleep") })
	c := must[backup.Checked](t)(w.reader().CheckAll(t.Context(), nil))
	if c.Generations != 2 || c.Objects < 6 || !c.From.Before(c.To) {
		t.Errorf("%+v", c)
	}
	path := segment(t, w.dir, 1, 2)
	b := must[[]byte](t)(os.ReadFile(path))
	b[len(b)/2] ^= 1
	must[any](t)(nil, os.WriteFile(path, b, 0o600))
	if _, err := w.reader().Find(t.Context(), time.Time{}, nil); err != nil {
		t.Errorf("the newest generation alone: %v", err)
	}
	_, err := w.reader().CheckAll(t.Context(), nil)
	if !errors.Is(err, graph.ErrIntegrity) || !strings.Contains(err.Error(), "segment 000001/00000002-") || strings.Contains(err.Error(), "integrity check failed") {
		t.Errorf("error is %v", err)
	}
}

// After a missing segment the store is restored to the newest boundary before it, which the error names.
func TestTheNewestBoundaryThatRemainsIsRestored(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	twins, boundaries := map[string]map[string]string{}, map[string]time.Time{}
	live(t, w.store, func(part string) {
		boundaries[part] = w.round(false)
		twins[part] = state(t, w.store)
	})
	must[any](t)(nil, os.Remove(segment(t, w.dir, 1, 4)))
	_, err := w.reader().Find(t.Context(), time.Time{}, nil)
	want := "--at " + backup.BoundaryText(boundaries["supersede"])
	if err == nil || !strings.Contains(err.Error(), "is missing") || !strings.Contains(err.Error(), want) {
		t.Fatalf("error is %v, want %s", err, want)
	}
	into := memoryStore(t)
	w.restore(boundaries["supersede"], into, nil)
	same(t, "the newest boundary", state(t, into), twins["supersede"])
	if _, err := w.reader().Find(t.Context(), boundaries["supersede"].Add(time.Millisecond), nil); err == nil {
		t.Error("what comes after it is restored without the segment")
	}
}

// Backups of version 1 are read and continued.
func TestVersion1IsReadAndContinued(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	parts := 0
	twins, boundaries := map[string]map[string]string{}, map[string]time.Time{}
	live(t, w.store, func(part string) {
		boundaries[part] = w.round(parts == 2)
		twins[part] = state(t, w.store)
		if parts++; parts != 4 {
			return
		}
		for _, name := range must[[]string](t)(w.target.List(t.Context())) {
			path := filepath.Join(w.dir, filepath.FromSlash(name))
			if filepath.Base(path) == "manifest" {
				text := must[[]byte](t)(backup.AsVersion1(w.secrets.get("backup-key"), must[[]byte](t)(os.ReadFile(path))))
				must[any](t)(nil, os.WriteFile(path, text, 0o600))
			}
			must[any](t)(nil, os.Rename(path, filepath.Join(w.dir, filepath.FromSlash(backup.NameOfVersion1(name)))))
		}
		must[any](t)(nil, os.Remove(filepath.Join(w.dir, "somnograph-backup.id")))
		into := memoryStore(t)
		w.restore(time.Time{}, into, nil)
		same(t, "version 1", state(t, into), twins[part])
		w.runner = backup.NewRunner(backup.Options{Source: w.maker(), Target: w.target, Now: w.now})
	})
	for part, at := range boundaries {
		into := memoryStore(t)
		w.restore(at, into, nil)
		same(t, part, state(t, into), twins[part])
	}
	if left := must[[]string](t)(filepath.Glob(filepath.Join(w.dir, "000003*"))); len(left) > 0 {
		t.Errorf("it was not continued: %v", left)
	}
}

// The keys know of another backup that ends later.
func TestALaterBackupIsKnown(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	fill(t, w.store, 20)
	w.round(false)
	if at := must[time.Time](t)(w.reader().Later(t.Context())); !at.IsZero() {
		t.Errorf("later at %s", at)
	}
	touch(t, w.store, 1)
	second := backup.NewRunner(backup.Options{Source: w.maker(), Target: must[backup.Target](t)(backup.Directory(t.TempDir(), false)), Now: w.now})
	want := must[*backup.Made](t)(second.Once(t.Context(), false)).Manifest.At
	if at := must[time.Time](t)(w.reader().Later(t.Context())); !at.Equal(want) {
		t.Errorf("later at %s, want %s", at, want)
	}
}

// A wrong key is named with its directory.
func TestAWrongKeyIsNamed(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	fill(t, w.store, 20)
	w.round(false)
	m := w.maker()
	other := newSecrets()
	other.named["backup-key"] = bytes.Repeat([]byte{7}, backup.KeySize)
	m.Secrets, m.Keys = other, "/srv/keys"
	if _, err := backup.NewRunner(backup.Options{Source: m, Target: w.target, Now: w.now}).Once(t.Context(), false); err == nil || !strings.Contains(err.Error(), "the key is in /srv/keys") {
		t.Errorf("error is %v", err)
	}
}

// Where the key is missing, a target that has a backup makes none: the error names the file as long as it is missing. A new target makes one, which the log says.
func TestAMissingKeyIsMadeOnlyForANewTarget(t *testing.T) {
	w := newWorld(t, memoryStore(t))
	fill(t, w.store, 20)
	w.round(false)
	m := w.maker()
	var log bytes.Buffer
	m.Keys, m.Logger = "/srv/keys", slog.New(slog.NewTextHandler(&log, nil))
	key := w.secrets.get("backup-key")
	lose := func() { delete(w.secrets.named, "backup-key") }
	lose()
	text := must[[]byte](t)(w.target.Get(t.Context(), "000001/manifest"))
	for name, use := range map[string]func() error{
		"a round": func() error {
			_, err := backup.NewRunner(backup.Options{Source: m, Target: w.target, Now: w.now}).Once(t.Context(), false)
			return err
		},
		"a full export": func() error {
			_, err := backup.NewRunner(backup.Options{Source: m, Target: w.target, Now: w.now}).Once(t.Context(), true)
			return err
		},
		"a manifest that is there":  func() error { return m.Committed(text) },
		"generations that are gone": func() error { return m.Kept(t.Context(), text, 1) },
		"a restore of memories": func() error {
			_, err := (&backup.Mender{Maker: m, Target: w.target}).Restore(t.Context(), graph.Scope{}, nil)
			return err
		},
	} {
		for range 2 {
			if err := use(); err == nil || !strings.Contains(err.Error(), "/srv/keys/secrets/backup-key, the key of the backups, is missing: put its newest copy back") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if w.secrets.get("backup-key") != nil || log.Len() > 0 {
		t.Errorf("a key was made for a target with a backup; log: %s", &log)
	}
	next := must[backup.Target](t)(backup.Directory(t.TempDir(), false))
	must[*backup.Made](t)(backup.NewRunner(backup.Options{Source: m, Target: next, Now: w.now}).Once(t.Context(), false))
	if now := w.secrets.get("backup-key"); len(now) != backup.KeySize || bytes.Equal(now, key) || !strings.Contains(log.String(), "file=/srv/keys/secrets/backup-key") {
		t.Errorf("for a new target: a key of %d bytes; log: %s", len(now), &log)
	}
	log.Reset()
	m.Secrets = newSecrets() // of a store that was not backed up
	must[*backup.Made](t)(backup.NewRunner(backup.Options{Source: m, Target: must[backup.Target](t)(backup.Directory(t.TempDir(), false)), Now: w.now}).Once(t.Context(), false))
	if log.Len() > 0 {
		t.Errorf("the first key of a store is logged: %s", &log)
	}
}

// A swap waits for one under way, and then finds what that wrote.
func TestSwapWaitsForAnother(t *testing.T) {
	dir := t.TempDir()
	target := must[backup.Target](t)(backup.Directory(dir, false))
	const name = "000001/manifest"
	if err := target.Swap(t.Context(), name, nil, []byte("a")); err != nil {
		t.Fatal(err)
	}
	other := must[*os.File](t)(dirlock.Lock(dir))
	ctx, cancel := context.WithCancel(t.Context())
	given := make(chan error)
	go func() { given <- target.Swap(ctx, name, []byte("a"), []byte("b")) }()
	cancel()
	if err := <-given; !errors.Is(err, context.Canceled) {
		t.Errorf("while another has the lock: %v", err)
	}
	go func() { given <- target.Swap(t.Context(), name, []byte("a"), []byte("c")) }()
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-given; err != nil {
		t.Errorf("after the other: %v", err)
	}
	if b, err := target.Get(t.Context(), name); err != nil || string(b) != "c" {
		t.Errorf("the object is %q, %v", b, err)
	}
}
