// Package collectortest runs a real OpenTelemetry collector for tests, built by the collector's own
// builder from test/collector, on loopback. A missing program is a failure, not a reason to skip.
package collectortest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/internal/proctest"
)

// Collector is a running collector that takes OTLP over HTTP and gRPC.
type Collector struct {
	URL  string // of OTLP over HTTP
	GRPC string // address of OTLP over gRPC, as a URL

	mu      sync.Mutex
	spans   []Span
	metrics map[string]Metric
	raw     strings.Builder
}

// Span is a span as the collector passes it on.
type Span struct {
	TraceID, SpanID, Parent string
	Name                    string
	Kind                    int
	Attributes              map[string]any // strings, float64, bool, []any
	Events                  []Event
	Links                   []string // ids of traces
	Failed                  bool
	Resource                map[string]any
}

// Metric is a metric as the collector passed it on last.
type Metric struct {
	Points   int // of which it has one for each set of labels
	Resource map[string]any
}

// Event is an event of a span.
type Event struct {
	Name       string
	Attributes map[string]any
}

const configuration = `
receivers:
  otlp:
    protocols:
      http: {endpoint: %q}
      grpc: {endpoint: %q}
exporters:
  otlphttp:
    traces_endpoint: %q
    metrics_endpoint: %q
    encoding: json
    compression: none
    sending_queue: {enabled: false}
    retry_on_failure: {enabled: false}
service:
  telemetry: {metrics: {level: none}}
  pipelines:
    traces: {receivers: [otlp], exporters: [otlphttp]}
    metrics: {receivers: [otlp], exporters: [otlphttp]}
`

// Start starts a collector that ends with the test.
func Start(t testing.TB) *Collector {
	t.Helper()
	program, err := proctest.Program(t.Context(), "collector")
	if err != nil {
		t.Fatal(err)
	}
	c := &Collector{}
	routes := http.NewServeMux()
	routes.HandleFunc("/v1/traces", c.take)
	routes.HandleFunc("/v1/metrics", c.takeMetrics)
	sink := httptest.NewServer(routes)
	t.Cleanup(sink.Close)
	overHTTP, overGRPC := freeAddress(t), freeAddress(t)
	c.URL, c.GRPC = "http://"+overHTTP, "http://"+overGRPC
	dir := t.TempDir()
	config := filepath.Join(dir, "collector.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, configuration, overHTTP, overGRPC, sink.URL+"/v1/traces", sink.URL+"/v1/metrics"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program, "--config", "file:"+config)
	if err := proctest.Start(cmd, dir, "collector"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := proctest.Kill(&cmd); err != nil {
			t.Error(err)
		}
	})
	err = proctest.Wait(t.Context(), dir, "collector", time.Minute, func(ctx context.Context) bool {
		for _, address := range []string{overHTTP, overGRPC} {
			conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
			if err != nil {
				return false
			}
			_ = conn.Close()
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// freeAddress is an address on loopback that nobody listens on.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Spans returns the spans so far.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Span(nil), c.spans...)
}

// Metrics returns the metrics that came last, by name.
func (c *Collector) Metrics() map[string]Metric {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.metrics)
}

// Raw returns everything that the collector passed on, as JSON.
func (c *Collector) Raw() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.raw.String()
}

// attribute is an attribute in the JSON of OTLP.
type attribute struct {
	Key   string
	Value value
}

type value struct {
	StringValue *string
	IntValue    *json.Number
	DoubleValue *float64
	BoolValue   *bool
	ArrayValue  *struct{ Values []value }
}

func (v value) plain() any {
	switch {
	case v.StringValue != nil:
		return *v.StringValue
	case v.IntValue != nil:
		n, _ := v.IntValue.Float64() // OTLP has a number
		return n
	case v.DoubleValue != nil:
		return *v.DoubleValue
	case v.BoolValue != nil:
		return *v.BoolValue
	case v.ArrayValue != nil:
		list := []any{}
		for _, x := range v.ArrayValue.Values {
			list = append(list, x.plain())
		}
		return list
	}
	return nil
}

func plain(list []attribute) map[string]any {
	all := map[string]any{}
	for _, a := range list {
		all[a.Key] = a.Value.plain()
	}
	return all
}

// take receives a request of the collector.
func (c *Collector) take(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var request struct {
		ResourceSpans []struct {
			Resource   struct{ Attributes []attribute }
			ScopeSpans []struct {
				Spans []struct {
					TraceID, SpanID, ParentSpanID, Name string
					Kind                                int
					Attributes                          []attribute
					Events                              []struct {
						Name       string
						Attributes []attribute
					}
					Links  []struct{ TraceID string }
					Status struct{ Code int }
				}
			}
		}
	}
	if err := json.Unmarshal(raw, &request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.Write(raw)
	for _, rs := range request.ResourceSpans {
		for _, ss := range rs.ScopeSpans {
			for _, s := range ss.Spans {
				span := Span{
					TraceID: s.TraceID, SpanID: s.SpanID, Parent: s.ParentSpanID, Name: s.Name, Kind: s.Kind, Attributes: plain(s.Attributes),
					Failed: s.Status.Code == 2, Resource: plain(rs.Resource.Attributes),
				}
				for _, e := range s.Events {
					span.Events = append(span.Events, Event{e.Name, plain(e.Attributes)})
				}
				for _, l := range s.Links {
					span.Links = append(span.Links, l.TraceID)
				}
				c.spans = append(c.spans, span)
			}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, "{}") // the collector may have gone
}

func (c *Collector) takeMetrics(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	type points struct{ DataPoints []struct{} }
	var request struct {
		ResourceMetrics []struct {
			Resource     struct{ Attributes []attribute }
			ScopeMetrics []struct {
				Metrics []struct {
					Name                           string
					Sum, Gauge, Histogram, Summary points
				}
			}
		}
	}
	if err := json.Unmarshal(raw, &request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.Write(raw)
	c.metrics = map[string]Metric{}
	for _, rm := range request.ResourceMetrics {
		for _, sm := range rm.ScopeMetrics {
			for _, m := range sm.Metrics {
				n := len(m.Sum.DataPoints) + len(m.Gauge.DataPoints) + len(m.Histogram.DataPoints) + len(m.Summary.DataPoints)
				c.metrics[m.Name] = Metric{n, plain(rm.Resource.Attributes)}
			}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, "{}") // the collector may have gone
}
