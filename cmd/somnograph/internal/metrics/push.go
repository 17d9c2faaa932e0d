package metrics

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	bridge "go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/otlp"
)

// PushOptions say where metrics go. To is required.
type PushOptions struct {
	To      string   // otlp.FromEnvironment, or the http or https URL of a collector
	Version string   // of the server
	Environ []string // for the protocol; the SDK reads the rest, such as OTEL_METRIC_EXPORT_INTERVAL, from the environment of the process
	Logger  *slog.Logger
}

// Pusher sends metrics to a collector each minute.
type Pusher struct {
	provider *sdk.MeterProvider
	log      *slog.Logger
	down     atomic.Bool // the last export failed
}

// Push sends the metrics that all gathers. It does not connect: metrics that can't be sent are dropped, and the next ones have their totals.
func Push(ctx context.Context, all prometheus.Gatherer, o PushOptions) (*Pusher, error) {
	client, err := newClient(ctx, o)
	if err != nil {
		return nil, err
	}
	res, err := otlp.Resource(ctx, o.Version)
	if err != nil {
		return nil, err
	}
	p := &Pusher{log: o.Logger}
	reader := sdk.NewPeriodicReader(noted{client, p}, sdk.WithProducer(bridge.NewMetricProducer(bridge.WithGatherer(readable{all}))))
	p.provider = sdk.NewMeterProvider(sdk.WithReader(reader), sdk.WithResource(res))
	return p, nil
}

// newClient makes the client of a collector.
func newClient(ctx context.Context, o PushOptions) (sdk.Exporter, error) {
	protocol, err := otlp.Protocol(o.Environ, otlp.Metrics)
	if err != nil {
		return nil, err
	}
	if protocol == otlp.GRPC {
		var options []otlpmetricgrpc.Option
		if o.To != otlp.FromEnvironment {
			options = append(options, otlpmetricgrpc.WithEndpointURL(o.To))
		}
		return otlpmetricgrpc.New(ctx, options...)
	}
	var options []otlpmetrichttp.Option
	if o.To != otlp.FromEnvironment {
		endpoint, err := otlp.Endpoint(o.To, otlp.Metrics)
		if err != nil {
			return nil, err
		}
		options = append(options, otlpmetrichttp.WithEndpointURL(endpoint))
	}
	return otlpmetrichttp.New(ctx, options...)
}

// readable gathers the metrics that can be read, as Handler serves them.
type readable struct{ prometheus.Gatherer }

func (r readable) Gather() ([]*dto.MetricFamily, error) {
	all, err := r.Gatherer.Gather()
	if len(all) > 0 {
		err = nil
	}
	return all, err
}

// noted logs when an exporter begins and ends to fail.
type noted struct {
	sdk.Exporter
	to *Pusher
}

func (n noted) Export(ctx context.Context, all *metricdata.ResourceMetrics) error {
	err := n.Exporter.Export(ctx, all)
	switch {
	case err != nil && !n.to.down.Swap(true):
		n.to.log.Warn("metrics can't be sent; they are dropped until the collector answers", "error", err)
	case err == nil && n.to.down.Swap(false):
		n.to.log.Info("metrics are sent again")
	}
	return nil
}

// lastTime is how long the last metrics may take.
const lastTime = 5 * time.Second

// Close sends the last metrics.
func (p *Pusher) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), lastTime)
	defer cancel()
	if err := p.provider.Shutdown(ctx); err != nil {
		p.log.Warn("the last metrics were not sent", "error", err)
	}
	return nil
}
