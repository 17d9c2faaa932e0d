package monitor

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// canaryKept is the number of results of the canary that are kept.
const canaryKept = 35

// week is the time in which a drop of recall counts.
const week = 7 * 24 * time.Hour

// CanaryResult is what one run of the canary measured: values by the name of the indicator.
type CanaryResult struct {
	At      time.Time          `json:"at"`
	Figures map[string]float64 `json:"figures"`
	// Failed says why an indicator could not be measured. It counts as one at its worst.
	Failed map[string]string `json:"failed,omitempty"`
}

// ReportCanary takes in a result of the canary. The next refresh judges it.
func (svc *Service) ReportCanary(ctx context.Context, r CanaryResult) error {
	w, err := svc.open(ctx, graph.ServerScope())
	if err != nil {
		return err
	}
	r.Figures, r.Failed = maps.Clone(r.Figures), maps.Clone(r.Failed)
	svc.mu.Lock()
	w.canary = append(slices.Clone(w.canary), r)
	w.canary = w.canary[max(0, len(w.canary)-canaryKept):]
	kept := w.canary
	svc.mu.Unlock()
	return svc.update(ctx, w.scope, func(tx graph.Tx) error { return lifecycle.PutSetting(tx, canarySetting, kept) })
}

// LastCanary returns when the canary last reported; zero: never.
func (svc *Service) LastCanary() time.Time {
	svc.mu.Lock()
	defer svc.mu.Unlock()
	if w := svc.scopes[serverTenant]; w != nil && len(w.canary) > 0 {
		return w.canary[len(w.canary)-1].At
	}
	return time.Time{}
}

// canaryReadings are the readings of the last result, and the loss of recall since the best of the
// last week.
func (w *watched) canaryReadings(now time.Time) (out []alarm.Reading) {
	if len(w.canary) == 0 {
		return nil
	}
	last := w.canary[len(w.canary)-1]
	for _, name := range slices.Sorted(maps.Keys(last.Figures)) {
		out = append(out, alarm.Reading{Indicator: name, Value: last.Figures[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(last.Failed)) {
		i, _ := alarm.Find(name)
		out = append(out, alarm.Reading{Indicator: name, Value: i.Worst(), Detail: "not measured: " + last.Failed[name]})
	}
	return append(out, alarm.Reading{Indicator: alarm.RecallDrop, Value: alarm.Drop(w.canaryPoints(alarm.Recall14), last.At, week)})
}

// canaryPoints are the values of an indicator in the kept results; none if the canary does not
// measure it.
func (w *watched) canaryPoints(indicator string) (points []alarm.Point) {
	for _, r := range w.canary {
		if v, measured := r.Figures[indicator]; measured {
			points = append(points, alarm.Point{At: r.At, Value: v})
		}
	}
	return points
}
