package clock

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var start = time.Date(2026, 2, 19, 12, 0, 0, 0, time.UTC)

// hand is a source that tests move.
type hand struct{ t time.Time }

func (h *hand) now() time.Time { return h.t }

func TestClockNeverRunsBackwards(t *testing.T) {
	h := &hand{start}
	c := New(h.now, time.Time{})
	if got := c.Now(); !got.Equal(start) {
		t.Fatalf("Now = %s, want %s", got, start)
	}
	h.t = start.Add(-time.Hour)
	if got := c.Now(); !got.Equal(start) {
		t.Errorf("after the source stepped back Now = %s, want it to stand at %s", got, start)
	}
	h.t = start.Add(time.Second)
	if got := c.Now(); !got.Equal(start.Add(time.Second)) {
		t.Errorf("Now = %s, want the source again", got)
	}
}

func TestClockStandsAtItsFloor(t *testing.T) {
	h := &hand{start}
	floor := start.Add(time.Hour)
	c := New(h.now, floor)
	if got := c.Now(); !got.Equal(floor) {
		t.Errorf("Now = %s, want the floor %s", got, floor)
	}
	h.t = floor.Add(time.Minute)
	if got := c.Now(); !got.Equal(h.t) {
		t.Errorf("Now = %s, want %s", got, h.t)
	}
}

func TestNowIsUTC(t *testing.T) {
	h := &hand{start.In(time.FixedZone("here", 3600))}
	if got := New(h.now, time.Time{}).Now(); got.Location() != time.UTC {
		t.Errorf("location = %s, want UTC", got.Location())
	}
}

func TestAdvanceTicksAndOutlivesARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock.json")
	h := &hand{start}
	c, err := OpenSimulated(path, h.now, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Advance(30 * 24 * time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if want := start.AddDate(0, 0, 30); !got.Equal(want) || !c.Now().Equal(want) {
		t.Fatalf("Advance = %s, Now = %s, want %s", got, c.Now(), want)
	}
	h.t = start.Add(5 * time.Second) // it ticks
	if want := start.AddDate(0, 0, 30).Add(5 * time.Second); !c.Now().Equal(want) {
		t.Errorf("Now = %s, want %s", c.Now(), want)
	}
	again, err := OpenSimulated(path, h.now, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if !again.Now().Equal(c.Now()) {
		t.Errorf("after a restart Now = %s, want %s", again.Now(), c.Now())
	}
}

func TestAdvanceByZeroAnswersNow(t *testing.T) {
	h := &hand{start}
	c, err := OpenSimulated(filepath.Join(t.TempDir(), "clock.json"), h.now, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Advance(0)
	if err != nil || !got.Equal(start) {
		t.Errorf("Advance(0) = %s, %v, want %s", got, err, start)
	}
}

func TestAdvanceRefusesBackwardsAndTooFar(t *testing.T) {
	h := &hand{start}
	c, err := OpenSimulated(filepath.Join(t.TempDir(), "clock.json"), h.now, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Advance(-time.Second); !errors.Is(err, ErrBackwards) {
		t.Errorf("Advance(-1s) error = %v, want ErrBackwards", err)
	}
	if _, err := c.Advance(MaxOffset); err != nil {
		t.Errorf("Advance(MaxOffset) error = %v", err)
	}
	if _, err := c.Advance(time.Hour); !errors.Is(err, ErrTooFar) {
		t.Errorf("Advance beyond MaxOffset error = %v, want ErrTooFar", err)
	}
	if want := start.Add(MaxOffset); !c.Now().Equal(want) {
		t.Errorf("Now = %s, want %s: a refused move must not move", c.Now(), want)
	}
}

// The store may have been written with a clock further ahead than this one.
func TestSimulatedIsNeverBehindWhatWasRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock.json")
	h := &hand{start}
	floor := start.Add(90 * 24 * time.Hour)
	c, err := OpenSimulated(path, h.now, floor)
	if err != nil {
		t.Fatal(err)
	}
	if c.Now().Before(floor) {
		t.Fatalf("Now = %s, behind the floor %s", c.Now(), floor)
	}
	h.t = start.Add(time.Minute)
	if want := floor.Add(time.Minute); !c.Now().Equal(want) {
		t.Errorf("Now = %s, want %s: it ticks from the floor", c.Now(), want)
	}
	again, err := OpenSimulated(path, h.now, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if !again.Now().Equal(c.Now()) {
		t.Errorf("after a restart Now = %s, want %s", again.Now(), c.Now())
	}
}

// When the wall clock steps back, the clock stands still. An advance then counts from there.
func TestAdvanceCountsFromWhereAHeldClockStands(t *testing.T) {
	h := &hand{start}
	c, err := OpenSimulated(filepath.Join(t.TempDir(), "clock.json"), h.now, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	c.Now()
	h.t = start.Add(-time.Hour)
	got, err := c.Advance(time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if want := start.Add(time.Minute); !got.Equal(want) {
		t.Errorf("Advance = %s, want %s", got, want)
	}
}

func TestADamagedOffsetIsSaidSo(t *testing.T) {
	for name, content := range map[string]string{
		"not JSON":   "half a fi",
		"no unit":    `{"offset":"12"}`,
		"backwards":  `{"offset":"-1h"}`,
		"far beyond": `{"offset":"2000000h"}`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "clock.json")
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := OpenSimulated(path, (&hand{start}).now, time.Time{})
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "damaged") {
				t.Errorf("error = %v, want one that names %s as damaged", err, path)
			}
		})
	}
}

func TestAnAdvanceThatCannotBeKeptDoesNotHappen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	h := &hand{start}
	c, err := OpenSimulated(filepath.Join(dir, "clock.json"), h.now, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Advance(time.Hour); err == nil {
		t.Fatal("Advance without a directory to write to gave no error")
	}
	if !c.Now().Equal(start) {
		t.Errorf("Now = %s, want %s", c.Now(), start)
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestReachIsOnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(time.Now, time.Time{})
		at := c.Now().Add(30 * time.Minute)
		reached, stop := c.Reach(at)
		defer stop()
		<-reached
		if late := c.Now().Sub(at); late < 0 || late > time.Millisecond {
			t.Errorf("reached %s after its instant", late)
		}
		past, stop := c.Reach(at)
		defer stop()
		<-past
		if !c.Now().Equal(at) {
			t.Error("an instant that is reached was waited for")
		}
	})
}

// The machine's clock is set: forward it is noticed at the next look, back it is waited for.
func TestReachFollowsTheSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var offset atomic.Int64 // nanoseconds; a timer reads it
		c := New(func() time.Time { return time.Now().Add(time.Duration(offset.Load())) }, time.Time{})
		at := c.Now().Add(time.Hour)
		reached, stop := c.Reach(at)
		defer stop()
		offset.Store(int64(-30 * time.Second))
		time.Sleep(time.Hour)
		if synctest.Wait(); closed(reached) {
			t.Error("reached before its instant")
		}
		offset.Store(0)
		time.Sleep(recheck)
		if synctest.Wait(); !closed(reached) {
			t.Error("not noticed")
		}
	})
}

func TestAdvanceReaches(t *testing.T) {
	h := &hand{start}
	c, err := OpenSimulated(filepath.Join(t.TempDir(), "clock.json"), h.now, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	near, stop := c.Reach(start.Add(time.Hour))
	defer stop()
	far, stop := c.Reach(start.Add(time.Hour + time.Millisecond))
	defer stop()
	ended, stop := c.Reach(start.Add(time.Minute))
	stop()
	stop()
	if _, err := c.Advance(time.Hour); err != nil {
		t.Fatal(err)
	}
	if !closed(near) || closed(far) || closed(ended) {
		t.Errorf("near %v, far %v, ended %v", closed(near), closed(far), closed(ended))
	}
}
