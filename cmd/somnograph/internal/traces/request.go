package traces

import (
	"net/http"
	"slices"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Handler makes a span for each request of a route, in the trace that its traceparent names. Baggage is not read: nothing here uses it. A
// request that becomes a WebSocket has no span.
func (x *Exporter) Handler(route string, h http.Handler) http.Handler {
	return otelhttp.NewHandler(h, route,
		otelhttp.WithTracerProvider(x.provider), otelhttp.WithPropagators(propagation.TraceContext{}), otelhttp.WithMeterProvider(noop.NewMeterProvider()),
		otelhttp.WithFilter(func(r *http.Request) bool { return r.Header.Get("Upgrade") == "" }),
		otelhttp.WithSpanOptions(trace.WithAttributes(attribute.String("http.route", route))),
		otelhttp.WithSpanNameFormatter(func(route string, r *http.Request) string { return method(r) + " " + route }),
	)
}

// method is the method of a request; _OTHER, as in the conventions, for one that is none.
func method(r *http.Request) string {
	known := []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace,
	}
	if slices.Contains(known, r.Method) {
		return r.Method
	}
	return "_OTHER"
}

// texts are the attributes of a request that a client may fill with any text. The route stands for the path.
var texts = []attribute.Key{
	"url.path", "url.query", "user_agent.original", "http.request.method_original", "server.address", "server.port", "client.address", "network.protocol.name",
}

// withoutTexts is a span without the texts of clients: those attributes, and the tracestate, of which nothing here makes use.
type withoutTexts struct{ sdk.ReadOnlySpan }

// Attributes returns the attributes that are no texts of clients.
func (s withoutTexts) Attributes() []attribute.KeyValue {
	if s.InstrumentationScope().Name != otelhttp.ScopeName { // of the server itself
		return s.ReadOnlySpan.Attributes()
	}
	return slices.DeleteFunc(slices.Clone(s.ReadOnlySpan.Attributes()), func(a attribute.KeyValue) bool { return slices.Contains(texts, a.Key) })
}

// SpanContext returns the ids of the span.
func (s withoutTexts) SpanContext() trace.SpanContext { return stateless(s.ReadOnlySpan.SpanContext()) }

// Parent returns the ids of the span above.
func (s withoutTexts) Parent() trace.SpanContext { return stateless(s.ReadOnlySpan.Parent()) }

// Links returns the spans to which the span links.
func (s withoutTexts) Links() []sdk.Link {
	links := slices.Clone(s.ReadOnlySpan.Links())
	for i := range links {
		links[i].SpanContext = stateless(links[i].SpanContext)
	}
	return links
}

func stateless(c trace.SpanContext) trace.SpanContext { return c.WithTraceState(trace.TraceState{}) }
