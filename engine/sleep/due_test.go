package sleep_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
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

// New memories in a dense cluster start a light sleep before the hour is over, because they probably
// repeat it. It clusters them.
func TestDenseClusterStartsASleep(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Automatic: &engine.Automatic{Hour: 2, CheckEvery: time.Millisecond}})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	reports, err := w.MorningReports(ctx, w.Caller, "")
	if err != nil {
		t.Fatal(err)
	}
	say := func(form string, from, n int) {
		for i := range n {
			w.Remember(fmt.Sprintf(form, from+i), func(in *engine.RememberInput) { in.Type = graph.Semantic })
		}
	}
	say("Pump station reading %d: inflow steady, sluice closed, basin level normal.", 100, 20)
	say("Violin lesson %d: scales, bow hold, a sonata by Corelli.", 500, 20)
	w.Clock.Advance(18 * time.Hour)
	if r := untilReport(t, reports); r.Kind != engine.DeepSleep {
		t.Fatalf("at night: %+v", r)
	}
	found, _, err := w.Clusters(t.Context(), w.Caller, engine.ClusterListInput{})
	if err != nil || len(found) < 2 || found[0].Density <= .85 {
		t.Fatalf("%d clusters, %v", len(found), err)
	}
	w.Clock.Advance(10 * time.Minute)
	say("Pump station reading %d: inflow steady, sluice closed, basin level normal.", 200, 10)
	if r := untilReport(t, reports); r.Kind != engine.LightSleep || r.Trigger != engine.TriggerEvent || r.Clustered != 1 {
		t.Errorf("after new memories in a dense cluster: %+v", r)
	}
	again, _, err := w.Clusters(t.Context(), w.Caller, engine.ClusterListInput{})
	if err != nil || len(again) != len(found) || again[0].ID != found[0].ID || again[0].Size <= found[0].Size || !again[0].UpdatedAt.After(found[0].UpdatedAt) {
		t.Errorf("clusters after the light sleep %+v, before %+v, %v", again, found, err)
	}
}

// A hundred new memories of an owner start a light sleep that clusters them.
func TestManyNewMemoriesStartASleep(t *testing.T) {
	w := enginetest.With(t, enginetest.Options{Automatic: &engine.Automatic{Hour: 2, CheckEvery: time.Millisecond}})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	reports, err := w.MorningReports(ctx, w.Caller, "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		w.Remember(fmt.Sprintf("Pump station reading %d: inflow steady, sluice closed, basin level normal.", 100+i), func(in *engine.RememberInput) { in.Type = graph.Semantic })
		w.Remember(fmt.Sprintf("Violin lesson %d: scales, bow hold, a sonata by Corelli.", 500+i), func(in *engine.RememberInput) { in.Type = graph.Semantic })
	}
	w.Clock.Advance(2 * time.Minute)
	if r := untilReport(t, reports); r.Kind != engine.LightSleep || r.Trigger != engine.TriggerPressure || r.Clustered != 1 {
		t.Errorf("after a hundred memories: %+v", r)
	}
	if found, _, err := w.Clusters(t.Context(), w.Caller, engine.ClusterListInput{}); err != nil || len(found) != 2 {
		t.Errorf("%d clusters, %v", len(found), err)
	}
}
