package alarm

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// sharing is a store with the servers on it.
type sharing struct {
	stored  map[graph.ID]Alarm
	servers [2]State
	now     time.Time
	id      func() graph.ID
}

// refresh lets a server agree with the store and take in a reading, and returns the events that it tells.
func (w *sharing) refresh(server int, age float64) string {
	w.now = w.now.Add(30 * time.Second)
	s := &w.servers[server]
	foreign, own := s.Agree(slices.Collect(func(yield func(Alarm) bool) {
		for _, a := range w.stored {
			if !yield(a) {
				return
			}
		}
	}), w.now)
	own = append(own, s.Step([]Reading{{Indicator: BackupAge, Value: age}}, w.now, w.id)...)
	w.store(own)
	return texts(append(foreign, own...))
}

func (w *sharing) store(events []Event) {
	for _, e := range events {
		w.stored[e.Alarm.ID] = e.Alarm
	}
}

func texts(events []Event) string {
	var out []string
	for _, e := range events {
		out = append(out, fmt.Sprintf("%s/%s", e.Change, e.Alarm.Severity))
	}
	return strings.Join(out, " ")
}

// want compares what a refresh tells, and that all servers have the same alarms if the last was the other
// one's.
func (w *sharing) want(t *testing.T, when string, server int, age float64, want string) {
	t.Helper()
	if got := w.refresh(server, age); got != want {
		t.Errorf("%s: server %d tells %q, want %q", when, server, got, want)
	}
	if len(w.servers[server].Active) > 1 {
		t.Errorf("%s: %+v", when, w.servers[server].Active)
	}
}

// Servers on one store have one alarm: each takes over its begin, its change and its end from the other.
func TestServersAgree(t *testing.T) {
	w := &sharing{stored: map[graph.ID]Alarm{}, now: start, id: ids()}
	w.want(t, "healthy", 0, 10, "")
	w.want(t, "healthy", 1, 10, "")
	w.want(t, "late", 0, 310, "BEGAN/WARNING")
	w.want(t, "late", 1, 310, "BEGAN/WARNING")
	if w.servers[0].Active[0] != w.servers[1].Active[0] || len(w.stored) != 1 {
		t.Errorf("two alarms: %+v", w.stored)
	}
	w.want(t, "stopped", 1, 610, "CHANGED/CRITICAL")
	w.want(t, "stopped", 0, 610, "CHANGED/CRITICAL")
	e, _ := w.servers[0].Reset(w.servers[0].Active[0].ID, "ada", w.now)
	w.store([]Event{e})
	w.want(t, "ended by hand at the other server", 1, 620, "ENDED/CRITICAL")
	w.want(t, "acknowledged", 0, 650, "")
	w.want(t, "acknowledged", 1, 650, "")
	w.want(t, "it goes on", 1, 5, "")
	w.want(t, "stopped again", 1, 310, "BEGAN/WARNING")
	w.want(t, "it goes on, before the other server has read", 1, 5, "ENDED/WARNING")
	w.want(t, "it goes on", 0, 5, "")
	w.want(t, "stopped a third time", 1, 700, "BEGAN/CRITICAL")
	e, _ = w.servers[1].Reset(w.servers[1].Active[0].ID, "ada", w.now)
	w.store([]Event{e})
	w.want(t, "begun and ended by hand between two readings", 0, 710, "")
	w.servers[0] = Restore(nil)
	w.want(t, "a server that starts later has acknowledged nothing", 0, 720, "BEGAN/CRITICAL")
}

// Two servers that raise an alarm before either is stored keep the older one.
func TestServersThatRaiseAtOnceKeepOne(t *testing.T) {
	w := &sharing{stored: map[graph.ID]Alarm{}, now: start, id: ids()}
	first := w.servers[0].Step([]Reading{{Indicator: BackupAge, Value: 400}}, start, w.id)
	w.store(w.servers[1].Step([]Reading{{Indicator: BackupAge, Value: 400}}, start.Add(time.Second), w.id))
	w.store(first)
	w.want(t, "the newer", 1, 400, "BEGAN/WARNING ENDED/WARNING")
	w.want(t, "the older", 0, 400, "")
	if a, b := w.servers[0].Active, w.servers[1].Active; len(a) != 1 || len(b) != 1 || a[0] != b[0] || a[0].ID != first[0].Alarm.ID {
		t.Errorf("%+v, %+v", a, b)
	}
}

// Alarms of indicators that each server reads by itself stay its own.
func TestOnlySharedAlarmsAreTakenOver(t *testing.T) {
	var s State
	foreign, own := s.Agree([]Alarm{{ID: "alarm-1", Indicator: EmbedLatency, Severity: Warning, Since: start}}, start)
	if len(foreign)+len(own)+len(s.Active) != 0 {
		t.Errorf("%v, %v, %+v", foreign, own, s.Active)
	}
}
