package monitor

import (
	"context"
	"maps"
	"slices"
	"strings"
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
	// Error says why the run failed as a whole and measured nothing; empty: it did not.
	Error string `json:"error,omitempty"`
}

// maxReason is the length from which the reason of a failed run is cut.
const maxReason = 300

// ReportCanary takes in a result of the canary. The next refresh judges it.
func (svc *Service) ReportCanary(ctx context.Context, r CanaryResult) error {
	w, err := svc.open(ctx, graph.ServerScope())
	if err != nil {
		return err
	}
	r.Figures, r.Failed = maps.Clone(r.Figures), maps.Clone(r.Failed)
	if len(r.Error) > maxReason {
		r.Error = strings.ToValidUTF8(r.Error[:maxReason], "") + "…"
	}
	svc.mu.Lock()
	w.canary = append(slices.Clone(w.canary), r)
	w.canary = w.canary[max(0, len(w.canary)-canaryKept):]
	kept := w.canary
	svc.mu.Unlock()
	return svc.update(ctx, w.scope, func(tx graph.Tx) error { return lifecycle.PutSetting(tx, canarySetting, kept) })
}

// LastCanary returns when the canary last measured; zero: never.
func (svc *Service) LastCanary() time.Time {
	svc.mu.Lock()
	defer svc.mu.Unlock()
	if w := svc.scopes[serverTenant]; w != nil {
		if last, _ := w.lastMeasured(); last != nil {
			return last.At
		}
	}
	return time.Time{}
}

// lastMeasured returns the last result that did not fail as a whole, nil if there is none, and the
// number of failed ones after it.
func (w *watched) lastMeasured() (last *CanaryResult, failed int) {
	for i := range slices.Backward(w.canary) {
		if w.canary[i].Error == "" {
			return &w.canary[i], failed
		}
		failed++
	}
	return nil, failed
}

// canaryReadings are the readings of the last result that measured, the loss of recall since the best of the
// last week, and how many runs have failed since.
func (w *watched) canaryReadings(now time.Time) (out []alarm.Reading) {
	if len(w.canary) == 0 {
		return nil
	}
	last, failed := w.lastMeasured()
	runs := alarm.Reading{Indicator: alarm.CanaryFailed, Value: float64(failed)}
	if failed > 0 {
		runs.Detail = "not measured: " + w.canary[len(w.canary)-1].Error
	}
	out = append(out, runs)
	if last == nil {
		return out
	}
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
