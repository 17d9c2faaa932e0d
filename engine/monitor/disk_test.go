package monitor_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/enginetest"
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
