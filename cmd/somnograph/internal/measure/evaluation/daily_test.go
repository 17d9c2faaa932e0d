package evaluation

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
)

// schedule is a Daily on a clock that only its waits and runs move, with what it reports to.
type schedule struct {
	now     time.Time
	last    time.Time
	results []engine.CanaryResult
	refuse  error // of ReportCanary

	waits []time.Duration
	log   strings.Builder
}

func (s *schedule) Now() time.Time        { return s.now }
func (s *schedule) LastCanary() time.Time { return s.last }
func (s *schedule) ReportCanary(_ context.Context, r engine.CanaryResult) error {
	if s.refuse == nil {
		s.results = append(s.results, r)
	}
	return s.refuse
}

// run runs the schedule with some measurements, and ends it at the wait after the last one.
func (s *schedule) run(t *testing.T, measurements ...func(context.Context) (map[string]float64, error)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	runs := 0
	Daily{
		Engine: s, Now: s.Now, Log: slog.New(slog.NewTextHandler(&s.log, nil)),
		Wait: func(ctx context.Context, d time.Duration) error {
			if s.waits = append(s.waits, d); runs == len(measurements) {
				cancel()
				return ctx.Err()
			}
			s.now = s.now.Add(d)
			return nil
		},
		Measure: func(ctx context.Context) (map[string]float64, error) {
			runs++
			return measurements[runs-1](ctx)
		},
	}.Run(ctx)
	if runs != len(measurements) {
		t.Errorf("%d runs, want %d", runs, len(measurements))
	}
}

// The first run is ten minutes after a start, or a day after the last result. Then there is one a day.
func TestCanaryRunsOnceADay(t *testing.T) {
	for name, c := range map[string]struct {
		last  time.Time
		first time.Duration
	}{
		"never":              {time.Time{}, 10 * time.Minute},
		"an hour ago":        {Start.Add(-time.Hour), 23 * time.Hour},
		"almost a day ago":   {Start.Add(-24*time.Hour + time.Minute), 10 * time.Minute},
		"many days ago":      {Start.Add(-100 * time.Hour), 10 * time.Minute},
		"at the same moment": {Start, 24 * time.Hour},
	} {
		s := &schedule{now: Start, last: c.last}
		well := func(context.Context) (map[string]float64, error) {
			s.now = s.now.Add(2 * time.Minute)
			return map[string]float64{engine.IndicatorRecall14: 0.97}, nil
		}
		s.run(t, well, well, well)
		if want := []time.Duration{c.first, 24 * time.Hour, 24 * time.Hour, 24 * time.Hour}; !slices.Equal(s.waits, want) {
			t.Errorf("%s: waits of %v, want %v", name, s.waits, want)
		}
		var at []time.Duration
		for _, r := range s.results {
			at = append(at, r.At.Sub(Start)-c.first)
			if want := map[string]float64{engine.IndicatorRecall14: 0.97}; !maps.Equal(r.Figures, want) {
				t.Errorf("%s: reports %v", name, r.Figures)
			}
		}
		if want := []time.Duration{2 * time.Minute, 24*time.Hour + 4*time.Minute, 48*time.Hour + 6*time.Minute}; !slices.Equal(at, want) {
			t.Errorf("%s: reports %v after the first wait, want %v", name, at, want)
		}
	}
}

// A run that fails reports why and is told in the log, and so is a result that can't be stored.
// The next run is a day later.
func TestCanaryThatFailsTriesAgainInADay(t *testing.T) {
	s := &schedule{now: Start}
	fails := func(context.Context) (map[string]float64, error) {
		return nil, errors.New("the embedder does not answer")
	}
	well := func(ctx context.Context) (map[string]float64, error) {
		if _, limited := ctx.Deadline(); !limited {
			t.Error("a run has no time limit")
		}
		return map[string]float64{engine.IndicatorDrift: 1}, nil
	}
	s.run(t, fails, well, fails)
	if len(s.results) != 3 || s.results[1].Figures[engine.IndicatorDrift] != 1 || !s.results[1].At.Equal(Start.Add(24*time.Hour+10*time.Minute)) ||
		s.results[0].Error != "the embedder does not answer" || s.results[0].Figures != nil || s.results[1].Error != "" || s.results[2].Error == "" {
		t.Errorf("%+v", s.results)
	}
	if n := strings.Count(s.log.String(), `level=WARN msg="[ALARM] the canary could not measure; it tries again in a day" error="the embedder does not answer"`); n != 2 {
		t.Errorf("%d warnings in\n%s", n, &s.log)
	}
	s = &schedule{now: Start, refuse: errors.New("the store is away")}
	s.run(t, well, well)
	if n := strings.Count(s.log.String(), "the store is away"); n != 2 || len(s.waits) != 3 {
		t.Errorf("waits of %v, %d warnings in\n%s", s.waits, n, &s.log)
	}
}

// A figure that could not be measured is reported as failed, with the reason, and told in the log.
func TestCanaryReportsWhatItCouldNotMeasure(t *testing.T) {
	s := &schedule{now: Start}
	s.run(t, func(context.Context) (map[string]float64, error) {
		return map[string]float64{engine.IndicatorCompression: math.NaN(), engine.IndicatorDrift: 1}, nil
	})
	if len(s.results) != 1 || !maps.Equal(s.results[0].Figures, map[string]float64{engine.IndicatorDrift: 1}) ||
		!maps.Equal(s.results[0].Failed, map[string]string{engine.IndicatorCompression: noCase}) {
		t.Errorf("%+v", s.results)
	}
	if !strings.Contains(s.log.String(), "could not measure a figure") {
		t.Errorf("the log has %s", &s.log)
	}
}

// A run that the end of the server cuts off is no failure, and nothing runs after it.
func TestCanaryEndsWithTheServer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &schedule{now: Start}
	Daily{
		Engine: s, Now: s.Now, Log: slog.New(slog.NewTextHandler(&s.log, nil)),
		Wait: func(ctx context.Context, d time.Duration) error { s.waits = append(s.waits, d); return ctx.Err() },
		Measure: func(ctx context.Context) (map[string]float64, error) {
			cancel()
			return nil, ctx.Err()
		},
	}.Run(ctx)
	if len(s.waits) != 2 || s.log.Len() > 0 {
		t.Errorf("waits of %v, the log has %q", s.waits, &s.log)
	}
}
