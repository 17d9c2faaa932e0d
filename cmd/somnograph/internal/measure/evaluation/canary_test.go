package evaluation

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// spoilable is an embedder that can be spoilt: it gives every text the same vector, so that meaning is
// lost.
type spoilable struct {
	models.Embedder
	spoilt atomic.Bool
}

func (e *spoilable) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	if e.spoilt.Load() {
		texts = slices.Repeat([]string{"the same"}, len(texts))
	}
	return e.Embedder.Embed(ctx, texts, kind)
}

// healthy is what the canary measures with nothing spoilt. It is measured once for all tests.
var healthy = sync.OnceValues(func() (map[string]float64, error) { return Canary(context.Background(), hashed.New()) })

// watched is an engine whose canary runs on its clock.
type watched struct{ *enginetest.World }

// days runs the canary with a measurement per day, and calls a function for each after the refresh that
// judges it.
func (w watched) days(measure func(context.Context) (map[string]float64, error), judged ...func()) {
	w.T.Helper()
	ctx, cancel := context.WithCancel(w.T.Context())
	defer cancel()
	began := false
	Daily{
		Engine: w.Engine, Measure: measure, Now: w.Clock.Now, Log: slog.New(slog.DiscardHandler),
		Wait: func(ctx context.Context, d time.Duration) error {
			if began {
				if err := w.RefreshHealth(ctx); err != nil {
					w.T.Fatal(err)
				}
				judged[0]()
				judged = judged[1:]
			}
			if began = true; len(judged) == 0 {
				cancel()
			}
			w.Clock.Advance(d)
			return ctx.Err()
		},
	}.Run(ctx)
}

// alarms are the active alarms by indicator.
func (w watched) alarms() map[string]engine.Alarm {
	w.T.Helper()
	all, err := w.Alarms(w.T.Context(), w.Caller, engine.AlarmInput{})
	if err != nil {
		w.T.Fatal(err)
	}
	active := map[string]engine.Alarm{}
	for _, a := range all {
		active[a.Indicator] = a
	}
	return active
}

// mustEnd fails the test unless no alarm is active, and those of the indicators have ended by themselves.
func (w watched) mustEnd(indicators ...string) {
	w.T.Helper()
	if active := w.alarms(); len(active) > 0 {
		w.T.Errorf("after the repair: %+v", active)
	}
	all, err := w.Alarms(w.T.Context(), w.Caller, engine.AlarmInput{Ended: true})
	if err != nil {
		w.T.Fatal(err)
	}
	for _, name := range indicators {
		if !slices.ContainsFunc(all, func(a engine.Alarm) bool {
			return a.Indicator == name && !a.Active() && a.EndedBy == ""
		}) {
			w.T.Errorf("no alarm of %s has ended: %+v", name, all)
		}
	}
}

// strengthened is the confidence of a memory that is used once, after a deep sleep.
func (w watched) strengthened(content string) float64 {
	w.T.Helper()
	m := w.Remember(content).Memory
	w.Clock.Advance(time.Hour)
	if _, err := w.Engine.Search(w.T.Context(), w.Caller, engine.SearchInput{Query: content, TopK: 1, Track: true}); err != nil {
		w.T.Fatal(err)
	}
	if _, err := w.Engine.Sleep(w.T.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
		w.T.Fatal(err)
	}
	v, err := w.Memory(w.T.Context(), w.Caller, m.ID, engine.Access{})
	if err != nil {
		w.T.Fatal(err)
	}
	return v.Confidence
}

// The canary measures every indicator within its healthy band. A spoilt embedder raises the alarms of
// recall, of its loss and of corrections; sleeps strengthen more while they last. They end with the first
// run after the repair.
func TestSpoiltEmbedderRaisesAlarms(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	w, model := watched{enginetest.New(t)}, &spoilable{Embedder: hashed.New()}
	figures := map[string]float64{}
	var plain, raised float64
	w.days(func(ctx context.Context) (_ map[string]float64, err error) {
		if figures, err = healthy(); model.spoilt.Load() {
			figures, err = Canary(ctx, model)
		}
		return figures, err
	}, func() {
		for name := range canaryFigures {
			v, measured := figures[name]
			if i, known := engine.FindIndicator(name); !measured || !known || i.Band(v) != "" {
				t.Errorf("%s is %v", name, v)
			}
		}
		if active := w.alarms(); len(active) > 0 {
			t.Errorf("with a good embedder: %+v", active)
		}
		plain = w.strengthened("The kiln fires at 1240 degrees.")
		model.spoilt.Store(true)
	}, func() {
		active := w.alarms()
		if a := active[engine.IndicatorRecall14]; a.Severity != engine.AlarmCritical {
			t.Errorf("recall is %v: %+v", figures[engine.IndicatorRecall14], a)
		}
		if a := active["recall_drop"]; a.Action != "RAISE_ETA" || !strings.Contains(a.Message, "twice the rate") {
			t.Errorf("the loss of recall: %+v", a)
		}
		if _, told := active[engine.IndicatorCorrection]; !told {
			t.Errorf("corrections: %v", figures[engine.IndicatorCorrection])
		}
		raised = w.strengthened("The ferry leaves at noon.")
		model.spoilt.Store(false)
	}, func() {
		w.mustEnd(engine.IndicatorRecall14, "recall_drop", engine.IndicatorCorrection)
		if after := w.strengthened("The observatory opens at dusk."); raised <= plain || after >= raised {
			t.Errorf("the sleep raised the confidence to %v, without the alarm to %v and %v", raised, plain, after)
		}
	})
}

// A policy by which weak evidence changes beliefs and memories end after a day shows in the drift
// resistance and in needs that are repeated. Meanwhile a belief takes the raised quorum to change. Both
// alarms end with the policy.
func TestSpoiltPolicyRaisesAlarms(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	w := watched{enginetest.New(t)}
	o := Options{Embedder: hashed.New(), Only: []string{"drift", "repeat"}}
	w.Remember("The depot is in Graz.", func(in *engine.RememberInput) { in.Subject = "depot" })
	quorum := func() float64 {
		a, err := w.Adjudicate(t.Context(), w.Caller, engine.AdjudicateInput{
			Fact: "The depot is in Linz.", Subject: "depot", Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{{Source: "a", Weight: 0.5, Confidence: 0.8}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return a.Required
	}
	usual := quorum()
	figures := map[string]float64{}
	w.days(func(ctx context.Context) (_ map[string]float64, err error) {
		if figures, err = healthy(); o.Policy != nil {
			figures, err = canaryOf(ctx, o)
		}
		return figures, err
	}, func() {
		if active := w.alarms(); len(active) > 0 {
			t.Errorf("with the default policy: %+v", active)
		}
		weak := policy.MinQuorum
		o.Policy = &policy.Update{Quorum: &weak, TTL: map[graph.Sensitivity]time.Duration{graph.Internal: 24 * time.Hour}}
	}, func() {
		active := w.alarms()
		if a := active[engine.IndicatorDrift]; a.Severity != engine.AlarmCritical || a.Action != "RAISE_QUORUM" {
			t.Errorf("drift resistance is %v: %+v", figures[engine.IndicatorDrift], a)
		}
		if a := active[engine.IndicatorRepetition]; a.Severity != engine.AlarmCritical {
			t.Errorf("repetition is %v: %+v", figures[engine.IndicatorRepetition], a)
		}
		if now := quorum(); now <= usual || now != 0.9 {
			t.Errorf("the quorum is %v, it was %v", now, usual)
		}
		o.Policy = nil
	}, func() {
		w.mustEnd(engine.IndicatorDrift, engine.IndicatorRepetition)
		if now := quorum(); now != usual {
			t.Errorf("the quorum is %v, it was %v", now, usual)
		}
	})
}

// A canary that finds no directory for its world raises an alarm that says why, critical after three days. The
// figures stay those of the last good run. It ends with the next good run.
func TestARunThatFailsRaisesTheAlarmOfTheCanary(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	w := watched{enginetest.New(t)}
	o := Options{Embedder: hashed.New(), Only: []string{"compression"}}
	good := t.TempDir()
	missing := filepath.Join(good, "missing")
	fails := func(want engine.AlarmSeverity) func() {
		return func() {
			t.Setenv("TMPDIR", missing)
			if want == "" {
				w.mustEnd()
				return
			}
			a := w.alarms()
			if f := a[engine.IndicatorCanaryFailed]; len(a) != 1 || f.Severity != want || !strings.Contains(f.Message, "not measured: ") || !strings.Contains(f.Message, missing) {
				t.Errorf("want %s: %+v", want, a)
			}
		}
	}
	t.Setenv("TMPDIR", good)
	w.days(func(ctx context.Context) (map[string]float64, error) {
		if os.Getenv("TMPDIR") == good {
			return healthy()
		}
		return canaryOf(ctx, o)
	},
		fails(""), fails(engine.AlarmWarning), fails(engine.AlarmWarning), func() {
			fails(engine.AlarmCritical)()
			h, err := w.Health(t.Context(), w.Caller)
			if err != nil || h.Status != string(engine.AlarmCritical) || h.Indicator != engine.IndicatorCanaryFailed || !strings.Contains(h.Reason, missing) {
				t.Fatalf("%v, health %+v", err, h)
			}
			for _, f := range h.Figures {
				if f.Name == engine.IndicatorCompression && (f.Value == 0 || f.Value == 1 || len(f.Points) != 1) {
					t.Errorf("the figure of the last good run is lost: %+v", f)
				}
			}
			t.Setenv("TMPDIR", good)
		}, func() {
			w.mustEnd(engine.IndicatorCanaryFailed)
		})
}

// By a policy under which memories expire after a week, little is left of the history that a context stands
// for, so that contexts are as long as it. The alarm names the figure and says what to do; it has no action, so
// that the next write is taken. It ends with the policy.
func TestExpiredHistoriesRaiseTheAlarmOfCompression(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	w := watched{enginetest.New(t)}
	o := Options{Embedder: hashed.New(), Only: []string{"compression"}}
	figures := map[string]float64{}
	w.days(func(ctx context.Context) (_ map[string]float64, err error) {
		if figures, err = healthy(); o.Policy != nil {
			figures, err = canaryOf(ctx, o)
		}
		return figures, err
	}, func() {
		if active := w.alarms(); len(active) > 0 {
			t.Errorf("with the default policy compression is %v: %+v", figures[engine.IndicatorCompression], active)
		}
		o.Policy = &policy.Update{TTL: map[graph.Sensitivity]time.Duration{graph.Internal: 7 * 24 * time.Hour}}
	}, func() {
		a := w.alarms()[engine.IndicatorCompression]
		i, _ := engine.FindIndicator(engine.IndicatorCompression)
		if a.Severity != engine.AlarmCritical || a.Action != i.Action || a.Value != figures[engine.IndicatorCompression] || !strings.Contains(a.Message, i.Title) {
			t.Errorf("compression is %v: %+v", figures[engine.IndicatorCompression], a)
		}
		health, err := w.Health(t.Context(), w.Caller)
		if err != nil {
			t.Fatal(err)
		}
		if health.Status != "CRITICAL" || health.Indicator != engine.IndicatorCompression {
			t.Errorf("the verdict is %s because of %q: %s", health.Status, health.Indicator, health.Reason)
		}
		w.Remember("The lighthouse is white.")
		o.Policy = nil
	}, func() {
		w.mustEnd(engine.IndicatorCompression)
	})
}

// By a policy under which memories expire after a day no history is left when the canary asks. The figure is
// missing, and the alarm says so and why; it ends with the policy.
func TestAFigureThatCannotBeMeasuredRaisesItsAlarm(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	w := watched{enginetest.New(t)}
	o := Options{Embedder: hashed.New(), Only: []string{"compression"}}
	o.Policy = &policy.Update{TTL: map[graph.Sensitivity]time.Duration{graph.Internal: 24 * time.Hour}}
	w.days(func(ctx context.Context) (map[string]float64, error) {
		if o.Policy == nil {
			return healthy()
		}
		return canaryOf(ctx, o)
	}, func() {
		a := w.alarms()[engine.IndicatorCompression]
		if a.Severity != engine.AlarmCritical || !strings.Contains(a.Message, "not measured: "+noCase) {
			t.Errorf("%+v", a)
		}
		o.Policy = nil
	}, func() {
		w.mustEnd(engine.IndicatorCompression)
	})
}
