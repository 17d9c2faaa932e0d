package resolvers

import (
	"context"
	"encoding/json"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// Health returns the state of the memories that the caller sees, and the indicators.
func (r queryResolver) Health(ctx context.Context) (*gql.HealthReport, error) {
	h, err := r.verbs.Health(ctx, caller(ctx))
	if err != nil {
		return nil, err
	}
	details := []byte("{}")
	if h.Details != nil {
		if details, err = json.Marshal(h.Details); err != nil {
			return nil, err
		}
	}
	out := &gql.HealthReport{
		Score: h.Score, Attainable: h.Attainable, Status: gql.HealthStatus(h.Status), Reason: h.Reason, Indicator: nullable[string](h.Indicator),
		Memories: h.Memories, Engrams: h.Engrams, Entities: h.Entities, ChecksumFailures: h.ChecksumFailures, Details: details,
		Indicators: make([]*gql.Indicator, len(h.Figures)), RefreshedAt: nullableTime(h.RefreshedAt), SchemaVersion: h.SchemaVersion,
	}
	for i, f := range h.Figures {
		out.Indicators[i] = encodeIndicator(f)
	}
	return out, nil
}

// bandStatus is the status of a band, which has no INFO.
func bandStatus(s engine.AlarmSeverity) gql.HealthStatus {
	if s == "" {
		return gql.HealthStatusHealthy
	}
	return gql.HealthStatus(s)
}

func encodeIndicator(f engine.HealthFigure) *gql.Indicator {
	out := &gql.Indicator{
		Name: f.Name, Title: f.Title, Subject: nullable[string](f.Subject), Unit: f.Unit, Value: f.Value, Status: bandStatus(f.Band),
		HigherIsBetter: f.HigherIsBetter, Warning: f.Warning, Critical: f.Critical, At: f.At, History: make([]*gql.IndicatorPoint, len(f.Points)),
	}
	for i, p := range f.Points {
		out.History[i] = &gql.IndicatorPoint{At: p.At, Value: p.Value}
	}
	return out
}

// Alarms lists alarms, newest first.
func (r queryResolver) Alarms(ctx context.Context, active *bool, first *int) ([]*gql.Alarm, error) {
	list, err := r.verbs.Alarms(ctx, caller(ctx), engine.AlarmInput{Ended: !valueOr(active, true), First: valueOr(first, 50)})
	if err != nil {
		return nil, err
	}
	out := make([]*gql.Alarm, len(list))
	for i, a := range list {
		out[i] = encodeAlarm(a)
	}
	return out, nil
}

// ResetAlarm ends an active alarm.
func (r mutationResolver) ResetAlarm(ctx context.Context, id string) (*gql.Alarm, error) {
	a, err := r.verbs.ResetAlarm(ctx, caller(ctx), graph.ID(id))
	if err != nil {
		return nil, err
	}
	return encodeAlarm(*a), nil
}

// Alarms forwards the engine's stream of changes.
func (r subscriptionResolver) Alarms(ctx context.Context) (<-chan *gql.AlarmEvent, error) {
	events, err := r.verbs.AlarmEvents(ctx, caller(ctx))
	if err != nil {
		return nil, err
	}
	return convertStream(ctx, events, func(e engine.AlarmEvent) *gql.AlarmEvent {
		return &gql.AlarmEvent{Change: gql.AlarmChange(e.Change), Alarm: encodeAlarm(e.Alarm)}
	}), nil
}

func encodeAlarm(a engine.Alarm) *gql.Alarm {
	return &gql.Alarm{
		ID: string(a.ID), Indicator: a.Indicator, Subject: nullable[string](a.Subject), Severity: gql.AlarmSeverity(a.Severity), Message: a.Message,
		Action: nullable[string](a.Action), Advice: a.Advice(), ByHand: a.ByHand(), Since: a.Since, Until: nullableTime(a.Until), EndedBy: nullable[string](a.EndedBy),
	}
}
