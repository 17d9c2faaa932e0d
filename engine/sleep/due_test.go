package sleep_test

import (
	"context"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
)

// untilReport waits for the next morning report.
func untilReport(t *testing.T, reports <-chan engine.SleepReport) engine.SleepReport {
	t.Helper()
	select {
	case r := <-reports:
		return r
	case <-t.Context().Done():
	case <-time.After(30 * time.Second):
	}
	t.Fatal("no sleep began")
	panic("unreachable")
}

func TestAutomaticSleepStarts(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Automatic: &engine.Automatic{Hour: 2, CheckEvery: time.Millisecond}})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	reports, err := w.MorningReports(ctx, w.Caller, "")
	if err != nil {
		t.Fatal(err)
	}
	w.Remember("Lea moved to Porto.")
	w.Remember("The ferry leaves at noon.")
	s, err := w.SleepStatus(t.Context(), w.Caller)
	if err != nil || !s.NextScheduled.Equal(time.Date(2026, 3, 3, 2, 0, 0, 0, time.UTC)) || s.ActiveL1 != 2 {
		t.Fatalf("status %+v, %v", s, err)
	}
	w.Clock.Advance(61 * time.Minute)
	if r := untilReport(t, reports); r.Kind != engine.LightSleep || r.Trigger != engine.TriggerSchedule {
		t.Errorf("after an hour: %+v", r)
	}
	w.Clock.Advance(16 * time.Hour)
	if r := untilReport(t, reports); r.Kind != engine.DeepSleep || r.Trigger != engine.TriggerSchedule {
		t.Errorf("at night: %+v", r)
	}
	w.Clock.Advance(2 * time.Hour)
	for range 3 {
		w.Search("when does the ferry leave?", func(in *engine.SearchInput) { in.Track = true })
	}
	if r := untilReport(t, reports); r.Kind != engine.LightSleep || r.Trigger != engine.TriggerEvent {
		t.Errorf("asked three times: %+v", r)
	}
}
