package backup_test

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/s3test"
)

// guarded is an engine that watches the age of its backup.
type guarded struct {
	*enginetest.World
	runner *backup.Runner
}

// guard makes an engine whose store a runner backs up to a target.
func guard(t *testing.T, target func(*guarded) backup.Target) *guarded {
	t.Helper()
	g := &guarded{}
	g.World = enginetest.With(t, enginetest.Options{Change: func(o *engine.Options) {
		o.Monitor.Sources = []engine.MonitorSource{func(_ context.Context, now time.Time) []engine.AlarmReading {
			return []engine.AlarmReading{{Indicator: engine.IndicatorBackupAge, Value: g.runner.Status().Age(now, enginetest.Start).Seconds()}}
		}}
	}})
	maker := &backup.Maker{Store: g.Store, ID: storeID, Secrets: newSecrets(), Now: g.Clock.Now, Random: rand.Reader}
	g.runner = backup.NewRunner(backup.Options{Source: maker, Target: target(g), Now: g.Clock.Now})
	return g
}

// alarm refreshes the indicators and describes the alarm of the backup; empty: there is none.
func (g *guarded) alarm() (text string, id graph.ID) {
	g.T.Helper()
	if err := g.RefreshHealth(g.T.Context()); err != nil {
		g.T.Fatal(err)
	}
	all := must[[]engine.Alarm](g.T)(g.Alarms(g.T.Context(), g.Caller, engine.AlarmInput{}))
	for _, a := range all {
		if a.Indicator == engine.IndicatorBackupAge {
			return string(a.Severity) + "/" + string(a.Action), a.ID
		}
	}
	return "", ""
}

func (g *guarded) wantAlarm(when, want string) {
	g.T.Helper()
	if got, _ := g.alarm(); got != want {
		g.T.Fatalf("%s: %q, want %q", when, got, want)
	}
}

// round tries a round, which must end well or not.
func (g *guarded) round(well bool) {
	g.T.Helper()
	if _, err := g.runner.Once(g.T.Context(), false); (err == nil) != well {
		g.T.Fatalf("a round: %v", err)
	}
}

// writes reports whether a memory can be written.
func (g *guarded) writes() bool {
	g.T.Helper()
	_, err := g.Engine.Remember(g.T.Context(), g.Caller, engine.RememberInput{Content: "The ferry leaves at " + g.Clock.Now().String(), Consent: graph.ConsentExplicit})
	if err != nil && graph.CodeOf(err) != graph.CodeUnavailable {
		g.T.Fatal(err)
	}
	return err == nil
}

// stopAndReturn lets the target of a backup go away: first a warning, then writes halt, until the
// target is back, a round ended well and a person has ended the alarm.
func (g *guarded) stopAndReturn(away, back func()) {
	g.T.Helper()
	g.writes()
	g.round(true)
	g.wantAlarm("backed up", "")
	away()
	g.Clock.Advance(5*time.Minute + time.Second)
	g.round(false)
	g.wantAlarm("away for five minutes", "WARNING/")
	if !g.writes() {
		g.T.Error("a warning halts writes")
	}
	g.Clock.Advance(5 * time.Minute)
	g.round(false)
	g.wantAlarm("away for ten minutes", "CRITICAL/HALT_WRITES")
	if g.writes() {
		g.T.Error("writes go on without a backup")
	}
	back()
	g.round(true)
	g.wantAlarm("a round alone ends nothing", "CRITICAL/HALT_WRITES")
	_, id := g.alarm()
	if _, err := g.ResetAlarm(g.T.Context(), g.Caller, id); err != nil {
		g.T.Fatal(err)
	}
	g.wantAlarm("ended", "")
	if !g.writes() {
		g.T.Error("writes are halted after the reset")
	}
}

// The directory of a backup is exchanged for a file, as when a disk is taken away.
func TestAMissingDirectoryHaltsWrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "backup")
	g := guard(t, func(*guarded) backup.Target { return must[backup.Target](t)(backup.Directory(dir, true)) })
	g.stopAndReturn(func() {
		if err := errors.Join(os.Rename(dir, dir+".away"), os.WriteFile(dir, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}, func() {
		if err := errors.Join(os.Remove(dir), os.Rename(dir+".away", dir)); err != nil {
			t.Fatal(err)
		}
	})
}

// The server of a bucket stops.
func TestAStoppedBucketHaltsWrites(t *testing.T) {
	server := s3test.Start(t)
	g := guard(t, func(*guarded) backup.Target {
		return must[backup.Target](t)(backup.OpenTarget(t.Context(), "s3://"+s3test.Bucket+"/age", s3(server), true))
	})
	g.stopAndReturn(server.Stop, server.Restart)
}

// slowTarget calls before for every object.
type slowTarget struct {
	backup.Target
	before func(name string) error
}

func (s *slowTarget) Put(ctx context.Context, name string, b []byte) error {
	if err := s.before(name); err != nil {
		return err
	}
	return s.Target.Put(ctx, name, b)
}

// A first full export that takes longer than a backup may be old halts no writes while it advances,
// and halts them when it does not.
func TestALongFirstExportHaltsNoWrites(t *testing.T) {
	objects := 0
	g := guard(t, func(g *guarded) backup.Target {
		return &slowTarget{must[backup.Target](t)(backup.Directory(t.TempDir(), true)), func(name string) error {
			if !strings.HasSuffix(name, ".seg") {
				return nil
			}
			objects++
			g.Clock.Advance(4 * time.Minute)
			g.wantAlarm("an export that advances", "")
			return nil
		}}
	})
	fill(t, g.Store, 3000) // 14 MB of lines
	g.round(true)
	if took := g.Clock.Now().Sub(enginetest.Start); took < 11*time.Minute {
		t.Fatalf("%d objects in %v", objects, took)
	}
	g.wantAlarm("exported", "")
	g.round(true)
	g.wantAlarm("the segment after it", "")
	g.Clock.Advance(11 * time.Minute)
	g.wantAlarm("no segments after it", "CRITICAL/HALT_WRITES")

	g = guard(t, func(g *guarded) backup.Target {
		return &slowTarget{must[backup.Target](t)(backup.Directory(t.TempDir(), true)), func(string) error {
			if objects++; objects == 3 {
				return errTarget
			}
			g.Clock.Advance(time.Minute)
			return nil
		}}
	})
	fill(t, g.Store, 3000)
	halted := false
	for range 10 { // every try stores two objects
		objects = 0
		g.round(false)
		text, _ := g.alarm()
		halted = text == "CRITICAL/HALT_WRITES"
	}
	if !halted {
		t.Error("an export that fails at one place again and again does not halt writes")
	}
}

// The detail of the alarm says what the last try failed with, on one line and not without end.
func TestTheAgeCarriesTheLastError(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "backup")
	g := guard(t, func(*guarded) backup.Target { return must[backup.Target](t)(backup.Directory(dir, true)) })
	detail := func() string { return g.runner.Due(g.Clock.Now(), enginetest.Start).Detail() }
	g.round(true)
	if got := detail(); got != "" {
		t.Errorf("backed up: %q", got)
	}
	if err := errors.Join(os.Rename(dir, dir+".away"), os.WriteFile(dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	g.round(false)
	if got := detail(); !strings.HasPrefix(got, "the last try failed: ") || !strings.HasSuffix(got, "the target is not a directory") || strings.Contains(got, dir) {
		t.Errorf("%q", got)
	}
	if err := errors.Join(os.Remove(dir), os.Rename(dir+".away", dir)); err != nil {
		t.Fatal(err)
	}
	g.round(true)
	if got := detail(); got != "" {
		t.Errorf("back: %q", got)
	}
	if got := (backup.Due{Failed: "no\nroom " + strings.Repeat("é", 400)}).Detail(); strings.Contains(got, "\n") || len(got) > 350 || !strings.HasPrefix(got, "the last try failed: no room é") {
		t.Errorf("%q", got)
	}
}
