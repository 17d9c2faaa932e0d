package instance

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// alarmsOf lists the active alarms of an instance after a refresh.
func alarmsOf(t *testing.T, in *Instance) string {
	t.Helper()
	if err := in.Engine.RefreshHealth(t.Context()); err != nil {
		t.Fatal(err)
	}
	all, err := in.Engine.Alarms(t.Context(), engine.Loopback(), engine.AlarmInput{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, a := range all {
		out = append(out, a.Indicator+"/"+string(a.Severity))
	}
	return strings.Join(out, " ")
}

// The machine's clock jumps back: the engine's stays ahead, which is told until it is reached.
func TestClockJumpRaisesAnAlarm(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	o := options(t.TempDir())
	o.SimulatedClock, o.Source = false, func() time.Time { return now }
	in := open(t, o)
	defer shut(t, in)
	if got := alarmsOf(t, in); got != "" {
		t.Errorf("before: %s", got)
	}
	now = now.Add(-10 * time.Minute)
	if got := alarmsOf(t, in); got != "clock_ahead/WARNING" {
		t.Errorf("after a jump of ten minutes: %q", got)
	}
	now = now.Add(10 * time.Minute)
	if got := alarmsOf(t, in); got != "" {
		t.Errorf("reached: %q", got)
	}
}

// The disk has less space than writes need: reads go on, and the alarm is told though it can't be
// stored.
func TestShortDiskRaisesAnAlarm(t *testing.T) {
	o := options(t.TempDir())
	in := open(t, o)
	if got := alarmsOf(t, in); strings.Contains(got, "CRITICAL") {
		t.Errorf("with space: %q", got)
	}
	shut(t, in)
	o.MinFree = 1 << 50
	in = open(t, o)
	if got := alarmsOf(t, in); got != "disk_free/CRITICAL" {
		t.Errorf("without space: %q", got)
	}
	all, err := in.Engine.Alarms(t.Context(), engine.Loopback(), engine.AlarmInput{})
	if err != nil || len(all) == 0 || all[0].Action != "REFUSE_WRITES" || !strings.Contains(all[0].Message, "Writes and erasures are refused") {
		t.Errorf("the alarm does not say what the server does: %+v, %v", all, err)
	}
	if _, err := in.Engine.Remember(t.Context(), engine.Loopback(), engine.RememberInput{Content: "The kiln fires at 1240 degrees.", Consent: graph.ConsentNone}); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Errorf("a write: %v", err)
	}
	shut(t, in)
	o.MinFree = 0
	in = open(t, o)
	defer shut(t, in)
	if got := alarmsOf(t, in); strings.Contains(got, "disk_free/CRITICAL") {
		t.Errorf("with space again: %q", got)
	}
}
