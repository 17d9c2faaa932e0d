package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/metrics"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/traces"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/telemetry"
)

// watchers receive what a server measures and traces. The zero value receives nothing.
type watchers struct {
	registry *prometheus.Registry // of metrics that are served or sent; nil: there are none
	recorder *metrics.Recorder    // nil: nothing is measured
	pusher   *metrics.Pusher      // nil: no metrics are sent
	exporter *traces.Exporter     // nil: there are no traces
	probe    *telemetry.Probe     // nil: neither
	models   models.Observer      // nil: neither
	embedder models.Embedder      // whose cache is counted; nil: none yet
	backups  *backup.Watch        // those that commands make; nil: none are watched
}

// watchOptions say what a server measures and traces.
type watchOptions struct {
	store   string // name of the store
	metrics bool   // measure
	to      string // where metrics are sent; empty: nowhere
	traces  config.Traces
	environ []string
	log     *slog.Logger
}

// openWatchers opens what is asked for.
func openWatchers(ctx context.Context, o watchOptions) (w watchers, err error) {
	p := telemetry.Options{Content: o.traces.Content}
	if o.metrics || o.to != "" {
		w.registry = prometheus.NewRegistry()
		if w.recorder, err = metrics.NewRecorder(w.registry, []string{o.store, "recess"}, time.Now); err != nil {
			return w, err
		}
		p.Recorder = w.recorder
	}
	if o.to != "" {
		w.pusher, err = metrics.Push(ctx, w.registry, metrics.PushOptions{To: o.to, Version: versionText(), Environ: o.environ, Logger: o.log})
		if err != nil {
			return w, err
		}
	}
	if o.traces.To != "" {
		w.exporter, err = traces.Open(ctx, traces.Options{
			To: o.traces.To, Ratio: o.traces.Share(), Version: versionText(), Environ: o.environ, Logger: o.log,
		})
		if err != nil {
			return w, err
		}
		p.Tracer = w.tracer()
	}
	if w.probe = telemetry.New(p); w.probe != nil {
		w.models = w.probe
	}
	return w, nil
}

// tracer makes spans; nil: there are no traces.
func (w watchers) tracer() trace.Tracer {
	if w.exporter == nil {
		return nil
	}
	return w.exporter.Provider().Tracer(traces.Scope)
}

// traced returns a function that counts the requests of a route and, with traces, makes a span for
// each, in the trace that its traceparent names. A WebSocket has none: it lasts as long as its
// client, and its operations have spans of their own.
func (w watchers) traced(requests *httpd.Metrics) func(route string, h http.Handler) http.Handler {
	if w.exporter == nil {
		return requests.Count
	}
	return func(route string, h http.Handler) http.Handler {
		return requests.Count(route, w.exporter.Handler(route, h))
	}
}

// register registers collectors, if metrics are served.
func (w watchers) register(collectors ...prometheus.Collector) error {
	if w.registry == nil {
		return nil
	}
	var errs []error
	for _, c := range collectors {
		errs = append(errs, w.registry.Register(c))
	}
	return errors.Join(errs...)
}

// contents is where the metrics of contents come from, besides the instance.
func (w watchers) contents(streams map[string]func() int) metrics.Sources {
	s := metrics.Sources{Embedder: w.embedder, Streams: streams, Version: versionText(), Now: time.Now}
	if w.exporter != nil {
		s.Spans = w.exporter.Counts
	}
	return s
}
