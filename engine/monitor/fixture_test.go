package monitor_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// refresh reads the indicators of a world after a minute.
func refresh(w *enginetest.World) {
	w.T.Helper()
	w.Clock.Advance(time.Minute)
	if err := w.RefreshHealth(w.T.Context()); err != nil {
		w.T.Fatal(err)
	}
}

// active lists the active alarms as indicator/severity/action, in order.
func active(w *enginetest.World) string {
	w.T.Helper()
	all, err := w.Alarms(w.T.Context(), w.Caller, engine.AlarmInput{})
	if err != nil {
		w.T.Fatal(err)
	}
	var out []string
	for _, a := range all {
		out = append(out, a.Indicator+"/"+string(a.Severity)+"/"+string(a.Action))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// wantActive compares the active alarms.
func wantActive(w *enginetest.World, when, want string) {
	w.T.Helper()
	if got := active(w); got != want {
		w.T.Fatalf("%s: %q, want %q", when, got, want)
	}
}

// idOf returns the id of the active alarm of an indicator.
func idOf(w *enginetest.World, indicator string) graph.ID {
	w.T.Helper()
	all, err := w.Alarms(w.T.Context(), w.Caller, engine.AlarmInput{})
	if err != nil {
		w.T.Fatal(err)
	}
	for _, a := range all {
		if a.Indicator == indicator {
			return a.ID
		}
	}
	w.T.Fatalf("no alarm of %s is active", indicator)
	return ""
}

// reset ends the alarm of an indicator by hand.
func reset(w *enginetest.World, indicator string) {
	w.T.Helper()
	if _, err := w.ResetAlarm(w.T.Context(), w.Caller, idOf(w, indicator)); err != nil {
		w.T.Fatal(err)
	}
}

// canary reports a result of the canary and refreshes.
func canary(w *enginetest.World, figures map[string]float64) {
	w.T.Helper()
	if err := w.ReportCanary(w.T.Context(), engine.CanaryResult{At: w.Clock.Now(), Figures: figures}); err != nil {
		w.T.Fatal(err)
	}
	refresh(w)
}

// source is a source whose reading a test sets.
type source struct{ reading *alarm.Reading }

func (s *source) read(context.Context, time.Time) []alarm.Reading {
	if s.reading == nil {
		return nil
	}
	return []alarm.Reading{*s.reading}
}

// with builds a world with options of the monitor.
func with(t *testing.T, change func(*engine.Options)) *enginetest.World {
	return enginetest.With(t, enginetest.Options{Change: change})
}
