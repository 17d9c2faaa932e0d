package backup_test

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// shared is a store with several servers on it.
type shared struct {
	t     *testing.T
	store graph.Store
	keys  *secrets
	now   time.Time
}

// server is one of the servers: its watch, and the backup that it makes.
type server struct {
	*shared
	data  string
	watch *backup.Watch
	own   *backup.Runner
	maker *backup.Maker
}

func newShared(t *testing.T) *shared {
	return &shared{t: t, store: memoryStore(t), keys: newSecrets(), now: enginetest.Start}
}

// start starts a server in a data directory, with a backup to a target; nil: it makes none.
func (s *shared) start(data string, target backup.Target) *server {
	s.t.Helper()
	clock := func() time.Time { return s.now }
	x := &server{shared: s, data: data, watch: must[*backup.Watch](s.t)(backup.NewWatch(data, clock))}
	if err := x.watch.Share(s.t.Context(), s.store); err != nil {
		s.t.Fatal(err)
	}
	x.maker = &backup.Maker{Store: s.store, ID: storeID, Secrets: s.keys, Now: clock, Random: rand.Reader}
	if target != nil {
		x.own = backup.NewRunner(backup.Options{Source: x.maker, Target: target, Now: clock, Watch: x.watch, Began: s.now})
	}
	return x
}

// round makes a round, which must end well or not.
func (x *server) round(well bool) {
	x.t.Helper()
	if _, err := x.own.Once(x.t.Context(), false); (err == nil) != well {
		x.t.Fatalf("a round: %v", err)
	}
}

// due is what a server says of the backups.
func (x *server) due() []backup.Due { return x.watch.Due(x.t.Context(), x.own, x.now) }

// agree compares what servers say of the only backup that goes on.
func (s *shared) agree(when string, want time.Duration, servers ...*server) {
	s.t.Helper()
	for n, x := range servers {
		var going []backup.Due
		for _, d := range x.due() {
			if d.Every > 0 {
				going = append(going, d)
			}
		}
		if len(going) != 1 || going[0].By != want {
			s.t.Errorf("%s: server %d says %+v, want one that is overdue by %v", when, n, going, want)
		}
	}
}

// Every server on a store knows how old the backup is that one of them makes.
func TestServersKnowTheBackupOfAnother(t *testing.T) {
	s := newShared(t)
	dir := filepath.Join(t.TempDir(), "backup")
	a := s.start(t.TempDir(), must[backup.Target](t)(backup.ParseTarget(dir, backup.S3{})))
	b := s.start(t.TempDir(), nil)
	a.round(true)
	s.agree("a round", 0, a, b)
	for range 7 { // both look once a minute
		s.now = s.now.Add(time.Minute)
		a.due()
		b.due()
	}
	s.agree("seven minutes later", 7*time.Minute-5*time.Second, a, b)
	c := s.start(t.TempDir(), nil)
	s.agree("a server that starts meanwhile", 7*time.Minute-5*time.Second, a, b, c)
	if err := errors.Join(os.Rename(dir, dir+".away"), os.WriteFile(dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	a = s.start(a.data, must[backup.Target](t)(backup.ParseTarget(dir, backup.S3{})))
	a.round(false)
	s.agree("its server was started again, and the target is away", 7*time.Minute-5*time.Second, a, b, c)
	if err := errors.Join(os.Remove(dir), os.Rename(dir+".away", dir)); err != nil {
		t.Fatal(err)
	}
	a.round(true)
	s.agree("it is back", 0, a, b, c)
}

// A target that was away from the first round on is known to all servers, and its end too.
func TestServersKnowABackupThatNeverBegan(t *testing.T) {
	s := newShared(t)
	dir := filepath.Join(t.TempDir(), "backup")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := s.start(t.TempDir(), must[backup.Target](t)(backup.ParseTarget(dir, backup.S3{})))
	b := s.start(t.TempDir(), nil)
	for range 11 {
		a.round(false)
		a.due()
		b.due()
		s.now = s.now.Add(time.Minute)
	}
	s.agree("away", 11*time.Minute-5*time.Second, a, b)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	a.round(true)
	s.agree("there", 0, a, b)
	for _, d := range b.due() {
		if d.By != 0 || !d.Server && d.Every > 0 {
			t.Errorf("%+v", d)
		}
	}
}

// A command that moves to another server stays one backup, and whoever is told of its end ends it for all.
func TestACommandMovesToAnotherServer(t *testing.T) {
	s := newShared(t)
	a, b := s.start(t.TempDir(), nil), s.start(t.TempDir(), nil)
	const id = "0123456789abcdef"
	goes := func(x *server, age time.Duration) {
		t.Helper()
		if err := x.watch.Goes(t.Context(), id, 10*time.Second, age); err != nil {
			t.Fatal(err)
		}
	}
	goes(a, -1)
	goes(a, 0)
	for range 6 {
		s.now = s.now.Add(time.Minute)
		goes(b, 0)
		a.due()
	}
	s.agree("it goes on at the other server", 0, a, b)
	s.now = s.now.Add(time.Minute)
	s.agree("it stops", 50*time.Second, a, b)
	if err := a.watch.Ended(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	s.count("ended", 0, a, b)
	goes(b, -1)
	s.agree("it begins again", 0, a, b)
}

// count compares the number of backups that go on.
func (s *shared) count(when string, want int, servers ...*server) {
	s.t.Helper()
	for n, x := range servers {
		going := 0
		for _, d := range x.due() {
			if d.By != 0 {
				s.t.Errorf("%s: server %d: %+v", when, n, d)
			}
			if d.Every > 0 {
				going++
			}
		}
		if going != want {
			s.t.Errorf("%s: server %d says that %d go on, want %d", when, n, going, want)
		}
	}
}

// After a time without any server the ages begin anew, because nobody wrote meanwhile.
func TestAgesBeginAnewAfterATimeWithoutServers(t *testing.T) {
	s := newShared(t)
	a := s.start(t.TempDir(), must[backup.Target](t)(backup.Directory(filepath.Join(t.TempDir(), "backup"), true)))
	a.round(true)
	s.now = s.now.Add(8 * time.Hour)
	b := s.start(t.TempDir(), nil)
	s.agree("in the morning", 0, b)
	s.now = s.now.Add(time.Minute)
	s.agree("a minute later", 55*time.Second, b)
}

// What servers note of a backup is nothing that the next round has to back up.
func TestNotesOfAgesAreNotBackedUp(t *testing.T) {
	s := newShared(t)
	a := s.start(t.TempDir(), must[backup.Target](t)(backup.Directory(filepath.Join(t.TempDir(), "backup"), true)))
	a.round(true)
	a.round(true) // what the first noted of its generation
	for range 5 {
		s.now = s.now.Add(time.Minute)
		a.due()
		if made := must[*backup.Made](t)(a.own.Once(t.Context(), false)); made.Changed {
			t.Fatalf("a round without a write has %d lines", made.Manifest.Lines)
		}
	}
}
