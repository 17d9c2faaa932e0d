package schedule_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/engine/schedule"
)

func TestNightlySleepTime(t *testing.T) {
	vienna, err := time.LoadLocation("Europe/Vienna")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ zone, after, want string }{
		{"UTC", "2026-03-02T01:59:59Z", "2026-03-02T02:00:00Z"},
		{"UTC", "2026-03-02T02:00:00Z", "2026-03-03T02:00:00Z"},
		{"UTC", "2026-12-31T09:00:00Z", "2027-01-01T02:00:00Z"},
		{"Vienna", "2026-01-10T12:00:00Z", "2026-01-11T01:00:00Z"},
		{"Vienna", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"}, // 02:00 does not exist on that date
		{"Vienna", "2026-03-29T12:00:00Z", "2026-03-30T00:00:00Z"},
	} {
		a := schedule.Automatic{Hour: 2}.WithDefaults()
		if x.zone == "Vienna" {
			a.Zone = vienna
		}
		after, err := time.Parse(time.RFC3339, x.after)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.NextAt(after).Format(time.RFC3339); got != x.want {
			t.Errorf("%s after %s: %s, want %s", x.zone, x.after, got, x.want)
		}
	}
}

func TestCauseFiresOnRisingEdge(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	edges := map[string]schedule.Firing{}
	look := func(level int) bool {
		start, _ := schedule.FirstToFire([]schedule.Cause{{Name: "pressure", Threshold: 100, Level: level}}, edges, now)
		return start >= 0
	}
	for _, x := range []struct {
		name  string
		later time.Duration
		level int
		want  bool
	}{
		{"below", 0, 99, false},
		{"at the threshold", time.Minute, 100, true},
		{"again at once", time.Minute, 200, false},
		{"after an hour, no growth", time.Hour, 109, false},
		{"after an hour, grown by a tenth", time.Minute, 110, true},
		{"falls", 2 * time.Hour, 50, false},
		{"rises again", time.Minute, 100, true},
	} {
		now = now.Add(x.later)
		if got := look(x.level); got != x.want {
			t.Errorf("%s: %v", x.name, got)
		}
	}
}

// Two sleeps for one cause are at least an hour apart, at any levels.
func TestCauseWaitsBetweenFirings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now, fired := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), time.Time{}
		edges := map[string]schedule.Firing{}
		for range 50 {
			now = now.Add(time.Duration(rapid.IntRange(1, 90).Draw(t, "minutes")) * time.Minute)
			level := rapid.IntRange(0, 300).Draw(t, "level")
			start, _ := schedule.FirstToFire([]schedule.Cause{{Name: "asked", Threshold: 100, Level: level}}, edges, now)
			if start < 0 {
				continue
			}
			if level < 100 || (!fired.IsZero() && now.Sub(fired) < time.Hour) {
				t.Fatalf("fired at level %d, %v after the last time", level, now.Sub(fired))
			}
			fired = now
		}
	})
}
