package config

import (
	"context"
	"io"
	"log/slog"
	"strings"

	"go.opentelemetry.io/otel/trace"
)

// Logger returns a logger that writes lines in the configured format.
func (c *Config) Logger(w io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(componentHandler{slog.NewJSONHandler(w, o)})
	}
	return slog.New(componentHandler{slog.NewTextHandler(w, o)})
}

// componentHandler adds the attribute component to records whose message begins with a tag:
// "[CIRCUIT BREAKER] Redis is back" has component=circuit_breaker. The message keeps the tag. Records of
// a traced request have trace_id and span_id.
type componentHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h componentHandler) Handle(ctx context.Context, r slog.Record) error {
	component, tagged := componentOf(r.Message)
	span := trace.SpanContextFromContext(ctx)
	if !tagged && !span.IsValid() {
		return h.Handler.Handle(ctx, r)
	}
	with := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	if tagged {
		with.AddAttrs(slog.String("component", component))
	}
	if span.IsValid() {
		with.AddAttrs(slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String()))
	}
	r.Attrs(func(a slog.Attr) bool {
		with.AddAttrs(a)
		return true
	})
	return h.Handler.Handle(ctx, with)
}

// WithAttrs implements slog.Handler.
func (h componentHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return componentHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h componentHandler) WithGroup(name string) slog.Handler {
	return componentHandler{h.Handler.WithGroup(name)}
}

// componentOf is the tag of a message in lower case, with _ for spaces.
func componentOf(message string) (component string, tagged bool) {
	rest, opened := strings.CutPrefix(message, "[")
	tag, _, closed := strings.Cut(rest, "] ")
	if !opened || !closed || tag == "" {
		return "", false
	}
	return strings.ReplaceAll(strings.ToLower(tag), " ", "_"), true
}
