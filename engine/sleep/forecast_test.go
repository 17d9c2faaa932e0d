package sleep_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

func TestForecastMatchesLaterDecay(t *testing.T) {
	w := enginetest.New(t)
	for i := range 12 {
		w.Remember(fmt.Sprintf("Ana counted %d swans on the quarry lake.", 100+i), func(in *engine.RememberInput) {
			in.Type, in.Session, in.Salience = graph.Episodic, fmt.Sprint(i), fixture.Ptr(float64(i)/12)
			in.Confidence, in.Important, in.Criticality = fixture.Ptr(float64(i)/12), i%4 == 0, fixture.Ptr(float64(i%3)/2)
		})
		w.Clock.Advance(7 * time.Hour)
	}
	w.Remember("The lake is deep.", func(in *engine.RememberInput) { in.SafetyCritical = true })
	w.Remember("The rota of today.", func(in *engine.RememberInput) { in.TTLSeconds = fixture.Ptr(3600) })
	w.Remember("A mood.", func(in *engine.RememberInput) { in.DecayClass, in.User = graph.DecayFast, "ana" })
	forecast := func(days int, user string, first int) []engine.Forecast {
		t.Helper()
		f, err := w.Engine.DecayForecast(t.Context(), w.Caller, days, nil, user, first)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	all := forecast(365, "", 0)
	if len(all) != 13 {
		t.Errorf("%d fade within a year, want all but what never fades and what ends before", len(all))
	}
	for i, f := range all {
		if i > 0 && f.FadesAt.Before(all[i-1].FadesAt) {
			t.Error("not soonest first")
		}
	}
	if f := forecast(365, "ana", 0); len(f) != 1 || f[0].Memory.User != "ana" {
		t.Errorf("of one user: %d", len(f))
	}
	if f := forecast(365, "", 3); len(f) != 3 {
		t.Errorf("the first three are %d", len(f))
	}
	if f := forecast(6, "", 0); len(f) != 1 {
		t.Errorf("%d within 6 days, want the mood", len(f))
	}

	// After that time, the forecast has come true.
	for _, f := range all {
		then := f.FadesAt
		w.Clock.Advance(then.Sub(w.Clock.Now()))
		if got := fixture.MustView(w, f.Memory.ID).Retention; math.Abs(got-0.2) > 1e-4 {
			t.Errorf("%s: retention %v at the predicted instant", f.Memory.Content, got)
		}
	}
	if f := forecast(365, "", 0); len(f) != 0 {
		t.Errorf("%d faded memories are predicted to fade", len(f))
	}
	for _, days := range []int{0, 366} {
		_, err := w.Engine.DecayForecast(t.Context(), w.Caller, days, nil, "", 0)
		fixture.WantError(t, err, graph.CodeInvalidRequest, "days")
	}
}

// A sleep archives no memory before the forecast time.
func TestForecastOfArchival(t *testing.T) {
	w := enginetest.New(t)
	low := w.Remember("Ana counted 100 swans on the quarry lake.", func(in *engine.RememberInput) { in.Type, in.Salience = graph.Episodic, fixture.Ptr(0.3) }).Memory.ID
	for i := range 4 {
		w.Remember(fmt.Sprintf("The miller carried sack %d to the barn.", i), func(in *engine.RememberInput) {
			in.Type, in.Salience, in.OnDuplicate = graph.Semantic, fixture.Ptr(1.0), engine.Insert
		})
	}
	f, err := w.Engine.DecayForecast(t.Context(), w.Caller, 60, nil, "", 1)
	if err != nil || len(f) != 1 || f[0].Memory.ID != low {
		t.Fatalf("%+v, %v", f, err)
	}
	at := f[0].Archives.Sub(enginetest.Start)
	if at < 30*24*time.Hour || at > 30*24*time.Hour+2*time.Minute {
		t.Errorf("it may go after %v, want 30 days: its salience is low by then", at)
	}
	w.Clock.Advance(at - 10*time.Minute)
	fixture.MustDeepSleep(w)
	if s := fixture.MustView(w, low).State.Status; s != graph.Active {
		t.Fatalf("%s before its time", s)
	}
	w.Clock.Advance(24 * time.Hour)
	fixture.MustDeepSleep(w)
	if s := fixture.MustView(w, low).State.Status; s != graph.Archived {
		t.Errorf("%s after its time", s)
	}
	none, err := w.Engine.DecayForecast(t.Context(), w.Caller, 10, nil, "", 0)
	if err != nil || len(none) != 0 {
		t.Errorf("%d within 10 days, %v", len(none), err)
	}
}
