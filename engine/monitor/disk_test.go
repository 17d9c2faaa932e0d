package monitor_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// smallStore is a store on a disk with as much free space as a test says.
type smallStore struct {
	*slowStore
	free atomic.Uint64 // of a limit of 100
}

func (s *smallStore) Space() (free, limit uint64, err error) { return s.free.Load(), 100, nil }

// setFree sets the free space. Below the limit the store refuses writes.
func (s *smallStore) setFree(free uint64) {
	s.free.Store(free)
	s.refuse(free < 100)
}

func onSmallDisk(t *testing.T, change func(*engine.Options)) (*enginetest.World, *smallStore) {
	t.Helper()
	base, err := enginetest.OpenStore(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = base.Close() })
	s := &smallStore{slowStore: &slowStore{Store: base}}
	s.setFree(1000)
	return enginetest.With(t, enginetest.Options{Store: s, Change: change}), s
}

// With space again for writes, and little of it, the alarm says no longer that writes are refused.
func TestDiskAlarmSaysWhatHolds(t *testing.T) {
	w, s := onSmallDisk(t, func(*engine.Options) {})
	refresh(w)
	wantActive(w, "with space", "")
	s.setFree(50)
	refresh(w)
	wantActive(w, "on a full disk", "disk_free/CRITICAL/REFUSE_WRITES")
	id := idOf(w, alarm.DiskFree)
	s.setFree(150)
	refresh(w)
	wantActive(w, "with some space", "disk_free/WARNING/")
	if again := idOf(w, alarm.DiskFree); again != id {
		t.Errorf("the id was %s and is %s", id, again)
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	wantActive(w, "after a restart", "disk_free/WARNING/")
	s.setFree(1000)
	refresh(w)
	wantActive(w, "with space again", "")
}

// An alarm that the store could not take goes on after a restart, with its id, and the store has it when there is space.
func TestDiskAlarmGoesOnAfterARestart(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "alarms.json")
	w, s := onSmallDisk(t, func(o *engine.Options) { o.Monitor.Kept = kept })
	refresh(w)
	s.setFree(50)
	refresh(w)
	id := idOf(w, alarm.DiskFree)
	restart := func(when, want string) {
		t.Helper()
		if err := w.Restart(); err != nil {
			t.Fatal(err)
		}
		wantActive(w, when, want)
		refresh(w)
		wantActive(w, when+", at the next reading", want)
		if want != "" && idOf(w, alarm.DiskFree) != id {
			t.Errorf("%s: the id was %s and is %s", when, id, idOf(w, alarm.DiskFree))
		}
	}
	restart("on the full disk", "disk_free/CRITICAL/REFUSE_WRITES")
	s.setFree(150)
	refresh(w)
	if _, err := os.Stat(kept); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
	restart("with some space", "disk_free/WARNING/")
	s.setFree(1000)
	s.refuse(true)
	refresh(w)
	restart("an end that was not stored", "")
	s.refuse(false)
	refresh(w)
	all, err := w.Alarms(t.Context(), w.Caller, engine.AlarmInput{Ended: true})
	if err != nil || len(all) != 1 || all[0].ID != id || all[0].Active() {
		t.Errorf("%+v, %v", all, err)
	}
	for _, damage := range []string{"{", `[{"id":"x"}]`} {
		if err := os.WriteFile(kept, []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		restart("with "+damage, "")
	}
}

// The alarm of a full disk does not wait for the next refresh.
func TestFullDiskIsSeenBetweenRefreshes(t *testing.T) {
	w, s := onSmallDisk(t, func(o *engine.Options) {
		o.Store.(*smallStore).setFree(150)
		o.Monitor.Interval = time.Hour
	})
	events, err := w.AlarmEvents(t.Context(), w.Caller)
	if err != nil {
		t.Fatal(err)
	}
	if e := <-events; e.Change != alarm.Began || e.Alarm.Indicator != alarm.DiskFree || e.Alarm.Severity != alarm.Warning {
		t.Fatalf("the refresh of the start: %+v", e)
	}
	s.setFree(50)
	if e := <-events; e.Change != alarm.Changed || e.Alarm.Indicator != alarm.DiskFree || e.Alarm.Severity != alarm.Critical {
		t.Errorf("%+v", e)
	}
}

// The alarm of a full disk waits neither for a refresh that hangs on a slow store nor for the store to take it.
func TestFullDiskIsSeenWhileARefreshHangs(t *testing.T) {
	notified := make(chan alarm.Event, 10)
	kept := filepath.Join(t.TempDir(), "alarms.json")
	w, s := onSmallDisk(t, func(o *engine.Options) {
		o.Store.(*smallStore).setFree(150)
		o.Monitor.Interval = time.Hour
		o.Monitor.Kept = kept
		o.Monitor.Notify = func(_ graph.Tenant, e alarm.Event) { notified <- e }
	})
	next := func(when string, severity alarm.Severity) {
		t.Helper()
		select {
		case e := <-notified:
			if e.Alarm.Indicator != alarm.DiskFree || e.Alarm.Severity != severity {
				t.Fatalf("%s: %+v", when, e)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%s: there is no alarm", when)
		}
	}
	next("the refresh of the start", alarm.Warning)
	hangs, release := make(chan struct{}), make(chan struct{})
	var once, end sync.Once
	s.set(func() { once.Do(func() { close(hangs) }); <-release }, func() { <-release })
	refreshed := make(chan error, 1)
	go func() { refreshed <- w.RefreshHealth(t.Context()) }()
	goOn := func() { end.Do(func() { close(release) }) }
	t.Cleanup(goOn)
	<-hangs
	s.setFree(50)
	next("while the refresh hangs", alarm.Critical)
	if text, err := os.ReadFile(kept); err != nil || !strings.Contains(string(text), "CRITICAL") {
		t.Errorf("the file of alarms that are not stored has %q, %v", text, err)
	}
	s.setFree(1000) // the refresh takes what holds when it ends
	goOn()
	if err := <-refreshed; err != nil {
		t.Fatal(err)
	}
	wantActive(w, "with space again", "")
}

// An indicator of the server and of the tenant is one figure.
func TestEachFigureIsListedOnce(t *testing.T) {
	w := with(t, func(*engine.Options) {})
	w.Remember("The sluice gate opens at low tide.")
	refresh(w)
	h, err := w.Health(t.Context(), w.Caller)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, f := range h.Figures {
		seen[f.Name+"/"+f.Subject]++
	}
	for name, n := range seen {
		if n != 1 {
			t.Errorf("%s is listed %d times", name, n)
		}
	}
	if seen[alarm.OlderData+"/"] != 1 {
		t.Error("older_data is not listed")
	}
}
