package engine

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/upkeep"
	"github.com/somnograph/somnograph/graph"
)

// HealthReport is the state of a tenant's memory and of the server.
type HealthReport struct {
	MemoryHealth
	// Figures are the indicators of the server and of the tenant, and RefreshedAt is when they were
	// last read; none for callers that see only a part of the tenant.
	Figures     []HealthFigure
	RefreshedAt time.Time
	// SchemaVersion is the version of the layout in which the store keeps its rows, from 1; 0: the store
	// has none.
	SchemaVersion int
}

// Health reports the state of the memories visible to the caller, and, to a caller that sees the
// whole tenant, the indicators. The status is the worst of both. An empty memory is healthy.
func (e *Engine) Health(ctx context.Context, c Caller) (*HealthReport, error) {
	t, err := e.ws.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	known := upkeep.Known{Away: e.away(ctx), Stuck: e.session.Stuck(c, t)}
	if clock, ok := e.ws.Clock.(HeldClock); ok {
		known.ClockAhead = clock.Ahead()
	}
	r, err := e.upkeep.Health(ctx, c, known)
	if err != nil {
		return nil, err
	}
	out := &HealthReport{MemoryHealth: *r}
	if s, ok := e.ws.Store.(interface{ SchemaVersion() int }); ok {
		out.SchemaVersion = s.SchemaVersion()
	}
	if c.WholeTenant() != nil {
		return out, nil
	}
	if e.details != nil { // they are of the server, not of a caller
		maps.Copy(out.Details, e.details())
	}
	v := e.monitor.Verdict(c.Tenant)
	out.Figures, out.RefreshedAt = v.Figures, v.At
	for _, f := range v.Figures {
		if f.Name == alarm.Checksum {
			out.ChecksumFailures = max(out.ChecksumFailures, int(f.Value))
		}
	}
	switch {
	case v.Alarm != nil && (v.Status == alarm.Critical || out.Status == "HEALTHY" && v.Status == alarm.Warning):
		out.Status, out.Reason, out.Indicator = string(v.Status), v.Reason, v.Alarm.Indicator
	case out.Status == "HEALTHY":
		out.Reason = v.Reason
	}
	return out, nil
}

// HeldClock is a Clock that stands still while the machine's clock is behind what was recorded.
type HeldClock interface {
	// Ahead is how far Now is ahead of the machine's clock.
	Ahead() time.Duration
}

// RefreshHealth reads every indicator of health once, and raises and ends alarms. The server calls
// it every minute.
func (e *Engine) RefreshHealth(ctx context.Context) error { return e.monitor.Refresh(ctx) }

// Alarms lists the alarms of the caller's tenant and of the server, newest first.
func (e *Engine) Alarms(ctx context.Context, c Caller, in AlarmInput) (_ []Alarm, err error) {
	ctx, end := e.ws.Begin(ctx, c, "alarms")
	defer end(&err)
	return e.monitor.Alarms(ctx, c, in)
}

// ResetAlarm ends an active alarm with its action; see [monitor.Service.Reset].
func (e *Engine) ResetAlarm(ctx context.Context, c Caller, id graph.ID) (_ *Alarm, err error) {
	ctx, end := e.ws.Begin(ctx, c, "resetAlarm")
	defer end(&err)
	return e.monitor.Reset(ctx, c, id)
}

// AlarmEvents streams the changes of alarms, the active ones first.
func (e *Engine) AlarmEvents(ctx context.Context, c Caller) (_ <-chan AlarmEvent, err error) {
	ctx, end := e.ws.Begin(ctx, c, "alarms")
	defer end(&err)
	return e.monitor.Watch(ctx, c)
}

// ReportCanary takes in what the canary measured, or why it could not. The next refresh judges it.
func (e *Engine) ReportCanary(ctx context.Context, r CanaryResult) error {
	return e.monitor.ReportCanary(ctx, r)
}

// LastCanary returns when the canary last measured; zero: never.
func (e *Engine) LastCanary() time.Time { return e.monitor.LastCanary() }

// HealthGauges returns the last value of every indicator, and the number of active alarms by
// indicator and severity.
func (e *Engine) HealthGauges() (indicators, alarms []HealthGauge) { return e.monitor.Gauges() }

// MayCall returns UNAVAILABLE if an alarm has halted a verb for a tenant. It is for verbs that are
// not methods of the engine: import and export.
func (e *Engine) MayCall(t graph.Tenant, verb string) error { return e.ws.Guards.Refuse(t, verb) }

// away returns the names of the further dependencies that are not ready.
func (e *Engine) away(ctx context.Context) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(e.dependencies)) {
		if e.dependencies[name].Ready(ctx) != nil {
			names = append(names, name)
		}
	}
	return names
}

// Model is the name of the embedding model in use. Vectors of another one can't be compared with
// those of the store.
func (e *Engine) Model() string { return e.ws.Embedder.Name() }
