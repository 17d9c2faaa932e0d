package monitor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

const (
	// probeTimeout limits the probe of a part.
	probeTimeout = 5 * time.Second
	// stepTimeout limits every other call of a refresh. A store repeats a call without a deadline for its own time
	// limit; the alarm about a store that is away would come minutes late.
	stepTimeout = time.Minute
	// deepInterval is the least time between expensive readings of a tenant, by the engine's clock.
	deepInterval = 10 * time.Minute
	// sleepBudget is the budget of a sleep that was given none: SPEC section 9 wants a night within an
	// hour.
	sleepBudget = time.Hour
	// bufferRoom is the number of turns that may wait to leave L0.
	bufferRoom = 1000
)

// serverReadings reads the indicators of the server except the disk, which takeServer reads.
func (svc *Service) serverReadings(ctx context.Context, w *watched, now time.Time) []alarm.Reading {
	out := svc.partReadings(ctx, w)
	out = append(out, alarm.Reading{Indicator: alarm.OlderData, Value: float64(svc.Returned.Total()), Detail: svc.Returned.String()})
	for _, read := range svc.options.Sources {
		within, cancel := context.WithTimeout(ctx, stepTimeout)
		out = append(out, read(within, now)...)
		cancel()
	}
	return append(out, w.canaryReadings(now)...)
}

// partReadings probes the store, the embedder, the recess and the further parts.
func (svc *Service) partReadings(ctx context.Context, w *watched) []alarm.Reading {
	away := func(part workspace.Part, v float64) alarm.Reading {
		return alarm.Reading{Indicator: alarm.PartsAway, Subject: string(part), Value: v}
	}
	var out []alarm.Reading
	took, err := svc.probe(ctx, func(ctx context.Context) error {
		// A store that is short of disk space is not ready, and not away: disk_free tells that.
		if _, local := svc.Store.(spacious); !local {
			if err := svc.Store.Ready(ctx); err != nil {
				return err
			}
		}
		return svc.Store.View(ctx, graph.ServerScope(), func(r graph.Reader) error { _, err := r.Setting(canarySetting); _, err = graph.Found(err); return err })
	})
	if err != nil {
		out = append(out, away(workspace.PartStore, 2)) // without the store nothing can be written
	} else {
		out = append(out, away(workspace.PartStore, 0), alarm.Reading{Indicator: alarm.StoreLatency, Value: millis(took)})
	}
	// A text that no cache has: the time is that of the model.
	text := fmt.Sprintf("somnograph health probe %d", svc.options.Elapsed().UnixNano())
	took, err = svc.probe(ctx, func(ctx context.Context) error {
		_, err := svc.Embedder.Embed(ctx, []string{text}, models.Query)
		return err
	})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		out = append(out, away(workspace.PartEmbedder, 1), alarm.Reading{Indicator: alarm.EmbedLatency, Value: millis(probeTimeout)})
	case err != nil:
		out = append(out, away(workspace.PartEmbedder, 1))
	default:
		out = append(out, away(workspace.PartEmbedder, 0), alarm.Reading{Indicator: alarm.EmbedLatency, Value: millis(took)})
	}
	if r, ok := svc.Recess.(workspace.Readiness); ok {
		out = append(out, svc.readPart(ctx, string(workspace.PartRecess), r)...)
	}
	for _, name := range slices.Sorted(maps.Keys(svc.options.Parts)) {
		out = append(out, svc.readPart(ctx, name, svc.options.Parts[name])...)
	}
	return append(out, svc.formerParts(w)...)
}

// latencyOf are the indicators of the latency of parts, by part.
var latencyOf = map[string]string{string(workspace.PartRecess): alarm.RecessLatency, "REDIS": alarm.RedisLatency}

// readPart probes a part. One that does not answer has no latency.
func (svc *Service) readPart(ctx context.Context, name string, part workspace.Readiness) []alarm.Reading {
	took, err := svc.probe(ctx, part.Ready)
	out := []alarm.Reading{{Indicator: alarm.PartsAway, Subject: name, Value: bad(err != nil)}}
	if indicator := latencyOf[name]; err == nil && indicator != "" {
		out = append(out, alarm.Reading{Indicator: indicator, Value: millis(took)})
	}
	return out
}

// formerParts reads that the parts of active alarms that this server no longer has are neither away nor slow.
func (svc *Service) formerParts(w *watched) (out []alarm.Reading) {
	probed := []string{string(workspace.PartStore), string(workspace.PartEmbedder), string(workspace.PartRecess)}
	svc.mu.Lock()
	defer svc.mu.Unlock()
	for _, a := range w.state.Active {
		part := a.Subject
		for name, indicator := range latencyOf {
			if indicator == a.Indicator {
				part = name
			}
		}
		if _, here := svc.options.Parts[part]; (a.Indicator == alarm.PartsAway || part != a.Subject) && !here && !slices.Contains(probed, part) {
			out = append(out, alarm.Reading{Indicator: a.Indicator, Subject: a.Subject})
		}
	}
	return out
}

// probe measures a call, within probeTimeout.
func (svc *Service) probe(ctx context.Context, call func(context.Context) error) (time.Duration, error) {
	within, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	began := svc.options.Elapsed()
	err := call(within)
	if err != nil && within.Err() != nil {
		err = within.Err()
	}
	return svc.options.Elapsed().Sub(began), err
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func bad(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// tenantReadings reads the indicators of a tenant.
func (svc *Service) tenantReadings(ctx context.Context, w *watched, now time.Time) (out []alarm.Reading, err error) {
	ctx, cancel := context.WithTimeout(ctx, deepInterval)
	defer cancel()
	t, err := svc.Tenant(ctx, w.scope)
	if err != nil {
		return nil, err
	}
	if p95, n := svc.Durations.Take(w.scope.Tenant); n > 0 {
		out = append(out, alarm.Reading{Indicator: alarm.ReadP95, Value: millis(p95)})
	} else {
		out = append(out, alarm.Reading{Indicator: alarm.ReadP95}) // nobody waits
	}
	if svc.options.Sleeps != nil {
		took, budget, ok, failed := svc.options.Sleeps.LastSleep(ctx, w.scope)
		if err = failed; ok {
			if budget == 0 {
				budget = sleepBudget
			}
			out = append(out, alarm.Reading{Indicator: alarm.SleepBudget, Value: float64(took) / float64(budget), Detail: fmt.Sprintf("%s of %s", took.Round(time.Second), budget)})
		}
	}
	if svc.options.Buffer != nil {
		n := svc.options.Buffer.Waiting(t)
		out = append(out, alarm.Reading{Indicator: alarm.L0Fill, Value: float64(n) / bufferRoom})
	}
	out = append(out, alarm.Reading{Indicator: alarm.OlderData, Value: float64(t.Returned.Total()), Detail: t.Returned.String()})
	failed := svc.scrub(ctx, w, t)
	err = errors.Join(err, failed)
	// After a restart, what is damaged is not known before everything was read once.
	if damage := svc.damage(w); damage.Value > 0 || w.feedRead && w.notesRead {
		out = append(out, damage)
	}
	damage := svc.Index.Damage(w.scope)
	index := alarm.Reading{Indicator: alarm.IndexDamage, Value: float64(damage.Count())}
	if damage.Count() > 0 {
		index.Detail = damage.String()
	}
	out = append(out, index)
	if now.Sub(w.deep) >= deepInterval {
		found, failed := svc.deepReadings(ctx, w, t, now)
		if err = errors.Join(err, failed); failed == nil {
			w.deep = now
		}
		out = append(out, found...)
	}
	return out, err
}
