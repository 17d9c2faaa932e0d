package instance

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// A directory from which the recess was removed does not look healthy: the alarm names the lost
// engram, it is engraved again from the store, and the alarm ends.
func TestDirectoryWithoutItsRecess(t *testing.T) {
	dir, clock := t.TempDir(), clockAt(now)
	o := options(dir)
	o.Source = clock.now
	in := open(t, o)
	id := remember(t, in, "Mira is allergic to walnuts.")
	live(t, in, "walnuts", 5, clock)
	if v := read(t, in, id); v.State.Tier != graph.L3 {
		t.Fatalf("it is not engraved: %s", v.State.Tier)
	}
	shut(t, in)
	if err := os.RemoveAll(filepath.Join(dir, "recess")); err != nil {
		t.Fatal(err)
	}
	in = open(t, o)
	defer shut(t, in)
	refresh := func() (active []engine.Alarm) {
		t.Helper()
		clock.advance(time.Minute)
		if err := in.Engine.RefreshHealth(t.Context()); err != nil {
			t.Fatal(err)
		}
		active, err := in.Engine.Alarms(t.Context(), engine.Loopback(), engine.AlarmInput{})
		if err != nil {
			t.Fatal(err)
		}
		return active
	}
	if all := refresh(); len(all) != 1 || all[0].Indicator != "checksum_failures" {
		t.Errorf("without the recess: %+v", all)
	}
	if all := refresh(); len(all) > 0 {
		t.Errorf("afterwards: %+v", all)
	}
	if v := read(t, in, id); v.Content != "Mira is allergic to walnuts." || v.Unavailable != nil {
		t.Errorf("the engram was not made again: %q, %v", v.Content, v.Unavailable)
	}
}
