package instance

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// The machine's clock jumps forward a day, and then back to before the start: writes are acknowledged,
// corrections win, the history is in order, health tells it, and a restart changes nothing. Nothing
// expires before the machine has caught up.
func TestClockJumpsForwardAndBack(t *testing.T) {
	dir, clock := t.TempDir(), clockAt(now)
	o := options(dir)
	o.SimulatedClock, o.Source = false, clock.now
	in := open(t, o)
	first := remember(t, in, "Mira lives in Bruges.")
	clock.advance(24 * time.Hour)
	second := remember(t, in, "The winch sticks again.")
	clock.advance(-25 * time.Hour)
	check := func(when string) {
		t.Helper()
		if got := alarmsOf(t, in); got != "clock_ahead/CRITICAL" {
			t.Errorf("%s: alarms %q", when, got)
		}
		h, err := in.Engine.Health(t.Context(), engine.Loopback())
		if err != nil || h.Status != "CRITICAL" || !strings.Contains(h.Reason, "lead over the machine's is 25h0m0s") || !strings.Contains(h.Reason, "Nothing expires or fades") {
			t.Errorf("%s: %s, %q, %v", when, h.Status, h.Reason, err)
		}
	}
	check("back")
	third := remember(t, in, "The heron nests by the lock.")
	r, err := in.Engine.Supersede(t.Context(), engine.Loopback(), engine.SupersedeInput{ID: first, Content: "Mira lives in Ghent."})
	if err != nil {
		t.Fatal(err)
	}
	ttl := 3600
	mortal, err := in.Engine.Remember(t.Context(), engine.Loopback(), engine.RememberInput{Content: "The gate is open for an hour.", Consent: graph.ConsentExplicit, TTLSeconds: &ttl})
	if err != nil {
		t.Fatal(err)
	}
	shut(t, in)
	in = open(t, o)
	defer func() { shut(t, in) }()
	check("after a restart")
	if v := read(t, in, first); v.State.Status == graph.Active {
		t.Errorf("the former statement is %s", v.State.Status)
	}
	if v := read(t, in, r.Memory.ID); v.State.Status != graph.Active || v.RecordedAt.Before(read(t, in, first).RecordedAt) {
		t.Errorf("the correction: %+v", v.State)
	}
	for _, id := range []graph.ID{second, third, mortal.Memory.ID} {
		if v := read(t, in, id); v.State.Status != graph.Active {
			t.Errorf("%s is %s", v.Content, v.State.Status)
		}
	}
	clock.advance(25*time.Hour + 2*time.Hour)
	if got := alarmsOf(t, in); got != "" {
		t.Errorf("reached: %q", got)
	}
	if v := read(t, in, mortal.Memory.ID); v.State.Status != graph.Expired {
		t.Errorf("two hours later the mortal one is %s", v.State.Status)
	}
}
