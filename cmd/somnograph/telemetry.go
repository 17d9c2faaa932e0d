package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/trace"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/metrics"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/traces"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/telemetry"
)

// watchers receive what a server measures and traces. The zero value receives nothing.
type watchers struct {
	registry *prometheus.Registry // of /metrics; nil: none is served
	recorder *metrics.Recorder    // nil: nothing is measured
	exporter *traces.Exporter     // nil: there are no traces
	probe    *telemetry.Probe     // nil: neither
	models   models.Observer      // nil: neither
	embedder models.Embedder      // whose cache is counted; nil: none yet
}

// openWatchers opens what the configuration asks for.
func (p *process) openWatchers(ctx context.Context) (err error) {
	c, w := p.config, &p.watch
	o := telemetry.Options{Content: c.Traces.Content}
	if c.MetricsAddr != "" {
		w.registry = prometheus.NewRegistry()
		if w.recorder, err = metrics.NewRecorder(w.registry, []string{c.Store, "recess"}, time.Now); err != nil {
			return err
		}
		o.Recorder = w.recorder
	}
	if c.Traces.To != "" {
		w.exporter, err = traces.Open(ctx, traces.Options{
			To: c.Traces.To, Ratio: c.Traces.Share(), Version: versionText(), Environ: p.env.environ, Logger: p.log,
		})
		if err != nil {
			return err
		}
		o.Tracer = w.tracer()
	}
	if w.probe = telemetry.New(o); w.probe != nil {
		w.models = w.probe
	}
	return nil
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
		return requests.Count(route, otelhttp.NewHandler(h, route,
			otelhttp.WithTracerProvider(w.exporter.Provider()), otelhttp.WithPropagators(traces.Propagator()), otelhttp.WithMeterProvider(noop.NewMeterProvider()),
			otelhttp.WithFilter(func(r *http.Request) bool { return r.Header.Get("Upgrade") == "" }),
			otelhttp.WithSpanNameFormatter(func(route string, r *http.Request) string { return r.Method + " " + route }),
		))
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
