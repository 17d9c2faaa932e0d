// Package traces sends the spans of the server to a collector of OpenTelemetry over OTLP.
package traces

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/otlp"
)

// Scope names the instrumentation in spans.
const Scope = "github.com/somnograph/somnograph"

// Options configure an exporter. To is required.
type Options struct {
	To      string   // otlp.FromEnvironment, or the http or https URL of a collector
	Ratio   *float64 // share of the traces that begin here, [0,1]; nil: as OTEL_TRACES_SAMPLER says, else all
	Version string   // of the server
	Environ []string // for the protocol; the SDK reads the rest from the environment of the process
	Logger  *slog.Logger
}

// Exporter sends spans. Its methods are safe for concurrent use.
type Exporter struct {
	provider     *sdk.TracerProvider
	sent, failed atomic.Uint64
	log          *slog.Logger
	down         atomic.Bool // the last export failed
}

// Open makes an exporter. It does not connect: spans that can't be sent are dropped, and never hold
// up a request.
func Open(ctx context.Context, o Options) (*Exporter, error) {
	client, err := newExporter(ctx, o)
	if err != nil {
		return nil, err
	}
	res, err := otlp.Resource(ctx, o.Version)
	if err != nil {
		return nil, err
	}
	x := &Exporter{log: o.Logger}
	options := []sdk.TracerProviderOption{sdk.WithResource(res), sdk.WithSpanProcessor(&held{SpanProcessor: sdk.NewBatchSpanProcessor(counted{client, x})})}
	if o.Ratio != nil {
		options = append(options, sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(*o.Ratio))))
	}
	x.provider = sdk.NewTracerProvider(options...)
	return x, nil
}

// newExporter makes the client of a collector.
func newExporter(ctx context.Context, o Options) (sdk.SpanExporter, error) {
	protocol, err := otlp.Protocol(o.Environ, otlp.Traces)
	if err != nil {
		return nil, err
	}
	if protocol == otlp.GRPC {
		var options []otlptracegrpc.Option
		if o.To != otlp.FromEnvironment {
			options = append(options, otlptracegrpc.WithEndpointURL(o.To))
		}
		return otlptrace.New(ctx, otlptracegrpc.NewClient(options...))
	}
	var options []otlptracehttp.Option
	if o.To != otlp.FromEnvironment {
		endpoint, err := otlp.Endpoint(o.To, otlp.Traces)
		if err != nil {
			return nil, err
		}
		options = append(options, otlptracehttp.WithEndpointURL(endpoint))
	}
	return otlptrace.New(ctx, otlptracehttp.NewClient(options...))
}

// counted counts what an exporter sends, and logs when it begins and ends to fail. The SDK would
// report each failure to a handler that the whole process shares.
type counted struct {
	sdk.SpanExporter
	to *Exporter
}

func (c counted) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	own := make([]sdk.ReadOnlySpan, len(spans))
	for i, s := range spans {
		own[i] = withoutTexts{s}
	}
	err := c.SpanExporter.ExportSpans(ctx, own)
	if err != nil {
		c.to.failed.Add(uint64(len(spans)))
		if !c.to.down.Swap(true) {
			c.to.log.Warn("traces can't be sent; their spans are dropped until the collector answers", "error", err)
		}
		return nil
	}
	c.to.sent.Add(uint64(len(spans)))
	if c.to.down.Swap(false) {
		c.to.log.Info("traces are sent again")
	}
	return nil
}

// Provider makes tracers whose spans are sent.
func (x *Exporter) Provider() trace.TracerProvider { return x.provider }

// Counts returns how many spans were sent, and how many the collector did not take.
func (x *Exporter) Counts() (sent, failed uint64) { return x.sent.Load(), x.failed.Load() }

// Flush sends the spans that wait.
func (x *Exporter) Flush(ctx context.Context) error { return x.provider.ForceFlush(ctx) }

// closeTime is how long the last spans may take.
const closeTime = 5 * time.Second

// Close sends the spans that wait.
func (x *Exporter) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if err := x.provider.Shutdown(ctx); err != nil {
		x.log.Warn("the last spans were not sent", "error", err)
	}
	return nil
}
