package backup_test

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
)

// commanded is an engine whose server watches the backups that commands make over its API.
type commanded struct {
	*guarded
	t     *testing.T
	data  string // directory
	maker *backup.Maker
	watch *backup.Watch
	own   *backup.Runner // of the server itself; nil: there is none
	api   *client.Client
}

func newCommanded(t *testing.T) *commanded {
	t.Helper()
	c := &commanded{guarded: &guarded{}, t: t, data: t.TempDir()}
	c.World = enginetest.With(t, enginetest.Options{Change: func(o *engine.Options) {
		o.Monitor.Sources = []engine.MonitorSource{func(ctx context.Context, _ time.Time) (all []engine.AlarmReading) {
			for _, d := range backup.Spare(c.watch.Due(ctx, c.own, enginetest.Start), 5*time.Minute, 10*time.Minute) {
				all = append(all, engine.AlarmReading{Indicator: engine.IndicatorBackupAge, Subject: d.Name(), Value: d.By.Seconds(), Detail: d.Detail()})
			}
			return all
		}}
	}})
	c.maker = &backup.Maker{Store: c.Store, Dir: c.data, ID: storeID, Secrets: newSecrets(), Now: c.Clock.Now, Random: rand.Reader}
	c.restart()
	c.writes()
	return c
}

// restart makes the watch and the API of a server anew.
func (c *commanded) restart() {
	c.t.Helper()
	c.watch = must[*backup.Watch](c.t)(backup.NewWatch(c.data, c.Clock.Now))
	handler := &backup.Handler{Maker: c.maker, Watch: c.watch, Logger: slog.New(slog.DiscardHandler)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = handler.Serve(w, r) // the client is told too
	}))
	c.t.Cleanup(server.Close)
	c.api = must[*client.Client](c.t)(client.New(server.URL, client.Options{}))
}

// due is what the watch knows of the backups of commands.
func (c *commanded) due() []backup.Due { return c.watch.Due(c.t.Context(), nil, time.Time{}) }

// command is a backup over the API; with every it goes on.
func (c *commanded) command(target backup.Target, every time.Duration) *backup.Runner {
	source := &backup.Remote{
		Post: func(ctx context.Context, manifest []byte, query url.Values) (io.ReadCloser, error) {
			return c.api.Backup(ctx, backup.MediaType, manifest, query)
		},
		Tell: func(manifest []byte) error { return c.api.BackupCommitted(c.t.Context(), backup.MediaType, manifest) },
	}
	r := backup.NewRunner(backup.Options{Source: source, Target: target, Every: every, Now: c.Clock.Now})
	if every > 0 {
		source.Going = r.Going
	}
	return r
}

// rounds makes rounds of a command, a minute apart.
func (c *commanded) rounds(r *backup.Runner, n int) {
	c.t.Helper()
	for range n {
		must[*backup.Made](c.t)(r.Once(c.t.Context(), false))
		c.Clock.Advance(time.Minute)
	}
}

func (c *commanded) directory() backup.Target {
	return must[backup.Target](c.t)(backup.Directory(c.t.TempDir(), true))
}

// A backup over the API that goes on is watched: when its command is gone, an alarm begins and writes
// halt, also if the server was restarted meanwhile. It ends when the backup goes on, or is given up.
func TestAStoppedCommandHaltsWrites(t *testing.T) {
	c := newCommanded(t)
	target := c.directory()
	c.rounds(c.command(target, 10*time.Second), 12)
	c.wantAlarm("a command that goes on", "")
	c.Clock.Advance(5 * time.Minute)
	c.wantAlarm("gone for six minutes", "WARNING/")
	c.restart()
	c.wantAlarm("the server was restarted: the age begins anew", "")
	c.Clock.Advance(6 * time.Minute)
	c.wantAlarm("six minutes after a restart", "WARNING/")
	if !c.writes() {
		t.Error("a warning halts writes")
	}
	c.Clock.Advance(5 * time.Minute)
	c.wantAlarm("eleven minutes after a restart", "CRITICAL/HALT_WRITES")
	if c.writes() {
		t.Error("writes go on without a backup")
	}
	c.rounds(c.command(target, 10*time.Second), 2)
	c.reset("it goes on")
	c.Clock.Advance(6 * time.Minute)
	c.wantAlarm("gone again", "WARNING/")
	if err := c.api.BackupEnded(t.Context(), backup.MediaType, nil); err != nil {
		t.Fatal(err)
	}
	c.wantAlarm("given up", "")
	c.restart()
	c.Clock.Advance(time.Hour)
	c.wantAlarm("given up, after a restart", "")
}

// reset ends the alarm by hand, after which there is none.
func (c *commanded) reset(when string) {
	c.t.Helper()
	c.wantAlarm(when+", before the reset", "CRITICAL/HALT_WRITES")
	_, id := c.alarm()
	if _, err := c.ResetAlarm(c.t.Context(), c.Caller, id); err != nil {
		c.t.Fatal(err)
	}
	c.wantAlarm(when, "")
}

// A command without --every promises nothing. One with a long interval is not overdue before its end.
func TestOnlyWhatGoesOnIsWatched(t *testing.T) {
	c := newCommanded(t)
	c.rounds(c.command(c.directory(), 0), 2)
	c.Clock.Advance(24 * time.Hour)
	c.wantAlarm("a single segment yesterday", "")
	if due := c.due(); len(due) != 0 {
		t.Errorf("watched: %+v", due)
	}
	c.rounds(c.command(c.directory(), time.Hour), 2)
	c.Clock.Advance(time.Hour)
	c.wantAlarm("an hourly one after 61 minutes", "")
	c.Clock.Advance(5 * time.Minute)
	c.wantAlarm("an hourly one after 66 minutes", "WARNING/")
	c.own = backup.NewRunner(backup.Options{Source: c.maker, Target: c.directory(), Every: time.Hour, Now: c.Clock.Now})
	must[*backup.Made](t)(c.own.Once(t.Context(), false))
	c.Clock.Advance(65 * time.Minute)
	if d := c.own.Due(c.Clock.Now(), enginetest.Start); d.By != 5*time.Minute || d.Name() != "" || !strings.Contains(d.Detail(), "beyond its interval of 1h0m0s") {
		t.Errorf("the server's own, hourly: %+v", d)
	}
}

// A command whose target fails says how old its backup is: that it asks is no sign that it goes well.
func TestACommandWithoutItsTargetIsOverdue(t *testing.T) {
	c := newCommanded(t)
	target := &failingTarget{c.directory()}
	c.rounds(c.command(target.Target, 10*time.Second), 3)
	failing := c.command(target, 10*time.Second)
	for range 12 { // the process is started again every other time
		c.writes()
		if _, err := failing.Once(t.Context(), false); err == nil {
			t.Fatal("the target does not fail")
		}
		failing = c.command(target, 10*time.Second)
		c.Clock.Advance(time.Minute)
	}
	c.wantAlarm("a target that fails for twelve minutes", "CRITICAL/HALT_WRITES")
}

// While one backup is up to date, another one that has stopped halts no writes.
func TestOneBackupIsEnoughForWrites(t *testing.T) {
	c := newCommanded(t)
	c.own = backup.NewRunner(backup.Options{Source: c.maker, Target: c.directory(), Now: c.Clock.Now})
	target := c.directory()
	c.rounds(c.command(target, 10*time.Second), 2)
	c.Clock.Advance(time.Hour)
	must[*backup.Made](t)(c.own.Once(t.Context(), false))
	c.wantAlarm("the command is gone, the server goes on", "WARNING/")
	c.Clock.Advance(11 * time.Minute)
	c.wantAlarm("neither goes on", "CRITICAL/HALT_WRITES")
	other := c.command(c.directory(), 10*time.Second)
	c.rounds(other, 1)
	c.rounds(c.command(target, 10*time.Second), 1)
	c.Clock.Advance(time.Hour)
	made := must[*backup.Made](t)(c.command(target, 10*time.Second).Once(t.Context(), false))
	if err := c.api.BackupEnded(t.Context(), backup.MediaType, made.Text); err != nil {
		t.Fatal(err)
	}
	for _, d := range c.due() { // one has ended, the other one not
		if ended := d.Backup == made.Manifest.Backup; ended != (d.Every == 0) || ended != (d.By == 0) {
			t.Errorf("%s: %+v", made.Manifest.Backup, d)
		}
	}
}

// A file of the data directory that can't be read is said to be so, and backups are watched from their
// next round on.
func TestADamagedWatch(t *testing.T) {
	c := newCommanded(t)
	if err := os.WriteFile(filepath.Join(c.data, "backup-watch.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := backup.NewWatch(c.data, c.Clock.Now)
	if err == nil || !strings.Contains(err.Error(), "backup-watch.json") {
		t.Errorf("%v", err)
	}
	c.watch = w
	if err := w.Goes(t.Context(), "0123456789abcdef", time.Second, -1); err != nil || len(w.Due(t.Context(), nil, time.Time{})) != 1 {
		t.Errorf("%v, %+v", err, w.Due(t.Context(), nil, time.Time{}))
	}
	again := must[*backup.Watch](t)(backup.NewWatch(c.data, c.Clock.Now))
	if due := again.Due(t.Context(), nil, time.Time{}); len(due) != 1 || due[0].Name() != "01234567" || !strings.Contains(due[0].Detail(), "backup --end") {
		t.Errorf("%+v", due)
	}
}

// A client that asks for an interval or an age that can't be is told so.
func TestIntervalsOfCommandsAreChecked(t *testing.T) {
	c := newCommanded(t)
	made := must[*backup.Made](t)(c.command(c.directory(), 0).Once(t.Context(), false))
	for _, x := range []struct{ every, age, want string }{
		{"soon", "", "every must be 1s to 1h"}, {"2h", "", "every must be 1s to 1h"}, {"10s", "-1s", "age must be a duration"}, {"10s", "old", "age must be a duration"},
	} {
		_, err := c.api.Backup(t.Context(), backup.MediaType, made.Text, url.Values{"every": {x.every}, "age": {x.age}})
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("every %q, age %q: %v", x.every, x.age, err)
		}
	}
	if due := c.due(); len(due) != 0 {
		t.Errorf("watched: %+v", due)
	}
}

// A backup over the API goes on after the key was replaced, with a full export under the next one.
func TestACommandGoesOnAfterItsKeyWasReplaced(t *testing.T) {
	c := newCommanded(t)
	target := c.directory()
	c.rounds(c.command(target, 10*time.Second), 2)
	if changed := must[bool](t)(backup.RotateKey(c.maker.Secrets)); !changed {
		t.Fatal("there is no key to replace")
	}
	c.writes()
	made := must[*backup.Made](t)(c.command(target, 10*time.Second).Once(t.Context(), false))
	if made.Manifest.Generation != 2 {
		t.Errorf("generation %d goes on", made.Manifest.Generation)
	}
}
